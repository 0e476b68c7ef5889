import { assertEquals, assertRejects } from "@std/assert";
import { savedTools } from "../../../src/cli/saved_tools.ts";
import { AppError } from "../../../src/shared/errors.ts";
import { SavedToolStore } from "../../../src/store/records/saved_tool_store.ts";
import { inFolder } from "../../support/temp_folder.ts";

async function errorOf(words: string[], stateDir: string): Promise<string> {
  return (await assertRejects(() => savedTools(words, stateDir), AppError)).describe();
}

Deno.test("savedTools() lists what was kept and deletes one, whatever its source is", () =>
  inFolder(async (folder) => {
    assertEquals(await savedTools([], folder), "No saved tools\n");
    const store = new SavedToolStore(folder);
    const kept = {
      signature: "area(r)",
      description: "Of a \x1b[31mcircle",
      source: "a" + ".b".repeat(60_000),
    };
    await store.save("area", kept);
    await store.save("bare", { signature: "bare()", description: "", source: "def bare(): pass" });
    assertEquals(await savedTools([], folder), "area(r): Of a circle\nbare()\n");
    assertEquals(
      await savedTools(["delete", "area"], folder),
      'Deleted the saved tool "area"\n',
    );
    assertEquals(await savedTools([], folder), "bare()\n");
  }));

Deno.test("savedTools() refuses other words, and names that nothing has, with the next step", () =>
  inFolder(async (folder) => {
    const usage =
      '\n  hint: Write "mcp-bridge saved-tools" or "mcp-bridge saved-tools delete <name>"';
    assertEquals(
      await errorOf(["delete"], folder),
      'Cannot use "delete" after saved-tools' + usage,
    );
    assertEquals(
      await errorOf(["remove", "x"], folder),
      'Cannot use "remove" "x" after saved-tools' + usage,
    );
    const tool = { signature: "area()", description: "", source: "def area(): pass" };
    await new SavedToolStore(folder).save("area", tool);
    assertEquals(
      await errorOf(["delete", "areas"], folder),
      'There is no saved tool "areas"\n  hint: Did you mean "area"?',
    );
  }));
