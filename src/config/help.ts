/** The text of `--help`, made from the table of settings. */
import { VERSION } from "../shared/version.ts";
import { flagOf, type Setting, SETTING_KEYS, SETTINGS } from "./schema.ts";

/** What `--help` prints, newline included. */
export function formatHelp(): string {
  const rows = SETTING_KEYS.map((key) => {
    const { env, help, placeholder, default: preset }: Setting = SETTINGS[key];
    const title = `  ${flagOf(key)} <${placeholder}>`.padEnd(30) + env;
    return `${title}\n      ${help}${preset === undefined ? "" : ` [${preset}]`}`;
  });
  return `mcp-bridge ${VERSION}
One MCP server with one tool, run_python: Python in a sandbox without network or host files.

Usage: mcp-bridge [flags]

It serves MCP on stdin and stdout until stdin closes. Each setting is a flag or an environment
variable; the flag wins. The value in brackets is the default.

${rows.join("\n")}
  --version
      Print the version
  --help, -h
      Print this text
`;
}
