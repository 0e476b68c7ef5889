/**
 * Takes secrets of a server's configuration out of texts that a person, a model or a log may see: values
 * of its variables and headers, and whatever of its address can be a key. Pure.
 */
import type { ServerTransport } from "../../discovery/entry/server_entry.ts";
import { JsonText } from "../../shared/json/json_text.ts";

/** Shorter values are words such as `true` or `debug`; to hide them would make texts unreadable. */
const MIN_SECRET_CHARS = 6;

const SECRET_FLAG = /key|token|secret|passw|auth|credential|header/i;

/** User and password before the host of an address. */
const URL_LOGIN = /\b([a-z][a-z0-9+.-]*:\/\/)[^\s/?#@"'<>]+@/gi;

/** Makes a text safe to show. */
export type Redactor = (text: string) => string;

/** Made once for each server: a call that fails asks for it again. */
const known = new WeakMap<ServerTransport, Redactor>();

/** A redactor for the texts of one server; each secret is replaced by what stands in for it. */
export function createRedactor(transport: ServerTransport): Redactor {
  let redactor = known.get(transport);
  if (redactor === undefined) known.set(transport, redactor = makeRedactor(transport));
  return redactor;
}

function makeRedactor(transport: ServerTransport): Redactor {
  const places = transport.kind === "stdio"
    ? [...envSecrets(transport.env), ...argumentSecrets(transport.args)]
    : [...headerSecrets(transport.headers), ...urlSecrets(transport.url)];
  const secrets = places.filter(([value]) => value.length >= MIN_SECRET_CHARS)
    // A server that quotes what it was given writes some characters in another way.
    .flatMap(([value, standIn]): Secret[] => [[value, standIn], [inQuotes(value), standIn]])
    // The longest first: one secret may be a part of another.
    .sort(([a], [b]) => b.length - a.length);
  return (text) =>
    secrets.reduce((safe, [value, standIn]) => safe.replaceAll(value, standIn), text)
      // Of a proxy or a registry: a program that cannot reach it prints its whole address.
      .replaceAll(URL_LOGIN, "$1[login]@");
}

/** The same JSON with its strings made safe to show; numbers and the names of members are as they came. */
export function redactJson(json: JsonText, redact: Redactor): JsonText {
  if (redact(json.text) === json.text) return json;
  return new JsonText(json.text.replaceAll(STRING, (literal, colon: string | undefined) => {
    if (colon !== undefined) return literal;
    const text: string = JSON.parse(literal);
    const safe = redact(text);
    return safe === text ? literal : JSON.stringify(safe);
  }));
}

/** A string in JSON, and the colon after it if it is the name of a member. */
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g;

function inQuotes(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

/** Where a server is, without anything that can be a key. */
export function toSafeUrl(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : "its URL";
}

type Secret = [value: string, standIn: string];

function envSecrets(env: Readonly<Record<string, string>>): Secret[] {
  return Object.entries(env).map(([name, value]) => [value, `[${name}]`]);
}

function headerSecrets(headers: Readonly<Record<string, string>>): Secret[] {
  return Object.entries(headers).flatMap(([name, value]): Secret[] => {
    const standIn = `[header ${name}]`;
    // `Bearer abc`: the second word alone is as secret as the whole.
    return [
      [value, standIn],
      ...value.split(/\s+/).slice(1).map((word): Secret => [word, standIn]),
    ];
  });
}

function argumentSecrets(args: readonly string[]): Secret[] {
  return args.flatMap((argument, index): Secret[] => {
    const [, flag, inline] = /^(--?[\w-]+)(?:=(.*))?$/s.exec(argument) ?? [];
    if (flag === undefined || !SECRET_FLAG.test(flag)) return [];
    const value = inline ?? args[index + 1] ?? "";
    const words = value.split(/[\s:]+/).slice(1);
    return [value, ...words].map((secret) => [secret, `[${flag}]`]);
  });
}

function urlSecrets(url: string): Secret[] {
  if (!URL.canParse(url)) return [[url, "[url]"]];
  const { href, origin, username, password, pathname, searchParams, search } = new URL(url);
  const parts = [username, password, ...searchParams.values(), search.slice(1)];
  const keyLike = pathname.split("/").filter((part) => part.length >= 16);
  return [
    ...[url, href].map((text): Secret => [text, `${origin}/…`]),
    ...[...parts, ...keyLike].flatMap((part) => [part, safeDecode(part)])
      .map((part): Secret => [part, "[url]"]),
  ];
}

function safeDecode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
