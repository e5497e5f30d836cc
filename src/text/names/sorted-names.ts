// Names in order, read letter by letter from either end: what a walk over them needs to know. Names that end alike stand
// together where they are read backwards.

import type { Task } from "../../base/tasks.js";
import { sortNames } from "./sort-names.js";

/** Names read between two pauses. */
const PAUSE_EVERY = 1 << 12;

/** Units of a name that its head has, a byte each: one more than the unit; GREAT: it is too great; 0: the name has ended. */
const HEAD = 4;
const GREAT = 0xff;

/** Names ascending by code unit, as they are read. */
export class SortedNames {
  private readonly names: readonly string[];
  /** By place of this order: how the name begins, so that most leaps over many names read none of them. */
  private readonly heads: Uint32Array;
  /** The places of the names in the order in which they ascend read backwards; null: they are read forwards. */
  private readonly order: Uint32Array | null;

  private constructor(names: readonly string[], order: Uint32Array | null) {
    this.names = names;
    this.order = order;
    this.heads = new Uint32Array(names.length);
  }

  static *of(names: readonly string[], order: Uint32Array | null = null): Task<SortedNames> {
    const sorted = new SortedNames(names, order);
    for (let from = 0; from < names.length; from += PAUSE_EVERY) {
      for (let at = from, to = Math.min(from + PAUSE_EVERY, names.length); at < to; at++)
        sorted.heads[at] = order === null ? headOf(names[at]!) : headBackwards(names[order[at]!]!);
      yield;
    }
    return sorted;
  }

  get size(): number {
    return this.names.length;
  }

  /** Of the name at a place of this order, its place among the names given. */
  placeOf(at: number): number {
    return this.order === null ? at : this.order[at]!;
  }

  lengthOf(at: number): number {
    return this.names[this.placeOf(at)]!.length;
  }

  /** The code unit at `depth`, counted from where names are read from. */
  unitAt(at: number, depth: number): number {
    const name = this.names[this.placeOf(at)]!;
    return name.charCodeAt(this.order === null ? depth : name.length - 1 - depth);
  }

  /** How many code units two names have in common at their beginning, at most `most`. */
  sharedBy(a: number, b: number, most: number): number {
    const end = Math.min(this.lengthOf(a), this.lengthOf(b), most);
    let depth = 0;
    while (depth < end && this.unitAt(a, depth) === this.unitAt(b, depth)) depth++;
    return depth;
  }

  /**
   * The first place after `from` whose name has not the first `depth` units of the name there, or has behind them `letter` or
   * one that comes after it: doubling steps, then halving.
   */
  afterShared(from: number, depth: number, letter: number = Number.POSITIVE_INFINITY): number {
    let step = 1;
    let low = from;
    while (low + step < this.size && this.isAmong(low + step, from, depth, letter)) {
      low += step;
      step *= 2;
    }
    let high = Math.min(low + step, this.size);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.isAmong(middle, from, depth, letter)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private isAmong(at: number, from: number, depth: number, letter: number): boolean {
    const { heads } = this;
    if (depth > 0 && depth < HEAD && !hasGreat(heads[from]!)) {
      const head = heads[at]!;
      if ((head ^ heads[from]!) >>> (8 * (HEAD - depth)) !== 0) return false;
      const next = (head >>> (8 * (HEAD - 1 - depth))) & 0xff;
      if (next !== GREAT) return next <= letter;
    }
    if (this.sharedBy(from, at, depth) < depth) return false;
    return this.lengthOf(at) === depth || this.unitAt(at, depth) < letter;
  }

  /** The first place whose name, as it is read, is not before the first `length` units of `word`. */
  firstFrom(word: string, length: number): number {
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.isBefore(middle, word, length)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private isBefore(at: number, word: string, length: number): boolean {
    const end = Math.min(this.lengthOf(at), length);
    for (let depth = 0; depth < end; depth++) {
      const difference = this.unitAt(at, depth) - word.charCodeAt(depth);
      if (difference !== 0) return difference < 0;
    }
    return end < length;
  }
}

/** The head of a name. */
function headOf(name: string): number {
  let head = 0;
  for (let at = 0; at < HEAD; at++) head = (head << 8) | (at < name.length ? byteOf(name.charCodeAt(at)) : 0);
  return head;
}

/** The head of a name that is read backwards. */
function headBackwards(name: string): number {
  let head = 0;
  for (let at = name.length - 1; at >= name.length - HEAD; at--)
    head = (head << 8) | (at >= 0 ? byteOf(name.charCodeAt(at)) : 0);
  return head;
}

function byteOf(unit: number): number {
  return unit + 1 < GREAT ? unit + 1 : GREAT;
}

/** True when a byte of a head stands for a unit that it cannot tell. */
function hasGreat(head: number): boolean {
  return (
    (head & GREAT) === GREAT ||
    ((head >>> 8) & GREAT) === GREAT ||
    ((head >>> 16) & GREAT) === GREAT ||
    head >>> 24 === GREAT
  );
}

/** Names that ascend, and the same read backwards. */
export interface BothWays {
  readonly forward: SortedNames;
  readonly backward: SortedNames;
}

/** Orders names for reading from both ends: about twelve bytes a name. */
export function* bothWays(names: readonly string[]): Task<BothWays> {
  const order = yield* sortNames(names, true);
  return { forward: yield* SortedNames.of(names), backward: yield* SortedNames.of(names, order) };
}

/** A text read backwards, by code unit. */
export function backwards(text: string): string {
  let turned = "";
  for (let at = text.length - 1; at >= 0; at--) turned += text[at];
  return turned;
}

/** The first place whose name is not before `name`. */
export function placeOf(names: readonly string[], name: string): number {
  let low = 0;
  let high = names.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (names[middle]! < name) low = middle + 1;
    else high = middle;
  }
  return low;
}
