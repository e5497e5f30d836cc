// The lists of a query's terms over all segments of a corpus, made when first asked for and found at once afterwards: one
// look-up a term, however many segments there are. A corpus never changes, so what was made of it stays right.

import type { Task } from "../../base/tasks.js";
import { alternativesKey, type QueryTerm } from "../query-term.js";
import type { SearchableSegment } from "../searchable-segment.js";
import { TermLists } from "./aging/term-lists.js";
import { impactsOf } from "./impact-view.js";
import { KeptLists } from "./kept-lists.js";

/** What lists are made of. */
export interface ListedCorpus {
  readonly segments: readonly SearchableSegment[];
  readonly k1: number;
}

/** A term besides its lists, in entries of four bytes as these: its key, some places a segment. */
const TERM_COST = 64;
const SEGMENT_COST = 8;
/** Kept of the smallest corpus. */
const LEAST_ROOM = 1 << 14;

/** The lists of a term. */
export interface CorpusLists {
  readonly lists: TermLists;
  /** Living records that hold it. */
  readonly docFreq: number;
}

const stores = new WeakMap<ListedCorpus, KeptLists<string, CorpusLists>>();

/** The lists of a term, and how many hold it. */
export function* listsOf(corpus: ListedCorpus, term: QueryTerm): Task<CorpusLists> {
  let store = stores.get(corpus);
  if (store === undefined) {
    // No more entries than there are postings; segments keep lists of their own, nearly all of them the same ones.
    const postings = corpus.segments.reduce((total, segment) => total + segment.postings.size, 0);
    store = new KeptLists(Math.max(LEAST_ROOM, postings));
    stores.set(corpus, store);
  }
  const key = alternativesKey(term);
  const known = store.get(key);
  if (known !== undefined && !known.lists.isWorn) return known;
  const lists = new TermLists(term);
  let docFreq = 0;
  let cost = TERM_COST + key.length + SEGMENT_COST * corpus.segments.length;
  for (const segment of corpus.segments) {
    const view = impactsOf(segment, corpus.k1);
    let made = view.knownList(term, key);
    if (made === undefined) {
      made = yield* view.makeList(term, key);
      yield;
    }
    lists.add(view, made);
    if (made === null) continue;
    docFreq += made.list.holders.living(segment.deletedDocs);
    cost += made.list.cost;
  }
  const found = { lists, docFreq };
  store.keep(key, found, cost);
  return found;
}
