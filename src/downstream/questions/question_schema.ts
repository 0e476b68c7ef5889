/** The shape of a question, whichever way it came: servers are not trusted to keep to the protocol. */
import { z } from "zod";
import { isTooDeep } from "../nesting.ts";
import type { Question } from "../../questions/question.ts";

/** Enough of a question to hand it on; whoever shows it looks closer. */
export const questionSchema: z.ZodType<Question> = z.discriminatedUnion("method", [
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
])
  // The client gets it as JSON, and nobody could read it.
  .refine((question) => !isTooDeep(question), { path: ["nesting"] }) as unknown as z.ZodType<
    Question
  >;

/** Whether a method is that of a question. */
export function isQuestionMethod(method: string): method is Question["method"] {
  return ["elicitation/create", "sampling/createMessage", "roots/list"].includes(method);
}
