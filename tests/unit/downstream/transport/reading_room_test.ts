import { assertEquals, assertRejects } from "@std/assert";
import { ReadingRoom } from "../../../../src/downstream/transport/reading_room.ts";
import { Unread } from "../../../../src/shared/byte_budget.ts";

const MEBIBYTE = 1024 * 1024;
const soon = () => new Promise((resolve) => setTimeout(resolve, 0));

/** Whether a promise is settled by now. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.finally(() => settled = true).catch(() => {});
  await soon();
  return settled;
}

Deno.test("ReadingRoom lets the oldest go on, and the others within their room", async () => {
  const room = new ReadingRoom();
  const [oldest, second, third] = [{}, {}, {}];
  await room.hold(oldest, 60 * MEBIBYTE);
  await room.hold(second, 5 * MEBIBYTE);
  const waiting = room.hold(third, 5 * MEBIBYTE);
  assertEquals(await isSettled(waiting), false);
  await room.hold(oldest, 64 * MEBIBYTE);
  // A small message needs no place.
  await room.hold({}, 1000);
  room.free(oldest);
  await waiting;
  await room.hold(second, 64 * MEBIBYTE);
});

Deno.test("ReadingRoom frees the place of a message that has ended", async () => {
  const room = new ReadingRoom();
  const [oldest, second, third] = [{}, {}, {}];
  await room.hold(oldest, MEBIBYTE);
  await room.hold(second, 8 * MEBIBYTE);
  const waiting = room.hold(third, MEBIBYTE);
  assertEquals(await isSettled(waiting), false);
  await room.hold(second, 10);
  await waiting;
});

Deno.test("ReadingRoom lets go of who gives up", async () => {
  const room = new ReadingRoom();
  await room.hold({}, MEBIBYTE);
  await room.hold({}, 8 * MEBIBYTE);
  const controller = new AbortController();
  const late = {};
  const waiting = room.hold(late, MEBIBYTE, controller.signal);
  controller.abort(new Error("over"));
  await assertRejects(() => waiting, Error, "over");
  await assertRejects(() => room.hold(late, MEBIBYTE, controller.signal), Error, "over");
});

Deno.test("ReadingRoom lets nobody go on while the sandbox has enough to read", async () => {
  const unread = new Unread();
  const room = ReadingRoom.for(unread);
  assertEquals(ReadingRoom.for(unread), room);
  await room.hold({}, MEBIBYTE);
  unread.add(17 * MEBIBYTE);
  const waiting = room.hold({}, MEBIBYTE);
  assertEquals(await isSettled(waiting), false);
  await ReadingRoom.for(new Unread()).hold({}, MEBIBYTE);
  unread.remove(MEBIBYTE);
  await waiting;
});
