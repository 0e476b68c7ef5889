/** Two sessions of one process: side by side, and neither sees anything of the other. */
import { assert, assertEquals, assertLess, assertMatch, fail } from "@std/assert";
import { type App, createApp } from "../../src/app.ts";
import { loadConfig, loadDenoEnvironment, loadSystem } from "../../src/config/load.ts";
import type { Question } from "../../src/questions/question.ts";
import { serveStdio } from "../../src/server/stdio/stdio.ts";
import type { Session } from "../../src/session/session.ts";
import { createLogger } from "../../src/shared/log.ts";
import { type EngineTarget, targets } from "../support/engines.ts";
import { FakeDownstream } from "../support/fake_downstream.ts";
import { linkStreams, MODERN_META } from "../support/server_fixtures.ts";
import { inFolder } from "../support/temp_folder.ts";

type Json = Record<string, unknown>;

const QUESTION: Question = { kind: "form", message: "Which city?", schema: { type: "object" } };

/** A server with a tool that asks the client of its run. */
const downstream = () =>
  new FakeDownstream({
    s: [{
      name: "ask",
      async call(_args, { asker, signal }) {
        const answer = await asker!.ask({ server: "s", question: QUESTION, signal });
        return { kind: "value", value: JSON.stringify(answer) };
      },
    }],
  });

/** A client of 2026 that speaks to one session. */
class Client implements AsyncDisposable {
  readonly #near;
  readonly #writer;
  readonly #served: Promise<void>;
  readonly #replies = new Map<number, (reply: Json) => void>();
  #id = 0;

  constructor(app: App, session: Session) {
    const { client, server } = linkStreams();
    this.#near = client;
    this.#writer = client.writable.getWriter();
    this.#served = serveStdio(app.serve(session), { ...server, logger: createLogger("error") });
    void this.#read();
  }

  async run(code: string, more: Json = {}): Promise<Json> {
    const meta = {
      ...MODERN_META,
      "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
    };
    const params = {
      name: "run_python",
      arguments: { code, servers: ["s"] },
      _meta: meta,
      ...more,
    };
    return (await this.#ask("tools/call", params)).result as Json;
  }

  async read(uri: string): Promise<Json> {
    return await this.#ask("resources/read", { uri, _meta: MODERN_META });
  }

  async list(): Promise<string[]> {
    const { result } = await this.#ask("resources/list", { _meta: MODERN_META });
    return (result as { resources: Array<{ uri: string }> }).resources.map(({ uri }) => uri);
  }

  #ask(method: string, params: Json): Promise<Json> {
    const id = ++this.#id;
    const line = JSON.stringify({ jsonrpc: "2.0", id, method, params }) + "\n";
    return new Promise((resolve) => {
      this.#replies.set(id, resolve);
      void this.#writer.write(new TextEncoder().encode(line));
    });
  }

  async #read(): Promise<void> {
    let rest = "";
    for await (const text of this.#near.readable.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split("\n");
      rest = lines.pop()!;
      for (const reply of lines.map((line) => JSON.parse(line))) {
        this.#replies.get(reply.id)?.(reply);
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writer.close();
    await this.#served;
  }
}

function textOf(result: Json): string {
  return (result.content as Array<{ text: string }>).map(({ text }) => text).join("\n");
}

function appCase(
  target: EngineTarget,
  name: string,
  body: (context: { app: App; folder: string }) => Promise<void>,
) {
  const { unavailable } = target;
  const required = Deno.env.get("MCP_BRIDGE_REQUIRE_ENGINES") === "1";
  Deno.test({
    name: `${target.name}: ${name}${unavailable === undefined ? "" : ` (skipped: ${unavailable})`}`,
    ignore: unavailable !== undefined && !required,
    async fn() {
      if (unavailable !== undefined) fail(`${target.name} is required here: ${unavailable}`);
      await inFolder(async (folder) => {
        await using app = createApp({ ...loadConfig({}), stateDir: folder, cacheDir: folder }, {
          log: createLogger("error"),
          denoEnv: loadDenoEnvironment(),
          system: loadSystem(),
          readVariable: () => undefined,
          engine: () => target.create(),
          downstream: downstream(),
        });
        await body({ app, folder });
      });
    },
  });
}

const chosen = targets.filter(({ name }) => /^(wasm|podman, Python 3\.14)$/.test(name));
assertEquals(chosen.map(({ kind }) => kind), ["wasm", "process"]);

for (const target of chosen) {
  appCase(
    target,
    "two sessions see neither variables nor runs nor files of each other",
    async ({ app, folder }) => {
      const [one, two] = [app.sessions.open(), app.sessions.open()];
      assert(app.sessions.find(one.handle) === one.session && one.handle !== two.handle);
      await using a = new Client(app, one.session);
      await using b = new Client(app, two.session);
      const kept = await a.run("secret = 41\nsave_file('a.txt', 'mine')\nprint(secret)");
      assertMatch(textOf(kept), /41/);
      assertMatch(textOf(await b.run("print(secret)")), /NameError/);
      assertMatch(
        textOf(await b.run("print(runtime.output(-2))")),
        /Cannot read the output of run -2: the session has 1 earlier runs/,
      );
      const [uri] = (await a.list()).filter((one) => one.endsWith("/a.txt"));
      assertEquals((await b.list()).filter((one) => one.endsWith("/a.txt")), []);
      const { result } = await a.read(uri!);
      assertEquals((result as { contents: Array<{ text: string }> }).contents[0]!.text, "mine");
      assertEquals(((await b.read(uri!)).error as { code: number }).code, -32602);
      await app.sessions.close(one.handle);
      assertEquals(app.sessions.find(one.handle), undefined);
      assertEquals((await Array.fromAsync(Deno.readDir(`${folder}/sessions`))).length, 1);
      assertMatch(textOf(await b.run("print('still here')")), /still here/);
    },
  );

  appCase(
    target,
    "a question that waits in one session cannot be answered in another",
    async ({ app }) => {
      await using a = new Client(app, app.sessions.open().session);
      await using b = new Client(app, app.sessions.open().session);
      const code = "print(await mcp_s.ask())";
      const { requestState, inputRequests } = await a.run(code);
      const [key] = Object.keys(inputRequests as Json);
      const answer = {
        requestState,
        inputResponses: { [key!]: { action: "accept", content: { city: "Oslo" } } },
      };
      assertMatch(
        textOf(await b.run(code, answer)),
        /error: The run that asked is over|requestState/,
      );
      assertMatch(textOf(await a.run(code, answer)), /Oslo/);
    },
  );

  appCase(target, "a busy loop in one session does not delay another", async ({ app }) => {
    const [one, two] = [app.sessions.open().session, app.sessions.open().session];
    const ask = (session: Session, code: string, timeoutSeconds: number) =>
      session.run({ code, servers: [], timeoutSeconds });
    await Promise.all([ask(one, "1", 30), ask(two, "1", 30)]);
    let isOver = false;
    const busy = ask(one, "while True: pass", 8).finally(() => isOver = true);
    const startedAt = performance.now();
    for (let n = 0; n < 20; n++) {
      assertEquals((await ask(two, `print(${n})`, 30)).stdout, `${n}\n`);
    }
    assertEquals(isOver, false);
    assertLess(performance.now() - startedAt, 8000);
    assertEquals((await busy).status, "timeout");
  });
}
