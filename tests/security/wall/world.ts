/** What the attempts aim at: files, a page, a socket, a process; all of them are really there. */

/** Paths and addresses, as the attempts get them. */
export interface World {
  folder: string;
  secret: string;
  module: string;
  socket: string;
  port: number;
  url: string;
  victim: number;
}

/** Lays everything out below a temporary folder; `reached` counts who came by the network. */
export async function layOut() {
  const folder = await Deno.makeTempDir({ prefix: "mcp-bridge-wall-" });
  const write = (name: string, text: string) => Deno.writeTextFile(`${folder}/${name}`, text);
  await write("secret.env", "SECRET=of the host");
  await write("surplus", "");
  await write("data.json", "{}");
  await write("module.js", "self.postMessage({})");
  await write("module.cjs", "");
  await Deno.writeFile(`${folder}/empty.wasm`, Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));
  let reached = 0;
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
    reached++;
    return answer(request);
  });
  const socket = `${folder}/socket`;
  const listener = Deno.listen({ transport: "unix", path: socket });
  void (async () => {
    for await (const connection of listener) {
      reached++;
      connection.close();
    }
  })();
  const { port } = server.addr;
  const world: World = {
    folder,
    secret: `${folder}/secret.env`,
    module: `${folder}/module.js`,
    socket,
    port,
    url: `http://127.0.0.1:${port}/`,
    victim: Deno.pid,
  };
  return {
    world,
    reached: () => reached,
    async [Symbol.asyncDispose]() {
      listener.close();
      await server.shutdown();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

function answer(request: Request): Response {
  if (request.headers.get("upgrade") === "websocket") {
    return Deno.upgradeWebSocket(request).response;
  }
  const { pathname } = new URL(request.url);
  if (pathname === "/events") {
    return new Response("data: x\n\n", { headers: { "content-type": "text/event-stream" } });
  }
  const headers = { "content-type": "text/javascript" };
  return new Response("self.postMessage({})", { headers });
}
