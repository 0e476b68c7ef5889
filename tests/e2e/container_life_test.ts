/** A user of podman or docker finds no container left behind, however the bridge ends. */
import { assertEquals, fail } from "@std/assert";
import { BridgeHome } from "../support/bridge_home.ts";
import { type ContainerTarget, findContainerTargets } from "../support/container_targets.ts";
import { StdioClient } from "../support/stdio_client.ts";

/** Longest time until a container is gone. */
const GONE_MS = 10_000;

const required = Deno.env.get("MCP_BRIDGE_REQUIRE_ENGINES") === "1";
const targets = (await findContainerTargets())
  .filter(({ python, name }) => python === "3.14" && !name.includes("rootless"));

for (const target of targets) {
  const { unavailable: why, settings } = target;
  const test = (title: string, end: (client: StdioClient) => Promise<void>) =>
    Deno.test({
      name: `${settings.engine}: ${title}${why === undefined ? "" : ` (skipped: ${why})`}`,
      ignore: why !== undefined && !required,
      async fn() {
        if (why !== undefined) fail(`${settings.engine} is required here: ${why}`);
        await using home = new BridgeHome();
        await using client = await StdioClient.connect(home, { env: environment(target) });
        assertEquals(await client.text("x = 41\nprint(x)"), "41");
        const label = `mcp-bridge.pid=${client.pid}`;
        assertEquals((await containers(target, label)).length, 1);
        await end(client);
        await waitUntilGone(target, label);
      },
    });

  test("a session that ends leaves no container", async (client) => {
    assertEquals(
      (await client.text("while True: pass", { timeout: 1 })).split("\n").at(-1)!,
      "Variables of this session are kept",
    );
    const { id } = client.start("while True: pass");
    await new Promise((resolve) => setTimeout(resolve, 300));
    await client.notify("notifications/cancelled", { requestId: id });
    assertEquals(await client.text("print(x)"), "41");
    await client.closeStdin();
    await client.ended;
  });

  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    test(`${signal} in the middle of a run leaves no container`, async (client) => {
      client.start("while True: pass");
      await new Promise((resolve) => setTimeout(resolve, 300));
      client.kill(signal);
      await client.ended;
    });
  }
}

function environment({ settings, report }: ContainerTarget): Record<string, string> {
  const conf = Deno.env.get("CONTAINERS_CONF");
  return {
    MCP_BRIDGE_ENGINE: settings.engine,
    MCP_BRIDGE_IMAGE: report.image,
    ...(conf !== undefined && { CONTAINERS_CONF: conf }),
  };
}

async function containers({ settings }: ContainerTarget, label: string): Promise<string[]> {
  const args = ["ps", "--all", "--quiet", "--filter", `label=${label}`];
  const { stdout } = await new Deno.Command(settings.engine, { args }).output();
  return new TextDecoder().decode(stdout).split("\n").filter((id) => id !== "");
}

async function waitUntilGone(target: ContainerTarget, label: string): Promise<void> {
  const until = performance.now() + GONE_MS;
  for (;;) {
    const left = await containers(target, label);
    if (left.length === 0) return;
    if (performance.now() > until) fail(`Still there: ${left.join(", ")}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
