/** What a run shows: the images an answer can carry, and for everything else the reason why it cannot. */
import type { ShownImage } from "./run_result.ts";
import type { RunFiles } from "../store/runs/run_files.ts";
import type { StoredFile } from "../store/runs/stored_file.ts";

/** Largest image that clients hand on to their model. */
const MAX_IMAGE_BYTES = 5_000_000;

/** Longest side of such an image, in pixels. */
const MAX_SIDE = 8000;

/** Images in one answer. */
const MAX_IMAGES = 20;

/** All images of an answer: the official SDK's clients read no message of more than 10 MB. */
const MAX_ALL_BYTES = 6_000_000;

/** What is shown, and why the rest is not. */
export interface ShownFiles {
  images: ShownImage[];
  notes: string[];
}

/** Reads the images among the files that a run shows. */
export async function readShown(files: RunFiles): Promise<ShownFiles> {
  const images: ShownImage[] = [];
  const notes: string[] = [];
  let room = MAX_ALL_BYTES;
  for (const file of files.shown) {
    const outcome = images.length === MAX_IMAGES
      ? `an answer has at most ${MAX_IMAGES} images`
      : file.size > MAX_IMAGE_BYTES
      ? `it has ${count(file.size)} bytes, and an image may have ${count(MAX_IMAGE_BYTES)}`
      : file.size > room
      ? `the images of an answer may have ${count(MAX_ALL_BYTES)} bytes together`
      : await readImage(files, file);
    if (typeof outcome === "string") notes.push(`${file.name} is a link, not an image: ${outcome}`);
    else {
      images.push(outcome);
      room -= file.size;
    }
  }
  return { images, notes };
}

/** The image in a file, or why there is none. */
async function readImage(files: RunFiles, file: StoredFile): Promise<ShownImage | string> {
  let bytes: Uint8Array;
  try {
    bytes = await files.readKept(file);
  } catch {
    return "it cannot be read any more";
  }
  const header = readImageHeader(bytes);
  // A client that is sent anything else as an image can lose the whole conversation.
  if (header === undefined) {
    return "only whole PNG, JPEG, GIF and WebP files are shown as images";
  }
  const { mimeType, width, height } = header;
  if (Math.max(width, height) > MAX_SIDE) {
    return `it is ${width} × ${height} pixels, and a side may have ${MAX_SIDE}`;
  }
  return { uri: file.uri, mimeType, data: bytes.toBase64() };
}

function count(number: number): string {
  return number.toLocaleString("en-US");
}

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
