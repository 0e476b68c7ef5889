import { assertEquals, assertRejects } from "@std/assert";
import { CallsInFlight } from "../../../../src/downstream/questions/calls_in_flight.ts";
import type { Abilities, Asker } from "../../../../src/questions/asker.ts";
import type { Answer, Question } from "../../../../src/questions/question.ts";

const ABLE: Abilities = {
  client: "able",
  form: true,
  url: true,
  sampling: true,
  samplingTools: true,
  roots: true,
};

const ELICIT: Question = {
  kind: "form",
  message: "?",
  schema: { type: "object", properties: {} },
};
const ROOTS: Question = { kind: "roots" };

/** A client that answers with its own name. */
function asker(name: string, abilities: Partial<Abilities> = {}): Asker {
  return {
    abilities: { ...ABLE, ...abilities, client: name },
    ask: () => Promise.resolve({ action: "accept", content: { name } }),
  };
}

function ask(calls: CallsInFlight, question: Question = ELICIT) {
  return calls.ask({ server: "s", question, signal: new AbortController().signal });
}

const by = (name: string): Answer => ({ action: "accept", content: { name } });

Deno.test("CallsInFlight asks the client of the only call", async () => {
  const calls = new CallsInFlight();
  calls.enter({ asker: asker("a"), isCall: true });
  assertEquals(await ask(calls), by("a"));
});

Deno.test("CallsInFlight asks the client of the call that was started last", async () => {
  const calls = new CallsInFlight();
  calls.enter({ asker: asker("a"), isCall: true });
  const leave = calls.enter({ asker: asker("b"), isCall: true });
  assertEquals(await ask(calls), by("b"));
  leave();
  assertEquals(await ask(calls), by("a"));
});

Deno.test("CallsInFlight refuses when no call is going on, except for roots at a start", async () => {
  const calls = new CallsInFlight();
  await assertRejects(() => ask(calls), Error, "no call of this server is going on");
  calls.enter({ asker: asker("a"), isCall: false });
  await assertRejects(() => ask(calls), Error, "no call of this server is going on");
  assertEquals(await ask(calls, ROOTS), by("a"));
});

Deno.test("CallsInFlight does not pass a question on to a client that can answer but did not call", async () => {
  const calls = new CallsInFlight();
  calls.enter({ asker: asker("able"), isCall: true });
  calls.enter({ asker: asker("unable", { form: false }), isCall: true });
  await assertRejects(
    () => ask(calls),
    Error,
    'the MCP client "unable" does not support elicitation',
  );
});

Deno.test("CallsInFlight ends a question with the call that it belongs to", async () => {
  const calls = new CallsInFlight();
  const waiting: Asker = {
    abilities: ABLE,
    ask: ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(new Error("over")));
      }),
  };
  const leave = calls.enter({ asker: waiting, isCall: true });
  const asked = ask(calls);
  leave();
  await assertRejects(() => asked, Error, "over");
});
