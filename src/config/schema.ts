/**
 * Every setting, once. Validation, `--help` and the docs all read this table; a new setting is a new
 * row. Where the texts come from is the business of `args.ts` and `load.ts`.
 */
import type { z } from "zod";
import { LOG_LEVELS } from "../shared/log.ts";
import type * as kinds from "./values.ts";

/** Kinds of values. They are handed in, so that who only needs names and texts does not load zod. */
export type ValueKinds = typeof kinds;

/** One setting. */
export interface Setting {
  /** Name of the environment variable; the flag's name follows from it. */
  env: string;
  /** From text to value. */
  schema: (kinds: ValueKinds) => kinds.ValueSchema<unknown>;
  /** Used when nothing is set, written as the user would; without it the setting stays absent. */
  default?: string;
  /** A value to suggest when there is no default. */
  example?: string;
  /** What stands for the value in `--help`. */
  placeholder: string;
  /** One sentence. */
  help: string;
}

/** The settings, in the order `--help` shows them. */
export const SETTINGS = {
  engine: {
    env: "MCP_BRIDGE_ENGINE",
    schema: (kinds) => kinds.choice(["auto", "wasm", "podman", "docker"]),
    default: "auto",
    placeholder: "name",
    help: "What runs the code: auto, wasm (embedded), podman or docker",
  },
  timeoutSeconds: {
    env: "MCP_BRIDGE_TIMEOUT",
    schema: (kinds) => kinds.wholeNumber(1, 86_400),
    default: "30",
    placeholder: "seconds",
    help: "Time limit of a run that names none",
  },
  maxTimeoutSeconds: {
    env: "MCP_BRIDGE_MAX_TIMEOUT",
    schema: (kinds) => kinds.wholeNumber(1, 86_400),
    default: "120",
    placeholder: "seconds",
    help: "Longest time limit a run can ask for",
  },
  memoryBytes: {
    env: "MCP_BRIDGE_MEMORY",
    // Below 64 MiB Python itself does not start.
    schema: (kinds) => kinds.byteSize("64m", "1024g"),
    default: "512m",
    placeholder: "size",
    help: "Memory of a sandbox: a number with b, k, m or g",
  },
  pids: {
    env: "MCP_BRIDGE_PIDS",
    schema: (kinds) => kinds.wholeNumber(8, 1_000_000),
    default: "128",
    placeholder: "number",
    help: "Most processes and threads of a sandbox",
  },
  cpus: {
    env: "MCP_BRIDGE_CPUS",
    schema: (kinds) => kinds.decimalNumber(0.01, 1024),
    example: "2",
    placeholder: "number",
    help: "Most CPUs of a sandbox; unset means no limit",
  },
  containerUser: {
    env: "MCP_BRIDGE_CONTAINER_USER",
    schema: (kinds) => kinds.textLike(/^\d+:\d+$/, "uid:gid in numbers"),
    default: "65534:65534",
    placeholder: "uid:gid",
    help: "User a container runs as",
  },
  image: {
    env: "MCP_BRIDGE_IMAGE",
    // SECURITY: host command line: the image is an argument of the container CLI, so it must not read as a flag.
    schema: (kinds) =>
      kinds.textLike(/^[^-\s]\S*$/, 'an image name without spaces or a leading "-"'),
    default: "python:3.14-slim",
    placeholder: "image",
    help: "Image of a container",
  },
  runtime: {
    env: "MCP_BRIDGE_RUNTIME",
    schema: (kinds) =>
      kinds.textLike(/^(podman|docker|[^-].*[/\\].*|[/\\].+)$/, "podman, docker or a path"),
    example: "podman",
    placeholder: "cli",
    help: "Container CLI to use: podman, docker or a path",
  },
  runtimeIdleTimeoutSeconds: {
    env: "MCP_BRIDGE_RUNTIME_IDLE_TIMEOUT",
    schema: (kinds) => kinds.wholeNumber(1, 86_400),
    default: "300",
    placeholder: "seconds",
    help: "Time without runs after which a podman machine that was started for them is stopped",
  },
  state: {
    env: "MCP_BRIDGE_STATE",
    schema: (kinds) => kinds.choice(["persistent", "fresh"]),
    default: "persistent",
    placeholder: "kind",
    help: "Whether variables live on between calls (persistent) or not (fresh)",
  },
  stateDir: {
    env: "MCP_BRIDGE_STATE_DIR",
    schema: (kinds) => kinds.textLike(/\S/, "a folder"),
    example: "~/.local/state/mcp-bridge",
    placeholder: "folder",
    help: "Folder for what is kept; unset means the user's state folder",
  },
  cacheDir: {
    env: "MCP_BRIDGE_CACHE_DIR",
    schema: (kinds) => kinds.textLike(/\S/, "a folder"),
    example: "~/.cache/mcp-bridge",
    placeholder: "folder",
    help: "Folder for what can be made again; unset means the user's cache folder",
  },
  serversConfig: {
    env: "MCP_SERVERS_CONFIG",
    schema: (kinds) => kinds.textLike(/\S/, "a file"),
    example: "~/servers.json",
    placeholder: "file",
    help: "File with MCP servers, read before those of the installed clients",
  },
  serverStartTimeoutSeconds: {
    env: "MCP_BRIDGE_SERVER_START_TIMEOUT",
    schema: (kinds) => kinds.wholeNumber(1, 86_400),
    default: "30",
    placeholder: "seconds",
    help: "Time a server has to start",
  },
  serverIdleTimeoutSeconds: {
    env: "MCP_BRIDGE_SERVER_IDLE_TIMEOUT",
    schema: (kinds) => kinds.wholeNumber(1, 86_400),
    default: "600",
    placeholder: "seconds",
    help: "Time without calls after which a server is stopped",
  },
  askTimeoutSeconds: {
    env: "MCP_BRIDGE_ASK_TIMEOUT",
    schema: (kinds) => kinds.wholeNumber(1, 86_400),
    default: "600",
    placeholder: "seconds",
    help: "Time a run waits for answers to questions of servers, beyond its own",
  },
  allowSelfServer: {
    env: "MCP_BRIDGE_ALLOW_SELF_SERVER",
    schema: (kinds) => kinds.zeroOrOne(),
    default: "0",
    placeholder: "0|1",
    help: "Whether an entry that is mcp-bridge itself is loaded as a server",
  },
  trustProject: {
    env: "MCP_BRIDGE_TRUST_PROJECT",
    schema: (kinds) => kinds.zeroOrOne(),
    default: "0",
    placeholder: "0|1",
    help: "Whether servers of files in the current folder may be started",
  },
  outputMode: {
    env: "MCP_BRIDGE_OUTPUT_MODE",
    schema: (kinds) => kinds.choice(["compact", "toon"]),
    default: "compact",
    placeholder: "mode",
    help: "Form of an answer: compact or toon",
  },
  structured: {
    env: "MCP_BRIDGE_STRUCTURED",
    schema: (kinds) => kinds.choice(["auto", "always", "never"]),
    default: "auto",
    placeholder: "when",
    help: "Whether answers have structuredContent: always, never, or auto (by client)",
  },
  maxOutputChars: {
    env: "MCP_BRIDGE_MAX_OUTPUT",
    schema: (kinds) => kinds.wholeNumber(1000, 10_000_000),
    default: "30000",
    placeholder: "chars",
    help: "Most characters of output in an answer; the rest is cut from the middle",
  },
  logLevel: {
    env: "MCP_BRIDGE_LOG_LEVEL",
    schema: (kinds) => kinds.choice(LOG_LEVELS),
    default: "info",
    placeholder: "level",
    help: "What is logged to stderr: debug, info, warn or error",
  },
} as const satisfies Record<string, Setting>;

type Table = typeof SETTINGS;

/** Key of a setting in {@link Config}. */
export type SettingKey = keyof Table;

/** Keys of the settings that always have a value. */
type DefaultedKey = {
  [K in SettingKey]: Table[K] extends { default: string } ? K : never;
}[SettingKey];

/** The settings as values. */
export type Config =
  & { readonly [K in DefaultedKey]: z.output<ReturnType<Table[K]["schema"]>> }
  & { readonly [K in Exclude<SettingKey, DefaultedKey>]?: z.output<ReturnType<Table[K]["schema"]>> }
  & {
    /** What the operator set; such a limit is held or the server does not start. */
    readonly explicit: ReadonlySet<SettingKey>;
  };

/** Texts of the settings given as flags. */
export type Flags = Readonly<Partial<Record<SettingKey, string>>>;

/** Keys of all settings, in the table's order. */
export const SETTING_KEYS = Object.keys(SETTINGS) as readonly SettingKey[];

/** The flag of a setting: `MCP_BRIDGE_MAX_TIMEOUT` → `--max-timeout`. */
export function flagOf(key: SettingKey): string {
  const name = SETTINGS[key].env.replace(/^MCP_(BRIDGE_)?/, "");
  return `--${name.toLowerCase().replaceAll("_", "-")}`;
}
