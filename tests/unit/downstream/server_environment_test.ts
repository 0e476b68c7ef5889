import { assert, assertEquals } from "@std/assert";
import {
  inheritedVariables,
  toServerEnvironment,
} from "../../../src/downstream/server_environment.ts";

Deno.test("toServerEnvironment() hands on what programs need and nothing else", () => {
  const ours = { PATH: "/bin", HOME: "/h", AWS_SECRET_ACCESS_KEY: "x", SHELL: "() { :; }" };
  assertEquals(toServerEnvironment({ TOKEN: "t" }, ours, "linux"), {
    PATH: "/bin",
    HOME: "/h",
    TOKEN: "t",
    MCP_BRIDGE_PARENT: "1",
  });
});

Deno.test("toServerEnvironment() lets an entry replace anything but the marker", () => {
  const own = { PATH: "/own", MCP_BRIDGE_PARENT: "" };
  assertEquals(toServerEnvironment(own, { PATH: "/bin" }, "darwin"), {
    PATH: "/own",
    MCP_BRIDGE_PARENT: "1",
  });
});

Deno.test("toServerEnvironment() does not give Windows one variable twice", () => {
  assertEquals(toServerEnvironment({ Path: "C:\\own" }, { PATH: "C:\\bin" }, "windows"), {
    Path: "C:\\own",
    MCP_BRIDGE_PARENT: "1",
  });
});

Deno.test("inheritedVariables() names no place where secrets are kept", () => {
  for (const os of ["linux", "windows"] as const) {
    assert(inheritedVariables(os).includes("PATH"));
    assertEquals(inheritedVariables(os).filter((name) => /KEY|TOKEN|SECRET|PROXY/.test(name)), []);
  }
});
