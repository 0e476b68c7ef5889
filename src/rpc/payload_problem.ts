/** What is wrong with a request, in words for the program that made it: the field, what it must be, what it was. */
import type { z } from "zod";

type Issue = z.core.$ZodIssue;

/** Most fields that are named. */
const MAX_NAMED = 3;

/** Longest value that is shown. */
const MAX_SHOWN_CHARS = 60;

const KINDS: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "an integer",
  boolean: "True or False",
  array: "a list",
  record: "a dict",
  object: "a dict",
  JsonText: "a dict",
};

/** One sentence on the fields of `payload` that do not fit. */
export function describePayloadProblem(payload: unknown, { issues }: z.ZodError): string {
  return issues.slice(0, MAX_NAMED).map((issue) => {
    const name = issue.path.map((key) => typeof key === "number" ? `[${key}]` : key).join("");
    const value = issue.path.reduce(
      (at: unknown, key) => Object.hasOwn(Object(at), key) ? Object(at)[key] : undefined,
      payload,
    );
    return value === undefined
      ? `'${name}' is missing`
      : `'${name}' ${toDemand(issue)}, not ${show(value, issue)}`;
  }).join("; ");
}

function toDemand(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return `must be ${KINDS[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return `must be ${issue.values.map((value) => `'${String(value)}'`).join(" or ")}`;
    case "too_big":
      return `must ${toBound(issue.origin, "at most", Number(issue.maximum), issue.inclusive)}`;
    case "too_small":
      return `must ${toBound(issue.origin, "at least", Number(issue.minimum), issue.inclusive)}`;
    default:
      // The schema's own words.
      return issue.message;
  }
}

function toBound(origin: string, most: string, bound: number, inclusive = true): string {
  if (origin === "string") return `have ${most} ${bound} characters`;
  if (origin === "array") return `have ${most} ${bound} items`;
  return inclusive
    ? `be ${most} ${bound}`
    : `be ${most === "at most" ? "below" : "above"} ${bound}`;
}

/** A value as Python writes it, or how many there are when that is what is wrong. */
function show(value: unknown, { code }: Issue): string {
  if (code === "too_big" || code === "too_small") {
    if (typeof value === "string" || Array.isArray(value)) return String(value.length);
  }
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a dict";
  const text = String(value);
  const cut = text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}…` : text;
  return typeof value === "string" ? `'${JSON.stringify(cut).slice(1, -1)}'` : cut;
}
