/** The time zones of the runtime are those of the newest `tzdata`, which is Python's own package of IANA's. */
import { assertEquals } from "@std/assert";

const PACK = new URL("../../runtime/python/time_zones/tzdata/zones.txt", import.meta.url);

/** The newest version on PyPI, such as `2026.6`; undefined where PyPI cannot be reached. */
async function newestVersion(): Promise<string | undefined> {
  try {
    const response = await fetch("https://pypi.org/pypi/tzdata/json", {
      signal: AbortSignal.timeout(20_000),
    });
    return (await response.json()).info.version;
  } catch (error) {
    // deno-lint-ignore no-console
    console.log(`Skipped the version of the time zones: PyPI cannot be reached (${error})`);
    return undefined;
  }
}

const newest = await newestVersion();

Deno.test({
  name: "the packed time zones are the newest; tests/support/build_time_zones.py packs them anew",
  ignore: newest === undefined,
  async fn() {
    const packed = Uint8Array.fromBase64(await Deno.readTextFile(PACK));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
    const { version } = JSON.parse((await new Response(stream).text()).split("\n", 1)[0]!);
    const [year, number] = newest!.split(".").map(Number);
    assertEquals(version, `${year}${String.fromCharCode("a".charCodeAt(0) + number! - 1)}`);
  },
});
