/** What this program is made of, as far as it can be named on somebody's command line. */
import { fileUrlPath } from "./self_server.ts";

/** Our own executable when compiled, otherwise `main.ts`; none when the sources are on a registry. */
export function ownFiles(): string[] {
  if (Deno.build.standalone) return [Deno.execPath()];
  const main = new URL("../../main.ts", import.meta.url);
  const path = main.protocol === "file:" ? fileUrlPath(Deno.build.os, main) : undefined;
  return path === undefined ? [] : [path];
}
