import { assert, assertEquals, assertThrows } from "@std/assert";
import { JsonText } from "../../../src/shared/json/json_text.ts";
import { heldBytes, isLong, readLongLine } from "../../../src/wire/line.ts";
import { parseSandboxMessage, type SandboxMessage } from "../../../src/wire/messages.ts";

const LONG = "x".repeat(300_000);

function read(line: string): SandboxMessage {
  const steps = readLongLine(line);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

const asking = (payload: string) => `{"type":"rpc_request","id":"q1","payload":${payload}}`;

Deno.test("readLongLine() gives what parseSandboxMessage() gives", () => {
  const lines = [
    `{"type":"stdout","id":"run-1","data":${JSON.stringify(LONG + '\n"\\é😀')}}`,
    asking(`{"type":"save_file","name":"a","data":"${LONG}"}`),
    asking(
      `{"type":"call_tool","server":"s","arguments":{ "9":1.0,"1":9007199254740993, "x":"${LONG}"}}`,
    ),
    asking(`{"type":"call_tool","arguments":{"a":1},"arguments" : {"b":"${LONG}"} }`),
    asking(`{"type":"call_tool","arguments":["${LONG}"]}`),
    asking(`{"type":"get_prompt","arguments":{"a":"${LONG}"}}`),
    asking(`{"type":"call_tool","payload":{"arguments":{}},"long":"${LONG}"}`),
  ];
  for (const line of lines) {
    assertEquals(isLong(line), true);
    assertEquals(read(line), parseSandboxMessage(line));
  }
});

Deno.test("readLongLine() takes a tool's arguments of any number of values as the text they are", () => {
  const args = `{"rows":[${"[1],".repeat(200_000)}[]]}`;
  const message = read(asking(`{"type":"call_tool","server":"s","tool":"t","arguments":${args}}`));
  assert(message.type === "rpc_request");
  assertEquals(message.payload["arguments"], new JsonText(args));
});

Deno.test("readLongLine() refuses what is no message, and values beyond number or level", () => {
  const lists = `[${"[],".repeat(200_000)}[]]`;
  const refused: Readonly<Record<string, string>> = {
    [asking(`{"type":"call_tool","arguments":${lists}}`)]: "at most 10000",
    [asking(`{"type":"get_prompt","arguments":{"a":${lists}}}`)]: "at most 10000",
    [asking(`{"type":"call_tool","other":${lists},"arguments":{}}`)]: "at most 10000",
    [asking(`{"type":"call_tool","arguments":${lists},"arguments":{}}`)]: "at most 10000",
    [asking(`{"type":"call_tool","arguments":{"a":${"[".repeat(200_000)}${"]".repeat(200_000)}}}`)]:
      "levels",
    [asking(`{"type":"call_tool","arguments":{"a":"${LONG}"},}`)]: "Not JSON",
    [asking(`{"type":"call_tool","arguments":{"a":"${LONG}" 1}}`)]: "Not JSON",
    [asking(`{"type":"call_tool","arguments":{"a":"${LONG}"}}`) + "1"]: "Not JSON",
    [`{"type":"unknown","data":"${LONG}"}`]: "type",
  };
  for (const [line, reason] of Object.entries(refused)) {
    assertThrows(() => read(line), Error, reason);
  }
});

Deno.test("heldBytes() counts more for a request of many values", () => {
  const held = (line: string) => heldBytes(parseSandboxMessage(line), 1000);
  assertEquals(held('{"type":"pong"}'), 1000);
  assertEquals(held(asking('{"type":"call_tool","arguments":{"a":[[],[]]}}')), 1512);
  assertEquals(held(asking('{"type":"save_file","data":"x"}')), 1512);
  assertEquals(held(asking('{"type":"call_tool","arguments":[[],[]]}')), 32_512);
  const names = Array.from({ length: 20 }, (_, at) => `"n${at}":1`).join(",");
  assertEquals(held(asking(`{"type":"call_tool",${names}}`)), 32_512);
});
