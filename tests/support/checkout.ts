/** A copy of the program as a user would have it, and a way to see that nothing was written into it. */

const ROOT = new URL("../../", import.meta.url).pathname;

/** What the program consists of. */
const PARTS = ["deno.json", "deno.lock", "main.ts", "src", "runtime"];

/** Copies the program into `target` and takes away every right to write there. */
export async function copyCheckout(target: string): Promise<void> {
  await Deno.mkdir(target);
  await run("cp", ["-r", ...PARTS.map((part) => ROOT + part), target]);
  await run("chmod", ["-R", "a-w", target]);
}

/** Every file and folder below `folder`, with what would show a change of it. */
export async function listTree(folder: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    const { size, mtime, mode } = await Deno.lstat(path);
    lines.push(`${path} ${size} ${mtime?.getTime()} ${mode}`);
    if (isDirectory) lines.push(...await listTree(path));
  }
  return lines.sort();
}

/** Lets the copy be removed again by a user who is not root. */
export async function makeWritable(target: string): Promise<void> {
  await run("chmod", ["-R", "u+w", target]);
}

/** Why a command cannot be used here; undefined if it can. */
export async function whyNot(
  command: string,
  args: readonly string[],
): Promise<string | undefined> {
  try {
    const { success, stderr } = await new Deno.Command(command, { args: [...args] }).output();
    return success ? undefined : new TextDecoder().decode(stderr).trim() || `${command} failed`;
  } catch {
    return `${command} is not on PATH`;
  }
}

async function run(command: string, args: string[]): Promise<void> {
  const reason = await whyNot(command, args);
  if (reason !== undefined) throw new Error(reason);
}
