// Measures of a ranking (nDCG, recall, MRR, precision), and confidence intervals of differences between two rankings.
//
// The paired percentile bootstrap draws queries with replacement and takes the mean difference of each draw.
// Sakai, *Evaluating evaluation metrics based on the bootstrap* (2006); Smucker, Allan, Carterette, *A comparison of
// statistical significance tests for information retrieval evaluation* (2007).

import type { Task } from "../util/tasks.js";

/** The measures of one query, or their means over queries; each 0 … 1. */
export interface Measures {
  /**
   * nDCG@k: `sum(gain / log2(rank + 1))` over the first k, divided by the same sum of the best possible ranking. The gain
   * is the relevance itself, as in trec_eval's `ndcg_cut`; unjudged records gain nothing. Järvelin, Kekäläinen,
   * *Cumulated gain-based evaluation of IR techniques* (2002).
   */
  readonly ndcg: number;
  /** The share of all relevant records that is among the first `recallAt` hits. */
  readonly recall: number;
  /** 1 / rank of the first relevant record among the first `recallAt`, else 0 (trec_eval's `recip_rank`). */
  readonly mrr: number;
  /** Relevant records among the first k hits, divided by k even when there are fewer hits (trec_eval's `P`). */
  readonly precision: number;
  /** Judged records among the first k, divided by the number of hits there; 1 where there are none. */
  readonly judged: number;
  /**
   * nDCG@k of the ranking without its unjudged records. When judgements were pooled from other engines, plain nDCG
   * penalises records that those engines never found; this does not. Sakai, *Alternatives to Bpref* (2007).
   */
  readonly condensedNdcg: number;
}

/** The names of the measures, in the order in which they are shown. */
export const MEASURE_NAMES: readonly (keyof Measures)[] = [
  "ndcg",
  "recall",
  "mrr",
  "precision",
  "judged",
  "condensedNdcg",
];

/** Cut-off ranks, and what counts as relevant. */
export interface Cutoffs {
  /** Cut-off rank of nDCG, precision and judged. */
  readonly k: number;
  /** Cut-off rank of recall and MRR. */
  readonly recallAt: number;
  /** The minimum relevance that counts as relevant for recall, MRR and precision. */
  readonly relevantFrom: number;
}

export const DEFAULT_CUTOFFS: Cutoffs = { k: 10, recallAt: 100, relevantFrom: 1 };

/** Measures one ranking, best first, by the relevance of the judged records. At least one of them must be relevant. */
export function measureRanking(
  ranked: readonly string[],
  relevance: ReadonlyMap<string, number>,
  { k, recallAt, relevantFrom }: Cutoffs,
): Measures {
  const isRelevant = (id: string): boolean => (relevance.get(id) ?? Number.NEGATIVE_INFINITY) >= relevantFrom;
  const top = ranked.slice(0, k);
  const deep = ranked.slice(0, recallAt);
  const condensed = ranked.filter((id) => relevance.has(id)).slice(0, k);
  const relevances = (ids: readonly string[]): number[] => ids.map((id) => relevance.get(id) ?? 0);
  const ideal = gainOf([...relevance.values()].sort((a, b) => b - a).slice(0, k));
  const relevant = [...relevance.keys()].filter(isRelevant).length;
  const first = deep.findIndex(isRelevant);
  return {
    ndcg: gainOf(relevances(top)) / ideal,
    recall: deep.filter(isRelevant).length / relevant,
    mrr: first < 0 ? 0 : 1 / (first + 1),
    precision: top.filter(isRelevant).length / k,
    judged: top.length === 0 ? 1 : top.filter((id) => relevance.has(id)).length / top.length,
    condensedNdcg: gainOf(relevances(condensed)) / ideal,
  };
}

/** The means over queries; all 0 when there are none. */
export function meanMeasures(all: readonly Measures[]): Measures {
  const mean = (name: keyof Measures): number =>
    all.reduce((sum, measures) => sum + measures[name], 0) / Math.max(1, all.length);
  return byMeasure(mean);
}

/** A value for each measure. */
export function byMeasure<T>(of: (name: keyof Measures, place: number) => T): Record<keyof Measures, T> {
  return Object.fromEntries(MEASURE_NAMES.map((name, i) => [name, of(name, i)])) as Record<keyof Measures, T>;
}

/** Negative relevance, which some collections give to spam, gains nothing. */
function gainOf(relevances: readonly number[]): number {
  return relevances.reduce((sum, relevance, i) => sum + Math.max(0, relevance) / Math.log2(i + 2), 0);
}

/** Options of the bootstrap. */
export interface BootstrapRule {
  /** Number of resamples. */
  readonly resamples: number;
  /** The same seed draws the same queries. */
  readonly seed: number;
}

export const DEFAULT_BOOTSTRAP: BootstrapRule = { resamples: 10_000, seed: 1 };

/** A mean difference, and the interval that holds 95 % of the resampled means. */
export interface Interval {
  readonly difference: number;
  readonly low: number;
  readonly high: number;
  /** True when the interval does not contain 0, so that chance is an unlikely cause. */
  readonly significant: boolean;
}

/** The share that is cut off at either end. */
const TAIL = 0.025;
/** Smaller magnitudes count as 0, so that rounding errors of sums do not look like differences. */
const NOTHING = 1e-12;
const PAUSE_EVERY = 64;

/** One interval for each list of differences. All lists have one difference per query, in the same order. */
export function* bootstrapIntervals(
  differences: readonly (readonly number[])[],
  { resamples, seed }: BootstrapRule,
): Task<Interval[]> {
  const count = differences[0]?.length ?? 0;
  const next = seededIntegers(seed);
  const means = differences.map(() => new Float64Array(resamples));
  const drawn = new Uint32Array(count);
  for (let draw = 0; draw < resamples; draw++) {
    if (draw % PAUSE_EVERY === 0) yield;
    for (let i = 0; i < count; i++) drawn[i] = next(count);
    for (const [which, list] of differences.entries()) {
      let sum = 0;
      for (let i = 0; i < count; i++) sum += list[drawn[i]!]!;
      means[which]![draw] = sum / Math.max(1, count);
    }
  }
  return differences.map((list, which) => intervalOf(list, means[which]!.sort()));
}

function intervalOf(differences: readonly number[], sorted: Float64Array): Interval {
  const skipped = Math.floor(TAIL * sorted.length);
  const low = cleared(sorted[skipped] ?? 0);
  const high = cleared(sorted[sorted.length - 1 - skipped] ?? 0);
  const difference = cleared(differences.reduce((sum, value) => sum + value, 0) / Math.max(1, differences.length));
  return { difference, low, high, significant: low > 0 || high < 0 };
}

function cleared(value: number): number {
  return Math.abs(value) < NOTHING ? 0 : value;
}

/**
 * A generator of seeded random integers from 0 to `below` - 1, the same on every machine: Mulberry32 (Tommy Ettinger, public
 * domain).
 */
export function seededIntegers(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return Math.floor((((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}
