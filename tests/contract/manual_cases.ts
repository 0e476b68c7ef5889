/** The contract's part on the manual: what a model reads there is so, on every engine. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { EngineTarget } from "../support/engines.ts";
import { withExampleServers } from "../support/example_session.ts";
import { findExamples, findInlineCode } from "../support/examples.ts";
import { engineCase } from "./case.ts";

const MANUAL = await Deno.readTextFile(
  new URL("../../runtime/python/sandbox_runtime/manual.md", import.meta.url),
);

/** Code in the manual's lines that is not Python of the sandbox, but a word for something. */
const WORDS: ReadonlySet<string> = new Set([
  "servers",
  "timeout",
  "run_python",
  "my-server",
  "await",
  "*",
  "= ...",
  "__main__",
  "emscripten",
]);

/** What the reader has got, in the manual's lines. */
const SETUP = `
import asyncio, sys, zoneinfo
from types import SimpleNamespace
n, value, figure, uri = 1, None, None, ""
blob = runtime.Blob("image/png", b"")
plt = SimpleNamespace(show=lambda: None)
async def main(): pass
`;

/** Prints each name that is not there and each call that its function does not take. */
const CHECK = `
import ast, inspect
def problems(code):
    for node in ast.walk(compile(code, "manual", "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            exec(ast.unparse(node), globals())
        if isinstance(node, (ast.Name, ast.Attribute)):
            eval(ast.unparse(node), globals())
        if isinstance(node, ast.Call):
            names = {keyword.arg: None for keyword in node.keywords}
            inspect.signature(eval(ast.unparse(node.func))).bind(*node.args, **names)
for code in codes:
    try: problems(code)
    except Exception as e: print(code, type(e).__name__, e, sep=": ")
`;

/** Registers the cases. */
export function manualCases(target: EngineTarget): void {
  engineCase(target, "manual: every example runs", async ({ engine }) => {
    await withExampleServers(engine, async (session) => {
      const examples = findExamples(MANUAL);
      assert(examples.length >= 5);
      const outputs: string[] = [];
      for (const { code, servers } of examples) {
        const result = await session.run(code, { servers });
        assertEquals([result.status, result.stderr, result.notes], ["success", "", []], code);
        outputs.push(result.stdout);
      }
      assertEquals(outputs[0], "['Berlin', 'Seattle']\n");
      assertStringIncludes(outputs.join(""), "Unknown city: Atlantis");
      assertStringIncludes(outputs.join(""), "-> GetWeatherResult:  # observed, not promised");
    });
  });

  engineCase(target, "manual: every name in it is there", async ({ engine }) => {
    await withExampleServers(engine, async (session) => {
      const all = new Set(findInlineCode(MANUAL));
      assertEquals([...WORDS].filter((word) => !all.has(word)), []);
      const codes = [...all].filter((code) => !WORDS.has(code));
      assert(codes.length >= 25);
      await session.run("'something echoed'");
      const { stdout, stderr } = await session.run(
        `${SETUP}codes = ${JSON.stringify(codes)}\n${CHECK}`,
        { servers: ["weather", "todo", "my-server"] },
      );
      assertEquals([stdout, stderr], ["", ""]);
    });
  });

  engineCase(target, "manual: what it says of runs is so", async ({ session }) => {
    await session.run("open('notes.txt', 'w').write('for the session');");
    const result = await session.run(
      "import sys\nprint(__name__, open('notes.txt').read(), sys.platform == 'emscripten')",
    );
    assertEquals(
      result.stdout,
      `__main__ for the session ${target.kind === "wasm" ? "True" : "False"}\n`,
    );
    const checked = await session.run("print('effect')\nimport nowhere_at_all");
    assertEquals(checked.stdout, "");
    assertStringIncludes(checked.stderr, "Nothing was run");
  });
}
