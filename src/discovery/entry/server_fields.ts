/** The fields of an entry, under every name the clients have for them, and nothing but their types. */
import { z } from "zod";
import { ConfigProblem, quoted } from "../config_problem.ts";

const text = z.string("expected text");
// YAML and people write `PORT: 8080`; a process gets texts all the same.
const scalar = z.union([z.string(), z.number(), z.boolean()], "expected text").transform(String);
const texts = z.array(scalar, "expected a list of texts");
const table = z.record(z.string(), scalar.nullable(), "expected names with texts");
const yesOrNo = z.boolean("expected true or false");
const duration = z.number("expected a number").positive("expected a number above 0");

// `null` is how some clients write a field that is not set.
const serverFields = z.object({
  command: z.union([
    z.string(),
    texts,
    z.object({ path: text, args: texts.nullish(), env: table.nullish() }),
  ], "expected text or a list of texts").nullish(),
  cmd: text.nullish(),
  args: texts.nullish(),
  env: table.nullish(),
  environment: table.nullish(),
  envs: table.nullish(),
  /** Codex: names of variables that are handed on from our own environment. */
  env_vars: z.array(z.unknown(), "expected a list of texts").nullish(),
  cwd: text.nullish(),
  url: text.nullish(),
  serverUrl: text.nullish(),
  httpUrl: text.nullish(),
  uri: text.nullish(),
  type: text.nullish(),
  headers: table.nullish(),
  http_headers: table.nullish(),
  /** Header → variable that holds its value. */
  env_http_headers: table.nullish(),
  bearer_token_env_var: text.nullish(),
  description: text.nullish(),
  disabled: yesOrNo.nullish(),
  enabled: yesOrNo.nullish(),
  timeout: z.union(
    [duration, z.object({ request: duration.nullish() })],
    "expected a number above 0",
  )
    .nullish(),
  tool_timeout_sec: duration.nullish(),
  /** Zed: `extension` for a server that an extension starts. */
  source: text.nullish(),
}, "expected an object");

/** The fields of an entry, by the names in the file; unknown ones are left out. */
export type ServerFields = z.output<typeof serverFields>;

/**
 * Checks the types of an entry's fields.
 *
 * @throws {ConfigProblem} for the first wrong one; its path is relative to the entry.
 */
export function checkFields(value: unknown): ServerFields {
  const parsed = serverFields.safeParse(value);
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0]!;
  const keys = path.map(String);
  const what = keys.length === 0 ? "the entry" : quoted(keys.join("."));
  throw new ConfigProblem(`Cannot use ${what}: ${message}`, { path: keys });
}

/** Whether the person switched the entry off. */
export function isDisabled(value: unknown): boolean {
  const { disabled, enabled } = (value ?? {}) as Record<string, unknown>;
  return disabled === true || enabled === false;
}

const MAX_TIMEOUT_SECONDS = 86_400;

/**
 * Time limit of one call, a day at most. Codex and goose count in seconds, Claude Code, Gemini and OpenCode in
 * milliseconds; elsewhere both are found, so there 1000 and more are taken as milliseconds.
 */
export function timeoutSeconds(fields: ServerFields, countsSeconds: boolean): number | undefined {
  const { timeout, tool_timeout_sec: seconds } = fields;
  const value = typeof timeout === "object" ? timeout?.request : timeout;
  const isSeconds = countsSeconds || (value ?? 0) < 1000;
  const limit = seconds ?? (isSeconds ? value : value! / 1000);
  return limit ? Math.min(limit, MAX_TIMEOUT_SECONDS) : undefined;
}
