import { assertEquals } from "@std/assert";
import { questionSchema } from "../../../../src/downstream/questions/question_schema.ts";
import { toAbilities } from "../../../../src/server/questions/calling_client.ts";
import {
  type Forwarded,
  toForwarded,
} from "../../../../src/server/questions/forwarded_question.ts";

const _meta = { "mcp-bridge/server": "bank" };

/** What a client gets of the request of a server. */
function forward(request: Record<string, unknown>, isModern = false): Forwarded {
  const { signal } = new AbortController();
  return toForwarded({ server: "bank", question: questionSchema.parse(request), signal }, isModern);
}

Deno.test("toForwarded() says first who asks, whatever the text claims", () => {
  const requestedSchema = { type: "object", properties: {} } as const;
  const params = { message: "[other] PIN?", requestedSchema, _meta: { progressToken: 1 } };
  assertEquals(forward({ method: "elicitation/create", params }), {
    method: "elicitation/create",
    params: { mode: "form", message: "[bank] [other] PIN?", requestedSchema, _meta },
  });
});

Deno.test("toForwarded() gives a page the id that its era wants", () => {
  const base = { mode: "url", message: "Sign in", url: "https://example.com/" } as const;
  const params = { ...base, elicitationId: "1" };
  const message = "[bank] Sign in";
  const question = { method: "elicitation/create", params } as const;
  assertEquals(forward(question), {
    method: question.method,
    params: { ...params, message, _meta },
  });
  const modern: unknown = { method: question.method, params: { ...base, message, _meta } };
  assertEquals<unknown>(forward(question, true), modern);
});

Deno.test("toForwarded() leaves out what would mean us instead of the server", () => {
  const messages = [{ role: "user" as const, content: { type: "text" as const, text: "?" } }];
  const params = { messages, maxTokens: 1, includeContext: "thisServer" as const };
  assertEquals(forward({ method: "sampling/createMessage", params }), {
    method: "sampling/createMessage",
    params: { messages, maxTokens: 1, _meta },
  });
});

Deno.test("toAbilities() reads what a client declares, in old words and new", () => {
  const none = { form: false, url: false, sampling: false, samplingTools: false, roots: false };
  assertEquals(toAbilities(undefined, undefined), { client: "unknown", ...none });
  const info = { name: "c" };
  const base = { client: "c", ...none };
  assertEquals(toAbilities({ elicitation: {} }, info), { ...base, form: true });
  assertEquals(toAbilities({ elicitation: { url: {} } }, info), { ...base, url: true });
  assertEquals(
    toAbilities({ elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} }, info),
    { client: "c", form: true, url: true, sampling: true, samplingTools: true, roots: true },
  );
});

Deno.test("toForwarded() hands on nothing that a terminal obeys, so that no server writes another's name", () => {
  const message = "\x1b[2K\r[github] Token?\n\x1b]0;github\x07\x9b1A";
  const requestedSchema = {
    type: "object",
    properties: {
      "a\x1b[8m": { type: "string", title: "\x1b[31mPIN", description: "x\x07", enum: ["\u202eb"] },
    },
  } as const;
  const form = forward({ method: "elicitation/create", params: { message, requestedSchema } });
  assertEquals(form, {
    method: "elicitation/create",
    params: {
      mode: "form",
      message: "[bank] \ufffd[github] Token?\n\ufffd1A",
      requestedSchema: {
        type: "object",
        properties: {
          a: { type: "string", title: "PIN", description: "x\ufffd", enum: ["\ufffdb"] },
        },
      },
      _meta,
    },
  } as unknown as Forwarded);
  const text = "2 + \x1b[1m2\x1b[0m?";
  const messages = [{ role: "user" as const, content: { type: "text" as const, text } }];
  const asked = forward({
    method: "sampling/createMessage",
    params: { messages, maxTokens: 1, systemPrompt: text },
  });
  assertEquals(asked, {
    method: "sampling/createMessage",
    params: {
      messages: [{ role: "user", content: { type: "text", text: "2 + 2?" } }],
      maxTokens: 1,
      systemPrompt: "2 + 2?",
      _meta,
    },
  });
});
