/**
 * The thread that watches memory and the host, under attack: hostile JavaScript keeps it busy as well as it can,
 * and fills memory meanwhile. Nothing that reaches that thread may cost it more than a number in a cell.
 */
import { assertLess, assertStringIncludes } from "@std/assert";
import { DEFAULT_POLICY } from "../../src/engine/policy.ts";
import { engineCase } from "../contract/case.ts";
import { wasmTarget } from "../support/engines.ts";
import { listDescendants, residentBytes } from "../support/processes.ts";

const MIB = 1024 * 1024;
const LIMIT_MIB = 128;

/** What a child may hold: the limit, and 256 MiB for V8 and what else is not Python's. */
const HELD_BYTES = (LIMIT_MIB + 256) * MIB;

/** Memory passes the limit by what fits between two looks; at twice this the test ends the child itself. */
const BETWEEN_LOOKS_BYTES = 600 * MIB;

/** A few values that are many when they are copied or made to text. */
const SHARED_REFERENCES = "let many = [1]; for (let i = 0; i < 27; i++) many = [many, many];";

/** How memory is filled, and what the thread that watches has to bear meanwhile; JavaScript. */
const ATTACKS: ReadonlyArray<
  { fill: string; during: string; first?: string; again: string }
> = [
  {
    fill: "buffers",
    during: "a message whose text has no end",
    first: `${SHARED_REFERENCES} self.postMessage({ kind: "interrupt", run: many });`,
    again: "kept.push(new Uint8Array(5e6).fill(1));",
  },
  {
    fill: "shared buffers",
    during: "messages that are long to take apart",
    first: "const map = new Map(); for (let i = 0; i < 1e4; i++) map.set({ i }, [{ i }]);",
    again: "self.postMessage(map); kept.push(new Uint8Array(new SharedArrayBuffer(5e6)).fill(1));",
  },
  {
    fill: "a shared buffer that grows",
    during: "a flood of small messages",
    first: "const shared = new SharedArrayBuffer(0, { maxByteLength: 2 ** 30 });",
    again: `for (let i = 0; i < 1e4; i++) self.postMessage(i);
      shared.grow(shared.byteLength + 5e6);
      new Uint8Array(shared).fill(1, -5e6);`,
  },
  {
    fill: "memories of WebAssembly",
    during: "a flood of ports",
    again: `for (let i = 0; i < 100; i++) {
        const { port1, port2 } = new MessageChannel();
        port2.postMessage(new Uint8Array(1e4));
        self.postMessage(port1, [port1]);
      }
      kept.push(new Uint8Array(new WebAssembly.Memory({ initial: 80 }).buffer).fill(1));`,
  },
  {
    fill: "texts",
    during: "messages to every thread that listens",
    first: 'const channel = new BroadcastChannel("all");',
    again: `channel.postMessage("x".repeat(1e5));
      kept.push(("x".repeat(5e6) + kept.length).toUpperCase());`,
  },
  {
    fill: "lists",
    during: "wake-ups by every cell it has",
    first: "const cells = pyodide._module.Py_EmscriptenSignalBuffer;",
    again: `for (let i = 0; i < 1e3; i++) { cells.fill(2); Atomics.notify(cells, 0); }
      kept.push(new Array(1e6).fill(kept));`,
  },
  {
    fill: "buffers that it sends away",
    during: "an error that is as long as a text can be",
    first: `for (let i = 0; i < 20; i++) {
        const { buffer } = new Uint8Array(5e6).fill(1);
        self.postMessage(buffer, [buffer]);
      }`,
    again: 'reportError(new Error("x".repeat(5e8)));',
  },
  {
    fill: "Python's memory and buffers",
    during: "copies of all that is there",
    first: 'pyodide.runPython("held = bytearray(100_000_000)");',
    again:
      "kept.push(new Uint8Array(5e6).fill(1)); self.postMessage(structuredClone(kept.at(-1)));",
  },
];

for (const { fill, during, first = "", again } of ATTACKS) {
  engineCase(
    wasmTarget,
    `memory filled with ${fill} is seen during ${during}`,
    async ({ session }) => {
      await session.run("x = 1");
      const peak = watchPeak();
      const result = await session.run(program(first, again), { timeoutSeconds: 20 });
      const peakBytes = await peak.stop();
      // deno-lint-ignore no-console
      console.log(`${fill} during ${during}: at most ${Math.round(peakBytes / MIB)} MB`);
      assertStringIncludes(result.error!, `the memory limit of ${LIMIT_MIB} MB was exceeded`);
      assertLess(peakBytes, HELD_BYTES + BETWEEN_LOOKS_BYTES);
    },
    { policy: { ...DEFAULT_POLICY, memoryBytes: LIMIT_MIB * MIB } },
  );
}

function program(first: string, again: string): string {
  const code = `(pyodide) => { const kept = []; ${first} for (;;) { ${again} } }`;
  return `import js, pyodide_js\njs.eval(${JSON.stringify(code)})(pyodide_js)`;
}

/** Looks at the child's memory from outside, and ends it when it has far too much. */
function watchPeak() {
  let peak = 0;
  let over = false;
  const watching = (async () => {
    const child = (await listDescendants(Deno.pid)).find(({ args }) => args.includes("/main.ts"));
    while (!over) {
      const bytes = await residentBytes(child!.pid);
      peak = Math.max(peak, bytes);
      if (bytes > HELD_BYTES + 2 * BETWEEN_LOOKS_BYTES) Deno.kill(child!.pid, "SIGKILL");
    }
  })();
  return {
    async stop(): Promise<number> {
      over = true;
      await watching;
      return peak;
    },
  };
}
