// Folders on the real disk that are gone after the tests of a file.

import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { type OpenOptions, SearchEngine } from "../../src/index.js";

/** Makes paths at which nothing is yet, beneath a folder that is removed at the end. */
export function tempPaths(): (name?: string) => string {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "tandem-folders-")));
  afterAll(() => rmSync(base, { recursive: true, force: true }));
  let made = 0;
  return (name = "data") => join(base, `${++made}-${name}`);
}

/** Opens a folder with neither an embedder nor warnings of the process. */
export function openAt(dataDir: string, options: Partial<OpenOptions> = {}): Promise<SearchEngine> {
  return SearchEngine.open({ embedder: false, onWarning: () => {}, ...options, dataDir });
}
