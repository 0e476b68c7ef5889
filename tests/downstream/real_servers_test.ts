/**
 * Servers that people use, in exact versions: the reference servers of the protocol over each transport.
 * They come from the npm registry; where it cannot be reached and nothing is cached, these tests fail.
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import type { ServerTransport } from "../../src/discovery/entry/server_entry.ts";
import { AppError } from "../../src/shared/errors.ts";
import { JsonText } from "../../src/shared/json/json_text.ts";
import { reference, REFERENCE_VERSION } from "../support/bridge_servers.ts";
import { serveEverything } from "../support/everything_server.ts";
import { calling, createRig, never, type Rig, valueOf } from "./rig.ts";

/** Arguments that run one of the servers by Deno. */
const runArgs = (name: string, ...args: string[]) => reference(name, ...args).args!;

const stdio = (args: string[], env: Record<string, string> = {}): ServerTransport => ({
  kind: "stdio",
  command: Deno.execPath(),
  args,
  env,
});

/** Time for the first download of a package. */
const slow = { startTimeoutSeconds: 120 };

/** What every transport must give alike. */
async function checkEverything(rig: Rig): Promise<void> {
  const { tools } = await rig.downstream.load("everything", never());
  assert(tools.length >= 10);
  assertEquals(await valueOf(rig, "everything", "echo", { message: "hi" }), "Echo: hi");
  assertEquals(
    await valueOf(rig, "everything", "get_sum", { a: 1, b: 2 }),
    "The sum of 1 and 2 is 3.",
  );
  const weather = await valueOf(rig, "everything", "get-structured-content", {
    location: "Chicago",
  });
  assertEquals(Object.keys(weather as object), ["temperature", "conditions", "humidity"]);
  const image = await rig.downstream.callTool(
    "everything",
    "get-tiny-image",
    JsonText.of({}),
    calling(),
  );
  assert(image.kind === "content");
  const blob = image.content.find((item) => item.type === "blob");
  assert(blob?.type === "blob" && blob.mime_type === "image/png" && blob.data.length > 1000);
  const wrong = await rig.downstream.callTool(
    "everything",
    "get-sum",
    JsonText.of({ a: "x" }),
    calling(),
  );
  assert(wrong.kind === "failed" && /Invalid/.test(wrong.message), JSON.stringify(wrong));
}

Deno.test("server-everything answers over stdio", async () => {
  await using rig = await createRig(
    { everything: stdio(runArgs("server-everything", "stdio")) },
    slow,
  );
  await checkEverything(rig);
});

Deno.test("server-everything answers when npx starts it, and nothing of npx is left", async () => {
  const transport: ServerTransport = {
    kind: "stdio",
    command: "npx",
    args: ["-y", `@modelcontextprotocol/server-everything@${REFERENCE_VERSION}`, "stdio"],
    env: {},
  };
  const before = await everythingProcesses();
  {
    await using rig = await createRig({ everything: transport }, slow);
    await checkEverything(rig);
    assert((await everythingProcesses()).length > before.length);
  }
  const left = (await everythingProcesses()).filter((pid) => !before.includes(pid));
  assertEquals(left, []);
});

/** Process ids of all that run the server. */
async function everythingProcesses(): Promise<string[]> {
  const { stdout } = await new Deno.Command("ps", { args: ["-eo", "pid,args"] }).output();
  return new TextDecoder().decode(stdout).split("\n")
    .filter((line) => line.includes("server-everything")).map((line) => line.trim().split(" ")[0]!);
}

Deno.test("server-everything answers over Streamable HTTP, named so or found out", async () => {
  await using server = await serveEverything("streamableHttp");
  const { url } = server;
  for (const kind of ["http", "auto"] as const) {
    await using rig = await createRig({ everything: { kind, url, headers: {} } });
    await checkEverything(rig);
    assert(rig.log.some((line) => line.includes("(http, ")), rig.log.join("\n"));
  }
});

Deno.test("server-everything answers over SSE, named so or found out", async () => {
  await using server = await serveEverything("sse");
  const { url } = server;
  for (const kind of ["sse", "auto"] as const) {
    await using rig = await createRig({ everything: { kind, url, headers: {} } });
    await checkEverything(rig);
    assert(rig.log.some((line) => line.includes("(sse, legacy)")), rig.log.join("\n"));
  }
});

Deno.test("a call over SSE ends at once when its server dies, and the next one reaches a new server", async () => {
  const server = await serveEverything("sse");
  const { url } = server;
  await using rig = await createRig({ everything: { kind: "sse", url, headers: {} } });
  await rig.downstream.load("everything", never());
  const startedAt = performance.now();
  const call = rig.downstream.callTool(
    "everything",
    "trigger-long-running-operation",
    JsonText.of({ duration: 60, steps: 2 }),
    calling(),
  ).catch((error) => String(error));
  await new Promise((resolve) => setTimeout(resolve, 300));
  await server[Symbol.asyncDispose]();
  assert(String(await call).includes("The connection broke during"), String(await call));
  assert(performance.now() - startedAt < 10_000);
  await using _next = await serveEverything("sse", server.port);
  assertEquals(await valueOf(rig, "everything", "echo", { message: "hi" }), "Echo: hi");
});

Deno.test("server-filesystem writes and reads in the folder it was given", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const transport = stdio(runArgs("server-filesystem", folder));
    await using rig = await createRig({ files: transport }, slow);
    await valueOf(rig, "files", "write_file", { path: `${folder}/a.txt`, content: "hello" });
    const read = await valueOf(rig, "files", "read_text_file", { path: `${folder}/a.txt` });
    assertEquals(read, { content: "hello" });
    await Deno.writeFile(`${folder}/a.png`, new Uint8Array([137, 80, 78, 71]));
    const png = { path: `${folder}/a.png` };
    const media = await rig.downstream.callTool(
      "files",
      "read_media_file",
      JsonText.of(png),
      calling(),
    );
    const blob = { type: "blob" as const, mime_type: "image/png", data: "iVBORw==" };
    assertEquals(media, { kind: "content", content: [blob] });
    const [docs] = await rig.downstream.docs("files", "read_media_file", "summary");
    assertEquals(docs?.signature, "read_media_file(path: str) -> Blob | list");
    const outside = await rig.downstream.callTool(
      "files",
      "read_text_file",
      JsonText.of({
        path: "/etc/passwd",
      }),
      calling(),
    );
    assert(outside.kind === "failed" && /Access denied/.test(outside.message));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("server-memory keeps what it is told", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const env = { MEMORY_FILE_PATH: `${folder}/memory.jsonl` };
    await using rig = await createRig({ memory: stdio(runArgs("server-memory"), env) }, slow);
    const entities = [{ name: "Oslo", entityType: "city", observations: ["cold"] }];
    await valueOf(rig, "memory", "create_entities", { entities });
    assertEquals(await valueOf(rig, "memory", "read_graph"), { entities, relations: [] });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a server that ends at a long message is told apart from one that crashed", async () => {
  await using rig = await createRig({ everything: stdio(runArgs("server-everything")) }, slow);
  assertEquals(await valueOf(rig, "everything", "echo", { message: "hi" }), "Echo: hi");
  const error = await assertRejects(
    () => valueOf(rig, "everything", "echo", { message: "x".repeat(11_000_000) }),
    AppError,
  );
  assertEquals(
    error.hint,
    "Its arguments are 11 MB, and many servers end at a message over 10 MB: send less in one call",
  );
  assertEquals(await valueOf(rig, "everything", "echo", { message: "hi" }), "Echo: hi");
});
