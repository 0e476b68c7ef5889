/** Requests about files of the run that asks, and about what earlier runs of its session printed. */
import { z } from "zod";
import type { RpcHandler } from "./router.ts";

/** Longest piece of a file in one message, in bytes: base64 makes 4 MiB of it. */
export const MAX_PIECE_BYTES = 3 * 1024 * 1024;

const savePayload = z.looseObject({
  name: z.string().max(1000),
  offset: z.int().nonnegative(),
  data: z.string().max(MAX_PIECE_BYTES / 3 * 4),
  last: z.boolean(),
});

const showPayload = z.looseObject({ name: z.string().max(1000) });

const outputPayload = z.looseObject({
  run: z.int().negative(),
  stream: z.enum(["stdout", "stderr"]).default("stdout"),
  offset: z.int().nonnegative().default(0),
  length: z.int().positive().max(MAX_PIECE_BYTES).default(MAX_PIECE_BYTES),
});

/** Keeps a piece of a file; the reply to the last one says where the file can be read. */
export const saveFile: RpcHandler = (payload, { files }) => {
  const { name, offset, data, last } = savePayload.parse(payload);
  const file = files.put({ name, offset, bytes: decode(data), last });
  return { success: true, ...(file !== undefined && { file: { ...file } }) };
};

/** Has a kept file shown in the answer. */
export const showFile: RpcHandler = (payload, { files }) => {
  files.show(showPayload.parse(payload).name);
  return { success: true };
};

/** A piece of what an earlier run of the session printed. */
export const readOutput: RpcHandler = async (payload, { history }) => {
  const { run, stream, offset, length } = outputPayload.parse(payload);
  const { bytes, size } = await history.read(run, stream, offset, length);
  return { success: true, data: bytes.toBase64(), size };
};

function decode(data: string): Uint8Array {
  try {
    return Uint8Array.fromBase64(data);
  } catch {
    throw new Error("Cannot keep a piece of a file: `data` is not base64");
  }
}
