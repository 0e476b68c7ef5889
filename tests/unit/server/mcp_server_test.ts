import { forRun } from "../../../src/downstream/for_run.ts";
import { FakeDownstream } from "../../support/fake_downstream.ts";
import { FakeEngine } from "../../support/fake_engine.ts";
import { TestSession } from "../../support/sessions.ts";
import { assertEquals, assertRejects } from "@std/assert";
import type { RunRequest } from "../../../src/session/run_request.ts";
import { connectClient, ERAS, runResult, serverDeps } from "../../support/server_fixtures.ts";

for (const era of ERAS) {
  Deno.test(`createMcpServer() names itself to a client (${era})`, async () => {
    await using connection = await connectClient(serverDeps(), era);
    const { client } = connection;
    assertEquals(client.getProtocolEra(), era === "legacy" ? "legacy" : "modern");
    assertEquals(client.getServerVersion()?.name, "mcp-server-code-execution-mode");
  });

  Deno.test(`createMcpServer() runs code (${era})`, async () => {
    const requests: RunRequest[] = [];
    const deps = serverDeps((request) => {
      requests.push(request);
      return runResult({ stdout: "2\n", engine: "wasm" });
    });
    await using connection = await connectClient(deps, era);
    const result = await connection.client.callTool({
      name: "run_python",
      arguments: { code: "print(1 + 1)", timeout: 500 },
    });
    const text = "2\ntimeout 500 is above the maximum: the limit of this run is 120s";
    assertEquals(result.content, [{ type: "text", text }]);
    assertEquals(result.structuredContent, {
      stdout: ["2"],
      notes: ["timeout 500 is above the maximum: the limit of this run is 120s"],
    });
    assertEquals(result.isError, false);
    assertEquals(result._meta?.["mcp-bridge/engine"], "wasm");
    const [request] = requests;
    assertEquals(request?.code, "print(1 + 1)");
    assertEquals(request?.timeoutSeconds, 120);
    assertEquals(request?.onProgress, undefined);
  });

  Deno.test(`createMcpServer() answers bad arguments in its own words (${era})`, async () => {
    await using connection = await connectClient(serverDeps(), era);
    const result = await connection.client.callTool({
      name: "run_python",
      arguments: { code: "1", timeout: "30" },
    });
    assertEquals(result.isError, true);
    assertEquals(result.structuredContent, {
      status: "validation_error",
      summary: "'timeout' must be an integer",
      error: "'timeout' must be an integer",
    });
  });

  Deno.test(`createMcpServer() does not run with a server it does not know (${era})`, async () => {
    const engine = new FakeEngine();
    await using session = new TestSession(engine, {
      forRun: forRun(new FakeDownstream({ weather: [] })),
    });
    const deps = serverDeps(undefined, { runner: session.runner });
    await using connection = await connectClient(deps, era);
    const result = await connection.client.callTool({
      name: "run_python",
      arguments: { code: "1", servers: ["weather", "wether"] },
    });
    const error = "Unknown MCP server: wether (did you mean weather?). Known servers: weather";
    assertEquals(result.structuredContent, {
      status: "error",
      summary: `Sandbox error: ${error}`,
      servers: ["weather", "wether"],
      error,
    });
    assertEquals(engine.started.length, 0);
  });

  Deno.test(`createMcpServer() passes progress on, each above the last (${era})`, async () => {
    const deps = serverDeps(async ({ onProgress }) => {
      for (const elapsedSeconds of [0.5, 0.5, 0.2, 3]) {
        onProgress?.({ elapsedSeconds, message: `at ${elapsedSeconds}` });
      }
      await new Promise((resolve) => setTimeout(resolve, 1));
      return runResult();
    });
    await using connection = await connectClient(deps, era);
    const seen: { progress: number; total?: number; message?: string }[] = [];
    await connection.client.callTool(
      { name: "run_python", arguments: { code: "1", timeout: 9 } },
      { onprogress: (progress) => seen.push(progress as typeof seen[number]) },
    );
    assertEquals(seen.map(({ message }) => message), ["at 0.5", "at 0.5", "at 0.2", "at 3"]);
    assertEquals(seen.map(({ total }) => total), [9, 9, 9, 9]);
    const values = seen.map(({ progress }) => progress);
    assertEquals(values, [...new Set(values)].sort((a, b) => a - b));
  });

  Deno.test(`createMcpServer() cancels a run when the client does (${era})`, async () => {
    const started = Promise.withResolvers<void>();
    const cancelled = Promise.withResolvers<void>();
    const deps = serverDeps(async ({ signal }) => {
      signal?.addEventListener("abort", () => cancelled.resolve());
      started.resolve();
      await cancelled.promise;
      return runResult({ status: "cancelled", error: "Execution was cancelled" });
    });
    await using connection = await connectClient(deps, era);
    const controller = new AbortController();
    const call = connection.client.callTool(
      { name: "run_python", arguments: { code: "while True: pass" } },
      { signal: controller.signal },
    );
    await started.promise;
    controller.abort("enough");
    await assertRejects(() => call);
    await cancelled.promise;
  });

  Deno.test(`createMcpServer() cancels a run when the client leaves (${era})`, async () => {
    const started = Promise.withResolvers<void>();
    const cancelled = Promise.withResolvers<void>();
    const deps = serverDeps(async ({ signal }) => {
      signal?.addEventListener("abort", () => cancelled.resolve());
      started.resolve();
      await cancelled.promise;
      return runResult({ status: "cancelled" });
    });
    const connection = await connectClient(deps, era);
    const call = connection.client.callTool({ name: "run_python", arguments: { code: "1" } });
    call.catch(() => {});
    await started.promise;
    await connection[Symbol.asyncDispose]();
    await cancelled.promise;
  });

  Deno.test(`createMcpServer() takes 20 MB of code and gives 20 MB back (${era})`, async () => {
    const code = "#" + "é".repeat(10_000_000);
    const deps = serverDeps((request) => runResult({ stdout: request.code }));
    await using connection = await connectClient(deps, era);
    const started = performance.now();
    const result = await connection.client.callTool({ name: "run_python", arguments: { code } });
    assertEquals((result.structuredContent as { stdout: string[] }).stdout[0] === code, true);
    assertEquals(performance.now() - started < 5000, true);
  });

  Deno.test(`createMcpServer() gives the manual with its size (${era})`, async () => {
    await using connection = await connectClient(serverDeps(), era);
    const { resources: [manual] } = await connection.client.listResources();
    const { contents: [content] } = await connection.client.readResource({ uri: manual!.uri });
    const text = (content as { text: string }).text;
    assertEquals(text.startsWith("# PYTHON SANDBOX MANUAL\n"), true);
    assertEquals(manual?.size, new TextEncoder().encode(text).length);
    assertEquals(content?.mimeType, "text/markdown");
  });

  for (const uri of ["resource://elsewhere/x", "file:///etc/passwd", "no uri", ""]) {
    Deno.test(`createMcpServer() refuses the URI "${uri}" (${era})`, async () => {
      await using connection = await connectClient(serverDeps(), era);
      const read = () => connection.client.readResource({ uri });
      assertEquals((await assertRejects(read) as Error & { code: number }).code, -32602);
    });
  }
}
