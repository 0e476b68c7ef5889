/**
 * Lines made at random to break whoever reads them: good ones that were damaged, structures of odd parts,
 * noise. `MCP_BRIDGE_FUZZ_SEED` makes the same ones again, `MCP_BRIDGE_FUZZ_TIMES` so many times more.
 */
import fc from "fast-check";

/** Where the randomness begins; another one with each run unless it is set. */
const seed = Number(Deno.env.get("MCP_BRIDGE_FUZZ_SEED") ?? Math.floor(Math.random() * 2 ** 31));

const isSoak = Deno.env.get("MCP_BRIDGE_SOAK") !== undefined;
const times = Number(Deno.env.get("MCP_BRIDGE_FUZZ_TIMES") ?? (isSoak ? 20 : 1));

/** Lines that are made at a time. */
const BATCH = 200;

const encoder = new TextEncoder();

/** What is put into good lines. */
const PIECES = [
  ...'{}[]",:\\\n\r\t \0-+.eE019',
  ...["null", "true", "1e999", "-0", "9007199254740993", '""', "[]", "{}", "[[[[", "}}}}", '":"'],
  ...["\ufeff", "\u2028", "é", "😀", "\\ud800", "\\u0000", '"__proto__":1,', '"toString":{},'],
  ...['"constructor":[],', '"id":"q1",', '"type":', '"payload":{', '"arguments":{', '"method":'],
  ...['"params":{},', '"jsonrpc":"2.0",', "x".repeat(200), "[".repeat(200), '{"a":'.repeat(50)],
];

/** Rarely, so much of one thing that the line is a long one. */
const FLOODS = ["[],", '{"a":', "[", "x", '\\"', '"a":1,', " "].map((piece) =>
  piece.repeat(Math.ceil(400_000 / piece.length))
);

/** Any line, as bytes: one of `good` with some damage, `odd` ones as JSON, noise. */
export function anyLine(good: readonly string[], odd: fc.Arbitrary<unknown>) {
  const piece = fc.oneof(
    { weight: 3000, arbitrary: fc.constantFrom(...PIECES) },
    { weight: 1, arbitrary: fc.constantFrom(...FLOODS) },
  );
  const edit = fc.tuple(fc.nat(), fc.oneof(fc.constant(0), fc.nat(12), fc.nat(200)), piece);
  const damaged = fc.tuple(fc.constantFrom(...good), fc.array(edit, { maxLength: 3 }))
    .map(([line, edits]) => edits.reduce(splice, line));
  const noise = fc.uint8Array({ maxLength: 60 });
  return fc.oneof(
    { weight: 5, arbitrary: damaged.map((line) => encoder.encode(line)) },
    { weight: 4, arbitrary: odd.map((value) => encoder.encode(JSON.stringify(value) ?? "")) },
    { weight: 1, arbitrary: noise },
  );
}

function splice(line: string, [at, length, piece]: [number, number, string]): string {
  const start = at % (line.length + 1);
  return line.slice(0, start) + piece + line.slice(start + length);
}

/** Belongs into the name of a test: it is told whether or not the test passes. */
export const SEED = `MCP_BRIDGE_FUZZ_SEED=${seed}`;

/** So many samples, each with words to name it by. */
export async function* samples<T>(
  what: string,
  arbitrary: fc.Arbitrary<T>,
  count: number,
): AsyncGenerator<[sample: T, name: string]> {
  for (let made = 0; made < count * times; made += BATCH) {
    const numRuns = Math.min(BATCH, count * times - made);
    // Making them takes its time as well: the host that is watched has its turn.
    await new Promise((resolve) => setImmediate(resolve));
    const batch = fc.sample(arbitrary, { numRuns, seed: seed + made });
    for (const [at, sample] of batch.entries()) {
      yield [sample, `${what} ${made + at} of ${SEED}: ${show(sample)}`];
    }
  }
}

function show(sample: unknown): string {
  const text = sample instanceof Uint8Array ? new TextDecoder().decode(sample) : String(sample);
  return JSON.stringify(text.slice(0, 500));
}
