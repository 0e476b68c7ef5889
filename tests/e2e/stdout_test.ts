/** Nothing but JSON-RPC goes to stdout, and what is not JSON-RPC on stdin harms nobody. */
import { assert, assertEquals } from "@std/assert";
import { BridgeHome } from "../support/bridge_home.ts";
import { type Message, StdioClient } from "../support/stdio_client.ts";

/** Programs that do their best to be heard on the server's own streams. */
const LOUD_PROGRAMS = [
  "print('x' * 10_000_000)",
  "for n in range(50_000): print(n)",
  "import os\nfor n in range(1000): os.write(1, b'raw\\n'); os.write(2, b'raw\\n')",
  "import sys\nsys.__stdout__.write('direct\\n'); sys.stderr.write('y' * 300_000)",
  'print(\'{"jsonrpc":"2.0","id":1,"result":{}}\')',
  'print(\'{"type":"execution_done","id":"x","status":"ok"}\')',
  "print('\\r\\n\\u2028\\u2029\\x85\\x0b\\x0c \\0 \\ud800 \\x1b[2J')",
  "import warnings\nwarnings.warn('careful')",
  "import js\njs.console.log('from JavaScript'); js.console.error('from JavaScript')",
  "import asyncio\nasync def f(): raise ValueError('lost')\nasyncio.create_task(f())",
  "1/0",
  "def f(:",
  "import sys\nsys.exit(3)",
  "bytearray(10**10)",
];

Deno.test("a client reads only JSON-RPC from stdout, whatever programs print", async () => {
  await using home = new BridgeHome();
  const client = await StdioClient.connect(home);
  await using _client = client;
  for (const code of LOUD_PROGRAMS) await client.run(code, { _meta: { progressToken: code } });
  await client.run("while True: print('flood')", { timeout: 1 });
  await client.request("resources/read", { uri: "resource://x/y" }).reply;
  await client.request("no/such/method").reply;
  await client.request("tools/call", { name: "no_such_tool", arguments: {} }).reply;
  await client.request("tools/list").reply;
  assertEquals(await client.text("print('still here')"), "still here");
  await client.closeStdin();
  await client.ended;
  // initialize, the programs, the flood, four other requests and the last print.
  const answers = LOUD_PROGRAMS.length + 7;
  assertEquals(client.messages.filter(({ id }) => id !== undefined).length, answers);
  assertOnlyJsonRpc(client.lines);
});

Deno.test("a client that sends blank lines and garbage is still served", async () => {
  await using home = new BridgeHome();
  const client = await StdioClient.connect(home);
  await using _client = client;
  const sent = [
    "",
    "   ",
    "\t\r",
    "garbage",
    "{",
    "[]",
    "42",
    "null",
    '{"jsonrpc":"2.0"}',
    "\ufeff",
  ];
  for (const line of sent) await client.write(line);
  await client.write('{"jsonrpc":"1.0","id":900,"method":"tools/list"}');
  await client.write('{"jsonrpc":"2.0","id":901,"result":{}}');
  await client.write('{"jsonrpc":"2.0","method":"notifications/unheard_of"}\r');
  assertEquals(await client.text("print('still here')"), "still here");
  await client.closeStdin();
  const { success } = await client.ended;
  assert(success, client.stderr);
  assertOnlyJsonRpc(client.lines);
  const refused = client.messages.filter(({ error }) => error !== undefined);
  assert(refused.every(({ error }) => [-32700, -32600].includes(error!.code)), client.lines.join());
  assertEquals(refused.find(({ id }) => id === 900)?.error?.code, -32600);
});

Deno.test("a client whose last request comes right before the end of stdin is answered", async () => {
  await using home = new BridgeHome();
  await using client = await StdioClient.connect(home);
  const { reply } = client.request("tools/list");
  await client.closeStdin();
  const { result } = await reply;
  assertEquals((result!.tools as Array<{ name: string }>)[0]!.name, "run_python");
});

function assertOnlyJsonRpc(lines: readonly string[]): void {
  assert(lines.length > 0);
  for (const line of lines) {
    const message = JSON.parse(line) as Message;
    assertEquals(message.jsonrpc, "2.0", line.slice(0, 200));
    const kinds = [message.method, message.result, message.error];
    assertEquals(kinds.filter((kind) => kind !== undefined).length, 1, line.slice(0, 200));
  }
}
