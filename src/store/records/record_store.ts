/**
 * Texts by key in a folder of the state folder, one file each, for all bridges of a user at once. Each
 * write puts a whole new file in place of the old one; writers take turns, readers never wait. What the
 * errors say is read by the model: they name keys and limits, never a path of the host.
 */
import { AppError } from "../../shared/errors.ts";
import { replaceFile } from "../../shared/replace_file.ts";
import { FolderLock } from "./folder_lock.ts";
import { readRegular } from "../../shared/regular_file.ts";
import {
  formatRecord,
  MAX_HEADER_BYTES,
  parseRecord,
  type RecordHeader,
  type StoredRecord,
} from "./record_file.ts";
import {
  ifThere,
  lookAt,
  readHeader,
  readHeaders,
  takeStock,
  toStateError,
} from "./record_folder.ts";
import {
  checkKey,
  checkSize,
  checkUsage,
  damaged,
  formatUsage,
  inTheWay,
  parseUsage,
  type RecordKind,
  unreadable,
  type Usage,
  type Written,
} from "./record_kind.ts";
import { keyOfRecordName, toRecordName } from "./record_name.ts";

/** A record in a list: its header, or why it cannot be read. */
export type ListedRecord =
  | (RecordHeader & { error?: undefined })
  | { key: string | undefined; error: string };

/** How a swap ended: with the new record, or with the one that was there instead. */
export type SwapOutcome =
  | { saved: RecordHeader }
  | { saved?: undefined; current: StoredRecord | undefined };

/** Keeps records of one kind. */
export class RecordStore {
  readonly #kind: RecordKind;
  readonly #folder: string | undefined;
  readonly #lock: FolderLock;
  /** Whether this process has counted the folder once; from then on the note in the lock is right. */
  #counted = false;

  /** `stateDir` is absent where no folder could be found; then nothing can be kept. */
  constructor(stateDir: string | undefined, kind: RecordKind) {
    this.#kind = kind;
    this.#folder = stateDir === undefined ? undefined : `${stateDir}/${kind.folder}`;
    this.#lock = new FolderLock(this.#folder ?? "");
  }

  /** The record of a key, or undefined. */
  async get(key: string): Promise<StoredRecord | undefined> {
    return await this.#read(key, async (path) => {
      const bytes = await readRegular(path, MAX_HEADER_BYTES + this.#kind.limits.textBytes);
      return () => parseRecord(bytes);
    });
  }

  /** What is known of a key's record, or undefined. */
  async info(key: string): Promise<RecordHeader | undefined> {
    return await this.#read(key, readHeader);
  }

  /** All records, by key; one that is damaged does not hide the others. */
  async list(): Promise<ListedRecord[]> {
    const folder = this.#known();
    try {
      const found: ListedRecord[] = [];
      for await (const [name, parse] of readHeaders(folder)) {
        found.push(await this.#listed(name, parse));
      }
      return found.sort((a, b) => (a.key ?? "") < (b.key ?? "") ? -1 : 1);
    } catch (error) {
      throw toStateError("read", error);
    }
  }

  /** Puts a text in place of whatever the key had. */
  async put(key: string, text: string, metadata?: string): Promise<RecordHeader> {
    checkSize(this.#kind, { key, text, metadata });
    return await this.#write(key, async (path, usage) => {
      // One that is damaged is replaced like any other.
      const old = await this.info(key).catch(() => undefined);
      return await this.#replace(path, usage, { key, text, metadata, created: old?.created });
    });
  }

  /**
   * Puts a text in place of the version that is named, null for none, and keeps its metadata; if another
   * one is there, gives that.
   */
  async swap(key: string, text: string, version: string | null): Promise<SwapOutcome> {
    checkSize(this.#kind, { key, text });
    return await this.#write<SwapOutcome>(key, async (path, usage) => {
      const old = await this.info(key);
      if ((old?.version ?? null) !== version) {
        return { usage, result: { current: await this.get(key) } };
      }
      const { metadata, created } = old ?? {};
      const done = await this.#replace(path, usage, { key, text, metadata, created });
      return { usage: done.usage, result: { saved: done.result } };
    });
  }

  /** Removes a key; says whether it was there. */
  async delete(key: string): Promise<boolean> {
    // So that deleting nothing makes no folder.
    const found = await this.#read(key, (path) => lookAt(path) && (() => ({ key })));
    if (found === undefined) return false;
    return await this.#write(key, async (path, usage) => {
      const size = this.#sizeOf(key, path);
      if (size === undefined) return { usage, result: false };
      await Deno.remove(path);
      return { usage: { records: usage.records - 1, bytes: usage.bytes - size }, result: true };
    });
  }

  async #replace(
    path: string,
    before: Usage,
    { key, text, metadata, created }: {
      key: string;
      text: string;
      metadata: string | undefined;
      created: string | undefined;
    },
  ): Promise<Written<RecordHeader>> {
    const updated = new Date().toISOString();
    const { header, bytes } = formatRecord({
      key,
      version: crypto.randomUUID(),
      created: created ?? updated,
      updated,
      ...(metadata !== undefined && { metadata }),
    }, text);
    const replaced = this.#sizeOf(key, path);
    const usage = {
      records: before.records + (replaced === undefined ? 1 : 0),
      bytes: before.bytes + bytes.length - (replaced ?? 0),
    };
    checkUsage(this.#kind, key, before, usage);
    await replaceFile(path, bytes, { durable: true }).catch((error) => {
      throw error instanceof Deno.errors.IsADirectory ? inTheWay(this.#kind, key, path) : error;
    });
    return { usage, result: header };
  }

  /** Reads the file of a key; `open` gives what throws if the file is damaged. */
  async #read<T extends { key: string }>(
    key: string,
    open: (path: string) => (() => T) | undefined | Promise<() => T>,
  ): Promise<T | undefined> {
    const path = await this.#path(key);
    let parse: (() => T) | undefined;
    try {
      parse = await ifThere(() => open(path));
    } catch (error) {
      throw unreadable(this.#kind, key, error) ?? toStateError("read", error);
    }
    return parse && this.#checked(key, parse);
  }

  /** Bytes of what a key has. */
  #sizeOf(key: string, path: string): number | undefined {
    const info = lookAt(path);
    if (info?.isDirectory) throw inTheWay(this.#kind, key, path);
    return info?.size;
  }

  async #write<T>(
    key: string,
    work: (path: string, usage: Usage) => Promise<Written<T>>,
  ): Promise<T> {
    const folder = this.#known();
    const path = await this.#path(key);
    let done: Written<T> | { error: AppError };
    try {
      Deno.mkdirSync(folder, { recursive: true, mode: 0o700 });
      done = await this.#lock.hold(async (note) => {
        const usage = (this.#counted ? parseUsage(note) : undefined) ?? await takeStock(folder);
        this.#counted = true;
        // A refusal has written nothing: the count stays right.
        const done = await work(path, usage).catch((error) => {
          if (error instanceof AppError) return { usage, error };
          throw error;
        });
        return { note: formatUsage(done.usage), result: done };
      });
    } catch (error) {
      throw toStateError("written", error);
    }
    if ("error" in done) throw done.error;
    return done.result;
  }

  #known(): string {
    if (this.#folder !== undefined) return this.#folder;
    throw new AppError("No state folder is known", {
      hint: "Set MCP_BRIDGE_STATE_DIR",
    });
  }

  async #path(key: string): Promise<string> {
    checkKey(this.#kind, key);
    return `${this.#known()}/${await toRecordName(key)}`;
  }

  /** A header in a list; the key inside must be the one the file is named after. */
  async #listed(name: string, parse: () => RecordHeader): Promise<ListedRecord> {
    try {
      const header = parse();
      if (await toRecordName(header.key) === name) return header;
    } catch {
      // Told below.
    }
    const key = keyOfRecordName(name);
    const error = key === undefined
      ? `The file ${name} is damaged`
      : damaged(this.#kind, key).describe();
    return { key, error };
  }

  #checked<T extends { key: string }>(key: string, parse: () => T): T {
    let cause: unknown;
    try {
      const found = parse();
      if (found.key === key) return found;
    } catch (error) {
      cause = error;
    }
    throw damaged(this.#kind, key, cause);
  }
}
