/** The tool `run_python`: how it is advertised, and the few steps from a call to its answer. */
import { parseRunPythonInput, type TimeoutLimits } from "./run_python_input.ts";
import type {
  McpServer,
  ServerContext,
  StandardSchemaWithJSON,
} from "@modelcontextprotocol/server";
import { createResultFormatter, fitToClient } from "../answer/tool_result.ts";
import { createLegacyAsker, findClient, isAbleToAnswer } from "../questions/calling_client.ts";
import { Conversation } from "../questions/conversation.ts";
import { carryOn, resume } from "../questions/modern_call.ts";
import type { ParkedRuns } from "../questions/parked_runs.ts";
import type { Config } from "../../config/schema.ts";
import type { Runner, RunProgress, RunRequest } from "../../session/run_request.ts";
import { failedRun, type RunResult } from "../../session/run_result.ts";

/** What the tool needs. */
export interface RunPythonDeps {
  runner: Runner;
  /** Names the session that `runner` is: what it has parked is its alone. */
  session: string;
  /** Runs whose client has been asked something. */
  parked: ParkedRuns;
  config: Pick<
    Config,
    | "timeoutSeconds"
    | "maxTimeoutSeconds"
    | "outputMode"
    | "structured"
    | "maxOutputChars"
    | "askTimeoutSeconds"
  >;
}

const DESCRIPTION =
  "Run Python in a sandbox without network or host files. Variables, imports and " +
  "functions stay between calls. To use MCP servers, name them in `servers` and call " +
  "`await mcp_<alias>.<tool>(key=value)`. Print what you want to see; the last expression is echoed. " +
  "Find servers with `runtime.discovered_servers()` and tools with " +
  '`await runtime.search_tool_docs("words")`. `runtime.capability_summary()` is the manual.';

/** Strict for the model that reads it, lenient for the call: our own words say what is wrong with that. */
function toInputSchema(limits: TimeoutLimits): StandardSchemaWithJSON<unknown> {
  const schema = {
    type: "object",
    properties: {
      code: { type: "string", description: "Python source; top-level await works" },
      servers: {
        type: "array",
        items: { type: "string" },
        description: "MCP servers this run may use",
      },
      timeout: {
        type: "integer",
        minimum: 1,
        maximum: limits.maxTimeoutSeconds,
        default: limits.timeoutSeconds,
        description: "Time limit in seconds",
      },
    },
    required: ["code"],
  };
  return {
    "~standard": {
      version: 1,
      vendor: "mcp-bridge",
      validate: (value) => ({ value }),
      jsonSchema: { input: () => schema, output: () => schema },
    },
  };
}

/** Claude Code takes no larger result into the conversation. */
const CLIENT_MAX_CHARS = 500_000;

/** Adds `run_python` to a server. */
export function registerRunPython(server: McpServer, deps: RunPythonDeps): void {
  const { runner, session, parked, config } = deps;
  const formatResult = createResultFormatter(config.outputMode);
  server.registerTool("run_python", {
    title: "Run Python",
    description: DESCRIPTION,
    inputSchema: toInputSchema(config),
    // The sandbox harms nothing, but the tools of downstream servers can do anything.
    annotations: {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    },
    _meta: {
      "anthropic/alwaysLoad": true,
      // Some clients count the answer as JSON, where short lines take about twice their length.
      "anthropic/maxResultSizeChars": Math.min(2 * config.maxOutputChars, CLIENT_MAX_CHARS),
    },
  }, async (args, { mcpReq }) => {
    const client = findClient(server.server, mcpReq);
    const parsed = parseRunPythonInput(args, config);
    const { timeoutSeconds } = parsed.ok ? parsed.input : config;
    const format = async (result: RunResult) => {
      const answer = await formatResult({ ...result, notes: [...parsed.notes, ...result.notes] });
      return fitToClient(answer, client.abilities.client, config.structured);
    };
    const leg = {
      signal: mcpReq.signal,
      onProgress: createProgressListener(mcpReq, timeoutSeconds),
    };
    const modern = { leg, parked, session, format };
    const requestState = mcpReq.requestState();
    if (client.isModern && typeof requestState === "string") {
      return await resume({ requestState, inputResponses: mcpReq.inputResponses }, modern);
    }
    if (!parsed.ok) return await format(failedRun("validation_error", parsed.error));
    parked.hurry(session);
    const { abilities } = client;
    if (client.isModern && isAbleToAnswer(abilities)) {
      const start = (parts: Partial<RunRequest>) => runner.run({ ...parsed.input, ...parts });
      return await carryOn(new Conversation(start, abilities, leg), modern);
    }
    const maxAskMs = config.askTimeoutSeconds * 1000;
    const asker = createLegacyAsker(server.server, { abilities, requestId: mcpReq.id, maxAskMs });
    const { signal, onProgress } = leg;
    const request = { ...parsed.input, signal, asker, ...(onProgress && { onProgress }) };
    return await format(await runner.run(request));
  });
}

/** Smallest step between two notifications: the protocol wants each `progress` above the last. */
const MIN_STEP = 0.001;

/** A listener that tells the client how far the run is, or `undefined` when it did not ask. */
function createProgressListener(
  request: ServerContext["mcpReq"],
  totalSeconds: number,
): ((progress: RunProgress) => void) | undefined {
  const progressToken = request._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let last = 0;
  return ({ elapsedSeconds, message }) => {
    if (request.signal.aborted) return;
    last = Math.max(elapsedSeconds, last + MIN_STEP);
    const params = { progressToken, progress: last, total: totalSeconds, message };
    // A client that is gone shows on the transport, which ends the run.
    request.notify({ method: "notifications/progress", params }).catch(() => {});
  };
}
