/** Ways in which a file that we keep or read can be spoilt, by whoever or whatever else writes the disk. */
import { assertEquals } from "@std/assert";
import type { StdioClient } from "../support/stdio_client.ts";
import { type Chance, SEED, soak } from "./chance.ts";

/** One way: changes what lies at a path. */
export interface Damage {
  name: string;
  apply(path: string, chance: Chance): Promise<void>;
}

const ZEROS_BYTES = 64 * 1024 * 1024;

/** Puts something else in the place of a file. */
function replace(name: string, make: (path: string) => Promise<void>): Damage {
  return {
    name,
    apply: async (path) => {
      await Deno.remove(path, { recursive: true });
      await make(path);
    },
  };
}

const link = (target: string) => replace(`link to ${target}`, (path) => Deno.symlink(target, path));

async function makePipe(path: string): Promise<void> {
  const { success } = await new Deno.Command("mkfifo", { args: [path] }).output();
  if (!success) throw new Error("Cannot make a pipe");
}

async function flip(path: string, chance: Chance): Promise<void> {
  const bytes = await Deno.readFile(path);
  for (let left = 1 + chance.below(4); left > 0 && bytes.length > 0; left--) {
    bytes[chance.below(bytes.length)]! ^= 1 + chance.below(255);
  }
  await Deno.writeFile(path, bytes);
}

const ALL: readonly Damage[] = [
  {
    name: "cut short",
    apply: async (path, chance) =>
      await Deno.truncate(path, chance.below((await Deno.stat(path)).size)),
  },
  { name: "flipped bytes", apply: flip },
  replace("nothing", () => Promise.resolve()),
  replace("empty file", (path) => Deno.writeTextFile(path, "")),
  replace("folder", (path) => Deno.mkdir(path)),
  replace("folder with a file", async (path) => {
    await Deno.mkdir(path);
    await Deno.writeTextFile(`${path}/file`, "mine");
  }),
  replace("pipe", makePipe),
  link("nowhere"),
  replace("link to itself", (path) => Deno.symlink(path, path)),
  link("/proc/self/pagemap"),
  link("/dev/zero"),
  replace("64 MB of zeros", async (path) => {
    await Deno.writeTextFile(path, "");
    await Deno.truncate(path, ZEROS_BYTES);
  }),
  replace("other JSON", (path) => Deno.writeTextFile(path, '{"format":1,"other":[null,{}]}\n')),
  { name: "mode 000", apply: (path) => Deno.chmod(path, 0) },
];

/** Root reads and writes whatever the mode. */
const isRoot = Deno.uid() === 0;
if (isRoot) {
  // deno-lint-ignore no-console
  console.log("Skipped files of mode 000: root reads them all the same");
}

/** Those that do something here. */
export const DAMAGES: readonly Damage[] = ALL.filter(({ name }) =>
  (!isRoot || name !== "mode 000") && (Deno.build.os === "linux" || !/^link to \/|^pipe/.test(name))
);

/** What lies at a path and is no file any more is taken away, as a person would. */
export async function clear(path: string): Promise<void> {
  await Deno.remove(path, { recursive: true }).catch(() => {});
}

/** Files below a folder that somebody was writing. */
async function findDrafts(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) found.push(...await findDrafts(`${folder}/${name}`));
    else if (/\.(tmp|draft)$|^\.part-|[0-9a-f]{4}-[0-9a-f]{12}$/.test(name)) found.push(name);
  }
  return found;
}

/** So many damages; none twice before each was there once. */
export function* damages(chance: Chance, count: number): Generator<[damage: Damage, what: string]> {
  let left: Damage[] = [];
  for (let round = 0; round < soak(count); round++) {
    if (left.length === 0) left = [...DAMAGES];
    const [damage] = left.splice(chance.below(left.length), 1);
    yield [damage!, `seed ${SEED}, round ${round}, ${damage!.name}`];
  }
}

/** Ends a bridge; nothing half written may be left then. */
export async function endWithoutDrafts(client: StdioClient, ...folders: string[]): Promise<void> {
  await client.closeStdin();
  assertEquals((await client.ended).code, 0, client.stderr);
  for (const folder of folders) assertEquals(await findDrafts(folder), []);
}
