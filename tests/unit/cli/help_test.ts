import { assert, assertEquals, assertMatch } from "@std/assert";
import { formatHelp } from "../../../src/cli/help.ts";
import { flagOf, SETTING_KEYS, SETTINGS } from "../../../src/config/schema.ts";

const lines = formatHelp().split("\n");

Deno.test("formatHelp() keeps each flag apart from its variable, in one column", () => {
  const columns = SETTING_KEYS.map((key) => {
    const { env, placeholder } = SETTINGS[key];
    const title = `  ${flagOf(key)} <${placeholder}>`;
    const line = lines.find((line) => line.startsWith(title))!;
    assertMatch(line.slice(title.length), /^ {2,}\w+$/);
    return line.indexOf(env);
  });
  assertEquals(new Set(columns).size, 1);
});

Deno.test("formatHelp() fits a terminal of 80 columns", () => {
  for (const line of lines) assert(line.length <= 80 && !line.endsWith(" "), line);
});

Deno.test("formatHelp() says all of each setting's sentence and default", () => {
  const words = lines.join(" ").replaceAll(/ +/g, " ");
  for (const key of SETTING_KEYS) {
    const setting: { help: string; default?: string } = SETTINGS[key];
    const preset = setting.default === undefined ? "" : ` [${setting.default}]`;
    assert(words.includes(setting.help + preset), key);
  }
});
