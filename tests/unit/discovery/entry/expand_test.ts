import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { DENIED } from "../../../../src/config/variable.ts";
import { ConfigProblem } from "../../../../src/discovery/config_problem.ts";
import {
  type Dialect,
  type ExpandContext,
  expandPath,
  expandText,
} from "../../../../src/discovery/entry/expand.ts";
import { variables } from "../support.ts";

const ENV = { TOKEN: "t0p", EMPTY: "", TRICKY: "${TOKEN}~$TOKEN{env:TOKEN}", "a (x86)": "odd" };

function context(dialect: Dialect = "plain", env: Record<string, string> = ENV): ExpandContext {
  const readVariable = variables(env);
  return { os: "linux", readVariable, cwd: "/w/shop", home: "/home/a", dialect };
}

const EXPANDED: [text: string, expected: string, dialect?: Dialect][] = [
  ["plain", "plain"],
  ["${TOKEN}", "t0p"],
  ["Bearer ${TOKEN}, ${TOKEN}", "Bearer t0p, t0p"],
  ["${env:TOKEN}", "t0p"],
  ["${env:a (x86)}", "odd"],
  ["${EMPTY}", ""],
  ["${TOKEN:-other}", "t0p"],
  ["${NONE:-other}", "other"],
  ["${EMPTY:-other}", "other"],
  ["${NONE:-}", ""],
  ["${NONE:-https://x:1/?a=b:-c}", "https://x:1/?a=b:-c"],
  ["${env:NONE:-other}", "other"],
  ["${workspaceFolder}/x", "/w/shop/x"],
  ["${workspaceFolderBasename}", "shop"],
  ["${userHome}${/}x${pathSeparator}y", "/home/a/x/y"],
  ["${TRICKY}", "${TOKEN}~$TOKEN{env:TOKEN}"],
  ["${TRICKY}", "${TOKEN}~$TOKEN{env:TOKEN}", "gemini"],
  ["${TRICKY}", "${TOKEN}~$TOKEN{env:TOKEN}", "opencode"],
  ["$TOKEN {env:TOKEN} %TOKEN% $ ${ } {} ${} ${1} ${#a} ${a b}", "same"],
  ["${unclosed", "same"],
  ["$TOKEN and pa$word", "t0p and pa$word", "gemini"],
  ["Bearer {env:TOKEN} ${env:TOKEN} ${TOKEN}", "Bearer t0p t0p t0p", "opencode"],
];

for (const [text, expected, dialect] of EXPANDED) {
  Deno.test(`expandText() of ${text}${dialect ? ` as ${dialect}` : ""}`, () => {
    assertEquals(expandText(text, context(dialect)), expected === "same" ? text : expected);
  });
}

const REFUSED: [text: string, why: string, dialect?: Dialect][] = [
  ["${NONE}", 'the variable "NONE" is not set'],
  ["a ${TOKEN} ${env:NONE}", 'the variable "NONE" is not set'],
  ["{env:NONE}", 'the variable "NONE" is not set', "opencode"],
  ["${input:github-token}", 'only the client it was written for can resolve "input:…"'],
  ["${command:x.y}", 'only the client it was written for can resolve "command:…"'],
  ["{file:~/.secret}", 'only the client it was written for can resolve "file:…"', "opencode"],
  ["${NONE:-${TOKEN}}", "a reference within a reference"],
];

for (const [text, why, dialect] of REFUSED) {
  Deno.test(`expandText() refuses ${text}`, () => {
    const error = assertThrows(() => expandText(text, context(dialect)), ConfigProblem);
    assertEquals(error.message, why);
  });
}

Deno.test("expandText() says when a variable may not be read, default or not", () => {
  const denied: ExpandContext = { ...context(), readVariable: () => DENIED };
  for (const text of ["${TOKEN}", "${TOKEN:-x}", "${env:TOKEN}"]) {
    const error = assertThrows(() => expandText(text, denied), ConfigProblem);
    assertEquals(
      error.message,
      'the variable "TOKEN" is not readable with the granted permissions',
    );
  }
});

Deno.test("expandPath() replaces a leading tilde as it stands in the file", () => {
  assertEquals(expandPath("~/x/~", context()), "/home/a/x/~");
  assertEquals(expandPath("~", context()), "/home/a");
  assertEquals(expandPath("~\\x", context()), "/home/a\\x");
  assertEquals(expandPath("~/${TOKEN}", context()), "/home/a/t0p");
  assertEquals(expandPath("~bob/x", context()), "~bob/x");
  assertEquals(expandPath("a/~/x", context()), "a/~/x");
  assertEquals(expandPath("${T}", context("plain", { T: "~/x" })), "~/x");
  assertEquals(expandPath("~/x", { ...context(), home: undefined }), "~/x");
});

const DIALECTS: readonly Dialect[] = ["plain", "opencode", "gemini"];
const dialect = fc.constantFrom(...DIALECTS);

Deno.test("expandText() leaves text without $ and { as it is", () => {
  const text = fc.string().filter((text) => !/[${]/.test(text));
  fc.assert(fc.property(text, dialect, (text, dialect) => {
    assertEquals(expandText(text, context(dialect)), text);
  }));
});

Deno.test("expandText() puts any value in literally, between any texts", () => {
  const around = fc.string().filter((text) => !/[${}]/.test(text));
  fc.assert(fc.property(around, fc.string(), around, (before, value, after) => {
    const own = context("plain", { V: value });
    assertEquals(expandText(`${before}\${V}${after}`, own), before + value + after);
  }));
});

const messy = fc.array(
  fc.oneof(fc.string(), fc.constantFrom("${", "}", "$", "{env:", ":-", "TOKEN", "input:", "~")),
).map((parts) => parts.join(""));

Deno.test("expandText() gives text or a problem without a value, whatever it is given", () => {
  fc.assert(fc.property(messy, dialect, (text, dialect) => {
    const secret = "s3cr3t-value";
    const own = context(dialect, { TOKEN: secret });
    try {
      assert(typeof expandText(text, own) === "string");
    } catch (error) {
      assert(error instanceof ConfigProblem, String(error));
      assert(!error.message.includes(secret));
    }
  }));
});

Deno.test("expandText() takes linear time on text that looks like references", () => {
  const started = performance.now();
  for (const piece of ["${", "${a", "$", "{env:", "${a:-", "a${"]) {
    for (const dialect of DIALECTS) {
      try {
        expandText(piece.repeat(200_000), context(dialect));
      } catch (error) {
        assert(error instanceof ConfigProblem);
      }
    }
  }
  assert(performance.now() - started < 5000);
});
