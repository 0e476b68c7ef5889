import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import {
  formatHostMessage,
  type HostMessage,
  parseSandboxMessage,
  type SandboxMessage,
} from "../../../src/wire/messages.ts";
import fixtures from "../../fixtures/wire.json" with { type: "json" };

/** Every type of both directions: the compiler asks for an entry when one is added. */
const HOST_TYPES: Record<HostMessage["type"], true> = {
  execute: true,
  interrupt: true,
  ping: true,
  rpc_response: true,
  shutdown: true,
};
const SANDBOX_TYPES: Record<SandboxMessage["type"], true> = {
  execution_done: true,
  pong: true,
  ready: true,
  rpc_request: true,
  stderr: true,
  stdout: true,
};

const { host_to_sandbox: fromHost, sandbox_to_host: fromSandbox } = fixtures;

Deno.test("wire.json has a valid example of every message the host sends", () => {
  const types = new Set(fromHost.valid.map(({ type }) => type));
  assertEquals([...types].sort(), Object.keys(HOST_TYPES).sort());
});

Deno.test("wire.json has a valid example of every message the sandbox sends", () => {
  const types = new Set(fromSandbox.valid.map(({ message }) => message.type));
  assertEquals([...types].sort(), Object.keys(SANDBOX_TYPES).sort());
});

for (const [index, message] of fromHost.valid.entries()) {
  Deno.test(`formatHostMessage() writes ${message.type} as one line of JSON (fixture ${index})`, () => {
    const line = formatHostMessage(message as HostMessage);
    assertEquals(JSON.parse(line), message);
    assertEquals(line.indexOf("\n"), line.length - 1);
  });
}

for (const [index, { message }] of fromSandbox.valid.entries()) {
  Deno.test(`parseSandboxMessage() takes ${message.type} (fixture ${index})`, () => {
    assertEquals<unknown>(parseSandboxMessage(JSON.stringify(message)), message);
  });
}

for (const { why, line } of fromSandbox.invalid) {
  Deno.test(`parseSandboxMessage() refuses: ${why}`, () => {
    assertThrows(() => parseSandboxMessage(line), Error);
  });
}

Deno.test("parseSandboxMessage() takes an id of 128 characters and refuses one of 129", () => {
  const line = (id: string) => JSON.stringify({ type: "stdout", id, data: "" });
  assertEquals(parseSandboxMessage(line("x".repeat(128))).type, "stdout");
  assertThrows(() => parseSandboxMessage(line("x".repeat(129))), Error);
});

Deno.test("parseSandboxMessage() drops fields the protocol does not have", () => {
  const line = '{"type":"stdout","id":"run-1","data":"x","extra":1}';
  assertEquals(parseSandboxMessage(line), { type: "stdout", id: "run-1", data: "x" });
});

Deno.test("parseSandboxMessage() keeps the fields of an rpc payload", () => {
  const line = '{"type":"rpc_request","id":"q1","payload":{"type":"call_tool","server":"s"}}';
  const message = parseSandboxMessage(line);
  assert(message.type === "rpc_request");
  assertEquals(message.payload, { type: "call_tool", server: "s" });
});

Deno.test("parseSandboxMessage() gives an rpc payload no prototype of the sender's", () => {
  const payload = '{"type":"call_tool","__proto__":{"server":"hidden"}}';
  const message = parseSandboxMessage(`{"type":"rpc_request","id":"q1","payload":${payload}}`);
  assert(message.type === "rpc_request");
  assertEquals(message.payload["server"], undefined);
});

Deno.test("parseSandboxMessage() gives the text of stdout as it was sent, whatever it is", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (data) => {
    const message = parseSandboxMessage(JSON.stringify({ type: "stdout", id: "run-1", data }));
    assertEquals(message, { type: "stdout", id: "run-1", data });
  }));
});

Deno.test("parseSandboxMessage() throws an Error and nothing else, whatever the line is", () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (line) => {
    assertThrows(() => parseSandboxMessage(line), Error);
  }));
});

Deno.test("formatHostMessage() writes one line, whatever the code is", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (code) => {
    const message: HostMessage = { type: "execute", id: "a", code, servers: [], discovered: {} };
    const line = formatHostMessage(message);
    assertEquals(line.indexOf("\n"), line.length - 1);
    assertEquals(JSON.parse(line), message);
  }));
});
