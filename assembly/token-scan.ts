// The WebAssembly kernel of the text analysis, in AssemblyScript: `npm run build` compiles it to
// src/language/tokens/token-scan.wasm. It works on one memory, laid out as below by src/language/tokens/token-memory.ts.
// The plain twins are in src/language/tokens (ScannedText and TokenMemo), which say what each does.

import { endOfPlain, isDigit, mayMeasure, unitAt } from "./measure-scan";

/** What is found besides tokens: how many may be measures, whether a quotation may open. */
const MEASURES: usize = 0;
const MAY_QUOTE: usize = 4;
/** Of tokens that were taken: how many numbers, and what they count. */
const TAKEN: usize = 8;
const COUNTED: usize = 12;
/** The text as it was given, and its normal form with zeros behind it, in units of 16 bits. */
const GIVEN: usize = 64;
const UNITS: usize = 8256;
/** The tokens: kind, hash, start, end; the cells they are in; where those begin that may be measures. */
const TOKENS: usize = 16_512;
const TOKEN: usize = 16;
const CELL_OF: usize = 82_048;
const MEASURED: usize = 98_496;
/** By code unit: the normal form, and the class of a normal one; 0: that is not known. */
const FORMS: usize = 114_944;
const CLASSES: usize = 246_016;
/** The memo: its places, and its cells in numbers of 32 bits. */
const PLACES: usize = 327_680;
const CELLS: usize = 1_376_256;
/** Of what may be measures, the cells; the numbers that were taken; the memo of measures. */
const MEASURE_CELLS: usize = 9_797_632;
const NUMBERS: usize = 9_814_016;
const MOST_NUMBERS: u32 = 8192;
const PLACES_OF_MEASURES: usize = 9_846_784;
const CELLS_OF_MEASURES: usize = 9_977_856;

const SEPARATOR: u32 = 1;
const LETTER: u32 = 2;
const DIGIT: u32 = 3;
const CONNECTOR: u32 = 4;
const UNSPACED: u32 = 5;
const MAX_RUN: usize = 64;

const SEEN_LETTER: u32 = 1;
const SEEN_DIGIT: u32 = 2;
const SEEN_APOSTROPHE: u32 = 4;
const SEEN_HYPHEN: u32 = 8;

const WORD_KIND: u32 = 0;
const CODE_KIND: u32 = 1;
const NUMBER_KIND: u32 = 2;
const COMPOUND_KIND: u32 = 3;
const UNSPACED_KIND: u32 = 4;

const QUOTE: u32 = 0x22;
const AMPERSAND: u32 = 0x26;
const APOSTROPHE: u32 = 0x27;
const COMMA: u32 = 0x2c;
const HYPHEN: u32 = 0x2d;
const UNDERSCORE: u32 = 0x5f;
const SMALL_M: u32 = 0x6d;
const OPENING_QUOTE: u32 = 0x201c;

const HASH_START: u32 = 0x811c9dc5;
const HASH_PRIME: u32 = 0x01000193;

const MOST_STEPS: i32 = 12;
const BLOCK_MASK: u32 = (1 << 20) - 1;
const BLOCK_BYTES: u32 = 4;
const KIND_SHIFT: u32 = 16;
const HEAD: usize = 16;
const LOW: u32 = 0xffff;

function classOf(unit: u32): u32 {
  return load<u8>(CLASSES + <usize>unit);
}

/** Puts the normal form of the given text into UNITS and answers all its bits together; -1: a unit has no form of its own. */
export function normalize(length: usize): i32 {
  let all: u32 = 0;
  for (let at: usize = 0; at < length; at++) {
    const unit: u32 = load<u16>(GIVEN + (at << 1));
    const form = load<u16>(FORMS + ((<usize>unit) << 1));
    if (form === 0) return -1;
    all |= unit;
    store<u16>(UNITS + (at << 1), form);
  }
  return <i32>all;
}

/** Finds the tokens in UNITS and answers how many there are; -1: the class of a unit is not known. */
export function tokenize(length: usize): i32 {
  store<u64>(UNITS + (length << 1), 0);
  store<u32>(MEASURES, 0);
  store<u32>(MAY_QUOTE, 0);
  let token: usize = TOKENS;
  let before: u32 = SEPARATOR;
  let at: usize = 0;
  while (at < length) {
    const unit = unitAt(at);
    const kind = classOf(unit);
    if (kind === LETTER || kind === DIGIT) {
      const start = at;
      const limit = min(length, start + MAX_RUN);
      let seen: u32 = 0;
      let hash = HASH_START;
      let next = unit;
      let nextKind = kind;
      for (;;) {
        // Most of a run is letters and digits, whose classes follow each other as their bits do.
        if (nextKind - LETTER <= 1) seen |= nextKind - 1;
        else if (nextKind === CONNECTOR && at + 1 < limit && connects(next, at))
          seen |= next === APOSTROPHE ? SEEN_APOSTROPHE : SEEN_HYPHEN;
        else break;
        hash = (hash ^ next) * HASH_PRIME;
        if (++at === limit) break;
        next = unitAt(at);
        nextKind = classOf(next);
      }
      store<u32>(token, kindOf(seen));
      store<u32>(token, hash ^ (hash >>> 15), 4);
      store<u32>(token, <u32>start, 8);
      store<u32>(token, <u32>at, 12);
      token += TOKEN;
      if ((unit === SMALL_M || isDigit(unit)) && mayMeasure(start)) mark(start);
      before = LETTER;
    } else if (kind === UNSPACED) {
      const start = at;
      while (at < length && classOf(unitAt(at)) === UNSPACED) at++;
      store<u32>(token, UNSPACED_KIND);
      store<u32>(token, 0, 4);
      store<u32>(token, <u32>start, 8);
      store<u32>(token, <u32>at, 12);
      token += TOKEN;
      before = UNSPACED;
    } else {
      if (kind === 0) return -1;
      if (before === SEPARATOR && (unit === QUOTE || unit === APOSTROPHE || unit === OPENING_QUOTE))
        store<u32>(MAY_QUOTE, 1);
      before = kind;
      at++;
    }
  }
  return <i32>((token - TOKENS) / TOKEN);
}

function mark(start: usize): void {
  const count = load<u32>(MEASURES);
  store<u32>(MEASURED + ((<usize>count) << 2), <u32>start);
  store<u32>(MEASURES, count + 1);
}

function kindOf(seen: u32): u32 {
  if ((seen & SEEN_DIGIT) !== 0) return (seen & (SEEN_LETTER | SEEN_HYPHEN)) !== 0 ? CODE_KIND : NUMBER_KIND;
  return (seen & SEEN_HYPHEN) !== 0 ? COMPOUND_KIND : WORD_KIND;
}

/** Whether the connector at `at` (never first in its run) joins its neighbours. */
function connects(unit: u32, at: usize): bool {
  const before = classOf(unitAt(at - 1));
  const after = classOf(unitAt(at + 1));
  if (unit === HYPHEN || unit === UNDERSCORE)
    return (before === LETTER || before === DIGIT) && (after === LETTER || after === DIGIT);
  if (unit === APOSTROPHE || unit === AMPERSAND) return before === LETTER && after === LETTER;
  if (before !== DIGIT || after !== DIGIT) return false;
  return unit !== COMMA || isDecimalComma(at);
}

/** "1,000" and "3,5" are numbers; "1,2,3" is a list. */
function isDecimalComma(at: usize): bool {
  let digits: usize = 0;
  while (digits < 4 && classOf(unitAt(at + 1 + digits)) === DIGIT) digits++;
  if (digits === 3) return true;
  let first = at;
  while (first > 0 && classOf(unitAt(first - 1)) === DIGIT) first--;
  return digits < 3 && unitAt(at + 1 + digits) !== COMMA && (first === 0 || unitAt(first - 1) !== COMMA);
}

/** Finds the cells of the tokens; 0: it has none. `last`: the last of the memo's places. */
export function seek(size: usize, last: u32): void {
  for (let i: usize = 0; i < size; i++) {
    const token = TOKENS + i * TOKEN;
    const start = load<u32>(token, 8);
    const length = load<u32>(token, 12) - start;
    const what = length | (load<u32>(token) << KIND_SHIFT);
    const text = UNITS + ((<usize>start) << 1);
    store<u32>(CELL_OF + (i << 2), cellOf(load<u32>(token, 4), what, text, last, PLACES, CELLS));
  }
}

/** Finds the cells of what may be measures; 0: it has none, or is not plain. `last`: the last of their memo's places. */
export function seekMeasures(last: u32): void {
  const count: usize = load<u32>(MEASURES);
  const mayQuote = load<u32>(MAY_QUOTE) !== 0;
  for (let i: usize = 0; i < count; i++) {
    const start: usize = load<u32>(MEASURED + (i << 2));
    const end = endOfPlain(start, mayQuote);
    let cell: u32 = 0;
    if (end > 0) {
      const what = <u32>(end - start) | (NUMBER_KIND << KIND_SHIFT);
      cell = cellOf(hashOf(start, end), what, UNITS + (start << 1), last, PLACES_OF_MEASURES, CELLS_OF_MEASURES);
    }
    store<u32>(MEASURE_CELLS + (i << 2), cell);
  }
}

function hashOf(start: usize, end: usize): u32 {
  let hash = HASH_START;
  for (let at = start; at < end; at++) hash = (hash ^ unitAt(at)) * HASH_PRIME;
  return hash ^ (hash >>> 15);
}

function cellOf(hash: u32, what: u32, text: usize, last: u32, places: usize, cells: usize): u32 {
  const bytes = (what & LOW) << 1;
  let place = hash & last;
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    const entry = load<u32>(places + ((<usize>place) << 2));
    if (entry === 0) return 0;
    if (((entry ^ hash) & ~BLOCK_MASK) === 0) {
      const cell = cells + ((<usize>(entry & BLOCK_MASK)) << BLOCK_BYTES);
      if (load<u32>(cell) === what && isAt(cell + HEAD, text, bytes)) return (entry & BLOCK_MASK) << 2;
    }
    place = (place + 1) & last;
  }
  return 0;
}

/** Sixteen bytes at a time; of the last ones those count that are the token's. */
function isAt(cell: usize, text: usize, bytes: u32): bool {
  while (bytes > 16) {
    if (load<u64>(cell) !== load<u64>(text) || load<u64>(cell, 8) !== load<u64>(text, 8)) return false;
    cell += 16;
    text += 16;
    bytes -= 16;
  }
  const first = load<u64>(cell) ^ load<u64>(text);
  const second = load<u64>(cell, 8) ^ load<u64>(text, 8);
  const bits: u64 = (<u64>bytes) << 3;
  const ofFirst = select<u64>(first, first << (64 - bits), bits >= 64);
  const ofSecond = select<u64>(second << (128 - bits), 0, bits > 64);
  return (ofFirst | ofSecond) === 0;
}

/**
 * Lists the cells of which `owner` has noted no numbers, of the tokens from number `i` on, up to the first that has no cell;
 * answers how many. No more than `size`, and none when those before count `most`.
 */
export function lacking(i: usize, size: usize, owner: u32, most: u32): u32 {
  let listed: u32 = 0;
  let counted: u32 = 0;
  for (; i < size && counted < most; i++) {
    const number: usize = load<u32>(CELL_OF + (i << 2));
    if (number === 0) break;
    const cell = CELLS + (number << 2);
    if (load<u32>(cell, 12) !== owner) {
      store<u32>(NUMBERS + ((<usize>listed) << 2), <u32>number);
      listed++;
    }
    counted += load<u32>(cell, 8) >>> KIND_SHIFT;
  }
  return listed;
}

/**
 * Takes the numbers that were noted of the tokens from number `i` on, up to the first that has no cell, and answers that one's
 * number. No more than `size`, and none when those before count `most`.
 */
export function take(i: usize, size: usize, most: u32): usize {
  let taken: u32 = 0;
  let counted: u32 = 0;
  for (; i < size && counted < most; i++) {
    const number: usize = load<u32>(CELL_OF + (i << 2));
    const cell = CELLS + (number << 2);
    if (number === 0) break;
    const counts = load<u32>(cell, 8);
    const terms = counts & LOW;
    if (taken + terms > MOST_NUMBERS) break;
    const numbers = cell + HEAD + ((<usize>(((load<u32>(cell) & LOW) + 1) >>> 1)) << 2);
    const to = NUMBERS + ((<usize>taken) << 2);
    for (let at: usize = 0, end: usize = (<usize>terms) << 2; at < end; at += 4)
      store<u32>(to + at, load<u32>(numbers + at));
    taken += terms;
    counted += counts >>> KIND_SHIFT;
  }
  store<u32>(TAKEN, taken);
  store<u32>(COUNTED, counted);
  return i;
}
