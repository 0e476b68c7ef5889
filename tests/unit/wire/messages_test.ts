import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import {
  formatHostMessage,
  type HostMessage,
  parseSandboxMessage,
  type SandboxMessage,
} from "../../../src/wire/messages.ts";
import { JsonText } from "../../../src/shared/json/json_text.ts";
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
    assertEquals<unknown>(
      withPlainArguments(parseSandboxMessage(JSON.stringify(message))),
      message,
    );
  });
}

function withPlainArguments(message: SandboxMessage): unknown {
  if (message.type !== "rpc_request" || message.payload.type !== "call_tool") return message;
  const args = message.payload["arguments"];
  return args instanceof JsonText
    ? { ...message, payload: { ...message.payload, arguments: args.parse() } }
    : message;
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

/** The arguments in a line of the sandbox. */
function argumentsIn(line: string): unknown {
  const message = parseSandboxMessage(line);
  assert(message.type === "rpc_request");
  return message.payload["arguments"];
}

const asking = (payload: string) => `{"type":"rpc_request","id":"q1","payload":${payload}}`;

Deno.test("parseSandboxMessage() keeps the arguments of a call as the text they are", () => {
  const text = '{ "9": 1.0, "1": 9007199254740993, "1": -0.0, "\\ud800": "\u2028" }';
  assertEquals(argumentsIn(asking(`{"type":"call_tool","arguments":${text}}`)), new JsonText(text));
  // As JSON.parse does, which chose the message: the last of several.
  const twice = `{"arguments":{"a":1},"type":"call_tool","arg\\u0075ments" : ${text}}`;
  assertEquals(argumentsIn(asking(twice)), new JsonText(text));
  const payloads = `{"type":"rpc_request","payload":{"arguments":{}},"id":"q1",` +
    `"payload":{"type":"call_tool","arguments":${text}}}`;
  assertEquals(argumentsIn(payloads), new JsonText(text));
  assertEquals(argumentsIn(asking('{"type":"call_tool","arguments":[1]}')), [1]);
  assertEquals(argumentsIn(asking('{"type":"other","arguments":{"a":1}}')), { a: 1 });
});

Deno.test("parseSandboxMessage() takes for arguments one object and no more, whatever the line is", () => {
  const piece = fc.constantFrom(
    ...['"arguments":', '"payload":', '"type":"call_tool"', '"a":', '"\\"', '"', "\\", "\r"],
    ..."{}[],: 1",
    '{"a":1}',
    '"}},"',
    "null",
  );
  const pieces = fc.array(piece, { maxLength: 12 }).map((all) => all.join(""));
  let found = 0;
  fc.assert(
    fc.property(pieces, pieces, fc.json(), (before, after, value) => {
      const object = `{"x":${value}${before.startsWith(",") ? before : ""}}`;
      const line = asking(`{${before}"type":"call_tool","arguments":${object}${after}}`);
      let args: unknown;
      try {
        args = argumentsIn(line);
      } catch {
        return;
      }
      if (!(args instanceof JsonText)) return;
      found++;
      const sent = `{"jsonrpc":"2.0","params":{"arguments":${args.text},"z":1},"id":7}`;
      const { params, ...rest } = JSON.parse(sent);
      assertEquals(rest, { jsonrpc: "2.0", id: 7 });
      assertEquals(Object.keys(params), ["arguments", "z"]);
      assertEquals(params.arguments, JSON.parse(line).payload.arguments);
      assertEquals(/[\n\r]/.test(args.text), false);
    }),
    { numRuns: 20_000 },
  );
  assert(found > 200, `Only ${found} lines were messages`);
});

Deno.test("formatHostMessage() writes a result that is text as the value it is", () => {
  const result = new JsonText('{ "2": 1.0,\n"1": 12345678901234567890 }');
  const line = formatHostMessage({
    type: "rpc_response",
    id: "q1",
    payload: { success: true, result },
  });
  assertEquals(
    line,
    '{"type":"rpc_response","id":"q1","payload":{"success":true,"result":' +
      '{ "2": 1.0, "1": 12345678901234567890 }}}\n',
  );
});
