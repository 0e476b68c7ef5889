/** A server's tools → Python stubs: types, signatures and docs as text for a model. Pure; bounded in length. */
import {
  describeParameters,
  type Parameters,
  toParameters,
  writeParameters,
} from "./parameters.ts";
import { PythonTypes } from "./python_type.ts";
import { type SignedTool, toResult, toSignature } from "./signature.ts";
import { toDocstring, toOneLine } from "./source_text.ts";
import { toTypeName, TypedDicts } from "./typed_dicts.ts";

/** A tool and what its server says of it. */
export type StubTool = SignedTool & { description: string };

/** Longest text for one server. */
const MAX_CHARS = 100_000;

/** How deep objects are spelled out. */
const DEPTH = 5;

const MAX_SUMMARY_CHARS = 300;

/** Longest line of a function before it is written plainer. */
const MAX_LINE_CHARS = 2000;

const OBSERVED = "# observed, not promised";

/** Python of all tools; a server with very many gets signatures alone, then a note on what is left out. */
export function toStubs(
  server: { name: string; alias: string },
  tools: readonly StubTool[],
): string {
  const names = tools.map(({ alias }) => alias);
  const full = join(tools, withDocs(new TypedDicts(names)));
  const { blocks, left } = full.left === 0 ? full : join(tools, toLine);
  const more = left === 0 ? [] : [
    `# and ${left} more tools: runtime.stubs(${JSON.stringify(server.name)}, "tool") shows one, ` +
    `runtime.search_tool_docs("words") finds them`,
  ];
  const text = [...blocks, ...more].join("\n");
  return [
    `# ${toOneLine(server.name, 80)}: await mcp_${server.alias}.<tool>(...)`,
    ...(tools.length === 0 ? ["# It has no tools"] : []),
    ...(/, \.\.\.\]/.test(text)
      ? ['# Literal[..., ...] has more values: see query_tool_docs(server, tool, detail="full")']
      : []),
    text,
  ].join("\n").trimEnd() + "\n";
}

/** Blocks of as many tools as there is room for. */
function join(
  tools: readonly StubTool[],
  write: (tool: StubTool) => string,
): { blocks: string[]; left: number } {
  const blocks: string[] = [];
  let room = MAX_CHARS;
  for (const tool of tools) {
    const block = write(tool);
    room -= block.length + 1;
    if (room < 0) break;
    blocks.push(block);
  }
  return { blocks, left: tools.length - blocks.length };
}

function toLine(tool: StubTool): string {
  return `async def ${toSignature(tool)}: ...${tool.observed ? `  ${OBSERVED}` : ""}`;
}

function withDocs(dicts: TypedDicts): (tool: StubTool) => string {
  return (tool) => {
    const { alias, inputSchema } = tool;
    const types = new PythonTypes(inputSchema, dicts);
    const parameters = toParameters(inputSchema, types, { depth: DEPTH, alias });
    const written = writeParameters(parameters, (others) => {
      const name = dicts.open([toTypeName(`${alias} arguments`)]);
      const fields = others.map(({ name: key, type, isRequired, description: note }) => ({
        key,
        type,
        isRequired,
        note,
      }));
      return dicts.close(name, fields, 0);
    });
    const names = [toTypeName(`${alias} result`)];
    const { type: result } = toResult(tool, { depth: DEPTH, names, dicts });
    const definitions = dicts.take();
    const line = `async def ${alias}(${written.join(", ")}) -> ${result}:`;
    if (line.length > MAX_LINE_CHARS) return toLine(tool);
    const doc = toDocstring(toNotes(tool, parameters));
    const end = tool.observed ? `  ${OBSERVED}` : "";
    return [...definitions, ...(doc.length > 0 ? [line + end, ...doc] : [`${line} ...${end}`])]
      .join("\n");
  };
}

/** Lines of a docstring: what the tool does, then its parameters. */
function toNotes({ description }: StubTool, { all }: Parameters): string[] {
  const [paragraph = ""] = description.slice(0, 4 * MAX_SUMMARY_CHARS).trim().split(/\n\s*\n/);
  const summary = toOneLine(paragraph, MAX_SUMMARY_CHARS);
  return [...(summary === "" ? [] : [summary]), ...describeParameters(all)];
}
