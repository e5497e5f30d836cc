// What is done with the lists of a segment, for one query at a time. There are two kernels: WebAssembly for long lists, plain
// JavaScript for short ones and wherever there is no WebAssembly. They are twins: called alike, they find the same records with
// the same bits. Sums may be taken in another order than everywhere else, so scores may be off in their last bits.

import type { Candidates } from "../impacts/candidates.js";
import type { ImpactList } from "../impacts/impact-list.js";
import type { LiveBits } from "./live-bits.js";

/** A list with the idf of its term. */
export interface WeightedList {
  readonly list: ImpactList;
  readonly idf: number;
  /** The most it can add. */
  readonly most: number;
}

/** Scores from one up to another: whoever has one is counted, not listed. */
export interface CountedScores {
  readonly from: number;
  readonly to: number;
}

export const NONE_COUNTED: CountedScores = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY };

/** Finds records of a segment: `begin`, then `lead` (perhaps again) or `takeUpTo`, then the others for those found, then `finish`. */
export interface ListKernel {
  /** Begins with a segment of `size` records. */
  begin(size: number, live: LiveBits, out: Candidates): void;
  /** What it costs to add up these lists and go through the sums, in any unit. */
  addingCost(lists: readonly WeightedList[]): number;
  /** What it costs to look so many records up in a list, in the same unit; always 0: it is always quicker. */
  lookUpCost(found: number): number;
  /** Finds the live holders of any list who reach `least` by these together, and nobody that was found before. */
  lead(lists: readonly WeightedList[], least: number): void;
  /** The same, and drops those that are counted only; returns how many. */
  leadCounting(lists: readonly WeightedList[], least: number, counted: CountedScores): number;
  /**
   * Finds the live records whose lists can reach `least` together, and nobody that was found before; they earned nothing yet.
   * False: they are more than `most`, or it takes too long to tell them; lead otherwise. Best with the greatest lists first.
   */
  leadBySets(lists: readonly WeightedList[], least: number, most: number): boolean;
  /**
   * Finds up to `most` live records that hold as many of these lists as at least `count` records do, the first lists before the
   * others; nobody, if no list has so many, and nobody that was found before. They earned nothing yet.
   */
  leadTogether(lists: readonly WeightedList[], count: number, most: number): void;
  /** Adds a list to what those found earn, and drops those that stay below `least`. */
  addToFound(list: WeightedList, least: number): void;
  /** Finds the live holders who earn at most `most`, ascending. */
  takeUpTo(list: WeightedList, most: number): void;
  /** Keeps of those found, who ascend, the holders of one more list who then earn at most `most`. */
  meet(list: WeightedList, most: number): void;
  /** Drops those found who are counted only; returns how many. */
  drop(counted: CountedScores): number;
  /** How many are found. */
  readonly found: number;
  /** Hands those found to `out`, by numbers from `base` on. */
  finish(base: number): void;
  /** How many of a segment's live records hold any list. */
  countHolders(lists: readonly ImpactList[], size: number, live: LiveBits): number;
}

/** The shorter lists first: the last is gone through once, the others perhaps twice. */
export function bySize(lists: readonly WeightedList[]): WeightedList[] {
  return [...lists].sort((a, b) => a.list.size - b.list.size);
}
