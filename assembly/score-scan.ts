// The WebAssembly kernel that scores the records of one segment, in AssemblyScript: `npm run build` compiles it beside
// src/inverted/score-kernel.ts, which has the same kernel in plain JavaScript and lays out the memory by the constants below. Each
// record is written before it is known whether it is found, and is overwritten by the next one if not: an unpredictable branch
// would cost more than all other work for a record.

/** The score of each record, a 32-bit integer; all 0 between two calls. */
const SCORES: usize = 0;
/** The found records and their scores; each has 16 spare entries. */
const FOUND_DOCS: usize = 262_144;
const FOUND_SCORES: usize = 393_248;
/** A bit for each record that may be found. */
const ACCEPTED: usize = 655_456;
/** A bit for each record; all 0 between two calls. */
const UNION: usize = 663_648;
const BITS_BYTES: usize = 8192;
/** A copy of sixteen scores, to read single ones. */
const SIXTEEN: usize = 671_840;
/** The lists of a query, in entries of 16 bytes: the addresses of its records and impacts, its length, its weight. */
const ENTRY: usize = 16;
const IMPACTS: usize = 4;
const COUNT: usize = 8;
const WEIGHT: usize = 12;
/** The number of records that are scored at a time, so that their scores stay in the fastest cache. */
const BLOCK: u32 = 2048;

/** The number of records that the last call counted without writing them. */
let counted: u32 = 0;

export function takeCounted(): u32 {
  return counted;
}

/** Adds up lists, and writes the records that reach `least`; those from `low` up to `high` are only counted. */
export function addUp(table: usize, lists: i32, size: i32, least: i32, low: i32, high: i32, hasAccepted: i32): i32 {
  const last = table + <usize>lists * ENTRY;
  let end = 0;
  counted = 0;
  for (let from: u32 = 0; from < <u32>size; from += BLOCK) {
    const to = min(from + BLOCK, <u32>size);
    for (let list = table; list < last; list += ENTRY) {
      const docs = <usize>load<u32>(list);
      const impacts = <usize>load<u32>(list, IMPACTS);
      const left = load<i32>(list, COUNT);
      const count = countBefore(docs, left, to);
      addList(docs, impacts, count, load<i32>(list, WEIGHT));
      store<u32>(list, <u32>docs + ((<u32>count) << 1));
      store<u32>(list, <u32>impacts + ((<u32>count) << 1), IMPACTS);
      store<i32>(list, left - count, COUNT);
    }
    end = sweep(from, to, least, low, high, hasAccepted, end);
  }
  return end;
}

/** Four at a time: their records are distinct, so the additions are independent. */
function addList(docs: usize, impacts: usize, count: i32, weight: i32): void {
  const whole: usize = (<usize>(count & ~3)) << 1;
  let at: usize = 0;
  for (; at < whole; at += 8) {
    const four = load<u64>(docs + at);
    const theirs = load<u64>(impacts + at);
    const a = SCORES + ((<usize>four & 0xffff) << 2);
    const b = SCORES + ((<usize>(four >>> 16) & 0xffff) << 2);
    const c = SCORES + ((<usize>(four >>> 32) & 0xffff) << 2);
    const d = SCORES + ((<usize>(four >>> 48)) << 2);
    const ofA = load<i32>(a) + weight * (<i32>theirs & 0xffff);
    const ofB = load<i32>(b) + weight * (<i32>(theirs >>> 16) & 0xffff);
    const ofC = load<i32>(c) + weight * (<i32>(theirs >>> 32) & 0xffff);
    const ofD = load<i32>(d) + weight * <i32>(theirs >>> 48);
    store<i32>(a, ofA);
    store<i32>(b, ofB);
    store<i32>(c, ofC);
    store<i32>(d, ofD);
  }
  for (; at < (<usize>count) << 1; at += 2) {
    const score = SCORES + ((<usize>load<u16>(docs + at)) << 2);
    store<i32>(score, load<i32>(score) + weight * <i32>load<u16>(impacts + at));
  }
}

/** The number of records of a list before a given one. */
function countBefore(docs: usize, count: i32, doc: u32): i32 {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (<u32>load<u16>(docs + ((<usize>middle) << 1)) < doc) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Collects the records of a range by their scores, sixteen at a time, and resets the scores to 0. */
function sweep(from: u32, to: u32, least: i32, low: i32, high: i32, hasAccepted: i32, found: i32): i32 {
  const bound = i32x4.splat(least);
  const lows = i32x4.splat(max(low, least));
  const highs = i32x4.splat(high);
  const counts = low < high;
  const zero = i32x4.splat(0);
  let end = found;
  for (let doc = from; doc < to; doc += 16) {
    const at = SCORES + ((<usize>doc) << 2);
    const a = v128.load(at);
    const b = v128.load(at, 16);
    const c = v128.load(at, 32);
    const d = v128.load(at, 48);
    v128.store(at, zero);
    v128.store(at, zero, 16);
    v128.store(at, zero, 32);
    v128.store(at, zero, 48);
    let bits = bitsOf(i32x4.ge_s(a, bound), i32x4.ge_s(b, bound), i32x4.ge_s(c, bound), i32x4.ge_s(d, bound));
    if (bits === 0) continue;
    if (hasAccepted) bits &= <i32>load<u16>(ACCEPTED + (doc >>> 3));
    if (counts) {
      const inBand =
        bits &
        bitsOf(
          v128.and(i32x4.ge_s(a, lows), i32x4.lt_s(a, highs)),
          v128.and(i32x4.ge_s(b, lows), i32x4.lt_s(b, highs)),
          v128.and(i32x4.ge_s(c, lows), i32x4.lt_s(c, highs)),
          v128.and(i32x4.ge_s(d, lows), i32x4.lt_s(d, highs)),
        );
      counted += popcnt(inBand);
      bits ^= inBand;
    }
    if (bits === 0) continue;
    v128.store(SIXTEEN, a);
    v128.store(SIXTEEN, b, 16);
    v128.store(SIXTEEN, c, 32);
    v128.store(SIXTEEN, d, 48);
    for (; bits !== 0; bits &= bits - 1) {
      const lane = <u32>ctz(bits);
      put(end++, doc + lane, load<i32>(SIXTEEN + ((<usize>lane) << 2)));
    }
  }
  return end;
}

/** A bit for each of sixteen lanes that are all ones or all zeros. */
function bitsOf(a: v128, b: v128, c: v128, d: v128): i32 {
  return i8x16.bitmask(i8x16.narrow_i16x8_s(i16x8.narrow_i32x4_s(a, b), i16x8.narrow_i32x4_s(c, d)));
}

function put(end: i32, doc: u32, score: i32): void {
  store<u16>(FOUND_DOCS + ((<usize>end) << 1), <u16>doc);
  store<i32>(FOUND_SCORES + ((<usize>end) << 2), score);
}

/** Writes the records of one list whose impact is at least `least`; those from `low` up to `high` are only counted. */
export function takeList(
  docs: usize,
  impacts: usize,
  count: i32,
  weight: i32,
  least: i32,
  low: i32,
  high: i32,
  hasAccepted: i32,
): i32 {
  const bound = i16x8.splat(<i16>least);
  let end = 0;
  counted = 0;
  for (let i = 0; i < count; i += 8) {
    let bits = i16x8.bitmask(i16x8.ge_u(v128.load(impacts + ((<usize>i) << 1)), bound));
    if (i + 8 > count) bits &= (1 << (count - i)) - 1;
    for (; bits !== 0; bits &= bits - 1) {
      const at: usize = (<usize>(i + ctz(bits))) << 1;
      const doc = <u32>load<u16>(docs + at);
      const impact = <i32>load<u16>(impacts + at);
      const accepted = hasAccepted === 0 ? 1 : (load<u32>(ACCEPTED + ((doc >>> 5) << 2)) >>> (doc & 31)) & 1;
      const inBand = accepted & u32(impact >= low) & u32(impact < high);
      counted += inBand;
      put(end, doc, weight * impact);
      end += <i32>(accepted ^ inBand);
    }
  }
  return end;
}

/** Adds the records of a list to the union. */
export function uniteDocs(docs: usize, count: i32): void {
  for (let i: usize = 0; i < (<usize>count) << 1; i += 2) {
    const doc = <u32>load<u16>(docs + i);
    const word = UNION + ((<usize>(doc >>> 5)) << 2);
    store<u32>(word, load<u32>(word) | (1 << (doc & 31)));
  }
}

/** The same for a list that is a bitset. */
export function uniteBits(words: usize): void {
  for (let at: usize = 0; at < BITS_BYTES; at += 16)
    v128.store(UNION + at, v128.or(v128.load(UNION + at), v128.load(words + at)));
}

/** The number of records of the union that may be found; clears the union. */
export function countUnion(hasAccepted: i32): i32 {
  const zero = i32x4.splat(0);
  let sums = zero;
  for (let at: usize = 0; at < BITS_BYTES; at += 16) {
    let words = v128.load(UNION + at);
    v128.store(UNION + at, zero);
    if (hasAccepted) words = v128.and(words, v128.load(ACCEPTED + at));
    sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(i8x16.popcnt(words))));
  }
  const halves = i32x4.add(sums, v128.shuffle<i32>(sums, sums, 2, 3, 0, 1));
  return i32x4.extract_lane(halves, 0) + i32x4.extract_lane(halves, 1);
}
