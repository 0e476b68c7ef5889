import { assert, assertEquals } from "@std/assert";
import config from "../../../deno.json" with { type: "json" };

const NOT_ANY = "type NotAny<T> = 0 extends 1 & T ? never : T;";

/**
 * Every declared function of `@std` is imported under its name and given to a type that `any` does not fit.
 * The package has no types of its own: what is not declared would be `any`, and never be checked.
 */
Deno.test("nothing of @std is any", async () => {
  const names = Object.keys(config.imports).filter((name) => name.startsWith("@std/"));
  const declared = await Deno.readTextFile(new URL("src/shared/std.d.ts", root));
  const lines = [NOT_ANY];
  for (const [at, name] of names.entries()) {
    const [, body = ""] = declared.split(`declare module "${name}" {`);
    const functions = [...body.split("\n}")[0]!.matchAll(/export function (\w+)/g)];
    assert(functions.length > 0, `${name} is in deno.json, and nothing of it is declared`);
    lines.push(`import * as m${at} from "${name}";`);
    for (const [, own] of functions) {
      lines.push(`const ${own}${at}: NotAny<typeof m${at}.${own}> = m${at}.${own};`);
      lines.push(`void ${own}${at};`);
    }
  }
  assertEquals(await check(lines), "");
});

Deno.test("the check above finds what is any", async () => {
  const lines = [NOT_ANY, "const own: NotAny<any> = 0;", "void own;"];
  assert((await check(lines)).includes("never"));
});

const root = new URL("../../../", import.meta.url);

/** What `deno check` says of a module, with the settings of this project. */
async function check(lines: readonly string[]): Promise<string> {
  const file = await Deno.makeTempFile({ suffix: ".ts" });
  try {
    await Deno.writeTextFile(file, lines.join("\n"));
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["check", "--quiet", "--config", new URL("deno.json", root).pathname, file],
      cwd: root,
    }).output();
    return success ? "" : new TextDecoder().decode(stderr);
  } finally {
    await Deno.remove(file);
  }
}
