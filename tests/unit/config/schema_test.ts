import { assertEquals } from "@std/assert";
import { flagOf, type Setting, SETTING_KEYS, SETTINGS } from "../../../src/config/schema.ts";
import * as kinds from "../../../src/config/values.ts";

const settings: Setting[] = Object.values(SETTINGS);

Deno.test("SETTINGS has defaults and examples that its own schemas accept", () => {
  for (const { env, schema, default: preset, example } of settings) {
    const value = preset ?? example;
    assertEquals(value !== undefined && schema(kinds).safeParse(value).success, true, env);
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
