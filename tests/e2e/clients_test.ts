/** One suite over three real clients, each of which starts the server as it would for a user. */
import {
  legacyInspector,
  legacySdk,
  modernInspector,
  modernSdk,
} from "../support/client_targets.ts";
import { answerCases } from "./answer_cases.ts";
import { conversationCases, listCases, outputCases } from "./conversation_cases.ts";

conversationCases(legacySdk, "2025-11-25");
conversationCases(modernSdk, "2026-07-28");

for (const target of [legacySdk, modernSdk, legacyInspector]) {
  answerCases(target);
  listCases(target);
  outputCases(target);
}

// The SDK's clients show that answers do not depend on the era; the Inspector shows that it can choose one.
listCases(modernInspector);
