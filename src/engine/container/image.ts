/**
 * Gets the image before a sandbox needs it. A pull takes minutes and prints a lot: its lines go to
 * whoever watches the start, never into an answer.
 */
import { AppError } from "../../shared/errors.ts";
import { assertImage } from "./container_args.ts";
import type { CliResult, ContainerCli } from "./container_cli.ts";
import { lastLine } from "./engine_report.ts";

const PULL_TIMEOUT_MS = 30 * 60_000;
const INSPECT_TIMEOUT_MS = 10_000;
const PROGRESS_EVERY_MS = 1_000;

/** Options of {@link ensureImage}. */
export interface EnsureImageOptions {
  signal?: AbortSignal | undefined;
  onProgress?: ((message: string) => void) | undefined;
}

/**
 * Pulls the image unless it is there.
 *
 * @throws {AppError} naming the image and the command to run by hand.
 */
export async function ensureImage(
  cli: ContainerCli,
  image: string,
  options: EnsureImageOptions = {},
): Promise<void> {
  assertImage(image);
  if (await hasImage(cli, image, options.signal)) return;
  let result = await pull(cli, image, options);
  const qualified = toQualifiedName(image);
  if (result.code !== 0 && /short-name/.test(result.stderr) && qualified !== image) {
    result = await pull(cli, qualified, options);
  }
  if (result.end === "aborted") throw new AppError("The image pull was cancelled");
  if (result.code !== 0) throw toPullError(cli.command, image, result);
}

/** Whether the engine has the image already. */
export async function hasImage(
  cli: ContainerCli,
  image: string,
  signal?: AbortSignal,
): Promise<boolean> {
  const args = ["image", "inspect", "--format", "{{.Id}}", image];
  const answer = await cli.run(args, { timeoutMs: INSPECT_TIMEOUT_MS, signal });
  return answer.code === 0;
}

/** The name docker would mean: podman without a list of registries knows no other. */
export function toQualifiedName(image: string): string {
  const [first = "", ...rest] = image.split("/");
  if (rest.length === 0) return `docker.io/library/${image}`;
  const isRegistry = /[.:]/.test(first) || first === "localhost";
  return isRegistry ? image : `docker.io/${image}`;
}

function pull(cli: ContainerCli, image: string, options: EnsureImageOptions): Promise<CliResult> {
  const { onProgress, signal } = options;
  onProgress?.(`Pulling image ${image}`);
  let last = performance.now();
  const onOutput = (text: string) => {
    const line = lastLine(text);
    if (line === "" || performance.now() - last < PROGRESS_EVERY_MS) return;
    last = performance.now();
    onProgress?.(`Pulling image ${image}: ${line.slice(0, 100)}`);
  };
  return cli.run(["pull", image], { timeoutMs: PULL_TIMEOUT_MS, signal, onOutput });
}

function toPullError(command: string, image: string, result: CliResult): AppError {
  const reason = result.end === "timeout"
    ? "the pull took more than 30 minutes"
    : lastLine(result.stderr) || `the pull ended with exit code ${result.code}`;
  return new AppError(`Cannot get the image "${image}": ${reason}`, {
    hint:
      `Run "${command} pull ${image}" by hand, or set MCP_BRIDGE_IMAGE to an image that is there`,
  });
}
