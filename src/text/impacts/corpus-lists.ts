// The lists of a query's terms over all segments of a corpus, made when first asked for and found at once afterwards: one
// look-up a term, however many segments there are. A corpus never changes, so what was made of it stays right.

import type { Steps } from "../../base/slices.js";
import { alternativesKey, type QueryTerm } from "../query-term.js";
import type { SearchableSegment } from "../searchable-segment.js";
import type { ImpactList } from "./impact-list.js";
import { impactsOf } from "./impact-view.js";
import { KeptLists } from "./kept-lists.js";

/** What lists are made of. */
export interface ListedCorpus {
  readonly segments: readonly SearchableSegment[];
  readonly k1: number;
}

/** The holders of one term. */
export interface TermLists {
  /** By segment; null: nobody holds it there. */
  readonly lists: readonly (ImpactList | null)[];
  /** Living records that hold it. */
  readonly docFreq: number;
}

/** A term besides its lists, in entries of four bytes as these: its key, a place a segment. */
const TERM_COST = 64;
/** Kept of the smallest corpus. */
const LEAST_ROOM = 1 << 14;

const stores = new WeakMap<ListedCorpus, KeptLists<string, TermLists>>();

/** The lists of a term. */
export function* listsOf(corpus: ListedCorpus, term: QueryTerm): Steps<TermLists> {
  let store = stores.get(corpus);
  if (store === undefined) {
    // No more entries than there are postings; segments keep lists of their own, nearly all of them the same ones.
    const postings = corpus.segments.reduce((total, segment) => total + segment.postings.size, 0);
    store = new KeptLists(Math.max(LEAST_ROOM, postings));
    stores.set(corpus, store);
  }
  const key = alternativesKey(term);
  const known = store.get(key);
  if (known !== undefined) return known;
  const lists: (ImpactList | null)[] = [];
  let docFreq = 0;
  let cost = TERM_COST + key.length + corpus.segments.length;
  for (const segment of corpus.segments) {
    const list = yield* impactsOf(segment, corpus.k1).listOf(term, key);
    lists.push(list);
    yield;
    if (list === null) continue;
    docFreq += list.holders.living(segment.dead);
    cost += list.cost;
  }
  const made = { lists, docFreq };
  store.keep(key, made, cost);
  return made;
}
