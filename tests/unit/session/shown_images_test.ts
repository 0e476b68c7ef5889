import { assertEquals, assertMatch } from "@std/assert";
import { readShown } from "../../../src/session/shown_images.ts";
import type { RunFiles } from "../../../src/store/runs/run_files.ts";
import { RunStore } from "../../../src/store/runs/run_store.ts";
import { gifImage, pngImage } from "../../support/images.ts";

async function withFiles(body: (files: RunFiles) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "mcp-bridge-test-" });
  try {
    using files = new RunStore(folder).newRun();
    await body(files);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function show(files: RunFiles, name: string, bytes: Uint8Array): void {
  files.put({ name, offset: 0, bytes, last: true });
  files.show(name);
}

Deno.test("readShown() gives images byte by byte, in the order they were shown", () =>
  withFiles(async (files) => {
    const png = await pngImage(512, 512);
    show(files, "b.png", png);
    show(files, "a.gif", gifImage(3, 4));
    files.put({ name: "saved.png", offset: 0, bytes: png, last: true });
    const { images, notes } = await readShown(files);
    assertEquals(images.map(({ mimeType }) => mimeType), ["image/png", "image/gif"]);
    assertEquals(Uint8Array.fromBase64(images[0]!.data), png);
    assertEquals(notes, []);
  }));

Deno.test("readShown() names an image after its content, not after its name", () =>
  withFiles(async (files) => {
    show(files, "photo.jpg", await pngImage(1, 1));
    const { images } = await readShown(files);
    assertEquals(images.map(({ mimeType }) => mimeType), ["image/png"]);
  }));

const text = (words: string) => new TextEncoder().encode(words);
const REFUSED: [name: string, bytes: () => Promise<Uint8Array>, reason: RegExp][] = [
  ["a.svg", () => Promise.resolve(text("<svg/>")), /only whole PNG, JPEG, GIF and WebP files/],
  ["a.html", () => Promise.resolve(text("<p>")), /only whole PNG, JPEG, GIF and WebP files/],
  ["fake.png", () => Promise.resolve(text("<svg/>")), /only whole PNG, JPEG, GIF and WebP files/],
  ["half.png", async () => (await pngImage(9, 9)).subarray(0, 40), /only whole PNG/],
  [
    "large.png",
    () => pngImage(2, 2, 5_000_000),
    /^large.png is a link, not an image: it has 5,000,/,
  ],
  ["wide.png", () => pngImage(8001, 1), /it is 8001 × 1 pixels, and a side may have 8000/],
  ["empty.png", () => Promise.resolve(new Uint8Array(0)), /only whole PNG/],
];

for (const [name, bytes, reason] of REFUSED) {
  Deno.test(`readShown() says why ${name} is a link`, () =>
    withFiles(async (files) => {
      show(files, name, await bytes());
      const { images, notes } = await readShown(files);
      assertEquals(images, []);
      assertEquals(notes.length, 1);
      assertMatch(notes[0]!, reason);
    }));
}

Deno.test("readShown() shows an image of just 5 MB and 8000 pixels", () =>
  withFiles(async (files) => {
    const png = await pngImage(8000, 1, 4_999_000);
    show(files, "a.png", png);
    assertEquals((await readShown(files)).images.length, 1);
  }));

Deno.test("readShown() has at most 20 images in an answer", () =>
  withFiles(async (files) => {
    for (let at = 0; at < 22; at++) show(files, `${at}.gif`, gifImage(1, 1));
    const { images, notes } = await readShown(files);
    assertEquals(images.length, 20);
    assertEquals(notes, [
      "20.gif is a link, not an image: an answer has at most 20 images",
      "21.gif is a link, not an image: an answer has at most 20 images",
    ]);
  }));

Deno.test("readShown() keeps an answer small enough for clients to read", () =>
  withFiles(async (files) => {
    for (const name of ["a.png", "b.png"]) show(files, name, await pngImage(1, 1, 4_000_000));
    show(files, "c.gif", gifImage(1, 1));
    const { images, notes } = await readShown(files);
    assertEquals(images.map(({ uri }) => uri.split("/").at(-1)), ["a.png", "c.gif"]);
    assertEquals(notes, [
      "b.png is a link, not an image: the images of an answer may have 6,000,000 bytes together",
    ]);
  }));
