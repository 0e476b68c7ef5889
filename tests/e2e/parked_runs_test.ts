/** Runs that wait for a client of 2026: what is on the wire, and what becomes of those left alone. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { environment } from "../support/asked_clients.ts";
import { BridgeHome } from "../support/bridge_home.ts";
import { MODERN_META } from "../support/server_fixtures.ts";
import { type Message, StdioClient } from "../support/stdio_client.ts";

const _meta = {
  ...MODERN_META,
  "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
};

interface InputRequired {
  resultType: "input_required";
  inputRequests: Record<string, { params: { message: string } }>;
  requestState: string;
}

class Parking implements AsyncDisposable {
  readonly #home: BridgeHome;
  readonly client: StdioClient;

  constructor(home: BridgeHome, client: StdioClient) {
    [this.#home, this.client] = [home, client];
  }

  static async open(env: Record<string, string> = {}): Promise<Parking> {
    const home = new BridgeHome();
    const client = new StdioClient(home, { env: await environment(home, { env }) });
    return new Parking(home, client);
  }

  call(code: string, retry: Record<string, unknown> = {}): Promise<Message> {
    const args = { code, servers: ["old"] };
    const params = { name: "run_python", arguments: args, _meta, ...retry };
    return this.client.request("tools/call", params).reply;
  }

  /** A call that ends with questions. */
  async ask(code: string): Promise<InputRequired> {
    const { result } = await this.call(code);
    assertEquals(result?.["resultType"], "input_required", JSON.stringify(result));
    return result as unknown as InputRequired;
  }

  /** The text of a call's answer. */
  async text(code: string, retry: Record<string, unknown> = {}): Promise<string> {
    const { result, error } = await this.call(code, retry);
    const content = result?.["content"] as Array<{ text: string }> | undefined;
    return content?.[0]?.text ?? `No content: ${JSON.stringify(error ?? result)}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client[Symbol.asyncDispose]();
    await this.#home[Symbol.asyncDispose]();
  }
}

const ASK = 'print((await mcp_old.ask_city(message="Which?"))["content"]["city"])';
const accept = (city: string) => ({ action: "accept", content: { city } });

Deno.test("several questions are asked in one answer, and those left open are asked again", async () => {
  await using parking = await Parking.open();
  const code = `import asyncio
both = await asyncio.gather(*[mcp_old.ask_city(message=c) for c in "ab"])
print([one["content"]["city"] for one in both])`;
  const { inputRequests, requestState } = await parking.ask(code);
  const keys = Object.keys(inputRequests);
  const messages = keys.map((key) => inputRequests[key]!.params.message);
  assertEquals(messages.toSorted(), ["[old] a", "[old] b"]);
  const [first, second] = keys as [string, string];
  const one = { inputResponses: { [first]: accept("1") }, requestState };
  const again = (await parking.call(code, one)).result as unknown as InputRequired;
  assertEquals(Object.keys(again.inputRequests), [second]);
  const rest = { inputResponses: { [second]: accept("2") }, requestState: again.requestState };
  const expected = messages[0] === "[old] a" ? "['1', '2']" : "['2', '1']";
  assertEquals(await parking.text(code, rest), expected);
});

Deno.test("a requestState that was changed, used or made up is refused, and the run goes on", async () => {
  await using parking = await Parking.open();
  const { inputRequests, requestState } = await parking.ask(ASK);
  const inputResponses = Object.fromEntries(
    Object.keys(inputRequests).map((key) => [key, accept("Oslo")]),
  );
  const [version, body, mac] = requestState.split(".") as [string, string, string];
  const other = btoa(atob(body).replace(/[0-9a-f]{8}-/, "00000000-")).replace(/=+$/, "");
  for (const forged of [`${version}.${other}.${mac}`, requestState.slice(0, -5), "", "v1.e30.x"]) {
    const text = await parking.text(ASK, { inputResponses, requestState: forged });
    assertStringIncludes(text, "status: error");
    assertStringIncludes(text, "The requestState is not one that this process gave out");
    assertStringIncludes(text, "hint: Call run_python again without requestState");
  }
  assertEquals(await parking.text(ASK, { inputResponses, requestState }), "Oslo");
  assertMatch(
    await parking.text(ASK, { inputResponses, requestState }),
    /The run that asked is over/,
  );
});

Deno.test("an answer that is none costs the question, not the run", async () => {
  await using parking = await Parking.open();
  const code = `try: ${ASK}
except runtime.MCPError as error: print(error)`;
  const { inputRequests, requestState } = await parking.ask(code);
  const [key] = Object.keys(inputRequests) as [string];
  const inputResponses = { [key]: { action: "perhaps" } };
  assertMatch(
    await parking.text(code, { inputResponses, requestState }),
    /Cannot ask the user: the client's answer is none/,
  );
});

Deno.test("a run whose client does not come back is cancelled and leaves nothing behind", async () => {
  await using parking = await Parking.open({ MCP_BRIDGE_ASK_TIMEOUT: "1" });
  const code = `kept = 1
try: await mcp_old.ask_city(message="Which?")
finally: kept = 2`;
  const { inputRequests, requestState } = await parking.ask(code);
  // Waits behind the parked run, which is given up after a second.
  assertEquals(await parking.text("print(kept)"), "2");
  const [key] = Object.keys(inputRequests) as [string];
  const inputResponses = { [key]: accept("Oslo") };
  assertMatch(
    await parking.text(code, { inputResponses, requestState }),
    /The run that asked is over/,
  );
  assertEquals(await parking.text("print(await mcp_old.last_error())"), '""');
});

Deno.test("a program that ends while a run is parked ends at once", async () => {
  await using parking = await Parking.open();
  await parking.ask(ASK);
  const startedAt = performance.now();
  await parking.client.closeStdin();
  assertEquals((await parking.client.ended).code, 0);
  const ms = performance.now() - startedAt;
  if (ms > 4000) throw new Error(`It took ${ms} ms`);
});
