/** `resources/list`: the manual and the artifacts of recent runs, in pages. */
import { type McpServer, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { Artifact } from "../../session/run_result.ts";
import { ARTIFACT_DESCRIPTION } from "./artifact_resources.ts";
import { CAPABILITIES } from "./capabilities_resource.ts";

/** Some of the artifacts there are. */
export interface ArtifactPage {
  artifacts: readonly Artifact[];
  /** Gives the page that follows; absent on the last one. */
  next?: string;
}

/** Lists the artifacts of past runs. */
export interface ArtifactLister {
  /** The page that `next` of another one named, or the first; `undefined` if there is no such page. */
  list(page?: string): Promise<ArtifactPage | undefined>;
}

/** Has a server answer with pages, in place of the SDK's list of everything. */
export function listInPages(server: McpServer, lister: ArtifactLister): void {
  server.server.setRequestHandler("resources/list", async ({ params }) => {
    const cursor = params?.cursor;
    const page = await lister.list(cursor);
    if (page === undefined) {
      const shown = JSON.stringify(cursor?.slice(0, 80));
      const message = `Cannot list from cursor ${shown}: expected the nextCursor of a list`;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
    }
    const artifacts = page.artifacts.map((artifact) => ({
      ...artifact,
      // Every run has a stdout.txt: people choose by the run.
      title: decodeURIComponent(artifact.uri.split("/").slice(-2).join("/")),
      description: ARTIFACT_DESCRIPTION,
    }));
    return {
      resources: [...(cursor === undefined ? [CAPABILITIES] : []), ...artifacts],
      ...(page.next !== undefined && { nextCursor: page.next }),
    };
  });
}
