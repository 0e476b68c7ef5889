/**
 * Requests about memories and saved tools. Values and metadata come and go as JSON text: read as
 * JavaScript's numbers, large integers would change on the way.
 */
import { z } from "zod";
import { AppError } from "../shared/errors.ts";
import type { RecordHeader, StoredRecord } from "../store/records/record_file.ts";
import type { RpcHandler } from "./router.ts";

/** JSON text that can be kept as it is. */
const json = z.string().refine(isJson, "must be JSON text");
const key = z.string();
const keyPayload = z.looseObject({ key });
const savePayload = z.looseObject({ key, value: json, metadata: json.optional() });
const updatePayload = z.looseObject({ key, value: json, version: z.string().nullable() });
const namePayload = z.looseObject({ name: z.string() });
const toolPayload = z.looseObject({
  name: z.string().regex(/^[\p{ID_Start}][\p{ID_Continue}]*$/u, "must be an identifier"),
  signature: z.string().max(4000),
  description: z.string().max(4000),
  source: z.string(),
});

/** Handlers by the type of the request. */
export const memoryHandlers: Readonly<Record<string, RpcHandler>> = {
  async save_memory(payload, _context, { memory }) {
    const { key, value, metadata } = savePayload.parse(payload);
    return { success: true, info: toInfo(await (await needed(memory)).put(key, value, metadata)) };
  },

  async load_memory(payload, _context, { memory }) {
    const { key } = keyPayload.parse(payload);
    return { success: true, record: toVersion(await (await needed(memory)).get(key)) };
  },

  async update_memory(payload, _context, { memory }) {
    const { key, value, version } = updatePayload.parse(payload);
    const outcome = await (await needed(memory)).swap(key, value, version);
    if (outcome.saved !== undefined) return { success: true, saved: true };
    return { success: true, saved: false, record: toVersion(outcome.current) };
  },

  async delete_memory(payload, _context, { memory }) {
    const { key } = keyPayload.parse(payload);
    return { success: true, deleted: await (await needed(memory)).delete(key) };
  },

  async list_memories(_payload, _context, { memory }) {
    const records = await (await needed(memory)).list();
    const memories = records.map((record) =>
      record.error === undefined ? toInfo(record) : { ...record, key: record.key ?? null }
    );
    return { success: true, memories };
  },

  async get_memory_info(payload, _context, { memory }) {
    const { key } = keyPayload.parse(payload);
    const header = await (await needed(memory)).info(key);
    return { success: true, info: header === undefined ? null : toInfo(header) };
  },

  async save_tool(payload, _context, { savedTools }) {
    const { name, signature, description, source } = toolPayload.parse(payload);
    await (await needed(savedTools)).save(name, { signature, description, source });
    return { success: true };
  },

  async list_saved_tools(_payload, _context, { savedTools }) {
    const tools = (await (await needed(savedTools)).load()).map((tool) =>
      tool.error !== undefined ? tool : {
        name: tool.name,
        signature: tool.signature,
        description: tool.description,
        updated_at: tool.updated,
      }
    );
    return { success: true, tools };
  },

  async delete_saved_tool(payload, _context, { savedTools }) {
    const { name } = namePayload.parse(payload);
    return { success: true, deleted: await (await needed(savedTools)).delete(name) };
  },
};

async function needed<T>(store: (() => Promise<T>) | undefined): Promise<T> {
  if (store !== undefined) return await store();
  throw new AppError("state_folder", "No state folder is known", {
    hint: "Set MCP_BRIDGE_STATE_DIR",
  });
}

function toInfo({ key, bytes, created, updated, metadata }: RecordHeader) {
  return { key, bytes, created, updated, ...(metadata !== undefined && { metadata }) };
}

function toVersion(record: StoredRecord | undefined) {
  return record === undefined ? null : { value: record.text, version: record.version };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return text.isWellFormed();
  } catch {
    return false;
  }
}
