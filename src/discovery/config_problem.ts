/** What is wrong in a configuration file, in words that hold no value out of it: values may be secrets. */
import { printable } from "../shared/printable.ts";

/** Options of {@link ConfigProblem}. */
export interface ConfigProblemOptions {
  /** Keys that lead to the place from the top of the file. */
  path?: readonly string[];
  /** The line, where the path is not known. */
  line?: number;
}

/** Thrown by the readers of files and entries; caught where the file or entry is given up. */
export class ConfigProblem extends Error {
  override readonly name = "ConfigProblem";
  readonly path: readonly string[];
  readonly line: number | undefined;

  constructor(message: string, options: ConfigProblemOptions = {}) {
    super(message);
    this.path = options.path ?? [];
    this.line = options.line;
  }
}

/** A key or name as it is shown: quoted, on one line, of bounded length. */
export function quoted(name: string): string {
  return JSON.stringify(printable(name.length > 100 ? `${name.slice(0, 100)}…` : name));
}
