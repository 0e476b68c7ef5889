import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { parseRunPythonInput } from "../../../../src/server/tools/run_python_input.ts";

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
    notes: [],
  });
});

Deno.test("parseRunPythonInput() takes null as absent", () => {
  assertEquals(parse({ code: "1", servers: null, timeout: null }), {
    ok: true,
    input: { code: "1", servers: [], timeoutSeconds: 30 },
    notes: [],
  });
});

Deno.test("parseRunPythonInput() names the arguments it does not know", () => {
  const notesOf = (args: object) => parse({ code: "1", ...args }).notes;
  assertEquals(notesOf({ language: "python" }), [
    "Unknown argument ignored: 'language'; run_python takes code, servers, timeout",
  ]);
  assertEquals(notesOf({ server: ["a"], "timeout\n": 3 }), [
    "Unknown arguments ignored: 'server' (did you mean 'servers'?), " +
    "'timeout\\n' (did you mean 'timeout'?); run_python takes code, servers, timeout",
  ]);
  const many = Object.fromEntries(
    Array.from({ length: 1000 }, (_, at) => [`${"x".repeat(500)}${at}`, 1]),
  );
  const [note] = notesOf(many);
  assertEquals(note!.length < 600 && note!.includes(" and 995 more;"), true, note);
  assertEquals(parse({ timout: 3 }), {
    ok: false,
    error: "Missing 'code' argument",
    notes: [
      "Unknown argument ignored: 'timout' (did you mean 'timeout'?); run_python takes code, servers, timeout",
    ],
  });
});

Deno.test("parseRunPythonInput() keeps the code as it is", () => {
  const parsed = parse({ code: "\n  1\n" });
  assertEquals(parsed.ok && parsed.input.code, "\n  1\n");
});

for (const args of [{}, { code: "" }, { code: " \n\t" }, { code: null }, undefined, null, [], 1]) {
  Deno.test(`parseRunPythonInput() misses the code in ${JSON.stringify(args)}`, () => {
    assertEquals(parse(args), { ok: false, error: "Missing 'code' argument", notes: [] });
  });
}

Deno.test("parseRunPythonInput() refuses code that is not a string", () => {
  for (const code of [["1"], 0]) {
    assertEquals(parse({ code }), { ok: false, error: "'code' must be a string", notes: [] });
  }
});

Deno.test("parseRunPythonInput() drops duplicate servers and keeps their order", () => {
  assertEquals(serversOf(["b", "a", "b"]), ["b", "a"]);
});

Deno.test("parseRunPythonInput() takes one server for a list of one", () => {
  assertEquals(serversOf("weather"), ["weather"]);
});

Deno.test("parseRunPythonInput() refuses servers that are not a list of strings", () => {
  assertEquals(serversOf({ 0: "weather" }), "'servers' must be a list");
  assertEquals(serversOf(["weather", 1]), "'servers' must be a list of strings");
  assertEquals(serversOf([null]), "'servers' must be a list of strings");
});

Deno.test("parseRunPythonInput() clamps a timeout above the maximum, and says so", () => {
  for (const timeout of [45, 120]) {
    assertEquals(timeoutOf(timeout), timeout);
    assertEquals(parse({ code: "1", timeout }).notes, []);
  }
  for (const timeout of [121, 100_000, 1e300, JSON.parse("1e999")]) {
    assertEquals(timeoutOf(timeout), 120);
    assertEquals(parse({ code: "1", timeout }).notes, [
      `timeout ${timeout} is above the maximum: the limit of this run is 120s`,
    ]);
  }
});

Deno.test("parseRunPythonInput() refuses a timeout below 1", () => {
  for (const timeout of [0, -0, -5, JSON.parse("-1e999")]) {
    assertEquals(timeoutOf(timeout), "'timeout' must be at least 1");
  }
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
