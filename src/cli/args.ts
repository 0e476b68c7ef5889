/** The command line, as text: which command, and which flags with which values. What a value means is not judged here. */
import { didYouMean } from "../shared/did_you_mean.ts";
import { AppError } from "../shared/errors.ts";
import { flagOf, SETTING_KEYS, type SettingKey } from "../config/schema.ts";
import { type Command, COMMAND_OF_FLAG, type CommandLine } from "./command_line.ts";

const KEY_OF_FLAG = new Map(SETTING_KEYS.map((key) => [flagOf(key), key]));

const COMMAND_OF_WORD = new Map<string, Command>([["saved-tools", "saved-tools"]]);

/**
 * Reads the arguments of a command that has settings; a flag given twice counts as the last one.
 *
 * @throws {AppError} `config` if an argument is unknown or lacks its value.
 */
export function parseArgs(argv: readonly string[]): CommandLine {
  const flags: Partial<Record<SettingKey, string>> = {};
  const words: string[] = [];
  let command: Command = "serve";
  const rest = [...argv];
  for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
    if (!argument.startsWith("-")) {
      if (command !== "serve") words.push(argument);
      else command = COMMAND_OF_WORD.get(argument) ?? raise(unknownArgument(argument));
      continue;
    }
    const [flag, inline] = splitFlag(argument);
    const key = KEY_OF_FLAG.get(flag);
    if (key === undefined) throw unknownArgument(flag);
    const value = inline ?? (rest[0]?.startsWith("--") ? undefined : rest.shift());
    if (value === undefined) {
      throw new AppError(`Cannot use ${flag}: its value is missing`, {
        code: "config",
        hint: `Write ${flag} <value> or ${flag}=<value>`,
      });
    }
    flags[key] = value;
  }
  return { command, words, flags };
}

function raise(error: AppError): never {
  throw error;
}

function splitFlag(argument: string): [flag: string, inline: string | undefined] {
  const equals = argument.startsWith("--") ? argument.indexOf("=") : -1;
  return equals === -1
    ? [argument, undefined]
    : [argument.slice(0, equals), argument.slice(equals + 1)];
}

function unknownArgument(argument: string): AppError {
  const known = [KEY_OF_FLAG, COMMAND_OF_FLAG, COMMAND_OF_WORD].flatMap((map) => [...map.keys()]);
  const near = didYouMean(argument, known);
  const all = "--help lists all flags";
  return new AppError(`Cannot use the argument ${JSON.stringify(argument)}: unknown`, {
    code: "config",
    hint: near === undefined ? all : `Did you mean ${near}? ${all}`,
  });
}
