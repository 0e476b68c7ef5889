/** The protocol's own conformance suite against our client; logins (`auth/…`) are not part of it. */
import { assert } from "@std/assert";

const client = new URL("./conformance_client.ts", import.meta.url).pathname;
const config = new URL("../../deno.json", import.meta.url).pathname;

/** The suite of each era: what is new in 2026-07-28 is only in the one that is still an alpha. */
const SUITES: ReadonlyArray<[version: string, scenarios: readonly string[]]> = [
  ["0.1.16", ["initialize", "tools_call", "sse-retry", "elicitation-sep1034-client-defaults"]],
  ["0.2.0-alpha.12", [
    "tools_call",
    "request-metadata",
    "sep-2322-client-request-state",
    "http-standard-headers",
    "http-custom-headers",
    "http-invalid-tool-headers",
    "json-schema-ref-no-deref",
    "json-schema-2020-12-preservation",
  ]],
];

for (const [version, scenarios] of SUITES) {
  for (const scenario of scenarios) {
    Deno.test(`the conformance suite ${version} accepts our client in the scenario ${scenario}`, () =>
      check(version, scenario));
  }
}

async function check(version: string, scenario: string): Promise<void> {
  const command = `${Deno.execPath()} run -A --no-lock --config ${config} ${client}`;
  const suite = `npm:@modelcontextprotocol/conformance@${version}`;
  const folder = await Deno.makeTempDir();
  try {
    const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "-A", "--quiet", "--no-config", "--no-lock", suite],
        ...["client", "--command", command, "--scenario", scenario],
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
}
