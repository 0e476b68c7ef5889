/**
 * The thread that holds the interpreter. It has no permission at all; wasm, standard library and
 * snapshot come by message. Once Python runs it never comes back to JavaScript's event loop: its own loop
 * waits for the host's lines, in stdin itself or for those that the reader took.
 */
import { writeStderr, writeStdout } from "./stdio.ts";
import "./lockdown.ts";
import createPyodideModule from "pyodide/pyodide.asm.mjs";
import { loadPyodide } from "pyodide/pyodide.mjs";
import { openHostFile, type WithMemory } from "./host_file.ts";
import { HostInput } from "./host_input.ts";
import { News, stopHere } from "./news.ts";
import {
  type BootMessage,
  CHUNK_BYTES,
  EXIT_INTERPRETER_DIED,
  INTERRUPT_CELL,
  type Shared,
  TARGET_CELL,
  type WorkerEvent,
} from "./protocol.ts";
import { RawOutput } from "./raw_output.ts";

/** Where the runtime lies in the interpreter's own file system. */
const RUNTIME_ROOT = "/lib/mcp-bridge";

/** Nothing is fetched from it: it only gives names to the files that came by message. */
const INDEX_URL = "http://pyodide.invalid/";

declare const self: {
  postMessage(message: unknown, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent) => void) | null;
};

self.onmessage = (event: MessageEvent<BootMessage>) => void boot(event.data);

async function boot(message: BootMessage): Promise<void> {
  const { mode, cells, chunks, turns, news } = message;
  const python = await startInterpreter(message);
  if (mode === "build") {
    const snapshot = python.makeMemorySnapshot();
    emit({ kind: "built", snapshot }, [snapshot.buffer]);
    return;
  }
  self.onmessage = () => live(python, { cells, chunks, turns, news });
  emit({ kind: "booted" });
}

function emit(event: WorkerEvent, transfer: Transferable[] = []): void {
  self.postMessage(event, transfer);
}

async function startInterpreter(message: BootMessage): Promise<Interpreter> {
  using _files = serveFiles(message);
  const options = {
    createPyodideModule,
    lockFileContents: message.lockFile,
    indexURL: INDEX_URL,
    env: { HOME: "/workspace", PYTHONDONTWRITEBYTECODE: "1" },
    _makeSnapshot: message.mode === "build",
    ...(message.snapshot === undefined ? {} : { _loadSnapshot: message.snapshot }),
  };
  const python = await loadPyodide(options as Parameters<typeof loadPyodide>[0]) as Interpreter;
  // Pyodide keeps its options, and with them 30 MB that nobody needs any more.
  message.snapshot?.buffer.transfer(0);
  nameTimeZone(python);
  // A snapshot holds the heap but not the file system: tracebacks and the manual need the files again.
  for (const [path, text] of Object.entries(message.runtimeFiles)) {
    const target = `${RUNTIME_ROOT}/${path}`;
    python.FS.mkdirTree(target.slice(0, target.lastIndexOf("/")));
    python.FS.writeFile(target, text);
  }
  if (message.mode !== "snapshot") {
    python.runPython(
      `import sys; sys.path.insert(0, ${JSON.stringify(RUNTIME_ROOT)})\n` +
        "import sandbox_runtime.pyodide_entry",
    );
  }
  return python;
}

/** Emscripten's C library writes "UTC-0000", which no program looks for. */
function nameTimeZone({ _module: { HEAPU8, _tzname } }: Interpreter): void {
  const memory = new DataView(HEAPU8.buffer);
  for (const at of [_tzname, _tzname + 4]) {
    HEAPU8.set(new TextEncoder().encode("UTC\0"), memory.getUint32(at, true));
  }
}

/** Answers Pyodide's own loading from the bytes we were given, until it is disposed. */
function serveFiles({ wasm, stdlib }: BootMessage): Disposable {
  const scope = globalThis as { fetch: unknown };
  const { fetch } = scope;
  const { instantiateStreaming } = WebAssembly;
  scope.fetch = (url: unknown) =>
    Promise.resolve(new Response(String(url).endsWith(".zip") ? stdlib as BodyInit : null));
  WebAssembly.instantiateStreaming = async (_source, imports) => ({
    module: wasm,
    instance: await WebAssembly.instantiate(wasm, imports),
  });
  return {
    [Symbol.dispose]() {
      scope.fetch = fetch;
      WebAssembly.instantiateStreaming = instantiateStreaming;
    },
  };
}

/**
 * Runs the kernel, which ends with the process. An interpreter that ends otherwise is dead, and what its last
 * program has left for JavaScript's event loop is never run.
 */
function live(python: Interpreter, shared: Shared): void {
  const news = new News(shared.news);
  try {
    serve(python, shared, news);
  } catch (error) {
    writeStderr(String(error));
  } finally {
    news.end(EXIT_INTERPRETER_DIED);
    stopHere();
  }
}

function serve(python: Interpreter, shared: Shared, news: News): void {
  const { cells } = shared;
  const raw = new RawOutput(writeStdout);
  redirectConsole(raw);
  python.setInterruptBuffer(cells);
  python.setStdin({ error: false, stdin: () => null });
  python.setStdout({ write: raw.writer("stdout") });
  python.setStderr({ write: raw.writer("stderr") });
  const input = new HostInput(shared, news);
  let runs = 0;
  python.pyimport("sandbox_runtime.pyodide_entry").serve({
    fd: openHostFile(python, {
      read(into) {
        raw.flush();
        return input.read(into);
      },
      write(bytes) {
        raw.flush();
        writeStdout(bytes);
      },
    }),
    chunkBytes: CHUNK_BYTES,
    poll(milliseconds: number): boolean {
      if (milliseconds > 0) raw.flush();
      return input.poll(milliseconds);
    },
    begin(runId: string): void {
      runs++;
      // What is left of an interrupt of an earlier run must not hit this one.
      if (Atomics.load(cells, TARGET_CELL) !== runs) Atomics.store(cells, INTERRUPT_CELL, 0);
      raw.begin(runId);
    },
    wait: (milliseconds: number) => void Atomics.wait(cells, INTERRUPT_CELL, 0, milliseconds),
    isTarget: () => Atomics.load(cells, TARGET_CELL) === runs,
  });
}

/** JavaScript's own printing would go to the process's stdout, which is the wire. */
function redirectConsole(raw: RawOutput): void {
  const streams = {
    debug: "stdout",
    info: "stdout",
    log: "stdout",
    warn: "stderr",
    error: "stderr",
  };
  const encoder = new TextEncoder();
  for (const name of Object.keys(console) as Array<keyof Console>) {
    const stream = (streams as Partial<Record<string, "stdout" | "stderr">>)[name];
    const write = stream === undefined ? undefined : raw.writer(stream);
    (console as unknown as Record<string, unknown>)[name] = (...values: unknown[]) =>
      void write?.(encoder.encode(`${values.map(String).join(" ")}\n`));
  }
}

/** Pyodide with the members its types leave out. */
interface Interpreter extends WithMemory {
  makeMemorySnapshot(): Uint8Array<ArrayBuffer>;
}
