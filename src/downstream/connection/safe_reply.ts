/** What a server says of its failures, without the secrets that it was given. Pure. */
import type { CallToolResult } from "@modelcontextprotocol/client";
import type { ServerTransport } from "../../discovery/entry/server_entry.ts";
import { AppError } from "../../shared/errors.ts";
import { printable } from "../../shared/printable.ts";
import { createRedactor, redactJson, type Redactor } from "./redact.ts";
import type { CallReply } from "../call/send_call.ts";

/** A failure as it may be shown. What a call gives is the program's, as it came. */
export function toSafeReply(reply: CallReply, transport: ServerTransport): CallReply {
  if (reply.kind === "error") {
    const redact = createRedactor(transport);
    return { ...reply, message: redact(reply.message), text: redactJson(reply.text, redact) };
  }
  const text = redactJson(reply.text, createRedactor(transport));
  return text === reply.text ? reply : {
    kind: "result",
    result: text.parse() as CallToolResult,
    text,
  };
}

/** An error of ours that holds words of a server. */
export function toSafeError({ code, message, hint, cause }: AppError, redact: Redactor): AppError {
  return new AppError(toSafeText(message, redact), {
    code,
    ...(hint !== undefined && { hint: toSafeText(hint, redact) }),
    cause,
  });
}

/** Words of a server, as a person may see them. */
export function toSafeText(text: string, redact: Redactor): string {
  return redact(printable(text, "lines"));
}
