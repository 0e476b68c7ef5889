/** The files of `runtime/python/` that programs use: memory, saved tools, files, time. */
import filesRoom from "python/sandbox_runtime/files/__init__.py" with { type: "text" };
import artifacts from "python/sandbox_runtime/files/artifacts.py" with { type: "text" };
import displayHooks from "python/sandbox_runtime/files/display_hooks.py" with { type: "text" };
import executionFolder from "python/sandbox_runtime/files/execution_folder.py" with {
  type: "text",
};
import fileNames from "python/sandbox_runtime/files/file_names.py" with { type: "text" };
import showing from "python/sandbox_runtime/files/showing.py" with { type: "text" };
import helpersRoom from "python/sandbox_runtime/helpers/__init__.py" with { type: "text" };
import clock from "python/sandbox_runtime/helpers/clock.py" with { type: "text" };
import memory from "python/sandbox_runtime/helpers/memory.py" with { type: "text" };
import savedToolSource from "python/sandbox_runtime/helpers/saved_tool_source.py" with {
  type: "text",
};
import savedTools from "python/sandbox_runtime/helpers/saved_tools.py" with { type: "text" };
import timeValues from "python/sandbox_runtime/helpers/time_values.py" with { type: "text" };
import timeZones from "python/sandbox_runtime/helpers/time_zones.py" with { type: "text" };
import tzdata from "python/time_zones/tzdata/__init__.py" with { type: "text" };
import zones from "python/time_zones/tzdata/zones.txt" with { type: "text" };

/** Path below `runtime/python/` → text. */
export const HELPER_FILES: Readonly<Record<string, string>> = {
  "sandbox_runtime/files/__init__.py": filesRoom,
  "sandbox_runtime/files/artifacts.py": artifacts,
  "sandbox_runtime/files/display_hooks.py": displayHooks,
  "sandbox_runtime/files/execution_folder.py": executionFolder,
  "sandbox_runtime/files/file_names.py": fileNames,
  "sandbox_runtime/files/showing.py": showing,
  "sandbox_runtime/helpers/__init__.py": helpersRoom,
  "sandbox_runtime/helpers/clock.py": clock,
  "sandbox_runtime/helpers/memory.py": memory,
  "sandbox_runtime/helpers/saved_tool_source.py": savedToolSource,
  "sandbox_runtime/helpers/saved_tools.py": savedTools,
  "sandbox_runtime/helpers/time_values.py": timeValues,
  "sandbox_runtime/helpers/time_zones.py": timeZones,
  "time_zones/tzdata/__init__.py": tzdata,
  "time_zones/tzdata/zones.txt": zones,
};
