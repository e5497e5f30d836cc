// A file with a twin for browsers, `*.browser.ts`, and its twin are one interface.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { openStore, snapshotFiles } from "../../src/storage/disk.browser.js";
import { ROOT, readSourceTree } from "../support/source-tree.js";

const END = ".browser.ts";
const TWINS = readSourceTree().filter(({ path }) => path.endsWith(END));

it.each(TWINS.map(({ path }) => [path]))("%s exports the names of the file that it replaces", async (path) => {
  const replaced = join(ROOT, "src", path.replace(END, ".ts"));
  expect(existsSync(replaced)).toBe(true);
  const [twin, original] = await Promise.all([
    import(pathToFileURL(join(ROOT, "src", path)).href),
    import(pathToFileURL(replaced).href),
  ]);
  expect(Object.keys(twin).sort()).toEqual(Object.keys(original).sort());
});

it("a browser opens no folder and no file", async () => {
  const options = { folder: "data", readOnly: false, durability: "sync" as const, warn: () => {} };
  await expect(openStore(options)).rejects.toMatchObject({ code: 400, error: "invalid_option", param: "dataDir" });
  for (const operation of ["makeFolder", "list", "remove", "syncFolder"] as const)
    await expect(snapshotFiles[operation]("data")).rejects.toMatchObject({ code: 500, error: "storage_failed" });
  expect(snapshotFiles.watchFolder("data", () => {})).toBeTypeOf("function");
});
