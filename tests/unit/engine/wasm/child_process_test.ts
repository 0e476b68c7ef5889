import { assert, assertEquals } from "@std/assert";
import { type ChildHost, toChildCommand } from "../../../../src/engine/wasm/child_process.ts";

const MIB = 1024 * 1024;
const linux: ChildHost = { execPath: "/opt/deno", os: "linux", standalone: false };

Deno.test("toChildCommand() gives the child the right to read what it boots from and no other", () => {
  const { args } = toChildCommand(
    { mode: "snapshot", snapshotPath: "/cache/a.bin", memoryBytes: 512 * MIB, denoEnv: {} },
    linux,
  );
  const allows = args.filter((argument) => argument.startsWith("--allow") || argument === "-A");
  assertEquals(allows.length, 1);
  const root = new URL("../../../../", import.meta.url).pathname;
  assertEquals(allows[0]!.replaceAll(root, "").split(","), [
    "--allow-read=src/engine/wasm/child/",
    "/cache/a.bin",
  ]);
  assert(args.includes("--no-prompt"));
  assert(args.includes("--cached-only"));
  assert(args.includes("--frozen"));
});

Deno.test("toChildCommand() caps Python's memory and what the process may hold beyond it", () => {
  const { args, env } = toChildCommand(
    { mode: "plain", memoryBytes: 128 * MIB, denoEnv: { DENO_DIR: "/d" } },
    linux,
  );
  assertEquals(env, {
    DENO_DIR: "/d",
    DENO_V8_FLAGS: "--wasm-max-mem-pages=2048,--stack-size=3500",
    RUST_MIN_STACK: "4194304",
    TZ: "UTC",
  });
  assertEquals(args.slice(-2), ["plain", String(384 * MIB)]);
});

Deno.test("toChildCommand() asks for no more pages than a 32-bit memory has", () => {
  const { env } = toChildCommand(
    { mode: "plain", memoryBytes: 64 * 1024 * MIB, denoEnv: {} },
    linux,
  );
  assertEquals(env["DENO_V8_FLAGS"], "--wasm-max-mem-pages=65536,--stack-size=3500");
});

Deno.test("toChildCommand() takes file writes away where the system can", () => {
  const { program, args } = toChildCommand({ mode: "plain", denoEnv: {} }, linux);
  assertEquals(program, "/bin/sh");
  assertEquals(args.slice(0, 4), [
    "-c",
    'trap "" XFSZ; ulimit -f 0; ulimit -c 0; exec "$@"',
    "sh",
    "/opt/deno",
  ]);
  const windows = toChildCommand({ mode: "plain", denoEnv: {} }, { ...linux, os: "windows" });
  assertEquals([windows.program, windows.args[0]], ["/opt/deno", "run"]);
});

Deno.test("toChildCommand() starts the compiled program as its own child", () => {
  const { args } = toChildCommand(
    { mode: "plain", memoryBytes: 64 * MIB, denoEnv: {} },
    { ...linux, os: "windows", standalone: true },
  );
  assertEquals(args, ["__wasm-child", "plain", String(320 * MIB)]);
});

Deno.test("toChildCommand() copes with a comma in a path", () => {
  const { args } = toChildCommand(
    { mode: "snapshot", snapshotPath: "/cache/a,b.bin", memoryBytes: 512 * MIB, denoEnv: {} },
    linux,
  );
  assertEquals(args.filter((argument) => argument.startsWith("--allow")), ["--allow-read"]);
});
