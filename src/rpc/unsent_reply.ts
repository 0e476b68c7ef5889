/** What a program is told in place of a reply that was not sent. Pure. */
import type { Channel, Unsent } from "../wire/channel.ts";
import type { RpcReply } from "../wire/rpc.ts";

const MIB = 1024 * 1024;

/** The reply for a reply that was `unsent`. */
export function toUnsentReply({ reason, bytes }: Unsent, { unread }: Channel): RpcReply {
  if (reason === "too_long") {
    return {
      success: false,
      error: "The result is over the limit of 64 MiB: ask the tool for less",
    };
  }
  const [size, most] = [bytes, unread.maxBytes].map((each) => Math.ceil(each / MIB));
  const error = `The result of ${size} MiB was dropped: results of at most ${most} MiB wait ` +
    "until the program takes them; ask for fewer at once";
  return { success: false, error };
}
