/** One line of the client → a JSON-RPC message, or the answer that refuses it. Pure; never throws. */
import {
  INVALID_REQUEST,
  type JSONRPCMessage,
  PARSE_ERROR,
  parseJSONRPCMessage,
} from "@modelcontextprotocol/server";
import { checkJson } from "../../shared/json/json_check.ts";

/** The answer to what is no message; a null id says that no request could be made out. */
export interface Refusal {
  jsonrpc: "2.0";
  id: string | number | null;
  error: { code: number; message: string };
}

/** Longest line that is made into values without a look at how many they are. */
const SHORT_CHARS = 256 * 1024;

/** Most values in a longer line: what is long in a message of a client is a text. */
const MAX_VALUES = 100_000;

/** Most levels in it. */
const MAX_DEPTH = 10_000;

/** Reads a line that is not blank, in steps. */
export function* readJsonRpcLine(
  line: string,
): Generator<void, { message: JSONRPCMessage } | { refusal: Refusal }> {
  let value: unknown;
  try {
    if (line.length > SHORT_CHARS) {
      const { values, found } = yield* checkJson(line, { path: ["id"], maxDepth: MAX_DEPTH });
      if (values > MAX_VALUES) {
        const reason = `Invalid Request: more than ${MAX_VALUES} values in a message`;
        const id = found && found.values === 1 && JSON.parse(line.slice(found.start, found.end));
        return { refusal: toRefusal(INVALID_REQUEST, reason, requestId({ method: "", id })) };
      }
    }
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
