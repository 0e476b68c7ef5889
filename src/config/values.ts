/** Kinds of values a setting can have: from the text of a variable or flag to the value, or to what was expected. */
import { z } from "zod";

/** Reads the text of a setting; a failure's message says what was expected. */
export type ValueSchema<T> = z.ZodType<T, string>;

const UNITS = { b: 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 } as const;

/** One of a few words. */
export function choice<const T extends readonly [string, ...string[]]>(
  words: T,
): ValueSchema<T[number]> {
  const expected = `expected ${listOf(words)}`;
  return z.string().transform((text, context): T[number] => {
    if (words.includes(text)) return text;
    context.addIssue(expected);
    return z.NEVER;
  });
}

/** `1` for yes, `0` for no. */
export function zeroOrOne(): ValueSchema<boolean> {
  return choice(["0", "1"]).transform((text) => text === "1");
}

/** Digits only, within bounds that both belong to it. */
export function wholeNumber(min: number, max: number): ValueSchema<number> {
  const expected = `expected a whole number from ${min} to ${max}`;
  return z.string().regex(/^\d+$/, expected).transform(Number)
    .refine((value) => value >= min && value <= max, expected);
}

/** A number that may have a fraction, within bounds that both belong to it. */
export function decimalNumber(min: number, max: number): ValueSchema<number> {
  const expected = `expected a number from ${min} to ${max}`;
  return z.string().regex(/^\d+(\.\d+)?$/, expected).transform(Number)
    .refine((value) => value >= min && value <= max, expected);
}

/** A size such as `512m`, in bytes; the bounds are written the same way. */
export function byteSize(min: string, max: string): ValueSchema<number> {
  return z.string()
    .regex(/^\d+(\.\d+)?[bkmg]$/i, "expected a number with b, k, m or g")
    .transform(toBytes)
    .refine((bytes) => bytes >= toBytes(min), `expected at least ${min}`)
    .refine((bytes) => bytes <= toBytes(max), `expected at most ${max}`);
}

/** Text of a given form. */
export function textLike(form: RegExp, expected: string): ValueSchema<string> {
  return z.string().regex(form, `expected ${expected}`);
}

function toBytes(size: string): number {
  const unit = size.slice(-1).toLowerCase() as keyof typeof UNITS;
  return Math.floor(Number(size.slice(0, -1)) * UNITS[unit]);
}

function listOf(words: readonly string[]): string {
  return words.length === 1 ? words[0]! : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
