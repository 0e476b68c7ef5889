import { assertEquals } from "@std/assert";
import type { RunEnd } from "../../../src/session/run.ts";
import { toRunResult } from "../../../src/session/to_run_result.ts";

const END: RunEnd = {
  output: { stdout: "", stderr: "", notes: ["what was cut"], artifacts: [], images: [] },
  stopped: "timeout",
  done: {
    type: "execution_done",
    id: "run-1",
    status: "interrupted",
    place: "line 2: time.sleep(60)",
  },
};

function notesOf(end: RunEnd, timeoutSeconds: number): readonly string[] {
  const context = { engine: "fake", unenforced: [], kept: true, maxTimeoutSeconds: 120 };
  return toRunResult({ servers: [], timeoutSeconds }, end, context).notes;
}

Deno.test("toRunResult() says where a run was that took too long, and how to get more time", () => {
  assertEquals(notesOf(END, 30), [
    "what was cut",
    "The program was at line 2: time.sleep(60)",
    "hint: Give run_python a higher timeout (at most 120), or do less per call",
    "Variables of this session are kept",
  ]);
});

Deno.test("toRunResult() does not offer more time than there is, nor a line it does not know", () => {
  const { output } = END;
  assertEquals(notesOf({ output, stopped: "timeout" }, 120), [
    "what was cut",
    "hint: This is the highest timeout there is: do less per call",
    "Variables of this session are kept",
  ]);
  assertEquals(notesOf({ ...END, stopped: "cancelled" }, 30), [
    "what was cut",
    "Variables of this session are kept",
  ]);
});
