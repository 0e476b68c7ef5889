/** A scripted container CLI for unit tests: answers by the start of the command line, keeps what it was asked. */
import type {
  CliProcess,
  CliResult,
  CliRunOptions,
  ContainerCli,
} from "../../../../src/engine/container/container_cli.ts";

/** A result of a program that ran to its end. */
export function exited(code: number, stdout = "", stderr = ""): CliResult {
  return { end: "exit", code, stdout, stderr };
}

/** Answers one command; an answer that is a function can change from call to call. */
export type Answer =
  | CliResult
  | ((args: readonly string[], options: CliRunOptions) => CliResult | Promise<CliResult>);

/** Answers nothing until it is told to stop. */
export function hangs(_args: readonly string[], { signal }: CliRunOptions): Promise<CliResult> {
  const aborted: CliResult = { end: "aborted", code: -1, stdout: "", stderr: "" };
  if (signal?.aborted) return Promise.resolve(aborted);
  return new Promise((resolve) =>
    signal?.addEventListener("abort", () => resolve(aborted), { once: true })
  );
}

/** A {@link ContainerCli} that starts nothing. */
export class FakeCli implements ContainerCli {
  readonly command: string;
  readonly calls: string[] = [];
  readonly #answers: Record<string, Answer>;

  constructor(answers: Record<string, Answer>, command = "podman") {
    this.#answers = answers;
    this.command = command;
  }

  run(args: readonly string[], options: CliRunOptions): Promise<CliResult> {
    const line = args.join(" ");
    this.calls.push(line);
    const key = Object.keys(this.#answers).find((start) => line.startsWith(start));
    const answer = key === undefined ? exited(0) : this.#answers[key] ?? exited(0);
    return Promise.resolve(typeof answer === "function" ? answer(args, options) : answer);
  }

  spawn(): CliProcess {
    throw new Error("A FakeCli spawns nothing");
  }
}
