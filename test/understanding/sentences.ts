// Sentences of shoppers with the intent that they should be read as, and the catalogues that they stand on. Half of them are set aside
// for one run at the end: UNDERSTANDING=aside reads those.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { IndexSettings, Intent, IntentKind, JsonRecord } from "../../src/index.js";
import { ROOT } from "../support/source-tree.js";

/** A sentence of a shopper. */
export interface Sentence extends Omit<Intent, "original"> {
  readonly id: string;
  readonly half: "dev" | "aside";
  readonly group: string;
  readonly catalogue: string;
  readonly text: string;
}

/** A small shop. */
export interface Catalogue {
  readonly name: string;
  readonly settings: IndexSettings;
  readonly records: readonly JsonRecord[];
}

export const KINDS: readonly IntentKind[] = ["price", "number", "exclusion", "value", "order", "purpose"];

const linesOf = <T>(name: string): T[] =>
  readFileSync(join(ROOT, "test/understanding", name), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as T);

/** The sentences of one half. */
export function readSentences(half: Sentence["half"]): readonly Sentence[] {
  return linesOf<Sentence>("sentences.jsonl").filter((sentence) => sentence.half === half);
}

interface CatalogueLine {
  readonly catalogue: string;
  readonly settings?: IndexSettings;
  readonly record?: JsonRecord;
}

/** All catalogues. */
export function readCatalogues(): readonly Catalogue[] {
  const lines = linesOf<CatalogueLine>("catalogues.jsonl");
  return lines
    .filter(({ settings }) => settings !== undefined)
    .map(({ catalogue, settings }) => ({
      name: catalogue,
      settings: settings!,
      records: lines.flatMap((line) =>
        line.catalogue === catalogue && line.record !== undefined ? [line.record] : [],
      ),
    }));
}
