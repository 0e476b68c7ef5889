import { assert, assertEquals } from "@std/assert";
import {
  inheritedVariables,
  toServerEnvironment,
} from "../../../../src/downstream/transport/server_environment.ts";

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

Deno.test("toServerEnvironment() hands on proxies, certificates and where tools keep packages", () => {
  const ours = {
    https_proxy: "http://proxy:3128",
    NO_PROXY: "localhost",
    SSL_CERT_FILE: "/ca.pem",
    NODE_EXTRA_CA_CERTS: "/ca.pem",
    DENO_TLS_CA_STORE: "system",
    DENO_DIR: "/deno",
    npm_config_cache: "/npm",
    UV_CACHE_DIR: "/uv",
    PIP_CERT: "/ca.pem",
  };
  const { MCP_BRIDGE_PARENT: _, ...handedOn } = toServerEnvironment({}, ours, "linux");
  assertEquals(handedOn, ours);
});

Deno.test("toServerEnvironment() lets an entry take a variable away from its server", () => {
  const env = toServerEnvironment({ HTTPS_PROXY: "" }, { HTTPS_PROXY: "http://p" }, "linux");
  assertEquals(env["HTTPS_PROXY"], "");
});

Deno.test("inheritedVariables() names no variable that is made to hold a secret, and none twice", () => {
  for (const os of ["linux", "darwin", "windows"] as const) {
    const names = inheritedVariables(os);
    assert(names.includes("PATH"));
    assertEquals(names.filter((name) => /KEY|TOKEN|SECRET|PASS|AUTH/i.test(name)), []);
    const key = (name: string) => os === "windows" ? name.toUpperCase() : name;
    assertEquals(new Set(names.map(key)).size, names.length);
  }
});
