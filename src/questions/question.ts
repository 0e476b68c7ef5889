/**
 * What can be asked of whoever is in front of us, and what an answer is. In words of our own: adapters turn a
 * server's requests into these, and these into requests to a client. Pure.
 */
import { isSchema, own } from "../shared/json/schema_part.ts";

/** Fields that the user is to fill in. */
export interface FormQuestion {
  kind: "form";
  message: string;
  /** A JSON Schema of the fields; nobody has checked that it is one. */
  schema: Readonly<Record<string, unknown>>;
}

/** A page that the user is to visit. */
export interface UrlQuestion {
  kind: "url";
  message: string;
  url: string;
  /** The asking server's own name for it. */
  id: string | undefined;
}

/** Something for a model to go on with. */
export interface SamplingQuestion {
  kind: "sampling";
  prompt: Prompt;
}

/** A server's prompt: handed on whole, whatever else is in it. */
export interface Prompt {
  messages: object[];
  maxTokens: number;
  tools?: unknown;
  toolChoice?: unknown;
  [member: string]: unknown;
}

/** Which folders matter. */
export interface RootsQuestion {
  kind: "roots";
}

/** All that can be asked; a new kind is a compile error wherever something has to be said of it. */
export type Question = FormQuestion | UrlQuestion | SamplingQuestion | RootsQuestion;

/** What the user did with a form or a page. */
export interface UserAnswer {
  action: "accept" | "decline" | "cancel";
  /** The fields of a form that was accepted. */
  content?: Readonly<Record<string, unknown>> | undefined;
}

/** What a model said. */
export interface ModelAnswer {
  role: "user" | "assistant";
  content: object;
  model: string;
}

/** The folders. */
export interface RootsAnswer {
  roots: readonly { uri: string; name?: string | undefined }[];
}

/** An answer, to the kind of question that it fits; what else is in it is for whoever asked. */
export type Answer = UserAnswer | ModelAnswer | RootsAnswer;

/** A question, who asks it, and until when the answer is wanted. */
export interface Asked {
  /** Name of the downstream server. */
  server: string;
  question: Question;
  signal: AbortSignal;
}

/** Longest part of a message in a description. */
const MAX_CHARS = 200;

/** Who asks what, in words. */
export function describeAsked({ server, question }: Asked): string {
  switch (question.kind) {
    case "form":
    case "url":
      return `${server} asks the user: ${question.message.slice(0, MAX_CHARS)}`;
    case "sampling":
      return `${server} asks a model`;
    case "roots":
      return `${server} asks for the roots`;
  }
}

/** What cannot be done where a question gets no answer, to be followed by the reason. */
export function cannot({ kind }: Question): string {
  switch (kind) {
    case "form":
    case "url":
      return "Cannot ask the user";
    case "sampling":
      return "Cannot ask a model";
    case "roots":
      return "Cannot list roots";
  }
}

/** An accepted answer with the defaults that the question named for what it leaves out. */
export function withDefaults(question: Question, answer: Answer): Answer {
  if (question.kind !== "form" || !("action" in answer) || answer.action !== "accept") {
    return answer;
  }
  const properties = Object.entries(question.schema["properties"] ?? {});
  const defaults = properties.flatMap(([name, schema]) =>
    isSchema(schema) && own(schema, "default") !== undefined ? [[name, schema["default"]]] : []
  );
  return { ...answer, content: { ...Object.fromEntries(defaults), ...answer.content } };
}
