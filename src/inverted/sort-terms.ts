// The order of many names by code unit. The first characters of a name become digits of a number with its place behind them,
// and the numbers are sorted without a comparing function. Only names that agree so far are compared as strings.

import { byCodeUnit, sortWithPauses } from "../util/sorted.js";
import type { Task } from "../util/tasks.js";

/** Names read between two pauses. */
const PAUSE_EVERY = 1 << 10;
/** Numbers sorted at once, or put in their places between two pauses: two milliseconds. */
const PAUSE_EVERY_NUMBER = 1 << 15;

/** So many names that agree are put in order one by one. */
const FEW = 16;

/** Bits of a digit, and how many digits the higher word of a number has. */
const DIGIT = 6;
const HIGH_DIGITS = 5;
/** What the first two digits of a name can be. */
const HEADS = 1 << (2 * DIGIT);
const BEHIND_HEAD = DIGIT * (HIGH_DIGITS - 2);
/** With it in the higher word the bits of any number are those of a double above 0: the greater the bits, the greater it is. */
const NORMAL = 1 << 20;
/** Which of its two words is the lower one, and which the higher. */
const [LOW, HIGH] = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? [0, 1] : [1, 0];

/** The digit of a character, from 1: the frequent ones have their own; all that lie between two of these share one, which ends the number. */
const DIGITS = new Uint8Array(256);
const ENDS = 1 << DIGIT;
for (let unit = 0, digit = 0, before = 0; unit < DIGITS.length; unit++) {
  const ends = /[#0-9=a-z~]/.test(String.fromCharCode(unit)) ? 0 : ENDS;
  if (ends === 0 || before !== ENDS) digit++;
  DIGITS[unit] = digit | ends;
  before = ends;
}
const GREATEST = DIGITS[255]!;

/** The places of the names in their order: the name at place `order[0]` is the least. Equal names stay as they are. */
export function* sortTerms(names: readonly string[]): Task<Uint32Array> {
  const placeBits = 32 - Math.clz32(names.length);
  const numbers = new Float64Array(names.length);
  for (let from = 0; from < names.length; from += PAUSE_EVERY) {
    const to = Math.min(from + PAUSE_EVERY, names.length);
    writeNumbers(names, { from, to, placeBits }, numbers);
    yield;
  }
  const sorted = numbers.length <= PAUSE_EVERY_NUMBER ? numbers.sort() : yield* sortByHead(numbers);
  const order = placesIn(sorted, placeBits);
  yield;
  const words = new Uint32Array(sorted.buffer);
  for (let from = 0; from < order.length; ) {
    const start = firstEqual(words, from, placeBits);
    from = afterEqual(words, start, placeBits);
    if (from - start <= FEW) sortFew(order.subarray(start, from), (a, b) => byCodeUnit(names[a]!, names[b]!));
    else
      order.set(
        yield* sortWithPauses([...order.subarray(start, from)], (a, b) => byCodeUnit(names[a]!, names[b]!)),
        start,
      );
  }
  return order;
}

/** Which names are read, and the bits that their places take. */
interface Reading {
  readonly from: number;
  readonly to: number;
  readonly placeBits: number;
}

/** Writes a number for each of some names: the digits of its first characters, and behind them its place. */
function writeNumbers(names: readonly string[], reading: Reading, numbers: Float64Array): void {
  const { from, to, placeBits } = reading;
  const words = new Uint32Array(numbers.buffer);
  const digits = HIGH_DIGITS + Math.floor((32 - placeBits) / DIGIT);
  for (let place = from; place < to; place++) {
    const name = names[place]!;
    let high = 0;
    let low = 0;
    let isOver = false;
    for (let at = 0; at < digits; at++) {
      isOver ||= at >= name.length;
      let digit = 0;
      if (!isOver) {
        const unit = name.charCodeAt(at);
        digit = unit < DIGITS.length ? DIGITS[unit]! : GREATEST;
        if (digit >= ENDS) {
          isOver = true;
          digit -= ENDS;
        }
      }
      if (at < HIGH_DIGITS) high = (high << DIGIT) | digit;
      else low = (low << DIGIT) | digit;
    }
    words[2 * place + HIGH] = NORMAL + high;
    words[2 * place + LOW] = placeBits === 32 ? place : (low << placeBits) | place;
  }
}

/** Sorts numbers by their first two digits, and then those that share them, so that hardly any sort takes long. */
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

/** The places in numbers. */
function placesIn(numbers: Float64Array, placeBits: number): Uint32Array {
  const words = new Uint32Array(numbers.buffer);
  const places = new Uint32Array(numbers.length);
  const mask = placeBits === 32 ? 0xffff_ffff : (1 << placeBits) - 1;
  for (let at = 0; at < places.length; at++) places[at] = words[2 * at + LOW]! & mask;
  return places;
}

/** From `from` on the first of the sorted numbers that has the same digits as the next; or the last. */
function firstEqual(words: Uint32Array, from: number, placeBits: number): number {
  const last = words.length - 2;
  let at = 2 * from;
  while (at < last && !areEqual(words, at, placeBits)) at += 2;
  return at >>> 1;
}

/** Behind the last of the sorted numbers that have the same digits as the one at `from`. */
function afterEqual(words: Uint32Array, from: number, placeBits: number): number {
  const last = words.length - 2;
  let at = 2 * from;
  while (at < last && areEqual(words, at, placeBits)) at += 2;
  return (at >>> 1) + 1;
}

function areEqual(words: Uint32Array, at: number, placeBits: number): boolean {
  return (
    words[at + HIGH] === words[at + 2 + HIGH] && words[at + LOW]! >>> placeBits === words[at + 2 + LOW]! >>> placeBits
  );
}

/** Sorts where they stand. */
function sortFew(places: Uint32Array, compare: (a: number, b: number) => number): void {
  for (let i = 1; i < places.length; i++) {
    const place = places[i]!;
    let at = i;
    for (; at > 0 && compare(places[at - 1]!, place) > 0; at--) places[at] = places[at - 1]!;
    places[at] = place;
  }
}
