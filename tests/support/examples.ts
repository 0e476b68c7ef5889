/** The Python of a document: what a reader would run, and what they are told to expect. */

/** A block of Python. */
export interface Example {
  code: string;
  /** Servers of the run: those of its line `# servers: […]`, or of the example before. */
  servers: readonly string[];
  /** The answer that follows it, as a block of text. */
  answer?: string;
  /** Path of the picture that follows it. */
  picture?: string;
}

const EXAMPLE =
  /^```python\n([\s\S]*?)^```$(?:\s+^```text\n([\s\S]*?)^```$)?(?:\s+!\[[^\]]*\]\(([^)]+)\))?/gm;

/** The examples in their order. */
export function findExamples(text: string): Example[] {
  let servers: readonly string[] = [];
  return [...text.matchAll(EXAMPLE)].map(([, code, answer, picture]): Example => {
    const named = /^# servers: (\[.*\])$/m.exec(code!)?.[1];
    if (named !== undefined) servers = JSON.parse(named);
    return {
      code: code!,
      servers,
      ...(answer !== undefined && { answer: answer.replace(/\n$/, "") }),
      ...(picture !== undefined && { picture }),
    };
  });
}

/** Code in a line of text, without what stands in blocks. */
export function findInlineCode(text: string): string[] {
  const lines = text.replaceAll(/^```[\s\S]*?^```$/gm, "");
  return [...new Set([...lines.matchAll(/`([^`]+)`/g)].map(([, code]) => code!))];
}
