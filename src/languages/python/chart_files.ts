/** The files of `runtime/` that draw charts. */
import init from "../../../runtime/sandbox_runtime/charts/__init__.py" with { type: "text" };
import axes from "../../../runtime/sandbox_runtime/charts/axes.py" with { type: "text" };
import canvas from "../../../runtime/sandbox_runtime/charts/canvas.py" with { type: "text" };
import draw from "../../../runtime/sandbox_runtime/charts/draw.py" with { type: "text" };
import font from "../../../runtime/sandbox_runtime/charts/font.py" with { type: "text" };
import frame from "../../../runtime/sandbox_runtime/charts/frame.py" with { type: "text" };
import glyphs from "../../../runtime/sandbox_runtime/charts/glyphs.py" with { type: "text" };
import header from "../../../runtime/sandbox_runtime/charts/header.py" with { type: "text" };
import histogram from "../../../runtime/sandbox_runtime/charts/histogram.py" with { type: "text" };
import marks from "../../../runtime/sandbox_runtime/charts/marks.py" with { type: "text" };
import outline from "../../../runtime/sandbox_runtime/charts/outline.py" with { type: "text" };
import pie from "../../../runtime/sandbox_runtime/charts/pie.py" with { type: "text" };
import png from "../../../runtime/sandbox_runtime/charts/png.py" with { type: "text" };
import raster from "../../../runtime/sandbox_runtime/charts/raster.py" with { type: "text" };
import render from "../../../runtime/sandbox_runtime/charts/render.py" with { type: "text" };
import scene from "../../../runtime/sandbox_runtime/charts/scene.py" with { type: "text" };
import series from "../../../runtime/sandbox_runtime/charts/series.py" with { type: "text" };
import style from "../../../runtime/sandbox_runtime/charts/style.py" with { type: "text" };
import svg from "../../../runtime/sandbox_runtime/charts/svg.py" with { type: "text" };
import table from "../../../runtime/sandbox_runtime/charts/table.py" with { type: "text" };
import thin from "../../../runtime/sandbox_runtime/charts/thin.py" with { type: "text" };
import ticks from "../../../runtime/sandbox_runtime/charts/ticks.py" with { type: "text" };
import timeTicks from "../../../runtime/sandbox_runtime/charts/time_ticks.py" with { type: "text" };
import values from "../../../runtime/sandbox_runtime/charts/values.py" with { type: "text" };
import withMatplotlib from "../../../runtime/sandbox_runtime/charts/with_matplotlib.py" with {
  type: "text",
};

/** Path below `runtime/` → text. */
export const CHART_FILES: Readonly<Record<string, string>> = {
  "sandbox_runtime/charts/__init__.py": init,
  "sandbox_runtime/charts/axes.py": axes,
  "sandbox_runtime/charts/canvas.py": canvas,
  "sandbox_runtime/charts/draw.py": draw,
  "sandbox_runtime/charts/font.py": font,
  "sandbox_runtime/charts/frame.py": frame,
  "sandbox_runtime/charts/glyphs.py": glyphs,
  "sandbox_runtime/charts/header.py": header,
  "sandbox_runtime/charts/histogram.py": histogram,
  "sandbox_runtime/charts/marks.py": marks,
  "sandbox_runtime/charts/outline.py": outline,
  "sandbox_runtime/charts/pie.py": pie,
  "sandbox_runtime/charts/png.py": png,
  "sandbox_runtime/charts/raster.py": raster,
  "sandbox_runtime/charts/render.py": render,
  "sandbox_runtime/charts/scene.py": scene,
  "sandbox_runtime/charts/series.py": series,
  "sandbox_runtime/charts/style.py": style,
  "sandbox_runtime/charts/svg.py": svg,
  "sandbox_runtime/charts/table.py": table,
  "sandbox_runtime/charts/thin.py": thin,
  "sandbox_runtime/charts/ticks.py": ticks,
  "sandbox_runtime/charts/time_ticks.py": timeTicks,
  "sandbox_runtime/charts/values.py": values,
  "sandbox_runtime/charts/with_matplotlib.py": withMatplotlib,
};
