/** What each file holds, read again only when it changed on disk. */
import { maxBytesOf } from "./formats/config_document.ts";
import type { FileState } from "./config_files.ts";
import { ConfigProblem } from "./config_problem.ts";
import type { ConfigSource } from "./config_sources.ts";
import { type InterpretContext, interpretFile } from "./interpret_file.ts";
import type { Candidate } from "./precedence.ts";
import { contentDigest } from "./trust_store.ts";

/** A file to look at. */
export interface Place {
  source: ConfigSource;
  path: string;
}

/** Whether servers of a file with this content may be started. */
export type IsTrusted = (place: Place, digest: string) => boolean;

interface CachedFile {
  /** Changes when the file does; absent while a change could go unseen. */
  stamp: string | undefined;
  digest: string;
  isTrusted: boolean;
  candidates: readonly Candidate[];
}

/** A file changed again within this time may have the same time stamp: FAT counts in steps of 2 s. */
const STAMP_STEP_MS = 2000;

const NOTHING: readonly Candidate[] = [];

/** After so long without a pause, the next file waits until others have had their turn. */
const MAX_BUSY_MS = 20;

/** The candidates of files, in memory. */
export class ConfigCache {
  readonly #files = new Map<string, CachedFile>();
  readonly #context: InterpretContext;
  /** Ends when the last file has been interpreted: they take turns, or many small ones were one large. */
  #turn: Promise<void> = Promise.resolve();
  #pausedAt = 0;

  constructor(context: InterpretContext) {
    this.#context = context;
  }

  /** Candidates of a file: the same array as before if neither content nor trust changed. Never throws. */
  async candidatesOf(place: Place, isTrusted: IsTrusted): Promise<readonly Candidate[]> {
    const { source, path } = place;
    const cached = this.#files.get(path);
    try {
      const state = await this.#context.files.stat(path);
      if (state === undefined) {
        this.#files.delete(path);
        if (source.origin !== "named") return NOTHING;
        throw new ConfigProblem("Cannot read the file: there is no such file");
      }
      checkState(state, maxBytesOf(path, source.origin !== "project"));
      const stamp = `${state.modifiedMs}:${state.sizeBytes}`;
      if (cached?.stamp === stamp && cached.isTrusted === isTrusted(place, cached.digest)) {
        return cached.candidates;
      }
      return await this.#read(place, isTrusted, state.modifiedMs, stamp);
    } catch (error) {
      const reason = error instanceof ConfigProblem ? error.message : unreadable(error);
      const at = { client: source.client, file: path, line: 1 };
      return [{ status: "invalid", reason, source: at }];
    }
  }

  /** Forgets all other files. */
  keepOnly(paths: ReadonlySet<string>): void {
    for (const path of this.#files.keys()) if (!paths.has(path)) this.#files.delete(path);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(async () => {
      if (performance.now() - this.#pausedAt > MAX_BUSY_MS) {
        await new Promise((resolve) => setTimeout(resolve, 0));
        this.#pausedAt = performance.now();
      }
      return await work();
    });
    this.#turn = done.then(() => {}, () => {});
    return done;
  }

  async #read(
    place: Place,
    isTrusted: IsTrusted,
    modifiedMs: number,
    stamp: string,
  ): Promise<readonly Candidate[]> {
    const { path } = place;
    const bytes = await this.#context.files.read(
      path,
      maxBytesOf(path, place.source.origin !== "project"),
    );
    const digest = await contentDigest(bytes);
    const trusted = isTrusted(place, digest);
    const cached = this.#files.get(path);
    const isSame = cached?.digest === digest && cached.isTrusted === trusted;
    const candidates = isSame
      ? cached.candidates
      : await this.#inTurn(() =>
        interpretFile({ ...place, bytes, isTrusted: trusted }, this.#context)
      );
    const isSettled = Date.now() - modifiedMs > STAMP_STEP_MS;
    this.#files.set(path, {
      stamp: isSettled ? stamp : undefined,
      digest,
      isTrusted: trusted,
      candidates,
    });
    return candidates;
  }
}

/** Only a file of bounded size is opened: a pipe would never end. */
function checkState({ kind, sizeBytes }: FileState, maxBytes: number): void {
  if (kind !== "file") {
    const what = kind === "folder" ? "it is a folder" : "it is not a regular file";
    throw new ConfigProblem(`Cannot read the file: ${what}`);
  }
  if (sizeBytes > maxBytes) {
    throw new ConfigProblem(
      `Cannot read the file: it has ${toSize(sizeBytes)}, the most is ${toSize(maxBytes)}`,
    );
  }
}

function toSize(bytes: number): string {
  const kib = Math.ceil(bytes / 1024);
  return kib < 1024 ? `${kib} KiB` : `${Math.ceil(kib / 1024)} MiB`;
}

/** Why the system did not let us read; its own message would show the path. */
export function unreadable(error: unknown): string {
  const { PermissionDenied, NotCapable } = Deno.errors;
  const why = error instanceof PermissionDenied
    ? "permission denied"
    : error instanceof NotCapable
    ? "not readable with the granted permissions"
    : error instanceof Error
    ? error.name
    : "unknown error";
  return `Cannot read the file: ${why}`;
}
