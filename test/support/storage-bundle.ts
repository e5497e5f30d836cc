// Engines as one bundle, for processes that tests start and kill.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { afterAll, beforeAll } from "vitest";
import { ROOT } from "./source-tree.js";

const STORAGE = { engine: "src/api/search-engine.ts", store: "src/storage/store.ts" };

/** The folder that has the bundle of some sources while the tests of a file run. `name` is that of the file. */
export function storageBundle(name: string, sources: Readonly<Record<string, string>> = STORAGE): string {
  // Within the repository, so that the packages are found.
  const folder = join(ROOT, "node_modules/.cache", `storage-${name}-${process.pid}`);
  beforeAll(async () => {
    const joined = await rolldown({
      input: Object.fromEntries(Object.entries(sources).map(([entry, path]) => [entry, join(ROOT, path)])),
      platform: "node",
      external: /^[^./]/,
    });
    await joined.write({ dir: folder, format: "esm" });
    await joined.close();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
