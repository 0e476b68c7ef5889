/**
 * The clients of all servers; a server whose entry has changed gets a new one. A connection is shared by
 * those of whom the same can be asked, since that is what the server is told when it is made.
 */
import { type ClientSettings, DownstreamClient } from "./downstream_client.ts";
import { type Abilities, NO_ABILITIES } from "../../questions/asker.ts";
import { profileOf } from "../questions/client_capabilities.ts";
import type { RegisteredServer } from "../catalog/server_registry.ts";
import type { ServerMemory } from "./server_memory.ts";

type Reached = Pick<RegisteredServer, "entry" | "digest">;

interface Pooled {
  name: string;
  digest: string;
  client: DownstreamClient;
}

/** Makes clients and closes them. */
export class ClientPool implements AsyncDisposable {
  readonly #settings: ClientSettings;
  readonly #memoryOf: (digest: string) => ServerMemory;
  readonly #pooled = new Map<string, Pooled>();
  readonly #retired = new Set<DownstreamClient>();
  /** Each run asks with one object of abilities, and may call very often. */
  readonly #profiles = new WeakMap<Abilities, string>();

  constructor(settings: ClientSettings, memoryOf: (digest: string) => ServerMemory) {
    this.#settings = settings;
    this.#memoryOf = memoryOf;
  }

  /** The client of a server, for those with such abilities; nothing is started by this. */
  get({ entry, digest }: Reached, abilities: Abilities = NO_ABILITIES): DownstreamClient {
    const { name } = entry;
    const key = `${this.#profileOf(abilities)} ${name}`;
    const pooled = this.#pooled.get(key);
    if (pooled?.digest === digest) return pooled.client;
    if (pooled !== undefined) this.#retire(key, pooled);
    const client = new DownstreamClient(entry, this.#settings, this.#memoryOf(digest), abilities);
    this.#pooled.set(key, { name, digest, client });
    return client;
  }

  /** Lets go of the clients of servers that are no longer configured, or no longer the same way. */
  keepOnly(configured: ReadonlyMap<string, Reached>): void {
    for (const [key, pooled] of this.#pooled) {
      if (configured.get(pooled.name)?.digest !== pooled.digest) this.#retire(key, pooled);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const clients = [...this.#retired, ...[...this.#pooled.values()].map(({ client }) => client)];
    this.#pooled.clear();
    this.#retired.clear();
    await Promise.all(clients.map((client) => client[Symbol.asyncDispose]()));
  }

  #profileOf(abilities: Abilities): string {
    let profile = this.#profiles.get(abilities);
    if (profile === undefined) {
      profile = JSON.stringify(profileOf(abilities));
      this.#profiles.set(abilities, profile);
    }
    return profile;
  }

  #retire(key: string, { client }: Pooled): void {
    this.#pooled.delete(key);
    this.#retired.add(client);
    void client.retire().then(() => this.#retired.delete(client));
  }
}
