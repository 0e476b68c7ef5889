/**
 * Imported before anything else in the worker: takes away the globals by which Pyodide would find that
 * it runs on Deno or Node, and by which Python could look for the host through `js`.
 *
 * The wall is the worker's `permissions: "none"` in a process without permissions; this only makes the
 * room tidy.
 */
const scope = globalThis as unknown as Record<string, unknown>;
for (const name of ["Deno", "process", "Buffer", "Worker", "caches"]) delete scope[name];

// Stack traces name files of the host. V8 makes none where the limit is no plain number; the setter is
// there for Pyodide, which sets the limit when it turns a Python exception into one of JavaScript.
Object.defineProperty(Error, "stackTraceLimit", { get: () => 0, set() {}, configurable: false });
