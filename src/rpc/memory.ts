/**
 * Requests about memories and saved tools. Values and metadata come and go as JSON text: read as
 * JavaScript's numbers, large integers would change on the way.
 */
import { AppError } from "../shared/errors.ts";
import type { RecordHeader, StoredRecord } from "../store/records/record_file.ts";
import type { RpcHandlers } from "./router.ts";

/** Handlers by the type of the request. */
export const memoryHandlers = {
  async save_memory({ key, value, metadata }, _context, { memory }) {
    return { success: true, info: toInfo(await (await needed(memory)).put(key, value, metadata)) };
  },

  async load_memory({ key }, _context, { memory }) {
    return { success: true, record: toVersion(await (await needed(memory)).get(key)) };
  },

  async update_memory({ key, value, version }, _context, { memory }) {
    const outcome = await (await needed(memory)).swap(key, value, version);
    if (outcome.saved !== undefined) return { success: true, saved: true };
    return { success: true, saved: false, record: toVersion(outcome.current) };
  },

  async delete_memory({ key }, _context, { memory }) {
    return { success: true, deleted: await (await needed(memory)).delete(key) };
  },

  async list_memories(_request, _context, { memory }) {
    const records = await (await needed(memory)).list();
    const memories = records.map((record) =>
      record.error === undefined ? toInfo(record) : { ...record, key: record.key ?? null }
    );
    return { success: true, memories };
  },

  async get_memory_info({ key }, _context, { memory }) {
    const header = await (await needed(memory)).info(key);
    return { success: true, info: header === undefined ? null : toInfo(header) };
  },

  async save_tool({ name, signature, description, source }, _context, { savedTools }) {
    await (await needed(savedTools)).save(name, { signature, description, source });
    return { success: true };
  },

  async list_saved_tools(_request, _context, { savedTools }) {
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

  async delete_saved_tool({ name }, _context, { savedTools }) {
    return { success: true, deleted: await (await needed(savedTools)).delete(name) };
  },
} satisfies Partial<RpcHandlers>;

async function needed<T>(store: (() => Promise<T>) | undefined): Promise<T> {
  if (store !== undefined) return await store();
  throw new AppError("No state folder is known", {
    hint: "Set MCP_BRIDGE_STATE_DIR",
  });
}

function toInfo({ key, bytes, created, updated, metadata }: RecordHeader) {
  return { key, bytes, created, updated, ...(metadata !== undefined && { metadata }) };
}

function toVersion(record: StoredRecord | undefined) {
  return record === undefined ? null : { value: record.text, version: record.version };
}
