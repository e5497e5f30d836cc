// The WebAssembly kernel of the exact scan, in AssemblyScript: `npm run build` compiles it to src/vector/kernel/vector-scan.wasm.
// Its memory holds the rows of one segment and describes itself: the header below, written by src/vector/kernel/row-memory.ts.
// The plain twin is src/vector/kernel/plain-kernel.ts; src/vector/kernel/row-kernel.ts says what both do. `scout` and `pick` have
// none: they save memory traffic, which does not bound plain JavaScript.

const STRIDE: usize = 0;
const QUERY: usize = 4;
const LIST: usize = 8;
const FOUND: usize = 12;
const SUMS: usize = 16;
const FACTORS: usize = 20;
const SLACKS: usize = 24;
const HIGH: usize = 28;
const LOW: usize = 32;
const SHIFTS: usize = 36;
const QUERY_SUM: usize = 40;
const QUERY_SCALE: usize = 44;
const COARSE_STRIDE: usize = 48;
const COARSE_QUERY: usize = 52;
const COARSE: usize = 56;
const COARSE_FACTORS: usize = 60;
const COARSE_SLACKS: usize = 64;
const REACHES: usize = 68;
const COARSE_SCALE: usize = 72;
const COARSE_GROWTH: usize = 76;
const COARSE_LEEWAY: usize = 80;

/** A line of the processor's cache, and how much of it is filled ahead of being looked at: less than its nearest level holds. */
const LINE: usize = 64;
const AHEAD: usize = 16_384;
const FEWEST_AHEAD: i32 = 8;
/** Rows of fewer bytes that follow each other come in time by themselves, though four are read at a time. */
const LONG: usize = 256;

/** Of no meaning, and exported so that the compiler cannot leave out what is read ahead. */
export let warmth: u32 = 0;
/** How many rows the present call has found before those that it looks at now. */
let before: i32 = 0;

export function sift(from: i32, to: i32, threshold: f32): i32 {
  const stride: usize = load<u32>(STRIDE);
  before = 0;
  if (stride < LONG) return siftRows<InOrder>(0, from, to, threshold);
  const ahead = rowsAhead(stride);
  for (let at = from; at < to; at += ahead) {
    const end = min(at + ahead, to);
    warmRows(0, at, end, load<u32>(HIGH), stride);
    before += siftRows<InOrder>(0, at, end, threshold);
  }
  return before;
}

export function siftListed(count: i32, threshold: f32): i32 {
  const list: usize = load<u32>(LIST);
  const stride: usize = load<u32>(STRIDE);
  const ahead = rowsAhead(stride);
  before = 0;
  for (let at = 0; at < count; at += ahead) {
    const end = min(at + ahead, count);
    warmRows(list, at, end, load<u32>(HIGH), stride);
    warmFloats(list, at, end);
    before += siftRows<Listed>(list, at, end, threshold);
  }
  return before;
}

/** Rows one after the other, and those of a list: types, so that the loop over rows is compiled for each. */
type InOrder = i32;
type Listed = u32;

/** Four rows at a time; past the end the last row stands in, and is left out of what is found. */
function siftRows<Order>(list: usize, from: i32, to: i32, threshold: f32): i32 {
  const stride: usize = load<u32>(STRIDE);
  const high: usize = load<u32>(HIGH);
  const factors: usize = load<u32>(FACTORS);
  const slacks: usize = load<u32>(SLACKS);
  const query: usize = load<u32>(QUERY);
  const end = query + (stride << 1);
  const querySum = i32x4.splat(load<i32>(QUERY_SUM));
  const scale = f32x4.splat(load<f32>(QUERY_SCALE));
  const least = f32x4.splat(threshold);
  const last = to - 1;
  let count = 0;
  for (let at = from; at < to; at += 4) {
    const r0 = rowOf<Order>(list, at);
    const r1 = rowOf<Order>(list, min(at + 1, last));
    const r2 = rowOf<Order>(list, min(at + 2, last));
    const r3 = rowOf<Order>(list, min(at + 3, last));
    let p0 = high + r0 * stride;
    let p1 = high + r1 * stride;
    let p2 = high + r2 * stride;
    let p3 = high + r3 * stride;
    let s0 = i32x4.splat(0);
    let s1 = s0;
    let s2 = s0;
    let s3 = s0;
    for (let q = query; q < end; q += 16) {
      const asked = v128.load(q);
      s0 = i32x4.add(s0, i32x4.dot_i16x8_s(v128.load_ext<i8>(p0), asked));
      s1 = i32x4.add(s1, i32x4.dot_i16x8_s(v128.load_ext<i8>(p1), asked));
      s2 = i32x4.add(s2, i32x4.dot_i16x8_s(v128.load_ext<i8>(p2), asked));
      s3 = i32x4.add(s3, i32x4.dot_i16x8_s(v128.load_ext<i8>(p3), asked));
      p0 += 8;
      p1 += 8;
      p2 += 8;
      p3 += 8;
    }
    const sums = i32x4.add(addPairs(s0, s1, s2, s3, true), addPairs(s0, s1, s2, s3, false));
    const middle = f32x4.convert_i32x4_s(i32x4.add(i32x4.shl(sums, 1), querySum));
    const cosines = f32x4.mul(f32x4.mul(middle, gather(factors, r0, r1, r2, r3)), scale);
    const reach = f32x4.add(cosines, gather(slacks, r0, r1, r2, r3));
    const hits = i32x4.bitmask(f32x4.ge(reach, least));
    if (hits === 0) continue;
    if ((hits & 1) !== 0) count = put(count, r0, i32x4.extract_lane(sums, 0));
    if ((hits & 2) !== 0 && at + 1 < to) count = put(count, r1, i32x4.extract_lane(sums, 1));
    if ((hits & 4) !== 0 && at + 2 < to) count = put(count, r2, i32x4.extract_lane(sums, 2));
    if ((hits & 8) !== 0 && at + 3 < to) count = put(count, r3, i32x4.extract_lane(sums, 3));
  }
  return count;
}

/** Four rows at a time by their coarse components, four to a lane of 16 bits, the first in its highest bits. */
export function scout(from: i32, to: i32): void {
  const stride: usize = load<u32>(COARSE_STRIDE);
  const coarse: usize = load<u32>(COARSE);
  const factors: usize = load<u32>(COARSE_FACTORS);
  const slacks: usize = load<u32>(COARSE_SLACKS);
  const reaches: usize = load<u32>(REACHES);
  const query: usize = load<u32>(COARSE_QUERY);
  const end = query + (stride << 2);
  const scale = f32x4.splat(load<f32>(COARSE_SCALE));
  const growth = f32x4.splat(load<f32>(COARSE_GROWTH));
  const leeway = f32x4.splat(load<f32>(COARSE_LEEWAY));
  const last = to - 1;
  for (let at = from; at < to; at += 4) {
    const r0: usize = at;
    const r1: usize = min(at + 1, last);
    const r2: usize = min(at + 2, last);
    const r3: usize = min(at + 3, last);
    let p0 = coarse + r0 * stride;
    let p1 = coarse + r1 * stride;
    let p2 = coarse + r2 * stride;
    let p3 = coarse + r3 * stride;
    let s0 = i32x4.splat(0);
    let s1 = s0;
    let s2 = s0;
    let s3 = s0;
    for (let q = query; q < end; q += 64) {
      s0 = addLanes(s0, v128.load(p0), q);
      s1 = addLanes(s1, v128.load(p1), q);
      s2 = addLanes(s2, v128.load(p2), q);
      s3 = addLanes(s3, v128.load(p3), q);
      p0 += 16;
      p1 += 16;
      p2 += 16;
      p3 += 16;
    }
    const sums = i32x4.add(addPairs(s0, s1, s2, s3, true), addPairs(s0, s1, s2, s3, false));
    const cosines = f32x4.mul(f32x4.mul(f32x4.convert_i32x4_s(sums), gather(factors, r0, r1, r2, r3)), scale);
    const slack = f32x4.add(f32x4.mul(gather(slacks, r0, r1, r2, r3), growth), leeway);
    const reach = f32x4.add(cosines, slack);
    store<f32>(reaches + (r0 << 2), f32x4.extract_lane(reach, 0));
    store<f32>(reaches + (r1 << 2), f32x4.extract_lane(reach, 1));
    store<f32>(reaches + (r2 << 2), f32x4.extract_lane(reach, 2));
    store<f32>(reaches + (r3 << 2), f32x4.extract_lane(reach, 3));
  }
}

/** Four rows at a time; those past the end have room, and are left out. */
export function pick(from: i32, to: i32, least: f32, below: f32): i32 {
  const list: usize = load<u32>(LIST);
  const reaches: usize = load<u32>(REACHES);
  const lower = f32x4.splat(least);
  const upper = f32x4.splat(below);
  let count = 0;
  for (let row = from; row < to; row += 4) {
    const reach = v128.load(reaches + ((<usize>row) << 2));
    const hits = i32x4.bitmask(v128.and(f32x4.ge(reach, lower), f32x4.lt(reach, upper)));
    if (hits === 0) continue;
    for (let i = 0; i < 4 && row + i < to; i++) {
      if (((hits >> i) & 1) === 0) continue;
      store<u32>(list + ((<usize>count) << 2), <u32>(row + i));
      count++;
    }
  }
  return count;
}

function addLanes(sum: v128, lanes: v128, q: usize): v128 {
  sum = i32x4.add(sum, i32x4.dot_i16x8_s(lanes, v128.load(q)));
  sum = i32x4.add(sum, i32x4.dot_i16x8_s(i16x8.shl(lanes, 4), v128.load(q, 16)));
  sum = i32x4.add(sum, i32x4.dot_i16x8_s(i16x8.shl(lanes, 8), v128.load(q, 32)));
  return i32x4.add(sum, i32x4.dot_i16x8_s(i16x8.shl(lanes, 12), v128.load(q, 48)));
}

/** How many rows of a list are fetched at a time, whole fours; the trial of a kernel has rows of no bytes. */
function rowsAhead(bytes: usize): i32 {
  return max(FEWEST_AHEAD, <i32>(AHEAD / max(LINE, bytes)) & ~3);
}

/** Reads a byte of each line of some rows, so that all are on their way at once: looked at one by one they would be waited for. */
function warmRows(list: usize, from: i32, to: i32, rows: usize, stride: usize): void {
  let sum: u32 = 0;
  for (let at = from; at < to; at++) {
    const row = rows + rowAt(list, at) * stride;
    for (let byte: usize = 0; byte < stride; byte += LINE) sum ^= load<u8>(row + byte);
  }
  warmth ^= sum;
}

/** The same of their factors and slacks, of which those of sixteen rows share a line. */
function warmFloats(list: usize, from: i32, to: i32): void {
  const factors: usize = load<u32>(FACTORS);
  const slacks: usize = load<u32>(SLACKS);
  let sum: u32 = 0;
  let last: usize = -1;
  for (let at = from; at < to; at++) {
    const line = (rowAt(list, at) << 2) & ~(LINE - 1);
    if (line === last) continue;
    last = line;
    sum ^= load<u8>(factors + line) ^ load<u8>(slacks + line);
  }
  warmth ^= sum;
}

function rowOf<Order>(list: usize, at: i32): usize {
  return isSigned<Order>() ? <usize>at : <usize>load<u32>(list + ((<usize>at) << 2));
}

function rowAt(list: usize, at: i32): usize {
  return list === 0 ? <usize>at : <usize>load<u32>(list + ((<usize>at) << 2));
}

/** Of four sums of four lanes each, one half of the lanes, added in pairs: added to the other half, the four totals. */
function addPairs(a: v128, b: v128, c: v128, d: v128, first: bool): v128 {
  const ab = i32x4.add(v128.shuffle<i32>(a, b, 0, 4, 1, 5), v128.shuffle<i32>(a, b, 2, 6, 3, 7));
  const cd = i32x4.add(v128.shuffle<i32>(c, d, 0, 4, 1, 5), v128.shuffle<i32>(c, d, 2, 6, 3, 7));
  return first ? v128.shuffle<i64>(ab, cd, 0, 2) : v128.shuffle<i64>(ab, cd, 1, 3);
}

function gather(floats: usize, r0: usize, r1: usize, r2: usize, r3: usize): v128 {
  return f32x4(
    load<f32>(floats + (r0 << 2)),
    load<f32>(floats + (r1 << 2)),
    load<f32>(floats + (r2 << 2)),
    load<f32>(floats + (r3 << 2)),
  );
}

function put(count: i32, row: usize, sum: i32): i32 {
  const at = (<usize>(before + count)) << 2;
  store<u32>(<usize>load<u32>(FOUND) + at, <u32>row);
  store<i32>(<usize>load<u32>(SUMS) + at, sum);
  return count + 1;
}

export function dots(count: i32): void {
  const list: usize = load<u32>(LIST);
  const stride: usize = load<u32>(STRIDE);
  const ahead = rowsAhead(2 * stride);
  for (let at = 0; at < count; at += ahead) {
    const end = min(at + ahead, count);
    warmRows(list, at, end, load<u32>(HIGH), stride);
    warmRows(list, at, end, load<u32>(LOW), stride);
    dotRows(list, at, end);
  }
}

/** Four rows at a time; past the end the last row stands in. */
function dotRows(list: usize, from: i32, to: i32): void {
  const stride: usize = load<u32>(STRIDE);
  const high: usize = load<u32>(HIGH);
  const low: usize = load<u32>(LOW);
  const shifts: usize = load<u32>(SHIFTS);
  const sums: usize = load<u32>(SUMS);
  const query: usize = load<u32>(QUERY);
  const end = query + (stride << 1);
  const last = to - 1;
  for (let at = from; at < to; at += 4) {
    const r0 = rowAt(list, at);
    const r1 = rowAt(list, min(at + 1, last));
    const r2 = rowAt(list, min(at + 2, last));
    const r3 = rowAt(list, min(at + 3, last));
    let p0 = r0 * stride;
    let p1 = r1 * stride;
    let p2 = r2 * stride;
    let p3 = r3 * stride;
    let h0 = i32x4.splat(0);
    let h1 = h0;
    let h2 = h0;
    let h3 = h0;
    let l0 = h0;
    let l1 = h0;
    let l2 = h0;
    let l3 = h0;
    for (let q = query; q < end; q += 16) {
      const asked = v128.load(q);
      h0 = i32x4.add(h0, i32x4.dot_i16x8_s(v128.load_ext<i8>(high + p0), asked));
      h1 = i32x4.add(h1, i32x4.dot_i16x8_s(v128.load_ext<i8>(high + p1), asked));
      h2 = i32x4.add(h2, i32x4.dot_i16x8_s(v128.load_ext<i8>(high + p2), asked));
      h3 = i32x4.add(h3, i32x4.dot_i16x8_s(v128.load_ext<i8>(high + p3), asked));
      l0 = i32x4.add(l0, i32x4.dot_i16x8_s(v128.load_ext<u8>(low + p0), asked));
      l1 = i32x4.add(l1, i32x4.dot_i16x8_s(v128.load_ext<u8>(low + p1), asked));
      l2 = i32x4.add(l2, i32x4.dot_i16x8_s(v128.load_ext<u8>(low + p2), asked));
      l3 = i32x4.add(l3, i32x4.dot_i16x8_s(v128.load_ext<u8>(low + p3), asked));
      p0 += 8;
      p1 += 8;
      p2 += 8;
      p3 += 8;
    }
    h0 = i32x4.add(i32x4.shl(h0, <i32>load<u8>(shifts + r0)), l0);
    h1 = i32x4.add(i32x4.shl(h1, <i32>load<u8>(shifts + r1)), l1);
    h2 = i32x4.add(i32x4.shl(h2, <i32>load<u8>(shifts + r2)), l2);
    h3 = i32x4.add(i32x4.shl(h3, <i32>load<u8>(shifts + r3)), l3);
    // What is written past the last row is read by nobody; the list of sums has room for whole fours.
    v128.store(sums + ((<usize>at) << 2), i32x4.add(addPairs(h0, h1, h2, h3, true), addPairs(h0, h1, h2, h3, false)));
  }
}
