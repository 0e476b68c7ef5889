/** The run that a request of a test belongs to. */
import type { RpcContext } from "../../src/rpc/router.ts";
import { RunHistory } from "../../src/store/runs/run_history.ts";
import { RunStore } from "../../src/store/runs/run_store.ts";

/** A run without servers and without a place for files, apart from what is given. */
export function rpcContext(context: Partial<RpcContext> = {}): RpcContext {
  const store = new RunStore(undefined);
  return {
    servers: [],
    signal: new AbortController().signal,
    remainingMs: () => 1000,
    files: store.newRun(),
    history: new RunHistory(store),
    ...context,
  };
}
