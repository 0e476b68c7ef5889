/**
 * Which project files the person has allowed: path and digest of the content, in one small file of the
 * state folder. A file that was changed since, or lies elsewhere, is not the one that was allowed.
 */
import { readRegular } from "../shared/regular_file.ts";
import { replaceFile } from "../shared/replace_file.ts";
import { joinPath } from "./os_path.ts";

/** Path of a project file → digest of the content that was allowed. */
export type TrustedFiles = ReadonlyMap<string, string>;

/** Name of the file in the state folder. */
export const TRUST_FILE = "trusted_projects.json";

/** The most that is read of it. */
export const MAX_TRUST_BYTES: number = 4 * 1024 ** 2;

/** Digest of a file's content. */
export async function contentDigest(bytes: Uint8Array): Promise<string> {
  // A copy, since a view of shared memory is no input of the digest.
  const hash = await crypto.subtle.digest("SHA-256", new Uint8Array(bytes));
  return new Uint8Array(hash).toHex();
}

/** Reads the store; whatever cannot be read as one allows nothing. */
export function parseTrusted(text: string): TrustedFiles {
  try {
    const { files } = JSON.parse(text) as { files: Record<string, unknown> };
    const entries = Object.entries(files).filter(([, digest]) => typeof digest === "string");
    return new Map(entries as [string, string][]);
  } catch {
    return new Map();
  }
}

async function readTrusted(path: string): Promise<TrustedFiles> {
  try {
    return parseTrusted(new TextDecoder().decode(await readRegular(path, MAX_TRUST_BYTES)));
  } catch {
    return new Map();
  }
}

/** Allows the content with this digest for the file at this absolute path; earlier content of it no longer is. */
export async function addTrusted(stateDir: string, file: string, digest: string): Promise<void> {
  const path = joinPath(Deno.build.os, stateDir, TRUST_FILE);
  await Deno.mkdir(stateDir, { recursive: true, mode: 0o700 });
  const old = await readTrusted(path);
  const files = Object.fromEntries([...old, [file, digest]]);
  const text = `${JSON.stringify({ files }, undefined, 2)}\n`;
  await replaceFile(path, new TextEncoder().encode(text), { durable: true });
}
