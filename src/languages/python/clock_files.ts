/** The files of `runtime/` that know the time: clock and time zones. */
import clock from "../../../runtime/sandbox_runtime/clock.py" with { type: "text" };
import timeValues from "../../../runtime/sandbox_runtime/time_values.py" with { type: "text" };
import timeZones from "../../../runtime/sandbox_runtime/time_zones.py" with { type: "text" };
import tzdata from "../../../runtime/time_zones/tzdata/__init__.py" with { type: "text" };
import zones from "../../../runtime/time_zones/tzdata/zones.txt" with { type: "text" };

/** Path below `runtime/` → text. */
export const CLOCK_FILES: Readonly<Record<string, string>> = {
  "sandbox_runtime/clock.py": clock,
  "sandbox_runtime/time_values.py": timeValues,
  "sandbox_runtime/time_zones.py": timeZones,
  "time_zones/tzdata/__init__.py": tzdata,
  "time_zones/tzdata/zones.txt": zones,
};
