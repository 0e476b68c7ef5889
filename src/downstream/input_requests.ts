/** Questions that a server of 2026 puts in place of a result: each is asked, and the call made once more. */
import { z } from "zod";
import { AppError, describeError } from "../shared/errors.ts";
import { askClient } from "./calls_in_flight.ts";
import type { Answer, Asker, Question } from "./question.ts";

/** Who asks, for whom the call is made, and until when. */
export interface InputContext {
  server: string;
  tool: string;
  asker: Asker | undefined;
  signal: AbortSignal;
}

/** Enough of a question to hand it on; whoever shows it looks closer. */
const questionSchema: z.ZodType<Question> = z.discriminatedUnion("method", [
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
]) as unknown as z.ZodType<Question>;

/**
 * The answers to all questions of one result, asked at the same time.
 *
 * @throws {AppError} if one of them gets none: the protocol has no way to tell the server so.
 */
export async function answerInputs(
  inputRequests: Readonly<Record<string, unknown>>,
  { server, tool, asker, signal }: InputContext,
): Promise<Record<string, Answer>> {
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  try {
    const answers = Object.entries(inputRequests).map(async ([key, value]) => {
      const parsed = questionSchema.safeParse(value);
      if (!parsed.success) throw new AppError("tool_asks", `"${key}" is no question of 2026-07-28`);
      const asked = { server, question: parsed.data, signal: either };
      return [key, await askClient(asker, asked)] as const;
    });
    return Object.fromEntries(await Promise.all(answers));
  } catch (error) {
    const reason = describeError(error);
    throw new AppError("tool_asks", `"${server}.${tool}" needs an answer: ${reason}`);
  } finally {
    failed.abort();
  }
}
