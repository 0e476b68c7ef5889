/** Reading and writing `tests/fixtures/mistakes/*.md`: a program that is wrong, and the answer to it. */
import type { EngineTarget } from "./engines.ts";

type Kind = EngineTarget["kind"];

/** One mistake. */
export interface Mistake {
  title: string;
  /** Servers of the run. */
  servers: string[];
  /** Runs one after the other; the answer is the one to the last. */
  programs: string[];
  /** The answer by kind of engine. */
  answers: Partial<Record<Kind, string>>;
}

/** A page of them; `intro` is its text up to the first. */
export interface MistakePage {
  intro: string;
  mistakes: Mistake[];
}

const LABELS: Record<Kind, string> = {
  wasm: "Answer of the embedded engine:",
  process: "Answer in a container:",
};

const BLOCK =
  /^(?:(Answer of the embedded engine|Answer in a container|Answer):\n\n)?(~~~|```)(python|text)\n([\s\S]*?)^\2$/gm;

/** From Markdown. */
export function parseMistakes(text: string): MistakePage {
  const [intro, ...sections] = text.split(/^## /m);
  return {
    intro: intro!.trim(),
    mistakes: sections.map((section) => {
      const title = section.slice(0, section.indexOf("\n"));
      const servers = /^Servers: (.+)$/m.exec(section)?.[1]?.split(", ") ?? [];
      const mistake: Mistake = { title, servers, programs: [], answers: {} };
      for (const [, label, , language, content] of section.matchAll(BLOCK)) {
        const text = content!.replace(/\n$/, "");
        if (language === "python") mistake.programs.push(text);
        if (language === "python") continue;
        if (label !== "Answer in a container") mistake.answers.wasm = text;
        if (label !== "Answer of the embedded engine") mistake.answers.process = text;
      }
      return mistake;
    }),
  };
}

/** To Markdown; `parseMistakes` gives the same page back. */
export function formatMistakes({ intro, mistakes }: MistakePage): string {
  const sections = mistakes.map(({ title, servers, programs, answers }) => {
    const { wasm = "", process = "" } = answers;
    const parts = [
      `## ${title}`,
      ...(servers.length > 0 ? [`Servers: ${servers.join(", ")}`] : []),
      ...programs.map((program) => block("python", program)),
      ...(wasm === process
        ? ["Answer:", block("text", wasm)]
        : [LABELS.wasm, block("text", wasm), LABELS.process, block("text", process)]),
    ];
    return parts.join("\n\n");
  });
  return [intro, ...sections].join("\n\n") + "\n";
}

function block(language: string, content: string): string {
  const fence = content.includes("```") ? "~~~" : "```";
  return `${fence}${language}\n${content}\n${fence}`;
}
