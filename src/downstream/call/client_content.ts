/**
 * What a server offers besides tools: resources and prompts. Lists are read leniently, as those of tools
 * are; what is read goes by the same rules as what a tool sends.
 */
import {
  type ContentBlock,
  type ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/client";
import { z } from "zod";
import { AppError } from "../../shared/errors.ts";
import { MAX_TIMER_MS } from "../../shared/deadline.ts";
import { isRefusal } from "./call_error.ts";
import type {
  CallOptions,
  CallOutcome,
  ListedPrompt,
  ListedResource,
  PromptMessage,
  ServerContent,
} from "../downstream.ts";
import type { DownstreamClient } from "../connection/downstream_client.ts";
import { toItem } from "./unwrap_result.ts";

/** Against servers whose list has no end. */
const MAX_PAGES = 1000;
const MAX_ENTRIES = 20_000;

const text = z.string().optional().catch(undefined);
const named = { title: text, description: text };
const resource = z.object({
  uri: z.string(),
  name: text,
  ...named,
  mimeType: text,
  size: z.number().optional().catch(undefined),
}).transform(({ mimeType, ...rest }) => ({ ...rest, mime_type: mimeType }));
const template = z.object({ uriTemplate: z.string(), name: text, ...named, mimeType: text })
  .transform(({ uriTemplate, mimeType, ...rest }) => ({
    uri_template: uriTemplate,
    ...rest,
    mime_type: mimeType,
  }));
const prompt = z.object({
  name: z.string(),
  ...named,
  arguments: z.array(z.object({
    name: z.string(),
    description: text,
    required: z.boolean().optional().catch(undefined),
  })).optional().catch(undefined),
});

const contents = z.looseObject({
  contents: z.array(
    z.looseObject({ uri: z.string(), mimeType: text, text, blob: text })
      .refine(({ text, blob }) => text !== undefined || blob !== undefined),
  ),
});
const messages = z.looseObject({
  messages: z.array(z.looseObject({
    role: z.string(),
    content: z.looseObject({ type: z.string() }),
  })),
});

/** Asks a server for its resources and prompts. */
export class ClientContent implements ServerContent {
  readonly #server: string;
  readonly #client: DownstreamClient;
  readonly #options: CallOptions;

  constructor(server: string, client: DownstreamClient, options: CallOptions) {
    this.#server = server;
    this.#client = client;
    this.#options = options;
  }

  async listResources(): Promise<ListedResource[]> {
    const resources = await this.#list("resources/list", "resources", resource);
    return [
      ...resources,
      ...await this.#list("resources/templates/list", "resourceTemplates", template),
    ];
  }

  async readResource(uri: string): Promise<CallOutcome> {
    const { contents: parts } = await this.#ask("resources/read", { uri }, contents)
      .catch((error) => this.#none(error, "resources"));
    const [only] = parts;
    if (parts.length === 1 && only?.text !== undefined) {
      return { kind: "text", text: only.text, mayBeJson: isJson(only.mimeType) };
    }
    const items = parts.map((part) => toItem({ type: "resource", resource: part } as ContentBlock));
    return { kind: "content", content: items };
  }

  listPrompts(): Promise<ListedPrompt[]> {
    return this.#list("prompts/list", "prompts", prompt);
  }

  async getPrompt(
    name: string,
    args: Readonly<Record<string, string>>,
  ): Promise<PromptMessage[]> {
    const params = { name, arguments: { ...args } };
    const result = await this.#ask("prompts/get", params, messages)
      .catch((error) => this.#none(error, "prompts"));
    return result.messages.map(({ role, content }) => ({
      role,
      content: toItem(content as unknown as ContentBlock),
    }));
  }

  /** All pages of a list; none where the server does not know the method. */
  async #list<T extends object>(
    method: ListMethod,
    member: string,
    schema: z.ZodType<T>,
  ): Promise<T[]> {
    const entries: T[] = [];
    const seen = new Set<string>();
    const page = z.looseObject({ nextCursor: z.string().nullish() });
    for (let params: { cursor?: string } = {}; seen.size < MAX_PAGES;) {
      const result = await this.#ask(method, params, page).catch((error) => {
        if (isUnknownMethod(error)) return undefined;
        throw error;
      });
      const listed: unknown = result?.[member];
      for (const value of Array.isArray(listed) ? listed : []) {
        const parsed = schema.safeParse(value);
        if (parsed.success) entries.push(withoutAbsent(parsed.data));
      }
      const cursor = result?.nextCursor ?? undefined;
      if (cursor === undefined || seen.has(cursor)) return entries;
      if (entries.length > MAX_ENTRIES) break;
      seen.add(cursor);
      params = { cursor };
    }
    const count = entries.length;
    throw new AppError(`${method} of "${this.#server}" does not end (${count} so far)`);
  }

  #none(error: unknown, what: string): never {
    if (!isUnknownMethod(error)) throw error;
    throw new AppError(`"${this.#server}" has no ${what}`);
  }

  #ask<T>(method: string, params: Record<string, unknown>, schema: z.ZodType<T>): Promise<T> {
    const options = { ...this.#options, what: method };
    return this.#client.request(options, async ({ client }, { signal }) => {
      try {
        return await client.request({ method, params }, schema, {
          signal,
          // The SDK's own timer cannot stand still, so the signal has to end it.
          timeout: MAX_TIMER_MS,
        });
      } catch (error) {
        if (!isRefusal(error)) throw error;
        throw toRefusal(error);
      }
    });
  }
}

type ListMethod = "resources/list" | "resources/templates/list" | "prompts/list";

/** A refusal in the server's own words. */
function toRefusal({ code, message }: ProtocolError): AppError {
  const isUnknown = code === ProtocolErrorCode.MethodNotFound;
  return new AppError(message, isUnknown ? { code: "method_unknown" } : {});
}

function isUnknownMethod(error: unknown): boolean {
  return error instanceof AppError && error.code === "method_unknown";
}

/** Without the members that have no value. */
function withoutAbsent<T extends object>(entry: T): T {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined)) as T;
}

function isJson(mimeType: string | undefined): boolean {
  return /^[\w.+-]+\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(mimeType ?? "");
}
