/**
 * The program of the embedded engine's child process. It starts the worker that holds Python and the one
 * that reads stdin while Python computes, gives up every permission, and then only watches: memory,
 * interrupts, the end.
 *
 * SECURITY: wasm boundary. Python can reach all of JavaScript in its worker. What keeps it from the host
 * is that this process holds no permission when the first `execute` arrives and that the worker never
 * had any. `tests/security/` tries to get past it.
 */
import lockFile from "pyodide/pyodide-lock.json" with { type: "json" };
import wasmBytes from "pyodide/pyodide.asm.wasm" with { type: "bytes" };
import stdlib from "pyodide/python_stdlib.zip" with { type: "bytes" };
import { RUNTIME_FILES } from "../../runtime_files.ts";
import { isIntact, withoutDigest } from "../snapshot_file.ts";
import { Interrupter } from "./interrupter.ts";
import {
  type BootMessage,
  CELLS,
  type ChildMode,
  EXIT_INTERPRETER_DIED,
  EXIT_MEMORY,
  EXIT_SNAPSHOT_DAMAGED,
  type HostEvent,
  type Shared,
  type WorkerEvent,
} from "./protocol.ts";
import { TURN_CELLS } from "./stdin_turns.ts";

const PERMISSIONS = ["read", "write", "net", "env", "run", "sys", "ffi", "import"] as const;

const MEMORY_CHECK_MS = 100;
const PARENT_CHECK_MS = 1000;

/** Starts the child; it lives until its stdin ends. */
export async function runChild(args: readonly string[]): Promise<void> {
  const mode = args[0] as ChildMode;
  const maxResidentBytes = Number(args[1]);
  const worker = startWorker("./worker.ts");
  const [cells, turns] = [CELLS, TURN_CELLS].map((count) =>
    new Int32Array(new SharedArrayBuffer(4 * count))
  ) as [Int32Array, Int32Array];
  const { port1: host, port2: chunks } = new MessageChannel();
  const onHostEvent = watchHost(new Interrupter(cells));
  // From the start, so that a child whose host dies while it boots ends, too.
  const reader = startWorker("./reader.ts");
  reader.onmessage = onHostEvent;
  reader.postMessage({ chunks: host, cells, turns } satisfies Shared, [host]);
  const module = WebAssembly.compile(wasmBytes);
  const file = mode === "snapshot" ? await Deno.readFile(args[2]!) : undefined;
  // The digest is computed on another thread while the interpreter boots from the same bytes.
  const intact = file === undefined ? true : isIntact(file);
  const boot: BootMessage = {
    mode,
    wasm: await module,
    stdlib,
    lockFile,
    runtimeFiles: RUNTIME_FILES,
    cells,
    turns,
    chunks,
    ...(file === undefined ? {} : { snapshot: withoutDigest(file) }),
  };
  worker.postMessage(boot, [stdlib.buffer, chunks, ...(file === undefined ? [] : [file.buffer])]);
  const event = await nextEvent(worker);
  await dropPermissions();
  if (!await intact) Deno.exit(EXIT_SNAPSHOT_DAMAGED);
  if (event.kind === "built") {
    await writeAll(event.snapshot);
    Deno.exit(0);
  }
  watchMemory(maxResidentBytes);
  watchParent();
  worker.onmessage = onHostEvent;
  worker.postMessage("start");
}

/** Acts on what the readers of stdin see. */
function watchHost(interrupter: Interrupter): (event: MessageEvent<HostEvent>) => void {
  return ({ data }) => {
    // Python's worker may send anything.
    if (data?.kind === "end") Deno.exit(0);
    if (data?.kind === "interrupt") interrupter.interrupt(Number(data.run));
  };
}

function startWorker(module: string): Worker {
  const worker = new Worker(import.meta.resolve(module), {
    type: "module",
    deno: { permissions: "none" },
  });
  worker.onerror = (event) => {
    event.preventDefault();
    Deno.stderr.writeSync(new TextEncoder().encode(`${event.message}\n`));
    Deno.exit(EXIT_INTERPRETER_DIED);
  };
  return worker;
}

function nextEvent(worker: Worker): Promise<WorkerEvent> {
  return new Promise((resolve) => {
    worker.onmessage = ({ data }: MessageEvent<WorkerEvent>) => resolve(data);
  });
}

/** SECURITY: wasm boundary. A permission that cannot be given up ends the child. */
async function dropPermissions(): Promise<void> {
  for (const name of PERMISSIONS) {
    const { state } = await Deno.permissions.revoke({ name });
    if (state === "granted") throw new Error(`Cannot give up the "${name}" permission`);
  }
}

/** SECURITY: memory boundary. V8's cap holds Python's memory; this holds what JavaScript adds to it. */
function watchMemory(maxResidentBytes: number): void {
  setInterval(() => {
    if (Deno.memoryUsage().rss > maxResidentBytes) Deno.exit(EXIT_MEMORY);
  }, MEMORY_CHECK_MS);
}

/**
 * SECURITY: host boundary. A host that is gone is seen by whoever reads stdin; this is for programs that get
 * in the way of it. Windows has no such sign.
 */
function watchParent(): void {
  const parent = Deno.ppid;
  setInterval(() => {
    if (Deno.ppid !== parent) Deno.exit(0);
  }, PARENT_CHECK_MS);
}

async function writeAll(bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await Deno.stdout.write(bytes.subarray(at));
}

if (import.meta.main) await runChild(Deno.args);
