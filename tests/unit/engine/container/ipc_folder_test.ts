import { assertEquals, assertMatch } from "@std/assert";
import {
  makeIpcFolder,
  parseFolderName,
  pruneIpcFolders,
  toFolderPrefix,
} from "../../../../src/engine/container/ipc_folder.ts";

const OWNER = { pid: 42, start: "1234", boot: "54efae88-e2d9", pidns: "7" };
const SEEN = { boot: "54efae88-e2d9", pidns: "7" };

async function names(folder: string): Promise<string[]> {
  const found = [];
  for await (const entry of Deno.readDir(folder)) found.push(entry.name);
  return found.sort();
}

Deno.test("makeIpcFolder() makes files that any user can read and takes them away", async () => {
  const temp = await Deno.makeTempDir();
  const mask = Deno.umask(0o077);
  try {
    const folder = await makeIpcFolder(temp, { "entrypoint.py": "1", "a/b/c.py": "2" }, OWNER);
    assertMatch(folder.path.slice(temp.length), /^\/mcp-bridge-ipc-42-1234-54efae88e2d9-7-\w+$/);
    const mode = async (path: string) => (await Deno.stat(`${folder.path}${path}`)).mode! & 0o777;
    assertEquals([await mode(""), await mode("/a"), await mode("/a/b")], [0o755, 0o755, 0o755]);
    assertEquals([await mode("/entrypoint.py"), await mode("/a/b/c.py")], [0o644, 0o644]);
    assertEquals(await Deno.readTextFile(`${folder.path}/a/b/c.py`), "2");
    await folder[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
    assertEquals(await names(temp), []);
  } finally {
    Deno.umask(mask);
    await Deno.remove(temp, { recursive: true });
  }
});

Deno.test("pruneIpcFolders() removes folders of dead bridges and keeps those of live ones", async () => {
  const temp = await Deno.makeTempDir();
  const dead = `${toFolderPrefix({ ...OWNER, pid: 10 })}x`;
  const alive = `${toFolderPrefix({ ...OWNER, pid: 11 })}x`;
  const ours = `${toFolderPrefix(OWNER)}x`;
  for (const name of [dead, alive, ours, "something-else"]) {
    await Deno.mkdir(`${temp}/${name}/sub`, { recursive: true });
  }
  await Deno.mkdir(`${temp}/precious`);
  await Deno.symlink(`${temp}/precious`, `${temp}/${toFolderPrefix({ ...OWNER, pid: 12 })}link`);
  await pruneIpcFolders(temp, {
    owner: OWNER,
    lookUp: (pid) => Promise.resolve(pid === 11 ? { ...SEEN, start: "1234" } : SEEN),
  });
  assertEquals(
    await names(temp),
    [alive, ours, `${toFolderPrefix({ ...OWNER, pid: 12 })}link`, "something-else", "precious"]
      .sort(),
  );
  await Deno.remove(temp, { recursive: true });
});

Deno.test("pruneIpcFolders() keeps the newest 50 of those nobody claims", async () => {
  const temp = await Deno.makeTempDir();
  for (let n = 0; n < 60; n++) {
    const path = `${temp}/mcp-bridge-ipc-old${n}`;
    await Deno.mkdir(path);
    await Deno.utime(path, 1000 + n, 1000 + n);
  }
  await pruneIpcFolders(temp, { owner: OWNER, lookUp: () => Promise.resolve(SEEN) });
  const left = await names(temp);
  assertEquals(left.length, 50);
  assertEquals(left.includes("mcp-bridge-ipc-old9"), false);
  assertEquals(left.includes("mcp-bridge-ipc-old10"), true);
  await Deno.remove(temp, { recursive: true });
});

Deno.test("pruneIpcFolders() touches no claimed folder when the machine does not tell", async () => {
  const temp = await Deno.makeTempDir();
  const claimed = `${toFolderPrefix({ ...OWNER, pid: 10 })}x`;
  await Deno.mkdir(`${temp}/${claimed}`);
  await pruneIpcFolders(temp, { owner: OWNER, lookUp: () => Promise.resolve(undefined) });
  assertEquals(await names(temp), [claimed]);
  await Deno.remove(temp, { recursive: true });
});

Deno.test("parseFolderName() reads what toFolderPrefix() wrote", () => {
  assertEquals(parseFolderName(`${toFolderPrefix(OWNER)}abc`), {
    ...OWNER,
    boot: "54efae88e2d9",
  });
  assertEquals(parseFolderName("mcp-bridge-ipc-abc"), undefined);
});
