import { assert, assertEquals } from "@std/assert";
import { CELLS, CHUNKS_CELL } from "../../../../src/engine/wasm/child/protocol.ts";
import { PythonTurns, ReaderTurns } from "../../../../src/engine/wasm/child/stdin_turns.ts";

function setUp() {
  const cells = new Int32Array(new SharedArrayBuffer(4 * CELLS));
  return { cells, python: new PythonTurns(cells), reader: new ReaderTurns(cells) };
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
  const { reader, python, cells } = setUp();
  reader.handOver();
  reader.wait();
  assertEquals(python.begin(1), false);
  reader.handOver();
  assertEquals(cells[CHUNKS_CELL], 2);
  assertEquals(python.begin(2), true);
});

Deno.test("Python does not read past a chunk that it has not taken", () => {
  const { reader, python } = setUp();
  python.begin(0);
  reader.handOver();
  assertEquals(python.begin(0), false);
  assertEquals(python.begin(1), true);
});

Deno.test("the reader reads when Python waits for a time as well", () => {
  const { reader, python } = setUp();
  python.begin(0);
  reader.handOver();
  assert(python.begin(1));
  python.end();
  python.leave();
  reader.wait();
  assertEquals(python.begin(1), false);
});

Deno.test("the reader takes the place of a Python that computes", async () => {
  const { reader, python, cells } = setUp();
  python.begin(0);
  reader.handOver();
  using thread = startReader(cells);
  await thread.mine;
  assertEquals(python.begin(1), false);
});

Deno.test("the reader waits while Python reads, however long, and while it reads often", async () => {
  const { reader, python, cells } = setUp();
  python.begin(0);
  reader.handOver();
  assert(python.begin(1));
  using thread = startReader(cells);
  await sleep(300);
  for (let read = 0; read < 200; read++) {
    python.end();
    assert(python.begin(1), `read ${read}`);
    await sleep(1);
  }
  assertEquals(thread.isMine(), false);
  python.end();
  await thread.mine;
});
