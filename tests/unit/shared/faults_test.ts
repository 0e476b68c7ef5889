import { assertEquals, assertStringIncludes } from "@std/assert";

Deno.test("outliveFaults() keeps a program going and tells each error with its stack", async () => {
  const program = new URL("../../fixtures/faulty_program.ts", import.meta.url).pathname;
  const args = ["run", "--quiet", "--no-lock", program];
  const env = { NO_COLOR: "1" };
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), { args, env }).output();
  const log = new TextDecoder().decode(stderr);
  assertEquals([code, new TextDecoder().decode(stdout)], [0, "alive\n"], log);
  const began =
    "mcp-bridge error: Internal error while doing what nobody waits for; please report it: ";
  assertEquals(log.split(began).length - 1, 4);
  for (
    const text of [
      `${began}Error: thrown in a timer\n    at `,
      `${began}Error: rejected and not awaited\n    at `,
      `${began}no error at all`,
      `${began}RangeError: thrown in a listener\n    at `,
    ]
  ) assertStringIncludes(log, text);
});
