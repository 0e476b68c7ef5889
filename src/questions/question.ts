/**
 * What a downstream server may ask for: something of the user (elicitation), of a model (sampling), or
 * which folders matter (roots). Only the MCP client in front of us can answer; what it cannot do is
 * refused in words that the server can hand on. Types and pure decisions.
 */
import type {
  ClientCapabilities,
  CreateMessageRequest,
  CreateMessageResult,
  CreateMessageResultWithTools,
  ElicitRequest,
  ElicitResult,
  ListRootsResult,
} from "@modelcontextprotocol/client";
import { isSchema, own } from "../shared/json/schema_part.ts";

/** A request of a downstream server. */
export type Question =
  | { method: "elicitation/create"; params: ElicitRequest["params"] }
  | { method: "sampling/createMessage"; params: CreateMessageRequest["params"] }
  | { method: "roots/list" };

/** What the client answered. */
export type Answer =
  | ElicitResult
  | CreateMessageResult
  | CreateMessageResultWithTools
  | ListRootsResult;

/** A question, who asks it, and until when the answer is wanted. */
export interface Asked {
  /** Name of the downstream server. */
  server: string;
  question: Question;
  signal: AbortSignal;
}

/** What a client can be asked for. */
export interface Abilities {
  /** What the client calls itself. */
  client: string;
  form: boolean;
  url: boolean;
  sampling: boolean;
  samplingTools: boolean;
  roots: boolean;
}

/** The client that a call is made for. */
export interface Asker {
  abilities: Abilities;
  /** Asks it. Rejects, with a reason for the server, if there is no answer. */
  ask(asked: Asked): Promise<Answer>;
}

/** Most questions of one server that a run has open at once: a person answers one after another. */
export const MAX_OPEN_QUESTIONS = 8;

/** The abilities where there is no client. */
export const NO_ABILITIES: Abilities = {
  client: "",
  form: false,
  url: false,
  sampling: false,
  samplingTools: false,
  roots: false,
};

/** What we declare to a server that is used for such a client. */
export function toCapabilities(abilities: Abilities): ClientCapabilities {
  const { form, url, sampling, samplingTools, roots } = abilities;
  return {
    ...((form || url) && {
      elicitation: {
        // Fields the answer leaves out get the defaults that the question named.
        ...(form && { form: { applyDefaults: true } }),
        ...(url && { url: {} }),
      },
    }),
    ...(sampling && { sampling: { ...(samplingTools && { tools: {} }) } }),
    ...(roots && { roots: {} }),
  };
}

/** Equal for clients to whom a server is told the same. */
export function profileOf(abilities: Abilities): string {
  return JSON.stringify(toCapabilities(abilities));
}

/** Why a client cannot answer a question; undefined if it can. */
export function findRefusal(
  question: Question,
  abilities: Abilities | undefined,
): string | undefined {
  const { method } = question;
  if (abilities === undefined) return `${cannot(method)}: nobody is there to answer (${method})`;
  const lacks = (what: string) =>
    `${cannot(method)}: the MCP client "${abilities.client}" does not support ${what} (${method})`;
  switch (method) {
    case "elicitation/create":
      if (question.params.mode === "url") return abilities.url ? undefined : lacks("URL questions");
      return abilities.form ? undefined : lacks("elicitation");
    case "sampling/createMessage": {
      const { tools, toolChoice } = question.params;
      if (!abilities.sampling) return lacks("sampling");
      const needsTools = tools !== undefined || toolChoice !== undefined;
      return needsTools && !abilities.samplingTools ? lacks("sampling with tools") : undefined;
    }
    case "roots/list":
      return abilities.roots ? undefined : lacks("roots");
  }
}

/** An accepted answer with the defaults that the question named for what it leaves out. */
export function withDefaults(question: Question, answer: Answer): Answer {
  if (question.method !== "elicitation/create" || question.params.mode === "url") return answer;
  const { action, content } = answer as ElicitResult;
  if (action !== "accept") return answer;
  const properties = Object.entries(question.params.requestedSchema.properties ?? {});
  const defaults = properties.flatMap(([name, schema]) =>
    isSchema(schema) && own(schema, "default") !== undefined ? [[name, schema.default]] : []
  );
  return { ...answer, content: { ...Object.fromEntries(defaults), ...content } };
}

/** Why a question is refused that no call gave rise to. */
export function toUncalledRefusal(method: Question["method"]): string {
  return `${cannot(method)}: no call of this server is going on, so no client is there (${method})`;
}

/** Why a question is refused while others of its server wait for an answer. */
export function toCrowdedRefusal(method: Question["method"]): string {
  const open = `${MAX_OPEN_QUESTIONS} questions of this server are open`;
  return `${cannot(method)}: ${open}, and no more can be`;
}

/** What a server may not do, to be followed by the reason. */
export function cannot(method: Question["method"]): string {
  switch (method) {
    case "elicitation/create":
      return "Cannot ask the user";
    case "sampling/createMessage":
      return "Cannot ask a model";
    case "roots/list":
      return "Cannot list roots";
  }
}
