/** The configured servers of the moment, each with its alias and the digest of its entry. */
import type { CatalogCache } from "./catalog_cache.ts";
import { toUnknownServer } from "../unknown_server.ts";
import type {
  Discovered,
  ServerDiscovery,
  ServerEntry,
  ServerTransport,
  SkippedEntry,
} from "../../discovery/entry/server_entry.ts";
import { toSkippedLine } from "../../discovery/skipped_text.ts";
import { assignAliases } from "../../languages/python/alias.ts";
import type { Logger, LogLevel } from "../../shared/log.ts";

/** A configured server. */
export interface RegisteredServer {
  entry: ServerEntry;
  alias: string;
  digest: string;
}

/** Most names whose alias is kept; projects have servers of their own, so more than are configured now. */
const MAX_KEPT_ALIASES = 1000;

/** Asks discovery and remembers aliases. */
export class ServerRegistry {
  readonly #discovery: ServerDiscovery;
  readonly #cache: CatalogCache;
  readonly #digests = new WeakMap<ServerEntry, Promise<string>>();
  #aliases: Promise<ReadonlyMap<string, string>>;
  readonly #skippedLog: SkippedLog;
  #latest: ReadonlyMap<string, RegisteredServer> = new Map();
  /** What `#latest` was made of. */
  #discovered: Discovered = { servers: [], skipped: [] };

  constructor(discovery: ServerDiscovery, cache: CatalogCache, log: Logger) {
    this.#discovery = discovery;
    this.#cache = cache;
    this.#skippedLog = new SkippedLog(log);
    this.#aliases = cache.readAliases();
  }

  /** Every configured server by name, in order of precedence. */
  async current(): Promise<ReadonlyMap<string, RegisteredServer>> {
    const discovered = await this.#discovery.discover();
    if (discovered === this.#discovered) return this.#latest;
    const { servers, skipped } = discovered;
    this.#skippedLog.note(skipped);
    const names = servers.map(({ name }) => name);
    const [aliases, digests] = await Promise.all([
      this.#aliasesOf(names),
      Promise.all(servers.map((entry) => this.#digestOf(entry))),
    ]);
    this.#latest = new Map(servers.map((entry, index) => {
      const { name } = entry;
      return [name, { entry, alias: aliases.get(name)!, digest: digests[index]! }];
    }));
    this.#discovered = discovered;
    return this.#latest;
  }

  /** What was not used when the configuration was last read. */
  get skipped(): readonly SkippedEntry[] {
    return this.#discovered.skipped;
  }

  /**
   * The server of that name or, failing that, that alias, as it was when the configuration was last read: a run sees one state of it,
   * and a call does not wait for files.
   *
   * @throws {AppError} if there is none.
   */
  async get(name: string): Promise<RegisteredServer> {
    const servers = this.#latest.has(name) ? this.#latest : await this.current();
    const found = servers.get(name) ?? [...servers.values()].find(({ alias }) => alias === name);
    if (found !== undefined) return found;
    throw toUnknownServer(name, { names: [...servers.keys()], skipped: this.skipped });
  }

  /** Aliases, one change after another, so that two calls at once cannot give the same one. */
  #aliasesOf(names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    this.#aliases = this.#aliases.then(async (previous) => {
      const assigned = assignAliases(names, "server", previous);
      if ([...assigned].every(([name, alias]) => previous.get(name) === alias)) return previous;
      const kept = [...previous].filter(([name]) => !assigned.has(name));
      const room = Math.max(0, MAX_KEPT_ALIASES - assigned.size);
      const all = new Map([...kept.slice(-room), ...assigned]);
      await this.#cache.writeAliases(all);
      return all;
    });
    return this.#aliases;
  }

  #digestOf(entry: ServerEntry): Promise<string> {
    let digest = this.#digests.get(entry);
    if (digest === undefined) {
      digest = configDigest(entry.transport);
      this.#digests.set(entry, digest);
    }
    return digest;
  }
}

/** Digest of a transport. It tells nothing of the secrets that went into it. */
export async function configDigest(transport: ServerTransport): Promise<string> {
  const text = JSON.stringify(transport, (_key, value) => isObject(value) ? sorted(value) : value);
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(hash).toHex().slice(0, 40);
}

function sorted(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What is wrong, what is so on purpose, and what goes without saying. */
const LEVELS: Readonly<Record<SkippedEntry["status"], LogLevel>> = {
  invalid: "warn",
  untrusted: "warn",
  disabled: "info",
  shadowed: "debug",
  self: "debug",
};

/** Remembers what was told. */
export class SkippedLog {
  readonly #log: Logger;
  #latest: readonly SkippedEntry[] = [];
  #told: ReadonlySet<string> = new Set();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Logs what was not there the last time. */
  note(skipped: readonly SkippedEntry[]): void {
    // Discovery gives the same list while nothing changes.
    if (skipped === this.#latest) return;
    this.#latest = skipped;
    const told = new Set<string>();
    for (const entry of skipped) {
      const line = toSkippedLine(entry);
      if (!this.#told.has(line) && !told.has(line)) this.#log[LEVELS[entry.status]](line);
      told.add(line);
    }
    this.#told = told;
  }
}
