import { assertEquals } from "@std/assert";
import { parseOwned, reapContainers } from "../../../../src/engine/container/reaper.ts";
import { exited, FakeCli, hangs } from "./fake_cli.ts";

const SEEN = { boot: "b1", pidns: "7" };

Deno.test("reapContainers() removes containers of dead owners and no others", async () => {
  const lines = [
    '["dead","10","100","b1","7"]',
    '["alive","11","110","b1","7"]',
    '["reused","12","120","b1","7"]',
    '["elsewhere","13","130","b1","8"]',
    '["unlabelled","14",null,null,null]',
    "not json",
  ];
  const cli = new FakeCli({
    "ps": exited(0, "a\nb\n"),
    "container inspect": exited(1, lines.join("\n")),
  });
  const starts: Record<number, string> = { 11: "110", 12: "999" };
  const removed = await reapContainers(cli, {
    kind: "podman",
    sameKernel: true,
    lookUp: (pid) => {
      const start = starts[pid];
      return Promise.resolve(start === undefined ? SEEN : { ...SEEN, start });
    },
  });
  assertEquals(removed, ["dead", "reused"]);
  assertEquals(cli.calls.slice(-2), [
    "rm --force --volumes --time 0 dead",
    "rm --force --volumes --time 0 reused",
  ]);
});

Deno.test("reapContainers() leaves all alone when the machine does not tell", async () => {
  const cli = new FakeCli({
    "ps": exited(0, "a\n"),
    "container inspect": exited(0, '["a","10","1","b1","7"]\n'),
  });
  const lookUp = () => Promise.resolve(undefined);
  assertEquals(await reapContainers(cli, { kind: "docker", sameKernel: true, lookUp }), []);
  assertEquals(cli.calls.some((call) => call.startsWith("rm")), false);
});

Deno.test("reapContainers() asks no further when there are no containers", async () => {
  const cli = new FakeCli({ "ps": exited(0, "") });
  const lookUp = () => Promise.resolve(undefined);
  await reapContainers(cli, { kind: "docker", sameKernel: true, lookUp });
  assertEquals(cli.calls.length, 1);
});

Deno.test("reapContainers() gives up when it is told to", async () => {
  const cli = new FakeCli({
    "ps": exited(0, "a\n"),
    "container inspect": exited(0, '["a","10","1","b1","7"]\n'),
    "rm": hangs,
  });
  const abort = new AbortController();
  const lookUp = () => Promise.resolve(SEEN);
  const options = { kind: "podman", sameKernel: true, lookUp, signal: abort.signal } as const;
  const reaping = reapContainers(cli, options);
  while (cli.calls.length < 3) await new Promise((resolve) => setTimeout(resolve));
  abort.abort();
  assertEquals(await reaping, ["a"]);
});

Deno.test("parseOwned() takes only what carries a process id", () => {
  assertEquals(parseOwned('["id","12","s","b","n"]'), {
    id: "id",
    owner: { pid: 12, start: "s", boot: "b", pidns: "n" },
  });
  for (const line of ["", "{}", '["id","x","s","b","n"]', '["","1","s","b","n"]', "[]"]) {
    assertEquals(parseOwned(line), undefined, line);
  }
});
