// How many titles of a segment hold each term: counted once, and followed as records die.

import { DocSet } from "../../base/doc-set.js";
import { GrowableUint32 } from "../../base/growable.js";
import type { Steps } from "../../base/slices.js";
import type { Postings } from "../postings.js";
import type { SearchableSegment } from "../searchable-segment.js";
import { isFirstOfPart, readTitle, titleNumber } from "./title-table.js";

/** Titles counted between two pauses. */
const PAUSE_EVERY = 1 << 12;

/** By term: how many titles hold it as the first term of a part. */
interface Counts {
  /** Over all records. */
  readonly all: Uint32Array;
  /** The same without the dead ones. */
  living?: { readonly dead: DocSet; readonly counts: Uint32Array };
}

const countsOf = new WeakMap<Postings, Counts>();

/** By term: how many titles of living records hold it. Never changed afterwards. */
export function* livingCounts({ postings, dead }: Pick<SearchableSegment, "postings" | "dead">): Steps<Uint32Array> {
  let counts = countsOf.get(postings);
  if (counts === undefined) {
    counts = { all: new Uint32Array(postings.names.size) };
    yield* countTitles(postings, counts.all, 1, new DocSet(postings.docCount).fill().toArray());
    countsOf.set(postings, counts);
  }
  if (dead === null) return counts.all;
  const { living } = counts;
  if (living?.dead === dead) return living.counts;
  // Who is dead once stays so: a query of an older state is the only one that knows of fewer.
  const before = living !== undefined && includes(dead, living.dead) ? living : undefined;
  const next = (before?.counts ?? counts.all).slice();
  const died = before === undefined ? dead : dead.copy().andNot(before.dead);
  yield* countTitles(postings, next, -1, died.toArray());
  counts.living = { dead, counts: next };
  return next;
}

/** The memory that the counts of a segment take; 0 before they are made. */
export function countBytes(postings: Postings): number {
  const counts = countsOf.get(postings);
  return counts === undefined ? 0 : counts.all.byteLength + (counts.living?.counts.byteLength ?? 0);
}

function includes(all: DocSet, some: DocSet): boolean {
  return some.words.every((word, i) => (word & ~all.words[i]!) === 0);
}

/** Adds `sign` for each word of each of the records' titles, once a title. */
function* countTitles({ titles, names }: Postings, counts: Uint32Array, sign: 1 | -1, docs: Uint32Array): Steps<void> {
  const { terms } = titles;
  const entries = new GrowableUint32();
  /** Of each term the last title it was counted in, from 1. */
  const last = new Uint32Array(names.size);
  for (const [i, doc] of docs.entries()) {
    if (i % PAUSE_EVERY === 0) yield;
    readTitle(titles, doc, entries);
    for (let at = 0; at < entries.length; at++) {
      const entry = entries.array[at]!;
      const term = terms[titleNumber(entry)]!;
      if (!isFirstOfPart(entry) || last[term] === doc + 1) continue;
      last[term] = doc + 1;
      counts[term]! += sign;
    }
  }
}
