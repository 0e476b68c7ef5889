import { assert, assertEquals } from "@std/assert";
import type { CallOutcome } from "../../src/downstream/downstream.ts";
import { JsonText } from "../../src/shared/json/json_text.ts";
import { RawHttpServer } from "../fixtures/servers/raw_http.ts";
import { calling, createRig, type Rig, stub } from "./rig.ts";

/** What JavaScript's numbers and objects would change. */
const JSON_TEXT = '{"id":1234567890123456789,"f":1.0,"neg":-0.0,"e":1E400,"10":1,"9":2,"9":3,' +
  '"s":"\\ud800 \u2028 \\u0000","__proto__":{"toJSON":1},"toJSON":2,"constructor":3,"n":1e-400}';

/** The ways in which a message comes. */
const WAYS: Record<string, () => Promise<{ rig: Rig } & AsyncDisposable>> = {
  stdio: () => withRig(() => createRig({ s: stub("raw_values") })),
  "stdio as of 2026": () => withRig(() => createRig({ s: stub("raw_values", {}, ["modern"]) })),
  "HTTP, a JSON body": () => overHttp({ type: "json" }),
  "HTTP, a JSON body in many lines": () => overHttp({ type: "json", pretty: true }),
  "HTTP, an event": () => overHttp({ type: "events" }),
  "HTTP, an event of many lines in small pieces": () => overHttp({ type: "events", pretty: true }),
  "HTTP as of 2026, a JSON body": () => overHttp({ type: "json", modern: true }),
  "HTTP as of 2026, an event of many lines": () =>
    overHttp({ type: "events", pretty: true, modern: true }),
  "server-sent events as of 2024": () => overHttp({ type: "sse" }),
};

async function withRig(create: () => Promise<Rig>, server?: AsyncDisposable) {
  const rig = await create();
  return {
    rig,
    async [Symbol.asyncDispose]() {
      await rig[Symbol.asyncDispose]();
      await server?.[Symbol.asyncDispose]();
    },
  };
}

function overHttp(options: ConstructorParameters<typeof RawHttpServer>[0]) {
  const server = new RawHttpServer(options);
  const kind = options.type === "sse" ? "sse" as const : "http" as const;
  return withRig(() => createRig({ s: { kind, url: server.url, headers: {} } }), server);
}

for (const [way, open] of Object.entries(WAYS)) {
  const call = async (rig: Rig, tool: string, args: JsonText) =>
    await rig.downstream.callTool("s", tool, args, calling());
  const json = JsonText.of({ json: JSON_TEXT });

  Deno.test(`${way}: a result is handed on as the text it came as`, async () => {
    await using opened = await open();
    const { rig } = opened;
    assertEquals(textOf(await call(rig, "structured", json)), JSON_TEXT);
    assertEquals(textOf(await call(rig, "wrapped", json)), JSON_TEXT);
    assertEquals(await call(rig, "text", json), { kind: "text", text: JSON_TEXT, mayBeJson: true });
    const raw = await rig.downstream.callToolRaw("s", "structured", json, calling());
    assert(squeeze(raw.text).endsWith(`"structuredContent":${JSON_TEXT}}`), raw.text);
    assertEquals(raw.text.includes("\n"), false);
  });

  Deno.test(`${way}: what a failure holds is handed on as the text it came as`, async () => {
    await using opened = await open();
    const failed = textOf(await call(opened.rig, "failed", json));
    assert(failed.endsWith(`"structuredContent":${JSON_TEXT}}`), failed);
    assertEquals(
      textOf(await call(opened.rig, "refused", json)),
      `{"code":-32000,"message":"no","data":${JSON_TEXT}}`,
    );
  });

  Deno.test(`${way}: arguments reach the server as the text they are, side by side as well`, async () => {
    await using opened = await open();
    const calls = Array.from({ length: 20 }, async (_, at) => {
      const args = `{"at":${at}.0,"json":${JSON_TEXT}}`;
      const outcome = await call(opened.rig, "line", new JsonText(args));
      assert(outcome.kind === "text" && outcome.text.includes(`"arguments":${args}`), args);
    });
    await Promise.all(calls);
  });
}

function textOf(outcome: CallOutcome): string {
  if (outcome.kind === "value") return squeeze(outcome.value.text);
  if (outcome.kind === "failed") return squeeze(outcome.result.text);
  return `no value: ${outcome.kind}`;
}

/** Without the white space that a server has put around things. */
function squeeze(text: string): string {
  return text.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, (_, string) => string ?? "");
}
