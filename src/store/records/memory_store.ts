/** What programs ask to remember: JSON by key, in `memory/` of the state folder. */
import { RecordStore } from "./record_store.ts";

/** A store of memories. */
export class MemoryStore extends RecordStore {
  constructor(stateDir: string | undefined) {
    super(stateDir, {
      folder: "memory",
      noun: "memory",
      plural: "memories",
      remove: "delete_memory",
      limits: {
        keyBytes: 1024,
        textBytes: 8 * 1024 * 1024,
        metadataBytes: 16 * 1024,
        records: 10_000,
        totalBytes: 256 * 1024 * 1024,
      },
    });
  }
}
