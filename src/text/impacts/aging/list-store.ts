// What is kept of a segment's terms whatever mean lengths are: which kinds there are, and lists, which outlive the norms they were
// made under.

import type { Postings } from "../../postings.js";
import type { FieldNorms } from "../../searchable-segment.js";
import type { TermKinds } from "../join-lists.js";
import type { KindSource } from "../joined-kinds.js";
import { KeptLists } from "../kept-lists.js";
import { readKinds } from "../read-kinds.js";
import { MadeList } from "./made-list.js";

/** Shorter lists are read again each time, which costs less than keeping them. */
const SHORTEST_KEPT = 32;
/** A posting of a segment makes room for so many entries of four bytes … */
const ENTRIES = 2;
/** … and the smallest segment has room for so many. */
const LEAST_ROOM = 1 << 14;
/** A joined list besides what is in it: its objects. */
const JOINED_COST = 64;
const STEP_COST = 2.5;
/** That nobody holds a term. */
const NOBODY_COST = 32;

/** The lists of a segment's terms, and of terms of queries that have alternatives, for those fields that are searched. */
export class ListStore {
  /** By key of a query's term; and by number of an index term that is a part of some. */
  private readonly kept: KeptLists<number | string, MadeList | TermKinds | null>;

  constructor(postings: Postings) {
    this.kept = new KeptLists(Math.max(LEAST_ROOM, ENTRIES * postings.size));
  }

  /** Null: nobody holds the term; undefined: no list is kept. */
  listOf(key: string): MadeList | null | undefined {
    const found = this.kept.get(key);
    return found == null || found instanceof MadeList ? found : undefined;
  }

  keepList(key: string, made: MadeList | null): void {
    this.kept.keep(
      key,
      made,
      key.length + (made === null ? NOBODY_COST : made.list.cost + sourceCost(made.kinds.source)),
    );
  }

  /** The kinds of an index term that is a part of others. */
  partOf(postings: Postings, norms: Float64Array, term: number): TermKinds | null {
    const known = this.kept.get(term);
    if (known != null && !(known instanceof MadeList)) return known;
    const kinds = readKinds(postings, norms, term);
    if (kinds !== null && kinds.kinds.length >= SHORTEST_KEPT) this.kept.keep(term, kinds, kinds.kinds.length);
    return kinds;
  }

  /** The same of one that is all of a term: whoever asks keeps its list. */
  wholeOf(postings: Postings, norms: Float64Array, term: number): TermKinds | null {
    const known = this.kept.get(term);
    return known != null && !(known instanceof MadeList) ? known : readKinds(postings, norms, term);
  }
}

/** In entries of four bytes. */
function sourceCost(source: KindSource): number {
  if (!("alternatives" in source)) return 0;
  const met = source.alternatives.reduce((sum, way) => sum + (way.met?.length ?? 0), 0);
  return JOINED_COST + STEP_COST * source.ways.length + source.last.length + met / 2;
}

const stores = new WeakMap<Postings, Map<string, ListStore>>();
/** Sets of searched fields for which kinds and lists are kept. */
const MOST_STORES = 4;

/** The store of a segment, for the fields that weigh something, and impacts that saturate so. */
export function listStoreOf(postings: Postings, { weights, titleWeights }: FieldNorms, k1: number): ListStore {
  let byFields = stores.get(postings);
  if (byFields === undefined) {
    byFields = new Map();
    stores.set(postings, byFields);
  }
  const searched = [...weights, ...titleWeights].map((weight) => (weight === 0 ? "0" : "1")).join("");
  const key = `${searched} ${k1}`;
  let store = byFields.get(key);
  if (store === undefined) {
    if (byFields.size >= MOST_STORES) byFields.clear();
    store = new ListStore(postings);
    byFields.set(key, store);
  }
  return store;
}
