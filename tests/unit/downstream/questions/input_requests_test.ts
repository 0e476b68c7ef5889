import { assertEquals, assertRejects } from "@std/assert";
import { answerInputs } from "../../../../src/downstream/questions/input_requests.ts";
import { AppError } from "../../../../src/shared/errors.ts";
import { ableAsker } from "../../../downstream/rig.ts";

Deno.test("answerInputs() asks nothing of a server that asks too much at once", async () => {
  let asked = 0;
  const asker = ableAsker(() => {
    asked++;
    return { roots: [] };
  });
  const context = { server: "s", tool: "t", asker, signal: new AbortController().signal };
  const questions = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`q${at}`, { method: "roots/list" }]),
    );
  const { message } = await assertRejects(() => answerInputs(questions(600), context), AppError);
  assertEquals(message, '"s.t" asks 600 questions: at most 8 can be asked at once');
  assertEquals(asked, 0);
  assertEquals(Object.keys(await answerInputs(questions(8), context)).length, 8);
});
