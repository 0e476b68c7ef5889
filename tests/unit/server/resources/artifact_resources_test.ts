import type { Client } from "@modelcontextprotocol/client";
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import type { ArtifactReader } from "../../../../src/server/resources/artifact_resources.ts";
import type { ArtifactLister } from "../../../../src/server/resources/resource_list.ts";
import { connectClient, ERAS, serverDeps } from "../../../support/server_fixtures.ts";

const ROOT = "resource://mcp-server-code-execution-mode/runs";
const MIB = 1024 * 1024;

const FILES: Record<string, { mimeType: string; bytes: Uint8Array }> = {
  "out.txt": { mimeType: "text/plain", bytes: new TextEncoder().encode("héllo €uro 🐍!") },
  "big.bin": { mimeType: "application/octet-stream", bytes: new Uint8Array(5 * MIB).fill(7) },
  "a/b c.json": { mimeType: "application/json", bytes: new TextEncoder().encode("{}") },
  "empty.txt": { mimeType: "text/plain", bytes: new Uint8Array() },
};

const ARTIFACTS = Object.entries(FILES).map(([name, { mimeType, bytes }]) => ({
  name,
  uri: `${ROOT}/7/${encodeURIComponent(name)}`,
  mimeType,
  size: bytes.length,
}));

const reader: ArtifactReader & ArtifactLister = {
  list: (page) =>
    Promise.resolve(
      page === undefined
        ? { artifacts: ARTIFACTS.slice(0, 2), next: "2" }
        : page === "2"
        ? { artifacts: ARTIFACTS.slice(2) }
        : undefined,
    ),
  read: (run, name, offset, length) => {
    const file = run === "7" ? FILES[name] : undefined;
    if (file === undefined) return Promise.resolve(undefined);
    const { bytes, mimeType } = file;
    return Promise.resolve({
      bytes: bytes.subarray(offset, offset + length),
      size: bytes.length,
      mimeType,
    });
  },
};

async function withClient(test: (client: Client) => Promise<void>): Promise<void> {
  await using connection = await connectClient(serverDeps(undefined, { artifacts: reader }));
  await test(connection.client);
}

async function read(client: Client, path: string) {
  const { contents } = await client.readResource({ uri: `${ROOT}/${path}` });
  return contents[0] as { text?: string; blob?: string; _meta: Record<string, number> };
}

for (const era of ERAS) {
  Deno.test(`listInPages() lists the manual and then the artifacts, page by page (${era})`, async () => {
    await using connection = await connectClient(
      serverDeps(undefined, { artifacts: reader }),
      era,
    );
    const ask = (cursor?: string) =>
      connection.client.request({ method: "resources/list", params: { ...cursor && { cursor } } });
    const description = "A file of a past run, read in pieces of at most 4 MiB";
    const expected = ARTIFACTS.map((artifact) => {
      return { ...artifact, title: `7/${artifact.name}`, description };
    });
    const first = await ask();
    assertEquals(first.resources[0]?.name, "code-execution-capabilities");
    assertEquals([first.resources.slice(1), first.nextCursor], [expected.slice(0, 2), "2"]);
    const second = await ask("2");
    assertEquals([second.resources, second.nextCursor], [expected.slice(2), undefined]);
    const error = await assertRejects(() => ask("nonsense"));
    assertEquals((error as Error & { code: number }).code, -32602);
    assertStringIncludes(
      (error as Error).message,
      'Cannot list from cursor "nonsense": expected the nextCursor of a list',
    );
  });
}

Deno.test("registerArtifacts() gives a text whole when it is small", () =>
  withClient(async (client) => {
    const { text, _meta } = await read(client, "7/out.txt");
    assertEquals(text, "héllo €uro 🐍!");
    assertEquals(_meta, { size: 19, offset: 0 });
  }));

Deno.test("registerArtifacts() gives binaries in pieces of at most 4 MiB", () =>
  withClient(async (client) => {
    const first = await read(client, "7/big.bin");
    assertEquals(Uint8Array.fromBase64(first.blob!).length, 4 * MIB);
    assertEquals(first._meta, { size: 5 * MIB, offset: 0, nextOffset: 4 * MIB });
    const second = await read(client, `7/big.bin?offset=${4 * MIB}&length=99999999`);
    assertEquals(Uint8Array.fromBase64(second.blob!).length, MIB);
    assertEquals(second._meta, { size: 5 * MIB, offset: 4 * MIB });
  }));

for (const length of [1, 2, 3, 4, 5, 7]) {
  Deno.test(`registerArtifacts() cuts text between characters, ${length} bytes at a time`, () =>
    withClient(async (client) => {
      let whole = "";
      for (let offset: number | undefined = 0; offset !== undefined;) {
        const { text, _meta } = await read(client, `7/out.txt?length=${length}&offset=${offset}`);
        assertEquals(_meta.offset, offset);
        assertEquals((_meta.nextOffset ?? Infinity) > offset, true);
        whole += text;
        offset = _meta.nextOffset;
      }
      assertEquals(whole, "héllo €uro 🐍!");
    }));
}

Deno.test("registerArtifacts() decodes names with slashes and spaces", () =>
  withClient(async (client) => {
    assertEquals((await read(client, "7/a%2Fb%20c.json")).text, "{}");
  }));

Deno.test("registerArtifacts() reads an empty file, and the end of one that is not", () =>
  withClient(async (client) => {
    assertEquals(await read(client, "7/empty.txt").then((piece) => piece.text), "");
    assertEquals((await read(client, "7/out.txt?offset=19")).text, "");
  }));

const REFUSED: [path: string, message: string][] = [
  ["7/out.txt?offset=-1", 'Cannot use offset="-1": expected a whole number from 0 on'],
  ["7/out.txt?offset=x", 'Cannot use offset="x": expected a whole number from 0 on'],
  ["7/out.txt?offset=1e30", 'Cannot use offset="1e30": expected a whole number from 0 on'],
  ["7/out.txt?length=0", 'Cannot use length="0": expected a whole number from 1 on'],
  ["7/out.txt?length=1.5", 'Cannot use length="1.5": expected a whole number from 1 on'],
  ["7/out.txt?offset=20", "Cannot read from offset 20: the artifact has 19 bytes"],
  ["8/out.txt", `Resource not found: ${ROOT}/8/out.txt`],
  ["7/none.txt", `Resource not found: ${ROOT}/7/none.txt`],
  ["7/%zz", `Resource not found: ${ROOT}/7/%zz`],
  ["7/a/b", `Resource not found: ${ROOT}/7/a/b`],
  ["7", `Resource not found: ${ROOT}/7`],
];

for (const [path, message] of REFUSED) {
  Deno.test(`registerArtifacts() refuses ${path} as invalid params`, () =>
    withClient(async (client) => {
      const error = await assertRejects(() => read(client, path)) as Error & { code: number };
      assertEquals(error.code, -32602);
      assertEquals(error.message.endsWith(message), true, error.message);
    }));
}
