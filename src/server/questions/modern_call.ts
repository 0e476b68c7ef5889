/** One call of `run_python` by a client of 2026-07-28: it ends with the run's result, or with questions. */
import {
  type CallToolResult,
  inputRequired,
  type InputRequiredResult,
} from "@modelcontextprotocol/server";
import { failedRun } from "../../session/run_result.ts";
import { AppError } from "../../shared/errors.ts";
import type { Conversation, Leg } from "./conversation.ts";
import type { ParkedRuns } from "./parked_runs.ts";
import type { ResultFormatter } from "../answer/tool_result.ts";

/** What a call works with. */
export interface ModernCall {
  leg: Leg;
  parked: ParkedRuns;
  /** Handle of the session that the run belongs to. */
  session: string;
  format: ResultFormatter;
}

/** The answers a client came back with. */
export interface Comeback {
  requestState: string;
  inputResponses: Readonly<Record<string, unknown>> | undefined;
}

/** Waits for the run; if it asks, the run is parked and the client told how to come back. */
export async function carryOn(
  conversation: Conversation,
  { leg, parked, session, format }: ModernCall,
): Promise<CallToolResult | InputRequiredResult> {
  for (;;) {
    const end = await conversation.next(leg);
    if ("result" in end) return await format(end.result);
    if (parked.hasRoom) {
      const requestState = await parked.park(session, conversation);
      return inputRequired({ inputRequests: end.questions, requestState });
    }
    conversation.refuse("too many runs are waiting for answers");
  }
}

/** Goes on with a parked run. */
export async function resume(
  { requestState, inputResponses = {} }: Comeback,
  call: ModernCall,
): Promise<CallToolResult | InputRequiredResult> {
  let conversation: Conversation;
  try {
    conversation = await call.parked.take(call.session, requestState);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { message, hint } = error;
    return await call.format(failedRun("error", message, [], [`hint: ${hint}`]));
  }
  conversation.answer(inputResponses);
  return await carryOn(conversation, call);
}
