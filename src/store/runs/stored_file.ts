/** How a file of a past run is named to a client. Pure. */
import { SERVER_NAME } from "../../shared/version.ts";
import { mimeTypeOf } from "./mime_type.ts";

/** A stored file. */
export interface StoredFile {
  name: string;
  uri: string;
  mimeType: string;
  size: number;
}

/** The file `name` of `run`. */
export function describeFile(run: string, name: string, size: number): StoredFile {
  const uri = `resource://${SERVER_NAME}/runs/${run}/${encodeURIComponent(name)}`;
  return { name, uri, mimeType: mimeTypeOf(name), size };
}
