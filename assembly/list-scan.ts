// The WebAssembly kernel of the leg of words, in AssemblyScript: `npm run build` compiles it to src/text/kernels/list-scan.wasm.
// It works on one memory: a block of scratch, laid out as below, and behind it copies of lists, put there by
// src/text/kernels/list-memory.ts. The plain twins are in src/text/kernels/score-loops.ts, which say what each does.
// Whether a record counts is known only by its score: it is written in any case, and the next one over it where it does not,
// because a branch that cannot be guessed costs more than everything else that is done for a record.

/** A sum a record, 64-bit floats, all 0 between two uses. */
const SUMS: usize = 0;
/** The records that were found, and what they earn; each has room for one more than there can be. */
const FOUND: usize = 524_288;
const EARNED: usize = 786_496;
/** A bit a record, all 0 between two uses. */
const UNION: usize = 1_310_848;
/** Which records count. */
const LIVE: usize = 1_319_040;

/** The lists that are added up together, in entries of 32 bytes: where the parts of each begin, how long it is, its idf. */
const LISTS: usize = 1_327_616;
const ENTRY: usize = 32;
const KINDS: usize = 4;
const IMPACTS: usize = 8;
const COUNT: usize = 12;
const IDF: usize = 16;
/** Steps over bits of records, in entries of 16 bytes: where the bits of a list stand, of two results, and where its own goes. */
const STEPS: usize = 1_331_712;
const STEP: usize = 16;
const WITH: usize = 4;
const WITHOUT: usize = 8;
const RESULT: usize = 12;
/** So many bytes of all bits at a time, which stay in the nearest cache. */
const PIECE: usize = 1024;
/** So many records at a time, whose sums stay in the nearest cache. */
const WINDOW: u32 = 2048;

const UNION_BYTES: usize = 8192;
/** In `live`: all records count, and LIVE is not looked at. Else its low five bits say at which bit of LIVE the first stands … */
const ALL: i32 = -1;
/** … and the next one which bits mean that a record does not count. */
const FLIP: u32 = 5;

function isLive(live: i32, doc: u32): u32 {
  if (live === ALL) return 1;
  const bit = doc + (<u32>live & 31);
  return ((load<u32>(LIVE + ((bit >>> 5) << 2)) >>> (bit & 31)) & 1) ^ (<u32>live >>> FLIP);
}

function docAt(docs: usize, i: usize): u32 {
  return <u32>load<u16>(docs + (i << 1));
}

function earnedAt(impacts: usize, idf: f64, kinds: usize, i: usize): f64 {
  return idf * load<f64>(impacts + ((<usize>load<u16>(kinds + (i << 1))) << 3));
}

function put(end: i32, doc: u32, score: f64, counts: u32): i32 {
  store<u32>(FOUND + ((<usize>end) << 2), doc);
  store<f64>(EARNED + ((<usize>end) << 3), score);
  return end + <i32>counts;
}

export function addImpacts(docs: usize, kinds: usize, count: i32, impacts: usize, idf: f64): void {
  addTo(SUMS, docs, kinds, count, impacts, idf);
}

/** Four at a time: their records are distinct, so none waits for the sum of another. `sums`: where that of record 0 would be. */
function addTo(sums: usize, docs: usize, kinds: usize, count: i32, impacts: usize, idf: f64): void {
  const whole: usize = (<usize>(count & ~3)) << 1;
  let at: usize = 0;
  for (; at < whole; at += 8) {
    const four = load<u64>(docs + at);
    const theirs = load<u64>(kinds + at);
    const a = sums + ((<usize>four & 0xffff) << 3);
    const b = sums + ((<usize>(four >>> 16) & 0xffff) << 3);
    const c = sums + ((<usize>(four >>> 32) & 0xffff) << 3);
    const d = sums + ((<usize>(four >>> 48)) << 3);
    const ofA = load<f64>(a) + idf * load<f64>(impacts + ((<usize>theirs & 0xffff) << 3));
    const ofB = load<f64>(b) + idf * load<f64>(impacts + ((<usize>(theirs >>> 16) & 0xffff) << 3));
    const ofC = load<f64>(c) + idf * load<f64>(impacts + ((<usize>(theirs >>> 32) & 0xffff) << 3));
    const ofD = load<f64>(d) + idf * load<f64>(impacts + ((<usize>(theirs >>> 48)) << 3));
    store<f64>(a, ofA);
    store<f64>(b, ofB);
    store<f64>(c, ofC);
    store<f64>(d, ofD);
  }
  for (let i: usize = at >>> 1; i < <usize>count; i++) {
    const sum = sums + ((<usize>docAt(docs, i)) << 3);
    store<f64>(sum, load<f64>(sum) + earnedAt(impacts, idf, kinds, i));
  }
}

/** Eight kinds are compared at a time; those before `reaching`, which is 1 at least, are looked at one by one. */
export function takeImpacts(
  docs: usize,
  kinds: usize,
  count: i32,
  impacts: usize,
  idf: f64,
  least: f64,
  live: i32,
  reaching: i32,
): i32 {
  const last = i16x8.splat(<i16>min(reaching - 1, 0xffff));
  const whole = count & ~7;
  let end = 0;
  for (let i = 0; i < whole; i += 8) {
    const reach = i16x8.le_u(v128.load(kinds + ((<usize>i) << 1)), last);
    for (let lanes = i16x8.bitmask(reach); lanes !== 0; lanes &= lanes - 1)
      end = takeOne(docs, kinds, i + ctz(lanes), impacts, idf, least, live, end);
  }
  for (let i = whole; i < count; i++) end = takeOne(docs, kinds, i, impacts, idf, least, live, end);
  return end;
}

function takeOne(docs: usize, kinds: usize, i: usize, impacts: usize, idf: f64, least: f64, live: i32, end: i32): i32 {
  const doc = docAt(docs, i);
  const score = earnedAt(impacts, idf, kinds, i);
  return put(end, doc, score, u32(score >= least) & isLive(live, doc));
}

export function addAndTake(
  docs: usize,
  kinds: usize,
  count: i32,
  impacts: usize,
  idf: f64,
  least: f64,
  live: i32,
  from: i32,
): i32 {
  let end = from;
  for (let i: usize = 0; i < <usize>count; i++) {
    const doc = docAt(docs, i);
    const sum = SUMS + ((<usize>doc) << 3);
    const score = load<f64>(sum) + earnedAt(impacts, idf, kinds, i);
    store<f64>(sum, 0);
    end = put(end, doc, score, u32(score >= least) & isLive(live, doc));
  }
  return end;
}

export function takeScores(docs: usize, count: i32, least: f64, live: i32, from: i32): i32 {
  let end = from;
  for (let i: usize = 0; i < <usize>count; i++) {
    const doc = docAt(docs, i);
    const sum = SUMS + ((<usize>doc) << 3);
    const score = load<f64>(sum);
    store<f64>(sum, 0);
    end = put(end, doc, score, u32(score > 0) & u32(score >= least) & isLive(live, doc));
  }
  return end;
}

/**
 * Adds up the first `lists` of LISTS, a window of records after the other, and takes who reaches `least`; those from `low` up to
 * `high` are counted only.
 */
export function addUp(lists: i32, size: i32, least: f64, live: i32, low: f64, high: f64): i32 {
  const last = LISTS + <usize>lists * ENTRY;
  let end = 0;
  counted = 0;
  for (let from: u32 = 0; from < <u32>size; from += WINDOW) {
    const sums = SUMS - ((<usize>from) << 3);
    const to = min(from + WINDOW, <u32>size);
    for (let list = LISTS; list < last; list += ENTRY) {
      const docs = <usize>load<u32>(list);
      const kinds = <usize>load<u32>(list, KINDS);
      const left = load<i32>(list, COUNT);
      const count = placeIn(docs, left, to);
      addTo(sums, docs, kinds, count, <usize>load<u32>(list, IMPACTS), load<f64>(list, IDF));
      store<u32>(list, <u32>docs + ((<u32>count) << 1));
      store<u32>(list, <u32>kinds + ((<u32>count) << 1), KINDS);
      store<i32>(list, left - count, COUNT);
    }
    end = sweep(sums, from, to, least, live, low, high, end);
  }
  return end;
}

/** How many of a list's records come before one. */
function placeIn(docs: usize, count: i32, doc: u32): i32 {
  let start = 0;
  let end = count;
  while (start < end) {
    const middle = (start + end) >>> 1;
    if (docAt(docs, middle) < doc) start = middle + 1;
    else end = middle;
  }
  return start;
}

/** Goes through the sums of the records from one on, eight at a time; most that reach are only counted, without a branch. */
function sweep(sums: usize, first: u32, size: u32, least: f64, live: i32, low: f64, high: f64, found: i32): i32 {
  const bound = f64x2.splat(max(least, f64.MIN_VALUE));
  const from = f64x2.splat(max(low, max(least, f64.MIN_VALUE)));
  const to = f64x2.splat(high);
  const zero = f64x2.splat(0);
  let end = found;
  let lanes = i64x2.splat(0);
  let count: u32 = 0;
  for (let doc = first; doc < size; doc += 8) {
    const at = sums + ((<usize>doc) << 3);
    const a = v128.load(at);
    const b = v128.load(at, 16);
    const c = v128.load(at, 32);
    const d = v128.load(at, 48);
    v128.store(at, zero);
    v128.store(at, zero, 16);
    v128.store(at, zero, 32);
    v128.store(at, zero, 48);
    const countA = v128.and(f64x2.ge(a, from), f64x2.lt(a, to));
    const countB = v128.and(f64x2.ge(b, from), f64x2.lt(b, to));
    const countC = v128.and(f64x2.ge(c, from), f64x2.lt(c, to));
    const countD = v128.and(f64x2.ge(d, from), f64x2.lt(d, to));
    if (live === ALL) lanes = i64x2.add(lanes, i64x2.add(i64x2.add(countA, countB), i64x2.add(countC, countD)));
    else if (v128.any_true(v128.or(v128.or(countA, countB), v128.or(countC, countD))))
      count += popcnt(eightBits(countA, countB, countC, countD) & liveEight(live, doc));
    const takeA = v128.andnot(f64x2.ge(a, bound), countA);
    const takeB = v128.andnot(f64x2.ge(b, bound), countB);
    const takeC = v128.andnot(f64x2.ge(c, bound), countC);
    const takeD = v128.andnot(f64x2.ge(d, bound), countD);
    if (!v128.any_true(v128.or(v128.or(takeA, takeB), v128.or(takeC, takeD)))) continue;
    const takes = eightBits(takeA, takeB, takeC, takeD) & liveEight(live, doc);
    end = putPair(end, doc, a, takes);
    end = putPair(end, doc + 2, b, takes >>> 2);
    end = putPair(end, doc + 4, c, takes >>> 4);
    end = putPair(end, doc + 6, d, takes >>> 6);
  }
  // Each lane that counts is -1.
  counted += count - <u32>i64x2.extract_lane(lanes, 0) - <u32>i64x2.extract_lane(lanes, 1);
  return end;
}

/** How many records were only counted when lists were added up last. */
let counted: u32 = 0;

export function takeCounted(): u32 {
  return counted;
}

/** A bit for each of eight lanes that are all ones or all zeros. */
function eightBits(a: v128, b: v128, c: v128, d: v128): u32 {
  const ab = v128.shuffle<i32>(a, b, 0, 2, 4, 6);
  const cd = v128.shuffle<i32>(c, d, 0, 2, 4, 6);
  return i16x8.bitmask(i16x8.narrow_i32x4_s(ab, cd));
}

/** The bits of eight records, which begin at one divisible by eight. */
function liveEight(live: i32, doc: u32): u32 {
  if (live === ALL) return 0xff;
  const bit = doc + (<u32>live & 31);
  const eight = (<u32>load<u16>(LIVE + (bit >>> 3)) >>> (bit & 7)) & 0xff;
  return <u32>live >>> FLIP === 1 ? eight ^ 0xff : eight;
}

function putPair(from: i32, doc: u32, scores: v128, counts: u32): i32 {
  const end = put(from, doc, f64x2.extract_lane(scores, 0), counts & 1);
  return put(end, doc + 1, f64x2.extract_lane(scores, 1), (counts >>> 1) & 1);
}

export function addByBits(
  words: usize,
  ranks: usize,
  kinds: usize,
  impacts: usize,
  idf: f64,
  least: f64,
  to: i32,
): i32 {
  let end = 0;
  for (let i: usize = 0; i < <usize>to; i++) {
    const doc = load<u32>(FOUND + (i << 2));
    const holds = bitAt(words, doc);
    // Of a record that does not hold the term, the place is that of another one, or just behind the list.
    const kind = select<u32>(<u32>load<u16>(kinds + (placeAt(words, ranks, doc) << 1)), 0, holds);
    const earned = idf * load<f64>(impacts + ((<usize>kind) << 3));
    const score = load<f64>(EARNED + (i << 3)) + select<f64>(earned, 0, holds);
    end = put(end, doc, score, u32(score >= least));
  }
  return end;
}

export function meetByBits(
  words: usize,
  ranks: usize,
  kinds: usize,
  impacts: usize,
  idf: f64,
  most: f64,
  to: i32,
): i32 {
  let end = 0;
  for (let i: usize = 0; i < <usize>to; i++) {
    const doc = load<u32>(FOUND + (i << 2));
    const holds = bitAt(words, doc);
    const kind = select<u32>(<u32>load<u16>(kinds + (placeAt(words, ranks, doc) << 1)), 0, holds);
    const score = load<f64>(EARNED + (i << 3)) + idf * load<f64>(impacts + ((<usize>kind) << 3));
    end = put(end, doc, score, u32(score <= most) & holds);
  }
  return end;
}

function bitAt(words: usize, doc: u32): u32 {
  return (load<u32>(words + ((doc >>> 5) << 2)) >>> (doc & 31)) & 1;
}

/** How many holders stand before a record. */
function placeAt(words: usize, ranks: usize, doc: u32): usize {
  const word = load<u32>(words + ((doc >>> 5) << 2));
  return <usize>load<u16>(ranks + ((doc >>> 5) << 1)) + <usize>popcnt(word & ((1 << (doc & 31)) - 1));
}

export function addByHalving(
  docs: usize,
  kinds: usize,
  count: i32,
  impacts: usize,
  idf: f64,
  least: f64,
  to: i32,
): i32 {
  let end = 0;
  for (let i: usize = 0; i < <usize>to; i++) {
    const doc = load<u32>(FOUND + (i << 2));
    let score = load<f64>(EARNED + (i << 3));
    let low: usize = 0;
    let high: usize = count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (docAt(docs, middle) < doc) low = middle + 1;
      else high = middle;
    }
    if (low < <usize>count && docAt(docs, low) === doc) score += earnedAt(impacts, idf, kinds, low);
    end = put(end, doc, score, u32(score >= least));
  }
  return end;
}

export function takeUpTo(docs: usize, kinds: usize, count: i32, impacts: usize, idf: f64, most: f64, live: i32): i32 {
  let end = 0;
  for (let i: usize = 0; i < <usize>count; i++) {
    const doc = docAt(docs, i);
    const score = earnedAt(impacts, idf, kinds, i);
    end = put(end, doc, score, u32(score <= most) & isLive(live, doc));
  }
  return end;
}

export function meetByMerging(
  docs: usize,
  kinds: usize,
  count: i32,
  impacts: usize,
  idf: f64,
  most: f64,
  to: i32,
): i32 {
  let end = 0;
  let j: usize = 0;
  for (let i: usize = 0; i < <usize>to; i++) {
    const doc = load<u32>(FOUND + (i << 2));
    while (j < <usize>count && docAt(docs, j) < doc) j++;
    if (j === <usize>count) break;
    if (docAt(docs, j) !== doc) continue;
    const score = load<f64>(EARNED + (i << 3)) + earnedAt(impacts, idf, kinds, j);
    end = put(end, doc, score, u32(score <= most));
  }
  return end;
}

export function drop(count: i32, low: f64, high: f64): i32 {
  let end = 0;
  for (let i: usize = 0; i < <usize>count; i++) {
    const score = load<f64>(EARNED + (i << 3));
    end = put(end, load<u32>(FOUND + (i << 2)), score, u32(score < low) | u32(score >= high));
  }
  return end;
}

export function uniteBits(words: usize): void {
  for (let at: usize = 0; at < UNION_BYTES; at += 16)
    v128.store(UNION + at, v128.or(v128.load(UNION + at), v128.load(words + at)));
}

export function setBits(docs: usize, count: i32): void {
  for (let i: usize = 0; i < <usize>count; i++) {
    const doc = docAt(docs, i);
    const word = UNION + ((<usize>(doc >>> 5)) << 2);
    store<u32>(word, load<u32>(word) | (1 << (doc & 31)));
  }
}

/** Each step's result: whoever is in its list and in the first result, or in the second one. */
export function takeSteps(steps: i32): void {
  const last = STEPS + <usize>steps * STEP;
  for (let from: usize = 0; from < UNION_BYTES; from += PIECE)
    for (let step = STEPS; step < last; step += STEP) {
      let bits = <usize>load<u32>(step) + from;
      let held = <usize>load<u32>(step, WITH) + from;
      let lacked = <usize>load<u32>(step, WITHOUT) + from;
      let result = <usize>load<u32>(step, RESULT) + from;
      for (const end = bits + PIECE; bits < end; bits += 64) {
        v128.store(result, v128.or(v128.and(v128.load(bits), v128.load(held)), v128.load(lacked)));
        v128.store(result, v128.or(v128.and(v128.load(bits, 16), v128.load(held, 16)), v128.load(lacked, 16)), 16);
        v128.store(result, v128.or(v128.and(v128.load(bits, 32), v128.load(held, 32)), v128.load(lacked, 32)), 32);
        v128.store(result, v128.or(v128.and(v128.load(bits, 48), v128.load(held, 48)), v128.load(lacked, 48)), 48);
        held += 64;
        lacked += 64;
        result += 64;
      }
    }
}

/** The bits of both `a` and `b`; returns how many. */
export function meetBits(a: usize, b: usize, result: usize): i32 {
  let counts = i32x4.splat(0);
  for (let at: usize = 0; at < UNION_BYTES; at += 32) {
    const first = v128.and(v128.load(a + at), v128.load(b + at));
    const second = v128.and(v128.load(a + at, 16), v128.load(b + at, 16));
    v128.store(result + at, first);
    v128.store(result + at, second, 16);
    const ones = i8x16.add(i8x16.popcnt(first), i8x16.popcnt(second));
    counts = i32x4.add(counts, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(ones)));
  }
  return sumOf(counts);
}

function sumOf(counts: v128): i32 {
  const halves = i32x4.add(counts, v128.shuffle<i32>(counts, counts, 2, 3, 0, 1));
  return i32x4.extract_lane(halves, 0) + i32x4.extract_lane(halves, 1);
}

/** Puts the bits of the live records somewhere. */
export function putLive(result: usize, live: i32): void {
  const shift = <u64>(<u32>live & 31);
  const turned: u32 = <u32>live >>> FLIP === 1 ? 0xffffffff : 0;
  for (let at: usize = 0; at < UNION_BYTES; at += 4)
    store<u32>(result + at, <u32>(load<u64>(LIVE + at) >>> shift) ^ turned);
}

/** Takes up to `most` records of some bits, the first ones, who earned nothing yet; returns how many. */
export function takeBits(words: usize, most: i32): i32 {
  let end: usize = 0;
  for (let at: usize = 0; at < UNION_BYTES && end < <usize>most; at += 8) {
    const first = (<u32>at) << 3;
    for (let word = load<u64>(words + at); word !== 0 && end < <usize>most; word &= word - 1) {
      store<u32>(FOUND + (end << 2), first + <u32>ctz(word));
      store<f64>(EARNED + (end << 3), 0);
      end++;
    }
  }
  return <i32>end;
}

/** How many bits of UNION are live; all are put back to 0. */
export function countUnion(live: i32): i32 {
  return live === ALL ? countAll() : countLive(<u64>(<u32>live & 31), <u32>live >>> FLIP === 1 ? 0xffffffff : 0);
}

function countAll(): i32 {
  const zero = i32x4.splat(0);
  let sums = zero;
  for (let at = UNION; at < UNION + UNION_BYTES; at += 16) {
    const ones = i8x16.popcnt(v128.load(at));
    v128.store(at, zero);
    sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(ones)));
  }
  return sumOf(sums);
}

function countLive(shift: u64, turned: u32): i32 {
  let count: u32 = 0;
  for (let at: usize = 0; at < UNION_BYTES; at += 4) {
    const live = <u32>(load<u64>(LIVE + at) >>> shift) ^ turned;
    count += popcnt(load<u32>(UNION + at) & live);
    store<u32>(UNION + at, 0);
  }
  return <i32>count;
}
