import { assertEquals, assertMatch } from "@std/assert";
import {
  classifyTrouble,
  MEMORY_EXIT_CODE,
  toExit,
  toStartError,
} from "../../../../src/engine/container/exit_reason.ts";
import { RUNTIME_FILES } from "../../../../src/languages/python/runtime_files.ts";

const CONTEXT = { command: "podman", image: "x:1", tempDir: "/home/me/tmp", otherwise: "it ended" };

Deno.test("toExit() names the memory limit", () => {
  assertEquals(toExit(86, 536_870_912), {
    reason: "memory",
    detail: "memory limit of 512 MB exceeded",
  });
});

Deno.test("toExit() does not take a kill for a lack of memory", () => {
  assertEquals(toExit(137, 1), {
    reason: "crashed",
    detail: "the interpreter was killed by signal 9",
  });
  assertEquals(toExit(1, 1).detail, "the interpreter ended with exit code 1");
});

Deno.test("toExit() names the likely cause of a segmentation fault", () => {
  assertEquals(
    toExit(139, 1).detail,
    "the interpreter was killed by signal 11; the likely cause is recursion or data nested too deep",
  );
});

Deno.test("MEMORY_EXIT_CODE is the one the supervisor in the container uses", () => {
  const text = RUNTIME_FILES["sandbox_runtime/supervisor.py"] ?? "";
  assertMatch(text, new RegExp(`^MEMORY_EXIT_CODE = ${MEMORY_EXIT_CODE}$`, "m"));
});

Deno.test("classifyTrouble() finds what can be tried otherwise", () => {
  const cases = {
    "python3: can't open file '/ipc/entrypoint.py': [Errno 2]": "no mount",
    "docker: Error response from daemon: bind source path does not exist: /x": "no mount",
    "Error: statfs /x: no such file or directory": "no mount",
    "Error: python:3.14-slim: image not known": "no image",
    "docker: Error response from daemon: No such image: x": "no image",
    "Error: opening seccomp profile failed: open /x: no such file or directory": "no profile",
    "docker: opening seccomp profile (/x) failed: open /x: permission denied": "no profile",
    "anything else": "other",
  };
  for (const [stderr, expected] of Object.entries(cases)) {
    assertEquals(classifyTrouble(stderr), expected);
  }
});

Deno.test("toStartError() says what the CLI said, without paths of the host", () => {
  const error = toStartError("Error: cannot mount /home/me/tmp/mcp-bridge-ipc-1\n", CONTEXT);
  assertEquals(error.message, "Cannot start a sandbox: cannot mount <temp>/mcp-bridge-ipc-1");
  assertEquals(toStartError("", CONTEXT).message, "Cannot start a sandbox: it ended");
});

Deno.test("toStartError() says that an image has no python3", () => {
  const stderr = 'exec: "python3": executable file not found in $PATH';
  const { message } = toStartError(stderr, CONTEXT);
  assertEquals(message, 'Cannot start a sandbox: the image "x:1" has no python3');
});
