/** Memory is one for all servers of a user: none loses what another wrote, none is hurt by another's death. */
import { assert, assertEquals, assertGreater } from "@std/assert";
import { BridgeHome } from "../support/bridge_home.ts";
import { assertWithin, measure } from "../support/figures.ts";
import { StdioClient } from "../support/stdio_client.ts";

const UPDATES = 1000;

Deno.test("two servers that update one memory 1,000 times each lose nothing", async () => {
  await using home = new BridgeHome();
  await using first = await StdioClient.connect(home);
  await using second = await StdioClient.connect(home);
  await first.run("save_memory('n', 0, metadata={'unit': 'times'})");
  const count = `for _ in range(${UPDATES}): update_memory('n', lambda n: n + 1)\nprint('done')`;
  const ms = await measure(async () => {
    const both = await Promise.all([first, second].map((one) => one.text(count, { timeout: 80 })));
    assertEquals(both, ["done", "done"]);
  });
  assertWithin(`${2 * UPDATES} updates by two servers at once`, ms, 80_000);
  assertEquals(
    await second.text("print(load_memory('n'), get_memory_info('n')['metadata'])"),
    `${2 * UPDATES} {'unit': 'times'}`,
  );
});

/** Saves of one run: a kill falls into the middle of it. */
const SAVES = 10;
const KILLS = 5;

Deno.test("a server killed while it saves loses at most the save it was at", async () => {
  await using home = new BridgeHome();
  await using survivor = await StdioClient.connect(home);
  const going = survivor.start(
    "import time\nend = time.monotonic() + 60\nwhile not load_memory('stop') and time.monotonic() < end:\n" +
      "    update_memory('alive', lambda n: n + 1, default=0)\nprint('fine')",
    { timeout: 80 },
  );
  const answered: string[] = [];
  const begun: string[] = [];
  for (let round = 0; round < KILLS; round++) {
    await using victim = await StdioClient.connect(home);
    let killed = false;
    for (let run = 0; !killed; run++) {
      if (run === 2) {
        setTimeout(() => {
          killed = true;
          victim.kill("SIGKILL");
        }, Math.random() * 200);
      }
      const name = `${round}/${run}`;
      begun.push(name);
      const { result } = await victim.start(
        `for i in range(${SAVES}): save_memory(f'${name}/{i}', [i, 'ä' * 50_000])`,
      ).reply;
      if (result !== undefined) {
        assertEquals(result.isError, false);
        answered.push(name);
      }
    }
    await victim.ended;
  }
  assertGreater(answered.length, 2 * KILLS - 1);
  await using reader = await StdioClient.connect(home);
  await reader.run("save_memory('stop', True)");
  const survived = (await going.reply).result as { content: [{ text: string }] } | undefined;
  assertEquals(survived?.content[0].text, "fine");

  const found = JSON.parse(
    await reader.text(
      `
import json
found = {}
for info in list_memories():
    run, _, i = info["key"].rpartition("/")
    if run:
        assert load_memory(info["key"]) == [int(i), "ä" * 50_000], info
        found.setdefault(run, []).append(int(i))
print(json.dumps({run: sorted(saves) for run, saves in found.items()}))`,
      { timeout: 80 },
    ),
  ) as Record<string, number[]>;
  const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);
  for (const name of answered) assertEquals(found[name], upTo(SAVES), name);
  for (const name of begun) assertEquals(found[name] ?? [], upTo(found[name]?.length ?? 0), name);

  // What the killed ones left half written is gone after the next write.
  const files = await Array.fromAsync(Deno.readDir(`${home.stateDir}/memory`));
  const odd = files.map(({ name }) => name).filter((name) => !/^k-.*\.jsonl$|^lock$/.test(name));
  assertEquals(odd, []);
});

Deno.test("a tool saved with one server is there with the next", async () => {
  await using home = new BridgeHome();
  {
    await using first = await StdioClient.connect(home);
    await first.run(
      "import math\ndef area(r: float) -> float:\n    'Of a circle'\n    return math.pi * r * r",
    );
    assertEquals(
      await first.text("save_tool(area)"),
      "{'name': 'area', 'signature': 'area(r: float) -> float', 'description': 'Of a circle'}",
    );
  }
  await using second = await StdioClient.connect(home);
  assertEquals(await second.text("round(area(1), 2)"), "3.14");
  assertEquals(await second.text("[t['name'] for t in list_saved_tools()]"), "['area']");
});

for (
  const [what, env] of [
    ["cannot be written", (home: BridgeHome) => ({ MCP_BRIDGE_STATE_DIR: `${home.cwd}/file` })],
    ["is not known", () => ({ MCP_BRIDGE_STATE_DIR: undefined, HOME: undefined })],
  ] as const
) {
  Deno.test(`a state folder that ${what} costs memory and nothing else`, async () => {
    await using home = new BridgeHome();
    await Deno.writeTextFile(`${home.cwd}/file`, "in the way");
    await using client = await StdioClient.connect(home, { env: env(home) });
    assertEquals((await client.text("print(1)")).split("\n")[0], "1");
    const text = await client.text(
      "try: save_memory('a', 1)\nexcept runtime.MCPError as e: print(e)",
    );
    assert(/^(The state folder cannot be written \(|No state folder is known\n)/.test(text), text);
    assert(/hint: Set MCP_BRIDGE_STATE_DIR/.test(text) && !text.includes(home.folder), text);
    assertEquals(await client.text("print(2)"), "2");
  });
}
