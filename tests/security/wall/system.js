/** What hostile JavaScript may try on processes and the system: name → the act and the words that refuse it. */

const RUN = /Requires run access/;
const ENV = /Requires env access/;
const SYS = /Requires sys access to/;
const READ = /Requires read access to/;

/** What a worker with these permissions makes of the secret. */
function readInWorker({ secret }, permissions) {
  const code = `try { postMessage({ text: Deno.readTextFileSync(${JSON.stringify(secret)}) }) }
    catch (error) { postMessage({ error: String(error) }) }`;
  const worker = new Worker(`data:text/javascript,${encodeURIComponent(code)}`, {
    type: "module",
    deno: { permissions },
  });
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => {
      worker.terminate();
      if (data.error === undefined) resolve(data.text);
      else reject(data.error);
    };
  });
}

/** Starts a worker and waits until it says something, or fails to. */
function startWorker(specifier) {
  const worker = new Worker(specifier, { type: "module" });
  return new Promise((resolve, reject) => {
    worker.onmessage = () => resolve(worker.terminate());
    worker.onerror = (event) => {
      event.preventDefault();
      reject(event.message);
    };
  });
}

/** Runs in the worker; `world` is what `world.ts` has laid out. */
export const system = {
  "start a process": [() => new Deno.Command("/bin/true").outputSync().code, RUN],
  "signal a process": [({ victim }) => Deno.kill(victim, "SIGCONT"), RUN],
  "signal its parent by node:process": [
    async () => {
      const { default: process } = await import("node:process");
      return process.kill(process.ppid, 0);
    },
    RUN,
  ],
  "start a process by node:child_process": [
    async () => (await import("node:child_process")).execFileSync("/bin/true"),
    /Requires (env|run) access/,
  ],
  "load a native library": [() => Deno.dlopen("libc.so.6", {}).close(), /Requires ffi access/],
  "make a pointer": [
    () => new Deno.UnsafePointerView(Deno.UnsafePointer.create(1n)),
    /Requires ffi access/,
  ],

  "read a file in a worker that inherits": [(world) => readInWorker(world, "inherit"), READ],
  "read a file in a worker that asks for more": [
    (world) => readInWorker(world, { read: true }),
    /Can't escalate parent thread permissions/,
  ],
  "read a file in a worker of node:worker_threads": [
    async ({ secret }) => {
      const { Worker } = await import("node:worker_threads");
      const worker = new Worker(
        `require("node:fs").readFileSync(${JSON.stringify(secret)});
         require("node:worker_threads").parentPort.postMessage("read")`,
        { eval: true },
      );
      await new Promise((resolve, reject) => worker.on("message", resolve).on("error", reject));
      await worker.terminate();
    },
    READ,
  ],
  "start a worker from a file": [({ module }) => startWorker(`file://${module}`), READ],
  "start a worker from the network": [
    ({ url }) => startWorker(`${url}module.js`),
    /Requires import access to/,
  ],
  "be granted a permission": [
    async ({ secret }) => {
      const { state } = await Deno.permissions.request({ name: "read", path: secret });
      if (state !== "granted") throw new Error(state);
    },
    /denied/,
  ],
  "lift V8's cap": [
    async () => {
      (await import("node:v8")).setFlagsFromString("--wasm-max-mem-pages=65536");
      return new WebAssembly.Memory({ initial: 4096 });
    },
    /could not allocate memory/,
  ],

  "read the whole environment": [() => Deno.env.toObject(), ENV],
  "read a variable": [() => Deno.env.get("HOME"), ENV],
  "set a variable": [() => Deno.env.set("A", "b"), ENV],
  "read a variable by node:process": [async () => (await import("node:process")).env.HOME, ENV],
  "load variables from a file": [
    async ({ secret }) => (await import("node:process")).default.loadEnvFile(secret),
    ENV,
  ],
  "go to another folder": [({ folder }) => Deno.chdir(folder), READ],
  "learn the host's name": [() => Deno.hostname(), SYS],
  "learn the host's name by node:os": [async () => (await import("node:os")).hostname(), SYS],
  "learn the user": [async () => (await import("node:os")).userInfo().username, SYS],
  "learn the user's number": [() => Deno.uid(), SYS],
  "learn the user's home": [async () => (await import("node:os")).homedir(), SYS],
  "learn the host's addresses": [() => Deno.networkInterfaces(), SYS],
  "learn the system's version": [() => Deno.osRelease(), SYS],
  "learn the system's memory": [() => Deno.systemMemoryInfo().total, SYS],
  "learn the system's load": [() => Deno.loadavg(), SYS],
  "learn the processors": [async () => (await import("node:os")).cpus(), SYS],
  "have a report of the process": [
    async () => (await import("node:process")).default.report.getReport(),
    SYS,
  ],
  "change the mask of new files": [() => Deno.umask(0o22), SYS],
  "change the priority": [async () => (await import("node:os")).setPriority(0, 0), SYS],
};
