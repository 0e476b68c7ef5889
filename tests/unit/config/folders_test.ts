import { assertEquals, assertThrows } from "@std/assert";
import { defaultFolders, resolvePath } from "../../../src/config/folders.ts";
import { AppError } from "../../../src/shared/errors.ts";

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

Deno.test("defaultFolders() takes a relative home for none: what is kept would lie where somebody works", () => {
  const relative = {
    HOME: "home",
    XDG_STATE_HOME: "./s",
    XDG_CACHE_HOME: "c",
    LOCALAPPDATA: "AppData\\Local",
    USERPROFILE: "me",
  };
  for (const os of ["linux", "darwin", "windows"] as const) {
    assertEquals(defaultFolders(os, relative), {}, os);
  }
  assertEquals(defaultFolders("linux", { ...relative, HOME: "/home/a" }), {
    state: "/home/a/.local/state/mcp-bridge",
    cache: "/home/a/.cache/mcp-bridge",
  });
});

Deno.test("resolvePath() replaces a leading tilde only, and makes every path absolute", () => {
  const resolve = (path: string, home?: string) =>
    resolvePath(path, home === undefined ? {} : { HOME: home }, () => "/cwd");
  assertEquals(resolve("~/state", "/home/a"), "/home/a/state");
  assertEquals(resolve("~", "/home/a"), "/home/a");
  assertEquals(resolve("~bob/state", "/home/a"), "/cwd/~bob/state");
  assertEquals(resolve("/x/~/y", "/home/a"), "/x/~/y");
  for (const home of [undefined, "", "relative"]) {
    assertThrows(() => resolve("~/state", home), AppError, 'Cannot use "~/state": no home folder');
  }
  assertEquals(resolve("cache", "/home/a"), "/cwd/cache");
  assertEquals(resolve("C:\\cache"), "C:\\cache");
});
