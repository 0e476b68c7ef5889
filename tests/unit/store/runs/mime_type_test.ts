import { assertEquals } from "@std/assert";
import { mimeTypeOf } from "../../../../src/store/runs/stored_file.ts";

const ROWS: [name: string, mimeType: string][] = [
  ["a.png", "image/png"],
  ["A.PNG", "image/png"],
  ["plots/a.svg", "image/svg+xml"],
  ["a.tar.gz", "application/gzip"],
  ["a.b/c", "application/octet-stream"],
  ["README", "application/octet-stream"],
  ["a.constructor", "application/octet-stream"],
  ["data.csv", "text/csv"],
];

for (const [name, mimeType] of ROWS) {
  Deno.test(`mimeTypeOf() says that ${name} is ${mimeType}`, () => {
    assertEquals(mimeTypeOf(name), mimeType);
  });
}
