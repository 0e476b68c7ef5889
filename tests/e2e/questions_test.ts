/** Questions of downstream servers, of both eras, to clients of both eras, through the whole program. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { type Answering, connectAsked, EVERYTHING, type Heard } from "../support/asked_clients.ts";

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const SAMPLED = { role: "assistant", model: "m", content: { type: "text", text: "4" } };

/** A client that answers each kind of question. */
const answer: Answering = ({ method, params }) => {
  if (method === "sampling/createMessage") return SAMPLED;
  if (method === "roots/list") return { roots: [{ uri: "file:///work" }] };
  if (params?.["mode"] === "url") return { action: "accept" };
  return { action: "accept", content: { city: String(params?.["message"]).split(" ").at(-1) } };
};

const isElicitation = ({ method }: Heard) => method === "elicitation/create";

for (const era of ["legacy", "modern"] as const) {
  for (const server of ["old", "new"] as const) {
    const name = `${era} client, ${server} server`;

    Deno.test(`${name}: the user is asked, once and twice at once, and told who asks`, async () => {
      const answers: Answering = (heard, signal) =>
        heard.params?.["message"] === `[${server}] no`
          ? { action: "decline" }
          : answer(heard, signal);
      await using client = await connectAsked(era, { capabilities: EVERYTHING, answer: answers });
      const { content } = await client.run({
        code: `import asyncio
ask = lambda text: mcp_${server}.ask_city(message=text)
print((await ask("Which? Oslo"))["content"]["city"])
print([one["content"]["city"] for one in await asyncio.gather(ask("Which? a"), ask("Which? b"))])
print(await ask("no"))`,
        servers: [server],
      });
      assertEquals(content[0]!.text, "Oslo\n['a', 'b']\n{'action': 'decline'}");
      const asked = client.heard.filter(isElicitation).map(({ params }) => params?.["message"]);
      const expected = ["Which? Oslo", "Which? a", "Which? b", "no"];
      assertEquals(asked.sort(), expected.map((text) => `[${server}] ${text}`).sort());
    });

    Deno.test(`${name}: a person is slower than the run's limit`, async () => {
      const slow: Answering = async (heard, signal) => {
        if (isElicitation(heard)) await sleep(3000);
        return answer(heard, signal);
      };
      await using client = await connectAsked(era, { capabilities: EVERYTHING, answer: slow });
      const progress: string[] = [];
      const { content, structuredContent } = await client.run({
        code: `a = await mcp_${server}.ask_city(message="Which? Rome")
import time; print(a["content"]["city"], flush=True); time.sleep(30)`,
        servers: [server],
        timeout: 2,
      }, { onprogress: ({ message }) => void progress.push(message ?? "") });
      assertStringIncludes(content[0]!.text!, "status: timeout\nRome");
      assertEquals(structuredContent?.["timeoutSeconds"], 2);
      assert(progress.includes(`${server} asks the user: Which? Rome`), progress.join("\n"));
    });

    Deno.test(`${name}: a client that cannot be asked is named`, async () => {
      await using client = await connectAsked(era, { capabilities: {}, answer });
      const { content } = await client.run({
        code: `try: await mcp_${server}.ask_city(message="Which?")
except runtime.MCPError as error: print(error)`,
        servers: [server],
      });
      assertStringIncludes(
        content[0]!.text!,
        'the MCP client "asked" does not support elicitation',
      );
    });
  }

  Deno.test(`${era} client: a page, a model, and the roots`, async () => {
    await using client = await connectAsked(era, { capabilities: EVERYTHING, answer });
    const { content } = await client.run({
      code: `all = await mcp_new.all()
print([await mcp_old.ask_page(), (await mcp_old.think())["content"]["text"], await mcp_old.folders()])
print([all["page"], all["thought"]["content"]["text"], all["folders"]])`,
      servers: ["old", "new"],
    });
    const row = "[{'action': 'accept'}, '4', {'roots': [{'uri': 'file:///work'}]}]";
    assertEquals(content[0]!.text, `${row}\n${row}`);
    const sampled = client.heard.find(({ method }) => method === "sampling/createMessage");
    assertEquals(sampled?.params?.["includeContext"], undefined);
  });

  Deno.test(`${era} client: each kind of question it cannot answer is refused by name`, async () => {
    const capabilities = { elicitation: { form: {} } };
    await using client = await connectAsked(era, { capabilities, answer });
    const { content } = await client.run({
      code: `for call in (mcp_old.ask_page(), mcp_old.think(), mcp_old.folders(), mcp_new.all()):
  try: print(await call)
  except runtime.MCPError as error: print(error)
print(await mcp_old.told())`,
      servers: ["old", "new"],
    });
    const text = content[0]!.text!;
    const lacks = 'the MCP client "asked" does not support';
    assertStringIncludes(text, `Cannot ask a model: ${lacks} sampling (sampling/createMessage)`);
    assertStringIncludes(text, `Cannot list roots: ${lacks} roots (roots/list)`);
    assertStringIncludes(text, `Cannot ask the user: ${lacks} URL questions (elicitation/create)`);
    // A server of 2026 looks at what is declared before it asks.
    assertMatch(text, /required capability: the MCP client "asked" does not support \w+/);
    assertStringIncludes(text, "{'elicitation': {'form': {'applyDefaults': True}}}");
  });

  Deno.test(`${era} client: a question after the call is refused`, async () => {
    await using client = await connectAsked(era, { capabilities: EVERYTHING, answer });
    const { content } = await client.run({
      code: `import asyncio
await mcp_old.ask_later()
await asyncio.sleep(1)
print(await mcp_old.last_error())`,
      servers: ["old"],
    });
    assertStringIncludes(content[0]!.text!, "Cannot ask the user: no call of this server");
    assertEquals(client.heard.filter(isElicitation), []);
  });
}

Deno.test("a question is taken back when its run is cancelled", async () => {
  const { promise: asked, resolve: onAsked } = Promise.withResolvers<void>();
  const { promise: takenBack, resolve: onTakenBack } = Promise.withResolvers<void>();
  const hang: Answering = ({ params }, signal) => {
    // SDK version 1 overlooks that its request 0 is cancelled, so that the one to watch is the second.
    if (params?.["message"] === "[old] First?") return { action: "decline" };
    signal.addEventListener("abort", () => onTakenBack());
    onAsked();
    return new Promise(() => {});
  };
  const capabilities = { elicitation: {} };
  await using client = await connectAsked("legacy", { capabilities, answer: hang });
  const cancel = new AbortController();
  const run = client.run({
    code: 'for text in ("First?", "Second?"): await mcp_old.ask_city(message=text)',
    servers: ["old"],
  }, { signal: cancel.signal });
  await asked;
  cancel.abort();
  await assertRejects(() => run);
  await takenBack;
  assertEquals((await client.run({ code: "print(1)" })).content[0]!.text, "1");
});

Deno.test("a question that nobody answers ends with a reason", async () => {
  const hang = () => new Promise(() => {});
  const env = { MCP_BRIDGE_ASK_TIMEOUT: "1" };
  const capabilities = { elicitation: {} };
  await using client = await connectAsked("legacy", { capabilities, answer: hang, env });
  const { content } = await client.run({
    code: `try: await mcp_old.ask_city(message="Which?")
except runtime.MCPError as error: print(error)`,
    servers: ["old"],
  });
  assertStringIncludes(content[0]!.text!, "Cannot ask the user: there was no answer within 1s");
});
