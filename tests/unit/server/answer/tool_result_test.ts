import type { CallToolResult } from "@modelcontextprotocol/server";
import { assertEquals, assertNotEquals, assertStringIncludes } from "@std/assert";
import { decode } from "@toon-format/toon";
import fc from "fast-check";
import {
  createResultFormatter,
  toCompactResult,
  toToonResult,
} from "../../../../src/server/answer/tool_result.ts";
import { runResult } from "../../../support/server_fixtures.ts";

const ARTIFACT = {
  name: "plot.png",
  uri: "resource://mcp-server-code-execution-mode/runs/7/plot.png",
  mimeType: "image/png",
  size: 12,
};

function textOf(result: CallToolResult): string {
  const first = result.content[0];
  return first?.type === "text" ? first.text : "";
}

Deno.test("toCompactResult() marks everything but success as an error", () => {
  assertEquals(toCompactResult(runResult()).isError, false);
  for (const status of ["error", "timeout", "validation_error", "cancelled"] as const) {
    assertEquals(toCompactResult(runResult({ status, error: "x" })).isError, true);
  }
});

Deno.test("toCompactResult() names the engine in _meta when one ran", () => {
  assertEquals(toCompactResult(runResult({ engine: "wasm" }))._meta, {
    "mcp-bridge/result": { summary: "Success (no output)" },
    "mcp-bridge/engine": "wasm",
  });
  assertEquals(toCompactResult(runResult())._meta, {
    "mcp-bridge/result": { summary: "Success (no output)" },
  });
});

Deno.test("toCompactResult() puts artifacts after the text as resource links", () => {
  const result = toCompactResult(runResult({ stdout: "done\n", artifacts: [ARTIFACT] }));
  assertEquals(result.content, [
    { type: "text", text: "done" },
    { type: "resource_link", ...ARTIFACT },
  ]);
  assertEquals(result.structuredContent, { stdout: ["done"], artifacts: [ARTIFACT] });
});

const IMAGE = { uri: ARTIFACT.uri, mimeType: "image/png", data: "iVBO" };
const SKETCH = {
  ...ARTIFACT,
  name: "a.svg",
  uri: `${ARTIFACT.uri}.svg`,
  mimeType: "image/svg+xml",
};
const SHOWN = runResult({ stdout: "done\n", artifacts: [SKETCH, ARTIFACT], images: [IMAGE] });

for (const mode of ["compact", "toon"] as const) {
  Deno.test(`an image that is shown stands after the text of a ${mode} answer, and is no link`, async () => {
    const { content, structuredContent } = await createResultFormatter(mode)(SHOWN);
    assertEquals(content.slice(1), [
      { type: "image", mimeType: "image/png", data: "iVBO" },
      { type: "resource_link", ...SKETCH },
    ]);
    const { artifacts, images } = structuredContent as Record<string, unknown>;
    assertEquals([artifacts, images], [[SKETCH, ARTIFACT], undefined]);
  });
}

Deno.test("toCompactResult() counts an artifact as output", () => {
  assertEquals(textOf(toCompactResult(runResult({ artifacts: [ARTIFACT] }))), "Success");
});

Deno.test("toCompactResult() keeps the order of keys", () => {
  const { structuredContent } = toCompactResult(runResult({
    session: "h",
    artifacts: [ARTIFACT],
    timeoutSeconds: 5,
    notes: ["note"],
    error: "Execution timed out after 5s",
    stderr: "e",
    stdout: "o",
    servers: ["s"],
    exitCode: 1,
    status: "timeout",
  }));
  assertEquals(Object.keys(structuredContent as object), [
    "status",
    "summary",
    "exitCode",
    "servers",
    "stdout",
    "stderr",
    "error",
    "notes",
    "timeoutSeconds",
    "artifacts",
    "session",
  ]);
});

Deno.test("toCompactResult() has no error line when the traceback holds the message", () => {
  const result = toCompactResult(runResult({
    status: "error",
    stderr: 'Traceback (most recent call last):\n  File "<run>", line 1\nValueError: a\n\nb\n',
    error: "ValueError: a\n\nb",
  }));
  assertEquals(
    textOf(result),
    'status: error\nstderr:\nTraceback (most recent call last):\n  File "<run>", line 1\n' +
      "ValueError: a\n\nb",
  );
});

Deno.test("toCompactResult() adds an error that stands nowhere else", () => {
  const result = toCompactResult(runResult({ status: "error", stdout: "x\n", error: "Killed" }));
  assertEquals(textOf(result), "status: error\nx\nerror: Killed");
});

Deno.test("toCompactResult() puts notes last and repeats none that is on the page", () => {
  const result = toCompactResult(runResult({
    stdout: "head\n[cut]\ntail\n",
    notes: ["[cut]", "Variables of this session are gone"],
  }));
  assertEquals(textOf(result), "head\n[cut]\ntail\nVariables of this session are gone");
  assertEquals((result.structuredContent as { notes: string[] }).notes.length, 2);
});

Deno.test("toCompactResult() keeps indentation and takes \\r\\n as one line end", () => {
  const result = toCompactResult(runResult({ stdout: "  a\r\n\r\n\tb  \r\n" }));
  assertEquals(textOf(result), "  a\n\n\tb  ");
});

Deno.test("toCompactResult() shows each stream as it was printed, without blank lines around it", () => {
  const stream = fc.array(fc.oneof(fc.string(), fc.constantFrom("", "()", " ", " () ", "\r")))
    .map((lines) => lines.join("\n"));
  fc.assert(fc.property(stream, stream, (stdout, stderr) => {
    const result = toCompactResult(runResult({ stdout, stderr }));
    const page = textOf(result);
    const data = result.structuredContent as { stdout?: string[]; stderr?: string[] };
    for (const [text, lines = []] of [[stdout, data.stdout], [stderr, data.stderr]] as const) {
      const printed = text.replaceAll(/\r?\n/g, "\n");
      const shown = lines.join("\n");
      assertEquals(shown.trim(), printed.trim());
      assertEquals(page.includes(shown), true);
      if (lines.length === 0) continue;
      for (const outer of [lines[0]!, lines.at(-1)!]) {
        assertNotEquals(outer.trim(), "");
        assertEquals(printed.split("\n").includes(outer), true);
      }
    }
  }));
});

Deno.test("toCompactResult() takes time linear to its input", () => {
  const elapsed = (lines: number) => {
    const started = performance.now();
    toCompactResult(runResult({
      status: "error",
      stdout: "x\n".repeat(lines),
      stderr: "\n".repeat(lines),
      error: "Killed",
      notes: ["a", "b"],
    }));
    return performance.now() - started;
  };
  elapsed(100_000);
  // A hundred times 100,000 characters; quadratic work would take minutes.
  assertEquals(elapsed(5_000_000) < 5000, true);
});

Deno.test("toToonResult() fences the whole payload and repeats it as data", async () => {
  const result = await toToonResult(runResult({ exitCode: 0, stdout: "a\n\n()\nb\n" }));
  const payload = {
    status: "success",
    summary: "Success",
    exitCode: 0,
    stdout: ["a", "", "()", "b"],
  };
  assertEquals(result.structuredContent, payload);
  const [open, ...body] = textOf(result).split("\n");
  assertEquals(open, "```toon");
  assertEquals(body.pop(), "```");
  assertEquals(decode(body.join("\n")), payload);
});

Deno.test("toToonResult() leaves out what is empty", async () => {
  const result = await toToonResult(runResult());
  assertEquals(result.structuredContent, { status: "success", summary: "Success (no output)" });
});

Deno.test("toToonResult() cannot be closed early by a fence in the output", async () => {
  const result = await toToonResult(runResult({ stdout: "```\nescaped\n", error: "```" }));
  const fences = textOf(result).split("\n").filter((line) => /^ {0,3}```/.test(line));
  assertEquals(fences, ["```toon", "```"]);
});

Deno.test("createResultFormatter() picks the formatter of the mode", async () => {
  const result = runResult({ stdout: "a" });
  assertEquals(textOf(await createResultFormatter("compact")(result)), "a");
  assertStringIncludes(textOf(await createResultFormatter("toon")(result)), "```toon\n");
});
