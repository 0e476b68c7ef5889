import { assert, assertEquals, assertLess } from "@std/assert";
import {
  PythonTurns,
  ReaderTurns,
  TURN_CELLS,
} from "../../../../src/engine/wasm/child/stdin_turns.ts";

function setUp(sides = { PythonTurns, ReaderTurns }) {
  const cells = new Int32Array(new SharedArrayBuffer(4 * TURN_CELLS));
  return { cells, python: new sides.PythonTurns(cells), reader: new sides.ReaderTurns(cells) };
}

/** The reader has handed a chunk over and let go; Python has taken it. */
function setUpFree() {
  const sides = setUp();
  sides.python.begin();
  sides.reader.handOver();
  sides.python.take();
  return sides;
}

/** A reader in a thread of its own that waits for its turn. */
function startReader(cells: Int32Array) {
  const worker = new Worker(import.meta.resolve("../../../support/turn_worker.ts"), {
    type: "module",
  });
  let isMine = false;
  const mine = new Promise<void>((resolve) =>
    worker.onmessage = () => {
      isMine = true;
      resolve();
    }
  );
  worker.postMessage(cells);
  return { mine, isMine: () => isMine, [Symbol.dispose]: () => worker.terminate() };
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

Deno.test("the reader has stdin first and keeps it until Python wants it", () => {
  const { reader, python } = setUp();
  reader.handOver();
  python.take();
  assertEquals(python.begin(), false);
  reader.handOver();
  python.take();
  assertEquals(python.begin(), true);
});

Deno.test("the reader keeps stdin when Python wanted it once and computes now", () => {
  const { reader, python } = setUp();
  python.begin();
  reader.handOver();
  python.take();
  assert(python.begin());
  python.end();
  python.leave();
  reader.wait();
  reader.handOver();
  python.take();
  assertEquals(python.begin(), false);
});

Deno.test("Python does not read past a chunk that it has not taken", () => {
  const { reader, python } = setUp();
  python.begin();
  reader.handOver();
  assertEquals([python.hasChunk, python.begin()], [true, false]);
  python.take();
  assertEquals([python.hasChunk, python.begin()], [false, true]);
});

Deno.test("Python never finds stdin free before it finds the chunk", async () => {
  const { store } = Atomics;
  let meanwhile = () => {};
  // What the other thread may do between any two steps, done right after one of them.
  Atomics.store = ((cells: Int32Array, index: number, value: number) => {
    store(cells, index, value);
    meanwhile();
    return value;
  }) as typeof store;
  try {
    // The module once more, since it takes what it needs of `Atomics` when it is loaded.
    const sides = await import(
      import.meta.resolve("../../../../src/engine/wasm/child/stdin_turns.ts?watched")
    );
    const { python, reader } = setUp(sides);
    python.begin();
    let looks = 0;
    meanwhile = () => {
      meanwhile = () => {};
      looks++;
      assertEquals(python.begin(), false);
    };
    reader.handOver();
    assertEquals(looks, 1);
  } finally {
    Atomics.store = store;
  }
});

Deno.test("the reader reads at once when Python waits for a time as well", () => {
  const { reader, python } = setUpFree();
  const startedAt = performance.now();
  for (let turn = 0; turn < 50; turn++) {
    assert(python.begin());
    python.end();
    python.leave();
    reader.wait();
    assertEquals(python.begin(), false);
    reader.handOver();
    python.take();
  }
  // With patience it would be 500 and more.
  assertLess(performance.now() - startedAt, 250);
});

Deno.test("the reader takes the place of a Python that computes", async () => {
  const { python, cells } = setUpFree();
  using thread = startReader(cells);
  await thread.mine;
  assertEquals(python.begin(), false);
});

Deno.test("the reader waits while Python reads, however long and however often", async () => {
  const { python, cells } = setUpFree();
  assert(python.begin());
  using thread = startReader(cells);
  await sleep(300);
  for (let read = 0; read < 200; read++) {
    python.end();
    assert(python.begin(), `read ${read}`);
    await sleep(1);
  }
  assertEquals(thread.isMine(), false);
  python.end();
  await thread.mine;
});
