// Boosts: bounded signals of a record that raise or lower its score besides the query. They come after the fusion: which records match,
// and which are in the rank window, does not depend on them.

import { greatestNumbers, greatestNumbersOf } from "../docvalues/greatest-numbers.js";
import { attributesOf, columnOf, passFilter } from "../index/column-store.js";
import type { IndexSnapshot, LiveSegment } from "../index/index-snapshot.js";
import type { BoostSignal, ReadBoost } from "../input/boosts.js";
import type { Doc, DocArray } from "../util/doc.js";
import type { DocSet } from "../util/doc-set.js";
import { nthOfSorted, partitionPoint } from "../util/sorted.js";
import type { Task } from "../util/tasks.js";

/** What a boost adds to the score of a hit; signal and contribution are 0 where it can give nothing. */
export interface ExplainedBoost {
  readonly attribute?: string;
  /** As they were written. */
  readonly filters?: unknown;
  readonly weight: number;
  /** The record's number, of several the greatest. */
  readonly value?: number;
  /** The number whose signal is one half: as given, or learned from the records. */
  readonly pivot?: number;
  /** 0 … 1. */
  readonly signal: number;
  readonly contribution: number;
}

/** Records scored between two pauses. */
const PAUSE_EVERY = 1 << 14;
/** Where no record has a positive number. */
const USUAL_PIVOT = 1;

/** The boosts of a query over one snapshot. */
export class BoostScores {
  /** Scores, boosts added, are divided by this, so that the maximum stays 1. */
  readonly divisor: number;
  /** The maximum that the boosts add, or take away, together. */
  readonly most: number;
  readonly mostLoss: number;
  private readonly boosts: readonly PreparedBoost[];
  private readonly snapshot: IndexSnapshot;

  constructor(boosts: readonly PreparedBoost[], snapshot: IndexSnapshot) {
    const inForce = boosts.filter((boost) => boost.isInForce);
    const raising = inForce.filter(({ weight }) => weight > 0);
    const lowering = inForce.filter(({ weight }) => weight < 0);
    this.divisor = raising.reduce((sum, { weight }) => sum + weight, 1);
    this.most = raising.reduce((sum, { weight, maxSignal }) => sum + weight * maxSignal, 0);
    this.mostLoss = lowering.reduce((sum, { weight, maxSignal }) => sum - weight * maxSignal, 0);
    this.boosts = boosts;
    this.snapshot = snapshot;
  }

  /** What the boosts add to the score of each record before it is divided; the records ascend. */
  *sumsOf(docs: DocArray<Doc>): Task<Float64Array> {
    const sums = new Float64Array(docs.length);
    const inForce = this.boosts.filter((boost) => boost.isInForce);
    let from = 0;
    for (const live of this.snapshot.segments) {
      const end = live.base + live.segment.size;
      const to = partitionPoint(from, docs.length, (i) => docs[i]! < end);
      while (from < to) {
        const some = docs.subarray(from, Math.min(to, from + PAUSE_EVERY)) as DocArray<Doc>;
        for (const boost of inForce) addBoost(boost, some, live, sums.subarray(from));
        from += some.length;
        yield;
      }
    }
    return sums;
  }

  /** The boosts of a record, in their order. */
  explain(doc: Doc): ExplainedBoost[] {
    const live = this.snapshot.segmentOf(doc);
    return this.boosts.map(({ shown, weight, pivot, isInForce, valuesOf, signalOf }) => {
      const value = valuesOf(Uint32Array.of(doc) as DocArray<Doc>, live)[0]!;
      const signal = isInForce ? signalOf(value) : 0;
      return {
        ...shown,
        weight,
        ...(shown.attribute === undefined || Number.isNaN(value) ? {} : { value }),
        ...(pivot === undefined ? {} : { pivot }),
        signal,
        contribution: (weight * signal) / this.divisor,
      };
    });
  }
}

function addBoost(
  { weight, valuesOf, signalOf }: PreparedBoost,
  docs: DocArray<Doc>,
  live: LiveSegment,
  sums: Float64Array,
): void {
  const values = valuesOf(docs, live);
  for (let i = 0; i < values.length; i++) sums[i]! += weight * signalOf(values[i]!);
}

/** A boost whose signal is known for each record of a snapshot. */
interface PreparedBoost extends PreparedSignal {
  readonly weight: number;
}

interface PreparedSignal {
  /** False: it gives nothing to any record, so it has no part in the divisor. */
  readonly isInForce: boolean;
  readonly maxSignal: number;
  /** What the signals of some records of a segment are made of; NaN: nothing. */
  readonly valuesOf: (docs: DocArray<Doc>, live: LiveSegment) => Float64Array;
  readonly signalOf: (value: number) => number;
  readonly pivot?: number;
  readonly shown: Pick<ExplainedBoost, "attribute" | "filters">;
}

/** The attributes whose columns a boost needs. */
export function attributesOfBoost({ signal }: ReadBoost): string[] {
  return signal.kind === "number" ? [signal.attribute] : attributesOf(signal.filter);
}

/** Prepares the boosts of a query, whose columns are built; null: it has none. */
export function* prepareBoosts(boosts: readonly ReadBoost[], snapshot: IndexSnapshot): Task<BoostScores | null> {
  if (boosts.length === 0) return null;
  const prepared: PreparedBoost[] = [];
  for (const { weight, signal } of boosts) prepared.push({ weight, ...(yield* prepareSignal(signal, snapshot)) });
  return new BoostScores(prepared, snapshot);
}

function* prepareSignal(signal: BoostSignal, snapshot: IndexSnapshot): Task<PreparedSignal> {
  switch (signal.kind) {
    case "number":
      return yield* ofNumbers(signal, snapshot);
    case "filter": {
      const passed = yield* passFilter(signal.filter, snapshot);
      return {
        isInForce: !isEmpty(passed),
        maxSignal: 1,
        valuesOf: (docs) => Float64Array.from(docs, (doc) => Number(passed.has(doc as Doc))),
        signalOf: (passes) => passes,
        shown: { filters: signal.shown },
      };
    }
  }
}

function* ofNumbers(
  { attribute, order, pivot: given }: BoostSignal & { readonly kind: "number" },
  snapshot: IndexSnapshot,
): Task<PreparedSignal> {
  const { count, median, greatest } = yield* learnNumbers(attribute, snapshot);
  const pivot = given ?? median ?? USUAL_PIVOT;
  const signalOf =
    order === "desc"
      ? (x: number): number => (x > 0 ? x / (x + pivot) : 0)
      : (x: number): number => (x >= 0 ? pivot / (x + pivot) : 0);
  return {
    isInForce: count > 0,
    maxSignal: order === "desc" && Number.isFinite(greatest + pivot) ? signalOf(greatest) : 1,
    valuesOf: (docs, { segment, base }) => greatestNumbersOf(columnOf(segment, attribute), docs, base),
    signalOf,
    pivot,
    shown: { attribute },
  };
}

/** What is learned from the numbers of an attribute in all present records, of each its greatest. */
interface LearnedNumbers {
  /** The records that have a number. */
  readonly count: number;
  /** Of the positive ones, the lower of two in the middle; undefined: there is none. */
  readonly median: number | undefined;
  readonly greatest: number;
}

const learned = new WeakMap<IndexSnapshot, Map<string, LearnedNumbers>>();

function* learnNumbers(attribute: string, snapshot: IndexSnapshot): Task<LearnedNumbers> {
  const known = learned.get(snapshot)?.get(attribute);
  if (known !== undefined) return known;
  const lists: Float64Array[] = [];
  for (const { segment, deletedDocs } of snapshot.segments) {
    const column = columnOf(segment, attribute);
    if (column !== undefined) lists.push(greatestNumbers(column, deletedDocs));
    yield;
  }
  const count = lists.reduce((sum, list) => sum + list.length, 0);
  const positive = lists.map((list) => list.subarray(partitionPoint(0, list.length, (i) => list[i]! <= 0)));
  const size = positive.reduce((sum, list) => sum + list.length, 0);
  const found = {
    count,
    median: size === 0 ? undefined : nthOfSorted(positive, Math.ceil(size / 2)),
    greatest: lists.reduce((most, list) => Math.max(most, list.at(-1) ?? most), Number.NEGATIVE_INFINITY),
  };
  const all = learned.get(snapshot) ?? new Map<string, LearnedNumbers>();
  learned.set(snapshot, all.set(attribute, found));
  return found;
}

function isEmpty({ words }: DocSet<Doc>): boolean {
  for (let i = 0; i < words.length; i++) if (words[i] !== 0) return false;
  return true;
}
