/** Who can answer: what the client of a run can be asked for, and asking it within that and no more. */
import { AppError } from "../shared/errors.ts";
import { type Answer, type Asked, cannot, type Question, withDefaults } from "./question.ts";

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

/** Asks the client of a run. */
export interface Asker {
  abilities: Abilities;
  /** Rejects, with a reason for the server, if there is no answer. */
  ask(asked: Asked): Promise<Answer>;
}

/** The abilities where there is no client. */
export const NO_ABILITIES: Abilities = {
  client: "",
  form: false,
  url: false,
  sampling: false,
  samplingTools: false,
  roots: false,
};

/** Most questions of one server that a run has open at once: a person answers one after another. */
export const MAX_OPEN_QUESTIONS = 8;

/** A question that nobody was asked: nobody can answer it, or too many others are open. */
export class Refusal extends AppError {
  readonly why: "unable" | "crowded";

  constructor(why: Refusal["why"], message: string) {
    super(message);
    this.why = why;
  }
}

/**
 * Asks a client, unless it cannot answer.
 *
 * @throws {Refusal} if it cannot.
 */
export async function askClient(asker: Asker | undefined, asked: Asked): Promise<Answer> {
  const { server, question } = asked;
  const because = (why: Refusal["why"], reason: string) =>
    new Refusal(why, `${cannot(question)}: ${reason}`);
  const name = nameOf(question);
  if (asker === undefined) throw because("unable", `nobody is there to answer (${name})`);
  const lack = findLack(question, asker.abilities);
  if (lack !== undefined) {
    const { client } = asker.abilities;
    throw because("unable", `the MCP client "${client}" does not support ${lack} (${name})`);
  }
  const open = openQuestions.get(asker) ?? new Map<string, number>();
  openQuestions.set(asker, open);
  const count = open.get(server) ?? 0;
  if (count >= MAX_OPEN_QUESTIONS) {
    const full = `${MAX_OPEN_QUESTIONS} questions of this server are open, and no more can be`;
    throw because("crowded", full);
  }
  open.set(server, count + 1);
  try {
    return withDefaults(question, await asker.ask(asked));
  } finally {
    open.set(server, open.get(server)! - 1);
  }
}

/** The refusal of a question that no call gave rise to. */
export function toUncalledRefusal(question: Question): Refusal {
  const reason = "no call of this server is going on, so no client is there";
  return new Refusal("unable", `${cannot(question)}: ${reason} (${nameOf(question)})`);
}

/** Those of each run, by server. */
const openQuestions = new WeakMap<Asker, Map<string, number>>();

/** What a client would have to support for a question, and does not. */
function findLack(question: Question, abilities: Abilities): string | undefined {
  switch (question.kind) {
    case "form":
      return abilities.form ? undefined : "elicitation";
    case "url":
      return abilities.url ? undefined : "URL questions";
    case "sampling": {
      const { tools, toolChoice } = question.prompt;
      if (!abilities.sampling) return "sampling";
      const needsTools = tools !== undefined || toolChoice !== undefined;
      return needsTools && !abilities.samplingTools ? "sampling with tools" : undefined;
    }
    case "roots":
      return abilities.roots ? undefined : "roots";
  }
}

/** The name that people find in the documentation of a client or a server. */
function nameOf({ kind }: Question): string {
  switch (kind) {
    case "form":
    case "url":
      return "elicitation/create";
    case "sampling":
      return "sampling/createMessage";
    case "roots":
      return "roots/list";
  }
}
