/**
 * The contract's part on calls that forget their `await`: whatever the form, a program prints what it prints
 * where its tools are plain functions, and calls them as often.
 */
import { assertEquals } from "@std/assert";
import { createRpcRouter } from "../../src/rpc/router.ts";
import { forRun } from "../../src/downstream/for_run.ts";
import { JsonText } from "../../src/shared/json/json_text.ts";
import type { EngineTarget } from "../support/engines.ts";
import { FakeDownstream, type FakeTool } from "../support/fake_downstream.ts";
import { createForms, python } from "../support/python.ts";
import { engineCase } from "./case.ts";

/** How many; 10,000 take half a minute. */
const COUNT = Number(Deno.env.get("MCP_BRIDGE_FORGOTTEN_AWAITS") ?? 500);
const SEED = Number(Deno.env.get("MCP_BRIDGE_RANDOM_SEED") ?? 15);

/** One more line of it is of no use. */
const MOST_SHOWN = 10;

const forms = python.command === undefined ? undefined : await createForms(COUNT, SEED);

const TOOLS: readonly FakeTool[] = [
  {
    name: "give",
    inputSchema: { type: "object", properties: { kind: { type: "string" } } },
    call: ({ kind }) =>
      kind === "error"
        ? { kind: "failed", message: "No such thing", result: null }
        : { kind: "value", value: new JsonText(forms!.results[String(kind)]!) },
  },
  { name: "later", call: ({ x }) => ({ kind: "value", value: x }) },
  { name: "echo", call: ({ x }) => ({ kind: "value", value: x }) },
];

/** Registers the case. */
export function forgottenAwaitCases(target: EngineTarget): void {
  const downstream = new FakeDownstream({ s: TOOLS });
  const options = {
    rpc: createRpcRouter({}),
    forRun: forRun(downstream),
  };
  engineCase(
    target,
    `${COUNT} forms of a forgotten await${python.skipped}`,
    async ({ session }) => {
      const wrong: string[] = [];
      for (const { title, code, stdout, calls } of forms?.programs ?? []) {
        const before = downstream.calls.length;
        const result = await session.run(code, { servers: ["s"] });
        const made = downstream.calls.length - before;
        if (result.status === "success" && result.stdout === stdout && made === calls) continue;
        wrong.push(
          `${title}\n${code}\nexpected ${calls} calls and\n${stdout}\n` +
            `got ${made} calls, ${result.status} and\n${result.stdout}\n${result.stderr}`,
        );
      }
      const shown = wrong.slice(0, MOST_SHOWN).join("\n---\n");
      assertEquals(wrong.length, 0, `${wrong.length} of ${COUNT} with seed ${SEED}:\n${shown}`);
    },
    options,
  );
}
