// Sorts many terms by code unit. The first characters of a term become the digits of a number, and the term's index the low
// bits of the same number, so that most of the work is a sort of numbers without a comparing function. Only terms whose digits
// are equal are compared as strings.

import { byCodeUnit, sortWithPauses } from "../util/sorted.js";
import type { Task } from "../util/tasks.js";

/** Terms read between two pauses. */
const PAUSE_EVERY = 1 << 10;
/** Numbers sorted or moved between two pauses: about two milliseconds. */
const PAUSE_EVERY_NUMBER = 1 << 15;

/** Up to this many terms with equal digits are sorted by insertion. */
const FEW = 16;

/** The bits of a digit, and the number of digits in the high word of a number. */
const DIGIT = 6;
const HIGH_DIGITS = 5;
/** The number of values of the first two digits, the *head*, and the number of bits after them in the high word. */
const HEADS = 1 << (2 * DIGIT);
const BEHIND_HEAD = DIGIT * (HIGH_DIGITS - 2);
/**
 * Added to the high word, it makes the 64 bits those of a normal positive double. Such doubles are ordered as their bits are,
 * so `Float64Array.sort` sorts the bits.
 */
const NORMAL = 1 << 20;
/** The index of the low and of the high word of a double in memory. */
const [LOW, HIGH] = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? [0, 1] : [1, 0];

/**
 * By code unit: its digit, from 1. Frequent characters have a digit each. Other characters share one with their neighbours;
 * such a digit has the flag `ENDS`, because the digits after it would not be ordered.
 */
const DIGITS = new Uint8Array(256);
const ENDS = 1 << DIGIT;
for (let unit = 0, digit = 0, before = 0; unit < DIGITS.length; unit++) {
  const ends = /[#0-9=a-z~]/.test(String.fromCharCode(unit)) ? 0 : ENDS;
  if (ends === 0 || before !== ENDS) digit++;
  DIGITS[unit] = digit | ends;
  before = ends;
}
const GREATEST = DIGITS[255]!;

/** The indexes of the terms, in the order of the terms: `order[0]` is that of the first. Equal terms keep their order. */
export function* sortTerms(terms: readonly string[]): Task<Uint32Array> {
  const indexBits = 32 - Math.clz32(terms.length);
  const numbers = new Float64Array(terms.length);
  for (let from = 0; from < terms.length; from += PAUSE_EVERY) {
    const to = Math.min(from + PAUSE_EVERY, terms.length);
    writeNumbers(terms, { from, to, indexBits }, numbers);
    yield;
  }
  const sorted = numbers.length <= PAUSE_EVERY_NUMBER ? numbers.sort() : yield* sortByHead(numbers);
  const order = indexesIn(sorted, indexBits);
  yield;
  const words = new Uint32Array(sorted.buffer);
  for (let from = 0; from < order.length; ) {
    const start = nextRunOfEqual(words, from, indexBits);
    from = endOfRun(words, start, indexBits);
    if (from - start <= FEW) sortFew(order.subarray(start, from), (a, b) => byCodeUnit(terms[a]!, terms[b]!));
    else
      order.set(
        yield* sortWithPauses([...order.subarray(start, from)], (a, b) => byCodeUnit(terms[a]!, terms[b]!)),
        start,
      );
  }
  return order;
}

/** The terms to read, and the number of bits of an index. */
interface Reading {
  readonly from: number;
  readonly to: number;
  readonly indexBits: number;
}

/** Writes the number of each term of a range: the digits of its first characters, and then its index. */
function writeNumbers(terms: readonly string[], reading: Reading, numbers: Float64Array): void {
  const { from, to, indexBits } = reading;
  const words = new Uint32Array(numbers.buffer);
  const digits = HIGH_DIGITS + Math.floor((32 - indexBits) / DIGIT);
  for (let index = from; index < to; index++) {
    const term = terms[index]!;
    let high = 0;
    let low = 0;
    let isOver = false;
    for (let at = 0; at < digits; at++) {
      isOver ||= at >= term.length;
      let digit = 0;
      if (!isOver) {
        const unit = term.charCodeAt(at);
        digit = unit < DIGITS.length ? DIGITS[unit]! : GREATEST;
        if (digit >= ENDS) {
          isOver = true;
          digit -= ENDS;
        }
      }
      if (at < HIGH_DIGITS) high = (high << DIGIT) | digit;
      else low = (low << DIGIT) | digit;
    }
    words[2 * index + HIGH] = NORMAL + high;
    words[2 * index + LOW] = indexBits === 32 ? index : (low << indexBits) | index;
  }
}

/** Sorts numbers by their heads, and then the numbers of each head, so that no single sort takes long. */
function* sortByHead(numbers: Float64Array): Task<Float64Array> {
  const words = new Uint32Array(numbers.buffer);
  const next = new Uint32Array(HEADS + 1);
  for (let at = HIGH; at < words.length; at += 2) next[((words[at]! - NORMAL) >>> BEHIND_HEAD) + 1]!++;
  for (let head = 0; head < HEADS; head++) next[head + 1]! += next[head]!;
  yield;
  const sorted = new Float64Array(numbers.length);
  for (let at = 0; at < numbers.length; at++) {
    sorted[next[(words[2 * at + HIGH]! - NORMAL) >>> BEHIND_HEAD]!++] = numbers[at]!;
    if (at % PAUSE_EVERY_NUMBER === 0) yield;
  }
  for (let head = 0, from = 0, waiting = 0; head < HEADS; from = next[head++]!) {
    const part = sorted.subarray(from, next[head]!);
    if (part.length <= PAUSE_EVERY_NUMBER) part.sort();
    else part.set(yield* sortWithPauses([...part], (a, b) => a - b));
    waiting += part.length;
    if (waiting < PAUSE_EVERY_NUMBER) continue;
    waiting = 0;
    yield;
  }
  return sorted;
}

/** The indexes in the low bits of numbers. */
function indexesIn(numbers: Float64Array, indexBits: number): Uint32Array {
  const words = new Uint32Array(numbers.buffer);
  const indexes = new Uint32Array(numbers.length);
  const mask = indexBits === 32 ? 0xffff_ffff : (1 << indexBits) - 1;
  for (let at = 0; at < indexes.length; at++) indexes[at] = words[2 * at + LOW]! & mask;
  return indexes;
}

/** The first sorted number, from `from` on, whose digits are equal to those of the next; the last number if there is none. */
function nextRunOfEqual(words: Uint32Array, from: number, indexBits: number): number {
  const last = words.length - 2;
  let at = 2 * from;
  while (at < last && !areEqual(words, at, indexBits)) at += 2;
  return at >>> 1;
}

/** The end, exclusive, of the sorted numbers whose digits are equal to those of the number at `from`. */
function endOfRun(words: Uint32Array, from: number, indexBits: number): number {
  const last = words.length - 2;
  let at = 2 * from;
  while (at < last && areEqual(words, at, indexBits)) at += 2;
  return (at >>> 1) + 1;
}

/** Whether a sorted number and the next have equal digits. */
function areEqual(words: Uint32Array, at: number, indexBits: number): boolean {
  return (
    words[at + HIGH] === words[at + 2 + HIGH] && words[at + LOW]! >>> indexBits === words[at + 2 + LOW]! >>> indexBits
  );
}

/** An insertion sort, in place. */
function sortFew(indexes: Uint32Array, compare: (a: number, b: number) => number): void {
  for (let i = 1; i < indexes.length; i++) {
    const index = indexes[i]!;
    let at = i;
    for (; at > 0 && compare(indexes[at - 1]!, index) > 0; at--) indexes[at] = indexes[at - 1]!;
    indexes[at] = index;
  }
}
