/** What a router answers from where a test has things kept. */
import type { Downstream } from "../../src/downstream/downstream.ts";
import type { RpcDeps } from "../../src/rpc/router.ts";
import { MemoryStore } from "../../src/store/records/memory_store.ts";
import { SavedToolStore } from "../../src/store/records/saved_tool_store.ts";
import { FakeDownstream } from "./fake_downstream.ts";

/** Without a state folder nothing can be kept. */
export function rpcDeps(
  downstream: Downstream = new FakeDownstream(),
  stateDir?: string,
): RpcDeps & Required<Pick<RpcDeps, "memory" | "savedTools">> {
  const [memory, savedTools] = [new MemoryStore(stateDir), new SavedToolStore(stateDir)];
  return {
    downstream,
    memory: () => Promise.resolve(memory),
    savedTools: () => Promise.resolve(savedTools),
  };
}
