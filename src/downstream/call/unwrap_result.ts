/** A tool's result → the value that Python gets. Pure; the rules are the same on every engine. */
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/client";
import { findMember, members, type Span } from "../../shared/json/json_span.ts";
import { JsonText } from "../../shared/json/json_text.ts";
import { BYTES, isWrapperSchema } from "../../languages/result_schema.ts";
import type { CallOutcome, ContentItem } from "../downstream.ts";
import { isTooDeep } from "../nesting.ts";

/** A result as the SDK read it and as it came. */
export interface ReadResult {
  result: CallToolResult;
  readonly text: JsonText;
  /** The only text in it, if it is long. */
  longText?: JsonText;
}

/** Says what a call gave, by what the tool promised in `outputSchema`. */
export function unwrapResult(
  read: ReadResult,
  outputSchema: Record<string, unknown> | undefined,
): CallOutcome {
  const { result, longText } = read;
  if (longText !== undefined) return toLongOutcome(longText, outputSchema);
  if (result.isError) {
    return { kind: "failed", message: toErrorText(read), result: read.text };
  }
  if (result.structuredContent !== undefined && !saysBytesAgain(read)) {
    return { kind: "value", value: openWrapper(structuredText(read), outputSchema) };
  }
  const content = (result.content ?? []).map(toItem);
  const [only] = content;
  if (only === undefined) return { kind: "value", value: JsonText.of(null) };
  if (content.length === 1 && only.type === "text") {
    // Servers send JSON as text, and code wants the data.
    const mayBeJson = outputSchema === undefined && /^\s*[[{]/.test(only.text);
    return { kind: "text", text: only.text, mayBeJson };
  }
  return { kind: "content", content };
}

function toLongOutcome(
  text: JsonText,
  outputSchema: Record<string, unknown> | undefined,
): CallOutcome {
  const mayBeJson = outputSchema === undefined && /^"(?:\s|\\[nrtf])*[[{]/.test(text.text);
  return mayBeJson
    ? { kind: "text", text: text.parse() as string, mayBeJson }
    : { kind: "value", value: text };
}

/** Whether structured content is `{"content": …}` and nothing but the content itself, which has bytes in it. */
function saysBytesAgain({ result, text: { text } }: ReadResult): boolean {
  if (!result.content?.some(({ type }) => BYTES.has(type))) return false;
  const content = findMember(text, "content");
  const structured = findMember(text, "structuredContent");
  if (content === undefined || structured === undefined) return false;
  const inner = [...members(text, structured.start)];
  const said = text.slice(content.start, content.end);
  return inner.length > 0 &&
    inner.every(({ name, start, end }) => name === "content" && text.slice(start, end) === said);
}

function structuredText({ result, text: { text } }: ReadResult): JsonText {
  const span = findMember(text, "structuredContent");
  return span === undefined
    ? JsonText.of(result.structuredContent)
    : new JsonText(text.slice(span.start, span.end));
}

/** `{"result": x}` → `x`, where the schema says that this is all there is. */
function openWrapper(
  value: JsonText,
  outputSchema: Record<string, unknown> | undefined,
): JsonText {
  if (!isWrapperSchema(outputSchema)) return value;
  let inner: Span | undefined;
  for (const member of members(value.text)) {
    if (member.name !== "result") return value;
    inner = member;
  }
  return inner === undefined ? value : new JsonText(value.text.slice(inner.start, inner.end));
}

/** A piece of what a server sends, as Python gets it; one of a kind or form that is not known is its JSON. */
export function toItem(item: ContentBlock): ContentItem {
  return toKnownItem(item) ?? {
    type: "text",
    text: isTooDeep(item) ? "[nested too deep to be shown]" : JSON.stringify(item),
  };
}

/** Prompts and resources are not checked before, so that one odd piece does not cost the others. */
function toKnownItem(item: ContentBlock): ContentItem | undefined {
  switch (item.type) {
    case "text":
      return isText(item.text) ? { type: "text", text: item.text } : undefined;
    case "image":
    case "audio":
      if (!isText(item.mimeType) || !isText(item.data)) return undefined;
      return { type: "blob", mime_type: item.mimeType, data: item.data };
    case "resource_link":
      if (!isText(item.uri) || !isText(item.name)) return undefined;
      return { type: "link", uri: item.uri, name: item.name };
    case "resource": {
      const resource: unknown = item.resource;
      if (!isObject(resource)) return undefined;
      if (isText(resource.text)) return { type: "text", text: resource.text };
      const { mimeType = "application/octet-stream", blob, uri } = resource;
      if (!isText(blob) || !isText(mimeType)) return undefined;
      return { type: "blob", mime_type: mimeType, data: blob, ...(isText(uri) && { uri }) };
    }
    default:
      // A kind that is newer than we are.
      return undefined;
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function toErrorText(read: ReadResult): string {
  const { content, structuredContent } = read.result;
  const texts = (content ?? []).map(toItem).flatMap((item) =>
    item.type === "text" ? item.text : []
  );
  const text = texts.join("\n").trim();
  if (text !== "") return text;
  if (structuredContent !== undefined) return structuredText(read).text;
  return "The tool failed and did not say why";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
