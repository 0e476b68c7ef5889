import { assertEquals, assertThrows } from "@std/assert";
import { parseArgs } from "../../../src/cli/args.ts";
import { readCommandLine } from "../../../src/cli/command_line.ts";
import { AppError } from "../../../src/shared/errors.ts";

function errorOf(argv: string[]): string {
  return assertThrows(() => parseArgs(argv), AppError).describe();
}

Deno.test("parseArgs() serves when there are no arguments", () => {
  assertEquals(parseArgs([]), { command: "serve", words: [], flags: {} });
});

Deno.test("parseArgs() takes a value after a space or an equals sign", () => {
  assertEquals(parseArgs(["--engine", "wasm", "--max-timeout=60", "--image=a=b"]), {
    command: "serve",
    words: [],
    flags: { engine: "wasm", maxTimeoutSeconds: "60", image: "a=b" },
  });
});

Deno.test("parseArgs() lets the last of two equal flags win", () => {
  assertEquals(parseArgs(["--pids=10", "--pids=20"]).flags, { pids: "20" });
});

Deno.test("parseArgs() keeps an empty inline value for the check to refuse", () => {
  assertEquals(parseArgs(["--memory="]).flags, { memoryBytes: "" });
});

Deno.test("readCommandLine() gives help and version whatever else stands on the line", async () => {
  assertEquals((await readCommandLine(["--nonsense", "--help"])).command, "help");
  assertEquals((await readCommandLine(["-h"])).command, "help");
  assertEquals((await readCommandLine(["--version"])).command, "version");
  assertEquals((await readCommandLine(["--pids=8"])).flags, { pids: "8" });
});

Deno.test("parseArgs() refuses an unknown flag with the nearest one", () => {
  assertEquals(
    errorOf(["--memroy", "1g"]),
    'Cannot use the argument "--memroy": unknown\n' +
      "  hint: Did you mean --memory? --help lists all flags",
  );
});

Deno.test("parseArgs() takes words behind a command, and flags wherever they stand", () => {
  assertEquals(parseArgs(["--state-dir", "/s", "saved-tools", "delete", "--pids=8", "area"]), {
    command: "saved-tools",
    words: ["delete", "area"],
    flags: { stateDir: "/s", pids: "8" },
  });
  assertEquals(
    errorOf(["saved-tool"]),
    'Cannot use the argument "saved-tool": unknown\n' +
      "  hint: Did you mean saved-tools? --help lists all flags",
  );
});

Deno.test("parseArgs() refuses an argument that is like no flag", () => {
  assertEquals(
    errorOf(["something"]),
    'Cannot use the argument "something": unknown\n  hint: --help lists all flags',
  );
});

Deno.test("parseArgs() refuses a flag without its value", () => {
  const expected = "Cannot use --memory: its value is missing\n" +
    "  hint: Write --memory <value> or --memory=<value>";
  assertEquals(errorOf(["--memory"]), expected);
  assertEquals(errorOf(["--memory", "--pids", "8"]), expected);
});
