import { assert, assertEquals, assertLess } from "@std/assert";
import { waitUntilGone } from "../../../support/processes.ts";
import { createContainerCli, runProgram } from "../../../../src/engine/container/container_cli.ts";

/** The programs these tests start (`sh`, `sleep`, `seq`) and their exit codes are those of Linux. */
const linux = Deno.build.os === "linux";

Deno.test({
  name: "runProgram() gives code and both streams",
  ignore: !linux,
  async fn() {
    const result = await runProgram("sh", ["-c", "echo out; echo err >&2; exit 3"], {
      timeoutMs: 10_000,
    });
    assertEquals(result, { end: "exit", code: 3, stdout: "out\n", stderr: "err\n" });
  },
});

Deno.test("runProgram() says that a program is missing", async () => {
  const result = await runProgram("mcp-bridge-no-such-program", [], { timeoutMs: 1000 });
  assertEquals(result.end, "missing");
});

Deno.test({
  name: "runProgram() drains a flood and keeps a bounded part of it",
  ignore: !linux,
  async fn() {
    const flood = "head -c 50000000 /dev/zero; head -c 50000000 /dev/zero >&2";
    const result = await runProgram("sh", ["-c", flood], { timeoutMs: 60_000 });
    assertEquals(result.end, "exit");
    assertEquals([result.stdout.length, result.stderr.length], [4_194_304, 4_194_304]);
  },
});

Deno.test({
  name: "runProgram() does not wait for a grandchild that holds the pipes after the time limit",
  ignore: !linux,
  async fn() {
    const began = performance.now();
    const result = await runProgram("sh", ["-c", "sleep 5 & wait"], { timeoutMs: 100 });
    assertEquals(result.end, "timeout");
    assertLess(performance.now() - began, 4_000);
  },
});

Deno.test({
  name: "runProgram() ends what a program has started when it ends the program",
  ignore: !linux,
  async fn() {
    const abort = new AbortController();
    let pid = 0;
    const onOutput = (text: string) => {
      pid = Number(text);
      abort.abort();
    };
    const options = { timeoutMs: 60_000, signal: abort.signal, onOutput };
    const script = "sleep 31.4 & echo $!; wait";
    assertEquals((await runProgram("sh", ["-c", script], options)).end, "aborted");
    const grandchild = { pid, parent: 0, args: "sleep 31.4" };
    assert(await waitUntilGone([grandchild], 2000) !== undefined);
  },
});

Deno.test({
  name: "runProgram() ends when asked to",
  ignore: !linux,
  async fn() {
    const abort = new AbortController();
    const running = runProgram("sleep", ["30"], { timeoutMs: 60_000, signal: abort.signal });
    abort.abort();
    assertEquals((await running).end, "aborted");
  },
});

Deno.test({
  name: "ContainerCli.spawn() keeps the end of stderr however much comes",
  ignore: !linux,
  async fn() {
    const cli = createContainerCli("sh", { GREETING: "last words" });
    const script = 'head -c 5000000 /dev/zero | tr "\\0" x >&2; echo "$GREETING" >&2; exit 7';
    const process = cli.spawn(["-c", script], "/");
    assertEquals(await process.exitCode, 7);
    assert(process.stderrTail().endsWith("last words\n"));
    assertLess(process.stderrTail().length, 10_000);
    process.kill();
    await process.stdout.cancel();
    await process.stdin.close();
  },
});
