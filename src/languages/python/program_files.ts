/** The files of `runtime/python/` that look at a program, run it and explain its errors. */
import awaitsRoom from "python/sandbox_runtime/awaits/__init__.py" with { type: "text" };
import asyncNames from "python/sandbox_runtime/awaits/async_names.py" with { type: "text" };
import awaited from "python/sandbox_runtime/awaits/awaited.py" with { type: "text" };
import callUses from "python/sandbox_runtime/awaits/call_uses.py" with { type: "text" };
import expressionUses from "python/sandbox_runtime/awaits/expression_uses.py" with { type: "text" };
import handed from "python/sandbox_runtime/awaits/handed.py" with { type: "text" };
import nameUses from "python/sandbox_runtime/awaits/name_uses.py" with { type: "text" };
import statementUses from "python/sandbox_runtime/awaits/statement_uses.py" with { type: "text" };
import uses from "python/sandbox_runtime/awaits/uses.py" with { type: "text" };
import hintsRoom from "python/sandbox_runtime/hints/__init__.py" with { type: "text" };
import hints from "python/sandbox_runtime/hints/hints.py" with { type: "text" };
import missing from "python/sandbox_runtime/hints/missing.py" with { type: "text" };
import values from "python/sandbox_runtime/hints/values.py" with { type: "text" };
import preflightRoom from "python/sandbox_runtime/preflight/__init__.py" with { type: "text" };
import bindings from "python/sandbox_runtime/preflight/bindings.py" with { type: "text" };
import harmless from "python/sandbox_runtime/preflight/harmless.py" with { type: "text" };
import lookLines from "python/sandbox_runtime/preflight/look_lines.py" with { type: "text" };
import preflight from "python/sandbox_runtime/preflight/preflight.py" with { type: "text" };
import suspects from "python/sandbox_runtime/preflight/suspects.py" with { type: "text" };
import syntaxHelp from "python/sandbox_runtime/preflight/syntax_help.py" with { type: "text" };
import runRoom from "python/sandbox_runtime/run/__init__.py" with { type: "text" };
import echo from "python/sandbox_runtime/run/echo.py" with { type: "text" };
import execute from "python/sandbox_runtime/run/execute.py" with { type: "text" };
import forgotten from "python/sandbox_runtime/run/forgotten.py" with { type: "text" };
import pristine from "python/sandbox_runtime/run/pristine.py" with { type: "text" };
import program from "python/sandbox_runtime/run/program.py" with { type: "text" };
import sources from "python/sandbox_runtime/run/sources.py" with { type: "text" };

/** Path below `runtime/python/` → text. */
export const PROGRAM_FILES: Readonly<Record<string, string>> = {
  "sandbox_runtime/awaits/__init__.py": awaitsRoom,
  "sandbox_runtime/awaits/async_names.py": asyncNames,
  "sandbox_runtime/awaits/awaited.py": awaited,
  "sandbox_runtime/awaits/call_uses.py": callUses,
  "sandbox_runtime/awaits/expression_uses.py": expressionUses,
  "sandbox_runtime/awaits/handed.py": handed,
  "sandbox_runtime/awaits/name_uses.py": nameUses,
  "sandbox_runtime/awaits/statement_uses.py": statementUses,
  "sandbox_runtime/awaits/uses.py": uses,
  "sandbox_runtime/hints/__init__.py": hintsRoom,
  "sandbox_runtime/hints/hints.py": hints,
  "sandbox_runtime/hints/missing.py": missing,
  "sandbox_runtime/hints/values.py": values,
  "sandbox_runtime/preflight/__init__.py": preflightRoom,
  "sandbox_runtime/preflight/bindings.py": bindings,
  "sandbox_runtime/preflight/harmless.py": harmless,
  "sandbox_runtime/preflight/look_lines.py": lookLines,
  "sandbox_runtime/preflight/preflight.py": preflight,
  "sandbox_runtime/preflight/suspects.py": suspects,
  "sandbox_runtime/preflight/syntax_help.py": syntaxHelp,
  "sandbox_runtime/run/__init__.py": runRoom,
  "sandbox_runtime/run/echo.py": echo,
  "sandbox_runtime/run/execute.py": execute,
  "sandbox_runtime/run/forgotten.py": forgotten,
  "sandbox_runtime/run/pristine.py": pristine,
  "sandbox_runtime/run/program.py": program,
  "sandbox_runtime/run/sources.py": sources,
};
