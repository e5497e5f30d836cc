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
  for (let i: usize = 0; i < <usize>count; i++) {
    const sum = SUMS + ((<usize>docAt(docs, i)) << 3);
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

/** All sums of the first `size` records are gone through, eight at a time, which is quicker than list by list for long lists. */
export function sweep(size: i32, least: f64, live: i32): i32 {
  const bound = f64x2.splat(max(least, f64.MIN_VALUE));
  const zero = f64x2.splat(0);
  let end = 0;
  for (let doc: u32 = 0; doc < <u32>size; doc += 8) {
    const sums = SUMS + ((<usize>doc) << 3);
    const a = v128.load(sums);
    const b = v128.load(sums, 16);
    const c = v128.load(sums, 32);
    const d = v128.load(sums, 48);
    v128.store(sums, zero);
    v128.store(sums, zero, 16);
    v128.store(sums, zero, 32);
    v128.store(sums, zero, 48);
    const ofA = f64x2.ge(a, bound);
    const ofB = f64x2.ge(b, bound);
    const ofC = f64x2.ge(c, bound);
    const ofD = f64x2.ge(d, bound);
    if (!v128.any_true(v128.or(v128.or(ofA, ofB), v128.or(ofC, ofD)))) continue;
    end = putPair(end, doc, a, i64x2.bitmask(ofA), live);
    end = putPair(end, doc + 2, b, i64x2.bitmask(ofB), live);
    end = putPair(end, doc + 4, c, i64x2.bitmask(ofC), live);
    end = putPair(end, doc + 6, d, i64x2.bitmask(ofD), live);
  }
  return end;
}

function putPair(from: i32, doc: u32, scores: v128, counts: i32, live: i32): i32 {
  const end = put(from, doc, f64x2.extract_lane(scores, 0), <u32>counts & isLive(live, doc));
  return put(end, doc + 1, f64x2.extract_lane(scores, 1), (<u32>counts >>> 1) & isLive(live, doc + 1));
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
  const halves = i32x4.add(sums, v128.shuffle<i32>(sums, sums, 2, 3, 0, 1));
  return i32x4.extract_lane(halves, 0) + i32x4.extract_lane(halves, 1);
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
