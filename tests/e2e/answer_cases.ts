/** Answers that need one call: the exact text and data the model gets, the same from every client. */
import { assertAnswer, clientCase, type Expected } from "./case.ts";
import type { ClientTarget } from "../support/client_targets.ts";

interface Row extends Expected {
  name: string;
  args: Record<string, unknown>;
  /** Why the Inspector cannot send this. */
  notByInspector?: string;
}

const ROWS: readonly Row[] = [
  {
    name: "a user sees what the program printed",
    args: { code: "print('alpha')\nprint('beta')" },
    text: "alpha\nbeta",
    structured: { stdout: ["alpha", "beta"] },
  },
  {
    name: "a program that prints nothing is a success without output",
    args: { code: "x = 1" },
    text: "Success (no output)",
    structured: { summary: "Success (no output)" },
  },
  {
    name: "the value on the last line is echoed",
    args: { code: "x = 6\nx * 7" },
    text: "42",
    structured: { stdout: ["42"] },
  },
  {
    name: "stderr stands below stdout",
    args: { code: "import sys\nprint('out')\nprint('warn', file=sys.stderr)" },
    text: "out\nstderr:\nwarn",
    structured: { stdout: ["out"], stderr: ["warn"] },
  },
  {
    name: "an exception shows its traceback from the user's own code on",
    args: { code: "print('before')\n1/0" },
    text: "status: error\nbefore\nstderr:\nTraceback (most recent call last):\n" +
      '  File "<run-1>", line 2, in <module>\n    1/0\n    ~^~\n' +
      "ZeroDivisionError: division by zero",
    structured: {
      status: "error",
      summary: "Sandbox error: ZeroDivisionError: division by zero",
      stdout: ["before"],
      stderr: [
        "Traceback (most recent call last):",
        '  File "<run-1>", line 2, in <module>',
        "    1/0",
        "    ~^~",
        "ZeroDivisionError: division by zero",
      ],
      error: "ZeroDivisionError: division by zero",
    },
    isError: true,
  },
  {
    name: "sys.exit(3) is an error with its code",
    args: { code: "import sys\nsys.exit(3)" },
    text: "status: error\nexit: 3\nSandbox error: Sandbox exited with code 3",
    structured: {
      status: "error",
      summary: "Sandbox error: Sandbox exited with code 3",
      exitCode: 3,
      error: "Sandbox exited with code 3",
    },
    isError: true,
  },
  {
    name: "a syntax error points at its line",
    args: { code: "x = 1\ndef f(:" },
    text: 'status: error\nstderr:\n  File "<run-1>", line 2\n    def f(:\n          ^\n' +
      "SyntaxError: invalid syntax",
    structured: {
      status: "error",
      summary: "Sandbox error: SyntaxError: invalid syntax",
      stderr: [
        '  File "<run-1>", line 2',
        "    def f(:",
        "          ^",
        "SyntaxError: invalid syntax",
      ],
      error: "SyntaxError: invalid syntax",
    },
    isError: true,
  },
  invalid(
    "a timeout of 0 is refused in words",
    { code: "1", timeout: 0 },
    "'timeout' must be at least 1",
  ),
  invalid("blank code is refused in words", { code: " \n " }, "Missing 'code' argument"),
  {
    ...invalid(
      "servers that are not a list are refused in words",
      { code: "1", servers: { weather: true } },
      "'servers' must be a list",
    ),
    notByInspector: "it makes a list of it",
  },
  {
    ...invalid(
      "a timeout in quotes is refused in words",
      { code: "1", timeout: "30" },
      "'timeout' must be an integer",
    ),
    notByInspector: "it makes a number of it",
  },
  {
    name: "an unknown server is named",
    args: { code: "1", servers: "zz" },
    text: "status: error\n" +
      "Sandbox error: Unknown MCP server: zz. No MCP servers are configured",
    structured: {
      status: "error",
      summary: "Sandbox error: Unknown MCP server: zz. No MCP servers are configured",
      servers: ["zz"],
      error: "Unknown MCP server: zz. No MCP servers are configured",
    },
    isError: true,
    engine: null,
  },
  {
    name: "a lone surrogate is printed as an escape",
    args: { code: "print('a\\ud800b')" },
    text: "a\\ud800b",
    structured: { stdout: ["a\\ud800b"] },
  },
  {
    name: "NUL bytes are printed as they are",
    args: { code: "print('a\\0b')" },
    text: "a\0b",
    structured: { stdout: ["a\0b"] },
  },
  {
    name: "text of any script comes back whole",
    args: { code: "print('Grüße 列表 🎉')" },
    text: "Grüße 列表 🎉",
    structured: { stdout: ["Grüße 列表 🎉"] },
  },
  {
    name: "1 MB of code runs",
    args: { code: `text = "${"x".repeat(1_000_000)}"\nprint(len(text))` },
    text: "1000000",
    structured: { stdout: ["1000000"] },
    notByInspector: "no command line is that long",
  },
];

/** Registers the cases. */
export function answerCases(target: ClientTarget): void {
  for (const row of ROWS) {
    if (!target.keepsConnection && row.notByInspector !== undefined) continue;
    clientCase(target, row.name, async (connection) => {
      assertAnswer(await connection.run(row.args), row);
    });
  }
}

function invalid(name: string, args: Row["args"], error: string): Row {
  return {
    name,
    args,
    text: `status: validation_error\n${error}`,
    structured: { status: "validation_error", summary: error, error },
    isError: true,
    engine: null,
  };
}
