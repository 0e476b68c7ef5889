/** Requests about files of the run that asks, and about what earlier runs of its session printed. */
import type { RpcHandler } from "./router.ts";

/** Keeps a piece of a file; the reply to the last one says where the file can be read. */
export const saveFile: RpcHandler<"save_file"> = ({ name, offset, data, last }, { files }) => {
  const file = files.put({ name, offset, bytes: decode(data), last });
  return { success: true, ...(file !== undefined && { file: { ...file } }) };
};

/** Has a kept file shown in the answer. */
export const showFile: RpcHandler<"show_file"> = ({ name }, { files }) => {
  files.show(name);
  return { success: true };
};

/** A piece of what an earlier run of the session printed. */
export const readOutput: RpcHandler<"read_output"> = async (
  { run, stream, offset, length },
  { history },
) => {
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
