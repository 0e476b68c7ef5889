/** Output schemas that describe a packing, of which a program sees only what is in it. Pure. */

/** Kinds of content that are bytes, or may be. */
export const BYTES: ReadonlySet<unknown> = new Set(["image", "audio", "resource"]);

/** Whether a schema is that of structured content that says content with bytes again. */
export function isContentSchema(schema: Record<string, unknown> | undefined): boolean {
  const properties = schema?.["properties"];
  if (!isObject(properties) || Object.keys(properties).join() !== "content") return false;
  const { content } = properties;
  const items = isObject(content) ? content["items"] : undefined;
  const choices = isObject(items) && Array.isArray(items["anyOf"]) ? items["anyOf"] : [items];
  return choices.some((choice) => {
    const named = isObject(choice) && isObject(choice["properties"]) ? choice["properties"] : {};
    const type = isObject(named["type"]) ? named["type"] : {};
    const kinds = Array.isArray(type["enum"]) ? type["enum"] : [type["const"]];
    return kinds.some((kind) => BYTES.has(kind));
  });
}

/** Whether a schema is that of a lone `result`, as servers declare it for values that are no objects. */
export function isWrapperSchema(schema: Record<string, unknown> | undefined): boolean {
  if (schema === undefined || !isObject(schema["properties"])) return false;
  const keys = Object.keys(schema["properties"]);
  return keys.length === 1 && keys[0] === "result";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
