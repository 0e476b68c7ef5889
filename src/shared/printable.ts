/**
 * Text of others on its way to a person: a log, a question, a report. Whatever a terminal would obey (colours,
 * titles, the clipboard), whatever starts a line and whatever turns text round is taken out of it.
 */

/** Sequences as a whole: CSI, then those that hold a text (OSC, DCS, SOS, PM, APC), then the short ones. */
const SEQUENCES =
  // deno-lint-ignore no-control-regex
  /\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]/g;

// deno-lint-ignore no-control-regex
const CONTROLS = /[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** The text on one line; with `"lines"` its line breaks and tabs stay. What is left of the rest shows as `\ufffd`. */
export function printable(text: string, keep: "line" | "lines" = "line"): string {
  const bare = text.replaceAll(SEQUENCES, "");
  if (keep === "line") return bare.replaceAll(CONTROLS, "\ufffd");
  return bare.replaceAll("\r\n", "\n")
    .replaceAll(CONTROLS, (char) => char === "\n" || char === "\t" ? char : "\ufffd");
}
