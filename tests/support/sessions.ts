/** Sessions for tests, on any engine. */
import type { Engine } from "../../src/engine/engine.ts";
import { DEFAULT_POLICY, type SandboxPolicy } from "../../src/engine/policy.ts";
import { createRpcRouter, type RpcRouter } from "../../src/rpc/router.ts";
import { forRun } from "../../src/downstream/for_run.ts";
import type { Runner, RunRequest } from "../../src/session/run_request.ts";
import type { RunResult } from "../../src/session/run_result.ts";
import { Session, type SessionOptions } from "../../src/session/session.ts";
import { RunStore } from "../../src/store/runs/run_store.ts";
import { FakeDownstream } from "./fake_downstream.ts";

/** What a session differs in from the usual one. */
export type TestSessionOptions = Partial<SessionOptions> & {
  policy?: SandboxPolicy;
  rpc?: RpcRouter;
};

/** A session whose runs need no more than code. */
export class TestSession implements AsyncDisposable {
  readonly #session: Session;
  /** Where its runs are kept. */
  readonly runs: RunStore;
  readonly #stateDir: string;

  constructor(
    engine: Engine,
    { rpc = createRpcRouter({}), ...options }: TestSessionOptions = {},
  ) {
    this.#stateDir = Deno.makeTempDirSync({ prefix: "mcp-bridge-test-" });
    this.runs = new RunStore(this.#stateDir);
    this.#session = new Session({
      engine: () => Promise.resolve(engine),
      policy: DEFAULT_POLICY,
      state: "persistent",
      maxOutputChars: 100_000,
      maxTimeoutSeconds: 120,
      maxAskMs: 600_000,
      loadRouter: () => Promise.resolve(rpc),
      forRun: forRun(new FakeDownstream()),
      runs: this.runs,
      ...options,
    });
  }

  /** The session itself, for those who ask it as a server does. */
  get runner(): Runner {
    return this.#session;
  }

  /** Runs code with a time limit of 30 s unless told otherwise. */
  run(code: string, request: Partial<RunRequest> = {}): Promise<RunResult> {
    return this.#session.run({ code, servers: [], timeoutSeconds: 30, ...request });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#session[Symbol.asyncDispose]();
    await Deno.remove(this.#stateDir, { recursive: true });
  }
}
