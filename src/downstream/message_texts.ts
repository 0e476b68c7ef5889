/** The texts of the messages in a body, told as soon as they are whole. */
import { LineSplitter, MAX_LINE_BYTES } from "../shared/framing.ts";

/** Is shown a body piece by piece. */
export interface MessageTexts {
  push(chunk: Uint8Array): void;
  end(): void;
}

/** Reads the messages of a body along with whoever else reads it; undefined for one that has none. */
export function readMessages(
  contentType: string | null,
  onMessage: (text: string) => void,
): MessageTexts | undefined {
  if (contentType?.includes("text/event-stream")) return readEvents(onMessage);
  return contentType?.includes("json") ? readWhole(onMessage) : undefined;
}

function readWhole(onMessage: (text: string) => void): MessageTexts {
  const decoder = new TextDecoder();
  let text = "";
  return {
    push: (chunk) => text += decoder.decode(chunk, { stream: true }),
    end: () => onMessage(text + decoder.decode()),
  };
}

/** Server-sent events: a message is the data of one, which may have several lines. */
function readEvents(onMessage: (text: string) => void): MessageTexts {
  const splitter = new LineSplitter(MAX_LINE_BYTES, { fatal: false });
  let data: string[] = [];
  const receive = (line: string) => {
    if (line.startsWith("data:")) data.push(line.slice(line[5] === " " ? 6 : 5));
    if (line !== "" || data.length === 0) return;
    onMessage(data.join("\n"));
    data = [];
  };
  // A line may end with a carriage return as well, alone or before the newline.
  const split = (line: string) => {
    const text = line.endsWith("\r") ? line.slice(0, -1) : line;
    if (text.includes("\r")) text.split("\r").forEach(receive);
    else receive(text);
  };
  return { push: (chunk) => splitter.push(chunk, split), end: () => {} };
}
