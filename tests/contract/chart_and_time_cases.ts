/** The contract's part on charts and time: the same on every engine, whatever the image has installed. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import type { EngineTarget } from "../support/engines.ts";
import { engineCase, printsCase } from "./case.ts";

/** Registers the cases. */
export function chartAndTimeCases(target: EngineTarget): void {
  const check = (name: string, code: string, stdout: string) =>
    printsCase(target, name, code, stdout);

  check(
    "zoneinfo knows the time zones",
    "from zoneinfo import ZoneInfo, available_timezones\nfrom datetime import datetime, timezone\n" +
      "at = datetime(2026, 3, 29, 1, 0, tzinfo=timezone.utc)\n" +
      "print(at.astimezone(ZoneInfo('Europe/Berlin')), len(available_timezones()) > 400)\n" +
      "print(at.astimezone(ZoneInfo('America/Argentina/Ushuaia')).strftime('%H:%M %Z'))",
    "2026-03-29 03:00:00+02:00 True\n22:00 -03\n",
  );
  check(
    "zoneinfo knows them without any on the system",
    "import zoneinfo\nfrom datetime import datetime\nzoneinfo.reset_tzpath([])\n" +
      "zone = zoneinfo.ZoneInfo.no_cache('Asia/Kathmandu')\n" +
      "print(datetime(2026, 1, 1, tzinfo=zone).isoformat(), len(zoneinfo.available_timezones()) > 400)\n" +
      "try:\n  zoneinfo.ZoneInfo('Mars/Phobos')\nexcept zoneinfo.ZoneInfoNotFoundError as e:\n  print(e)",
    "2026-01-01T00:00:00+05:45 True\n'No time zone found with key Mars/Phobos'\n",
  );
  check(
    "now, convert_time and list_timezones are at hand, awaited or not",
    "print(now().tzinfo, runtime.now is now, (await now('Berlin')).tzinfo)\n" +
      "print(convert_time('2026-07-01T12:00', 'New York'), list_timezones('arctic'))",
    "UTC True Europe/Berlin\n2026-07-01 08:00:00-04:00 ['Arctic/Longyearbyen']\n",
  );
  engineCase(target, "an unknown time zone gets a suggestion", async ({ session }) => {
    const { error } = await session.run("now('Europe/Berln')");
    assertStringIncludes(error ?? "", "did you mean 'Europe/Berlin'?");
  });
  check(
    "a chart is a PNG and an SVG",
    "rows = [{'city': 'Rome', 'temp': 21}, {'city': 'Oslo', 'temp': 9}]\n" +
      "c = render_chart(rows, 'bar', x='city', y='temp', title='Tempé rature')\n" +
      "import xml.dom.minidom\nxml.dom.minidom.parseString(c.svg)\n" +
      "print(c, c.png[:8] == b'\\x89PNG\\r\\n\\x1a\\n', await render_chart([1, 2], name='two.png'))",
    "<Chart tempe-rature.png, tempe-rature.svg> True <Chart two.png, two.svg>\n",
  );
  engineCase(target, "a chart is an image and two files of the run", async ({ session }) => {
    const result = await session.run(
      "rows = [{'city': 'Rome', 'temp': 21}, {'city': 'Oslo', 'temp': 9}]\n" +
        "chart = render_chart(rows, 'bar', x='city', y=['temp'], title='Warm')\n" +
        "show(chart);\nrender_chart({'a': 1}, 'pie', name='pies/one');",
    );
    assertEquals([result.status, result.stdout, result.stderr, result.notes], [
      "success",
      "",
      "",
      [],
    ]);
    assertEquals(result.artifacts.map(({ name, mimeType }) => [name, mimeType]), [
      ["warm.svg", "image/svg+xml"],
      ["warm.png", "image/png"],
      ["pies/one.svg", "image/svg+xml"],
      ["pies/one.png", "image/png"],
    ]);
    assertEquals(result.images?.map(({ mimeType }) => mimeType), ["image/png", "image/png"]);
    const [first] = result.images!;
    const png = Uint8Array.fromBase64(first!.data);
    assertEquals(new TextDecoder("latin1").decode(png.subarray(1, 4)), "PNG");
    const again = await session.run("show(chart);");
    assertEquals(again.images?.map(({ data }) => data), [first!.data]);
  });
  check(
    "a chart of a hundred thousand points is one outline, and small",
    "import math, struct, xml.etree.ElementTree as ET\n" +
      "c = render_chart([math.sin(i * i) for i in range(100_000)], 'line')\n" +
      "paths = [p.get('d') for p in ET.fromstring(c.svg).iter('{http://www.w3.org/2000/svg}path')]\n" +
      "print(struct.unpack('>II', c.png[16:24]), len(c.png) < 2_000_000)\n" +
      "print([1_000 < len(path) < 100_000 for path in paths])",
    "(1600, 1000) True\n[True]\n",
  );
  engineCase(
    target,
    "a chart of a column that is not there says which are",
    async ({ session }) => {
      const { error } = await session.run("render_chart([{'city': 1}], 'bar', x='cty', y='city')");
      assertStringIncludes(
        error ?? "",
        "There is no column 'cty' for x: did you mean 'city'? The columns are 'city'",
      );
    },
  );
}
