/** Things that are made on demand, once for all who ask. */

/** A value that is made when it is first asked for. */
export function once<T>(
  make: () => Promise<T>,
): { get(): Promise<T>; readonly started: Promise<T> | undefined } {
  let made: Promise<T> | undefined;
  return {
    get() {
      // One that failed is made again: what was missing may be there by then.
      made ??= make().catch((error) => {
        made = undefined;
        throw error;
      });
      return made;
    },
    get started() {
      return made;
    },
  };
}
