/** What a search could not look through, as a line of the answer: without it, few hits look like all. Pure. */
import type { Unsearched } from "../downstream/downstream.ts";

/** Most servers that are named. */
const MAX_NAMED = 20;

/** Longest part of a reason; who names the server in a run gets all of it. */
const MAX_REASON_CHARS = 200;

/** The line, or `undefined` when all servers were searched. */
export function describeUnsearched(unsearched: readonly Unsearched[]): string | undefined {
  const pending = unsearched.filter(({ reason }) => reason === undefined).map(({ name }) => name);
  const failed = unsearched.flatMap(({ name, reason }) =>
    reason === undefined ? [] : [`${name} (${shorten(reason)})`]
  );
  const parts = [
    ...(pending.length > 0 ? [`not searched yet: ${listed(pending)}; search again`] : []),
    ...(failed.length > 0 ? [`failed: ${listed(failed)}`] : []),
  ];
  return parts.length === 0 ? undefined : `search_tool_docs: ${parts.join("; ")}`;
}

function listed(names: readonly string[]): string {
  const more = names.length - MAX_NAMED;
  return names.slice(0, MAX_NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function shorten(reason: string): string {
  const [first = ""] = reason.split("\n");
  return first.length > MAX_REASON_CHARS ? `${first.slice(0, MAX_REASON_CHARS)}…` : first;
}
