/** Keeps the list of a connected server's tools up to date, one listing at a time. */

/** Lists tools when it is made and whenever it is told that they changed. */
export class ToolListing {
  readonly #list: () => Promise<void>;
  #current: Promise<void>;
  /** Whether another listing waits for the one that is under way. */
  #again = false;
  #failed = false;

  constructor(list: () => Promise<void>) {
    this.#list = list;
    this.#current = this.#run();
  }

  /**
   * Settles as the latest listing does, one that still waits included. Of one that has failed everybody who
   * waited was told; who comes later has it made again.
   */
  ready(): Promise<void> {
    if (this.#failed) this.refresh();
    return this.#current;
  }

  /** Lists again; many changes at once cost one listing. */
  refresh(): void {
    if (this.#again) return;
    this.#again = true;
    // Right away, so that `ready` waits for it, too.
    this.#failed = false;
    this.#current = this.#current.catch(() => {}).then(() => {
      this.#again = false;
      return this.#run();
    });
    this.#current.catch(() => {});
  }

  #run(): Promise<void> {
    const listed = this.#list();
    // Who does not ask for the list does not mind that it failed.
    listed.catch(() => this.#failed = true);
    return listed;
  }
}
