/**
 * Remembers what results of tools looked like, for tools that do not promise it. Kept beside the catalogue of
 * the server, written some time after the call, never during it.
 */
import { describeFault } from "../../shared/faults.ts";
import type { Logger } from "../../shared/log.ts";
import type { CatalogCache } from "./catalog_cache.ts";
import type { CallOutcome, DownstreamTool } from "../downstream.ts";
import { mergeShapes, type Shape, shapeOfJson } from "./observed_shape.ts";
import { isSilent } from "../../languages/python/signature.ts";

/** So many results of a tool are looked at; those after them cost a look-up. */
const MAX_SAMPLES = 5;

/** Most tools of a server that are remembered. */
const MAX_TOOLS = 500;

/** Results come in bursts; one write serves many. */
const WRITE_AFTER_MS = 2000;

/** By the raw names of tools. */
export type ShapesByTool = ReadonlyMap<string, Shape>;

interface Pending {
  digest: string;
  tool: DownstreamTool;
  result: CallOutcome;
}

/** Shapes of all servers, by the digest of how a server is reached. */
export class ObservedShapes {
  readonly #cache: CatalogCache;
  readonly #log: Logger;
  /** Samples that a tool may still give; a tool that was listed anew begins anew. */
  readonly #samplesLeft = new WeakMap<DownstreamTool, number>();
  readonly #seen = new Map<string, Map<string, Shape>>();
  readonly #stored = new Map<string, Promise<ShapesByTool>>();
  readonly #unwritten = new Set<string>();
  /** Results that nobody has looked at yet. */
  #pending: Pending[] = [];
  #looking: ReturnType<typeof setTimeout> | undefined;
  #writing: ReturnType<typeof setTimeout> | undefined;

  constructor(cache: CatalogCache, log: Logger) {
    this.#cache = cache;
    this.#log = log;
  }

  /** Takes note of a result. It is looked at when the call is answered; all but the first few are not. */
  note(digest: string, tool: DownstreamTool, result: CallOutcome): void {
    if (result.kind !== "value" && result.kind !== "text") return;
    const left = this.#samplesLeft.get(tool) ?? MAX_SAMPLES;
    if (left === 0) return;
    this.#samplesLeft.set(tool, left - 1);
    this.#pending.push({ digest, tool, result });
    this.#looking ??= setTimeout(() => this.#look(), 0);
  }

  /** What is known of a server's tools. */
  async find(digest: string): Promise<ShapesByTool> {
    this.#look();
    let stored = this.#stored.get(digest);
    if (stored === undefined) this.#stored.set(digest, stored = this.#cache.readObserved(digest));
    return mergeMaps(await stored, this.#seen.get(digest));
  }

  /** Writes what is new. What another bridge wrote meanwhile is kept. Never rejects. */
  async flush(): Promise<void> {
    this.#look();
    clearTimeout(this.#writing);
    this.#writing = undefined;
    const digests = [...this.#unwritten];
    this.#unwritten.clear();
    await Promise.all(
      digests.map((digest) => this.#write(digest).catch((error) => this.#fail(error))),
    );
  }

  async #write(digest: string): Promise<void> {
    const stored = await this.#cache.readObserved(digest);
    const merged = mergeMaps(stored, this.#seen.get(digest));
    if (JSON.stringify([...merged]) === JSON.stringify([...stored])) return;
    await this.#cache.writeObserved(digest, merged);
  }

  /** Shapes are a help to the reader: that one is missing costs nothing else. */
  #fail(error: unknown): void {
    this.#log.error(describeFault("observing results", error));
  }

  #look(): void {
    clearTimeout(this.#looking);
    this.#looking = undefined;
    const pending = this.#pending;
    this.#pending = [];
    for (const each of pending) {
      try {
        this.#lookAt(each);
      } catch (error) {
        this.#fail(error);
      }
    }
    if (this.#unwritten.size === 0 || this.#writing !== undefined) return;
    this.#writing = setTimeout(() => void this.flush(), WRITE_AFTER_MS);
    Deno.unrefTimer(this.#writing);
  }

  #lookAt({ digest, tool, result }: Pending): void {
    if (!isSilent(tool.outputSchema)) return void this.#samplesLeft.set(tool, 0);
    let shapes = this.#seen.get(digest);
    if (shapes === undefined) this.#seen.set(digest, shapes = new Map());
    const before = shapes.get(tool.name);
    const shape = toShape(result);
    shapes.set(tool.name, before === undefined ? shape : mergeShapes(before, shape));
    this.#unwritten.add(digest);
  }
}

function toShape(result: CallOutcome): Shape {
  if (result.kind === "value") return shapeOfJson(result.value.text);
  return result.kind === "text" && result.mayBeJson && isJson(result.text)
    ? shapeOfJson(result.text)
    : { type: ["string"] };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function mergeMaps(a: ShapesByTool, b: ShapesByTool | undefined): ShapesByTool {
  if (b === undefined) return a;
  const merged = new Map(a);
  for (const [name, shape] of b) {
    const known = merged.get(name);
    merged.delete(name);
    merged.set(name, known === undefined ? shape : mergeShapes(known, shape));
  }
  // The latest are last.
  return new Map([...merged].slice(-MAX_TOOLS));
}
