/** One line of the client → a JSON-RPC message, or the answer that refuses it. Pure; never throws. */
import {
  INVALID_REQUEST,
  type JSONRPCMessage,
  PARSE_ERROR,
  parseJSONRPCMessage,
} from "@modelcontextprotocol/server";

/** The answer to what is no message; a null id says that no request could be made out. */
export interface Refusal {
  jsonrpc: "2.0";
  id: string | number | null;
  error: { code: number; message: string };
}

/** Reads a line that is not blank. */
export function parseJsonRpcLine(
  line: string,
): { message: JSONRPCMessage } | { refusal: Refusal } {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { refusal: toRefusal(PARSE_ERROR, "Parse error: the line is not JSON") };
  }
  try {
    return { message: parseJSONRPCMessage(value) };
  } catch {
    const reason = "Invalid Request: not a JSON-RPC 2.0 message";
    return { refusal: toRefusal(INVALID_REQUEST, reason, requestId(value)) };
  }
}

/** An error as the answer to `id`. */
export function toRefusal(code: number, message: string, id: Refusal["id"] = null): Refusal {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

/** The id of what was meant as a request; a broken response must not be answered under its id. */
function requestId(value: unknown): Refusal["id"] {
  if (typeof value !== "object" || value === null || !("method" in value)) return null;
  const id = "id" in value ? value.id : null;
  return typeof id === "string" || typeof id === "number" ? id : null;
}
