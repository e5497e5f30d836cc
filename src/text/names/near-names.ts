// All names within an edit distance of a word. A word of so many errors has few of them in its first half or few in its
// second, so it is looked for from both ends, each time allowing few errors in the half that comes first: hardly any name
// begins (or ends) so (Mihov, Schulz, "Fast approximate search in large dictionaries", 2004). Each walk keeps the distance
// matrix of the beginning that a name shares with the one before, and leaps over all names with a beginning that is too far.
// Distance: optimal string alignment (Damerau 1964; a swap of neighbours counts 1). Exact.

import type { Task } from "../../base/tasks.js";
import { type BothWays, backwards, type SortedNames } from "./sorted-names.js";

/** A name near to a word. */
export interface NearName {
  /** Its place in the sorted names. */
  readonly at: number;
  readonly distance: number;
}

/** Names looked at between two pauses. */
const PAUSE_EVERY = 1 << 10;

/** The names within `most` edits of `word`, ascending by place. */
export function* nearNames({ forward, backward }: BothWays, word: string, most: number): Task<NearName[]> {
  const half = word.length >>> 1;
  const early = most >>> 1;
  const late = most - early - 1;
  const found = new Map<number, number>();
  yield* new Walk(forward, word, { most, half, within: early }).collect(found);
  if (late >= 0)
    yield* new Walk(backward, backwards(word), { most, half: word.length - half, within: late }).collect(found);
  return [...found].map(([at, distance]) => ({ at, distance })).sort((a, b) => a.at - b.at);
}

/** How many errors there may be. */
interface Allowance {
  readonly most: number;
  /** Of the word's letters, so many are its first half. */
  readonly half: number;
  /** Errors in the first half; those behind its last letter are the second's. */
  readonly within: number;
}

/** One walk over the names in one order. */
class Walk {
  private readonly names: SortedNames;
  private readonly word: string;
  private readonly allowance: Allowance;
  /** More than allowed, however much. */
  private readonly far: number;
  private readonly longest: number;
  /** The word's letters, ascending. */
  private readonly letters: Uint16Array;
  private readonly rows: readonly Uint8Array[];

  constructor(names: SortedNames, word: string, allowance: Allowance) {
    const { most, half, within } = allowance;
    this.names = names;
    this.word = word;
    this.allowance = allowance;
    this.far = most + 1;
    this.longest = word.length + most;
    const letters = Uint16Array.from({ length: word.length }, (_, at) => word.charCodeAt(at));
    this.letters = Uint16Array.from(new Set(letters)).sort();
    this.rows = Array.from({ length: this.longest + 2 }, () => new Uint8Array(word.length + 1));
    for (let j = 0; j <= word.length; j++) this.rows[0]![j] = j > most || within < Math.min(j, half) ? this.far : j;
  }

  *collect(found: Map<number, number>): Task<void> {
    const { names, word, longest, rows } = this;
    const { most } = this.allowance;
    const { from, to } = this.range();
    for (let at = from, known = 0, steps = 1; at < to; steps++) {
      if (steps % PAUSE_EVERY === 0) yield;
      let depth = known;
      const length = names.lengthOf(at);
      while (depth < length && depth <= longest && this.fillRow(at, depth, names.unitAt(at, depth)) <= most) depth++;
      let next = at + 1;
      if (depth < length) next = depth > longest ? names.afterShared(at, depth) : this.leap(at, depth);
      else if (rows[length]![word.length]! <= most) keepLeast(found, names.placeOf(at), rows[length]![word.length]!);
      if (next < to) known = names.sharedBy(at, next, longest);
      at = next;
    }
  }

  /**
   * The next name to look at where the letter at `depth` has led too far. No letter that the word lacks does better than
   * another, nor than one it has, so only the word's own letters behind this one are tried.
   */
  private leap(at: number, depth: number): number {
    const letter = this.names.unitAt(at, depth);
    for (const other of this.letters)
      if (other > letter && this.fillRow(at, depth, other) <= this.allowance.most)
        return this.names.afterShared(at, depth, other);
    return this.names.afterShared(at, depth);
  }

  /** The names to look at: where no error is allowed first, those that begin as the word does. */
  private range(): { readonly from: number; readonly to: number } {
    const { half, within } = this.allowance;
    // The last letter of the half may be swapped with the next.
    const same = half - 1;
    if (within > 0 || same <= 0) return { from: 0, to: this.names.size };
    const from = this.names.firstFrom(this.word, same);
    if (from === this.names.size || !this.beginsSo(from, same)) return { from: 0, to: 0 };
    return { from, to: this.names.afterShared(from, same) };
  }

  private beginsSo(at: number, length: number): boolean {
    if (this.names.lengthOf(at) < length) return false;
    for (let depth = 0; depth < length; depth++)
      if (this.names.unitAt(at, depth) !== this.word.charCodeAt(depth)) return false;
    return true;
  }

  /** Fills row `i + 1` for a letter behind a name's first `i`; returns the least value in it. */
  private fillRow(at: number, i: number, letter: number): number {
    const { names, word, far, rows } = this;
    const { half, within } = this.allowance;
    const above = rows[i]!;
    const row = rows[i + 1]!;
    const before = i > 0 ? names.unitAt(at, i - 1) : -1;
    row[0] = i + 1 > within && half > 0 ? far : Math.min(far, i + 1);
    let least = row[0]!;
    // A swap of the letters on both sides of the border leaves out this row.
    if (half > 0 && letter === word.charCodeAt(half) && above[half - 1]! < least) least = above[half - 1]! + 1;
    for (let j = 0; j < word.length; j++) {
      const asked = word.charCodeAt(j);
      let cost = above[j]! + (asked === letter ? 0 : 1);
      if (row[j]! + 1 < cost) cost = row[j]! + 1;
      if (j > 0 && asked === before && word.charCodeAt(j - 1) === letter && rows[i - 1]![j - 1]! + 1 < cost)
        cost = rows[i - 1]![j - 1]! + 1;
      if (cost > within && j < half) cost = far;
      // A letter more behind the half's last letter is the second half's.
      if (j + 1 >= half && above[j + 1]! + 1 < cost) cost = above[j + 1]! + 1;
      else if (above[j + 1]! + 1 <= within && above[j + 1]! + 1 < cost) cost = above[j + 1]! + 1;
      if (cost > far) cost = far;
      row[j + 1] = cost;
      if (cost < least) least = cost;
    }
    return least;
  }
}

/** From one end a name may seem to be farther away than it is. */
function keepLeast(found: Map<number, number>, at: number, distance: number): void {
  found.set(at, Math.min(distance, found.get(at) ?? distance));
}
