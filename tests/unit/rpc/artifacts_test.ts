import { assert, assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { createRpcRouter } from "../../../src/rpc/router.ts";
import { RunHistory } from "../../../src/store/runs/run_history.ts";
import { RunStore } from "../../../src/store/runs/run_store.ts";
import { rpcContext } from "../../support/rpc_context.ts";
import { inFolder } from "../../support/temp_folder.ts";

type Ask = (type: string, fields: Record<string, unknown>) => Promise<Record<string, unknown>>;

async function withRun(body: (ask: Ask, store: RunStore) => Promise<void>): Promise<void> {
  await inFolder(async (folder) => {
    const store = new RunStore(folder);
    using files = store.newRun();
    const history = new RunHistory(store);
    using past = store.newRun();
    store.keep(past, { code: "x", stdout: "héllo\n", stderr: "" });
    history.add(past.run);
    const router = createRpcRouter({});
    const context = rpcContext({ files, history });
    await body((type, fields) => router({ type, ...fields }, context), store);
    await store.settled();
  });
}

const base64 = (text: string) => new TextEncoder().encode(text).toBase64();

Deno.test("save_file keeps a file that comes in pieces and says where it is", () =>
  withRun(async (ask, store) => {
    const first = { name: "a.txt", offset: 0, data: base64("hel"), last: false };
    assertEquals(await ask("save_file", first), { success: true });
    const reply = await ask("save_file", { ...first, offset: 3, data: base64("lo"), last: true });
    const file = reply.file as { name: string; uri: string; size: number };
    assertEquals([file.name, file.size], ["a.txt", 5]);
    assert((await store.list())!.artifacts.some(({ uri }) => uri === file.uri));
    assertEquals(await ask("show_file", { name: "a.txt" }), { success: true });
  }));

const ROW = { name: "a.txt", offset: 0, data: "", last: true };
const REFUSED: [type: string, fields: Record<string, unknown>, error: RegExp][] = [
  ["save_file", { ...ROW, name: "../a" }, /"\.\.\/a": it leads out of the folder/],
  [
    "save_file",
    { ...ROW, name: "x".repeat(999) },
    /^Cannot keep the file "x{100}…": it is longer than/,
  ],
  ["save_file", { ...ROW, name: 7 }, /Cannot answer save_file/],
  ["save_file", { ...ROW, data: "no base64!" }, /`data` is not base64/],
  ["save_file", { ...ROW, data: "A".repeat(4 * 1024 * 1024 + 4) }, /Cannot answer save_file/],
  ["save_file", { ...ROW, offset: -1 }, /Cannot answer save_file/],
  ["save_file", { ...ROW, offset: 1e300 }, /Cannot answer save_file/],
  ["save_file", { ...ROW, last: undefined }, /Cannot answer save_file/],
  ["show_file", { name: "none.png" }, /Cannot show "none.png": it was not saved/],
  ["read_output", { run: 0 }, /Cannot answer read_output/],
  ["read_output", { run: -2 }, /the session has 1 earlier runs/],
  ["read_output", { run: -1, stream: "../x" }, /Cannot answer read_output/],
  ["read_output", { run: -1, length: 2 ** 40 }, /Cannot answer read_output/],
];

for (const [type, fields, error] of REFUSED) {
  const shown = JSON.stringify(fields);
  Deno.test(`${type} refuses ${shown.length > 90 ? `${shown.slice(0, 90)}…` : shown}`, () =>
    withRun(async (ask) => {
      const reply = await ask(type, fields);
      assertEquals(reply.success, false);
      assertMatch(String(reply.error), error);
    }));
}

Deno.test("no reply about a file names a path of the host", () =>
  withRun(async (ask) => {
    const types = ["save_file", "show_file", "read_output"];
    const value = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
    );
    const fields = fc.record({ name: value, offset: value, data: value, last: value, run: value }, {
      requiredKeys: [],
    });
    await fc.assert(fc.asyncProperty(fc.constantFrom(...types), fields, async (type, some) => {
      const reply = await ask(type, some);
      assert(!JSON.stringify(reply).includes("mcp-bridge-test-"), JSON.stringify(reply));
    }));
  }));

Deno.test("read_output gives what an earlier run printed, in pieces", () =>
  withRun(async (ask) => {
    assertEquals(await ask("read_output", { run: -1 }), {
      success: true,
      data: base64("héllo\n"),
      size: 7,
    });
    const piece = await ask("read_output", { run: -1, offset: 3, length: 2 });
    assertEquals(piece.data, base64("ll"));
    assertEquals(await ask("read_output", { run: -1, stream: "stderr" }), {
      success: true,
      data: "",
      size: 0,
    });
  }));
