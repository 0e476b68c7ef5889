import { assertEquals, assertThrows } from "@std/assert";
import { checkDenoVersion, OLDEST_DENO } from "../../../src/cli/deno_version.ts";
import { AppError } from "../../../src/shared/errors.ts";

for (const version of ["1.46.3", "2.7.14", "2.7.14+abc", "2.8.2"]) {
  Deno.test(`checkDenoVersion() refuses ${version} and names the next step`, () => {
    const error = assertThrows(() => checkDenoVersion(version), AppError);
    assertEquals(error.code, "config");
    assertEquals(
      error.describe(),
      `Cannot run on Deno ${version}: it needs ${OLDEST_DENO} or later\n` +
        '  hint: Run "deno upgrade", or write "npx -y deno@2.9.6" in place of "deno"',
    );
  });
}

for (const version of [OLDEST_DENO, "2.9.6", "2.10.0", "3.0.0-rc.1", Deno.version.deno]) {
  Deno.test(`checkDenoVersion() takes ${version}`, () => checkDenoVersion(version));
}
