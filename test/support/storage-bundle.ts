// The engine and its data folder as one bundle, for processes that tests start and kill.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { afterAll, beforeAll } from "vitest";
import { ROOT } from "./source-tree.js";

/** The folder that has the bundle while the tests of a file run. `name` is that of the file. */
export function storageBundle(name: string): string {
  // Within the repository, so that the packages are found.
  const folder = join(ROOT, "node_modules/.cache", `storage-${name}-${process.pid}`);
  beforeAll(async () => {
    const joined = await rolldown({
      input: { engine: join(ROOT, "src/api/search-engine.ts"), store: join(ROOT, "src/storage/store.ts") },
      platform: "node",
      external: /^[^./]/,
    });
    await joined.write({ dir: folder, format: "esm" });
    await joined.close();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
