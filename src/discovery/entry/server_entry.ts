/** What discovery finds: the user's MCP servers, and what became of every entry that is not one. */

/** How to reach a server. */
export type ServerTransport =
  | {
    kind: "stdio";
    command: string;
    args: readonly string[];
    /** The entry's own variables, expanded; the child gets these and a minimal base, not ours. */
    env: Readonly<Record<string, string>>;
    cwd?: string;
  }
  | {
    /** `auto`: Streamable HTTP, and SSE where the server does not speak it. */
    kind: "http" | "sse" | "auto";
    url: string;
    headers: Readonly<Record<string, string>>;
  };

/** Where an entry stands. */
export interface EntrySource {
  /** Which program's configuration it is, such as `Claude Code`. */
  client: string;
  file: string;
  line: number;
}

/** A server that can be used. */
export interface ServerEntry {
  /** Name as written; policy always looks at this one. */
  name: string;
  description: string;
  transport: ServerTransport;
  /** Time limit of one call, where the entry sets one. */
  timeoutSeconds?: number;
  source: EntrySource;
}

/** An entry that is not used, and why. */
export interface SkippedEntry {
  /** Absent when a whole file could not be read. */
  name?: string;
  status: "invalid" | "disabled" | "shadowed" | "self" | "untrusted";
  reason: string;
  source: EntrySource;
}

/** All that was found, in order of precedence. */
export interface Discovered {
  servers: readonly ServerEntry[];
  skipped: readonly SkippedEntry[];
}

/** Finds servers; cheap to ask before every run. */
export interface ServerDiscovery {
  /** What is configured now: files that changed on disk since the last time are read again. */
  discover(): Promise<Discovered>;
}
