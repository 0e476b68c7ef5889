/**
 * The thread that holds the interpreter. It has no permission at all; wasm, standard library and
 * snapshot come by message, lines of the protocol go both ways the same way.
 */
import "./lockdown.ts";
import createPyodideModule from "pyodide/pyodide.asm.mjs";
import { loadPyodide, type PyodideAPI } from "pyodide/pyodide.mjs";
import {
  type BootMessage,
  INTERRUPT_CELL,
  MAX_OUTSTANDING_BYTES,
  OUTSTANDING_CELL,
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
  const { mode, cells } = message;
  const python = await startInterpreter(message);
  if (mode === "build") {
    const snapshot = python.makeMemorySnapshot();
    emit({ kind: "built", snapshot }, [snapshot.buffer]);
    return;
  }
  self.onmessage = () => {
    surviveRejections(python);
    connect(python, cells);
  };
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
  delete python._api.config._loadSnapshot;
  delete message.snapshot;
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
 * A promise that Python's JavaScript left without a catch is that program's mistake, not the end of the
 * interpreter; unless the interpreter itself is what failed.
 */
function surviveRejections(python: Interpreter): void {
  globalThis.addEventListener("unhandledrejection", (event) => {
    try {
      python.runPython("");
      event.preventDefault();
    } catch {
      // Left to the default: the worker ends, and the main thread with it.
    }
  });
}

/** Starts the kernel and hands it every line from now on. */
function connect(python: Interpreter, cells: Int32Array): void {
  const raw = new RawOutput((line) => post(line, cells));
  python.setInterruptBuffer(cells);
  python.setStdin({ error: false, stdin: () => null });
  python.setStdout({ write: raw.writer("stdout") });
  python.setStderr({ write: raw.writer("stderr") });
  const receive = python.pyimport("sandbox_runtime.pyodide_entry").start(
    (line: Uint8Array<ArrayBuffer>) => {
      raw.flush();
      post(line, cells);
    },
    (milliseconds: number) => void Atomics.wait(cells, INTERRUPT_CELL, 0, milliseconds),
  );
  self.onmessage = ({ data }: MessageEvent<string>) => {
    // An interrupt belongs to one run: what is left of the last one must not hit this one, and an
    // interrupt that finds Python idle is handled as a message.
    Atomics.store(cells, INTERRUPT_CELL, 0);
    if (data.startsWith('{"type":"execute"')) raw.begin(data);
    receive(data);
  };
}

/** Posts a line; waits while the main thread is far behind, so that endless output stays bounded. */
function post(line: Uint8Array<ArrayBuffer>, cells: Int32Array): void {
  const length = line.length;
  let outstanding = Atomics.add(cells, OUTSTANDING_CELL, length) + length;
  self.postMessage(line, [line.buffer]);
  while (outstanding > MAX_OUTSTANDING_BYTES && Atomics.load(cells, INTERRUPT_CELL) === 0) {
    Atomics.wait(cells, OUTSTANDING_CELL, outstanding, 50);
    outstanding = Atomics.load(cells, OUTSTANDING_CELL);
  }
}

/** Pyodide with the members its types leave out. */
interface Interpreter extends PyodideAPI {
  makeMemorySnapshot(): Uint8Array<ArrayBuffer>;
  _api: { config: { _loadSnapshot?: Uint8Array } };
}
