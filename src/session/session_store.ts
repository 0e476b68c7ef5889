/** The sessions of one process: each with a sandbox, past runs and files of its own, found by its handle. */
import { RunStore } from "../store/runs/run_store.ts";
import { SessionFolders } from "../store/runs/session_folders.ts";
import type { Session } from "./session.ts";

/** Bytes of a handle: who has one has the session. */
const HANDLE_BYTES = 16;

/** A session that is open. */
export interface OpenSession {
  /** What names it to whoever may use it, and to nobody else. */
  readonly handle: string;
  readonly session: Session;
}

/** What a store of sessions is made of. */
export interface SessionStoreOptions {
  /** Absent where nothing can be kept. */
  stateDir: string | undefined;
  /** Makes a session that keeps its runs there. */
  create: (runs: RunStore) => Session;
}

/** Makes sessions and gives them back by their handle. */
export class SessionStore implements AsyncDisposable {
  readonly #options: SessionStoreOptions;
  readonly #folders: SessionFolders;
  readonly #open = new Map<string, { session: Session; folder?: string | undefined }>();

  constructor(options: SessionStoreOptions) {
    this.#options = options;
    this.#folders = new SessionFolders(options.stateDir);
  }

  /**
   * A session of its own, whose past runs go with it. One with `shared` runs is that of the person at this
   * machine: it finds the runs of earlier processes, and later ones find its own.
   */
  open({ shared = false }: { shared?: boolean } = {}): OpenSession {
    const { stateDir, create } = this.#options;
    const handle = crypto.getRandomValues(new Uint8Array(HANDLE_BYTES)).toHex();
    // Its name gives nothing away: a handle is a secret.
    const folder = shared ? undefined : this.#folders.next();
    const session = create(new RunStore(shared ? stateDir : folder));
    this.#open.set(handle, { session, folder });
    return { handle, session };
  }

  /** The open session that a handle names. */
  find(handle: string): Session | undefined {
    return this.#open.get(handle)?.session;
  }

  /** Ends a session: its sandbox, and past runs that only it could see. Safe to call twice. */
  async close(handle: string): Promise<void> {
    const open = this.#open.get(handle);
    if (open === undefined) return;
    this.#open.delete(handle);
    await open.session[Symbol.asyncDispose]();
    if (open.folder !== undefined) await this.#folders.remove(open.folder);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#open.keys()].map((handle) => this.close(handle)));
  }
}
