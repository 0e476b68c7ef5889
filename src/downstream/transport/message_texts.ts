/** The texts of the messages in an event stream, told as soon as they are whole. */
import { LineSplitter, MAX_LINE_BYTES } from "../../shared/framing.ts";

/**
 * Reads a stream along with whoever else reads it; to be shown it piece by piece. A message is the data of one
 * event, which may have several lines.
 */
export function readEvents(onMessage: (text: string) => void): (chunk: Uint8Array) => void {
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
  return (chunk) => {
    for (const line of splitter.lines(chunk)) split(line);
  };
}
