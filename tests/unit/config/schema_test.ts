import { assertEquals, assertStringIncludes } from "@std/assert";
import { formatHelp } from "../../../src/config/help.ts";
import { flagOf, type Setting, SETTING_KEYS, SETTINGS } from "../../../src/config/schema.ts";

const settings: Setting[] = Object.values(SETTINGS);

Deno.test("SETTINGS has defaults and examples that its own schemas accept", () => {
  for (const { env, schema, default: preset, example } of settings) {
    const value = preset ?? example;
    assertEquals(value !== undefined && schema.safeParse(value).success, true, env);
  }
});

Deno.test("SETTINGS names each variable and flag once", () => {
  assertEquals(new Set(settings.map((setting) => setting.env)).size, settings.length);
  assertEquals(new Set(SETTING_KEYS.map(flagOf)).size, settings.length);
});

Deno.test("flagOf() derives the flag from the variable", () => {
  assertEquals(flagOf("maxTimeoutSeconds"), "--max-timeout");
  assertEquals(flagOf("memoryBytes"), "--memory");
});

Deno.test("formatHelp() shows flag, variable, meaning and default of every setting", () => {
  const help = formatHelp();
  for (const key of SETTING_KEYS) {
    const setting: Setting = SETTINGS[key];
    assertStringIncludes(help, `  ${flagOf(key)} <${setting.placeholder}>`);
    assertStringIncludes(help, setting.env);
    assertStringIncludes(help, setting.help + (setting.default ? ` [${setting.default}]` : ""));
  }
});

Deno.test("formatHelp() fits into 100 columns", () => {
  for (const line of formatHelp().split("\n")) assertEquals(line.length <= 100, true, line);
});
