// Bundles before the tests, unless dist is newer than all that it is made of.

import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const MADE_OF = ["src", "playground", "scripts", "assembly", "docs/demo", "package.json", "package-lock.json"];
/** What is written last. */
const LAST = "dist/playground/index.html";

/** The latest change of a file or folder, in milliseconds; of a folder, of all in it, and of its list of names. */
function changedAt(path) {
  const { mtimeMs } = statSync(path);
  const names = statSync(path).isDirectory() ? readdirSync(path, { recursive: true, encoding: "utf8" }) : [];
  return Math.max(mtimeMs, ...names.map((name) => statSync(join(path, name)).mtimeMs));
}

if (!existsSync(LAST) || changedAt(LAST) < Math.max(...MADE_OF.map(changedAt))) await import("./bundle.mjs");
