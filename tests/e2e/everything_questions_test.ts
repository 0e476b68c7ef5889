/** A server that people use asks for everything there is; it offers those tools only to clients that can answer. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { type Answering, connectAsked, EVERYTHING } from "../support/asked_clients.ts";

const everything = (label: string) => ({
  everything: {
    command: Deno.execPath(),
    // The label has no meaning to the server: its tools depend on the client, and so each has its own list.
    args: [
      "run",
      "-A",
      "--quiet",
      "--no-config",
      "--no-lock",
      "npm:@modelcontextprotocol/server-everything@2026.8.31",
      "stdio",
      label,
    ],
  },
});

const answer: Answering = ({ method, params }) => {
  if (method === "sampling/createMessage") {
    return { role: "assistant", model: "m", content: { type: "text", text: "forty-two" } };
  }
  if (method === "roots/list") return { roots: [{ uri: "file:///work", name: "My work" }] };
  return params?.["mode"] === "url"
    ? { action: "accept" }
    : { action: "accept", content: { name: "Ada", check: true } };
};

const CODE = `print(await mcp_everything.trigger_elicitation_request())
print(await mcp_everything.trigger_sampling_request(prompt="6 * 7"))
print(await mcp_everything.get_roots_list())`;

for (const era of ["legacy", "modern"] as const) {
  Deno.test(`${era} client: server-everything asks for all it can`, async () => {
    const servers = everything("able");
    await using client = await connectAsked(era, { capabilities: EVERYTHING, answer, servers });
    const run = await client.run({ code: CODE, servers: ["everything"], timeout: 60 });
    const text = run.content[0]!.text!;
    assertStringIncludes(text, "- Name: Ada");
    assertStringIncludes(text, "forty-two");
    assertStringIncludes(text, "My work");
    const messages = client.heard.flatMap(({ params }) => params?.["message"] ?? []);
    assertEquals(messages, ["[everything] Please provide inputs for the following fields:"]);
  });
}

Deno.test("server-everything does not offer to ask a client that cannot answer", async () => {
  const servers = everything("unable");
  await using client = await connectAsked("legacy", { capabilities: {}, answer, servers });
  const run = await client.run({ code: CODE, servers: ["everything"], timeout: 60 });
  assertStringIncludes(run.content[0]!.text!, "trigger_elicitation_request");
  assertEquals([run.isError, client.heard], [true, []]);
});
