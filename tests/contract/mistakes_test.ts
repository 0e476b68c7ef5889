/**
 * What a model reads after a typical mistake, word for word, on the engines with the newest Python.
 * `deno test -A tests/contract/mistakes_test.ts -- --update` writes the answers of this machine's engines
 * into the pages; read them aloud before you commit them.
 */
import { assert, assertEquals } from "@std/assert";
import { toCompactResult } from "../../src/server/answer/tool_result.ts";
import { targets } from "../support/engines.ts";
import { formatMistakes, type Mistake, parseMistakes } from "../support/mistakes.ts";
import { programSessionOptions } from "../support/program_servers.ts";
import type { TestSession } from "../support/sessions.ts";
import { engineCase } from "./case.ts";

const folder = new URL("../fixtures/mistakes/", import.meta.url);
const update = Deno.args.includes("--update");

const pages = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name).sort();

for (const target of targets) {
  // The words of Python itself differ from version to version.
  if ("python" in target && target.python !== "3.14") continue;
  for (const name of pages) {
    engineCase(target, `mistakes: ${name}`, async ({ session }) => {
      const url = new URL(name, folder);
      const page = parseMistakes(await Deno.readTextFile(url));
      for (const mistake of page.mistakes) {
        const answer = await answerTo(session, mistake);
        if (update) mistake.answers[target.kind] = answer;
        else assertEquals(answer, mistake.answers[target.kind], `${name}: ${mistake.title}`);
      }
      if (update) await Deno.writeTextFile(url, formatMistakes(page));
    }, programSessionOptions());
  }
}

/** Run numbers are shown as 1: a page stays the same when a mistake is added to it. */
async function answerTo(session: TestSession, { servers, programs }: Mistake): Promise<string> {
  let text = "";
  for (const code of programs) {
    const result = toCompactResult(await session.run(code, { servers, timeoutSeconds: 10 }));
    const [first] = result.content;
    assert(first?.type === "text");
    text = first.text.replaceAll(/<run-\d+>/g, "<run-1>");
  }
  return text;
}

Deno.test("mistakes: there are at least 60, each with its answers", async () => {
  const all = await Promise.all(pages.map((name) => Deno.readTextFile(new URL(name, folder))));
  const mistakes = all.flatMap((text) => parseMistakes(text).mistakes);
  assert(mistakes.length >= 60, `Only ${mistakes.length}`);
  assertEquals(new Set(mistakes.map(({ title }) => title)).size, mistakes.length);
  for (const { title, programs, answers } of mistakes) {
    assert(programs.length > 0 && answers.wasm && answers.process, `${title} is not complete`);
  }
});

Deno.test("mistakes: pages are written as they are read", async () => {
  for (const name of pages) {
    const text = await Deno.readTextFile(new URL(name, folder));
    assertEquals(formatMistakes(parseMistakes(text)), text, name);
  }
});
