/** Where a server under test lives, and the command line by which a user's client would start it. */
import { cacheDir } from "./engines.ts";

/** The program, by its absolute path. */
export const MAIN: string = new URL("../../main.ts", import.meta.url).pathname;

/** How a server is started. */
export interface BridgeOptions {
  /** Variables on top of the usual ones; undefined takes one away. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Flags of the server. */
  args?: readonly string[];
  /** Flags of Deno. @default those of the documentation */
  denoArgs?: readonly string[];
  /** @default the program of this checkout */
  main?: string;
  /** Command that starts the rest of the line, such as `unshare -n`. */
  wrapper?: readonly string[];
  /** Longest life of the process: a test that hangs fails instead. @default 90 s */
  lifeMs?: number;
}

/** A command with its whole environment. */
export interface BridgeCommand {
  command: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
}

/** Variables of this machine that Deno itself needs. */
const KEPT = ["PATH", "NPM_CONFIG_REGISTRY", "TMPDIR"];

/** Where Deno keeps its modules: from a home folder of its own a server would not find them. */
const denoDir = await findDenoDir();

/** Folders of one server: an empty home, its state, and a working directory that is not the checkout. */
export class BridgeHome implements AsyncDisposable {
  readonly folder: string = Deno.makeTempDirSync({ prefix: "mcp-bridge-e2e-" });
  readonly stateDir: string = `${this.folder}/state`;
  readonly cwd: string = `${this.folder}/cwd`;
  readonly #userHome = `${this.folder}/home`;

  constructor() {
    Deno.mkdirSync(this.cwd);
    Deno.mkdirSync(this.#userHome);
  }

  /** The command that starts a server here: `deno run -P <absolute path>/main.ts`. */
  command(options: BridgeOptions = {}): BridgeCommand {
    const { env = {}, args = [], denoArgs = ["-P"], main = MAIN, wrapper = [] } = options;
    const variables = {
      ...Object.fromEntries(KEPT.map((name) => [name, Deno.env.get(name)])),
      HOME: this.#userHome,
      DENO_DIR: denoDir,
      MCP_BRIDGE_ENGINE: "wasm",
      MCP_BRIDGE_STATE_DIR: this.stateDir,
      MCP_BRIDGE_CACHE_DIR: cacheDir,
      ...env,
    };
    const [command, ...rest] = [...wrapper, Deno.execPath(), "run", ...denoArgs, main, ...args];
    return {
      command: command!,
      args: rest,
      env: Object.fromEntries(
        Object.entries(variables).filter((entry): entry is [string, string] =>
          entry[1] !== undefined
        ),
      ),
      cwd: this.cwd,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.folder, { recursive: true });
  }
}

async function findDenoDir(): Promise<string> {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).output();
  return JSON.parse(new TextDecoder().decode(stdout)).denoDir;
}
