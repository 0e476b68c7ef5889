/** Memory, output and the protocol, under attack from inside the embedded sandbox. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { DEFAULT_POLICY } from "../../src/engine/policy.ts";
import { VARIABLES_GONE } from "../../src/session/run_result.ts";
import { engineCase } from "../contract/case.ts";
import { wasmTarget } from "../support/engines.ts";
import { permitted } from "./attempt.ts";

const MIB = 1024 * 1024;
const policy = { ...DEFAULT_POLICY, memoryBytes: 128 * MIB };

engineCase(
  wasmTarget,
  "Python cannot use more memory than the policy says",
  async ({ session }) => {
    const result = await session.run(
      "data = []\ntry:\n  while True: data.append(bytearray(1_000_000))\nexcept MemoryError:\n" +
        "  n = len(data)\n  data = None\n  print(n)",
    );
    const megabytes = Number(result.stdout);
    assert(megabytes > 50 && megabytes < 128, JSON.stringify(result));
    assertEquals((await session.run("print('next')")).stdout, "next\n");
  },
  { policy },
);

engineCase(wasmTarget, "memory taken through JavaScript is watched, too", async ({ session }) => {
  await session.run("x = 1");
  const result = await session.run(
    "import js\njs.eval('globalThis.a = []; while (true) a.push(new Uint8Array(5e7).fill(1))')",
  );
  assertEquals(result.status, "error");
  assertStringIncludes(result.error!, "the memory limit of 128 MB was exceeded");
  assertEquals(result.notes, [VARIABLES_GONE]);
  assertEquals((await session.run("print('next')")).stdout, "next\n");
}, { policy });

permitted(
  "a run can use the memory it has",
  "print(len(bytearray(200_000_000)))",
  "200000000\n",
);

/** Sends a line to the host as the runtime does: by the file that is the host. */
const forge = (line: string) =>
  `import os\nos.write(4000, ${JSON.stringify(line + "\n")}.encode())\n`;

engineCase(wasmTarget, "a forged end of another run changes nothing", async ({ session }) => {
  const message = { type: "execution_done", id: "another-run", status: "ok" };
  const result = await session.run(`${forge(JSON.stringify(message))}print("still here")\n1/0`);
  assertEquals(result.status, "error");
  assertEquals(result.stdout, "still here\n");
});

engineCase(wasmTarget, "a forged request reaches no server", async ({ session }) => {
  const payload = { type: "call_tool", server: "todo", tool: "add", arguments: {} };
  const message = JSON.stringify({ type: "rpc_request", id: "forged", payload });
  const result = await session.run(`${forge(message)}print("done")`);
  assertEquals([result.status, result.stdout], ["success", "done\n"]);
});

for (
  const [what, line] of [
    ["not JSON", "garbage"],
    ["of an unknown type", '{"type":"run_on_host","id":"1"}'],
    ["with a field of the wrong type", '{"type":"stdout","id":1,"data":"x"}'],
  ] as const
) {
  engineCase(
    wasmTarget,
    `a message that is ${what} ends only its own session`,
    async ({ session }) => {
      const result = await session.run(`${forge(line)}import time\ntime.sleep(5)`);
      assertEquals(result.status, "error");
      assertStringIncludes(result.error!, "the sandbox broke the protocol");
      assertEquals(result.notes, [VARIABLES_GONE]);
      assertEquals((await session.run("print('next')")).stdout, "next\n");
    },
  );
}

engineCase(
  wasmTarget,
  "a worker that closes itself is stopped by the clock",
  async ({ session }) => {
    const result = await session.run("import js\njs.self.close()\nimport time\ntime.sleep(60)", {
      timeoutSeconds: 1,
    });
    assertEquals(result.status, "timeout");
    assertEquals((await session.run("print('next')")).stdout, "next\n");
  },
);

permitted(
  "what JavaScript prints is output of the run and no message",
  "import js\njs.console.log('from', 'JavaScript')\nprint('from Python')",
  "from JavaScript\nfrom Python\n",
);

engineCase(
  wasmTarget,
  "a program that closes all small file numbers keeps the host",
  async ({ session }) => {
    const result = await session.run("import os\nx = 1\nos.closerange(3, 1024)\nprint('on')");
    assertEquals(result.stdout, "on\n");
    assertEquals((await session.run("print(x)")).stdout, "1\n");
  },
);
