/** Files of past runs as MCP resources, moved in pieces. Where they are kept is behind {@link ArtifactReader}. */
import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
} from "@modelcontextprotocol/server";
import {
  type ArtifactBytes,
  LOOKAHEAD_BYTES,
  MAX_PIECE_BYTES,
  toContents,
} from "./artifact_piece.ts";
import { ArtifactUriTemplate, type ArtifactVariables } from "./artifact_uri.ts";

/** Gives the artifacts of past runs. */
export interface ArtifactReader {
  /**
   * Up to `length` bytes from `offset` on; `undefined` when there is no such artifact. `run` and `name`
   * are the client's own words: the reader refuses what leads out of its folder.
   */
  read(
    run: string,
    name: string,
    offset: number,
    length: number,
  ): Promise<ArtifactBytes | undefined>;
}

/** What an artifact is: of one in the list as well as of all. */
export const ARTIFACT_DESCRIPTION = "A file of a past run, read in pieces of at most 4 MiB";

/** Adds the artifacts to a server. */
export function registerArtifacts(server: McpServer, reader: ArtifactReader): void {
  // The SDK's own list has no pages.
  const template = new ResourceTemplate(new ArtifactUriTemplate(), { list: undefined });
  server.registerResource("run-artifacts", template, {
    description: ARTIFACT_DESCRIPTION,
  }, async (uri, variables) => {
    const { run, name, offset: from, length: most } = variables as ArtifactVariables;
    const offset = parseBytes("offset", from, 0) ?? 0;
    const length = Math.min(parseBytes("length", most, 1) ?? MAX_PIECE_BYTES, MAX_PIECE_BYTES);
    const read = await reader.read(run, name, offset, length + LOOKAHEAD_BYTES);
    if (read === undefined) throw new ResourceNotFoundError(uri.href);
    if (offset > read.size) {
      throw invalidParams(`Cannot read from offset ${offset}: the artifact has ${read.size} bytes`);
    }
    return { contents: [toContents(uri.href, read, { offset, length })] };
  });
}

function parseBytes(name: string, text: string | undefined, min: number): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d+$/.test(text) ? Number(text) : NaN;
  if (Number.isSafeInteger(value) && value >= min) return value;
  throw invalidParams(
    `Cannot use ${name}=${JSON.stringify(text)}: expected a whole number from ${min} on`,
  );
}

function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
