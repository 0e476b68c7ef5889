/**
 * The shape of values that tools gave: types and keys, never a value. Pure and bounded. A shape is a plain
 * JSON Schema, so that whatever writes promised types writes these as well.
 */
import { z } from "zod";
import { items, members, type Span, valueSpan } from "../../shared/json/json_span.ts";
import { isTooDeep } from "../nesting.ts";

/** A JSON Schema of what was seen. */
export type Shape = {
  /** JSON types, in the order in which they were first seen. */
  type: string[];
  properties?: Record<string, Shape>;
  required?: string[];
  /** Of the values, where the keys are data. */
  additionalProperties?: Shape;
  items?: Shape;
};

const shapeSchema: z.ZodType<Shape> = z.lazy(() =>
  z.object({
    type: z.array(z.string()),
    properties: z.record(z.string(), shapeSchema).optional(),
    required: z.array(z.string()).optional(),
    additionalProperties: shapeSchema.optional(),
    items: shapeSchema.optional(),
  })
) as z.ZodType<Shape>;

/** Beyond so many keys they are data, not names. */
const MAX_KEYS = 40;
const MAX_ITEMS = 10;
const MAX_DEPTH = 6;

/** Levels of the JSON of a shape: two for each of the value, and its lists. */
const MAX_STORED_DEPTH = 2 * MAX_DEPTH + 2;

/** Most parts of one value that are looked at, and most that a shape has. */
const MAX_PARTS = 400;

/** A key that a program would have been written with. Others may tell of people: they are not kept. */
const NAME = /^[@$]?[\p{L}_][\p{L}\p{N}_-]{0,39}$/u;

/** Numbers, dates, hashes and the like inside a key. */
const ID = /\d{4}|^[0-9a-f-]{8,}$/i;

/** A shape that was stored, or undefined if it is none: a file may have been changed. */
export function readShape(stored: unknown): Shape | undefined {
  if (isTooDeep(stored, MAX_STORED_DEPTH)) return undefined;
  const { success, data } = shapeSchema.safeParse(stored);
  return success && countParts(data) <= 2 * MAX_PARTS ? data : undefined;
}

/** The shape of a value, of which `text` is the JSON. */
export function shapeOfJson(text: string): Shape {
  return look(text, valueSpan(text)!, MAX_DEPTH, { left: MAX_PARTS });
}

/** The shape of values that have either one. */
export function mergeShapes(a: Shape, b: Shape): Shape {
  const merged = merge(a, b);
  return countParts(merged) <= 2 * MAX_PARTS ? merged : a;
}

function look(text: string, span: Span, depth: number, parts: { left: number }): Shape {
  const type = typeOf(text, span);
  const isPart = type === "array" || type === "object";
  if (depth === 0 || parts.left-- <= 0 || !isPart) return { type: [type] };
  if (type === "array") {
    const first = items(text, span.start).take(MAX_ITEMS);
    const looked = [...first.map((item) => look(text, item, depth - 1, parts))];
    return { type: ["array"], ...(looked.length > 0 && { items: looked.reduce(merge) }) };
  }
  const found = firstMembers(text, span);
  const looked = [...found].map(([name, value]): [string, Shape] => [
    name,
    look(text, value, depth - 1, parts),
  ]);
  const keys = [...found.keys()];
  const isNamed = keys.length <= MAX_KEYS && keys.every(isName);
  return isNamed
    ? { type: ["object"], properties: Object.fromEntries(looked), required: keys }
    : { type: ["object"], additionalProperties: looked.map(([, shape]) => shape).reduce(merge) };
}

/** Members, one more than can be named if there are so many. */
function firstMembers(text: string, { start }: Span): Map<string, Span> {
  const found = new Map<string, Span>();
  for (const member of members(text, start)) {
    found.set(member.name, member);
    if (found.size > MAX_KEYS) break;
  }
  return found;
}

function isName(key: string): boolean {
  return NAME.test(key) && !ID.test(key) && key !== "__proto__";
}

/** As Python's `json` reads it: a number is an integer if it is written as one. */
function typeOf(text: string, { start, end }: Span): string {
  switch (text[start]) {
    case '"':
      return "string";
    case "{":
      return "object";
    case "[":
      return "array";
    case "n":
      return "null";
    case "t":
    case "f":
      return "boolean";
    default:
      return /[.eE]/.test(text.slice(start, end)) ? "number" : "integer";
  }
}

function merge(a: Shape, b: Shape): Shape {
  const items = a.items && b.items ? merge(a.items, b.items) : a.items ?? b.items;
  return {
    type: mergeTypes(a.type, b.type),
    ...(items && { items }),
    ...mergeObjects(a, b),
  };
}

function mergeTypes(a: readonly string[], b: readonly string[]): string[] {
  const all = new Set([...a, ...b]);
  // Python's float takes an int, too.
  if (all.has("number")) all.delete("integer");
  return [...all];
}

function mergeObjects(a: Shape, b: Shape): Partial<Shape> {
  if (!a.type.includes("object")) return objectPart(b);
  if (!b.type.includes("object")) return objectPart(a);
  if (a.additionalProperties || b.additionalProperties) return toMapping([a, b]);
  // No plain objects: a key may be named as something that every object has, such as "constructor".
  const [mine, theirs] = [toMap(a), toMap(b)];
  const keys = [...new Set([...mine.keys(), ...theirs.keys()])];
  const common = keys.filter((key) => mine.has(key) && theirs.has(key));
  // Keys that differ from one result to the next are data.
  const areData = keys.length >= 8 && common.length * 4 < keys.length;
  if (areData || keys.length > MAX_KEYS) return toMapping([a, b]);
  const properties = keys.map((key): [string, Shape] => {
    const [one, other] = [mine.get(key), theirs.get(key)];
    return [key, one && other ? merge(one, other) : (one ?? other)!];
  });
  const required = common.filter((key) => a.required?.includes(key) && b.required?.includes(key));
  return { properties: Object.fromEntries(properties), required };
}

function toMap({ properties = {} }: Shape): Map<string, Shape> {
  return new Map(Object.entries(properties));
}

function objectPart({ properties, required, additionalProperties }: Shape): Partial<Shape> {
  return {
    ...(properties && { properties }),
    ...(required && { required }),
    ...(additionalProperties && { additionalProperties }),
  };
}

function toMapping(shapes: readonly Shape[]): Partial<Shape> {
  const values = shapes.flatMap(({ properties, additionalProperties }) => [
    ...Object.values(properties ?? {}),
    ...(additionalProperties ? [additionalProperties] : []),
  ]);
  return values.length === 0 ? {} : { additionalProperties: values.reduce(merge) };
}

function countParts({ properties, additionalProperties, items }: Shape): number {
  const parts = [...Object.values(properties ?? {}), additionalProperties, items];
  return parts.reduce((sum: number, part) => sum + (part ? countParts(part) : 0), 1);
}
