/** Both eras of the protocol, and servers that take the question for it badly. */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { AppError } from "../../src/shared/errors.ts";
import { configDigest } from "../../src/downstream/catalog/server_registry.ts";
import { writeJsonFile } from "../../src/store/json_file.ts";
import { JsonText } from "../../src/shared/json/json_text.ts";
import { ableAsker, calling, createRig, never, type Rig, stub, valueOf } from "./rig.ts";

/** How the server was reached, as the log tells it. */
const reached = ({ log }: Rig) =>
  log.flatMap((line) => /Connected "\w+" \((\w+, \w+)\)/.exec(line)?.[1] ?? []);

Deno.test("a server of 2025 is greeted by initialize", async () => {
  await using rig = await createRig({ s: stub("workbench") });
  await rig.downstream.load("s", never());
  assertEquals(reached(rig), ["stdio, legacy"]);
});

Deno.test("a server of 2026 is asked for what it is, and answers calls", async () => {
  await using rig = await createRig({ s: stub("modern_only") });
  assertEquals(await valueOf(rig, "s", "hello"), "hello");
  assertEquals(reached(rig), ["stdio, modern"]);
});

Deno.test("a server of 2026 that starts slowly is not started again", async () => {
  // Started twice, it would need longer than the limit.
  await using rig = await createRig({ s: stub("modern_only", {}, ["3500"]) }, {
    startTimeoutSeconds: 6.5,
  });
  assertEquals(await valueOf(rig, "s", "hello"), "hello");
  assertEquals(reached(rig), ["stdio, modern"]);
});

Deno.test("a result of 2026 that does not say of what kind it is is complete", async () => {
  await using rig = await createRig({ s: stub("modern_only", {}, ["no-type"]) });
  assertEquals(await valueOf(rig, "s", "hello"), "hello");
  assertEquals(reached(rig), ["stdio, modern"]);
});

Deno.test("a server of 2026 that wants to ask the user is refused with a reason", async () => {
  await using rig = await createRig({ s: stub("modern_only") });
  const error = await assertRejects(
    () => rig.downstream.callTool("s", "ask", JsonText.of({}), calling()),
    AppError,
  );
  assertEquals(
    error.describe(),
    '"s.ask" needs an answer: ' +
      "Cannot ask the user: nobody is there to answer (elicitation/create)",
  );
});

Deno.test("a server that ends at the question is started again without it", async () => {
  await using rig = await createRig({ s: stub("ends_at_probe") });
  assertEquals(await valueOf(rig, "s", "hello"), "hello");
  await rig.restart();
  assertEquals(await valueOf(rig, "s", "hello"), "hello");
  assertEquals(reached(rig), ["stdio, legacy", "stdio, legacy"]);
});

Deno.test("a server that leaves the question open is greeted in the old way", async () => {
  await using rig = await createRig({ s: stub("silent_at_probe") }, { startTimeoutSeconds: 3 });
  assertEquals(await valueOf(rig, "s", "hello"), "hello");
  await rig.restart();
  const startedAt = performance.now();
  assertEquals(await valueOf(rig, "s", "hello"), "hello");
  assert(performance.now() - startedAt < 900, "It was asked again");
});

Deno.test("a server that has left the old era since is reached again", async () => {
  const transport = stub("modern_only");
  await using rig = await createRig({ s: transport });
  const path = `${rig.cacheDir}/catalogs/${await configDigest(transport)}.json`;
  const link = { kind: "stdio", era: "legacy", at: Date.now() };
  await writeJsonFile(path, { format: 1, link });
  assertEquals(await valueOf(rig, "s", "hello"), "hello");
  assertEquals(reached(rig), ["stdio, modern"]);
});

Deno.test("requests of a server are refused in words it can hand on", async () => {
  await using rig = await createRig({ s: stub("workbench") });
  const ask = (method: string, params = {}) => valueOf(rig, "s", "ask", { method, params });
  const refused = (message: string) => ({ error: { code: -32601, message } });
  const form = { message: "?", requestedSchema: { type: "object", properties: {} } };
  assertEquals(
    await ask("elicitation/create", form),
    refused("Cannot ask the user: nobody is there to answer (elicitation/create)"),
  );
  assertEquals(
    await ask("sampling/createMessage", { messages: [], maxTokens: 1 }),
    refused("Cannot ask a model: nobody is there to answer (sampling/createMessage)"),
  );
  assertEquals(
    await ask("roots/list"),
    refused("Cannot list roots: nobody is there to answer (roots/list)"),
  );
  assertEquals(await ask("ping"), { result: {} });
  assertEquals(await ask("sampling/createMessage", { messages: 5, maxTokens: "x" }), {
    error: {
      code: -32602,
      message:
        'Cannot answer "sampling/createMessage": wrong "params.messages", "params.maxTokens"',
    },
  });
  assertMatch(JSON.stringify(await ask("what/ever")), /-32601.*not known here/);
});

Deno.test("requests of a server reach the client that the call is made for", async () => {
  const asked: string[] = [];
  await using rig = await createRig({ s: stub("workbench") });
  const asker = ableAsker(({ server, question }) => {
    if (question.kind !== "form") return { roots: [{ uri: "file:///work" }] };
    asked.push(`${server}: ${question.message}`);
    return { action: "accept", content: { city: "Oslo" } };
  });
  const ask = (args: Record<string, unknown>) => valueOf(rig, "s", "ask", args, asker);
  const city = { type: "string" };
  const unit = { type: "string", default: "C" };
  const params = {
    message: "Which city?",
    requestedSchema: { type: "object", properties: { city, unit } },
  };
  assertEquals(await ask({ method: "elicitation/create", params }), {
    result: { action: "accept", content: { city: "Oslo", unit: "C" } },
  });
  assertEquals(asked, ["s: Which city?"]);
  assertEquals(await ask({ method: "roots/list" }), {
    result: { roots: [{ uri: "file:///work" }] },
  });
});

Deno.test("a question of a server of 2026 reaches the client, too", async () => {
  await using rig = await createRig({ s: stub("modern_only") });
  const asker = ableAsker(() => ({ action: "decline" }));
  assertEquals(await valueOf(rig, "s", "ask", {}, asker), { which: { action: "decline" } });
});

Deno.test("clients of whom not the same can be asked do not share a connection", async () => {
  await using rig = await createRig({ s: stub("workbench") });
  const able = ableAsker(() => ({ roots: [] }));
  const other = { ...able, abilities: { ...able.abilities, client: "other" } };
  const unable = { ...able, abilities: { ...able.abilities, sampling: false } };
  const pids = [];
  for (const asker of [able, other, unable, undefined]) {
    pids.push(await valueOf(rig, "s", "pid", {}, asker));
  }
  assertEquals(pids[0], pids[1]);
  assertEquals(new Set(pids).size, 3);
});
