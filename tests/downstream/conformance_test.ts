/** The protocol's own conformance suite against our client; logins (`auth/…`) are not part of it. */
import { assert } from "@std/assert";

const client = new URL("./conformance_client.ts", import.meta.url).pathname;
const config = new URL("../../deno.json", import.meta.url).pathname;

for (
  const scenario of ["initialize", "tools_call", "sse-retry", "elicitation-sep1034-client-defaults"]
) {
  Deno.test(`the conformance suite accepts our client in the scenario ${scenario}`, async () => {
    const command = `${Deno.execPath()} run -A --no-lock --config ${config} ${client}`;
    const folder = await Deno.makeTempDir();
    try {
      const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
        args: [
          "run",
          "-A",
          "--quiet",
          "--no-config",
          "--no-lock",
          "npm:@modelcontextprotocol/conformance@0.1.16",
          "client",
          "--command",
          command,
          "--scenario",
          scenario,
        ],
        // Where it leaves its results.
        cwd: folder,
        stdin: "null",
      }).output();
      const text = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("\n");
      assert(success && text.includes("OVERALL: PASSED"), text.slice(-3000));
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}
