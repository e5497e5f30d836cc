// Boosts: bounded signals of a record that raise or lower its score besides the query. They come after the fusion: which records match,
// and which are in the rank window, does not depend on them.

import { instantsOf } from "../../docvalues/build-doc-values.js";
import { greatestNumbers, greatestNumbersOf, type LearnedNumbers, learnNumbers } from "../../docvalues/doc-values.js";
import { type Filter, filterKey } from "../../docvalues/filter.js";
import { metresOf, PLACES, pointsOf } from "../../docvalues/place.js";
import { MOST_BOOSTS, MOST_IN_FORCE } from "../../input/boosts.js";
import type { BoostSignal, ReadBoost } from "../../settings/resolved-settings.js";
import type { BoundedSnapshot } from "../../state/bounded-snapshot.js";
import { attributesOf, columnOf, passFilter } from "../../state/column-store.js";
import type { LiveSegment } from "../../state/segment.js";
import type { Doc, DocArray, DocSet, LocalDoc } from "../../util/doc-set.js";
import { partitionPoint } from "../../util/sorted.js";
import type { Task } from "../../util/tasks.js";

/** What a boost adds to the score of a hit; signal and contribution are 0 where it can give nothing. */
export interface ExplainedBoost {
  readonly attribute?: string;
  /** As they were written. */
  readonly filters?: unknown;
  readonly aroundLatLng?: string;
  readonly weight: number;
  /** The record's number, of several the greatest. */
  readonly value?: number;
  /** The number, or the distance in metres, whose signal is one half: as given, or learned from the records. */
  readonly pivot?: number;
  /** 0 … 1. */
  readonly signal: number;
  readonly contribution: number;
}

/** Records scored at once by one boost; between two pauses, boosts times records. */
const AT_ONCE = 1 << 14;
/**
 * A snapshot remembers the sets of records for the filters of as many boosts as can be in force together, if all take at most so many
 * bytes, and for those of one list of boosts in any case. If it remembered fewer than each query asks for, no query would find its own.
 */
const MOST_REMEMBERED_BYTES = 1 << 22;
/** Where no record has a positive number. */
const USUAL_PIVOT = 1;

/** The boosts of a query over one snapshot. */
export class BoostScores {
  /** Scores, boosts added, are divided by this, so that the maximum stays 1. */
  readonly divisor: number;
  /** The maximum that the boosts add, or take away, together. */
  readonly most: number;
  readonly mostLoss: number;
  /** Whether one of them can give something to a record. */
  readonly areInForce: boolean;
  private readonly boosts: readonly PreparedBoost[];
  private readonly snapshot: BoundedSnapshot;

  constructor(boosts: readonly PreparedBoost[], snapshot: BoundedSnapshot) {
    const inForce = boosts.filter((boost) => boost.isInForce);
    const raising = inForce.filter(({ weight }) => weight > 0);
    const lowering = inForce.filter(({ weight }) => weight < 0);
    this.divisor = raising.reduce((sum, { weight }) => sum + weight, 1);
    this.most = raising.reduce((sum, { weight, maxSignal }) => sum + weight * maxSignal, 0);
    this.mostLoss = lowering.reduce((sum, { weight, maxSignal }) => sum - weight * maxSignal, 0);
    this.areInForce = inForce.length > 0;
    this.boosts = boosts;
    this.snapshot = snapshot;
  }

  /** What the boosts add to the score of each record before it is divided; the records ascend. */
  *sumsOf(docs: DocArray<Doc>): Task<Float64Array> {
    const sums = new Float64Array(docs.length);
    const inForce = this.boosts.filter((boost) => boost.isInForce);
    let from = 0;
    let seen = 0;
    for (const live of this.snapshot.segments) {
      const end = live.base + live.segment.size;
      const to = partitionPoint(from, docs.length, (i) => docs[i]! < end);
      while (from < to) {
        const some = docs.subarray(from, Math.min(to, from + AT_ONCE)) as DocArray<Doc>;
        for (const { weight, valuesOf, signalOf } of inForce) {
          const values = valuesOf(some, live);
          addSignals(weight, isKnown(values) ? values : yield* values, signalOf, sums.subarray(from));
          seen += some.length;
          if (seen < AT_ONCE) continue;
          seen = 0;
          yield;
        }
        from += some.length;
      }
    }
    return sums;
  }

  /** The boosts of a record, in their order. */
  *explain(doc: Doc): Task<ExplainedBoost[]> {
    const live = this.snapshot.segmentOf(doc);
    const explained: ExplainedBoost[] = [];
    for (const { shown, isNumber = false, weight, pivot, isInForce, valuesOf, signalOf } of this.boosts) {
      const values = valuesOf(Uint32Array.of(doc) as DocArray<Doc>, live);
      const value = (isKnown(values) ? values : yield* values)[0]!;
      const signal = isInForce ? signalOf(value) : 0;
      explained.push({
        ...shown,
        weight,
        ...(isNumber && !Number.isNaN(value) ? { value } : {}),
        ...(pivot === undefined ? {} : { pivot }),
        signal,
        contribution: (weight * signal) / this.divisor,
      });
    }
    return explained;
  }
}

function isKnown(values: Float64Array | Task<Float64Array>): values is Float64Array {
  return values instanceof Float64Array;
}

function addSignals(
  weight: number,
  values: Float64Array,
  signalOf: PreparedBoost["signalOf"],
  sums: Float64Array,
): void {
  for (let i = 0; i < values.length; i++) sums[i]! += weight * signalOf(values[i]!);
}

/** A boost whose signal is known for each record of a snapshot. */
interface PreparedBoost {
  readonly weight: number;
  /** False: it gives nothing to any record, so it has no part in the divisor. */
  readonly isInForce: boolean;
  readonly maxSignal: number;
  /** What the signals of some records of a segment are made of; NaN: nothing. */
  readonly valuesOf: (docs: DocArray<Doc>, live: LiveSegment) => Float64Array | Task<Float64Array>;
  readonly signalOf: (value: number) => number;
  readonly pivot?: number;
  /** The values are the record's own numbers. */
  readonly isNumber?: boolean;
  readonly shown: Pick<ExplainedBoost, "attribute" | "filters" | "aroundLatLng">;
}

/** The attributes whose columns a boost needs. */
export function attributesOfBoost({ signal }: ReadBoost): string[] {
  switch (signal.kind) {
    case "number":
    case "date":
      return [signal.attribute];
    case "place":
      return [PLACES];
    case "filter":
      return attributesOf(signal.filter);
  }
}

/** Prepares the boosts of a query, whose columns are built. */
export function* prepareBoosts(boosts: readonly ReadBoost[], snapshot: BoundedSnapshot): Task<BoostScores> {
  const prepared: PreparedBoost[] = [];
  for (const { weight, signal } of boosts) prepared.push({ weight, ...(yield* prepareSignal(signal, snapshot)) });
  return new BoostScores(prepared, snapshot);
}

const DAY = 86_400_000;

function* prepareSignal(signal: BoostSignal, snapshot: BoundedSnapshot): Task<Omit<PreparedBoost, "weight">> {
  switch (signal.kind) {
    case "number": {
      const { attribute, order } = signal;
      const { count, positiveMedian, greatest } = yield* learn("number", attribute, snapshot);
      const pivot = signal.pivot ?? positiveMedian ?? USUAL_PIVOT;
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
        isNumber: true,
        shown: { attribute },
      };
    }
    case "date": {
      const { attribute, halfLifeDays, origin: given } = signal;
      const { count, newest } = yield* learn("date", attribute, snapshot);
      const origin = given === "now" ? Date.now() : (given ?? newest);
      return {
        isInForce: count > 0,
        maxSignal: 1,
        valuesOf: (docs, { segment, base }) =>
          greatestNumbersOf(columnOf(segment, attribute)?.caches.instants ?? undefined, docs, base),
        signalOf: (x) => (Number.isNaN(x) ? 0 : 2 ** (-Math.max(0, origin - x) / (halfLifeDays * DAY))),
        shown: { attribute },
      };
    }
    case "place": {
      const { center, pivotMetres: pivot, shown } = signal;
      let isInForce = false;
      for (const { segment, deletedDocs } of snapshot.segments) {
        const column = columnOf(segment, PLACES);
        if (column === undefined) continue;
        yield* pointsOf(column);
        isInForce ||= column.ordinalDocs.some((doc) => deletedDocs?.has(doc as LocalDoc) !== true);
      }
      return {
        isInForce,
        maxSignal: 1,
        valuesOf: (docs, { segment, base }) => {
          const column = columnOf(segment, PLACES);
          if (column === undefined) return new Float64Array(docs.length).fill(Number.NaN);
          return metresOf(column, docs, base, center);
        },
        signalOf: (metres) => (Number.isNaN(metres) ? 0 : pivot / (metres + pivot)),
        pivot,
        shown: { aroundLatLng: shown },
      };
    }
    case "filter": {
      const passed = yield* boostedDocs(signal.filter, snapshot);
      return {
        isInForce: passed.count() > 0,
        maxSignal: 1,
        valuesOf: (docs) => numbersFor(docs, (doc) => (passed.has(doc) ? 1 : 0)),
        signalOf: (passes) => passes,
        shown: { filters: signal.shown },
      };
    }
  }
}

/** The records that pass the filter of a boost. The same boosts come with every query, so the last sets are remembered. */
function* boostedDocs(filter: Filter, snapshot: BoundedSnapshot): Task<DocSet<Doc>> {
  const remembered = snapshot.caches.boostedDocs;
  const key = filterKey(filter);
  const known = remembered.get(key);
  remembered.delete(key);
  const passed = known ?? (yield* passFilter(filter, snapshot));
  remembered.set(key, passed);
  const most = Math.max(MOST_BOOSTS, Math.min(MOST_IN_FORCE, MOST_REMEMBERED_BYTES / passed.words.byteLength));
  if (remembered.size > most) remembered.delete(remembered.keys().next().value!);
  return passed;
}

/** A loop, because `Float64Array.from` with a function is several times slower. */
function numbersFor(docs: DocArray<Doc>, numberOf: (doc: Doc) => number): Float64Array {
  const numbers = new Float64Array(docs.length);
  for (let i = 0; i < docs.length; i++) numbers[i] = numberOf(docs[i]!);
  return numbers;
}

/** What is learned from an attribute in all present records: of its numbers, or of the instants that its texts name. */
function* learn(kind: "number" | "date", attribute: string, snapshot: BoundedSnapshot): Task<LearnedNumbers> {
  const { learnedNumbers } = snapshot.caches;
  const key = `${kind} ${attribute}`;
  const known = learnedNumbers.get(key);
  if (known !== undefined) return known;
  const lists: Float64Array[] = [];
  for (const { segment, deletedDocs } of snapshot.segments) {
    const own = columnOf(segment, attribute);
    const column = kind === "date" && own !== undefined ? yield* instantsOf(own) : own;
    if (column !== undefined) lists.push(greatestNumbers(column, deletedDocs));
    yield;
  }
  const learned = learnNumbers(lists);
  learnedNumbers.set(key, learned);
  return learned;
}
