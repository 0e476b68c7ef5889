/** A server's request as a question, whichever way it came: servers are not trusted to keep to the protocol. */
import { z } from "zod";
import type { Question } from "../../questions/question.ts";
import { isTooDeep } from "../nesting.ts";

/** Enough of a question to hand it on; whoever shows it looks closer. */
const requestSchema = z.discriminatedUnion("method", [
  z.object({
    method: z.literal("elicitation/create"),
    params: z.union([
      z.looseObject({ mode: z.literal("url"), message: z.string(), url: z.string() }),
      z.looseObject({
        mode: z.literal("form").optional(),
        message: z.string(),
        requestedSchema: z.looseObject({}),
      }),
    ]),
  }),
  z.object({
    method: z.literal("sampling/createMessage"),
    params: z.looseObject({ messages: z.array(z.looseObject({})), maxTokens: z.number() }),
  }),
  z.object({ method: z.literal("roots/list") }),
]);

/** Reads the request of a server that asks something. */
export const questionSchema: z.ZodType<Question> = requestSchema
  // The client gets it as JSON, and nobody could read it.
  .refine((request) => !isTooDeep(request), { path: ["nesting"] })
  .transform(toQuestion);

function toQuestion(request: z.infer<typeof requestSchema>): Question {
  switch (request.method) {
    case "elicitation/create": {
      const { params } = request;
      const { message } = params;
      if (params.mode !== "url") return { kind: "form", message, schema: params.requestedSchema };
      const id = params["elicitationId"] as string | undefined;
      return { kind: "url", message, url: params.url, id };
    }
    case "sampling/createMessage":
      return { kind: "sampling", prompt: request.params };
    case "roots/list":
      return { kind: "roots" };
  }
}

/** Whether a method is that of a question. */
export function isQuestionMethod(method: string): boolean {
  return ["elicitation/create", "sampling/createMessage", "roots/list"].includes(method);
}
