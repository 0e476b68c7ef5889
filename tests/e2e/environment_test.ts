/** Whose variables reach whom when the bridge is started as a person starts it, with `-P`. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { BridgeHome } from "../support/bridge_home.ts";
import { connectWithServers, fixture, textWith } from "../support/bridge_servers.ts";
import { listDescendants } from "../support/processes.ts";
import { StdioClient } from "../support/stdio_client.ts";

const SECRET = "s3cret-of-the-host";

Deno.test("an entry may name any variable of the environment, with or without a default", async () => {
  await using home = new BridgeHome();
  const env = { A: "${MY_OWN_TOKEN}", B: "${NOT_SET_ANYWHERE:-preset}", C: "${env:LD_PRELOADED}" };
  const servers = { s: { ...fixture("workbench"), env } };
  await using client = await connectWithServers(home, servers, {
    env: { MY_OWN_TOKEN: "t0p", LD_PRELOADED: "x" },
  });
  const code = "e = await mcp_s.env()\nprint(e['A'], e['B'], e['C'])";
  assertEquals(await textWith(client, ["s"], code), "t0p preset x");
});

Deno.test("the servers of goose are found", async () => {
  await using home = new BridgeHome();
  const folder = `${home.folder}/home/.config/goose`;
  await Deno.mkdir(folder, { recursive: true });
  const { command, args } = fixture("workbench");
  const server = { type: "stdio", enabled: true, cmd: command, args };
  // YAML can be written as JSON.
  await Deno.writeTextFile(`${folder}/config.yaml`, JSON.stringify({ extensions: { g: server } }));
  await using client = await StdioClient.connect(home);
  assertEquals(await textWith(client, ["g"], "print(await mcp_g.echo(value=1))"), "{'value': 1}");
});

Deno.test("a server learns how to reach the network and where packages are, and no secret", async () => {
  await using home = new BridgeHome();
  const handedOn = {
    HTTPS_PROXY: "http://127.0.0.1:9",
    no_proxy: "127.0.0.1",
    SSL_CERT_FILE: "/etc/ssl/certs/ca-certificates.crt",
    NODE_EXTRA_CA_CERTS: "/etc/ssl/certs/ca-certificates.crt",
    UV_CACHE_DIR: `${home.folder}/uv`,
    npm_config_cache: `${home.folder}/npm`,
  };
  const kept = { AWS_SECRET_ACCESS_KEY: SECRET, GITHUB_TOKEN: SECRET, LD_LIBRARY_PATH: "/x" };
  const servers = { s: fixture("workbench") };
  await using client = await connectWithServers(home, servers, { env: { ...handedOn, ...kept } });
  const code = `e = await mcp_s.env()
print([name for name in ${JSON.stringify(Object.keys(handedOn))} if name not in e])
print([name for name in ${JSON.stringify(Object.keys(kept))} if name in e], "DENO_DIR" in e)`;
  assertEquals(await textWith(client, ["s"], code), "[]\n[] True");
});

Deno.test("no process that the bridge starts for a sandbox or a server holds its environment", async () => {
  await using home = new BridgeHome();
  const servers = { s: fixture("workbench") };
  await using client = await connectWithServers(home, servers, { env: { MY_SECRET: SECRET } });
  const seen = await textWith(
    client,
    ["s"],
    "import os\nprint(await mcp_s.echo(value=1))\nprint(sorted(os.environ.values()))",
  );
  assertStringIncludes(seen, "{'value': 1}");
  assert(!seen.includes(SECRET), seen);
  const children = await listDescendants(client.pid);
  assert(children.length >= 2, JSON.stringify(children));
  // Of its own environment the bridge makes no secret, which shows that this way of looking finds it.
  assert((await environmentOf(client.pid)).includes(SECRET));
  for (const { pid, args } of children) {
    assert(!(await environmentOf(pid)).includes(SECRET), args);
  }
});

/** The variables a process was started with, as Linux shows them; nothing if it is gone. */
async function environmentOf(pid: number): Promise<string> {
  return await Deno.readTextFile(`/proc/${pid}/environ`).catch(() => "");
}

Deno.test("a home folder that is a relative path puts nothing into the working folder", async () => {
  await using home = new BridgeHome();
  const env = { HOME: "here", XDG_STATE_HOME: "state", MCP_BRIDGE_STATE_DIR: undefined };
  await using client = await StdioClient.connect(home, { env });
  const code = "try: save_memory('k', 1)\nexcept Exception as error: print(error)";
  assertStringIncludes(await textWith(client, [], code), "No state folder is known");
  assertEquals(await Array.fromAsync(Deno.readDir(home.cwd)), []);
});
