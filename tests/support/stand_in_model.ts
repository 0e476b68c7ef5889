/**
 * A model on loopback that asks for one tool and is then done. It keeps what the client handed it as the
 * tool's result: that, and not what a server sent, is what a model gets to see.
 */
import { DIALECTS } from "./model_dialects.ts";

/** Options of {@link StandInModel}. */
export interface StandInModelOptions {
  /** End of the name of the tool to call. */
  tool: string;
  /** Name to call it by for a client that does not offer it at once. */
  hiddenName?: string;
  arguments: Record<string, unknown>;
}

/** The model. */
export class StandInModel implements AsyncDisposable {
  /** Results of tools, as the client sent them to the model. */
  results: unknown[] = [];
  /** Every request for the model: path and body. */
  readonly requests: Array<{ path: string; body: unknown }> = [];
  readonly #options: StandInModelOptions;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor(options: StandInModelOptions) {
    this.#options = options;
    const listen = { hostname: "127.0.0.1", port: 0, onListen() {} };
    this.#server = Deno.serve(listen, (request) => this.#answer(request));
  }

  /** Where it is, without a path. */
  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const dialect = DIALECTS.find(({ path }) => path.test(pathname));
    if (request.method !== "POST" || dialect === undefined) {
      await request.body?.cancel();
      return Response.json({ object: "list", data: [{ id: "stand-in", object: "model" }] });
    }
    const body = await request.json();
    this.requests.push({ path: pathname + search, body });
    const results = dialect.results(body);
    if (results.length > this.results.length) this.results = results;
    const { hiddenName } = this.#options;
    const hidden = hiddenName === undefined ? undefined : { name: hiddenName };
    const tool: { name: string; namespace?: string } | undefined = results.length > 0
      ? undefined
      : dialect.tools(body).find(({ name }) => name?.endsWith(this.#options.tool)) ?? hidden;
    const call = tool && {
      name: tool.name,
      ...(tool.namespace !== undefined && { namespace: tool.namespace }),
      arguments: this.#options.arguments,
    };
    const reply = dialect.reply(call);
    if (body.stream !== true && !search.includes("alt=sse")) return Response.json(reply);
    const lines = dialect.events(reply).map(({ event, data }) =>
      `${event === undefined ? "" : `event: ${event}\n`}data: ${
        typeof data === "string" ? data : JSON.stringify(data)
      }\n\n`
    );
    return new Response(lines.join(""), { headers: { "content-type": "text/event-stream" } });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}
