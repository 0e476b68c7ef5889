/** The text of a configuration file → its data, with the line of every key. The format follows from the file's name. */
import { ConfigProblem } from "../config_problem.ts";
import { parseJson } from "./json_document.ts";
import { parseToml } from "./toml_document.ts";
import { parseYaml } from "./yaml_document.ts";

/** A file that could be parsed. */
export interface ConfigDocument {
  /** Plain data; `undefined` when the file holds nothing. */
  value: unknown;
  /** The line, from 1, of the key at `path`, or of the nearest one above it. */
  lineOf(path: readonly string[]): number;
}

interface Format {
  name: string;
  parse(text: string): ConfigDocument;
  /** Largest file that is read; of TOML and YAML what the worst one may take of everybody's time. */
  maxBytes: number;
}

const KIB = 1024;
const JSON_FORMAT: Format = { name: "JSON", parse: parseJson, maxBytes: 16 * KIB * KIB };
const TOML_FORMAT: Format = { name: "TOML", parse: parseToml, maxBytes: 256 * KIB };
const YAML_FORMAT: Format = { name: "YAML", parse: parseYaml, maxBytes: 48 * KIB };

/** Largest file that may be a stranger's: parsing it costs nobody more than a moment. */
const MAX_PROJECT_BYTES = 64 * KIB;

/**
 * Parses the bytes of `file`.
 *
 * @throws {ConfigProblem} if they are not text of its format.
 */
export function parseConfig(file: string, bytes: Uint8Array): ConfigDocument {
  const format = formatOf(file);
  let text: string;
  try {
    // Decoding drops a byte order mark, which Windows editors write.
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new ConfigProblem("Cannot read the file: it is not UTF-8 text");
  }
  if (text.trim() === "") return { value: undefined, lineOf: () => 1 };
  try {
    return format.parse(text);
  } catch (error) {
    if (error instanceof ConfigProblem) throw error;
    // A parser that runs out of stack says so with a RangeError.
    const why = error instanceof RangeError
      ? "it is nested too deeply"
      : `not valid ${format.name}`;
    throw new ConfigProblem(`Cannot read the file: ${why}`);
  }
}

/** The most bytes a file of this name may have; `isOwn` if it is the person's and not the project's. */
export function maxBytesOf(file: string, isOwn: boolean): number {
  const { maxBytes } = formatOf(file);
  return isOwn ? maxBytes : Math.min(maxBytes, MAX_PROJECT_BYTES);
}

function formatOf(file: string): Format {
  if (/\.toml$/i.test(file)) return TOML_FORMAT;
  return /\.ya?ml$/i.test(file) ? YAML_FORMAT : JSON_FORMAT;
}
