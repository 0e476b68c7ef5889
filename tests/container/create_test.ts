/** Which engine the settings give, on the container CLIs of this machine. */
import { assertEquals, assertRejects } from "@std/assert";
import {
  type ContainerEngineSettings,
  createContainerEngine,
} from "../../src/engine/container/create_container_engine.ts";
import { AppError } from "../../src/shared/errors.ts";
import { containerCase } from "../support/container_case.ts";

const SETTINGS: ContainerEngineSettings = {
  engine: "auto",
  image: "localhost:1/mcp-bridge-test-absent:1",
  explicitLimits: new Set(),
  tempDir: "/tmp",
  machineIdleTimeoutMs: 60_000,
};

Deno.test("createContainerEngine() gives nothing to auto without the image, and pulls none", async () => {
  assertEquals(await createContainerEngine(SETTINGS), undefined);
});

Deno.test("createContainerEngine() refuses a CLI that is not there", async () => {
  const runtime = "/nowhere/podman";
  const error = await assertRejects(
    () => createContainerEngine({ ...SETTINGS, runtime }),
    AppError,
  );
  assertEquals(
    error.message,
    'Cannot start a container sandbox with "/nowhere/podman": it is not on PATH',
  );
});

Deno.test({
  name: "createContainerEngine() refuses a CLI that does not answer as one",
  ignore: Deno.build.os === "windows",
  async fn() {
    await assertRejects(() => createContainerEngine({ ...SETTINGS, runtime: "true" }), AppError);
  },
});

await containerCase(
  "auto takes a CLI that answers and has the image",
  async ({ settings, report }) => {
    const engine = await createContainerEngine({ ...settings, engine: "auto" });
    assertEquals(engine?.report.usable, true);
    if (settings.runtime !== undefined) assertEquals(engine?.name, report.kind);
  },
);

await containerCase("a CLI of the other kind is refused", async ({ settings, report }) => {
  const other = report.kind === "podman" ? "docker" : "podman";
  const error = await assertRejects(
    () => createContainerEngine({ ...settings, engine: other, runtime: report.command }),
    AppError,
  );
  assertEquals(error.message, `Cannot use "${report.command}" as ${other}: it is ${report.kind}`);
});

await containerCase("a limit that was set and cannot be held stops the start", async (target) => {
  const explicitLimits = new Set(["memoryBytes", "user"] as const);
  const made = createContainerEngine({ ...target.settings, explicitLimits });
  if (target.report.limits.memoryBytes === "enforced") {
    assertEquals((await made)?.limits.memoryBytes, "enforced");
  } else {
    await assertRejects(() => made, AppError, "MCP_BRIDGE_MEMORY");
  }
});
