/** The floor: Pyodide as its own documentation starts it; says when it is ready and how fast it prints. */
import { loadPyodide } from "pyodide/pyodide.mjs";

const python = await loadPyodide();
let bytes = 0;
python.setStdout({
  write(buffer: Uint8Array) {
    bytes += buffer.length;
    return buffer.length;
  },
});
python.runPython("print(1)");
// deno-lint-ignore no-console
console.log("ready");
const startedAt = performance.now();
python.runPython("for i in range(200_000): print(i)");
// deno-lint-ignore no-console
console.log(JSON.stringify({ printMs: performance.now() - startedAt, bytes }));
await Deno.stdin.readable.getReader().read();
