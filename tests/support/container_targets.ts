/**
 * The container engines to test: podman, podman of a user without rights, docker, each with the newest
 * and the oldest Python. `container_images.sh` prepares them; elsewhere the public images serve when
 * they are there.
 */
import type { ContainerKind } from "../../src/engine/container/container_args.ts";
import type { ContainerEngine } from "../../src/engine/container/container_engine.ts";
import {
  type ContainerEngineSettings,
  createContainerEngine,
  reportContainerEngines,
} from "../../src/engine/container/create_container_engine.ts";
import type { EngineReport } from "../../src/engine/container/engine_report.ts";
import type { EngineTarget } from "./engines.ts";

/** A container engine to test. */
export interface ContainerTarget extends EngineTarget {
  kind: "process";
  python: string;
  settings: ContainerEngineSettings;
  report: EngineReport;
  /** An engine that all tests share, or one of its own when it differs. */
  create(more?: Partial<ContainerEngineSettings>): Promise<ContainerEngine>;
}

const PYTHONS = ["3.14", "3.11"];

const ENGINES: { name: string; engine: ContainerKind; variable?: string }[] = [
  { name: "podman", engine: "podman" },
  { name: "podman rootless", engine: "podman", variable: "MCP_BRIDGE_TEST_PODMAN_ROOTLESS" },
  { name: "docker", engine: "docker" },
];

const LIMITS = ["memoryBytes", "pids", "cpus"] as const;

let found: Promise<ContainerTarget[]> | undefined;

/** Every container target, those that cannot run here with the reason. */
export function findContainerTargets(): Promise<ContainerTarget[]> {
  found ??= Promise.all(
    ENGINES.flatMap((entry) => PYTHONS.map((python) => findTarget(entry, python))),
  );
  return found;
}

async function findTarget(
  { name, engine, variable }: (typeof ENGINES)[number],
  python: string,
): Promise<ContainerTarget> {
  const runtime = variable === undefined ? undefined : Deno.env.get(variable);
  const images = [`localhost/mcp-bridge-test:${python}`, `python:${python}-slim`];
  const reports = await Promise.all(
    images.map((image) => reportContainerEngines({ engine, runtime, image })),
  );
  const all = reports.flat();
  const report = all.find(({ imagePresent }) => imagePresent) ?? all[0]!;
  const settings: ContainerEngineSettings = {
    engine,
    runtime,
    image: report.image,
    explicitLimits: new Set(),
    tempDir: Deno.env.get("TMPDIR") ?? "/tmp",
    machineIdleTimeoutMs: 60_000,
  };
  const unavailable = variable !== undefined && runtime === undefined
    ? `${variable} is not set`
    : !report.usable
    ? report.reason ?? "it does not say why"
    : report.imagePresent
    ? undefined
    : `it has none of the images ${images.join(", ")}`;
  const make = async (more: Partial<ContainerEngineSettings>) => {
    const engine = (await createContainerEngine({ ...settings, ...more }))!;
    // Otherwise it would go on behind the first test.
    await engine.tidy();
    return engine;
  };
  let shared: Promise<ContainerEngine> | undefined;
  return {
    name: `${name}, Python ${python}`,
    kind: "process",
    python,
    settings,
    report,
    ...(unavailable === undefined ? {} : { unavailable }),
    unenforced: LIMITS.filter((limit) => report.limits[limit] === "not enforceable here"),
    create: (more) => more === undefined ? shared ??= make({}) : make(more),
  };
}
