/** Images for tests, made byte by byte. */

/** A PNG of one grey, whole and valid, with as much behind its pixels as it takes to have `minBytes`. */
export async function pngImage(
  width: number,
  height: number,
  minBytes = 0,
): Promise<Uint8Array<ArrayBuffer>> {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([8, 0, 0, 0, 0], 8);
  const rows = new Uint8Array((width + 1) * height).fill(128);
  for (let row = 0; row < height; row++) rows[row * (width + 1)] = 0;
  const packed = new Blob([rows]).stream().pipeThrough(new CompressionStream("deflate"));
  const pixels = new Uint8Array(await new Response(packed).arrayBuffer());
  const padding = new Uint8Array(Math.max(0, minBytes - pixels.length));
  const chunks = [
    chunk("IHDR", header),
    chunk("IDAT", pixels),
    ...(padding.length > 0 ? [chunk("teST", padding)] : []),
    chunk("IEND", new Uint8Array(0)),
  ];
  return concat([new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]), ...chunks]);
}

/** The segments of a JPEG up to its data, and its end. */
export function jpegImage(width: number, height: number): Uint8Array {
  const app = [0xff, 0xe0, 0, 4, 0xff, 0xc0];
  const size = [height >> 8, height & 255, width >> 8, width & 255];
  const frame = [0xff, 0xc2, 0, 11, 8, ...size, 1, 1, 0x11, 0];
  const data = [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 1, 2, 3];
  return new Uint8Array([0xff, 0xd8, ...app, ...frame, ...data, 0xff, 0xd9]);
}

/** A GIF without a picture in it. */
export function gifImage(width: number, height: number): Uint8Array {
  const size = [width & 255, width >> 8, height & 255, height >> 8];
  return new Uint8Array([...latin1("GIF89a"), ...size, 0, 0, 0, 0x3b]);
}

/** The start of a WebP of each kind. */
export function webpImage(
  kind: "VP8 " | "VP8L" | "VP8X",
  width: number,
  height: number,
): Uint8Array {
  const bytes = new Uint8Array(40);
  const view = new DataView(bytes.buffer);
  bytes.set(latin1("RIFF"));
  view.setUint32(4, 32, true);
  bytes.set(latin1(`WEBP${kind}`), 8);
  if (kind === "VP8 ") {
    bytes.set([0x9d, 0x01, 0x2a], 23);
    view.setUint16(26, width, true);
    view.setUint16(28, height, true);
  } else if (kind === "VP8L") {
    bytes[20] = 0x2f;
    view.setUint32(21, (width - 1) | ((height - 1) << 14), true);
  } else {
    view.setUint32(24, width - 1, true);
    view.setUint32(27, height - 1, true);
  }
  return bytes;
}

function chunk(name: string, data: Uint8Array): Uint8Array {
  const named = concat([latin1(name), data]);
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, data.length);
  const check = new Uint8Array(4);
  new DataView(check.buffer).setUint32(0, crc32(named));
  return concat([length, named, check]);
}

function crc32(bytes: Uint8Array): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
