/** Names of settings that people write into their clients' configuration. */
import { assertEquals } from "@std/assert";
import { flagOf, type Setting, SETTING_KEYS, SETTINGS } from "../../src/config/schema.ts";

Deno.test("settings keep their variables, flags and defaults", () => {
  const rows = SETTING_KEYS.map((key) => {
    const setting: Setting = SETTINGS[key];
    return [setting.env, flagOf(key), setting.default ?? ""];
  });
  assertEquals(rows, [
    ["MCP_BRIDGE_ENGINE", "--engine", "auto"],
    ["MCP_BRIDGE_TIMEOUT", "--timeout", "30"],
    ["MCP_BRIDGE_MAX_TIMEOUT", "--max-timeout", "120"],
    ["MCP_BRIDGE_MEMORY", "--memory", "512m"],
    ["MCP_BRIDGE_PIDS", "--pids", "128"],
    ["MCP_BRIDGE_CPUS", "--cpus", ""],
    ["MCP_BRIDGE_CONTAINER_USER", "--container-user", "65534:65534"],
    ["MCP_BRIDGE_IMAGE", "--image", "python:3.14-slim"],
    ["MCP_BRIDGE_RUNTIME", "--runtime", ""],
    ["MCP_BRIDGE_RUNTIME_IDLE_TIMEOUT", "--runtime-idle-timeout", "300"],
    ["MCP_BRIDGE_STATE", "--state", "persistent"],
    ["MCP_BRIDGE_STATE_DIR", "--state-dir", ""],
    ["MCP_BRIDGE_CACHE_DIR", "--cache-dir", ""],
    ["MCP_SERVERS_CONFIG", "--servers-config", ""],
    ["MCP_BRIDGE_SERVER_START_TIMEOUT", "--server-start-timeout", "30"],
    ["MCP_BRIDGE_SERVER_IDLE_TIMEOUT", "--server-idle-timeout", "600"],
    ["MCP_BRIDGE_ASK_TIMEOUT", "--ask-timeout", "600"],
    ["MCP_BRIDGE_ALLOW_SELF_SERVER", "--allow-self-server", "0"],
    ["MCP_BRIDGE_TRUST_PROJECT", "--trust-project", "0"],
    ["MCP_BRIDGE_OUTPUT_MODE", "--output-mode", "compact"],
    ["MCP_BRIDGE_STRUCTURED", "--structured", "auto"],
    ["MCP_BRIDGE_MAX_OUTPUT", "--max-output", "30000"],
    ["MCP_BRIDGE_LOG_LEVEL", "--log-level", "info"],
  ]);
});
