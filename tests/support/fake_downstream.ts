/** Downstream servers without processes, for tests of the rooms above. */
import type {
  CallOptions,
  CallOutcome,
  Detail,
  Downstream,
  DownstreamTool,
  LoadedServer,
  SearchHit,
  ServerContent,
  ToolDoc,
} from "../../src/downstream/downstream.ts";
import { JsonText } from "../../src/shared/json/json_text.ts";
import { toStubs } from "../../src/languages/python/stub_text.ts";
import { pickTools } from "../../src/downstream/catalog/catalog.ts";
import { toToolDoc } from "../../src/downstream/docs/tool_docs.ts";
import { AppError } from "../../src/shared/errors.ts";

/** What a fake tool gives, with plain values for texts. */
export type FakeOutcome =
  | { kind: "value"; value: unknown }
  | { kind: "failed"; message: string; result: unknown }
  | Exclude<CallOutcome, { kind: "value" | "failed" }>;

/** A tool that answers by itself. */
export interface FakeTool extends Partial<DownstreamTool> {
  name: string;
  /** `text` is what `args` were made of. */
  call: (
    args: Record<string, unknown>,
    options: CallOptions,
    text: string,
  ) => FakeOutcome | Promise<FakeOutcome>;
}

/** Servers by name; one that is `null` cannot be started. */
export type FakeServers = Readonly<Record<string, readonly FakeTool[] | null>>;

/** A {@link Downstream} over functions; `calls` holds every call that reached a server. */
export class FakeDownstream implements Downstream {
  readonly calls: string[] = [];
  readonly #servers: FakeServers;
  readonly #lists = new Map<readonly FakeTool[], readonly DownstreamTool[]>();

  constructor(servers: FakeServers = {}) {
    this.#servers = servers;
  }

  get names(): readonly string[] {
    return Object.keys(this.#servers);
  }

  servers() {
    return Promise.resolve(
      this.names.map((name) => ({ name, alias: name, description: `The ${name}` })),
    );
  }

  content(): Promise<ServerContent> {
    throw new AppError("There are no resources", { code: "method_unknown" });
  }

  skipped() {
    return [];
  }

  /** Gives the same list as long as the tools are the same. */
  load(name: string): Promise<LoadedServer> {
    const own = this.#tools(name);
    const tools = this.#lists.get(own) ?? own.map((tool): DownstreamTool => ({
      alias: tool.name,
      description: "",
      inputSchema: { type: "object" },
      ...tool,
    }));
    this.#lists.set(own, tools);
    return Promise.resolve({ name, alias: name, description: "", tools });
  }

  async callTool(
    server: string,
    tool: string,
    args: JsonText,
    options: CallOptions,
  ): Promise<CallOutcome> {
    this.calls.push(`${server}.${tool}`);
    const found = this.#tools(server).find(({ name }) => name === tool);
    if (found === undefined) throw new AppError(`Server '${server}' has no tool '${tool}'`);
    const values = args.parse() as Record<string, unknown>;
    return toOutcome(await found.call(values, options, args.text));
  }

  async callToolRaw(
    server: string,
    tool: string,
    args: JsonText,
    options: CallOptions,
  ): Promise<JsonText> {
    const outcome = await this.callTool(server, tool, args, options);
    const text = outcome.kind === "value"
      ? { kind: "value", value: outcome.value.parse() }
      : outcome;
    return JsonText.of({ raw: text });
  }

  async docs(
    server: string,
    tool?: string,
    detail: Detail = "summary",
  ): Promise<readonly ToolDoc[]> {
    const loaded = await this.load(server);
    const tools = pickTools(loaded, tool === undefined ? [] : [tool]);
    return tools.map((one) => toToolDoc(loaded, one, detail));
  }

  async stubs(server: string, tools: readonly string[]): Promise<string> {
    const loaded = await this.load(server);
    return toStubs(loaded, pickTools(loaded, tools));
  }

  async search(_query: string, { limit }: { limit: number }) {
    const hits: SearchHit[] = [];
    for (const [server, tools] of Object.entries(this.#servers)) {
      if (tools === null) continue;
      for (const doc of await this.docs(server)) hits.push({ ...doc, score: 1 });
    }
    const unsearched = Object.keys(this.#servers).filter((name) => this.#servers[name] === null)
      .map((name) => ({ name, reason: `Cannot start "${name}": it exited with code 1` }));
    return { hits: hits.slice(0, limit), unsearched };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }

  #tools(name: string): readonly FakeTool[] {
    const tools = this.#servers[name];
    if (tools) return tools;
    throw new AppError(`Cannot start "${name}": it exited with code 1`);
  }
}

function toOutcome(outcome: FakeOutcome): CallOutcome {
  switch (outcome.kind) {
    case "value":
      return { kind: "value", value: toText(outcome.value) };
    case "failed":
      return { ...outcome, result: toText(outcome.result) };
    default:
      return outcome;
  }
}

function toText(value: unknown): JsonText {
  return value instanceof JsonText ? value : JsonText.of(value ?? null);
}
