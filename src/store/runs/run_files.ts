/**
 * The files of one run while it goes on: its output as it grows, and what the sandbox gives us to keep.
 * Nothing is made on disk before the first byte.
 */
import { AppError } from "../../shared/errors.ts";
import { crc32 } from "../../shared/crc32.ts";
import { readRegular } from "../../shared/regular_file.ts";
import { OWN_FILES, toDiskName } from "./file_name.ts";
import { type RunFolder, type Seal, toFolderError, Uploads, writeAll } from "./run_folder.ts";
import { describeFile, type StoredFile } from "./stored_file.ts";

/** Who is told what became of the texts of a run. */
export interface RunFilesWatcher {
  /** Nothing more is taken. */
  onClose(): void;
  /** A text was kept whole. */
  onKept(name: string, seal: Seal): void;
  /** A text could not be kept whole. */
  onLost(name: string, reason: AppError): void;
}

/** The text of a run that is kept once its answer is sent. */
export interface RunTexts {
  code: string;
  stdout: string;
  stderr: string;
}

/** A part of a file that a sandbox sends. */
export interface FilePiece {
  name: string;
  /** Where it begins; 0 begins the file anew. */
  offset: number;
  bytes: Uint8Array;
  /** Whether the file ends with it. */
  last: boolean;
}

/** Keeps the files of one run. */
export class RunFiles implements Disposable {
  readonly #folder: RunFolder;
  readonly #watcher: RunFilesWatcher;
  readonly #uploads: Uploads;
  readonly #streams = new Map<string, { file: Deno.FsFile } & Seal>();
  readonly #shown = new Set<string>();
  /** Streams that are on disk, open or not, and those that are lost. */
  readonly #written = new Set<string>();
  #full = false;
  #closed = false;

  constructor(folder: RunFolder, watcher: RunFilesWatcher) {
    this.#folder = folder;
    this.#watcher = watcher;
    this.#uploads = new Uploads(folder);
  }

  /** Name of the run. */
  get run(): string {
    return this.#folder.run;
  }

  /** Whether output was left out because the run was over its size. */
  get isFull(): boolean {
    return this.#full;
  }

  /** The files that the sandbox gave us, in the order it first did. */
  get kept(): StoredFile[] {
    return this.#uploads.kept();
  }

  /** Those of them that are to be shown, in the order they were. */
  get shown(): StoredFile[] {
    const kept = new Map(this.kept.map((file) => [file.name, file]));
    return [...this.#shown].map((name) => kept.get(name)).filter((file) => file !== undefined);
  }

  /**
   * Adds text to a stream's file; what does not fit any more is left out.
   *
   * @throws {AppError} if the folder cannot be written.
   */
  append(name: string, text: string): void {
    try {
      this.#append(name, text);
    } catch (error) {
      this.close(name);
      throw this.#lose(name, error);
    }
  }

  #append(name: string, text: string): void {
    const stream = this.#stream(name);
    for (let at = 0; at < text.length;) {
      const { read, written } = encoder.encodeInto(at === 0 ? text : text.slice(at), buffer);
      at += read;
      const part = buffer.subarray(0, Math.min(written, this.#folder.room));
      writeAll(stream.file, part);
      stream.size += part.length;
      stream.crc = crc32(part, stream.crc);
      this.#folder.bytes += part.length;
      if (part.length === written) continue;
      this.#full = true;
      return;
    }
  }

  /** Ends a stream's file; undefined if nothing was ever added to it. */
  close(name: string): StoredFile | undefined {
    const stream = this.#streams.get(name);
    if (stream === undefined) return undefined;
    this.#streams.delete(name);
    stream.file.close();
    this.#watcher.onKept(name, { size: stream.size, crc: stream.crc });
    return describeFile(this.run, name, stream.size);
  }

  /**
   * Takes a piece of a file; the file itself with the last one.
   *
   * @throws {AppError} if the name, the size or the number of files is not allowed.
   */
  put(piece: FilePiece): StoredFile | undefined {
    this.#refuseWhenOver();
    return this.#uploads.put(piece);
  }

  /**
   * Marks a kept file as one to show.
   *
   * @throws {AppError} if there is no such file.
   */
  show(name: string): void {
    this.#refuseWhenOver();
    if (!this.#uploads.has(name)) {
      throw new AppError(`Cannot show ${JSON.stringify(name)}: it was not saved`);
    }
    this.#shown.add(name);
  }

  /** Bytes of a kept file, from its start. */
  async readKept({ name, size }: StoredFile): Promise<Uint8Array<ArrayBuffer>> {
    return await readRegular(`${this.#folder.create()}/${toDiskName(name)}`, size);
  }

  /** Keeps what the run said and was told, apart from the streams that are there already. Never rejects. */
  async write(texts: RunTexts): Promise<void> {
    for (const [key, name] of Object.entries(OWN_FILES)) {
      const text = texts[key as keyof RunTexts];
      if (this.#written.has(name) || (text === "" && key !== "code")) continue;
      try {
        const bytes = encoder.encode(text);
        await Deno.writeFile(`${this.#folder.create()}/${name}`, bytes, { mode: 0o600 });
        this.#watcher.onKept(name, { size: bytes.length, crc: crc32(bytes) });
      } catch (error) {
        this.#lose(name, error);
      }
    }
  }

  /** Half a text would be taken for the whole of it. */
  #lose(name: string, error: unknown): AppError {
    this.#written.add(name);
    const reason = toFolderError(error);
    this.#watcher.onLost(name, reason);
    try {
      Deno.removeSync(`${this.#folder.create()}/${name}`);
    } catch {
      // It is not there, or stays and is not read.
    }
    return reason;
  }

  /** Takes nothing more; a file that did not come to its end is dropped. */
  [Symbol.dispose](): void {
    this.#closed = true;
    for (const name of [...this.#streams.keys()]) this.close(name);
    this.#uploads[Symbol.dispose]();
    this.#watcher.onClose();
  }

  /** SECURITY: session boundary. A request that comes late must not add to a run that was answered. */
  #refuseWhenOver(): void {
    if (this.#closed) throw new AppError("Cannot keep a file: the run is over");
  }

  #stream(name: string): { file: Deno.FsFile } & Seal {
    let stream = this.#streams.get(name);
    if (stream === undefined) {
      const path = `${this.#folder.create()}/${name}`;
      const options = { write: true, createNew: true, mode: 0o600 };
      stream = { file: Deno.openSync(path, options), size: 0, crc: 0 };
      this.#streams.set(name, stream);
      this.#written.add(name);
    }
    return stream;
  }
}

const encoder = new TextEncoder();

/** One for all streams: text is written before the next is encoded. */
const buffer = new Uint8Array(256 * 1024);
