/** URIs of artifacts: `…/runs/{run}/{name}{?offset,length}`. */
import { UriTemplate } from "@modelcontextprotocol/server";
import { SERVER_NAME } from "../../shared/version.ts";

/** Variables of an artifact's URI, decoded; numbers are still text. */
export type ArtifactVariables = {
  run: string;
  name: string;
  offset?: string;
  length?: string;
};

/**
 * The template, with a `match` that takes `offset` and `length` in any order or not at all; the SDK's
 * own wants both.
 */
export class ArtifactUriTemplate extends UriTemplate {
  constructor() {
    super(`resource://${SERVER_NAME}/runs/{run}/{name}{?offset,length}`);
  }

  override match(uri: string): ArtifactVariables | null {
    const url = URL.parse(uri);
    const path = /^\/runs\/([^/]+)\/([^/]+)$/.exec(url?.pathname ?? "");
    if (url?.protocol !== "resource:" || url.host !== SERVER_NAME || path === null) return null;
    const [run, name] = [decode(path[1]!), decode(path[2]!)];
    if (run === undefined || name === undefined) return null;
    const offset = url.searchParams.get("offset");
    const length = url.searchParams.get("length");
    return { run, name, ...(offset !== null && { offset }), ...(length !== null && { length }) };
  }
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
