/** What a run shows: the images an answer can carry, and for everything else the reason why it cannot. */
import type { RunFiles } from "../store/runs/run_files.ts";
import type { StoredFile } from "../store/runs/stored_file.ts";
import { readImageHeader } from "./image_header.ts";
import type { ShownImage } from "./run_result.ts";

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
