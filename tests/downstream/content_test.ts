/** Resources and prompts of servers. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { AppError } from "../../src/shared/errors.ts";
import { reference } from "../support/bridge_servers.ts";
import { serveEverything } from "../support/everything_server.ts";
import { calling, createRig, type Rig, stub } from "./rig.ts";

const contentOf = ({ downstream }: Rig, server = "s") => downstream.content(server, calling());

async function refusal(action: () => Promise<unknown>): Promise<string> {
  return (await assertRejects(action, AppError)).describe();
}

Deno.test("lists are read to their last page, and odd entries cost only themselves", async () => {
  await using rig = await createRig({ s: stub("offers_content") });
  const content = await contentOf(rig);
  assertEquals(await content.listResources(), [
    { uri: "data:a", name: "a", mime_type: "application/json", size: 12 },
    { uri: "data:b" },
  ]);
  assertEquals(await content.listPrompts(), [{ name: "greet", arguments: [{ name: "who" }] }]);
});

Deno.test("a resource is text, JSON where its type says so, bytes, or several of these", async () => {
  await using rig = await createRig({ s: stub("offers_content") });
  const content = await contentOf(rig);
  const text = (text: string, mayBeJson = false) => ({ kind: "text" as const, text, mayBeJson });
  const blob = { type: "blob" as const, mime_type: "image/png", data: "iVBORw==", uri: "y" };
  assertEquals(await content.readResource("data:json"), text('{"n": 9007199254740993}', true));
  assertEquals(await content.readResource("data:list"), text("[1]"));
  assertEquals(await content.readResource("data:two"), {
    kind: "content",
    content: [{ type: "text", text: "one" }, blob],
  });
  assertEquals(await content.readResource("data:none"), { kind: "content", content: [] });
});

Deno.test("a prompt is its messages, asked for with its arguments", async () => {
  await using rig = await createRig({ s: stub("offers_content") });
  const [first, second] = await (await contentOf(rig)).getPrompt("greet", { who: "Ada" });
  assert(first?.content.type === "text");
  assertEquals([first.role, JSON.parse(first.content.text)], [
    "user",
    { name: "greet", arguments: { who: "Ada" } },
  ]);
  const content = { type: "blob" as const, mime_type: "image/png", data: "iVBORw==" };
  assertEquals(second, { role: "assistant", content });
});

Deno.test("what a server refuses is an error in its own words, and it goes on", async () => {
  await using rig = await createRig({ s: stub("offers_content"), tools: stub("workbench") });
  const content = await contentOf(rig);
  assertEquals(await refusal(() => content.readResource("data:x")), "There is no data:x");
  assertEquals(
    await refusal(() => content.readResource("data:odd")),
    '"s.resources/read" answered with something that is no result of it\n' +
      "  hint: Report it to the maintainer of the server",
  );
  assertEquals((await content.listPrompts()).length, 1);
  const other = await contentOf(rig, "tools");
  assertEquals([await other.listResources(), await other.listPrompts()], [[], []]);
  assertEquals(await refusal(() => other.readResource("a")), '"tools" has no resources');
  assertEquals(await refusal(() => other.getPrompt("a", {})), '"tools" has no prompts');
  assertEquals(rig.log.filter((line) => line.includes("Connected")).length, 2);
});

for (const kind of ["stdio", "streamableHttp", "sse"] as const) {
  Deno.test(`server-everything gives its resources and prompts over ${kind}`, async () => {
    await using remote = kind === "stdio" ? undefined : await serveEverything(kind);
    const { args = [] } = reference("server-everything", "stdio");
    await using rig = await createRig({
      s: remote === undefined
        ? { kind: "stdio", command: Deno.execPath(), args, env: {} }
        : { kind: kind === "sse" ? "sse" : "http", url: remote.url, headers: {} },
    }, { startTimeoutSeconds: 120 });
    const content = await contentOf(rig);
    const resources = await content.listResources();
    const uri = "demo://resource/static/document/features.md";
    assert(resources.some((resource) => resource["uri"] === uri));
    assert(resources.some((resource) => "uri_template" in resource));
    const text = await content.readResource(uri);
    assert(text.kind === "text" && text.text.startsWith("# Everything Server"));
    const bytes = await content.readResource("demo://resource/dynamic/blob/1");
    assert(bytes.kind === "content" && bytes.content[0]?.type === "blob");
    const [message] = await content.getPrompt("args-prompt", { city: "Oslo" });
    assertEquals(message!.content, { type: "text", text: "What's weather in Oslo?" });
  });
}
