/** A tool's result → the value that Python gets. Pure; the rules are the same on every engine. */
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/client";
import type { CallOutcome, ContentItem } from "./downstream.ts";

/** Says what a call gave, by what the tool promised in `outputSchema`. */
export function unwrapResult(
  result: CallToolResult,
  outputSchema: Record<string, unknown> | undefined,
): CallOutcome {
  if (result.isError) return { kind: "failed", message: toErrorText(result), result };
  if (result.structuredContent !== undefined) {
    return { kind: "value", value: openWrapper(result.structuredContent, outputSchema) };
  }
  const content = (result.content ?? []).map(toItem);
  const [only] = content;
  if (only === undefined) return { kind: "value", value: null };
  if (content.length === 1 && only.type === "text") {
    return { kind: "value", value: outputSchema ? only.text : parseIfJson(only.text) };
  }
  return { kind: "content", content };
}

/** `{"result": x}` → `x`, where the schema says that this is all there is. */
function openWrapper(value: unknown, outputSchema: Record<string, unknown> | undefined): unknown {
  if (!isWrapperSchema(outputSchema) || !isObject(value)) return value;
  const keys = Object.keys(value);
  return keys.length === 1 && keys[0] === "result" ? value["result"] : value;
}

/** Whether a schema is that of a lone `result`, as servers declare it for values that are no objects. */
export function isWrapperSchema(schema: Record<string, unknown> | undefined): boolean {
  if (schema === undefined || !isObject(schema["properties"])) return false;
  const keys = Object.keys(schema["properties"]);
  return keys.length === 1 && keys[0] === "result";
}

/** Servers send JSON as text, and code wants the data. */
function parseIfJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function toItem(item: ContentBlock): ContentItem {
  switch (item.type) {
    case "text":
      return { type: "text", text: item.text };
    case "image":
    case "audio":
      return { type: "blob", mime_type: item.mimeType, data: item.data };
    case "resource_link":
      return { type: "link", uri: item.uri, name: item.name };
    case "resource": {
      const { resource } = item;
      if ("text" in resource) return { type: "text", text: resource.text };
      const mimeType = resource.mimeType ?? "application/octet-stream";
      return { type: "blob", mime_type: mimeType, data: resource.blob, uri: resource.uri };
    }
    default:
      // A kind that is newer than we are.
      return { type: "text", text: JSON.stringify(item) };
  }
}

function toErrorText({ content, structuredContent }: CallToolResult): string {
  const texts = (content ?? []).map(toItem).flatMap((item) =>
    item.type === "text" ? item.text : []
  );
  const text = texts.join("\n").trim();
  if (text !== "") return text;
  if (structuredContent !== undefined) return JSON.stringify(structuredContent);
  return "The tool failed and did not say why";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
