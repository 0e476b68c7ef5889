/** The exact words and data of an answer, case by case: models and clients read them. */
import { assertEquals } from "@std/assert";
import { createResultFormatter } from "../../src/server/answer/tool_result.ts";
import type { RunResult } from "../../src/session/run_result.ts";
import { runResult } from "../support/server_fixtures.ts";

interface Case {
  name: string;
  result: Partial<RunResult>;
  text: string;
  data: Record<string, unknown>;
}

const COMPACT: Case[] = [
  {
    name: "stdout",
    result: { exitCode: 0, stdout: "alpha\nbeta\n" },
    text: "alpha\nbeta",
    data: { stdout: ["alpha", "beta"] },
  },
  {
    name: "stdout with blank lines, and a server",
    result: { servers: ["s1"], stdout: "\na\n\n  \nb\n" },
    text: "a\n\n  \nb",
    data: { servers: ["s1"], stdout: ["a", "", "  ", "b"] },
  },
  {
    name: "blank lines around both streams, and spaces before the first word",
    result: { stdout: "\n \r\n  a \n\t\n\n", stderr: "\n\nwarn\n\nmore\n\n" },
    text: "  a \nstderr:\nwarn\n\nmore",
    data: { stdout: ["  a "], stderr: ["warn", "", "more"] },
  },
  {
    name: "an error whose words have a blank line",
    result: {
      status: "error",
      stderr: "Traceback (most recent call last):\nValueError: one\n\ntwo\n",
      error: "ValueError: one\n\ntwo",
    },
    text: "status: error\nstderr:\nTraceback (most recent call last):\nValueError: one\n\ntwo",
    data: {
      status: "error",
      summary: "Sandbox error: ValueError: one\n\ntwo",
      stderr: ["Traceback (most recent call last):", "ValueError: one", "", "two"],
      error: "ValueError: one\n\ntwo",
    },
  },
  {
    name: "nothing",
    result: {},
    text: "Success (no output)",
    data: { summary: "Success (no output)" },
  },
  {
    name: "only ()",
    result: { stdout: "()\n" },
    text: "()",
    data: { stdout: ["()"] },
  },
  {
    name: "only blank lines",
    result: { stdout: "\n  \n", stderr: "\n" },
    text: "Success (no output)",
    data: { summary: "Success (no output)" },
  },
  {
    name: "both streams",
    result: { stdout: "out\n", stderr: "warn\n" },
    text: "out\nstderr:\nwarn",
    data: { stdout: ["out"], stderr: ["warn"] },
  },
  {
    name: "only stderr",
    result: { stderr: "warn\n" },
    text: "stderr:\nwarn",
    data: { summary: "Success", stderr: ["warn"] },
  },
  {
    name: "an uncaught exception",
    result: {
      status: "error",
      stderr: 'Traceback (most recent call last):\n  File "<sandbox>", line 1, in <module>\n' +
        "ValueError: boom\n",
      error: "ValueError: boom",
    },
    text: "status: error\nstderr:\nTraceback (most recent call last):\n" +
      '  File "<sandbox>", line 1, in <module>\nValueError: boom',
    data: {
      status: "error",
      summary: "Sandbox error: ValueError: boom",
      stderr: [
        "Traceback (most recent call last):",
        '  File "<sandbox>", line 1, in <module>',
        "ValueError: boom",
      ],
      error: "ValueError: boom",
    },
  },
  {
    name: "sys.exit(3)",
    result: { status: "error", exitCode: 3, error: "Sandbox exited with code 3" },
    text: "status: error\nexit: 3\nSandbox error: Sandbox exited with code 3",
    data: {
      status: "error",
      summary: "Sandbox error: Sandbox exited with code 3",
      exitCode: 3,
      error: "Sandbox exited with code 3",
    },
  },
  {
    name: 'sys.exit("msg")',
    result: {
      status: "error",
      exitCode: 1,
      stderr: "msg\n",
      error: "Sandbox exited with code 1",
    },
    text: "status: error\nexit: 1\nstderr:\nmsg\nerror: Sandbox exited with code 1",
    data: {
      status: "error",
      summary: "Sandbox error: Sandbox exited with code 1",
      exitCode: 1,
      stderr: ["msg"],
      error: "Sandbox exited with code 1",
    },
  },
  {
    name: "a timeout after some output",
    result: {
      status: "timeout",
      stdout: "partial\n",
      error: "Execution timed out after 5s",
      timeoutSeconds: 5,
      notes: ["Variables of this session are kept"],
    },
    text: "status: timeout\npartial\nerror: Execution timed out after 5s\n" +
      "Variables of this session are kept",
    data: {
      status: "timeout",
      summary: "Timeout: execution exceeded 5s",
      stdout: ["partial"],
      error: "Execution timed out after 5s",
      notes: ["Variables of this session are kept"],
      timeoutSeconds: 5,
    },
  },
  {
    name: "a timeout without output",
    result: {
      status: "timeout",
      error: "Execution timed out after 1s",
      timeoutSeconds: 1,
      notes: ["Variables of this session are gone"],
    },
    text: "status: timeout\nerror: Execution timed out after 1s\n" +
      "Variables of this session are gone",
    data: {
      status: "timeout",
      summary: "Timeout: execution exceeded 1s",
      error: "Execution timed out after 1s",
      notes: ["Variables of this session are gone"],
      timeoutSeconds: 1,
    },
  },
  {
    name: "an interpreter that died",
    result: {
      status: "error",
      error: "The sandbox used more than its 512 MiB of memory",
      notes: ["Variables of this session are gone"],
    },
    text: "status: error\nSandbox error: The sandbox used more than its 512 MiB of memory\n" +
      "Variables of this session are gone",
    data: {
      status: "error",
      summary: "Sandbox error: The sandbox used more than its 512 MiB of memory",
      error: "The sandbox used more than its 512 MiB of memory",
      notes: ["Variables of this session are gone"],
    },
  },
  {
    name: "an engine that cannot start, with a hint",
    result: {
      status: "error",
      error: 'Cannot start a container sandbox: neither "podman" nor "docker" is on PATH',
      notes: ["hint: Install podman, or start with --engine wasm"],
    },
    text: "status: error\n" +
      'Sandbox error: Cannot start a container sandbox: neither "podman" nor "docker" is on PATH\n' +
      "hint: Install podman, or start with --engine wasm",
    data: {
      status: "error",
      summary:
        'Sandbox error: Cannot start a container sandbox: neither "podman" nor "docker" is on PATH',
      error: 'Cannot start a container sandbox: neither "podman" nor "docker" is on PATH',
      notes: ["hint: Install podman, or start with --engine wasm"],
    },
  },
  {
    name: "an unknown server",
    result: {
      status: "error",
      servers: ["zz"],
      error: "Unknown MCP server: zz. No MCP servers are configured",
    },
    text: "status: error\n" +
      "Sandbox error: Unknown MCP server: zz. No MCP servers are configured",
    data: {
      status: "error",
      summary: "Sandbox error: Unknown MCP server: zz. No MCP servers are configured",
      servers: ["zz"],
      error: "Unknown MCP server: zz. No MCP servers are configured",
    },
  },
  {
    name: "bad input",
    result: { status: "validation_error", error: "Missing 'code' argument" },
    text: "status: validation_error\nMissing 'code' argument",
    data: {
      status: "validation_error",
      summary: "Missing 'code' argument",
      error: "Missing 'code' argument",
    },
  },
  {
    name: "a cancelled run",
    result: { status: "cancelled", error: "Execution was cancelled" },
    text: "status: cancelled\nerror: Execution was cancelled",
    data: {
      status: "cancelled",
      summary: "Cancelled",
      error: "Execution was cancelled",
    },
  },
  {
    name: "output that was cut",
    result: {
      stdout: "head\n[… 10 characters cut …]\ntail\n",
      notes: ["[… 10 characters cut …]"],
    },
    text: "head\n[… 10 characters cut …]\ntail",
    data: {
      stdout: ["head", "[… 10 characters cut …]", "tail"],
      notes: ["[… 10 characters cut …]"],
    },
  },
  {
    name: "a session",
    result: { stdout: "1\n", session: "handle" },
    text: "1",
    data: { stdout: ["1"], session: "handle" },
  },
];

for (const { name, result, text, data } of COMPACT) {
  Deno.test(`compact answer: ${name}`, async () => {
    const answer = await createResultFormatter("compact")(runResult(result));
    assertEquals(answer.content, [{ type: "text", text }]);
    assertEquals(JSON.stringify(answer.structuredContent), JSON.stringify(data));
    assertEquals(answer._meta, { "mcp-bridge/result": data });
    assertEquals(answer.isError, (result.status ?? "success") !== "success");
  });
}

const TOON: Case[] = [
  {
    name: "stdout",
    result: { exitCode: 0, stdout: "alpha\n\nbeta\n" },
    text: '```toon\nstatus: success\nsummary: Success\nexitCode: 0\nstdout[3]: alpha,"",beta\n```',
    data: {
      status: "success",
      summary: "Success",
      exitCode: 0,
      stdout: ["alpha", "", "beta"],
    },
  },
  {
    name: "sys.exit(3)",
    result: { status: "error", exitCode: 3, error: "Sandbox exited with code 3" },
    text: '```toon\nstatus: error\nsummary: "Sandbox error: Sandbox exited with code 3"\n' +
      "exitCode: 3\nerror: Sandbox exited with code 3\n```",
    data: {
      status: "error",
      summary: "Sandbox error: Sandbox exited with code 3",
      exitCode: 3,
      error: "Sandbox exited with code 3",
    },
  },
];

for (const { name, result, text, data } of TOON) {
  Deno.test(`TOON answer: ${name}`, async () => {
    const answer = await createResultFormatter("toon")(runResult(result));
    assertEquals(answer.content, [{ type: "text", text }]);
    assertEquals(JSON.stringify(answer.structuredContent), JSON.stringify(data));
    assertEquals(answer._meta, { "mcp-bridge/result": data });
  });
}
