// A query as static-en reads it: a part that has synonyms means by half what they mean, and a word that no record holds leans on
// the five nearest words that records hold, which together count as much as the word itself.

import type { EmbedPartsOptions } from "../../base/extension-points.js";
import type { Task } from "../../base/tasks.js";
import { addRow, addText, atUnitLength } from "./add-words.js";
import { lengthOf, nearRows } from "./near-rows.js";
import { STATIC_EN_DIMENSIONS, type WordTable } from "./word-table.js";

const MOST_NEAR = 5;

/** The vector of a query; null where no word of it is known. */
export function* embedPartsSteps(
  table: WordTable,
  parts: readonly (readonly string[])[],
  { unheld, isHeld }: Pick<EmbedPartsOptions, "unheld" | "isHeld">,
): Task<Float32Array | null> {
  const sum = new Float64Array(STATIC_EN_DIMENSIONS);
  for (const texts of parts) {
    addPart(table, texts, sum);
    yield;
  }
  for (const word of unheld) yield* addNear(table, word, isHeld, sum);
  return atUnitLength(sum);
}

/** Adds what a part's own text adds by half, and by the other half the mean of its synonyms; of what is known alone, the whole. */
function addPart(table: WordTable, [own, ...synonyms]: readonly string[], sum: Float64Array): void {
  const [first] = own === undefined ? [] : known(table, [own]);
  const others = known(table, synonyms);
  const half = first !== undefined && others.length > 0 ? 0.5 : 1;
  if (first !== undefined) addTimes(first, half, sum);
  for (const other of others) addTimes(other, half / others.length, sum);
}

/** What each of the texts adds; texts without a known word are left out. */
function known(table: WordTable, texts: readonly string[]): Float64Array[] {
  return texts.flatMap((text) => {
    const own = new Float64Array(STATIC_EN_DIMENSIONS);
    return addText(table, text, own) > 0 ? [own] : [];
  });
}

function addTimes(vector: Float64Array, factor: number, sum: Float64Array): void {
  for (let i = 0; i < STATIC_EN_DIMENSIONS; i++) sum[i] = sum[i]! + vector[i]! * factor;
}

/** Adds the directions of the nearest held words, at the length of the word by their number. */
function* addNear(table: WordTable, word: string, isHeld: (word: string) => boolean, sum: Float64Array): Task<void> {
  const row = table.rowOf.get(word);
  if (row === undefined) return;
  const near: number[] = [];
  for (const other of yield* nearRows(table, row)) {
    if (near.length === MOST_NEAR) break;
    if (isHeld(table.words[other]!)) near.push(other);
    yield;
  }
  const length = table.scales[row]! * (yield* lengthOf(table, row));
  for (const other of near) addRow(table, other, sum, length / ((yield* lengthOf(table, other)) * near.length));
}
