import { assertEquals } from "@std/assert";
import {
  createProcessLookup,
  identifyOwner,
  judgeOwner,
  parseDarwin,
  parseLinux,
  parseWindows,
} from "../../../../src/engine/container/owner.ts";
import { runProgram } from "../../../../src/engine/container/container_cli.ts";
import { exited } from "./fake_cli.ts";

const BOOT = "54efae88-e2d9-4030-aff8-37a99ff8d28d";
const tail = (start: number) => `S 0 0 0 0 -1 4194560 0 0 0 0 0 0 0 0 20 0 1 0 ${start} 0 0\n`;
const INIT = `1 (systemd) ${tail(7)}`;

const OWNER = { pid: 42, start: "1234", boot: BOOT, pidns: "7" };
const HERE = { boot: BOOT, pidns: "7" };

Deno.test("parseLinux() reads the start of a process whatever its name holds", () => {
  const stat = `42 (a) b (c) ${tail(1234)}`;
  assertEquals(parseLinux(exited(0, `${BOOT}\n${INIT}${stat}`)), { ...HERE, start: "1234" });
  const lines = `42 (a\nb) ${tail(1234)}`;
  assertEquals(parseLinux(exited(0, `${BOOT}\n${INIT}${lines}`)), { ...HERE, start: "1234" });
});

Deno.test("parseLinux() knows a process that is not there from one that is hidden", () => {
  const gone = "cat: /proc/42/stat: No such file or directory";
  assertEquals(parseLinux(exited(1, `${BOOT}\n${INIT}`, gone)), HERE);
  assertEquals(parseLinux(exited(1, `${BOOT}\n`, gone)), undefined);
  assertEquals(parseLinux(exited(1, `${BOOT}\n${INIT}`, "cat: Permission denied")), undefined);
  assertEquals(parseLinux({ end: "denied", code: -1, stdout: "", stderr: "" }), undefined);
});

Deno.test("parseDarwin() reads start and boot session", () => {
  const boot = exited(0, "8B0C0A9E-1\n");
  assertEquals(parseDarwin(exited(0, "Tue Nov 18  08:55:01 2026\n"), boot), {
    boot: "darwin:8B0C0A9E-1",
    pidns: "",
    start: "Tue Nov 18 08:55:01 2026",
  });
  assertEquals(parseDarwin(exited(1), boot), { boot: "darwin:8B0C0A9E-1", pidns: "" });
  assertEquals(parseDarwin(exited(1, "", "ps: illegal option"), boot), undefined);
  assertEquals(parseDarwin(exited(1), exited(1)), undefined);
});

Deno.test("parseWindows() reads ticks, or that there is no such process", () => {
  const seen = { boot: "windows:", pidns: "" };
  assertEquals(parseWindows(exited(0, "638990000000\r\n")), { ...seen, start: "638990000000" });
  assertEquals(parseWindows(exited(0, "missing\r\n")), seen);
  assertEquals(parseWindows(exited(0, "")), undefined);
  assertEquals(parseWindows(exited(1)), undefined);
});

Deno.test("judgeOwner() calls dead only what is provably dead", () => {
  const cases = [
    ["same process", OWNER, { ...HERE, start: "1234" }, true, "alive"],
    ["no such process", OWNER, HERE, true, "dead"],
    ["id used again", OWNER, { ...HERE, start: "9999" }, true, "dead"],
    ["machine does not tell", OWNER, undefined, true, "unknown"],
    ["another boot", OWNER, { boot: "other", pidns: "7" }, true, "dead"],
    ["another machine", OWNER, { boot: "other", pidns: "7" }, false, "unknown"],
    ["another system", { ...OWNER, boot: "darwin:X" }, HERE, true, "unknown"],
    ["another namespace", { ...OWNER, pidns: "8" }, HERE, true, "unknown"],
    ["no namespace named", { ...OWNER, pidns: "" }, HERE, true, "dead"],
    ["no start", { ...OWNER, start: "" }, HERE, true, "unknown"],
    ["unknown start", { ...OWNER, start: "unknown" }, HERE, true, "unknown"],
    ["no pid", { ...OWNER, pid: 0 }, HERE, true, "unknown"],
  ] as const;
  for (const [name, owner, seen, sameKernel, expected] of cases) {
    assertEquals(judgeOwner(owner, seen, sameKernel), expected, name);
  }
});

Deno.test("identifyOwner() gives what nobody can prove dead when the machine does not tell", async () => {
  const owner = await identifyOwner(42, () => Promise.resolve(undefined));
  assertEquals(judgeOwner(owner, HERE, true), "unknown");
});

Deno.test({
  name: "createProcessLookup() finds this very process, and misses one that ended",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const lookUp = createProcessLookup("linux", runProgram);
    const owner = await identifyOwner(Deno.pid, lookUp);
    assertEquals(judgeOwner(owner, await lookUp(Deno.pid), true), "alive");
    const child = new Deno.Command("true").spawn();
    await child.status;
    assertEquals(judgeOwner({ ...owner, pid: child.pid }, await lookUp(child.pid), true), "dead");
  },
});
