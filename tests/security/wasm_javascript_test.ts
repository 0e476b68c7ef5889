/** JavaScript as a program finds it through `js`: the room before the wall, which `wasm_wall_test.ts` is about. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { engineCase } from "../contract/case.ts";
import { wasmTarget } from "../support/engines.ts";
import { blocked, permitted } from "./attempt.ts";

permitted("a run can use JavaScript itself", "import js\nprint(js.eval('6 * 7'))", "42\n");

/** Each is the way to something of the host, as far as it exists. */
const ABSENT = [
  "typeof Deno",
  "typeof process",
  "typeof Buffer",
  "typeof require",
  "typeof Worker",
  "typeof SharedWorker",
  "typeof caches",
  "typeof localStorage",
  "typeof sessionStorage",
  "typeof indexedDB",
  "typeof XMLHttpRequest",
  "typeof importScripts",
  "typeof WebTransport",
  "typeof __bootstrap",
  "typeof navigator.gpu",
  "typeof new Error('x').stack",
  "globalThis.constructor.constructor('return typeof Deno')()",
  "(function* () {}).constructor('yield typeof Deno')().next().value",
  "new Function('return typeof this.Deno')()",
  "(0, eval)('typeof Deno')",
  "typeof (() => { try { null.x } catch (error) { return error.stack } })()",
  "typeof Reflect.get(Object.getPrototypeOf(globalThis), 'Deno')",
];

permitted(
  "a run finds nothing of the host among JavaScript's names",
  `import js\nfor way in ${JSON.stringify(ABSENT)}:\n` +
    "  if js.eval(way) != 'undefined': print(way, js.eval(way))\n" +
    "print(js.eval('typeof fetch'), js.eval('typeof WebSocket'))",
  "function function\n",
);

/** JavaScript that would run if its event loop ever turned: it sets `ran`, and then stays for ever. */
const SCHEDULED = `
  const run = () => { self.ran = true; for (;;); };
  self.addEventListener("error", (event) => event.preventDefault());
  setTimeout(run, 0);
  queueMicrotask(run);
  Promise.resolve().then(run);
  import("node:v8").then(run, run);
  fetch("data:,x").then(run, run);
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = run;
  port2.postMessage(1);
`;
const schedule = `import js, os, sys\njs.eval(${JSON.stringify(SCHEDULED)})\n`;

blocked(
  "a run that waits for JavaScript's event loop is told that it never turns",
  `${schedule}await js.Promise.resolve(1)`,
  /Stuck: The program awaits/,
);

engineCase(
  wasmTarget,
  "nothing that a run leaves for JavaScript's event loop is ever run",
  async ({ session }) => {
    await session.run(`${schedule}sys.exit()`);
    assertEquals((await session.run("print(getattr(js, 'ran', None))")).stdout, "None\n");
  },
);

engineCase(
  wasmTarget,
  "nor is it when a run ends the interpreter, whatever it does to errors",
  async ({ session }) => {
    const result = await session.run(`${schedule}os._exit(0)`, { timeoutSeconds: 5 });
    assertStringIncludes(result.error!, "the Python interpreter died");
    assertEquals((await session.run("print('next')")).stdout, "next\n");
  },
);

engineCase(
  wasmTarget,
  "a run that puts its own in the place of what our JavaScript uses harms only itself",
  async ({ session }) => {
    const replaced = `
      const lie = () => 0;
      for (const scope of [Atomics, JSON, Reflect]) {
        for (const name of Object.getOwnPropertyNames(scope)) {
          if (typeof scope[name] === "function") scope[name] = lie;
        }
      }
      self.postMessage = self.close = structuredClone = lie;
      TextEncoder.prototype.encode = TextDecoder.prototype.decode = lie;
      ArrayBuffer.prototype.transfer = Promise.prototype.then = lie;
      const Bytes = Object.getPrototypeOf(Uint8Array);
      for (const name of ["indexOf", "slice", "subarray", "set", "fill"]) Bytes.prototype[name] = lie;
    `;
    const result = await session.run(
      `import js\njs.eval(${JSON.stringify(replaced)})\nwhile True: pass`,
      { timeoutSeconds: 1 },
    );
    assertEquals(result.status, "timeout");
    assertEquals((await session.run("print('next')")).stdout, "next\n");
  },
);
