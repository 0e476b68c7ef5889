/**
 * What a sandbox is told of besides the code of a run: servers with their tools, and functions of earlier
 * sessions. Each is told once, and again when it has changed. The sandbox has no say in what it has been told.
 */
import type { HostMessage, SavedToolSource, ServerMetadata } from "../wire/messages.ts";

type Execute = Extract<HostMessage, { type: "execute" }>;

/** The part of `execute` that is no run's own. */
export type Told = Pick<Execute, "servers" | "discovered" | "saved_tools">;

/** Remembers what one sandbox has been told of. */
export class Briefing {
  /** What it has for certain: of each server a revision, and the configured servers. */
  readonly #revisions = new Map<string, number>();
  #discovered: Told["discovered"];
  #savedTools: readonly SavedToolSource[];
  #latest: Told = { servers: [] };

  constructor(savedTools: readonly SavedToolSource[]) {
    this.#savedTools = savedTools;
  }

  /** What the next run has to tell. Until {@link Briefing.taken} nobody knows whether the sandbox has it. */
  next(servers: readonly ServerMetadata[], discovered: Record<string, string>): Told {
    const isNew = this.#discovered === undefined || !isSame(this.#discovered, discovered);
    if (isNew) this.#discovered = undefined;
    return this.#latest = {
      servers: servers.map((server) => this.#tell(server)),
      ...(isNew && { discovered }),
      ...(this.#savedTools.length > 0 && { saved_tools: this.#savedTools }),
    };
  }

  /** Notes that the latest run has begun, and so the sandbox has what it was told. */
  taken(): void {
    const { servers, discovered } = this.#latest;
    for (const { name, revision } of servers) {
      if (revision !== undefined) this.#revisions.set(name, revision);
    }
    this.#discovered ??= discovered;
    this.#savedTools = [];
  }

  #tell(server: ServerMetadata): ServerMetadata {
    const { tools: _known, ...named } = server;
    if (named.revision !== undefined && this.#revisions.get(named.name) === named.revision) {
      return named;
    }
    this.#revisions.delete(named.name);
    return server;
  }
}

function isSame(a: Record<string, string>, b: Record<string, string>): boolean {
  const [one, other] = [Object.entries(a), Object.entries(b)];
  return one.length === other.length &&
    one.every(([key, value], at) => key === other[at]![0] && value === other[at]![1]);
}
