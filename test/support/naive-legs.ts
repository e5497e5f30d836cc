// The two legs of the naive engine: BM25F of every record, term by term and field by field; the cosine of every vector. What
// is counted comes from all living records, members from those that exist for the query.

import type { SearchParams } from "../../src/index.js";
import { learnedFloor } from "./naive-floor.js";
import { cosine, type Entry, type NaiveSettings, type Vector } from "./naive-record.js";
import type { Alternative, Asked } from "./naive-terms.js";
import type { HeldTerm } from "./naive-titles.js";

/** One leg: who is a member, and what every record, member or not, earns in it. */
export type Leg = { readonly members: ReadonlySet<string>; readonly scores: ReadonlyMap<string, number> };

export interface Universe {
  readonly entries: readonly Entry[];
  /** Whether a record exists for the query. */
  readonly exists: (id: string) => boolean;
  readonly isSearched: (field: string) => boolean;
  readonly settings: NaiveSettings;
}

/** How much terms count besides their idf, and the sum of what all weights are shares of. */
type Strengths = { readonly of: readonly number[]; readonly whole?: number };

/** BM25F in whole numbers: the sum of each record, the greatest that there could be, and the idf of each term times its strength. */
interface WordSums {
  readonly sums: ReadonlyMap<string, number>;
  readonly most: number;
  readonly counted: readonly number[];
  readonly terms: readonly HeldTerm[];
  readonly heldShare: number;
}

export function wordSums(terms: readonly Asked[], universe: Universe, strengths?: Strengths): WordSums {
  const { entries, settings } = universe;
  const k1 = settings.bm25?.k1 ?? 1.2;
  const means = meanLengths(entries);
  const idfs: number[] = [];
  const known: HeldTerm[] = [];
  let attainable = 0;
  let asked = 0;
  for (const term of terms) {
    const holders = new Map<string, number>();
    for (const entry of entries) {
      const f = frequency(entry, term, means, universe);
      if (f !== undefined) holders.set(entry.id, f);
    }
    known.push({ ...term, holders });
    const idf = Math.log(1 + (entries.length - holders.size + 0.5) / (holders.size + 0.5));
    if (holders.size > 0) attainable += idf * (k1 + 1);
    if (holders.size > 0 || term.knownToEmbedder === true) asked += idf * (k1 + 1);
    idfs.push(holders.size > 0 ? idf : 0);
  }
  // Whole numbers from here on: impacts of 16 bits, weights in steps of 2^-14.
  const counted = idfs.map((idf, i) => idf * (strengths?.of[i] ?? 1));
  const whole = strengths?.whole ?? counted.reduce((sum, one) => sum + one, 0);
  const weights = counted.map((one) => (one === 0 ? 0 : Math.max(1, Math.floor((16_384 * one) / whole + 0.5))));
  const sums = new Map<string, number>();
  for (const [i, { holders }] of known.entries())
    for (const [id, f] of holders) {
      const impact = Math.max(1, Math.floor((65_535 * f) / (k1 + f) + 0.5));
      sums.set(id, (sums.get(id) ?? 0) + weights[i]! * impact);
    }
  const most = 65_535 * weights.reduce((sum, weight) => sum + weight, 0);
  return { sums, most, counted, terms: known, heldShare: asked === 0 ? 1 : attainable / asked };
}

/** BM25F; and what part of what was asked for is held, words that the embedder alone knows included. */
export function byWords(
  terms: readonly Asked[],
  params: SearchParams,
  universe: Universe,
  strengths?: Strengths,
): Leg & { readonly heldShare: number; readonly terms: readonly HeldTerm[] } {
  const { exists, settings } = universe;
  const { sums, most, terms: known, heldShare } = wordSums(terms, universe, strengths);
  const held = new Map<string, number>();
  for (const { holders, optional } of known)
    for (const id of holders.keys()) held.set(id, (held.get(id) ?? 0) + (optional === true ? 0 : 1));
  const matching = params.matching ?? settings.matching ?? "auto";
  const best = Math.max(0, ...[...sums].map(([id, sum]) => (exists(id) ? sum : 0)));
  const needed = terms.filter((term) => term.optional !== true).length;
  const isMember = (id: string): boolean =>
    matching === "any" ||
    held.get(id) === needed ||
    (matching === "auto" && sums.get(id)! >= (settings.matchingRatio ?? 0.4) * best);
  return {
    members: new Set([...sums.keys()].filter((id) => exists(id) && isMember(id))),
    scores: new Map([...sums].map(([id, sum]) => [id, sum / most])),
    heldShare,
    terms: known,
  };
}

/** f of a term in a record; undefined: the record does not hold it. */
function frequency(
  { fields }: Entry,
  { alternatives }: Asked,
  means: ReadonlyMap<string, number>,
  { settings, isSearched }: Universe,
): number | undefined {
  const b = settings.bm25?.b ?? 0.6;
  const exact = settings.disableTypoToleranceOnAttributes ?? [];
  const one = (word: string, { mended }: Alternative): number | undefined => {
    let sum: number | undefined;
    for (const [name, { counts, length, weight }] of fields) {
      const tf = counts.get(word);
      if (tf === undefined || !isSearched(name) || (mended === true && exact.includes(name))) continue;
      sum = (sum ?? 0) + tf * (weight / (1 - b + (b * length) / means.get(name)!));
    }
    return sum;
  };
  let best: number | undefined;
  for (const alternative of alternatives) {
    const parts = alternative.terms.map((word) => one(word, alternative)).filter((f) => f !== undefined);
    if (parts.length < alternative.terms.length) continue;
    best = Math.max(best ?? 0, Math.min(...parts) * alternative.weight);
  }
  return best;
}

/** Over the living records that have the field, on a grid; 1 where the field has no token anywhere. */
function meanLengths(entries: readonly Entry[]): Map<string, number> {
  const sums = new Map<string, { length: number; records: number }>();
  for (const { fields } of entries)
    for (const [name, { length }] of fields) {
      const sum = sums.get(name) ?? { length: 0, records: 0 };
      sums.set(name, { length: sum.length + length, records: sum.records + 1 });
    }
  return new Map([...sums].map(([name, { length, records }]) => [name, length === 0 ? 1 : onGrid(length / records)]));
}

/** The nearest of the 512 numbers from a power of two to the next, halves upwards; below 1 the nearest 512th, never 0. */
function onGrid(mean: number): number {
  let step = 1 / 512;
  while (mean >= 1024 * step) step *= 2;
  return Math.max(step, Math.floor(mean / step + 0.5) * step);
}

/** Cosines; `given`: the members are exactly these, whatever floor and depth say. */
export function byMeaning(
  vector: Vector,
  params: SearchParams,
  { entries, exists, settings }: Universe,
  given: readonly string[] | undefined,
  outOfVocabularyFloor?: number,
): Leg {
  const set = params.semanticFloor ?? settings.semanticFloor ?? "auto";
  const floor = Math.max(set === "auto" ? learnedFloor(entries, settings) : set, outOfVocabularyFloor ?? -1);
  const depth = params.semanticDepth ?? settings.semanticDepth ?? 100;
  const cosines = entries.flatMap(({ id, vector: own }) => (own === null ? [] : [{ id, cosine: cosine(own, vector) }]));
  const near = cosines
    .filter((entry) => exists(entry.id) && Math.round(entry.cosine * 1e6) >= Math.round(floor * 1e6))
    .sort((a, b) => b.cosine - a.cosine || (a.id < b.id ? -1 : 1))
    .slice(0, depth);
  return {
    members: new Set(given ?? near.map((entry) => entry.id)),
    scores: new Map(cosines.map((entry) => [entry.id, Math.max(0, entry.cosine)])),
  };
}
