/** Questions that a server of 2026 puts in place of a result: each is asked, and the call made once more. */
import { AppError, describeError } from "../../shared/errors.ts";
import { askClient, type Asker, MAX_OPEN_QUESTIONS } from "../../questions/asker.ts";
import type { Answer } from "../../questions/question.ts";
import { questionSchema } from "./question_schema.ts";

/** Who asks, for whom the call is made, and until when. */
export interface InputContext {
  server: string;
  tool: string;
  asker: Asker | undefined;
  signal: AbortSignal;
}

/**
 * The answers to all questions of one result, asked at the same time.
 *
 * @throws {AppError} if one of them gets none: the protocol has no way to tell the server so.
 */
export async function answerInputs(
  inputRequests: Readonly<Record<string, unknown>>,
  { server, tool, asker, signal }: InputContext,
): Promise<Record<string, Answer>> {
  const count = Object.keys(inputRequests).length;
  if (count > MAX_OPEN_QUESTIONS) {
    const most = `at most ${MAX_OPEN_QUESTIONS} can be asked at once`;
    throw new AppError(`"${server}.${tool}" asks ${count} questions: ${most}`);
  }
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  try {
    const answers = Object.entries(inputRequests).map(async ([key, value]) => {
      const parsed = questionSchema.safeParse(value);
      if (!parsed.success) throw new AppError(`"${key}" is no question of 2026-07-28`);
      const asked = { server, question: parsed.data, signal: either };
      return [key, await askClient(asker, asked)] as const;
    });
    return Object.fromEntries(await Promise.all(answers));
  } catch (error) {
    const reason = describeError(error);
    throw new AppError(`"${server}.${tool}" needs an answer: ${reason}`);
  } finally {
    failed.abort();
  }
}
