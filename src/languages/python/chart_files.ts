/** The files of `runtime/python/` that draw charts. */
import chartsRoom from "python/sandbox_runtime/charts/__init__.py" with { type: "text" };
import axes from "python/sandbox_runtime/charts/axes.py" with { type: "text" };
import dataRoom from "python/sandbox_runtime/charts/data/__init__.py" with { type: "text" };
import series from "python/sandbox_runtime/charts/data/series.py" with { type: "text" };
import table from "python/sandbox_runtime/charts/data/table.py" with { type: "text" };
import values from "python/sandbox_runtime/charts/data/values.py" with { type: "text" };
import draw from "python/sandbox_runtime/charts/draw.py" with { type: "text" };
import frame from "python/sandbox_runtime/charts/frame.py" with { type: "text" };
import header from "python/sandbox_runtime/charts/header.py" with { type: "text" };
import histogram from "python/sandbox_runtime/charts/histogram.py" with { type: "text" };
import marks from "python/sandbox_runtime/charts/marks.py" with { type: "text" };
import pictureRoom from "python/sandbox_runtime/charts/picture/__init__.py" with { type: "text" };
import canvas from "python/sandbox_runtime/charts/picture/canvas.py" with { type: "text" };
import font from "python/sandbox_runtime/charts/picture/font.py" with { type: "text" };
import glyphs from "python/sandbox_runtime/charts/picture/glyphs.py" with { type: "text" };
import outline from "python/sandbox_runtime/charts/picture/outline.py" with { type: "text" };
import raster from "python/sandbox_runtime/charts/picture/raster.py" with { type: "text" };
import scene from "python/sandbox_runtime/charts/picture/scene.py" with { type: "text" };
import svg from "python/sandbox_runtime/charts/picture/svg.py" with { type: "text" };
import thin from "python/sandbox_runtime/charts/picture/thin.py" with { type: "text" };
import withMatplotlib from "python/sandbox_runtime/charts/picture/with_matplotlib.py" with {
  type: "text",
};
import pie from "python/sandbox_runtime/charts/pie.py" with { type: "text" };
import render from "python/sandbox_runtime/charts/render.py" with { type: "text" };
import style from "python/sandbox_runtime/charts/style.py" with { type: "text" };
import ticks from "python/sandbox_runtime/charts/ticks.py" with { type: "text" };

/** Path below `runtime/python/` → text. */
export const CHART_FILES: Readonly<Record<string, string>> = {
  "sandbox_runtime/charts/__init__.py": chartsRoom,
  "sandbox_runtime/charts/axes.py": axes,
  "sandbox_runtime/charts/data/__init__.py": dataRoom,
  "sandbox_runtime/charts/data/series.py": series,
  "sandbox_runtime/charts/data/table.py": table,
  "sandbox_runtime/charts/data/values.py": values,
  "sandbox_runtime/charts/draw.py": draw,
  "sandbox_runtime/charts/frame.py": frame,
  "sandbox_runtime/charts/header.py": header,
  "sandbox_runtime/charts/histogram.py": histogram,
  "sandbox_runtime/charts/marks.py": marks,
  "sandbox_runtime/charts/picture/__init__.py": pictureRoom,
  "sandbox_runtime/charts/picture/canvas.py": canvas,
  "sandbox_runtime/charts/picture/font.py": font,
  "sandbox_runtime/charts/picture/glyphs.py": glyphs,
  "sandbox_runtime/charts/picture/outline.py": outline,
  "sandbox_runtime/charts/picture/raster.py": raster,
  "sandbox_runtime/charts/picture/scene.py": scene,
  "sandbox_runtime/charts/picture/svg.py": svg,
  "sandbox_runtime/charts/picture/thin.py": thin,
  "sandbox_runtime/charts/picture/with_matplotlib.py": withMatplotlib,
  "sandbox_runtime/charts/pie.py": pie,
  "sandbox_runtime/charts/render.py": render,
  "sandbox_runtime/charts/style.py": style,
  "sandbox_runtime/charts/ticks.py": ticks,
};
