/** What takes more than one request: state, resources, output too long for an answer. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import type { ClientTarget, Connection } from "../support/client_targets.ts";
import { assertAnswer, clientCase } from "./case.ts";

const MANUAL = "resource://mcp-server-code-execution-mode/capabilities";

/** Registers the cases that need one process for several calls. */
export function conversationCases(target: ClientTarget, protocolVersion: string): void {
  clientCase(target, `the connection is a ${protocolVersion} one`, (connection) => {
    assertEquals(connection.protocolVersion, protocolVersion);
    return Promise.resolve();
  });

  clientCase(target, "variables, imports and functions stay", async (connection) => {
    const code = "import math\nradius = 2\ndef area(): return math.pi * radius ** 2";
    await connection.run({ code });
    const answer = await connection.run({ code: "print(round(area(), 2))" });
    assertAnswer(answer, { text: "12.57", structured: { stdout: ["12.57"] } });
  });

  clientCase(target, "variables stay after every kind of failure", async (connection) => {
    await connection.run({ code: "x = 41" });
    for (const code of ["1/0", "import sys; sys.exit(3)", "def f(:", " ", "bytearray(10**10)"]) {
      assertEquals((await connection.run({ code })).isError, true, code);
    }
    const answer = await connection.run({ code: "print(x)" });
    assertAnswer(answer, { text: "41", structured: { stdout: ["41"] } });
  });

  clientCase(target, "a lone surrogate or NUL in the code loses nothing", async (connection) => {
    await connection.run({ code: "x = 41" });
    const surrogate = await connection.run({ code: "print('\ud800')" });
    assertEquals(surrogate.isError, true);
    assertStringIncludes(surrogate.content[0]!.text!, "surrogates not allowed");
    const nul = await connection.run({ code: "print('\0')" });
    assertEquals(
      nul.structuredContent!.error,
      "SyntaxError: source code string cannot contain null bytes",
    );
    const answer = await connection.run({ code: "print(x)" });
    assertAnswer(answer, { text: "41", structured: { stdout: ["41"] } });
  });

  clientCase(target, "MCP_BRIDGE_STATE=fresh forgets everything", async (connection) => {
    await connection.run({ code: "x = 41" });
    const answer = await connection.run({ code: "print(x)" });
    assertEquals(answer.structuredContent!.error, "NameError: name 'x' is not defined");
  }, { env: { MCP_BRIDGE_STATE: "fresh" } });

  clientCase(target, "an unknown resource is an invalid parameter", async (connection) => {
    const unknown = "resource://mcp-server-code-execution-mode/runs/none/none.txt";
    for (const uri of ["resource://x/y", unknown]) {
      const error = await assertRejects(() => connection.readResource(uri));
      assertEquals((error as Error & { code?: number }).code, -32602);
      assertStringIncludes(error.message, `Resource not found: ${uri}`);
    }
  });
}

/** Registers the cases about what the server offers. */
export function listCases(target: ClientTarget): void {
  clientCase(target, "the one tool is run_python", async (connection) => {
    assertEquals((await connection.listTools()).map(({ name }) => name), ["run_python"]);
  });

  clientCase(target, "the manual is listed and can be read", async (connection) => {
    const [manual] = await connection.listResources();
    const { text = "", mimeType } = await connection.readResource(MANUAL);
    const size = new TextEncoder().encode(text).length;
    assertEquals([manual?.name, manual?.uri, manual?.size], [
      "code-execution-capabilities",
      MANUAL,
      size,
    ]);
    assertEquals(mimeType, "text/markdown");
    assertStringIncludes(text, "PYTHON SANDBOX MANUAL");
  });
}

/** Registers the cases about output that does not go the plain way. */
export function outputCases(target: ClientTarget): void {
  clientCase(target, "10 MB printed at once are cut, kept and read back", async (connection) => {
    const answer = await connection.run({
      code: "for n in range(20_000): print(f'{n:06} Grüße 列表 🎉 ' + 'x' * 480)",
    });
    const whole = Array.from(
      { length: 20_000 },
      (_, n) => `${String(n).padStart(6, "0")} Grüße 列表 🎉 ${"x".repeat(480)}\n`,
    ).join("");
    const [text, link, ...rest] = answer.content;
    const { stdout, notes, artifacts } = answer.structuredContent as Record<string, string[]>;
    const cut = stdout!.find((line) => line.startsWith("[…"))!;
    assertEquals([answer.isError ?? false, rest.length], [false, 0]);
    assert(text!.text!.length < 30_300, `${text!.text!.length} characters`);
    assertEquals(text!.text, stdout!.join("\n"));
    assertMatch(
      cut,
      /^\[… [\d,]+ characters in [\d,]+ lines of stdout cut; the whole text is runtime\.output\(-1\) in the next call, and in resource:/,
    );
    assertEquals(notes, [cut]);
    assertEquals(stdout![0]!.slice(0, 6), "000000");
    assertEquals(stdout!.at(-1)!.slice(0, 6), "019999");
    assertStringIncludes(cut, link!.uri!);
    assertEquals([link!.type, link!.name], ["resource_link", "stdout.txt"]);
    assertEquals(link!.size, new TextEncoder().encode(whole).length);
    assertEquals(artifacts!.length, 1);
    const { text: read, pieces } = await readWhole(connection, link!.uri!);
    assert(read === whole, "the artifact is not what was printed");
    assertEquals(pieces, 3);
    assertEquals((await connection.listResources()).at(-1)!.uri, link!.uri);
  });

  clientCase(target, "toon mode gives the whole payload", async (connection) => {
    assertAnswer(await connection.run({ code: "print('a')\nprint()" }), {
      text: '```toon\nstatus: success\nsummary: Success\nexitCode: 0\nstdout[2]: a,""\n```',
      structured: { status: "success", summary: "Success", exitCode: 0, stdout: ["a", ""] },
    });
  }, { env: { MCP_BRIDGE_OUTPUT_MODE: "toon" } });
}

/** Follows `nextOffset` until there is none. */
async function readWhole(connection: Connection, uri: string) {
  let text = "";
  let pieces = 0;
  for (let offset: unknown = 0; offset !== undefined; pieces++) {
    const piece = await connection.readResource(`${uri}?offset=${offset}`);
    text += piece.text;
    offset = piece._meta?.nextOffset;
  }
  return { text, pieces };
}
