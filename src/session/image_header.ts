/** What an image says of itself in its first bytes, and whether it comes to its end. Pure. */

/** Kinds of images that every client can show to its model. */
export type ImageType = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

/** An image by its own words. */
export interface ImageHeader {
  mimeType: ImageType;
  width: number;
  height: number;
}

interface Size {
  width: number;
  height: number;
}

/** The header of a whole image; undefined if the bytes are no image of a kind we know, or a broken one. */
export function readImageHeader(bytes: Uint8Array): ImageHeader | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const [mimeType, signature, readSize] of KINDS) {
    if (!signature.test(latin1(bytes, 0, 16))) continue;
    try {
      const size = readSize(view);
      if (size !== undefined && size.width > 0 && size.height > 0) return { mimeType, ...size };
    } catch (error) {
      // It ends before it has said how large it is.
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return undefined;
}

const KINDS: ReadonlyArray<[ImageType, RegExp, (view: DataView) => Size | undefined]> = [
  // deno-lint-ignore no-control-regex
  ["image/png", /^\x89PNG\r\n\x1a\n/, readPng],
  ["image/jpeg", /^\xff\xd8\xff/, readJpeg],
  ["image/gif", /^GIF8[79]a/, readGif],
  ["image/webp", /^RIFF[\s\S]{4}WEBP/, readWebp],
];

/** A list of chunks, the first with the size, the last one empty. */
function readPng(view: DataView): Size | undefined {
  if (chunkName(view, 12) !== "IHDR") return undefined;
  for (let at = 8;; at += 12 + view.getUint32(at)) {
    if (chunkName(view, at + 4) !== "IEND") continue;
    return { width: view.getUint32(16), height: view.getUint32(20) };
  }
}

/** Segments, one of them with the size, before the data; the end is a marker of its own. */
function readJpeg(view: DataView): Size | undefined {
  let size: Size | undefined;
  for (let at = 2; view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2)) {
    while (view.getUint8(at + 1) === 0xff) at++;
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) size = { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    if (marker === 0xda) return size !== undefined && hasEndMarker(view, at) ? size : undefined;
  }
  return undefined;
}

function hasEndMarker(view: DataView, from: number): boolean {
  for (let at = view.byteLength - 2; at > from; at--) {
    if (view.getUint16(at) === 0xffd9) return true;
  }
  return false;
}

function readGif(view: DataView): Size | undefined {
  let end = view.byteLength - 1;
  while (end > 0 && view.getUint8(end) === 0) end--;
  if (view.getUint8(end) !== 0x3b) return undefined;
  return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

function readWebp(view: DataView): Size | undefined {
  if (view.getUint32(4, true) + 8 > view.byteLength) return undefined;
  const uint24 = (at: number) => view.getUint16(at, true) + 0x10000 * view.getUint8(at + 2);
  switch (chunkName(view, 12)) {
    case "VP8X":
      return { width: uint24(24) + 1, height: uint24(27) + 1 };
    case "VP8L": {
      if (view.getUint8(20) !== 0x2f) return undefined;
      const bits = view.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
    }
    case "VP8 ": {
      if (uint24(23) !== 0x2a019d) return undefined;
      const [width, height] = [view.getUint16(26, true), view.getUint16(28, true)];
      return { width: width & 0x3fff, height: height & 0x3fff };
    }
    default:
      return undefined;
  }
}

function chunkName(view: DataView, at: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((offset) => view.getUint8(at + offset)));
}

function latin1(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to));
}
