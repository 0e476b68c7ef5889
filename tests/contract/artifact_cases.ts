/** The contract's part on files and images of a run. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { type RunResult, VARIABLES_KEPT } from "../../src/session/run_result.ts";
import type { EngineTarget } from "../support/engines.ts";
import type { TestSession } from "../support/sessions.ts";
import { MAKE_PNG } from "../support/python_png.ts";
import { engineCase } from "./case.ts";

/** Names and text of the files that a run kept. */
async function kept(
  session: TestSession,
  { artifacts }: RunResult,
): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const { name, uri } of artifacts) {
    const run = uri.split("/").at(-2)!;
    files[name] = new TextDecoder().decode((await session.runs.read(run, name, 0, 1000))!.bytes);
  }
  return files;
}

const FAKE_MATPLOTLIB = `
import os, sys
os.makedirs("/tmp/fakes/matplotlib", exist_ok=True)
open("/tmp/fakes/matplotlib/__init__.py", "w").close()
with open("/tmp/fakes/matplotlib/pyplot.py", "w") as f:
    f.write("""
import os
figures = []
class Figure:
    def savefig(self, target, format, **options):
        target.write(b"GIF89a\\\\1\\\\0\\\\1\\\\0\\\\0\\\\0\\\\0;")
def figure(number=None):
    if number is None: figures.append(Figure())
    return figures[-1 if number is None else number - 1]
def get_fignums(): return list(range(1, len(figures) + 1))
def close(figure): pass
""")
sys.path.insert(0, "/tmp/fakes")
`;

/** Registers the cases. */
export function artifactCases(target: EngineTarget): void {
  engineCase(target, "a PNG that is shown arrives byte by byte", async ({ session }) => {
    const { images, artifacts, stdout, notes } = await session.run(
      `${MAKE_PNG}\nimport hashlib\ndata = png(512, 512)\nshow(data);\n` +
        "print(hashlib.sha256(data).hexdigest())",
    );
    const bytes = Uint8Array.fromBase64(images![0]!.data);
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
    assertEquals(stdout, `${digest}\n`);
    assertEquals([images!.length, images![0]!.mimeType, notes], [1, "image/png", []]);
    assertEquals(artifacts.map(({ name, size }) => [name, size]), [["shown-1.png", bytes.length]]);
  });

  engineCase(
    target,
    "a saved file on the last line is told, its path works",
    async ({ session }) => {
      const echo = async (code: string) => (await session.run(code)).stdout;
      assertEquals(await echo("save_file('a.csv', 'x,y\\n')"), "Saved a.csv (4 bytes)\n");
      assertEquals(
        await echo("runtime.Blob('image/gif', b'GIF89a').show()"),
        "Saved shown-1.gif (6 bytes)\n",
      );
      assertEquals(await echo("path = save_file('b.txt', 'b')\nopen(path).read()"), "'b'\n");
      assertEquals(await echo("print(save_file('c.txt', 'b') == _ , path[-5:])"), "False b.txt\n");
    },
  );

  engineCase(target, "files are kept, whoever writes them", async ({ session }) => {
    const result = await session.run(`
import os, pathlib
path = save_file("a b.txt", "grün")
pathlib.Path(execution_folder(), "sub").mkdir()
with open(os.path.join(execution_folder(), "sub", "b.txt"), "w") as f: f.write("two")
print(open(path).read(), [f["name"] for f in list_execution_files()])`);
    assertEquals([result.stdout, result.stderr], ["grün ['a b.txt', 'sub/b.txt']\n", ""]);
    assertEquals(await kept(session, result), { "a b.txt": "grün", "sub/b.txt": "two" });
    assertEquals(result.images, undefined);
  });

  engineCase(
    target,
    "the functions may be awaited and called inside a loop",
    async ({ session }) => {
      const result = await session.run(`
import asyncio
async def main():
    await save_file("a.txt", "1")
    save_file("b.txt", "2")
await main()
asyncio.run(main())
print(await list_execution_files() == list_execution_files())`);
      assertEquals([result.stdout, result.stderr], ["True\n", ""]);
      assertEquals(await kept(session, result), { "a.txt": "1", "b.txt": "2" });
    },
  );

  const endings: [how: string, code: string, status: string][] = [
    ["an exception", "1/0", "error"],
    ["sys.exit", "import sys; sys.exit(3)", "error"],
    ["a timeout in a loop", "while True: pass", "timeout"],
    ["a timeout in an await", "import asyncio; await asyncio.sleep(60)", "timeout"],
  ];
  for (const [how, code, status] of endings) {
    engineCase(target, `files are kept after ${how}, and variables, too`, async ({ session }) => {
      const write = 'x = 41\nopen(execution_folder() + "/a.txt", "w").write("kept")\n';
      const result = await session.run(`${write}${code}`, { timeoutSeconds: 2 });
      assertEquals(result.status, status);
      assertEquals(await kept(session, result), { "a.txt": "kept" });
      if (status === "timeout") assertEquals(result.notes.at(-1), VARIABLES_KEPT);
      assertEquals((await session.run("print(x)")).stdout, "41\n");
    });
  }

  for (const [when, rest] of [["before", "while True: pass"], ["while", ""]] as const) {
    engineCase(
      target,
      `time that is over ${when} a large file is sent costs no variables`,
      async ({ session }) => {
        await session.run("x = 41\nbig = b'x' * 60_000_000");
        const code = `with open(execution_folder() + "/big.bin", "wb") as f: f.write(big)\n${rest}`;
        const result = await session.run(code, { timeoutSeconds: 1 });
        // A fast machine sends it in time.
        const expected = result.artifacts.length === 1
          ? ""
          : "Not kept: big.bin: the time of the run was over\n";
        assertEquals(result.stderr, expected);
        if (rest !== "" || expected !== "") assertEquals(result.status, "timeout");
        assertEquals((await session.run("print(x)")).stdout, "41\n");
      },
    );
  }

  engineCase(target, "each run has an empty folder at the same path", async ({ session }) => {
    await session.run('folder = execution_folder()\nsave_file("a.txt", "1");');
    const result = await session.run(
      'import os\nprint(os.listdir(folder))\nopen(f"{folder}/b.txt", "w").write("2");',
    );
    assertEquals(result.stdout, "[]\n");
    assertEquals(await kept(session, result), { "b.txt": "2" });
  });

  engineCase(target, "names that lead elsewhere are refused on both sides", async ({ session }) => {
    const result = await session.run(`
for name in ("../a", "/etc/a", "a\\0b", "CON", "stdout.txt"):
    try: save_file(name, "x")
    except ValueError as e: print(e)
import sys
ask = next(m for n, m in sys.modules.items() if n.endswith(".artifacts")).current()._rpc.ask
for name in ("../../a", "stdout.txt"):
    try: ask("save_file", name=name, offset=0, data="", last=True)
    except runtime.MCPError as e: print(e)`);
    assertEquals(result.stdout.split("\n"), [
      "Cannot save '../a': it leads out of the folder",
      "Cannot save '/etc/a': it is an absolute path",
      "Cannot save 'a\\x00b': it contains a character that cannot be seen",
      "Cannot save 'CON': Windows keeps that name for a device",
      "Cannot save 'stdout.txt': the host keeps the run's own text under that name",
      'Cannot keep the file "../../a": it leads out of the folder',
      'Cannot keep the file "stdout.txt": the host keeps the run\'s own text under that name',
      "",
    ]);
    assertEquals(result.artifacts, []);
  });

  engineCase(
    target,
    "what is over the limits is said and costs nothing else",
    async ({ session }) => {
      const result = await session.run(`
for n in range(101): open(f"{execution_folder()}/{n:03}.txt", "w").close()
print("done")`);
      assertEquals([result.status, result.stdout, result.artifacts.length], [
        "success",
        "done\n",
        100,
      ]);
      assertEquals(result.stderr, "Not kept: 100.txt: a run keeps at most 100 files\n");
    },
  );

  engineCase(target, "what is shown and is no image is a link with a note", async ({ session }) => {
    const result = await session.run(
      'show("<svg/>"); show(b"\\x89PNG\\r\\n\\x1a\\n", "half.png");',
    );
    assertEquals(result.images, undefined);
    assertEquals(result.notes.map((note) => note.split(":")[0]), [
      "shown-1.svg is a link, not an image",
      "half.png is a link, not an image",
    ]);
  });

  engineCase(target, "plt.show() shows all figures", async ({ session }) => {
    const result = await session.run(
      `${FAKE_MATPLOTLIB}import matplotlib.pyplot as plt\nplt.figure(); plt.figure(); plt.show()`,
    );
    assertEquals([result.stderr, result.images?.length], ["", 2]);
  });

  engineCase(target, "runtime.output() gives what an earlier run printed", async ({ session }) => {
    assertMatch(
      (await session.run("runtime.output()")).error!,
      /Cannot read the output of run -1: this is the first run of the session/,
    );
    await session.run("import sys; print('é' * 3); print('\\n()'); print('w', file=sys.stderr)");
    await session.run("1 + 1");
    const { stdout } = await session.run(
      "print([runtime.output(), runtime.output(-2), await runtime.output(run=-2, offset=1, length=3), " +
        "runtime.output(-2, stream='stderr')])",
    );
    assertEquals(stdout, "['2\\n', 'ééé\\n\\n()\\n', 'éé\\n', 'w\\n']\n");
    const { error } = await session.run("runtime.output(0)");
    assertStringIncludes(error!, "-1 is the run before this one");
  });

  engineCase(target, "runtime.output() gives the whole of a long output", async ({ session }) => {
    await session.run("for n in range(1_000_000): print(f'{n:07}')");
    const { stdout, error } = await session.run(
      "text = runtime.output()\nprint(len(text), text == ''.join(f'{n:07}\\n' for n in range(1_000_000)))",
    );
    assertEquals([stdout, error], ["8000000 True\n", undefined]);
  });

  if (target.kind !== "process") return;

  engineCase(target, "files of child processes and threads are kept", async ({ session }) => {
    const result = await session.run(`
import subprocess, sys, threading
write = "open('child.txt', 'w').write('child')"
subprocess.run([sys.executable, "-c", write], cwd=execution_folder(), check=True)
threads = [threading.Thread(target=save_file, args=(f"{n}.txt", str(n))) for n in range(8)]
for t in threads: t.start()
for t in threads: t.join()`);
    assertEquals(result.stderr, "");
    const numbers = Array.from({ length: 8 }, (_, n) => [`${n}.txt`, String(n)]);
    const expected = { ...Object.fromEntries(numbers), "child.txt": "child" };
    assertEquals(await kept(session, result), expected);
  });
}
