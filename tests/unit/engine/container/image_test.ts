import { assertEquals, assertRejects } from "@std/assert";
import { ensureImage, toQualifiedName } from "../../../../src/engine/container/image.ts";
import { AppError } from "../../../../src/shared/errors.ts";
import { JumpingClock } from "../../../support/jumping_clock.ts";
import { exited, FakeCli } from "./fake_cli.ts";

Deno.test("ensureImage() pulls nothing that is there", async () => {
  const cli = new FakeCli({ "image inspect": exited(0, "sha256:1") });
  await ensureImage(cli, "python:3.14-slim");
  assertEquals(cli.calls, ["image inspect --format {{.Id}} python:3.14-slim"]);
});

Deno.test("ensureImage() pulls what is missing and says so", async () => {
  const cli = new FakeCli({ "image inspect": exited(1), "pull": exited(0) }, "docker");
  const progress: string[] = [];
  await ensureImage(cli, "python:3.14-slim", { onProgress: (line) => progress.push(line) });
  assertEquals(cli.calls.at(-1), "pull python:3.14-slim");
  assertEquals(progress, ["Pulling image python:3.14-slim"]);
});

Deno.test("ensureImage() tells how a pull goes on when the clock is set back", async () => {
  using clock = new JumpingClock();
  const cli = new FakeCli({
    "image inspect": exited(1),
    "pull": (_args, { onOutput }) => {
      clock.jump(-24 * 60 * 60 * 1000);
      clock.pass(1500);
      onOutput?.("layer 1 of 2\n");
      return exited(0);
    },
  }, "docker");
  const progress: string[] = [];
  await ensureImage(cli, "python:3", { onProgress: (line) => progress.push(line) });
  assertEquals(progress.at(-1), "Pulling image python:3: layer 1 of 2");
});

Deno.test("ensureImage() names the image and the command to run by hand", async () => {
  const cli = new FakeCli({
    "image inspect": exited(125),
    "pull": exited(125, "", "Trying to pull…\nError: dial tcp: lookup docker.io: no such host\n"),
  });
  const error = await assertRejects(() => ensureImage(cli, "python:3.14-slim"), AppError);
  assertEquals(
    error.message,
    'Cannot get the image "python:3.14-slim": dial tcp: lookup docker.io: no such host',
  );
  assertEquals(error.hint?.startsWith('Run "podman pull python:3.14-slim" by hand'), true);
});

Deno.test("ensureImage() spells a short name out where podman knows no registry", async () => {
  const cli = new FakeCli({
    "image inspect": exited(125),
    "pull docker.io": exited(0),
    "pull": exited(125, "", 'Error: short-name "python:3" did not resolve to an alias'),
  });
  await ensureImage(cli, "python:3");
  assertEquals(cli.calls.slice(1), ["pull python:3", "pull docker.io/library/python:3"]);
});

Deno.test("ensureImage() refuses a name that is a flag", async () => {
  const cli = new FakeCli({});
  await assertRejects(() => ensureImage(cli, "--all-tags"), AppError, "MCP_BRIDGE_IMAGE");
  assertEquals(cli.calls, []);
});

Deno.test("toQualifiedName() leaves names with a registry alone", () => {
  const names = ["python:3", "me/python", "ghcr.io/me/python", "localhost/x:1", "host:5000/x"];
  assertEquals(names.map(toQualifiedName), [
    "docker.io/library/python:3",
    "docker.io/me/python",
    "ghcr.io/me/python",
    "localhost/x:1",
    "host:5000/x",
  ]);
});
