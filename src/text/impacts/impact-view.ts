// The impact lists of one segment under one set of norms, made when asked for. Which kinds there are is kept and outlives the
// norms: when mean lengths change with the next write, only kinds are calculated anew.

import { joinKeys } from "../../base/json.js";
import type { Steps } from "../../base/slices.js";
import { lengthNorm } from "../bm25.js";
import { FIELD_MASK, type Postings, TITLE_BIT } from "../postings.js";
import type { QueryTerm } from "../query-term.js";
import type { FieldNorms, SearchableSegment } from "../searchable-segment.js";
import { ImpactList } from "./impact-list.js";
import { joinAlternatives, type TermKinds } from "./join-lists.js";
import { type JoinedKinds, joinedFrequencies, type NormsWithout } from "./joined-kinds.js";
import { KeptLists } from "./kept-lists.js";
import { frequenciesOf, type KindList, readKinds } from "./read-kinds.js";
import type { WeighedList } from "./weighed-list.js";

/** Shorter lists are read again each time, which costs less than keeping them. */
const SHORTEST_KEPT = 32;
/** A joined list besides what is in it: its objects. */
const JOINED_COST = 64;
const STEP_COST = 2.5;
/** That nobody holds a term. */
const NOBODY_COST = 32;

const views = new WeakMap<FieldNorms, ImpactView>();

/** The impact lists of a segment. A query that began under older norms keeps its own lists: none is ever changed. */
export function impactsOf({ postings, fields }: SearchableSegment, k1: number): ImpactView {
  const known = views.get(fields);
  if (known?.postings === postings && known.k1 === k1) return known;
  const view = new ImpactView(postings, fields, k1);
  views.set(fields, view);
  return view;
}

/** Lists by term, for one segment and one set of norms. */
export class ImpactView {
  readonly postings: Postings;
  readonly k1: number;
  private readonly fields: FieldNorms;
  /** What an occurrence in a field of each shape counts. */
  private readonly norms: Float64Array;
  private readonly kinds: KindStore;
  private readonly lists: KeptLists<string, ImpactList | null>;
  private readonly narrower = new Map<string, ImpactView>();
  private readonly normsWithout: NormsWithout = (notIn) => this.without(notIn).norms;

  constructor(postings: Postings, fields: FieldNorms, k1: number) {
    this.postings = postings;
    this.fields = fields;
    this.k1 = k1;
    this.norms = normsOf(postings, fields);
    this.kinds = kindStoreOf(postings, fields);
    this.lists = new KeptLists(postings.size);
  }

  /**
   * The holders of a term of a query; null: nobody. Of several alternatives the best counts; of several parts the least. `key`
   * tells the alternatives from all others.
   */
  *holdersOf({ alternatives }: QueryTerm, key: string): Steps<WeighedList | null> {
    const [first] = alternatives;
    if (alternatives.length === 1 && first!.terms.length === 1 && first!.weight === 1)
      return this.without(first!.notIn).single(first!.terms[0]!);
    const found = yield* this.joined(alternatives, key);
    if (found === null) return null;
    const { holders, kinds } = found;
    const frequencies = isJoined(found)
      ? joinedFrequencies(found.source, this.normsWithout)
      : frequenciesOf(this.norms, found.source);
    return { holders, kinds, frequencies };
  }

  /** The same with what they earn. */
  *listOf(term: QueryTerm, key: string): Steps<ImpactList | null> {
    const known = this.lists.get(key);
    if (known !== undefined) return known;
    const weighed = yield* this.holdersOf(term, key);
    const list = weighed === null ? null : new ImpactList(weighed, this.k1);
    this.lists.keep(key, list, key.length + (list?.cost ?? NOBODY_COST));
    return list;
  }

  /** The holders of one index term. */
  private single(text: string): WeighedList | null {
    const found = this.kindsOf(text);
    if (found === null) return null;
    const { holders, kinds, source } = found;
    return { holders, kinds, frequencies: frequenciesOf(this.norms, source) };
  }

  private kindsOf(text: string): TermKinds | null {
    const term = this.postings.names.numberOf(text);
    return term === undefined ? null : this.kinds.ofTerm(this.postings, this.norms, term);
  }

  private *joined(alternatives: QueryTerm["alternatives"], key: string): Steps<AnyKinds | null> {
    const known = this.kinds.ofAlternatives(key);
    if (known !== undefined) return known;
    const made = yield* joinAlternatives(alternatives, {
      kindsOf: (term, notIn) => this.without(notIn).kindsOf(term),
      normsOf: this.normsWithout,
    });
    this.kinds.keep(key, made);
    return made;
  }

  /** The view with some fields left out. */
  private without(notIn: ReadonlySet<string> | undefined): ImpactView {
    if (notIn === undefined || notIn.size === 0) return this;
    const key = joinKeys([...notIn]);
    const known = this.narrower.get(key);
    if (known !== undefined) return known;
    const names = this.postings.fields;
    const keep = (weight: number, field: number): number => (notIn.has(names[field]!) ? 0 : weight);
    const { weights, titleWeights } = this.fields;
    const fields = { ...this.fields, weights: weights.map(keep), titleWeights: titleWeights.map(keep) };
    const view = new ImpactView(this.postings, fields, this.k1);
    this.narrower.set(key, view);
    return view;
  }
}

/** By shape: what an occurrence in a field of that weight and length counts; 0: the field is not searched. */
function normsOf({ shapeFields, shapeLengths }: Postings, fields: FieldNorms): Float64Array {
  const { weights, titleWeights, averages, b } = fields;
  return Float64Array.from(shapeFields, (shaped, shape) => {
    const field = shaped & FIELD_MASK;
    const weight = (shaped & TITLE_BIT) === 0 ? weights[field]! : titleWeights[field]!;
    return weight === 0 ? 0 : lengthNorm(weight, shapeLengths[shape]!, averages[field]!, b);
  });
}

type AnyKinds = TermKinds | KindList<JoinedKinds>;

/** The kinds of a segment's terms, and of terms of queries that have alternatives, for those fields that are searched. */
class KindStore {
  private readonly kept: KeptLists<number | string, AnyKinds | null>;

  constructor(postings: Postings) {
    // No more entries than there are postings; most are those of lists that are kept, too, and take no memory twice.
    this.kept = new KeptLists(postings.size);
  }

  ofTerm(postings: Postings, norms: Float64Array, term: number): TermKinds | null {
    const known = this.kept.get(term);
    if (known != null && !isJoined(known)) return known;
    const kinds = readKinds(postings, norms, term);
    if (kinds !== null && kinds.kinds.length >= SHORTEST_KEPT) this.kept.keep(term, kinds, kinds.kinds.length);
    return kinds;
  }

  /** Null: nobody holds any; undefined: it is not known. */
  ofAlternatives(key: string): AnyKinds | null | undefined {
    return this.kept.get(key);
  }

  keep(key: string, kinds: AnyKinds | null): void {
    this.kept.keep(key, kinds, JOINED_COST + key.length + (kinds !== null && isJoined(kinds) ? joinedCost(kinds) : 0));
  }
}

function isJoined(kinds: AnyKinds): kinds is KindList<JoinedKinds> {
  return "alternatives" in kinds.source;
}

/** In entries of four bytes. */
function joinedCost({ kinds, source: { alternatives, ways, last } }: KindList<JoinedKinds>): number {
  const met = alternatives.reduce((sum, way) => sum + (way.met?.length ?? 0), 0);
  return kinds.length + STEP_COST * ways.length + last.length + met / 2;
}

const stores = new WeakMap<Postings, Map<string, KindStore>>();
/** Sets of searched fields for which kinds are kept. */
const MOST_STORES = 4;

function kindStoreOf(postings: Postings, { weights, titleWeights }: FieldNorms): KindStore {
  let byFields = stores.get(postings);
  if (byFields === undefined) {
    byFields = new Map();
    stores.set(postings, byFields);
  }
  const searched = [...weights, ...titleWeights].map((weight) => (weight === 0 ? "0" : "1")).join("");
  let store = byFields.get(searched);
  if (store === undefined) {
    if (byFields.size >= MOST_STORES) byFields.clear();
    store = new KindStore(postings);
    byFields.set(searched, store);
  }
  return store;
}
