/** A client gets images and files of a run through the real server, on each kind of engine. */
import { assert, assertEquals, assertLess, assertStringIncludes } from "@std/assert";
import { BridgeHome } from "../support/bridge_home.ts";
import { type ClientTarget, legacySdk, modernSdk } from "../support/client_targets.ts";
import { findBridgeEngines } from "../support/bridge_engines.ts";
import { assertWithin, measure, pause } from "../support/figures.ts";
import { measureGrowth } from "../support/processes.ts";
import { MAKE_PNG } from "../support/python_png.ts";
import { StdioClient } from "../support/stdio_client.ts";

const MB = 1_000_000;

/** A file of 50 MB whose bytes tell where they stand. */
const BIG = `
import hashlib
block = b"".join(n.to_bytes(4, "big") for n in range(250_000))
big = b"".join(bytes([n]) + block[1:] for n in range(50))
save_file("big.bin", big);
print(len(big), hashlib.sha256(big).hexdigest())
`;

async function digest(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

for (const { name, test, options } of await findBridgeEngines()) {
  const clients: readonly ClientTarget[] = name === "wasm" ? [legacySdk, modernSdk] : [modernSdk];
  for (const target of clients) {
    for (const mode of ["compact", "toon"]) {
      const env = { ...options.env, MCP_BRIDGE_OUTPUT_MODE: mode };
      test(`${target.name}: a PNG that is shown is image content (${mode})`, async () => {
        await using home = new BridgeHome();
        await using connection = await target.connect(home, { env });
        const code = `${MAKE_PNG}\nimport hashlib\ndata = png(512, 512)\n` +
          "show(data); show('<svg/>', 'a.svg');\nprint(hashlib.sha256(data).hexdigest())";
        const { content, structuredContent, isError } = await connection.run({ code });
        const [text, image, link] = content;
        assertEquals([isError ?? false, content.length], [false, 3]);
        assertEquals([image!.type, image!.mimeType], ["image", "image/png"]);
        const bytes = Uint8Array.fromBase64(image!.data!);
        assertStringIncludes(text!.text!, await digest(bytes));
        assertEquals([link!.type, link!.name], ["resource_link", "a.svg"]);
        const { artifacts, notes } = structuredContent as Record<string, Array<{ uri: string }>>;
        assertEquals(artifacts!.length, 2);
        assertStringIncludes(String(notes), "a.svg is a link, not an image");
        // The client reads the same bytes as a resource.
        const { blob, mimeType } = await connection.readResource(artifacts![0]!.uri);
        assertEquals([Uint8Array.fromBase64(blob!), mimeType], [bytes, "image/png"]);
      });
    }

    test(`${target.name}: a file of 50 MB is read in ranges`, async () => {
      await using home = new BridgeHome();
      await using connection = await target.connect(home, options);
      const { content, structuredContent } = await connection.run({ code: BIG, timeout: 120 });
      const link = content[1]!;
      assertEquals([link.type, link.name, link.size], ["resource_link", "big.bin", 50 * MB]);
      const whole = new Uint8Array(50 * MB);
      for (let offset: number | undefined = 0; offset !== undefined;) {
        const { blob, _meta } = await connection.readResource(`${link.uri}?offset=${offset}`);
        whole.set(Uint8Array.fromBase64(blob!), offset);
        offset = _meta!.nextOffset as number | undefined;
      }
      const { stdout } = structuredContent as { stdout: string[] };
      assertEquals(stdout, [`${50 * MB} ${await digest(whole)}`]);
      const piece = await connection.readResource(`${link.uri}?offset=${49 * MB}&length=1`);
      assertEquals(Uint8Array.fromBase64(piece.blob!), new Uint8Array([49]));
    });
  }

  test("50 MB printed, or saved, cost the bridge less than 100 MB", async () => {
    await using home = new BridgeHome();
    await using client = await StdioClient.connect(home, options);
    await client.run("print(1)");
    for (const [what, code] of [["printed", "print('x' * 50_000_000)"], ["saved", BIG]] as const) {
      let ms = 0;
      const grown = await measureGrowth(client.pid, async () => {
        ms = await measure(async () => {
          const { isError, content } = await client.run(code, { timeout: 120 });
          assert(!isError && content[1]?.type === "resource_link", content[0]!.text);
        });
      });
      assertLess(grown, 100 * MB, `50 MB ${what} took ${Math.round(grown / MB)} MB`);
      // 3 s are wanted where nothing else runs.
      assertWithin(`${name}: 50 MB ${what}, ${Math.round(grown / MB)} MB of memory`, ms, 15_000);
    }
  });

  for (const end of ["closed", "killed"]) {
    test(`past runs are read as resources when their bridge was ${end}`, () => readPast(end));
  }

  const readPast = async (end: string) => {
    await using home = new BridgeHome();
    const print = "print('a\\n\\nb')";
    {
      await using client = await StdioClient.connect(home, options);
      await client.run(print);
      if (end === "killed") {
        await pause(1500);
        client.kill("SIGKILL");
      }
    }
    await using connection = await modernSdk.connect(home, options);
    const listed = (await connection.listResources()).slice(1);
    assertEquals(listed.map(({ name }) => name), ["run_python.py", "stdout.txt"]);
    const texts = await Promise.all(listed.map(({ uri }) => connection.readResource(uri)));
    assertEquals(texts.map(({ text }) => text), [print, "a\n\nb\n"]);
  };
}
