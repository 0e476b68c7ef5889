/** The contract between a client and whoever remembers what it found out. */
import type { RememberedLink } from "./connect_plan.ts";
import type { ListedTool } from "../catalog/list_tools.ts";

/** What is remembered of a server between connections. */
export interface ServerMemory {
  link(): Promise<RememberedLink | undefined>;
  /** Never rejects: nobody waits for it. */
  onConnected(link: RememberedLink): Promise<void>;
  onTools(tools: readonly ListedTool[]): Promise<void>;
}
