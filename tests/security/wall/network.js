/** What hostile JavaScript may try on the network: name → the act and the words that refuse it. */

const NET = /Requires net access to/;
const IMPORT = /Requires import access to/;
const READ = /Requires read access to/;

/** Waits for the one event or the other of Node's emitters. */
function once(emitter, good, bad = "error") {
  return new Promise((resolve, reject) => emitter.once(good, resolve).once(bad, reject));
}

/** Runs in the worker; `world` is what `world.ts` has laid out. */
export const network = {
  "fetch a page": [async ({ url }) => await (await fetch(url)).text(), NET],
  "fetch a page by a client of its own": [
    async ({ url }) => await (await fetch(url, { client: Deno.createHttpClient({}) })).text(),
    NET,
  ],
  "make a client with a proxy": [
    ({ url }) => Deno.createHttpClient({ proxy: { url } }).close(),
    NET,
  ],
  "make a client that goes through a socket in the file system": [
    ({ socket }) => Deno.createHttpClient({ proxy: { transport: "unix", path: socket } }).close(),
    READ,
  ],
  "open a WebSocket": [
    ({ url }) =>
      new Promise((resolve, reject) => {
        const socket = new WebSocket(url.replace("http", "ws"));
        socket.onopen = () => resolve(socket.close());
        socket.onerror = ({ message }) => reject(message);
      }),
    NET,
  ],
  "open an event source": [
    ({ url }) =>
      new Promise((resolve, reject) => {
        const source = new EventSource(`${url}events`);
        source.onopen = () => resolve(source.close());
        source.onerror = () => reject(source.close() ?? "closed by an error event");
      }),
    /closed by an error event/,
  ],
  "import code": [({ url }) => import(`${url}module.js`), IMPORT],
  "import code from a blob: module": [
    ({ url }) => {
      const code = new Blob([`import "${url}module.js"`], { type: "text/javascript" });
      return import(URL.createObjectURL(code));
    },
    IMPORT,
  ],
  "connect to a port": [
    async ({ port }) => (await Deno.connect({ hostname: "127.0.0.1", port })).close(),
    NET,
  ],
  "connect to a socket in the file system": [
    async ({ socket }) => (await Deno.connect({ transport: "unix", path: socket })).close(),
    READ,
  ],
  "listen on a port": [() => Deno.listen({ port: 0 }).close(), NET],
  "serve pages": [() => Deno.serve({ port: 0, onListen() {} }, () => {}).shutdown(), NET],
  "ask a name server": [
    ({ port }) =>
      Deno.resolveDns("localhost", "A", { nameServer: { ipAddr: "127.0.0.1", port } })
        // Nobody answers there in terms of names, but it is asked.
        .catch((error) => {
          if (error.name === "NotCapable") throw error;
        }),
    NET,
  ],
  "look a name up by node:dns": [
    async () => await (await import("node:dns/promises")).lookup("localhost"),
    /EPERM/,
  ],
  "connect by node:net": [
    async ({ port }) => {
      const socket = (await import("node:net")).connect(port, "127.0.0.1");
      await once(socket, "connect");
      socket.destroy();
    },
    NET,
  ],
  "connect to a socket in the file system by node:net": [
    async ({ socket: path }) => {
      const socket = (await import("node:net")).connect(path);
      await once(socket, "connect");
      socket.destroy();
    },
    READ,
  ],
  "fetch a page by node:http": [
    async ({ url }) => (await once((await import("node:http")).get(url), "response")).resume(),
    NET,
  ],
  "connect by node:http2": [
    async ({ url }) => {
      const session = (await import("node:http2")).connect(url);
      await once(session, "connect");
      session.destroy();
    },
    NET,
  ],
  "open the inspector": [
    async () => {
      const inspector = await import("node:inspector");
      inspector.open(0);
      inspector.close();
    },
    /Requires sys access to "inspector"/,
  ],
};
