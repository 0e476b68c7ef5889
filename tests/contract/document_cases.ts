/**
 * The contract's part on README and `docs/`: every example runs, and the answers and pictures beside them
 * are what the embedded engine gives.
 * `deno test -A tests/contract/contract_test.ts --filter "wasm: document" -- --update` draws the pictures anew.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { toCompactResult } from "../../src/server/answer/tool_result.ts";
import type { RunResult } from "../../src/session/run_result.ts";
import type { EngineTarget } from "../support/engines.ts";
import { withExampleServers } from "../support/example_session.ts";
import { findExamples } from "../support/examples.ts";
import { engineCase } from "./case.ts";

const root = new URL("../../", import.meta.url);
const update = Deno.args.includes("--update");

/** What the reader of a document has got already. */
const SETUP: Readonly<Record<string, string>> = {
  "docs/artifacts.md": `
class Figure:
    def savefig(self, target, **options): target.write(render_chart([1, 2], name="drawn").png)
fig = Figure()
`,
};

const documents = ["README.md"];
for await (const { name } of Deno.readDir(new URL("docs/", root))) {
  if (name.endsWith(".md")) documents.push(`docs/${name}`);
}

/** Registers the cases. */
export function documentCases(target: EngineTarget): void {
  for (const path of documents.sort()) {
    const text = Deno.readTextFileSync(new URL(path, root));
    const examples = findExamples(text);
    assertEquals(examples.length, text.split("```python").length - 1, path);
    if (examples.length === 0) continue;
    engineCase(target, `document: ${path}: every example runs`, async ({ engine }) => {
      await withExampleServers(engine, async (session) => {
        await session.run(SETUP[path] ?? "");
        for (const { code, servers, answer, picture } of examples) {
          const result = await session.run(code, { servers });
          const expected = answer?.startsWith("status: error") ? "error" : "success";
          assertEquals(result.status, expected, `${code}\n${result.stderr}`);
          // Errors have other numbers in a container.
          if (target.kind !== "wasm") continue;
          if (answer !== undefined) assertEquals(shown(result), answer);
          if (picture !== undefined) {
            await comparePicture(result, new URL(picture, new URL(path, root)));
          }
        }
      });
    });
  }

  if (target.kind !== "wasm") return;

  engineCase(target, "document: README.md: its table tells what happens", async ({ session }) => {
    const text = await Deno.readTextFile(new URL("README.md", root));
    const table = /\| code +\| answer +\|\n.*\n((?:\|.*\n)+)/.exec(text)![1]!;
    const rows = table.trimEnd().split("\n").map((row) => row.split(" | "));
    assert(rows.length >= 4);
    for (const [left, right] of rows) {
      const timeout = / with `timeout` (\d+)/.exec(left!);
      const code = inline(left!.replace(timeout?.[0] ?? "", "")).join("\n");
      const result = await session.run(code, { timeoutSeconds: Number(timeout?.[1] ?? 30) });
      for (const part of inline(right!)) assertStringIncludes(shown(result), part);
    }
  });
}

function inline(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);
}

/** The text that a model gets; runs count from the first in a document. */
function shown(result: RunResult): string {
  const [first] = toCompactResult(result).content;
  assert(first?.type === "text");
  return first.text.replaceAll(/<run-\d+>/g, "<run-1>");
}

async function comparePicture({ images }: RunResult, file: URL): Promise<void> {
  const bytes = Uint8Array.fromBase64(images![0]!.data);
  if (update) await Deno.writeFile(file, bytes);
  assertEquals(
    bytes,
    await Deno.readFile(file),
    `${file} is another picture: draw it with --update`,
  );
}
