// Writes posting lists: entries that stand record after record are laid out term after term, and each term's become one list.

import type { Steps } from "../../base/slices.js";
import type { Postings } from "../postings.js";
import { ListCoder } from "./list-coder.js";
import { Pairs } from "./pairs.js";
import { NO_PLACES, PatternTree } from "./pattern-tree.js";

/** Postings, slot after slot, and the slots of one record after those of another. */
export interface PostingEntries {
  readonly size: number;
  readonly terms: Uint32Array;
  readonly freqs: Uint32Array;
  readonly docCount: number;
  /** The slots of record d are docSlots[d] … docSlots[d + 1] - 1. */
  readonly docSlots: Uint32Array;
  /** The entries of slot s are slotEntries[s] … slotEntries[s + 1] - 1. */
  readonly slotEntries: Uint32Array;
}

/** Entries between two pauses. */
const PAUSE_EVERY = 1 << 15;
/** Bits of an entry, about. */
const EXPECTED_BITS = 9;
/** Of each term its last record, and where the next one is put; side by side, because both are asked for. */
const HEAD = 2;
const LAST = 0;
const PLACE = 1;
const NONE = 0xffff_ffff;

/** The lists in the order of `order`, which has the terms that the entries name in their new order. */
export function* codePostings(
  entries: PostingEntries,
  order: Uint32Array,
): Steps<Pick<Postings, "size" | "starts" | "words" | "marks">> {
  const patterns = new PatternTree();
  const { heads, pairs } = yield* byTerm(entries, order, patterns);
  const coder = new ListCoder(entries.docCount, patterns, EXPECTED_BITS * entries.size);
  const { bits } = coder;
  const starts = new Uint32Array(order.length + 1);
  for (let term = 0, from = 0, written = 0; term < order.length; term++) {
    starts[term] = bits.length;
    const to = heads[HEAD * order[term]! + PLACE]!;
    // A term may stand in a title but in no field that is indexed.
    if (from < to) coder.write(pairs, from, to);
    written += 1 + to - from;
    from = to;
    if (written > PAUSE_EVERY) {
      written = 0;
      yield;
    }
  }
  starts[order.length] = bits.length;
  yield;
  return { starts, ...coder.finish() };
}

/** The records of each term with their patterns, term after term; `heads` by the number that the entries have for the term. */
function* byTerm(
  entries: PostingEntries,
  order: Uint32Array,
  patterns: PatternTree,
): Steps<{ readonly heads: Uint32Array; readonly pairs: Pairs }> {
  const heads = new Uint32Array(HEAD * order.length);
  for (let head = 0; head < heads.length; head += HEAD) heads[head + LAST] = NONE;
  yield;
  for (let doc = 0, seen = 0; doc < entries.docCount; doc++) {
    seen += countRecord(doc, entries, heads);
    if (seen > PAUSE_EVERY) {
      seen = 0;
      yield;
    }
  }
  let size = 0;
  for (let number = 0; number < order.length; number++) {
    const head = HEAD * order[number]!;
    const count = heads[head + PLACE]!;
    heads[head + LAST] = NONE;
    heads[head + PLACE] = size;
    size += count;
    if (number % PAUSE_EVERY === 0) yield;
  }
  const pairs = new Pairs(size);
  yield;
  for (let doc = 0, seen = 0; doc < entries.docCount; doc++) {
    seen += layRecord(doc, entries, heads, pairs, patterns);
    if (seen > PAUSE_EVERY) {
      seen = 0;
      yield;
    }
  }
  return { heads, pairs };
}

/** Counts a record for each of its terms, where their places will be; how many entries it has. */
function countRecord(doc: number, { terms, docSlots, slotEntries }: PostingEntries, heads: Uint32Array): number {
  const first = slotEntries[docSlots[doc]!]!;
  const end = slotEntries[docSlots[doc + 1]!]!;
  for (let entry = first; entry < end; entry++) {
    const head = HEAD * terms[entry]!;
    if (heads[head + LAST] === doc) continue;
    heads[head + LAST] = doc;
    heads[head + PLACE]!++;
  }
  return end - first;
}

/** Puts a record behind those before it in the lists of its terms; how many entries it has. */
function layRecord(
  doc: number,
  { terms, freqs, docSlots, slotEntries }: PostingEntries,
  heads: Uint32Array,
  pairs: Pairs,
  patterns: PatternTree,
): number {
  const [firstSlot, endSlot] = [docSlots[doc]!, docSlots[doc + 1]!];
  const first = slotEntries[firstSlot]!;
  let entry = first;
  for (let slot = firstSlot; slot < endSlot; slot++)
    for (const end = slotEntries[slot + 1]!; entry < end; entry++) {
      const head = HEAD * terms[entry]!;
      if (heads[head + LAST] === doc) {
        const last = heads[head + PLACE]! - 1;
        pairs.set(last, doc, patterns.with(pairs.patternAt(last), slot - firstSlot, freqs[entry]!));
      } else {
        heads[head + LAST] = doc;
        pairs.set(heads[head + PLACE]!++, doc, patterns.with(NO_PLACES, slot - firstSlot, freqs[entry]!));
      }
    }
  return entry - first;
}
