/** A reader of stdin, for tests of whose turn it is: tells when it is its own. */
import { ReaderTurns } from "../../src/engine/wasm/child/stdin_turns.ts";

declare const self: {
  postMessage(message: string): void;
  onmessage: ((event: MessageEvent<Int32Array>) => void) | null;
};

self.onmessage = ({ data: cells }) => {
  new ReaderTurns(cells).wait();
  self.postMessage("mine");
};
