/** The text of `--help`, made from the table of settings. */
import { VERSION } from "../shared/version.ts";
import { flagOf, type Setting, SETTING_KEYS, SETTINGS } from "../config/schema.ts";

/** Columns of the narrowest terminal that shows a line as it was written. */
const WIDTH = 80;

const GAP = "  ";

/** What `--help` prints, newline included. */
export function formatHelp(): string {
  const rows: Setting[] = SETTING_KEYS.map((key) => SETTINGS[key]);
  const titles = SETTING_KEYS.map((key) => `${flagOf(key)} <${SETTINGS[key].placeholder}>`);
  const column = Math.max(...titles.map((title) => title.length)) + GAP.length;
  const settings = rows.map(({ env, help, default: preset }, index) => {
    const text = help + (preset === undefined ? "" : ` [${preset}]`);
    return `  ${titles[index]!.padEnd(column)}${env}\n${wrap(text, "      ")}`;
  });
  return `mcp-bridge ${VERSION}
One MCP server with one tool, run_python: Python in a sandbox without network
or host files.

Usage: mcp-bridge [flags]
       mcp-bridge saved-tools [delete <name>] [flags]

It serves MCP on stdin and stdout until stdin closes; saved-tools lists the
functions that programs kept for later sessions, or deletes one. Each setting
is a flag or an environment variable; the flag wins. The value in brackets is
the default.

${settings.join("\n")}
  --version
      Print the version
  --help, -h
      Print this text

Exit codes:
  0  The client closed stdin, or a signal asked the program to end
  1  The program itself failed
  2  A flag, a setting, a permission or the version of Deno cannot be used
`;
}

/** The words on as many lines as they need, each behind `indent`. */
function wrap(text: string, indent: string): string {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(" ")) {
    if (line !== indent && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = indent;
    }
    line += (line === indent ? "" : " ") + word;
  }
  return [...lines, line].join("\n");
}
