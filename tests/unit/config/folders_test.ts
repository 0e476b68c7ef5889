import { assertEquals } from "@std/assert";
import { defaultFolders, expandHome } from "../../../src/config/folders.ts";

Deno.test("defaultFolders() follows XDG on Linux", () => {
  const env = { HOME: "/home/a", XDG_STATE_HOME: "/s", XDG_CACHE_HOME: "/c" };
  assertEquals(defaultFolders("linux", env), { state: "/s/mcp-bridge", cache: "/c/mcp-bridge" });
});

Deno.test("defaultFolders() uses the home folder on Linux without XDG", () => {
  const expected = { state: "/home/a/.local/state/mcp-bridge", cache: "/home/a/.cache/mcp-bridge" };
  assertEquals(defaultFolders("linux", { HOME: "/home/a" }), expected);
  assertEquals(
    defaultFolders("linux", { HOME: "/home/a", XDG_STATE_HOME: "", XDG_CACHE_HOME: "relative" }),
    expected,
  );
});

Deno.test("defaultFolders() uses Library on macOS", () => {
  assertEquals(defaultFolders("darwin", { HOME: "/Users/a", XDG_STATE_HOME: "/s" }), {
    state: "/Users/a/Library/Application Support/mcp-bridge",
    cache: "/Users/a/Library/Caches/mcp-bridge",
  });
});

Deno.test("defaultFolders() uses LOCALAPPDATA on Windows", () => {
  const expected = {
    state: "C:\\Users\\a\\AppData\\Local\\mcp-bridge\\state",
    cache: "C:\\Users\\a\\AppData\\Local\\mcp-bridge\\cache",
  };
  assertEquals(
    defaultFolders("windows", { LOCALAPPDATA: "C:\\Users\\a\\AppData\\Local" }),
    expected,
  );
  assertEquals(defaultFolders("windows", { USERPROFILE: "C:\\Users\\a" }), expected);
});

Deno.test("defaultFolders() gives none when no home is known", () => {
  assertEquals(defaultFolders("linux", {}), {});
  assertEquals(defaultFolders("darwin", {}), {});
  assertEquals(defaultFolders("windows", {}), {});
});

Deno.test("expandHome() replaces a leading tilde only", () => {
  assertEquals(expandHome("~/state", { HOME: "/home/a" }), "/home/a/state");
  assertEquals(expandHome("~", { HOME: "/home/a" }), "/home/a");
  assertEquals(expandHome("~bob/state", { HOME: "/home/a" }), "~bob/state");
  assertEquals(expandHome("/x/~/y", { HOME: "/home/a" }), "/x/~/y");
  assertEquals(expandHome("~/state", {}), "~/state");
});
