/**
 * Finds the container CLI to use: the one the operator names, else podman, else docker. A CLI is
 * there when it answers, not when a file of that name exists.
 */
import { AppError } from "../../shared/errors.ts";
import { assertImage, type ContainerKind } from "./container_args.ts";
import type { ContainerCli } from "./container_cli.ts";
import { type EngineReport, parseInfo } from "./engine_report.ts";

/** How long a CLI may take to say what it is. */
const INFO_TIMEOUT_MS = 10_000;

/** Options of {@link probeCli}. */
export interface ProbeOptions {
  image: string;
  /** `Deno.build.os`. */
  os: string;
  /** Value of `DOCKER_HOST`, when set. */
  dockerHost?: string | undefined;
  signal?: AbortSignal | undefined;
  /** @default {10000} */
  timeoutMs?: number | undefined;
}

/** Asks one CLI what it is and whether it has the image; never rejects for what it answers. */
export async function probeCli(cli: ContainerCli, options: ProbeOptions): Promise<EngineReport> {
  assertImage(options.image);
  const run = {
    timeoutMs: options.timeoutMs ?? INFO_TIMEOUT_MS,
    signal: options.signal,
  };
  const [info, image, dockerHost] = await Promise.all([
    cli.run(["info", "--format", "{{json .}}"], run),
    cli.run(["image", "inspect", "--format", "{{.Id}}", options.image], run),
    options.dockerHost || askDockerContext(cli, run),
  ]);
  return parseInfo(info, {
    command: cli.command,
    image: options.image,
    imagePresent: image.end === "exit" && image.code === 0,
    os: options.os,
    dockerHost,
  });
}

/** The endpoint of docker's current context; empty for podman, which has no such command. */
async function askDockerContext(
  cli: ContainerCli,
  run: { timeoutMs: number; signal: AbortSignal | undefined },
): Promise<string> {
  if (/podman[^/\\]*$/i.test(cli.command)) return "";
  const args = ["context", "inspect", "--format", "{{.Endpoints.docker.Host}}"];
  const answer = await cli.run(args, run);
  return answer.code === 0 ? answer.stdout.trim() : "";
}

/** Which CLIs to ask, first choice first. */
export function toCandidates(
  engine: ContainerKind | "auto",
  runtime: string | undefined,
): string[] {
  if (runtime !== undefined && runtime !== "") return [runtime];
  return engine === "auto" ? ["podman", "docker"] : [engine];
}

/**
 * Refuses a CLI that was named and cannot be used.
 *
 * @throws {AppError} with the reason and the next step.
 */
export function assertUsable(
  report: EngineReport,
  engine: ContainerKind | "auto",
): asserts report is EngineReport & { kind: ContainerKind } {
  if (!report.usable || report.kind === undefined) {
    const reason = report.reason ?? "it gave no reason";
    throw new AppError(
      `Cannot start a container sandbox with "${report.command}": ${reason}`,
      report.hint === undefined ? {} : { hint: report.hint },
    );
  }
  if (engine !== "auto" && report.kind !== engine) {
    throw new AppError(`Cannot use "${report.command}" as ${engine}: it is ${report.kind}`, {
      hint: `Set MCP_BRIDGE_ENGINE=${report.kind}, or name another MCP_BRIDGE_RUNTIME`,
    });
  }
}
