/**
 * A clock of the system that is set while a program runs, by libfaketime: the program, and no other, sees the time
 * that a file says. What measures durations goes on by itself, as it does when a person sets the clock.
 */
import { fail } from "@std/assert";

/** Where Linux distributions put it. */
const PLACES = ["x86_64-linux-gnu", "aarch64-linux-gnu"].map((target) =>
  `/usr/lib/${target}/faketime/libfaketimeMT.so.1`
);

const library = PLACES.find((path) => {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
});

/** The clock of the programs that are started with {@link FakedClock.env}. */
export class FakedClock {
  readonly #file: string;

  constructor(folder: string) {
    this.#file = `${folder}/clock`;
    this.set("+0");
  }

  /** Variables of a program that goes by it. */
  get env(): Record<string, string> {
    return {
      LD_PRELOAD: library!,
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_NO_CACHE: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
      NO_FAKE_STAT: "1",
    };
  }

  /** Sets it so far from the real one: `+1d`, `-10y`. */
  set(offset: string): void {
    // Replaced at once, since it is read all the time.
    Deno.writeTextFileSync(`${this.#file}.new`, offset);
    Deno.renameSync(`${this.#file}.new`, this.#file);
  }
}

/** Registers a test with such a clock; skipped, with the reason in its name, where there is no libfaketime. */
export function testWithClock(title: string, body: () => Promise<void>): void {
  const required = Deno.env.get("MCP_BRIDGE_REQUIRE_ENGINES") === "1";
  const missing = library === undefined;
  Deno.test({
    name: `${title}${missing ? " (skipped: libfaketime is not installed)" : ""}`,
    ignore: missing && !required,
    fn: () => missing ? fail("libfaketime is required: install the package faketime") : body(),
  });
}
