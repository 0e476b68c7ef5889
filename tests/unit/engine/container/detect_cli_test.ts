import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import {
  assertUsable,
  probeCli,
  toCandidates,
} from "../../../../src/engine/container/detect_cli.ts";
import { AppError } from "../../../../src/shared/errors.ts";
import { exited, FakeCli } from "./fake_cli.ts";

const PODMAN = exited(0, JSON.stringify({ host: {}, version: { Version: "5.4.0" } }));
const DOCKER = exited(0, JSON.stringify({ ServerVersion: "28" }));
const OPTIONS = { image: "python:3.14-slim", os: "linux" };

Deno.test("toCandidates() asks what is named, else podman before docker", () => {
  assertEquals(toCandidates("auto", undefined), ["podman", "docker"]);
  assertEquals(toCandidates("auto", ""), ["podman", "docker"]);
  assertEquals(toCandidates("docker", undefined), ["docker"]);
  assertEquals(toCandidates("auto", "/opt/podman"), ["/opt/podman"]);
});

Deno.test("probeCli() starts, pulls and changes nothing", async () => {
  const cli = new FakeCli({ "info": PODMAN, "image inspect": exited(1) });
  const report = await probeCli(cli, OPTIONS);
  assertEquals([report.usable, report.imagePresent], [true, false]);
  assertEquals(cli.calls.toSorted(), [
    "image inspect --format {{.Id}} python:3.14-slim",
    "info --format {{json .}}",
  ]);
});

Deno.test("probeCli() asks docker's context where DOCKER_HOST is not set", async () => {
  const answers = { "info": DOCKER, "context": exited(0, "ssh://me@build\n") };
  assertEquals((await probeCli(new FakeCli(answers, "docker"), OPTIONS)).remote, true);
  const set = { ...OPTIONS, dockerHost: "unix:///run/docker.sock" };
  assertEquals((await probeCli(new FakeCli(answers, "docker"), set)).remote, false);
});

Deno.test("probeCli() refuses an image name that is a flag", async () => {
  const cli = new FakeCli({});
  await assertRejects(
    () => probeCli(cli, { ...OPTIONS, image: "-v" }),
    AppError,
    "MCP_BRIDGE_IMAGE",
  );
  assertEquals(cli.calls, []);
});

Deno.test("assertUsable() says what to do about a CLI that is not there", async () => {
  const cli = new FakeCli({ "info": { end: "missing", code: -1, stdout: "", stderr: "" } });
  const report = await probeCli(cli, OPTIONS);
  const error = assertThrows(() => assertUsable(report, "podman"), AppError);
  assertEquals(
    error.describe(),
    'Cannot start a container sandbox with "podman": it is not on PATH\n' +
      "  hint: Install podman, or start with --engine wasm",
  );
});

Deno.test("assertUsable() does not pass podman off as docker", async () => {
  const report = await probeCli(new FakeCli({ "info": PODMAN }, "docker"), OPTIONS);
  const error = assertThrows(() => assertUsable(report, "docker"), AppError);
  assertEquals(error.message, 'Cannot use "docker" as docker: it is podman');
  assertUsable(report, "auto");
});
