// The impact lists of one segment under one set of norms, made when asked for. Which kinds there are is kept and outlives the
// norms: when mean lengths change with the next write, only kinds are calculated anew.

import { joinKeys } from "../../base/json.js";
import type { Steps } from "../../base/slices.js";
import { lengthNorm } from "../bm25.js";
import { FIELD_MASK, type Postings, TITLE_BIT } from "../postings.js";
import type { QueryTerm } from "../query-term.js";
import type { FieldNorms, SearchableSegment } from "../searchable-segment.js";
import { ImpactList } from "./impact-list.js";
import { joinAlternatives } from "./join-lists.js";
import { KeptLists } from "./kept-lists.js";
import { frequenciesOf, type KindList, readKinds } from "./read-kinds.js";
import type { WeighedList } from "./weighed-list.js";

/** Shorter lists are read again each time, which costs less than keeping them. */
const SHORTEST_KEPT = 32;

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
  private readonly narrower = new Map<string, ImpactView>();

  constructor(postings: Postings, fields: FieldNorms, k1: number) {
    this.postings = postings;
    this.fields = fields;
    this.k1 = k1;
    this.norms = normsOf(postings, fields);
    this.kinds = kindStoreOf(postings, fields);
  }

  /** The holders of a term of a query; null: nobody. Of several alternatives the best counts; of several parts the least. */
  *holdersOf({ alternatives }: QueryTerm): Steps<WeighedList | null> {
    const [first] = alternatives;
    if (alternatives.length === 1 && first!.terms.length === 1 && first!.weight === 1)
      return this.without(first!.notIn).single(first!.terms[0]!);
    return yield* joinAlternatives(alternatives, (term, notIn) => this.without(notIn).single(term));
  }

  /** The same with what they earn. */
  *listOf(term: QueryTerm): Steps<ImpactList | null> {
    const weighed = yield* this.holdersOf(term);
    return weighed === null ? null : new ImpactList(weighed, this.k1);
  }

  /** The holders of one index term. */
  private single(text: string): WeighedList | null {
    const term = this.postings.names.numberOf(text);
    const found = term === undefined ? null : this.kinds.get(this.postings, this.norms, term);
    if (found === null) return null;
    const { holders, kinds, examples } = found;
    return { holders, kinds, frequencies: frequenciesOf(this.norms, examples) };
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

/** The kinds of a segment's terms, for those fields that are searched. */
class KindStore {
  private readonly kept: KeptLists<number, KindList>;

  constructor(postings: Postings) {
    this.kept = new KeptLists(postings.size / 2);
  }

  get(postings: Postings, norms: Float64Array, term: number): KindList | null {
    const known = this.kept.get(term);
    if (known !== undefined) return known;
    const kinds = readKinds(postings, norms, term);
    if (kinds !== null && kinds.kinds.length >= SHORTEST_KEPT) this.kept.keep(term, kinds, kinds.kinds.length);
    return kinds;
  }
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
