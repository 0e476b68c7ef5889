/** Stdio servers that break a rule: each has an answer a person can act on, pinned here word for word. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { AppError, describeError } from "../../src/shared/errors.ts";
import type { ServerTransport } from "../../src/discovery/entry/server_entry.ts";
import { JsonText } from "../../src/shared/json/json_text.ts";
import type { CallOutcome } from "../../src/downstream/downstream.ts";
import {
  ableAsker,
  calling,
  createRig,
  isRunning,
  never,
  type Rig,
  stub,
  until,
  valueOf,
} from "./rig.ts";

/** The text of a start that fails. */
async function startFailure({ downstream }: Rig, server = "s"): Promise<string> {
  return (await assertRejects(() => downstream.load(server, never()), AppError)).describe();
}

const stdio = (command: string, args: string[] = [], more: object = {}): ServerTransport => ({
  kind: "stdio",
  command,
  args,
  env: {},
  ...more,
});

Deno.test("a server that exits at once is named with its exit code and its stderr", async () => {
  await using rig = await createRig({ s: stub("exits_at_once") });
  assertEquals(
    await startFailure(rig),
    'Cannot start "s": it ended with exit code 3\n' +
      "its stderr ends with:\n" +
      "  Error: WEATHER_KEY is not set\n" +
      "  hint: Run its command by hand to see why. " +
      "Correct its entry in the configuration of Claude Code",
  );
});

Deno.test("a program that is not there is named without the path of the host", async () => {
  await using rig = await createRig({
    s: stdio("no-such-program"),
    t: stdio("/home/me/bin/no-such-program"),
    u: stdio(Deno.execPath(), [], { cwd: "/no/such/folder" }),
  });
  assertEquals(
    await startFailure(rig),
    'Cannot start "s": "no-such-program" is not on PATH\n' +
      "  hint: Install it, or give its full path in the configuration of Claude Code",
  );
  assertEquals(
    await startFailure(rig, "t"),
    'Cannot start "t": there is no program "no-such-program" where its entry says\n' +
      "  hint: Correct its entry in the configuration of Claude Code",
  );
  assertEquals(
    await startFailure(rig, "u"),
    'Cannot start "u": its working folder does not exist\n' +
      "  hint: Correct its entry in the configuration of Claude Code",
  );
});

Deno.test("a command that no system can run, and an address that is none, are named without them", async () => {
  await using rig = await createRig({
    s: stdio("deno", ["nul\0byte"]),
    t: { kind: "http", url: "no-url?key=abcdefgh", headers: {} },
  });
  const hint = "\n  hint: Correct its entry in the configuration of Claude Code";
  assertEquals(await startFailure(rig), `Cannot start "s": "deno" cannot be run${hint}`);
  assertEquals(await startFailure(rig, "t"), `Cannot reach "t": its URL is not valid${hint}`);
});

Deno.test("a file that may not be executed is named so", async () => {
  const path = await Deno.makeTempFile();
  try {
    await Deno.chmod(path, 0o600);
    await using rig = await createRig({ s: stdio(path) });
    assertMatch(
      await startFailure(rig),
      /^Cannot start "s": "[^/]+" may not be executed\n {2}hint: Make the file executable$/,
    );
  } finally {
    await Deno.remove(path);
  }
});

Deno.test("a server that never answers is given up at the limit, with what it printed instead", async () => {
  await using rig = await createRig({ s: stub("never_answers") }, { startTimeoutSeconds: 1 });
  const startedAt = performance.now();
  assertEquals(
    await startFailure(rig),
    'Cannot start "s": it did not answer within 1s\n' +
      'its stdout has 1 line that is no MCP message: "Listening on stdio"\n' +
      "  hint: If it only needs longer, raise MCP_BRIDGE_SERVER_START_TIMEOUT",
  );
  assert(performance.now() - startedAt < 4000);
});

Deno.test("a server that refuses to be greeted is quoted", async () => {
  await using rig = await createRig({ s: stub("refuses_greeting") });
  assertEquals(
    await startFailure(rig),
    'Cannot start "s": it answers with an error: The license has expired\n' +
      "  hint: Correct its entry in the configuration of Claude Code",
  );
});

Deno.test("a server that does not list its tools is given up at the limit", async () => {
  await using rig = await createRig({ s: stub("refuses_greeting", {}, ["no-list"]) }, {
    startTimeoutSeconds: 1,
  });
  assertEquals(
    await startFailure(rig),
    'Cannot list the tools of "s": it did not answer within 1s\n' +
      "  hint: If it only needs longer, raise MCP_BRIDGE_SERVER_START_TIMEOUT",
  );
});

Deno.test("a call does not wait longer for a start than it may take itself", async () => {
  await using rig = await createRig({ s: stub("never_answers") }, { startTimeoutSeconds: 20 });
  const error = await assertRejects(
    () => rig.downstream.callTool("s", "t", JsonText.of({}), calling(1500)),
    AppError,
  );
  assertEquals(
    error.describe(),
    '"s" was still starting when the time was over\n' +
      'its stdout has 1 line that is no MCP message: "Listening on stdio"\n' +
      "  hint: Raise timeout, or call it again: it goes on starting",
  );
});

Deno.test("garbage on stdout is passed over, and told when the server fails", async () => {
  await using rig = await createRig({ s: stub("prints_garbage") });
  assertEquals(await valueOf(rig, "s", "hello"), "hello");
  const error = await assertRejects(
    () => rig.downstream.callTool("s", "end", JsonText.of({}), calling()),
    AppError,
  );
  assertEquals(
    error.describe(),
    'The connection broke during "s.end": the server ended with exit code 0\n' +
      'its stdout has 6 lines that are no MCP message: "Starting up"\n' +
      "  hint: The next call connects again; whether this one took effect is not known",
  );
});

Deno.test("a server that dies in a call fails that call, without its secrets, and the next one works", async () => {
  await using rig = await createRig({ s: stub("workbench", { API_KEY: "sk-1234567890" }) });
  const pid = await valueOf(rig, "s", "pid");
  const error = await assertRejects(
    () => rig.downstream.callTool("s", "die", JsonText.of({}), calling()),
    AppError,
  );
  assertEquals(
    error.describe(),
    'The connection broke during "s.die": the server ended with exit code 7\n' +
      "its stderr ends with:\n" +
      "  fatal: key [API_KEY]\n" +
      "  hint: The next call connects again; whether this one took effect is not known",
  );
  assert(await valueOf(rig, "s", "pid") !== pid);
});

Deno.test("calls that run side by side with one that kills the server all end", async () => {
  await using rig = await createRig({ s: stub("workbench") });
  const calls = [
    ...Array.from({ length: 5 }, () => valueOf(rig, "s", "sleep", { ms: 60_000 })),
    valueOf(rig, "s", "die"),
  ];
  const outcomes = await Promise.allSettled(calls);
  assertEquals(outcomes.filter(({ status }) => status === "fulfilled"), []);
});

Deno.test("a server that died between two calls is started again for the second", async () => {
  await using rig = await createRig({ s: stub("workbench") });
  const pid = Number(await valueOf(rig, "s", "pid"));
  Deno.kill(pid, "SIGKILL");
  // Not waited for: whether we noticed its end or not, the call is made.
  const outcome = await rig.downstream.callTool("s", "pid", JsonText.of({}), calling()).catch(
    describeError,
  );
  if (typeof outcome === "string") assertMatch(outcome, /the server ended with signal SIGKILL/);
  await until(async () => await valueOf(rig, "s", "pid") !== String(pid), "it was started again");
});

Deno.test("a line of 1 GB ends the connection in bounded memory", async () => {
  await using rig = await createRig({ s: stub("workbench") });
  const pid = Number(await valueOf(rig, "s", "pid"));
  const before = Deno.memoryUsage().rss;
  let peak = before;
  const sampler = setInterval(() => peak = Math.max(peak, Deno.memoryUsage().rss), 5);
  const startedAt = performance.now();
  const call = rig.downstream.callTool("s", "gigabyte", JsonText.of({}), calling());
  const error = await assertRejects(() => call, AppError);
  clearInterval(sampler);
  assertEquals(
    error.describe(),
    'The connection broke during "s.gigabyte": a message was longer than 64 MiB\n' +
      "  hint: Ask for less in one call",
  );
  assert(performance.now() - startedAt < 5000);
  assert(peak - before < 300 * 1024 * 1024, `Memory grew by ${(peak - before) >> 20} MiB`);
  await until(() => !isRunning(pid), "the server has ended");
  assertEquals(await valueOf(rig, "s", "echo", { value: 1 }), { value: 1 });
});

Deno.test("a list of tools that is none is said so in plain words", async () => {
  await using rig = await createRig({ s: stub("lists_nonsense") });
  assertEquals(
    await startFailure(rig),
    'Cannot list the tools of "s": it answered with something that is no list of tools\n' +
      "  hint: Report it to the maintainer of the server",
  );
});

Deno.test("5,000 tools in pages are all there", async () => {
  await using rig = await createRig({ s: stub("many_tools") });
  const { tools } = await rig.downstream.load("s", never());
  assertEquals(tools.length, 5000);
  assertEquals(await valueOf(rig, "s", "tool_4999"), "thing 4999");
});

Deno.test("a tool that appears later can be called, and is in the catalogue", async () => {
  await using rig = await createRig({ s: stub("changes_tools") });
  assertEquals(await valueOf(rig, "s", "grow", { name: "fresh" }), "grown");
  await until(
    async () => (await rig.downstream.load("s", never())).tools.length === 2,
    "the new tool is known",
  );
  assertEquals(await valueOf(rig, "s", "fresh"), "I am fresh");
});

Deno.test("tools with odd names are all reached, each by its own name and alias", async () => {
  await using rig = await createRig({ s: stub("odd_names") });
  const { tools } = await rig.downstream.load("s", never());
  assertEquals(Object.fromEntries(tools.map(({ name, alias }) => [name, alias])), {
    "a-b": "a_b_2",
    a_b: "a_b",
    "a.b": "a_b_3",
    class: "class_",
    列表: "列表",
    "": "tool",
    A_B: "a_b_4",
    no_schema: "no_schema",
    odd_schema: "odd_schema",
  });
  for (const { name, alias } of tools) {
    assertEquals(await valueOf(rig, "s", name), name);
    assertEquals(await valueOf(rig, "s", alias), name);
  }
});

Deno.test("an unknown tool is refused before anything is sent, with the name that was meant", async () => {
  await using rig = await createRig({ s: stub("workbench") });
  const near = await assertRejects(
    () => rig.downstream.callTool("s", "ecko", JsonText.of({}), calling()),
    AppError,
  );
  assertEquals(near.describe(), 'Server "s" has no tool "ecko"\n  hint: Did you mean "echo"?');
  const far = await assertRejects(
    () => rig.downstream.callTool("s", "nothing_like_it", JsonText.of({}), calling()),
    AppError,
  );
  assertMatch(far.hint!, /^Its tools: echo, sleep, /);
});

Deno.test("a result that is none is reported as such", async () => {
  await using rig = await createRig({ s: stub("workbench") });
  const error = await assertRejects(
    () => rig.downstream.callTool("s", "wrong", JsonText.of({}), calling()),
    AppError,
  );
  assertEquals(
    error.describe(),
    '"s.wrong" answered with something that is no result of it\n' +
      "  hint: Report it to the maintainer of the server",
  );
});

Deno.test("one server's failure is that server's alone", async () => {
  await using rig = await createRig({ bad: stub("exits_at_once"), good: stub("workbench") });
  const [bad, good] = await Promise.allSettled([
    rig.downstream.load("bad", never()),
    valueOf(rig, "good", "echo", { value: 1 }),
  ]);
  assertEquals([bad.status, good.status], ["rejected", "fulfilled"]);
});

Deno.test("no way in which a call can fail shows a variable of the server", async () => {
  const key = 'k"ey\\4711-secret';
  await using rig = await createRig({
    bench: stub("workbench", { API_KEY: key, MODE: "message" }),
  });
  const call = (how: string, raw = false) => {
    const args = JsonText.of({ how });
    return raw
      ? rig.downstream.callToolRaw("bench", "leak", args, calling())
      : rig.downstream.callTool("bench", "leak", args, calling());
  };
  const seen: string[] = [];
  for (const how of ["result", "error"]) {
    const outcome = await call(how) as Extract<CallOutcome, { kind: "failed" }>;
    assertEquals(outcome.kind, "failed");
    assertEquals(outcome.message, 'refused with [API_KEY] "[API_KEY]" 12345678901234567890');
    seen.push(outcome.message, outcome.result.text);
    // Numbers are as they came, and so are the names of the protocol.
    const member = how === "result" ? '"isError":true' : '"message":';
    assertStringIncludes(outcome.result.text, member);
  }
  seen.push((await call("result", true) as JsonText).text);
  const refused = await assertRejects(() => call("error", true), AppError);
  seen.push(refused.describe());
  for (const text of seen) {
    assert(!text.includes("4711"), text);
    assertStringIncludes(text, "[API_KEY]");
  }
});

Deno.test("a server has few questions open at once, whatever it sends", async () => {
  await using rig = await createRig({ bench: stub("workbench") });
  let open = 0;
  let most = 0;
  const asker = ableAsker(async () => {
    most = Math.max(most, ++open);
    await new Promise((resolve) => setTimeout(resolve, 300));
    open--;
    return { action: "accept", content: { a: "x" } };
  });
  const told = await valueOf(rig, "bench", "ask_many", { count: 600 }, asker);
  const said = "Cannot ask the user: 8 questions of this server are open, and no more can be";
  assertEquals(told, { answered: 8, said });
  assertEquals(most, 8);
  assertEquals(await valueOf(rig, "bench", "ask_many", { count: 3 }, asker), { answered: 3 });
});
