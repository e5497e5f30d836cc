// The memory of the compiled kernel: a block of scratch, laid out as assembly/list-scan.ts says, and behind it a ring of copies
// of lists. A copy is written where the ring goes on, over the oldest ones, and is good until it is written over: so it is
// asked for anew for each use.

import type { LinearMemory } from "../../base/wasm/web-assembly.js";
import { setBits } from "../impacts/holder-list.js";
import type { ImpactList } from "../impacts/impact-list.js";
import type { WeightedList } from "./list-kernel.js";
import { ALL_LIVE, type LiveBits } from "./live-bits.js";
import { EVERYBODY, MOST_REACH_LISTS, NOBODY, REACH_RESULTS, type ReachSteps, STEP_SIZE } from "./reach-steps.js";

const FOUND = 524_288;
const EARNED = 786_496;
const LIVE = 1_319_040;
/** One more than there can be: the kernel writes before it knows whether a record counts. */
const MOST_FOUND = 65_537;
const LISTS = 1_327_616;
const LIST_BYTES = 32;
/** Steps, and the bits they work on: results, those of short lists, all ones and all zeros. */
const STEPS = 1_331_712;
const RESULTS = 1_332_736;
const BITS_BYTES = 8192;
const SHORT = RESULTS + REACH_RESULTS * BITS_BYTES;
const ONES = SHORT + MOST_REACH_LISTS * BITS_BYTES;
const ZEROS = ONES + BITS_BYTES;
const RING = ZEROS + BITS_BYTES;
/** So many lists can be added up together, and so many bytes of them: none is written over by the copy of another. */
const MOST_LISTS = 128;
const MOST_TOGETHER = 1_200_000;
/** Small enough to stay in a processor's cache, where a copy costs no more than reading the list does anyhow. */
const RING_BYTES = 1 << 22;
/** All parts of the longest list take 780 KB: while some are in use, the others are not written over them. */
const SPARED = 1 << 21;
/** In `live`: all records count. */
export const ALL = -1;
const FLIP = 5;

/** How large the memory is. */
export const LIST_MEMORY_BYTES: number = RING + RING_BYTES;

/** Scratch and copies. */
export class ListMemory {
  private readonly shorts: Uint16Array;
  private readonly words: Uint32Array;
  private readonly doubles: Float64Array;
  /** The records found, within their segment, and what they earn. */
  readonly docs: Uint32Array;
  readonly scores: Float64Array;
  /** How many bytes were ever written to the ring, those left out at its end included. */
  private written = 0;

  constructor({ buffer }: LinearMemory) {
    this.shorts = new Uint16Array(buffer);
    this.words = new Uint32Array(buffer);
    this.doubles = new Float64Array(buffer);
    this.docs = new Uint32Array(buffer, FOUND, MOST_FOUND);
    this.scores = new Float64Array(buffer, EARNED, MOST_FOUND);
    this.words.fill(0xffffffff, ONES >>> 2, ZEROS >>> 2);
  }

  /** Where the holders of a list stand. */
  docsOf(list: ImpactList): number {
    const { copy, holders } = list;
    if (this.isLost(copy.docs)) {
      copy.docs = this.reserve(holders.docs.byteLength);
      this.shorts.set(holders.docs, placeOf(copy.docs) >>> 1);
    }
    return placeOf(copy.docs);
  }

  /** Where the kinds of a list stand, and behind them what they earn. */
  kindsOf(list: ImpactList): number {
    const { copy, kinds, impacts } = list;
    if (this.isLost(copy.kinds)) {
      copy.kinds = this.reserve(aligned(kinds.byteLength) + impacts.byteLength);
      this.shorts.set(kinds, placeOf(copy.kinds) >>> 1);
      this.doubles.set(impacts, impactsAt(placeOf(copy.kinds), list) >>> 3);
    }
    return placeOf(copy.kinds);
  }

  /** Where the bits of a list stand that has any. */
  bitsOf({ copy, holders }: ImpactList): number {
    if (this.isLost(copy.bits)) {
      const { words } = holders.bits!;
      copy.bits = this.reserve(words.byteLength);
      this.words.set(words, placeOf(copy.bits) >>> 2);
    }
    return placeOf(copy.bits);
  }

  /** Where the ranks stand that belong to the bits. */
  ranksOf({ copy, holders }: ImpactList): number {
    if (this.isLost(copy.ranks)) {
      const { ranks } = holders.bits!;
      copy.ranks = this.reserve(ranks.byteLength);
      this.shorts.set(ranks, placeOf(copy.ranks) >>> 1);
    }
    return placeOf(copy.ranks);
  }

  /** Which records count, as the kernel takes it. */
  putLive(live: LiveBits, size: number): number {
    if (live === ALL_LIVE) return ALL;
    const { words, offset, flip } = live;
    this.words.set(words.subarray(offset >>> 5, ((offset + size - 1) >>> 5) + 1), LIVE >>> 2);
    return (offset & 31) | (flip << FLIP);
  }

  /** Whether these can be added up together. */
  holds(lists: readonly WeightedList[]): boolean {
    let bytes = 0;
    for (const { list } of lists)
      bytes += list.holders.docs.byteLength + list.kinds.byteLength + list.impacts.byteLength;
    return lists.length <= MOST_LISTS && bytes <= MOST_TOGETHER;
  }

  /** Lists to be added up together. */
  putLists(lists: readonly WeightedList[]): void {
    let at = LISTS;
    for (const { list, idf } of lists) {
      const kinds = this.kindsOf(list);
      this.words[at >>> 2] = this.docsOf(list);
      this.words[(at >>> 2) + 1] = kinds;
      this.words[(at >>> 2) + 2] = impactsAt(kinds, list);
      this.words[(at >>> 2) + 3] = list.size;
      this.doubles[(at >>> 3) + 2] = idf;
      at += LIST_BYTES;
    }
  }

  /** Steps over the bits of lists, which stand where `bits` says. */
  putSteps({ steps, size }: ReachSteps, bits: readonly number[]): void {
    const to = STEPS >>> 2;
    for (let at = 0; at < STEP_SIZE * size; at += STEP_SIZE) {
      this.words[to + at] = bits[steps[at]!]!;
      for (let i = 1; i < STEP_SIZE; i++) this.words[to + at + i] = resultAt(steps[at + i]!);
    }
  }

  /** Where the bits of lists stand, up to MOST_REACH_LISTS of them. */
  bitsOfAll(lists: readonly WeightedList[]): number[] {
    return lists.map(({ list }, i) => (list.holders.bits === null ? this.bitsOfShort(list, i) : this.bitsOf(list)));
  }

  /** Bits of a list that has none of its own. */
  private bitsOfShort({ holders }: ImpactList, number: number): number {
    const at = SHORT + number * BITS_BYTES;
    const words = this.words.subarray(at >>> 2, (at + BITS_BYTES) >>> 2);
    words.fill(0);
    setBits(holders.docs, words);
    return at;
  }

  private isLost(begun: number): boolean {
    return begun < this.written - (RING_BYTES - SPARED);
  }

  /** Room in one piece, where the ring goes on. */
  private reserve(given: number): number {
    const bytes = aligned(given);
    const left = RING_BYTES - (this.written & (RING_BYTES - 1));
    if (left < bytes) this.written += left;
    const begun = this.written;
    this.written += bytes;
    return begun;
  }
}

/** Where the impacts of a list stand whose kinds stand at `kinds`. */
export function impactsAt(kinds: number, list: ImpactList): number {
  return kinds + aligned(list.kinds.byteLength);
}

function placeOf(begun: number): number {
  return RING + (begun & (RING_BYTES - 1)); // the low bits are right however large the number
}

/** Where a result of steps stands. */
export function resultAt(result: number): number {
  if (result === EVERYBODY) return ONES;
  return result === NOBODY ? ZEROS : RESULTS + result * BITS_BYTES;
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / 16) * 16;
}
