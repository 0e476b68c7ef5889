/** A file system in memory, of any system's paths, that counts what is asked of it. */
import type { ConfigFiles } from "../../../src/discovery/config_files.ts";

interface MemoryFile {
  content: string | Uint8Array | Error | "folder";
  modifiedMs: number;
  sizeBytes?: number;
}

export class MemoryFiles implements ConfigFiles {
  readonly reads: string[] = [];
  readonly realPaths: string[] = [];
  readonly #files = new Map<string, MemoryFile>();
  readonly #links = new Map<string, string>();
  #clockMs = 1;

  constructor(files: Readonly<Record<string, unknown>> = {}) {
    for (const [path, content] of Object.entries(files)) this.write(path, content);
  }

  /** Texts and bytes as they are, an error when read, other data as JSON. */
  write(path: string, content: unknown, options: { sizeBytes?: number } = {}): void {
    const isAsIs = typeof content === "string" || content instanceof Uint8Array ||
      content instanceof Error;
    const stored = isAsIs ? content : JSON.stringify(content);
    this.#files.set(path, { content: stored, modifiedMs: this.#clockMs++, ...options });
  }

  makeFolder(path: string): void {
    this.#files.set(path, { content: "folder", modifiedMs: 1 });
  }

  remove(path: string): void {
    this.#files.delete(path);
  }

  link(path: string, target: string): void {
    this.#links.set(path, target);
  }

  stat(path: string) {
    const file = this.#files.get(path);
    if (file === undefined) return Promise.resolve(undefined);
    const { content, modifiedMs } = file;
    const sizeBytes = file.sizeBytes ?? (content instanceof Error ? 1 : content.length);
    return Promise.resolve({
      kind: content === "folder" ? "folder" as const : "file" as const,
      sizeBytes,
      modifiedMs,
    });
  }

  read(path: string): Promise<Uint8Array> {
    this.reads.push(path);
    const content = this.#files.get(path)?.content;
    if (content === undefined) return Promise.reject(new Deno.errors.NotFound());
    if (content instanceof Error) return Promise.reject(content);
    return Promise.resolve(
      typeof content === "string" ? new TextEncoder().encode(content) : content,
    );
  }

  list(folder: string): Promise<string[]> {
    const names = [...this.#files.keys()].flatMap((path) => {
      if (!path.startsWith(folder) || !/^[/\\]/.test(path.slice(folder.length))) return [];
      return [path.slice(folder.length + 1).split(/[/\\]/)[0]!];
    });
    return Promise.resolve([...new Set(names)].reverse());
  }

  realPath(path: string): Promise<string | undefined> {
    this.realPaths.push(path);
    const target = this.#links.get(path) ?? path;
    return Promise.resolve(this.#files.has(target) ? target : undefined);
  }
}
