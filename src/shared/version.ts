/** Who we are on the wire and on the command line; `deno.json` is the one place that holds the version. */
import config from "../../deno.json" with { type: "json" };

/** `serverInfo.name`, and the host part of every resource URI. */
export const SERVER_NAME = "mcp-server-code-execution-mode";

/** Version of this build. */
export const VERSION: string = config.version;

/** The exact Pyodide of this build. */
export const PYODIDE_SPECIFIER: string = config.imports["pyodide/"];
