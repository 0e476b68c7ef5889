import { assertEquals } from "@std/assert";
import {
  removeContainer,
  toRemoveArgs,
} from "../../../../src/engine/container/remove_container.ts";
import { JumpingClock } from "../../../support/jumping_clock.ts";
import { exited, FakeCli } from "./fake_cli.ts";

Deno.test("toRemoveArgs() gives podman no time to wait for", () => {
  assertEquals(toRemoveArgs("podman", "a").join(" "), "rm --force --volumes --time 0 a");
  assertEquals(toRemoveArgs("docker", "a").join(" "), "rm --force --volumes a");
});

Deno.test("removeContainer() only looks when the container ended by itself", async () => {
  const cli = new FakeCli({ "ps": exited(0, "") });
  const attached = { exitCode: Promise.resolve(0), kill() {} };
  await attached.exitCode;
  // The first look comes before the exit is known; it may cost one removal, never more.
  assertEquals(await removeContainer(cli, "podman", "x", attached), true);
  assertEquals(cli.calls.filter((call) => call.startsWith("rm")).length <= 1, true);
  assertEquals(cli.calls.at(-1), "ps --all --quiet --filter name=^x$");
});

Deno.test("removeContainer() goes on while a run may still be about to create the container", async () => {
  const end = Promise.withResolvers<number>();
  let removals = 0;
  const cli = new FakeCli({
    "rm": () => {
      removals++;
      if (removals < 3) return exited(1, "", "no such container");
      end.resolve(137);
      return exited(0, "x\n");
    },
    "ps": () => exited(0, removals < 3 ? "x\n" : ""),
  });
  const attached = { exitCode: end.promise, kill() {} };
  assertEquals(await removeContainer(cli, "docker", "x", attached), true);
  assertEquals(removals, 3);
});

Deno.test("removeContainer() goes on for as long when the clock jumps", async () => {
  using clock = new JumpingClock();
  let looks = 0;
  const cli = new FakeCli({
    "rm": () => exited(0),
    "ps": () => {
      clock.jump(24 * 60 * 60 * 1000);
      return exited(0, ++looks < 3 ? "x\n" : "");
    },
  });
  const attached = { exitCode: Promise.resolve(0), kill() {} };
  assertEquals(await removeContainer(cli, "docker", "x", attached), true);
  assertEquals(looks, 3);
});

Deno.test("removeContainer() does not take silence for an answer", async () => {
  let looks = 0;
  const cli = new FakeCli({
    "ps": () => {
      looks++;
      return looks < 3 ? { end: "timeout", code: -1, stdout: "", stderr: "" } : exited(0);
    },
  });
  const attached = { exitCode: Promise.resolve(0), kill() {} };
  assertEquals(await removeContainer(cli, "docker", "x", attached), true);
  assertEquals(looks, 3);
});
