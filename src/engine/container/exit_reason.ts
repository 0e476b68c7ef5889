/** Why a container's interpreter is gone, and why one did not start. Pure. */
import { AppError } from "../../shared/errors.ts";
import { type SandboxExit, TOO_DEEP } from "../engine.ts";
import { lastLine } from "./engine_report.ts";

/** Exit code of `runtime/python/sandbox_runtime/supervisor.py` for a kill by the kernel for memory. */
export const MEMORY_EXIT_CODE = 86;

/** What C code does when it has used up its stack. */
const SIGSEGV = 11;

/** Reads the exit code of a sandbox that nobody asked to end. */
export function toExit(code: number, memoryBytes: number): SandboxExit {
  if (code === MEMORY_EXIT_CODE) {
    return {
      reason: "memory",
      detail: `memory limit of ${formatMegabytes(memoryBytes)} exceeded`,
    };
  }
  if (code > 128 && code < 160) {
    const signal = code - 128;
    const detail = `the interpreter was killed by signal ${signal}`;
    return { reason: "crashed", detail: signal === SIGSEGV ? `${detail}; ${TOO_DEEP}` : detail };
  }
  return { reason: "crashed", detail: `the interpreter ended with exit code ${code}` };
}

function formatMegabytes(bytes: number): string {
  return `${Math.round(bytes / (1024 * 1024) * 10) / 10} MB`;
}

/** What to try after a start that failed. */
export type StartTrouble = "no mount" | "no image" | "no profile" | "other";

/** Tells failed starts apart by what the CLI or the interpreter wrote to stderr. */
export function classifyTrouble(stderr: string): StartTrouble {
  if (/can't open file '\/ipc\/entrypoint\.py'/.test(stderr)) return "no mount";
  if (/statfs .*no such file|bind source path does not exist|mounts denied/i.test(stderr)) {
    return "no mount";
  }
  if (/image not known|no such image|unable to find image/i.test(stderr)) return "no image";
  if (/opening seccomp profile/i.test(stderr)) return "no profile";
  return "other";
}

/** Names in the texts of {@link toStartError}. */
export interface StartErrorContext {
  command: string;
  image: string;
  /** Host path that must not reach the model. */
  tempDir: string;
  /** What to say when stderr says nothing. */
  otherwise: string;
}

/** The error for a sandbox that ended before it was ready. */
export function toStartError(stderr: string, context: StartErrorContext): AppError {
  const said = (lastLine(stderr) || context.otherwise)
    .replaceAll(context.tempDir, "<temp>");
  if (
    /"?python3"?: (executable file )?not found|no such file or directory.*python3/i.test(stderr)
  ) {
    return new AppError(`Cannot start a sandbox: the image "${context.image}" has no python3`, {
      hint: "Set MCP_BRIDGE_IMAGE to an image with Python 3.11 or newer, or leave it unset",
    });
  }
  return new AppError(`Cannot start a sandbox: ${said}`, {
    hint: `See what "${context.command} run --rm ${context.image} python3 -V" says`,
  });
}
