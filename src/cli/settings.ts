/** The settings of a command that needs them. */
import { loadConfig } from "../config/load.ts";
import type { Config, Flags } from "../config/schema.ts";
import { checkDenoVersion } from "./deno_version.ts";

/**
 * The settings, on a Deno that will do.
 *
 * @throws {AppError} `config` if it will not, or if a value is not allowed.
 */
export function loadSettings(flags: Flags): Config {
  if (!Deno.build.standalone) checkDenoVersion(Deno.version.deno);
  return loadConfig(flags);
}
