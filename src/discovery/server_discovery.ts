/**
 * Discovery itself: looks at every place, reads again what changed, and says what is configured now.
 * It reads files and nothing else; servers are started by others.
 */
import { ConfigCache, type IsTrusted, type Place, unreadable } from "./config_cache.ts";
import { type ConfigFiles, findFiles, machineFiles } from "./config_files.ts";
import { type ConfigSource, configSources, homeFolder } from "./config_sources.ts";
import type { Discovered, ServerDiscovery } from "./entry/server_entry.ts";
import { joinPath, type Os } from "./os_path.ts";
import { type Candidate, chooseEntries } from "./precedence.ts";
import { PARENT_MARKER } from "./self_server.ts";
import { MAX_TRUST_BYTES, parseTrusted, TRUST_FILE, type TrustedFiles } from "./trust_store.ts";
import type { Config } from "../config/schema.ts";
import { DENIED, type ReadVariable } from "../config/variable.ts";

/** The settings discovery depends on. */
export type DiscoverySettings = Pick<
  Config,
  "serversConfig" | "allowSelfServer" | "trustProject" | "stateDir"
>;

/** Options of {@link createServerDiscovery}. */
export interface ServerDiscoveryOptions {
  /** Folder of the project. */
  cwd: string;
  readVariable: ReadVariable;
  /** Files that make up this program, so that it does not load itself. @default none */
  ownFiles?: readonly string[];
  /** @default the system this process runs on */
  os?: Os;
  /** @default the files of this machine */
  files?: ConfigFiles;
}

/** Finds the servers of this user; `discover` never rejects, and gives the same object while nothing changes. */
export function createServerDiscovery(
  settings: DiscoverySettings,
  options: ServerDiscoveryOptions,
): ServerDiscovery {
  return new FileDiscovery(settings, options);
}

class FileDiscovery implements ServerDiscovery {
  readonly #settings: DiscoverySettings;
  readonly #os: Os;
  readonly #files: ConfigFiles;
  readonly #sources: readonly ConfigSource[];
  readonly #cache: Promise<ConfigCache>;
  /** Whether a bridge started this one. */
  readonly #isChild: boolean;
  #parts: readonly (readonly Candidate[])[] = [];
  #discovered: Discovered = { servers: [], skipped: [] };

  constructor(settings: DiscoverySettings, options: ServerDiscoveryOptions) {
    const { cwd, readVariable, ownFiles = [], os = Deno.build.os, files = machineFiles } = options;
    const { serversConfig, allowSelfServer: allowSelf } = settings;
    this.#settings = settings;
    this.#os = os;
    this.#files = files;
    this.#sources = configSources({
      os,
      cwd,
      readVariable,
      ...(serversConfig !== undefined && { serversConfig }),
    });
    const home = homeFolder(os, readVariable);
    this.#cache = Promise.all(ownFiles.map((file) => files.realPath(file))).then((real) => {
      const own = real.filter((path) => path !== undefined);
      return new ConfigCache({ os, cwd, home, readVariable, files, allowSelf, ownFiles: own });
    });
    const marker = readVariable(PARENT_MARKER);
    this.#isChild = !allowSelf && marker !== DENIED && !!marker;
  }

  async discover(): Promise<Discovered> {
    const [cache, isTrusted] = [await this.#cache, await this.#readTrust()];
    const found = await Promise.all(this.#sources.map((source) => this.#placesOf(source)));
    const seen = new Set<string>();
    const parts = await Promise.all(
      found.flat().map((place) => {
        if ("status" in place) return [place];
        // The user's own file stays that when the current folder is the home folder.
        if (seen.has(place.path)) return [];
        seen.add(place.path);
        return cache.candidatesOf(place, isTrusted);
      }),
    );
    cache.keepOnly(seen);
    const nonEmpty = parts.filter((part) => part.length > 0);
    if (!isSameList(nonEmpty, this.#parts)) {
      const candidates = nonEmpty.flat();
      this.#discovered = chooseEntries(this.#isChild ? candidates.map(leftToParent) : candidates);
      this.#parts = nonEmpty;
    }
    return this.#discovered;
  }

  async #placesOf(source: ConfigSource): Promise<(Place | Candidate)[]> {
    try {
      const paths = await findFiles(source, this.#os, this.#files);
      return paths.map((path) => ({ source, path }));
    } catch (error) {
      const at = { client: source.client, file: source.base, line: 1 };
      return [{ status: "invalid", reason: unreadable(error), source: at }];
    }
  }

  /** SECURITY: project trust: only what the person allowed may be started, by its very content. */
  async #readTrust(): Promise<IsTrusted> {
    const { trustProject } = this.#settings;
    const allowed: TrustedFiles = trustProject ? new Map() : await this.#readAllowed();
    return ({ source, path }, digest) =>
      source.origin !== "project" || trustProject || allowed.get(path) === digest;
  }

  async #readAllowed(): Promise<TrustedFiles> {
    const { stateDir } = this.#settings;
    if (stateDir === undefined) return new Map();
    try {
      const path = joinPath(this.#os, stateDir, TRUST_FILE);
      const bytes = await this.#files.read(path, MAX_TRUST_BYTES);
      return parseTrusted(new TextDecoder().decode(bytes));
    } catch {
      // Not there, or not ours to read: nothing has been allowed.
      return new Map();
    }
  }
}

/** Without this, a bridge behind a script that is configured as a server would start itself without end. */
function leftToParent(candidate: Candidate): Candidate {
  if (candidate.status !== "usable") return candidate;
  const { name, source } = candidate.entry;
  const reason = "This mcp-bridge was started by another one, which has the servers";
  return { name, status: "self", reason, source };
}

function isSameList<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

/**
 * For so long what was seen counts as what is there. A run that is shorter than the look at every file would
 * mostly wait for it, and a program can ask ten thousand times for a server that does not exist.
 */
const FRESH_MS = 100;

/** Looks no more often than every {@link FRESH_MS}, and once for those who ask meanwhile. */
export function shareLooks(discovery: ServerDiscovery): ServerDiscovery {
  let latest: Promise<Discovered> | undefined;
  let freshUntilMs = Infinity;
  return {
    discover() {
      if (latest === undefined || performance.now() > freshUntilMs) {
        freshUntilMs = Infinity;
        latest = discovery.discover().finally(() => freshUntilMs = performance.now() + FRESH_MS);
      }
      return latest;
    },
  };
}
