/**
 * Imported before anything else in the worker: takes away the globals by which Pyodide would find that
 * it runs on Deno or Node, and by which Python could look for the host through `js`.
 *
 * The wall is the worker's `permissions: "none"` in a process without permissions; this only makes the
 * room tidy.
 */
const scope = globalThis as unknown as Record<string, unknown>;
for (const name of ["Deno", "process", "Buffer", "Worker", "caches"]) delete scope[name];

// Stack traces name files of the host.
Object.defineProperty(Error, "stackTraceLimit", { value: 0, writable: false, configurable: false });
