/**
 * Starts the child of the embedded engine: our own executable once more, with nothing but the right to
 * read what it boots from. The only file of the engine that starts a process.
 */
import type { ChildMode } from "./child/protocol.ts";
import { CHILD_COMMAND } from "./child_command.ts";

const MIB = 1024 * 1024;
const WASM_PAGE_BYTES = 64 * 1024;

/** The most memory a 32-bit interpreter can have. */
const MAX_PAGES = 65_536;

/** Resident memory of the child beyond what Python may use: V8, compiled code, buffers. */
const OVERHEAD_BYTES = 256 * MIB;

/** Room for building a snapshot; no user code runs then. */
const BUILD_MEMORY_BYTES = 512 * MIB;

/**
 * What V8 lets a thread's stack grow to, in KiB: recursion in Python's C code needs it. The rest of
 * {@link THREAD_STACK_BYTES} is for native code, which V8 does not count.
 *
 * SECURITY: wasm boundary. Above the real size of a stack code would write beyond it.
 */
const V8_STACK_KIB = 3500;

/** The least stack that a worker gets; where Deno has no size of its own, this variable of Rust's gives it. */
const THREAD_STACK_BYTES = 4 * MIB;

/** What a child is started with. */
export interface ChildOptions {
  mode: ChildMode;
  /** Snapshot to boot from; in mode `snapshot`. */
  snapshotPath?: string;
  /** Memory Python may use. */
  memoryBytes?: number;
  /** Variables that Deno needs to find its module cache; the child gets no other. */
  denoEnv: Readonly<Record<string, string>>;
}

/** Where and how a child is started. */
export interface ChildHost {
  execPath: string;
  os: typeof Deno.build.os;
  /** Whether this is the compiled program. */
  standalone: boolean;
}

/** A program, its arguments and its whole environment. */
export interface ChildCommand {
  program: string;
  args: string[];
  env: Record<string, string>;
}

/**
 * SECURITY: wasm boundary. Deno's Cache API writes to disk without asking any permission. A process that
 * may write no byte to a file cannot; pipes are not files. Windows has no such limit: there only
 * `lockdown.ts` stands before that API.
 */
const NO_FILE_WRITES = 'trap "" XFSZ; ulimit -f 0; ulimit -c 0; exec "$@"';

/** Command line and environment of a child. Pure, so that a test can pin what the child may do. */
export function toChildCommand(options: ChildOptions, host: ChildHost): ChildCommand {
  const { args, env } = toProgram(options, host.standalone);
  if (host.os === "windows") return { program: host.execPath, args, env };
  return { program: "/bin/sh", args: ["-c", NO_FILE_WRITES, "sh", host.execPath, ...args], env };
}

function toProgram(
  options: ChildOptions,
  standalone: boolean,
): { args: string[]; env: Record<string, string> } {
  const memoryBytes = options.memoryBytes ?? BUILD_MEMORY_BYTES;
  const pages = Math.min(Math.floor(memoryBytes / WASM_PAGE_BYTES), MAX_PAGES);
  const childArgs: string[] = [options.mode, String(memoryBytes + OVERHEAD_BYTES)];
  if (options.snapshotPath !== undefined) childArgs.push(options.snapshotPath);
  const env = {
    ...options.denoEnv,
    DENO_V8_FLAGS: `--wasm-max-mem-pages=${pages},--stack-size=${V8_STACK_KIB}`,
    RUST_MIN_STACK: String(THREAD_STACK_BYTES),
    // Otherwise Python's local time would be that of the host.
    TZ: "UTC",
  };
  if (standalone) return { args: [CHILD_COMMAND, ...childArgs], env };
  const main = new URL("./child/main.ts", import.meta.url);
  const readable = [
    // What its workers are loaded from.
    ...(main.protocol === "file:" ? [toPath(new URL(".", main))] : []),
    ...(options.snapshotPath === undefined ? [] : [options.snapshotPath]),
  ];
  return {
    args: [
      "run",
      "--quiet",
      "--cached-only",
      "--no-code-cache",
      // Else an import of a package, by code without any permission, leaves an empty file beside the lock file.
      "--frozen",
      // SECURITY: wasm boundary. No prompt, and reading is all there is to give up.
      "--no-prompt",
      ...(readable.length > 0 ? [allowRead(readable)] : []),
      "--unstable-worker-options",
      "--unstable-raw-imports",
      main.href,
      ...childArgs,
    ],
    env,
  };
}

/** Starts a child with piped streams. */
export function spawnChild(options: ChildOptions): Deno.ChildProcess {
  const { os, standalone } = Deno.build;
  const host = { execPath: Deno.execPath(), os, standalone };
  const { program, args, env } = toChildCommand(options, host);
  return new Deno.Command(program, {
    args,
    env,
    clearEnv: true,
    cwd: "/",
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

/**
 * Fetches the modules of the child into Deno's cache, with the rights and settings of the user; the
 * child itself may neither write nor use the network.
 */
export async function cacheChildModules(): Promise<{ success: boolean; stderr: string }> {
  if (Deno.build.standalone) return { success: true, stderr: "" };
  const modules = ["./child/main.ts", "./child/worker.ts", "./child/reader.ts"];
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "cache",
      "--quiet",
      "--unstable-worker-options",
      "--unstable-raw-imports",
      ...modules.map((module) => import.meta.resolve(module)),
    ],
    // The folder that we were started in may be gone.
    cwd: "/",
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).output();
  return { success, stderr: new TextDecoder().decode(stderr) };
}

function toPath(url: URL): string {
  const path = decodeURIComponent(url.pathname);
  return Deno.build.os === "windows" ? path.slice(1) : path;
}

/** A list of paths has no way to write a comma; the child gives the right up before any code runs. */
function allowRead(paths: readonly string[]): string {
  return paths.some((path) => path.includes(","))
    ? "--allow-read"
    : `--allow-read=${paths.join(",")}`;
}
