/**
 * The program of the embedded engine's child process. It starts the worker that holds Python and the one
 * that reads stdin while Python computes, gives up every permission, and then only watches.
 *
 * SECURITY: wasm boundary. Python can reach all of JavaScript in its worker. What keeps it from the host
 * is that this process holds no permission when the first `execute` arrives and that the worker never
 * had any. `tests/security/` tries to get past it.
 */
import lockFile from "pyodide/pyodide-lock.json" with { type: "json" };
import wasmBytes from "pyodide/pyodide.asm.wasm" with { type: "bytes" };
import stdlib from "pyodide/python_stdlib.zip" with { type: "bytes" };
import { RUNTIME_FILES } from "../../../languages/python/runtime_files.ts";
import { isIntact, withoutDigest } from "../snapshot_file.ts";
import { dropPermissions, startConfinedWorker } from "./confinement.ts";
import { Interrupter } from "./interrupter.ts";
import { News, NEWS_CELLS } from "./news.ts";
import {
  type BootMessage,
  CELLS,
  type ChildMode,
  EXIT_INTERPRETER_DIED,
  EXIT_SNAPSHOT_DAMAGED,
  type Shared,
  type WorkerEvent,
} from "./protocol.ts";
import { TURN_CELLS } from "./stdin_turns.ts";
import { writeStderr } from "./stdio.ts";
import { watch, type Watched } from "./watch.ts";

const BOOT_CHECK_MS = 100;

/** Starts the child; it lives until its stdin ends. */
export async function runChild(args: readonly string[]): Promise<never> {
  Deno.exit(watch(await boot(args)));
}

/** Brings the interpreter to life; a frame of its own, so that nothing it has used is kept while watching. */
async function boot(args: readonly string[]): Promise<Watched> {
  const mode = args[0] as ChildMode;
  const maxResidentBytes = Number(args[1]);
  const parent = Deno.ppid;
  const worker = startWorker("./worker.ts");
  const [cells, turns, newsCells] = [CELLS, TURN_CELLS, NEWS_CELLS].map((count) =>
    new Int32Array(new SharedArrayBuffer(4 * count))
  ) as [Int32Array, Int32Array, Int32Array];
  const { port1: host, port2: chunks } = new MessageChannel();
  const news = new News(newsCells);
  // From the start, so that a child whose host dies while it boots ends, too.
  startWorker("./reader.ts").postMessage(
    { chunks: host, cells, turns, news: newsCells } satisfies Shared,
    [host],
  );
  const bootWatch = setInterval(() => {
    if (news.exitCode !== undefined) Deno.exit(news.exitCode);
  }, BOOT_CHECK_MS);
  const module = WebAssembly.compile(wasmBytes);
  const file = mode === "snapshot" ? await Deno.readFile(args[2]!) : undefined;
  // The digest is computed on another thread while the interpreter boots from the same bytes.
  const intact = file === undefined ? true : isIntact(file);
  const message: BootMessage = {
    mode,
    wasm: await module,
    stdlib,
    lockFile,
    runtimeFiles: RUNTIME_FILES,
    cells,
    turns,
    news: newsCells,
    chunks,
    ...(file === undefined ? {} : { snapshot: withoutDigest(file) }),
  };
  worker.postMessage(message, [
    stdlib.buffer,
    chunks,
    ...(file === undefined ? [] : [file.buffer]),
  ]);
  const event = await nextEvent(worker);
  await dropPermissions();
  if (!await intact) Deno.exit(EXIT_SNAPSHOT_DAMAGED);
  if (event.kind === "built") {
    await writeAll(event.snapshot);
    Deno.exit(0);
  }
  clearInterval(bootWatch);
  worker.postMessage("start");
  return { news, interrupter: new Interrupter(cells), maxResidentBytes, parent };
}

function startWorker(module: string): Worker {
  const worker = startConfinedWorker(import.meta.resolve(module));
  worker.onerror = (event) => {
    event.preventDefault();
    writeStderr(event.message);
    Deno.exit(EXIT_INTERPRETER_DIED);
  };
  return worker;
}

function nextEvent(worker: Worker): Promise<WorkerEvent> {
  return new Promise((resolve) => {
    worker.onmessage = ({ data }: MessageEvent<WorkerEvent>) => resolve(data);
  });
}

async function writeAll(bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await Deno.stdout.write(bytes.subarray(at));
}

if (import.meta.main) await runChild(Deno.args);
