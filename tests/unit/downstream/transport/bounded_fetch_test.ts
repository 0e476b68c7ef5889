import { assertEquals, assertRejects } from "@std/assert";
import { createBoundedFetch } from "../../../../src/downstream/transport/bounded_fetch.ts";
import { CallTexts } from "../../../../src/downstream/transport/call_texts.ts";

const LONG = "é".repeat(1_000_000);
const METHOD = "notifications/message";
const MESSAGE = JSON.stringify({ jsonrpc: "2.0", method: METHOD, params: { text: LONG } });

/** A server that answers by path, and a `fetch` of it. */
function open(maxMessageBytes?: number) {
  let tooLong = 0;
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/text") return new Response("plain", { status: 404 });
    if (pathname === "/none") return new Response(null, { status: 202 });
    if (pathname === "/json") {
      return new Response(MESSAGE, { headers: { "content-type": "application/json; x=y" } });
    }
    const headers = { "content-type": "text/event-stream" };
    return new Response(`data: ${MESSAGE}\n\n`.repeat(3), { headers });
  });
  const bounded = createBoundedFetch(new CallTexts(), () => tooLong++, maxMessageBytes);
  return {
    get: (path: string, init?: RequestInit) =>
      bounded(`http://127.0.0.1:${server.addr.port}${path}`, init),
    tooLong: () => tooLong,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

Deno.test("createBoundedFetch() hands on what a server sends, whatever its form", async () => {
  await using server = open();
  const json = await server.get("/json");
  assertEquals([json.status, json.headers.get("content-type")], [200, "application/json; x=y"]);
  assertEquals(await json.clone().text(), MESSAGE);
  assertEquals(await json.json(), JSON.parse(MESSAGE));
  const text = await server.get("/text");
  assertEquals([text.status, await text.text()], [404, "plain"]);
  const none = await server.get("/none");
  assertEquals([none.status, await none.text()], [202, ""]);
  const stream = await server.get("/stream");
  assertEquals(await stream.text(), `data: ${MESSAGE}\n\n`.repeat(3));
});

Deno.test("createBoundedFetch() reads many long bodies side by side, one after the other if need be", async () => {
  await using server = open();
  const paths = Array.from({ length: 32 }, (_, at) => at % 2 === 0 ? "/json" : "/stream");
  const lengths = await Promise.all(
    paths.map(async (path) => (await (await server.get(path)).text()).length),
  );
  assertEquals(lengths.filter((length) => length < MESSAGE.length), []);
});

Deno.test("createBoundedFetch() gives up a message that is too long, in any form", async () => {
  await using server = open(1_000_000);
  await assertRejects(() => server.get("/json"), Error, "longer than 1000000 bytes");
  const stream = await server.get("/stream");
  await assertRejects(() => stream.text(), Error, "longer than 1000000 bytes");
  assertEquals(server.tooLong(), 2);
});

Deno.test("createBoundedFetch() stops reading when the request is aborted", async () => {
  await using server = open();
  const controller = new AbortController();
  const stream = await server.get("/stream", { signal: controller.signal });
  controller.abort();
  await assertRejects(() => stream.text());
  const first = await server.get("/stream");
  await first.body?.cancel();
});

Deno.test("createBoundedFetch() hands on no answer that nobody waits for", async () => {
  const texts = new CallTexts();
  texts.requests.sent({ jsonrpc: "2.0", id: 5, method: "ping" });
  const answers = [3, 5, 5].map((id) => JSON.stringify({ jsonrpc: "2.0", id, result: {} }));
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, () => {
    const headers = { "content-type": "text/event-stream" };
    return new Response(answers.map((answer) => `data: ${answer}\n\n`).join(""), { headers });
  });
  const get = createBoundedFetch(texts, () => {});
  const response = await get(`http://127.0.0.1:${server.addr.port}`);
  assertEquals((await response.text()).trim(), `data: ${answers[1]}`);
  await server.shutdown();
});
