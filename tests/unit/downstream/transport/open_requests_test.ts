import { assertEquals } from "@std/assert";
import { OpenRequests } from "../../../../src/downstream/transport/open_requests.ts";

const ping = (id: string | number) => ({ jsonrpc: "2.0", id, method: "ping" }) as const;
const reply = (id: string | number) => ({ jsonrpc: "2.0", id, result: {} }) as const;

Deno.test("OpenRequests passes over what a server asks beyond so many answers that have not left us", () => {
  const requests = new OpenRequests(2);
  const taken = () => ["a", "a", "b", 3].map((id) => requests.check(ping(id)) !== undefined);
  assertEquals(taken(), [true, false, true, false]);
  requests.answered(reply("a"));
  assertEquals(taken(), [true, false, false, false]);
  // What is given up gets no answer.
  const params = { requestId: "b" };
  requests.check({ jsonrpc: "2.0", method: "notifications/cancelled", params });
  requests.answered(reply("a"));
  assertEquals(taken(), [true, false, true, false]);
});

Deno.test("OpenRequests takes notifications however many requests are open", () => {
  const requests = new OpenRequests(0);
  assertEquals(requests.check(ping(1)), undefined);
  const news = { jsonrpc: "2.0", method: "notifications/message" } as const;
  assertEquals(requests.check(news), news);
});

Deno.test("OpenRequests tells of requests that end without a good answer, once", () => {
  const requests = new OpenRequests(1);
  const over: number[] = [];
  for (const id of [0, 1, 2, 3]) {
    requests.sent(ping(id));
    requests.whenGivenUp(id, () => over.push(id));
  }
  requests.check(reply(0));
  requests.check({ jsonrpc: "2.0", id: 1, result: 5 });
  const params = { requestId: 2 };
  requests.sent({ jsonrpc: "2.0", method: "notifications/cancelled", params });
  // Only one is open, so it can only be meant for that.
  requests.check(reply(99));
  for (const id of [0, 1, 2, 3]) requests.forget(id);
  assertEquals(over, [1, 2, 3]);
});
