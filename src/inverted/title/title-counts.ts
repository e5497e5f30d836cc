// How many titles of the living records of a segment hold each term: those of all, less those of the deletedDocs, followed as records
// die.

import type { DocSet } from "../../util/doc-set.js";
import { GrowableUint32, type NarrowArray } from "../../util/growable.js";
import type { Task } from "../../util/tasks.js";
import type { Postings } from "../postings.js";
import type { SearchableSegment } from "../searchable-segment.js";
import { isFirstOfPart, readTitle, type TitleTable, titleNumber } from "./title-table.js";

/** Titles counted between two pauses. */
const PAUSE_EVERY = 1 << 12;

interface LivingCounts {
  readonly deletedDocs: DocSet;
  readonly counts: Uint32Array;
}

const known = new WeakMap<Postings, LivingCounts>();

/** By number of a term among titles: how many titles of living records hold it. Never changed afterwards. */
export function* livingCounts({
  postings,
  deletedDocs,
}: Pick<SearchableSegment, "postings" | "deletedDocs">): Task<NarrowArray> {
  if (deletedDocs === null) return postings.titles.holders;
  const last = known.get(postings);
  if (last?.deletedDocs === deletedDocs) return last.counts;
  // Who is deletedDocs once stays so: a query of an older state is the only one that knows of fewer.
  const before = last !== undefined && includes(deletedDocs, last.deletedDocs) ? last : undefined;
  const died = before === undefined ? deletedDocs : deletedDocs.copy().andNot(before.deletedDocs);
  const counts = Uint32Array.from(before?.counts ?? postings.titles.holders);
  yield* takeOut(postings.titles, died.toArray(), counts);
  known.set(postings, { deletedDocs, counts });
  return counts;
}

/** The memory that the counts of a segment take; 0 before they are made. */
export function countBytes(postings: Postings): number {
  return known.get(postings)?.counts.byteLength ?? 0;
}

function includes(all: DocSet, some: DocSet): boolean {
  return some.words.every((word, i) => (word & ~all.words[i]!) === 0);
}

/** Takes the titles of some records out of the counts. */
function* takeOut(titles: TitleTable, docs: Uint32Array, counts: Uint32Array): Task<void> {
  const entries = new GrowableUint32();
  for (const [i, doc] of docs.entries()) {
    if (i % PAUSE_EVERY === 0) yield;
    readTitle(titles, doc, entries);
    const counted = new Set<number>();
    for (let at = 0; at < entries.length; at++) {
      const entry = entries.array[at]!;
      if (isFirstOfPart(entry)) counted.add(titleNumber(entry));
    }
    for (const number of counted) counts[number]!--;
  }
}
