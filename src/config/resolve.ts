/** Texts of flags and variables → checked settings. Pure; every bad one is reported, not only the first. */
import { AppError } from "../shared/errors.ts";
import type { Environment } from "./folders.ts";
import {
  type Config,
  flagOf,
  type Flags,
  type Setting,
  SETTING_KEYS,
  type SettingKey,
  SETTINGS,
} from "./schema.ts";
import * as kinds from "./values.ts";

/** A setting that cannot be used, and the step that mends it. */
interface Problem {
  message: string;
  hint: string;
}

/** A text the operator gave, and the name it came under. */
interface Given {
  source: string;
  text: string;
}

const NO_START = "the server does not start with a partly applied policy";

/**
 * The settings out of flags, variables and defaults; a flag wins over its variable.
 *
 * @throws {AppError} `config` if a value is not allowed, with one line for each.
 */
export function resolveConfig(flags: Flags, env: Environment): Config {
  const values: Partial<Record<SettingKey, unknown>> = {};
  const given = new Map<SettingKey, Given>();
  const problems: Problem[] = [];
  for (const key of SETTING_KEYS) {
    const setting: Setting = SETTINGS[key];
    const own = givenText(key, flags, env);
    if (own !== undefined) given.set(key, own);
    const text = own?.text ?? setting.default;
    if (text === undefined) continue;
    const parsed = setting.schema(kinds).safeParse(text);
    if (parsed.success) values[key] = parsed.data;
    else problems.push(badValue(setting, own!, parsed.error.issues[0]!.message));
  }
  const config = { ...values, explicit: new Set(given.keys()) } as Config;
  problems.push(...checkTimeouts(config, given));
  if (problems.length > 0) throw toError(problems);
  return { ...config, timeoutSeconds: Math.min(config.timeoutSeconds, config.maxTimeoutSeconds) };
}

function givenText(key: SettingKey, flags: Flags, env: Environment): Given | undefined {
  const flag = flags[key];
  if (flag !== undefined) return { source: flagOf(key), text: flag };
  const name = SETTINGS[key].env;
  const text = env[name];
  // Clients write "" for a variable that is left blank in their settings page.
  return text ? { source: name, text } : undefined;
}

function badValue(setting: Setting, given: Given, expected: string): Problem {
  return {
    message: `Cannot use ${given.source}=${JSON.stringify(given.text)}: ${expected}`,
    hint: `Set it to ${setting.default ?? setting.example}; ${NO_START}`,
  };
}

/** Only a limit the operator wrote can be too long: the default gives way to a lower maximum. */
function checkTimeouts(config: Config, given: ReadonlyMap<SettingKey, Given>): Problem[] {
  const timeout = given.get("timeoutSeconds");
  // Either may have failed to parse; the comparison with `undefined` is false then.
  if (timeout === undefined || !(config.timeoutSeconds > config.maxTimeoutSeconds)) return [];
  const maximum = given.get("maxTimeoutSeconds")?.source ?? SETTINGS.maxTimeoutSeconds.env;
  return [{
    message: `Cannot use ${timeout.source}="${timeout.text}": the maximum is ` +
      `${config.maxTimeoutSeconds} seconds`,
    hint: `Lower it, or raise ${maximum}`,
  }];
}

function toError(problems: readonly Problem[]): AppError {
  const message = problems.map((problem) => problem.message).join("\n");
  const hint = problems.length === 1 ? problems[0]!.hint : `Correct all of them; ${NO_START}`;
  return new AppError(message, { code: "config", hint });
}
