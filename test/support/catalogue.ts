// The products of the demo.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonRecord } from "../../src/index.js";
import { ROOT } from "./source-tree.js";

const FOLDER = join(ROOT, "docs/demo/catalogue");

export const CATALOGUE: readonly (JsonRecord & { readonly title: string })[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".jsonl"))
  .sort()
  .flatMap((file) => readFileSync(join(FOLDER, file), "utf8").trim().split("\n"))
  .map((line) => JSON.parse(line) as JsonRecord & { readonly title: string });
