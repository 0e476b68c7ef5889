/**
 * The files of `runtime/` as text, so that a checkout, the package and the compiled binary all have
 * them without reading a disk. `tests/unit/languages/python/runtime_files_test.ts` checks that none is missing.
 */
import { CHART_FILES } from "./chart_files.ts";
import { CLOCK_FILES } from "./clock_files.ts";
import entrypoint from "../../../runtime/entrypoint.py" with { type: "text" };
import loader from "../../../runtime/loader.py" with { type: "text" };
import init from "../../../runtime/sandbox_runtime/__init__.py" with { type: "text" };
import api from "../../../runtime/sandbox_runtime/api.py" with { type: "text" };
import artifacts from "../../../runtime/sandbox_runtime/artifacts.py" with { type: "text" };
import asyncNames from "../../../runtime/sandbox_runtime/async_names.py" with { type: "text" };
import awaitable from "../../../runtime/sandbox_runtime/awaitable.py" with { type: "text" };
import bindings from "../../../runtime/sandbox_runtime/bindings.py" with { type: "text" };
import awaited from "../../../runtime/sandbox_runtime/awaited.py" with { type: "text" };
import callUses from "../../../runtime/sandbox_runtime/call_uses.py" with { type: "text" };
import calls from "../../../runtime/sandbox_runtime/calls.py" with { type: "text" };
import displayHooks from "../../../runtime/sandbox_runtime/display_hooks.py" with { type: "text" };
import docsTable from "../../../runtime/sandbox_runtime/docs_table.py" with { type: "text" };
import echo from "../../../runtime/sandbox_runtime/echo.py" with { type: "text" };
import execute from "../../../runtime/sandbox_runtime/execute.py" with { type: "text" };
import executionFolder from "../../../runtime/sandbox_runtime/execution_folder.py" with {
  type: "text",
};
import expressionUses from "../../../runtime/sandbox_runtime/expression_uses.py" with {
  type: "text",
};
import failingValue from "../../../runtime/sandbox_runtime/failing_value.py" with { type: "text" };
import fileNames from "../../../runtime/sandbox_runtime/file_names.py" with { type: "text" };
import forgotten from "../../../runtime/sandbox_runtime/forgotten.py" with { type: "text" };
import harmless from "../../../runtime/sandbox_runtime/harmless.py" with { type: "text" };
import handed from "../../../runtime/sandbox_runtime/handed.py" with { type: "text" };
import helpers from "../../../runtime/sandbox_runtime/helpers.py" with { type: "text" };
import hints from "../../../runtime/sandbox_runtime/hints.py" with { type: "text" };
import inbox from "../../../runtime/sandbox_runtime/inbox.py" with { type: "text" };
import inlinePool from "../../../runtime/sandbox_runtime/inline_pool.py" with { type: "text" };
import interrupts from "../../../runtime/sandbox_runtime/interrupts.py" with { type: "text" };
import jsonable from "../../../runtime/sandbox_runtime/jsonable.py" with { type: "text" };
import kernel from "../../../runtime/sandbox_runtime/kernel.py" with { type: "text" };
import lookLines from "../../../runtime/sandbox_runtime/look_lines.py" with { type: "text" };
import loops from "../../../runtime/sandbox_runtime/loops.py" with { type: "text" };
import manual from "../../../runtime/sandbox_runtime/manual.md" with { type: "text" };
import memory from "../../../runtime/sandbox_runtime/memory.py" with { type: "text" };
import nameUses from "../../../runtime/sandbox_runtime/name_uses.py" with { type: "text" };
import namespace from "../../../runtime/sandbox_runtime/namespace.py" with { type: "text" };
import pastOutput from "../../../runtime/sandbox_runtime/past_output.py" with { type: "text" };
import place from "../../../runtime/sandbox_runtime/place.py" with { type: "text" };
import packages from "../../../runtime/sandbox_runtime/packages.py" with { type: "text" };
import preflight from "../../../runtime/sandbox_runtime/preflight.py" with { type: "text" };
import preload from "../../../runtime/sandbox_runtime/preload.py" with { type: "text" };
import pristine from "../../../runtime/sandbox_runtime/pristine.py" with { type: "text" };
import program from "../../../runtime/sandbox_runtime/program.py" with { type: "text" };
import proxies from "../../../runtime/sandbox_runtime/proxies.py" with { type: "text" };
import pyodideEntry from "../../../runtime/sandbox_runtime/pyodide_entry.py" with { type: "text" };
import pythonTypes from "../../../runtime/sandbox_runtime/python_types.py" with { type: "text" };
import reach from "../../../runtime/sandbox_runtime/reach.py" with { type: "text" };
import results from "../../../runtime/sandbox_runtime/results.py" with { type: "text" };
import rpc from "../../../runtime/sandbox_runtime/rpc.py" with { type: "text" };
import savedToolSource from "../../../runtime/sandbox_runtime/saved_tool_source.py" with {
  type: "text",
};
import savedTools from "../../../runtime/sandbox_runtime/saved_tools.py" with { type: "text" };
import schemaPart from "../../../runtime/sandbox_runtime/schema_part.py" with { type: "text" };
import serverNames from "../../../runtime/sandbox_runtime/server_names.py" with { type: "text" };
import showing from "../../../runtime/sandbox_runtime/showing.py" with { type: "text" };
import signatures from "../../../runtime/sandbox_runtime/signatures.py" with { type: "text" };
import sourceDepth from "../../../runtime/sandbox_runtime/source_depth.py" with { type: "text" };
import sources from "../../../runtime/sandbox_runtime/sources.py" with { type: "text" };
import statementUses from "../../../runtime/sandbox_runtime/statement_uses.py" with {
  type: "text",
};
import streams from "../../../runtime/sandbox_runtime/streams.py" with { type: "text" };
import supervisor from "../../../runtime/sandbox_runtime/supervisor.py" with { type: "text" };
import suspects from "../../../runtime/sandbox_runtime/suspects.py" with { type: "text" };
import syntaxHelp from "../../../runtime/sandbox_runtime/syntax_help.py" with { type: "text" };
import toolDocs from "../../../runtime/sandbox_runtime/tool_docs.py" with { type: "text" };
import uses from "../../../runtime/sandbox_runtime/uses.py" with { type: "text" };
import valueHints from "../../../runtime/sandbox_runtime/value_hints.py" with { type: "text" };
import waiting from "../../../runtime/sandbox_runtime/waiting.py" with { type: "text" };
import wire from "../../../runtime/sandbox_runtime/wire.py" with { type: "text" };

/** Path below `runtime/` → text. */
export const RUNTIME_FILES: Readonly<Record<string, string>> = {
  "entrypoint.py": entrypoint,
  "loader.py": loader,
  "sandbox_runtime/__init__.py": init,
  "sandbox_runtime/api.py": api,
  "sandbox_runtime/artifacts.py": artifacts,
  "sandbox_runtime/async_names.py": asyncNames,
  "sandbox_runtime/awaitable.py": awaitable,
  "sandbox_runtime/bindings.py": bindings,
  "sandbox_runtime/awaited.py": awaited,
  "sandbox_runtime/call_uses.py": callUses,
  "sandbox_runtime/calls.py": calls,
  "sandbox_runtime/display_hooks.py": displayHooks,
  "sandbox_runtime/docs_table.py": docsTable,
  "sandbox_runtime/echo.py": echo,
  "sandbox_runtime/execute.py": execute,
  "sandbox_runtime/execution_folder.py": executionFolder,
  "sandbox_runtime/expression_uses.py": expressionUses,
  "sandbox_runtime/failing_value.py": failingValue,
  "sandbox_runtime/file_names.py": fileNames,
  "sandbox_runtime/forgotten.py": forgotten,
  "sandbox_runtime/harmless.py": harmless,
  "sandbox_runtime/handed.py": handed,
  "sandbox_runtime/helpers.py": helpers,
  "sandbox_runtime/hints.py": hints,
  "sandbox_runtime/inbox.py": inbox,
  "sandbox_runtime/inline_pool.py": inlinePool,
  "sandbox_runtime/interrupts.py": interrupts,
  "sandbox_runtime/jsonable.py": jsonable,
  "sandbox_runtime/kernel.py": kernel,
  "sandbox_runtime/look_lines.py": lookLines,
  "sandbox_runtime/loops.py": loops,
  "sandbox_runtime/manual.md": manual,
  "sandbox_runtime/memory.py": memory,
  "sandbox_runtime/name_uses.py": nameUses,
  "sandbox_runtime/namespace.py": namespace,
  "sandbox_runtime/past_output.py": pastOutput,
  "sandbox_runtime/place.py": place,
  "sandbox_runtime/packages.py": packages,
  "sandbox_runtime/preflight.py": preflight,
  "sandbox_runtime/preload.py": preload,
  "sandbox_runtime/pristine.py": pristine,
  "sandbox_runtime/program.py": program,
  "sandbox_runtime/proxies.py": proxies,
  "sandbox_runtime/pyodide_entry.py": pyodideEntry,
  "sandbox_runtime/python_types.py": pythonTypes,
  "sandbox_runtime/reach.py": reach,
  "sandbox_runtime/results.py": results,
  "sandbox_runtime/rpc.py": rpc,
  "sandbox_runtime/saved_tool_source.py": savedToolSource,
  "sandbox_runtime/saved_tools.py": savedTools,
  "sandbox_runtime/schema_part.py": schemaPart,
  "sandbox_runtime/server_names.py": serverNames,
  "sandbox_runtime/showing.py": showing,
  "sandbox_runtime/signatures.py": signatures,
  "sandbox_runtime/source_depth.py": sourceDepth,
  "sandbox_runtime/sources.py": sources,
  "sandbox_runtime/statement_uses.py": statementUses,
  "sandbox_runtime/streams.py": streams,
  "sandbox_runtime/supervisor.py": supervisor,
  "sandbox_runtime/suspects.py": suspects,
  "sandbox_runtime/syntax_help.py": syntaxHelp,
  "sandbox_runtime/tool_docs.py": toolDocs,
  "sandbox_runtime/uses.py": uses,
  "sandbox_runtime/value_hints.py": valueHints,
  "sandbox_runtime/waiting.py": waiting,
  "sandbox_runtime/wire.py": wire,
  ...CHART_FILES,
  ...CLOCK_FILES,
};
