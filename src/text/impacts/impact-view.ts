// The impact lists of one segment under one set of norms, made when asked for. Kinds, and lists as near impacts, are kept and
// outlive the norms: when mean lengths change with the next write, only those who are asked for are calculated anew.

import { joinKeys } from "../../base/json.js";
import type { Task } from "../../base/tasks.js";
import { lengthNorm } from "../bm25.js";
import { FIELD_MASK, type Postings, TITLE_BIT } from "../postings.js";
import type { QueryTerm } from "../query-term.js";
import { driftOf, type FieldNorms, type SearchableSegment } from "../searchable-segment.js";
import { AgedList } from "./aging/aged-list.js";
import { type ListStore, listStoreOf } from "./aging/list-store.js";
import { MadeList } from "./aging/made-list.js";
import { type Earnings, ImpactList } from "./impact-list.js";
import { joinAlternatives, type TermKinds } from "./join-lists.js";
import { type AnyKinds, type KindSource, type NormsWithout, normsByWay, sourceFrequencies } from "./joined-kinds.js";
import type { WeighedList } from "./weighed-list.js";

/** With impacts farther off, too many records come near to what a page reaches. */
const MOST_DRIFT = 1e-3;

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
  /** The norms without the segment: what is kept with lists must not keep the views of older ones. */
  private readonly fieldsCopy: FieldNorms;
  private readonly store: ListStore;
  private readonly drifts = new WeakMap<FieldNorms, number>();
  private known: Float64Array | undefined;
  private readonly narrower = new Map<string, ImpactView>();
  private readonly normsWithout: NormsWithout = (notIn) => this.without(notIn).norms;

  constructor(postings: Postings, fields: FieldNorms, k1: number) {
    this.postings = postings;
    this.fields = fields;
    this.fieldsCopy = { ...fields };
    this.k1 = k1;
    this.store = listStoreOf(postings, fields, k1);
  }

  /** What the holders of a term count: of several alternatives the best, of several parts the least. */
  weigh(term: QueryTerm, { holders, kinds, source }: AnyKinds): WeighedList {
    return { holders, kinds, frequencies: sourceFrequencies(source, this.normsFor(term, source)) };
  }

  /** The list that is kept of a term, if its impacts are near enough; null: nobody holds it; undefined: it has to be made. */
  knownList(term: QueryTerm, key: string): MadeList | null | undefined {
    const only = singleOf(term);
    // In a small segment, most terms are held by nobody: that is seen as quickly as it would be found.
    if (only !== undefined && this.postings.names.numberOf(only.terms[0]!) === undefined) return null;
    const known = this.store.listOf(key);
    return known != null && this.driftOf(known) === Number.POSITIVE_INFINITY ? undefined : known;
  }

  /** The same, made now: of the kinds of the one that is kept, if there is one. */
  *makeList(term: QueryTerm, key: string): Task<MadeList | null> {
    const known = this.store.listOf(key);
    const kinds = known == null ? yield* this.kindsOf(term) : known.kinds;
    const made =
      kinds === null ? null : new MadeList(new ImpactList(this.weigh(term, kinds), this.k1), kinds, this.fieldsCopy);
    this.store.keepList(key, made);
    return made;
  }

  /** How far the impacts of a list may be from what its holders earn, as a share of them; infinity: too far. */
  driftOf(made: MadeList): number {
    let drift = this.drifts.get(made.fields);
    if (drift === undefined) {
      drift = driftOf(made.fields, this.fields);
      this.drifts.set(made.fields, drift);
    }
    return drift === 0 || (drift <= MOST_DRIFT && !made.isWorn) ? drift : Number.POSITIVE_INFINITY;
  }

  /** What the holders of a list of a term earn. */
  earningsOf(made: MadeList, term: QueryTerm): Earnings {
    return this.driftOf(made) === 0 ? made.list : new AgedList(made, this.normsFor(term, made.kinds.source), this.k1);
  }

  /** By way to hold the term: what an occurrence in a field of each shape counts. */
  private normsFor(term: QueryTerm, source: KindSource): readonly Float64Array[] {
    const only = singleOf(term);
    return only === undefined ? normsByWay(source, this.normsWithout) : [this.normsWithout(only.notIn)];
  }

  /** What an occurrence in a field of each shape counts. */
  private get norms(): Float64Array {
    this.known ??= normsOf(this.postings, this.fields);
    return this.known;
  }

  private *kindsOf(term: QueryTerm): Task<AnyKinds | null> {
    const only = singleOf(term);
    if (only !== undefined) return this.without(only.notIn).kindsOfTerm(only.terms[0]!, true);
    return yield* joinAlternatives(term.alternatives, {
      kindsOf: (part, notIn) => this.without(notIn).kindsOfTerm(part, false),
      normsOf: this.normsWithout,
    });
  }

  private kindsOfTerm(text: string, isWhole: boolean): TermKinds | null {
    const { postings, norms, store } = this;
    const term = postings.names.numberOf(text);
    if (term === undefined) return null;
    return isWhole ? store.wholeOf(postings, norms, term) : store.partOf(postings, norms, term);
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

/** The alternative of a term that is one index term; undefined: it has others, or is weighed. */
function singleOf({ alternatives }: QueryTerm): QueryTerm["alternatives"][number] | undefined {
  const [first] = alternatives;
  return alternatives.length === 1 && first!.terms.length === 1 && first!.weight === 1 ? first : undefined;
}

/** By shape: what an occurrence in a field of that weight and length counts; 0: the field is not searched. */
function normsOf({ shapeFields, shapeLengths }: Postings, fields: FieldNorms): Float64Array {
  const { weights, titleWeights, averages, b } = fields;
  const norms = new Float64Array(shapeFields.length);
  for (let shape = 0; shape < norms.length; shape++) {
    const shaped = shapeFields[shape]!;
    const field = shaped & FIELD_MASK;
    const weight = (shaped & TITLE_BIT) === 0 ? weights[field]! : titleWeights[field]!;
    if (weight !== 0) norms[shape] = lengthNorm(weight, shapeLengths[shape]!, averages[field]!, b);
  }
  return norms;
}
