/** What a router answers from where a test has things kept. */
import type { RpcDeps } from "../../src/rpc/router.ts";
import { MemoryStore } from "../../src/store/records/memory_store.ts";
import { SavedToolStore } from "../../src/store/records/saved_tool_store.ts";

/** Without a state folder nothing can be kept. */
export function rpcDeps(
  stateDir?: string,
): RpcDeps & Required<Pick<RpcDeps, "memory" | "savedTools">> {
  const [memory, savedTools] = [new MemoryStore(stateDir), new SavedToolStore(stateDir)];
  return {
    memory: () => Promise.resolve(memory),
    savedTools: () => Promise.resolve(savedTools),
  };
}
