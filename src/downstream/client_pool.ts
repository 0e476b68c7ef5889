/** The clients of all servers, by name; a server whose entry has changed gets a new one. */
import type { ServerEntry } from "../discovery/server_entry.ts";
import { type ClientSettings, DownstreamClient, type ServerMemory } from "./downstream_client.ts";

/** A server with the digest of how it is reached. */
export interface PoolKey {
  entry: ServerEntry;
  digest: string;
}

interface Held {
  digest: string;
  client: DownstreamClient;
}

/** Makes clients and closes them. */
export class ClientPool implements AsyncDisposable {
  readonly #settings: ClientSettings;
  readonly #memoryOf: (digest: string) => ServerMemory;
  readonly #held = new Map<string, Held>();
  readonly #retired = new Set<DownstreamClient>();

  constructor(settings: ClientSettings, memoryOf: (digest: string) => ServerMemory) {
    this.#settings = settings;
    this.#memoryOf = memoryOf;
  }

  /** The client of a server; nothing is started by this. */
  get({ entry, digest }: PoolKey): DownstreamClient {
    const held = this.#held.get(entry.name);
    if (held?.digest === digest) return held.client;
    if (held !== undefined) this.#retire(entry.name, held);
    const client = new DownstreamClient(entry, this.#settings, this.#memoryOf(digest));
    this.#held.set(entry.name, { digest, client });
    return client;
  }

  /** Lets go of the clients of servers that are no longer configured, or no longer the same way. */
  keepOnly(configured: ReadonlyMap<string, PoolKey>): void {
    for (const [name, held] of this.#held) {
      if (configured.get(name)?.digest !== held.digest) this.#retire(name, held);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const clients = [...this.#retired, ...[...this.#held.values()].map(({ client }) => client)];
    this.#held.clear();
    this.#retired.clear();
    await Promise.all(clients.map((client) => client[Symbol.asyncDispose]()));
  }

  #retire(name: string, { client }: Held): void {
    this.#held.delete(name);
    this.#retired.add(client);
    void client.retire().then(() => this.#retired.delete(client));
  }
}
