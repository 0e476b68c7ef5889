/** The MCP Inspector's command line: each request is a process of it and a server of ours. */
import type { BridgeHome, BridgeOptions } from "./bridge_home.ts";

/** Name of the client in tests. */
export const INSPECTOR = "Inspector";

// `deno run npm:…` stops at an optional dependency that was never published for its platform; npx does not.
const COMMAND = "npx";
const PACKAGE = ["-y", "@modelcontextprotocol/inspector@2.12.0", "--cli"];

/** Why the Inspector cannot run here, if it cannot. */
export const inspectorUnavailable: string | undefined = await findReason();

async function findReason(): Promise<string | undefined> {
  try {
    const { success, stderr } = await new Deno.Command(COMMAND, {
      args: [...PACKAGE, "--version"],
      stdin: "null",
      stdout: "null",
    }).output();
    return success
      ? undefined
      : `npx: ${new TextDecoder().decode(stderr).trim().split("\n").at(-1)}`;
  } catch {
    return "npx is not on PATH";
  }
}

/** The result of one request; the error of the server, if it sent one, as an exception. */
export async function runInspector(
  home: BridgeHome,
  options: BridgeOptions,
  era: "legacy" | "modern",
  request: readonly string[],
): Promise<Record<string, unknown>> {
  const { command, args, env, cwd } = home.command(options);
  const variables = Object.entries(env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
  const { stdout, stderr } = await new Deno.Command(COMMAND, {
    args: [
      ...PACKAGE,
      ...variables,
      ...["--cwd", cwd, "--protocol-era", era, "--format", "json", "--quiet", ...request],
      ...["--", command, ...args],
    ],
    env: { MCP_CATALOG_PATH: `${home.folder}/inspector.json` },
    cwd: home.cwd,
    stdin: "null",
  }).output();
  const text = new TextDecoder().decode(stdout).trim();
  if (text === "") throw new Error(new TextDecoder().decode(stderr).trim());
  return (JSON.parse(text) as { result: Record<string, unknown> }).result;
}
