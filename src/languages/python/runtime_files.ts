/**
 * The files of `runtime/python/` as text, so that a checkout, the package and the compiled binary all
 * have them without reading a disk. `tests/unit/languages/python/runtime_files_test.ts` checks that none
 * is missing.
 */
import { CHART_FILES } from "./chart_files.ts";
import { HELPER_FILES } from "./helper_files.ts";
import { PROGRAM_FILES } from "./program_files.ts";
import entrypoint from "python/entrypoint.py" with { type: "text" };
import loader from "python/loader.py" with { type: "text" };
import init from "python/sandbox_runtime/__init__.py" with { type: "text" };
import kernel from "python/sandbox_runtime/kernel.py" with { type: "text" };
import loopRoom from "python/sandbox_runtime/loop/__init__.py" with { type: "text" };
import inbox from "python/sandbox_runtime/loop/inbox.py" with { type: "text" };
import inlinePool from "python/sandbox_runtime/loop/inline_pool.py" with { type: "text" };
import interrupts from "python/sandbox_runtime/loop/interrupts.py" with { type: "text" };
import loops from "python/sandbox_runtime/loop/loops.py" with { type: "text" };
import waiting from "python/sandbox_runtime/loop/waiting.py" with { type: "text" };
import manual from "python/sandbox_runtime/manual.md" with { type: "text" };
import namesRoom from "python/sandbox_runtime/names/__init__.py" with { type: "text" };
import api from "python/sandbox_runtime/names/api.py" with { type: "text" };
import namespace from "python/sandbox_runtime/names/namespace.py" with { type: "text" };
import pastOutput from "python/sandbox_runtime/names/past_output.py" with { type: "text" };
import preload from "python/sandbox_runtime/preload.py" with { type: "text" };
import pyodideEntry from "python/sandbox_runtime/pyodide_entry.py" with { type: "text" };
import rpc from "python/sandbox_runtime/rpc.py" with { type: "text" };
import serversRoom from "python/sandbox_runtime/servers/__init__.py" with { type: "text" };
import calls from "python/sandbox_runtime/servers/calls.py" with { type: "text" };
import catalog from "python/sandbox_runtime/servers/catalog.py" with { type: "text" };
import proxies from "python/sandbox_runtime/servers/proxies.py" with { type: "text" };
import results from "python/sandbox_runtime/servers/results.py" with { type: "text" };
import signatures from "python/sandbox_runtime/servers/signatures.py" with { type: "text" };
import toolDocs from "python/sandbox_runtime/servers/tool_docs.py" with { type: "text" };
import supervisor from "python/sandbox_runtime/supervisor.py" with { type: "text" };
import wireRoom from "python/sandbox_runtime/wire/__init__.py" with { type: "text" };
import jsonable from "python/sandbox_runtime/wire/jsonable.py" with { type: "text" };
import messages from "python/sandbox_runtime/wire/messages.py" with { type: "text" };
import streams from "python/sandbox_runtime/wire/streams.py" with { type: "text" };

/** Path below `runtime/python/` → text. */
export const RUNTIME_FILES: Readonly<Record<string, string>> = {
  "entrypoint.py": entrypoint,
  "loader.py": loader,
  "sandbox_runtime/__init__.py": init,
  "sandbox_runtime/kernel.py": kernel,
  "sandbox_runtime/loop/__init__.py": loopRoom,
  "sandbox_runtime/loop/inbox.py": inbox,
  "sandbox_runtime/loop/inline_pool.py": inlinePool,
  "sandbox_runtime/loop/interrupts.py": interrupts,
  "sandbox_runtime/loop/loops.py": loops,
  "sandbox_runtime/loop/waiting.py": waiting,
  "sandbox_runtime/manual.md": manual,
  "sandbox_runtime/names/__init__.py": namesRoom,
  "sandbox_runtime/names/api.py": api,
  "sandbox_runtime/names/namespace.py": namespace,
  "sandbox_runtime/names/past_output.py": pastOutput,
  "sandbox_runtime/preload.py": preload,
  "sandbox_runtime/pyodide_entry.py": pyodideEntry,
  "sandbox_runtime/rpc.py": rpc,
  "sandbox_runtime/servers/__init__.py": serversRoom,
  "sandbox_runtime/servers/calls.py": calls,
  "sandbox_runtime/servers/catalog.py": catalog,
  "sandbox_runtime/servers/proxies.py": proxies,
  "sandbox_runtime/servers/results.py": results,
  "sandbox_runtime/servers/signatures.py": signatures,
  "sandbox_runtime/servers/tool_docs.py": toolDocs,
  "sandbox_runtime/supervisor.py": supervisor,
  "sandbox_runtime/wire/__init__.py": wireRoom,
  "sandbox_runtime/wire/jsonable.py": jsonable,
  "sandbox_runtime/wire/messages.py": messages,
  "sandbox_runtime/wire/streams.py": streams,
  ...CHART_FILES,
  ...HELPER_FILES,
  ...PROGRAM_FILES,
};
