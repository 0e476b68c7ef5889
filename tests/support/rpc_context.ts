/** The run that a request of a test belongs to. */
import type { Downstream } from "../../src/downstream/downstream.ts";
import { RunReach, type RunScope } from "../../src/downstream/for_run.ts";
import type { RpcContext } from "../../src/rpc/router.ts";
import { RunHistory } from "../../src/store/runs/run_history.ts";
import { RunStore } from "../../src/store/runs/run_store.ts";
import { FakeDownstream } from "./fake_downstream.ts";

/** A run without servers and without a place for files, apart from what is given. */
export function rpcContext(context: Partial<RpcContext> = {}): RpcContext {
  const store = new RunStore(undefined);
  return {
    reach: runReach(),
    files: store.newRun(),
    history: new RunHistory(store),
    ...context,
  };
}

/** What a run may reach; names that are not configured pass, as objects of earlier runs may name them. */
export function runReach(
  downstream: Downstream & { names?: readonly string[] } = new FakeDownstream(),
  scope: Partial<RunScope> = {},
): RunReach {
  const { signal } = new AbortController();
  const known = { names: downstream.names ?? [], skipped: downstream.skipped() };
  const whole = { servers: [], signal, remainingMs: () => 1000, ...scope };
  return new RunReach(downstream, whole, [], known);
}
