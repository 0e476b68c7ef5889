/** A program inside a container cannot get out, by any of the ways that have a name. */
import { assertEquals, assertMatch } from "@std/assert";
import { DEFAULT_POLICY } from "../../src/engine/policy.ts";
import { containerCase, createAltered, execute } from "../support/container_case.ts";
import { PREAMBLE } from "./container_attempts/attempt.ts";
import { FILE_ATTEMPTS } from "./container_attempts/files.ts";
import { KERNEL_ATTEMPTS } from "./container_attempts/kernel.ts";
import { NETWORK_ATTEMPTS } from "./container_attempts/network.ts";
import { PROGRAM_ATTEMPTS } from "./container_attempts/programs.ts";

const ATTEMPTS = [
  ...KERNEL_ATTEMPTS,
  ...NETWORK_ATTEMPTS,
  ...FILE_ATTEMPTS,
  ...PROGRAM_ATTEMPTS,
];

await containerCase("no attempt on the container gets out", async (target, tempDir, t) => {
  using host = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const env = { HOST_SECRET: "HOST_SECRET" };
  await using engine = await createAltered(target, tempDir, (args) => args, { env });
  assertEquals(engine.limits.systemCalls, "enforced");
  await using sandbox = await engine.start(DEFAULT_POLICY);
  const facts = `HOST_PORT = ${host.addr.port}\nHOST_NAME = ${JSON.stringify(Deno.hostname())}`;
  assertEquals((await execute(sandbox, `${PREAMBLE}\n${facts}`)).status, "ok");
  for (const { name, code, refused, neighbour, permitted } of ATTEMPTS) {
    await t.step(name, async () => {
      const attempt = await execute(sandbox, code);
      assertMatch(attempt.stdout.trim(), refused, `the attempt: ${JSON.stringify(attempt)}`);
      const beside = await execute(sandbox, neighbour);
      assertEquals(beside.stdout.trim(), permitted, `the neighbour: ${JSON.stringify(beside)}`);
    });
  }
});

await containerCase("without the list of system calls some get out", async (target, tempDir) => {
  const alter = (args: string[]) =>
    args.map((arg) => arg.startsWith("seccomp=") ? "no-new-privileges" : arg);
  await using engine = await createAltered(target, tempDir, alter);
  await using sandbox = await engine.start(DEFAULT_POLICY);
  await execute(sandbox, PREAMBLE);
  const out: string[] = [];
  for (const name of ["the kernel: memfd_create", "the network: netlink of the packet filter"]) {
    const { code, refused } = ATTEMPTS.find((attempt) => attempt.name === name)!;
    if (!refused.test((await execute(sandbox, code)).stdout.trim())) out.push(name);
  }
  assertEquals(out.length, 2);
});
