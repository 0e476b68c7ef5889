/** Keeps the list of a connected server's tools up to date, one listing at a time. */

/** Lists tools when it is made and whenever it is told that they changed. */
export class ToolListing {
  readonly #list: () => Promise<void>;
  #current: Promise<void>;
  /** Whether another listing waits for the one that is under way. */
  #again = false;

  constructor(list: () => Promise<void>) {
    this.#list = list;
    this.#current = list();
    // Who does not ask for the list does not mind that it failed.
    this.#current.catch(() => {});
  }

  /** Settles as the latest listing does, one that still waits included. */
  get done(): Promise<void> {
    return this.#current;
  }

  /** Lists again; many changes at once cost one listing. */
  refresh(): void {
    if (this.#again) return;
    this.#again = true;
    // Right away, so that `done` waits for it, too.
    this.#current = this.#current.catch(() => {}).then(() => {
      this.#again = false;
      return this.#list();
    });
    this.#current.catch(() => {});
  }
}
