import { assertEquals, assertRejects } from "@std/assert";
import { type Abilities, askClient, type Asker, Refusal } from "../../../src/questions/asker.ts";
import type { Answer, Question } from "../../../src/questions/question.ts";

const NONE: Omit<Abilities, "client"> = {
  form: false,
  url: false,
  sampling: false,
  samplingTools: false,
  roots: false,
};

const prompt = { messages: [], maxTokens: 1 };
const FORM: Question = { kind: "form", message: "?", schema: {} };

/** A client that can do what is named, and answers by `answer`. */
function asker(abilities: Partial<Abilities>, answer: () => Promise<Answer>): Asker {
  return { abilities: { client: "c", ...NONE, ...abilities }, ask: answer };
}

function ask(by: Asker | undefined, question: Question, server = "s"): Promise<Answer> {
  return askClient(by, { server, question, signal: new AbortController().signal });
}

const roots = () => Promise.resolve({ roots: [] });

Deno.test("askClient() says what a client lacks for each kind of question", async () => {
  const rows: [Question, Partial<Abilities>, string][] = [
    [FORM, { form: true }, "Cannot ask the user: * support elicitation (elicitation/create)"],
    [
      { kind: "url", message: "?", url: "https://example.com/", id: undefined },
      { url: true },
      "Cannot ask the user: * support URL questions (elicitation/create)",
    ],
    [
      { kind: "sampling", prompt },
      { sampling: true },
      "Cannot ask a model: * support sampling (sampling/createMessage)",
    ],
    [{ kind: "roots" }, { roots: true }, "Cannot list roots: * support roots (roots/list)"],
  ];
  for (const [question, able, expected] of rows) {
    const unable = asker({}, roots);
    const { why, message } = await assertRejects(() => ask(unable, question), Refusal);
    assertEquals(why, "unable");
    assertEquals(message, expected.replace("*", 'the MCP client "c" does not'));
    assertEquals(await ask(asker(able, roots), question), { roots: [] });
  }
});

Deno.test("askClient() hands a prompt with tools only to a client that has tools", async () => {
  const question: Question = { kind: "sampling", prompt: { ...prompt, tools: [] } };
  const { message } = await assertRejects(
    () => ask(asker({ sampling: true }, roots), question),
    Refusal,
  );
  assertEquals(
    message,
    'Cannot ask a model: the MCP client "c" does not support sampling with tools (sampling/createMessage)',
  );
  await ask(asker({ sampling: true, samplingTools: true }, roots), question);
});

Deno.test("askClient() refuses where there is no client", async () => {
  const { message } = await assertRejects(() => ask(undefined, { kind: "roots" }), Refusal);
  assertEquals(message, "Cannot list roots: nobody is there to answer (roots/list)");
});

Deno.test("askClient() has at most eight questions of a server open, and room again with an answer", async () => {
  const waiting: ((answer: Answer) => void)[] = [];
  const by = asker({ form: true }, () => new Promise((resolve) => waiting.push(resolve)));
  const open = Array.from({ length: 8 }, () => ask(by, FORM));
  const { why, message } = await assertRejects(() => ask(by, FORM), Refusal);
  assertEquals(why, "crowded");
  assertEquals(
    message,
    "Cannot ask the user: 8 questions of this server are open, and no more can be",
  );
  open.push(ask(by, FORM, "another"));
  waiting[0]!({ action: "decline" });
  await open[0];
  open.push(ask(by, FORM));
  for (const answer of waiting) answer({ action: "cancel" });
  assertEquals((await Promise.all(open)).length, 10);
});

Deno.test("askClient() fills in the defaults of a form that was accepted, and of no other", async () => {
  const schema = { properties: { a: { default: 1 }, b: { default: 2 }, c: {}, d: "odd" } };
  const question: Question = { kind: "form", message: "?", schema };
  const answered = (answer: Answer) =>
    ask(asker({ form: true }, () => Promise.resolve(answer)), question);
  assertEquals(await answered({ action: "accept", content: { a: 5 } }), {
    action: "accept",
    content: { a: 5, b: 2 },
  });
  assertEquals(await answered({ action: "decline" }), { action: "decline" });
});
