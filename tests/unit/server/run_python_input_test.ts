import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { parseRunPythonInput } from "../../../src/server/run_python_input.ts";

const LIMITS = { timeoutSeconds: 30, maxTimeoutSeconds: 120 };

function parse(args: unknown) {
  return parseRunPythonInput(args, LIMITS);
}

function timeoutOf(timeout: unknown): unknown {
  const parsed = parse({ code: "1", timeout });
  return parsed.ok ? parsed.input.timeoutSeconds : parsed.error;
}

function serversOf(servers: unknown): unknown {
  const parsed = parse({ code: "1", servers });
  return parsed.ok ? parsed.input.servers : parsed.error;
}

Deno.test("parseRunPythonInput() fills in what is absent", () => {
  assertEquals(parse({ code: "print(1)" }), {
    ok: true,
    input: { code: "print(1)", servers: [], timeoutSeconds: 30 },
  });
});

Deno.test("parseRunPythonInput() takes null as absent", () => {
  assertEquals(parse({ code: "1", servers: null, timeout: null }), {
    ok: true,
    input: { code: "1", servers: [], timeoutSeconds: 30 },
  });
});

Deno.test("parseRunPythonInput() ignores arguments it does not know", () => {
  assertEquals(parse({ code: "1", language: "python" }).ok, true);
});

Deno.test("parseRunPythonInput() keeps the code as it is", () => {
  const parsed = parse({ code: "\n  1\n" });
  assertEquals(parsed.ok && parsed.input.code, "\n  1\n");
});

for (const args of [{}, { code: "" }, { code: " \n\t" }, { code: null }, undefined, null, [], 1]) {
  Deno.test(`parseRunPythonInput() misses the code in ${JSON.stringify(args)}`, () => {
    assertEquals(parse(args), { ok: false, error: "Missing 'code' argument" });
  });
}

Deno.test("parseRunPythonInput() refuses code that is not a string", () => {
  assertEquals(parse({ code: ["1"] }), { ok: false, error: "'code' must be a string" });
  assertEquals(parse({ code: 0 }), { ok: false, error: "'code' must be a string" });
});

Deno.test("parseRunPythonInput() drops duplicate servers and keeps their order", () => {
  assertEquals(serversOf(["b", "a", "b"]), ["b", "a"]);
});

Deno.test("parseRunPythonInput() refuses servers that are not a list of strings", () => {
  assertEquals(serversOf("weather"), "'servers' must be a list");
  assertEquals(serversOf({ 0: "weather" }), "'servers' must be a list");
  assertEquals(serversOf(["weather", 1]), "'servers' must be a list of strings");
  assertEquals(serversOf([null]), "'servers' must be a list of strings");
});

Deno.test("parseRunPythonInput() clamps a timeout of any size", () => {
  assertEquals(timeoutOf(45), 45);
  assertEquals(timeoutOf(0), 1);
  assertEquals(timeoutOf(-5), 1);
  assertEquals(timeoutOf(100_000), 120);
  assertEquals(timeoutOf(1e300), 120);
  assertEquals(timeoutOf(JSON.parse("1e999")), 120);
  assertEquals(timeoutOf(JSON.parse("-1e999")), 1);
});

Deno.test("parseRunPythonInput() takes 30.0 for 30", () => {
  assertEquals(timeoutOf(JSON.parse("30.0")), 30);
});

Deno.test("parseRunPythonInput() refuses a timeout that is not an integer", () => {
  for (const timeout of [true, false, "30", 1.5, [], {}]) {
    assertEquals(timeoutOf(timeout), "'timeout' must be an integer");
  }
});

Deno.test("parseRunPythonInput() never throws and never lets a bad value through", () => {
  const args = fc.oneof(
    fc.jsonValue(),
    fc.record({
      code: fc.oneof(fc.string(), fc.jsonValue()),
      servers: fc.oneof(fc.array(fc.string()), fc.jsonValue()),
      timeout: fc.oneof(fc.integer(), fc.jsonValue()),
    }, { requiredKeys: [] }),
  );
  fc.assert(fc.property(args, (value) => {
    const parsed = parse(value);
    if (!parsed.ok) return parsed.error.length > 0;
    const { code, servers, timeoutSeconds } = parsed.input;
    return code.trim() !== "" && new Set(servers).size === servers.length &&
      servers.every((name) => typeof name === "string") &&
      Number.isInteger(timeoutSeconds) && timeoutSeconds >= 1 && timeoutSeconds <= 120;
  }));
});
