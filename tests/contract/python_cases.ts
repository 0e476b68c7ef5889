/** The contract's part on Python: what code meets, the same on every engine with a real interpreter. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertNotEquals,
  assertStringIncludes,
} from "@std/assert";
import type { EngineTarget } from "../support/engines.ts";
import { TestSession } from "../support/sessions.ts";
import { engineCase, printsCase } from "./case.ts";

/** What programs do to names that others count on, by accident or with the best intentions. */
const ACCIDENTS = [
  "x = 41",
  "import builtins\nbuiltins.print = lambda *a, **k: None",
  "import builtins\nbuiltins.repr = lambda value: 1/0",
  "import builtins\nbuiltins.str = 5",
  "import builtins\nbuiltins.isinstance = lambda *a: False",
  "import builtins\nbuiltins.int = builtins.type = builtins.bytes = None",
  "import builtins\nbuiltins.eval = builtins.exec = builtins.compile = builtins.open = None",
  "import builtins\nbuiltins.__import__ = None",
  "import builtins\nbuiltins.Exception = builtins.SystemExit = ValueError",
  "import builtins\ndel builtins.getattr, builtins.ZeroDivisionError",
  "Exception = BaseException = KeyboardInterrupt = None",
  "__builtins__ = __name__ = __file__ = None",
  "import sys\nsys.excepthook = sys.displayhook = sys.unraisablehook = None",
  "import sys\nsys.stdout = sys.stderr = sys.__stdout__ = sys.__stderr__ = None",
  "import sys\nsys.stdout.close()\nsys.stderr.close()",
  "import sys\nfor name in ['json', 're', 'ast', 'os', 'traceback']: sys.modules[name] = None",
  "import sys\nsys.settrace(lambda *a: None)\nsys.setprofile(None)",
  "import traceback\ntraceback.TracebackException = traceback.format_exc = None",
  "import linecache\nlinecache.cache = linecache.getline = None",
  "import inspect\ninspect.iscoroutine = inspect.signature = None",
  "import ast\nast.parse = None\nast.PyCF_ONLY_AST = 0",
  "import re\nre.compile = re.sub = re.findall = None",
  "import json\njson.dumps = json.loads = None",
  "import time\ntime.monotonic = time.time = None",
  "import os\nos.write = os.read = os.path = None",
  "import asyncio\nasyncio.Task = asyncio.Future = asyncio.CancelledError = None",
  "import asyncio\nasyncio.current_task = asyncio.get_running_loop = asyncio.sleep = None",
  "import asyncio\nfor task in asyncio.all_tasks(): task.cancel()",
  "import threading, signal\nthreading.current_thread = signal.signal = None",
  "import itertools, functools, io\nitertools.count = functools.partial = io.StringIO = None",
  "def breaks():\n    import builtins\n    builtins.len = None\n    raise OSError",
  "breaks()",
];

/** Registers the cases. */
export function pythonCases(target: EngineTarget): void {
  const check = (name: string, code: string, stdout: string) =>
    printsCase(target, name, code, stdout);

  check("top-level await works", "import asyncio\nprint(await asyncio.sleep(0, 'a'))", "a\n");
  check("the value on the last line is echoed", "x = 'a'\nx * 2", "'aa'\n");
  check("None is not echoed", "None", "");
  check("a semicolon keeps the value quiet", "1 + 1;", "");
  check("Python is 3.11 or newer", "import sys\nsys.version_info >= (3, 11)", "True\n");
  check(
    "a lone surrogate is printed with backslashreplace",
    'print("a\\ud800b")',
    "a\\ud800b\n",
  );
  check("NUL bytes are printed", 'print("a\\0b")', "a\0b\n");
  check("text of any script is printed", 'print("Grüße 列表 🎉")', "Grüße 列表 🎉\n");
  check("raw writes to fd 1 arrive", "import os\nos.write(1, b'raw\\n');", "raw\n");
  check(
    "bytes through sys.stdout.buffer arrive",
    "import sys\nsys.stdout.buffer.write(b'b\\n');",
    "b\n",
  );
  check(
    "a printed protocol message is only text",
    'print(\'{"type":"execution_done","id":"x","status":"ok"}\')',
    '{"type":"execution_done","id":"x","status":"ok"}\n',
  );
  engineCase(
    target,
    "what a program makes of Python's own names breaks no later one",
    async ({ session }) => {
      for (const accident of ACCIDENTS) {
        await session.run(accident);
        const failed = await session.run("def f():\n    return 1/0\nf()");
        assertEquals([failed.status, failed.error], [
          "error",
          "ZeroDivisionError: division by zero",
        ], accident);
        assertStringIncludes(failed.stderr, "line 2, in f", accident);
        const { status, stdout, error } = await session.run("print(x)\n[1, 'a']");
        assertEquals([status, stdout, error], ["success", "41\n[1, 'a']\n", undefined], accident);
      }
    },
  );
  check("stdin is at its end", "import sys\nsys.stdin.read()", "''\n");
  check(
    "tasks run side by side",
    "import asyncio, time\nt = time.monotonic()\n" +
      "await asyncio.gather(*(asyncio.sleep(0.3) for _ in range(20)))\n" +
      "print(time.monotonic() - t < 3)",
    "True\n",
  );
  check(
    "SystemExit in a background task ends only that task",
    "import asyncio, sys\nasync def f(): sys.exit(1)\nt = asyncio.create_task(f())\n" +
      "await asyncio.wait([t])\nprint(type(t.exception()).__name__)",
    "SystemExit\n",
  );
  check(
    "the preset names are there",
    "import mcp.runtime\nfrom mcp import runtime as r\n" +
      "print(r is runtime is mcp.runtime, mcp_servers, LOADED_MCP_SERVERS)",
    "True {} ()\n",
  );
  check(
    "the servers are in the environment",
    "import json, os\nprint(json.loads(os.environ['MCP_AVAILABLE_SERVERS']), " +
      "json.loads(os.environ['MCP_DISCOVERED_SERVERS']))",
    "[] {}\n",
  );
  check(
    "devices give random numbers",
    "import os\nprint([len(os.read(os.open(path, os.O_RDONLY), 8)) for path in ('/dev/random', '/dev/urandom')])",
    "[8, 8]\n",
  );
  check(
    "the manual is at hand",
    "print('PYTHON SANDBOX MANUAL' in runtime.capability_summary())",
    "True\n",
  );
  check(
    "a server that this run was not given cannot be called",
    "try:\n  await runtime.call_tool('todo', 'add')\nexcept runtime.MCPError as e:\n  print(e, e.server, e.tool)",
    "Server 'todo' is not available todo add\n",
  );
  check(
    "20,000 requests before the first reply are all answered",
    "import asyncio\nr = await asyncio.gather(*(runtime.list_servers() for _ in range(20000)))\nlen(r)",
    "20000\n",
  );

  engineCase(target, "input() meets the end of stdin", async ({ session }) => {
    assertEquals((await session.run("input()")).error, "EOFError: EOF when reading a line");
  });

  engineCase(target, "a traceback starts in the user's code", async ({ session }) => {
    await session.run("def f():\n    raise ValueError('no')");
    const { stderr } = await session.run("f()");
    assertMatch(
      stderr,
      /^Traceback \(most recent call last\):\n {2}File "<run-2>", line 1, in <module>\n {4}f\(\)\n/,
    );
    assertStringIncludes(stderr, "  File \"<run-1>\", line 2, in f\n    raise ValueError('no')\n");
    assert(!stderr.includes("sandbox_runtime"), stderr);
  });

  engineCase(target, "a syntax error shows its line", async ({ session }) => {
    const result = await session.run("x = 1\ndef f(:\n");
    assertEquals(result.error, "SyntaxError: invalid syntax");
    assertStringIncludes(result.stderr, '  File "<run-1>", line 2\n    def f(:\n');
  });

  engineCase(target, "NUL in the code is a syntax error", async ({ session }) => {
    const result = await session.run("x = 1\0");
    assertEquals(result.error, "SyntaxError: source code string cannot contain null bytes");
  });

  engineCase(target, "sys.exit('text') prints the text and exits with 1", async ({ session }) => {
    const result = await session.run("import sys\nsys.exit('text')");
    assertEquals([result.status, result.exitCode, result.stderr], ["error", 1, "text\n"]);
  });

  for (
    const [what, code] of [["time.sleep", "time.sleep(60)"], ["await", "await asyncio.sleep(60)"]]
  ) {
    engineCase(target, `a run in ${what} can be stopped`, async ({ session }) => {
      await session.run("import asyncio, time\nx = 41");
      const startedAt = performance.now();
      const result = await session.run(code!, { timeoutSeconds: 1 });
      assert(performance.now() - startedAt < 5000);
      assertEquals(result.status, "timeout");
      assertEquals(result.stderr, "");
      assertEquals((await session.run("print(x)")).stdout, "41\n");
    });
  }

  engineCase(
    target,
    "what was printed before a wait is seen while it lasts",
    async ({ engine }) => {
      const waits = [
        "await asyncio.sleep(3)",
        "time.sleep(3)",
        "end = time.monotonic() + 3\nwhile time.monotonic() < end: await asyncio.sleep(0)",
      ];
      await Promise.all(waits.map(async (wait) => {
        const seen: string[] = [];
        await using session = new TestSession(engine);
        await session.run("x = 1");
        await session.run(`import asyncio, time\nprint("before")\n${wait}`, {
          onProgress: ({ message }) => seen.push(message),
        });
        assertEquals(seen, ["before"], wait);
      }));
    },
  );

  engineCase(target, "code that cleans up after an interrupt is let alone", async ({ session }) => {
    const result = await session.run(
      "import time\ntry:\n  n = 0\n  while True: n += 1\nexcept KeyboardInterrupt:\n  time.sleep(0.5)\n  print('cleaned')",
      { timeoutSeconds: 1 },
    );
    assertEquals([result.status, result.stdout], ["timeout", "cleaned\n"]);
  });

  engineCase(target, "printing for ever is stopped and bounded", async ({ session }) => {
    const result = await session.run("while True: print('x' * 999)", { timeoutSeconds: 1 });
    assertEquals(result.status, "timeout");
    assert(result.stdout.length < 101_000, String(result.stdout.length));
    assertMatch(
      result.stdout,
      /characters in [\d,]+ lines of stdout cut; the whole text is runtime\.output\(-1\) in the next call, and in resource:/,
    );
    assertEquals((await session.run("print('next')")).stdout, "next\n");
  });

  engineCase(target, "10 MB printed at once are kept", async ({ session }) => {
    const result = await session.run("print('ab' * 5_000_000)");
    assertEquals(result.status, "success");
    assertEquals(result.artifacts.map(({ name, size }) => [name, size]), [[
      "stdout.txt",
      10_000_001,
    ]]);
  });

  engineCase(target, "1 MB of code runs", async ({ session }) => {
    const code = `text = "${"x".repeat(1_000_000)}"\nprint(len(text))`;
    assertEquals((await session.run(code)).stdout, "1000000\n");
  });

  engineCase(target, "a program that fills the memory gets an error", async ({ session }) => {
    const result = await session.run("data = []\nwhile True: data.append(bytearray(10_000_000))");
    assertEquals(result.status, "error");
    assertEquals((await session.run("data = None\nprint('next')")).stdout, "next\n");
  }, { needs: "memoryBytes" });

  engineCase(target, "an allocation beyond all bounds gets an error", async ({ session }) => {
    const all = "kept = 7\nfor size in (10**15, 10**19):\n  try: bytearray(size)\n" +
      "  except (MemoryError, OverflowError) as error: print(type(error).__name__)\nbytearray(10**15)";
    const result = await session.run(all);
    assertEquals(result.status, "error");
    const word = target.kind === "wasm" ? "OverflowError" : "MemoryError";
    assertEquals(result.stdout, `${word}\nOverflowError\n`);
    assertMatch(result.error ?? "", new RegExp(`^${word}`));
    // It cost nothing: the interpreter and its variables are as they were.
    assertEquals((await session.run("print(kept)")).stdout, "7\n");
  });

  engineCase(target, "endless recursion gets an error", async ({ session }) => {
    const result = await session.run("def f(): f()\nf()");
    assertMatch(result.error ?? "", /^RecursionError: maximum recursion depth exceeded/);
  });

  engineCase(
    target,
    "preset names are right again after they were rebound",
    async ({ session }) => {
      await session.run("runtime = mcp = None\nimport sys\nsys.stdout = None");
      const result = await session.run("print(runtime.list_servers_sync())");
      assertEquals(result.stdout, "[]\n");
    },
  );

  engineCase(
    target,
    "output of a task between runs comes with the next run",
    async ({ session }) => {
      const wait =
        "import asyncio\nasync def late():\n  await asyncio.sleep(0.2)\n  print('late')\n";
      await session.run(`${wait}task = asyncio.create_task(late())`);
      await new Promise((resolve) => setTimeout(resolve, 600));
      assertEquals((await session.run("print('now')")).stdout, "late\nnow\n");
    },
  );

  engineCase(target, "two fresh sandboxes draw different numbers", async ({ session }) => {
    const code = "import random, uuid\nprint(random.random(), uuid.uuid4())";
    const [first, second] = [await session.run(code), await session.run(code)];
    assertEquals(first.status, "success");
    assertNotEquals(first.stdout, second.stdout);
  }, { state: "fresh" });
}
