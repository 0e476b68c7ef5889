/** The contract's part on resources and prompts of servers, with a server that people use. */
import { assertEquals } from "@std/assert";
import { createRpcRouter } from "../../src/rpc/router.ts";
import { forRun } from "../../src/downstream/for_run.ts";
import { createRig, stub } from "../downstream/rig.ts";
import { reference } from "../support/bridge_servers.ts";
import type { EngineTarget } from "../support/engines.ts";
import { TestSession } from "../support/sessions.ts";
import { engineCase } from "./case.ts";

const CODE = `
resources = await runtime.list_resources("everything")
document = next(r for r in resources if r.get("uri", "").endswith("features.md"))
print(sorted(document), [r["uri_template"] for r in resources if "uri" not in r][0])
text = await runtime.read_resource("everything", document["uri"])
print(type(text).__name__, text.splitlines()[0])
blob = await runtime.read_resource("everything", "demo://resource/dynamic/blob/1")
print(type(blob).__name__, blob.mime_type, blob.data[:10])
print([p["name"] for p in await runtime.list_prompts("everything")][:2])
print(await runtime.get_prompt("everything", "args-prompt", {"city": "Oslo"}))
print(await runtime.read_resource("stub", "data:json"), await runtime.read_resource("stub", "data:list"))
print(await runtime.read_resource("stub", "data:two"), await runtime.read_resource("stub", "data:none"))
messages = await runtime.get_prompt("stub", "greet", {"n": 5})
print(messages[0]["content"], messages[1])
for ask in (lambda: runtime.read_resource("stub", "data:x"), lambda: runtime.read_resource("other", "data:json"),
            lambda: runtime.list_resources("other"), lambda: runtime.list_prompts("nobody"),
            lambda: runtime.get_prompt("other", "greet")):
    try:
        print("GOT THROUGH", await ask())
    except runtime.MCPError as error:
        print(error.server, error, sep=": ")
`;

const OTHER =
  "other: Server 'other' is not available: add it to the `servers` argument of run_python";

const STDOUT = `\
['description', 'mime_type', 'name', 'uri'] demo://resource/dynamic/text/{resourceId}
str # Everything Server - Features
Blob text/plain b'Resource 1'
['simple-prompt', 'args-prompt']
[{'role': 'user', 'content': "What's weather in Oslo?"}]
{'n': 9007199254740993} [1]
['one', <Blob image/png, 4 bytes>] None
{"name":"greet","arguments":{"n":"5"}} {'role': 'assistant', 'content': <Blob image/png, 4 bytes>}
stub: There is no data:x
${OTHER}
${OTHER}
nobody: Server 'nobody' is not available
${OTHER}
`;

/** Registers the cases. */
export function contentCases(target: EngineTarget): void {
  engineCase(
    target,
    "resources and prompts of the run's servers are values",
    async ({ engine }) => {
      const { args = [] } = reference("server-everything", "stdio");
      await using rig = await createRig({
        everything: { kind: "stdio", command: Deno.execPath(), args, env: {} },
        stub: stub("offers_content"),
        other: stub("offers_content"),
      }, { startTimeoutSeconds: 120 });
      const { downstream } = rig;
      await using session = new TestSession(engine, {
        rpc: createRpcRouter({}),
        forRun: forRun(downstream),
      });
      const result = await session.run(CODE, { servers: ["everything", "stub"] });
      assertEquals(result.stdout, STDOUT, result.stderr);
    },
  );
}
