import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { type ImageType, readImageHeader } from "../../../src/session/shown_images.ts";
import { gifImage, jpegImage, pngImage, webpImage } from "../../support/images.ts";

const EXAMPLES: [name: string, mimeType: ImageType, bytes: Uint8Array][] = [
  ["PNG", "image/png", await pngImage(300, 200)],
  ["JPEG", "image/jpeg", jpegImage(300, 200)],
  ["GIF", "image/gif", gifImage(300, 200)],
  ["lossy WebP", "image/webp", webpImage("VP8 ", 300, 200)],
  ["lossless WebP", "image/webp", webpImage("VP8L", 300, 200)],
  ["extended WebP", "image/webp", webpImage("VP8X", 300, 200)],
];

for (const [name, mimeType, bytes] of EXAMPLES) {
  Deno.test(`readImageHeader() knows a ${name} and its size`, () => {
    assertEquals(readImageHeader(bytes), { mimeType, width: 300, height: 200 });
  });

  Deno.test(`readImageHeader() takes no part of a ${name} for the whole`, () => {
    // The last bytes of a PNG are a check sum that nobody needs to see the end.
    const end = bytes.length - (name === "PNG" ? 4 : 0);
    for (let length = 0; length < end; length++) {
      assertEquals(readImageHeader(bytes.subarray(0, length)), undefined, `${length} bytes`);
    }
  });
}

Deno.test("readImageHeader() reads an image that lies inside a larger buffer", async () => {
  const png = await pngImage(7, 9);
  const buffer = new Uint8Array(png.length + 20);
  buffer.set(png, 10);
  const { width, height } = readImageHeader(buffer.subarray(10, 10 + png.length))!;
  assertEquals([width, height], [7, 9]);
});

Deno.test("readImageHeader() refuses an image without extent", () => {
  assertEquals(readImageHeader(gifImage(0, 5)), undefined);
  assertEquals(readImageHeader(jpegImage(5, 0)), undefined);
});

for (const text of ["", "<svg xmlns='…'/>", "<!doctype html>", "%PDF-1.7", "BM", "hello"]) {
  Deno.test(`readImageHeader() does not take ${JSON.stringify(text)} for an image`, () => {
    assertEquals(readImageHeader(new TextEncoder().encode(text)), undefined);
  });
}

Deno.test("readImageHeader() answers whatever bytes it is given", () => {
  const starts = EXAMPLES.map(([, , bytes]) => bytes.subarray(0, 16));
  fc.assert(
    fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 200 }), (start, rest) => {
      const header = readImageHeader(new Uint8Array([...start, ...rest]));
      if (header !== undefined) assert(header.width > 0 && header.height > 0);
    }),
  );
});
