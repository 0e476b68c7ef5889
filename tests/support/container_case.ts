/** Tests of a container engine itself, below sessions: one per target, with a sandbox and its output. */
import { assertEquals, fail } from "@std/assert";
import type { ContainerArgsOptions } from "../../src/engine/container/container_args.ts";
import { createContainerCli, runProgram } from "../../src/engine/container/container_cli.ts";
import { ContainerEngine } from "../../src/engine/container/container_engine.ts";
import { assertUsable } from "../../src/engine/container/detect_cli.ts";
import { createProcessLookup, identifyOwner } from "../../src/engine/container/owner.ts";
import type { Sandbox } from "../../src/engine/engine.ts";
import type { SandboxPolicy } from "../../src/engine/policy.ts";
import { RUNTIME_FILES } from "../../src/languages/python/runtime_files.ts";
import { type ContainerTarget, findContainerTargets } from "./container_targets.ts";

const REQUIRED = Deno.env.get("MCP_BRIDGE_REQUIRE_ENGINES") === "1";

/** Options of {@link containerCase}. */
export interface ContainerCaseOptions {
  /** A limit that must be enforced; where it is not, the case is skipped and says why. */
  needs?: keyof SandboxPolicy;
  /** Which Pythons to run with. @default {["3.14"]} */
  pythons?: string[];
}

/** Registers a test for each container engine; it gets a temp folder of its own. */
export async function containerCase(
  name: string,
  body: (target: ContainerTarget, tempDir: string, t: Deno.TestContext) => Promise<void>,
  options: ContainerCaseOptions = {},
): Promise<void> {
  for (const target of await findContainerTargets()) {
    if (!(options.pythons ?? ["3.14"]).includes(target.python)) continue;
    const { unavailable, report } = target;
    const unenforced = options.needs !== undefined && report.limits[options.needs] !== "enforced"
      ? `${options.needs} is not enforceable with ${
        report.rootless ? "rootless " : ""
      }${report.kind}, cgroup v${report.cgroupVersion}`
      : undefined;
    const skipped = unavailable ?? unenforced;
    Deno.test({
      name: `${target.name}: ${name}${skipped === undefined ? "" : ` (skipped: ${skipped})`}`,
      ignore: skipped !== undefined && !(REQUIRED && unavailable !== undefined),
      async fn(t) {
        if (unavailable !== undefined) fail(`${target.name} is required here: ${unavailable}`);
        const tempDir = await Deno.makeTempDir({ prefix: "mcp-bridge-test-" });
        // The rootless podman of the tests is another user.
        await Deno.chmod(tempDir, 0o755);
        try {
          await body(target, tempDir, t);
          assertEquals(await listOwnContainers(target), [], "containers left behind");
        } finally {
          await Deno.remove(tempDir, { recursive: true });
        }
      },
    });
  }
}

/** Names of this process's containers in any state. */
export async function listOwnContainers(target: ContainerTarget): Promise<string[]> {
  return await listContainers(target, `label=mcp-bridge.pid=${Deno.pid}`);
}

/** Names of containers in any state that a filter finds. */
export async function listContainers(target: ContainerTarget, filter: string): Promise<string[]> {
  const args = ["ps", "--all", "--format", "{{.Names}}", "--filter", filter];
  const { stdout } = await runCli(target, args);
  return stdout.split("\n").filter((line) => line !== "");
}

/** Runs the target's CLI. */
export async function runCli(target: ContainerTarget, args: string[]) {
  return await createContainerCli(target.report.command).run(args, { timeoutMs: 60_000 });
}

/** What a program left behind. */
export interface Output {
  status: string;
  stdout: string;
  error: string;
}

/** Executes code in a sandbox; a sandbox that ends meanwhile gives the reason as status. */
export async function execute(sandbox: Sandbox, code: string): Promise<Output> {
  const output = { status: "", stdout: "", error: "" };
  const done = Promise.withResolvers<void>();
  sandbox.channel.listen((message) => {
    if (message.type === "stdout") output.stdout += message.data;
    if (message.type === "execution_done") {
      output.status = message.status;
      output.error = message.error ?? "";
      done.resolve();
    }
  });
  sandbox.channel.send({ type: "execute", id: "1", code, servers: [], discovered: {} });
  await Promise.race([
    done.promise,
    sandbox.exited.then(({ reason, detail }) => {
      output.status = reason;
      output.error = detail;
    }),
  ]);
  return output;
}

/** An engine of the target whose command line is changed before it is run. */
export async function createAltered(
  target: ContainerTarget,
  tempDir: string,
  alter: (args: string[]) => string[],
  more: {
    env?: Record<string, string>;
    delivery?: ContainerArgsOptions["delivery"]["by"];
    onWarning?: (message: string) => void;
  } = {},
): Promise<ContainerEngine> {
  const cli = createContainerCli(target.report.command, more.env);
  const { report } = target;
  assertUsable(report, "auto");
  const lookUp = createProcessLookup(Deno.build.os, runProgram);
  return new ContainerEngine({
    cli: { ...cli, spawn: (args, cwd) => cli.spawn(alter([...args]), cwd) },
    report: more.delivery === "stdin" ? { ...report, remote: true } : report,
    files: RUNTIME_FILES,
    tempDir,
    owner: await identifyOwner(Deno.pid, lookUp),
    lookUp,
    onWarning: more.onWarning ?? fail,
  });
}
