/** The programs of `tests/fixtures/programs`: several in a file, each below a heading, its output under the same one. */

/** One correct program. */
export interface Program {
  title: string;
  code: string;
  /** What CPython printed, where that was recorded. */
  stdout?: string;
}

/** The programs of one file. */
export interface ProgramFile {
  name: string;
  programs: readonly Program[];
}

const HEADING = "# %% ";

/** Every file of a folder of programs, in order. */
export async function readPrograms(folder: "scripts" | "cells"): Promise<ProgramFile[]> {
  const url = new URL(`../fixtures/programs/${folder}/`, import.meta.url);
  const names = (await Array.fromAsync(Deno.readDir(url))).map(({ name }) => name);
  const files = names.filter((name) => name.endsWith(".py")).sort().map(async (name) => {
    const output = name.replace(".py", ".out");
    const outputs = new Map(names.includes(output) ? await sections(new URL(output, url)) : []);
    const programs = (await sections(new URL(name, url))).map(([title, code]) => {
      const stdout = outputs.get(title);
      return { title, code, ...(stdout !== undefined && { stdout }) };
    });
    return { name, programs };
  });
  return await Promise.all(files);
}

/** Title and text of each part. */
async function sections(file: URL): Promise<[string, string][]> {
  const parts = (await Deno.readTextFile(file)).split(HEADING).slice(1);
  return parts.map((part) => {
    const end = part.indexOf("\n");
    return [part.slice(0, end), part.slice(end + 1)];
  });
}
