// The WebAssembly kernel of the exact scan, in AssemblyScript: `npm run build` compiles it to src/vectors/vector-scan.wasm.
// Its memory contains the rows of one segment and starts with the header below, which src/vectors/row-kernel.ts writes. The
// plain kernel there does the same arithmetic.

const STRIDE: usize = 0;
const QUERY: usize = 4;
const LIST: usize = 8;
const FOUND: usize = 12;
const SUMS: usize = 16;
const FACTORS: usize = 20;
const ERRORS: usize = 24;
const HIGH: usize = 28;
const LOW: usize = 32;
const SHIFTS: usize = 36;
const QUERY_SUM: usize = 40;
const QUERY_SCALE: usize = 44;

/** Rows in order, and those of a list: types, so that the loop over rows is compiled for each. */
type InOrder = i32;
type Listed = u32;

/** The size of a cache line, and the number of bytes that are prefetched: less than the size of the fastest cache. */
const LINE: usize = 64;
const AHEAD: usize = 16_384;
/** The processor prefetches shorter consecutive rows well enough. */
const MIN_AHEAD_STRIDE: usize = 256;

/** Meaningless; exported so that the compiler does not remove the reads. */
export let fetched: u32 = 0;

export function filter(from: i32, to: i32, threshold: f32): i32 {
  if (load<u32>(STRIDE) < MIN_AHEAD_STRIDE) return filterRows<InOrder>(from, to, threshold, 0);
  return filterAhead<InOrder>(from, to, threshold);
}

export function filterListed(count: i32, threshold: f32): i32 {
  return filterAhead<Listed>(0, count, threshold);
}

/** Prefetches rows: reads one byte of each cache line, so that many lines are fetched at the same time. */
function filterAhead<Order>(from: i32, to: i32, threshold: f32): i32 {
  const list: usize = load<u32>(LIST);
  const stride: usize = load<u32>(STRIDE);
  const high: usize = load<u32>(HIGH);
  const rows = max<i32>(8, <i32>(AHEAD / max(LINE, stride)) & ~3);
  let count = 0;
  for (let at = from; at < to; at += rows) {
    const end = min(at + rows, to);
    let sum: u32 = 0;
    for (let i = at; i < end; i++) {
      const row = high + rowOf<Order>(list, i) * stride;
      for (let byte: usize = 0; byte < stride; byte += LINE) sum ^= load<u8>(row + byte);
    }
    fetched ^= sum;
    count = filterRows<Order>(at, end, threshold, count);
  }
  return count;
}

/** Four rows at a time; past the end, the last row is repeated but not found again. Appends to the `count` rows found so far. */
function filterRows<Order>(from: i32, to: i32, threshold: f32, count: i32): i32 {
  const list: usize = load<u32>(LIST);
  const stride: usize = load<u32>(STRIDE);
  const high: usize = load<u32>(HIGH);
  const factors: usize = load<u32>(FACTORS);
  const errors: usize = load<u32>(ERRORS);
  const query: usize = load<u32>(QUERY);
  const end = query + (stride << 1);
  const querySum = i32x4.splat(load<i32>(QUERY_SUM));
  const scale = f32x4.splat(load<f32>(QUERY_SCALE));
  const least = f32x4.splat(threshold);
  const last = to - 1;
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
    const bounds = f32x4.add(cosines, gather(errors, r0, r1, r2, r3));
    const hits = i32x4.bitmask(f32x4.ge(bounds, least));
    if (hits === 0) continue;
    if ((hits & 1) !== 0) count = put(count, r0, i32x4.extract_lane(sums, 0));
    if ((hits & 2) !== 0 && at + 1 < to) count = put(count, r1, i32x4.extract_lane(sums, 1));
    if ((hits & 4) !== 0 && at + 2 < to) count = put(count, r2, i32x4.extract_lane(sums, 2));
    if ((hits & 8) !== 0 && at + 3 < to) count = put(count, r3, i32x4.extract_lane(sums, 3));
  }
  return count;
}

function rowOf<Order>(list: usize, at: i32): usize {
  return isSigned<Order>() ? <usize>at : <usize>load<u32>(list + ((<usize>at) << 2));
}

/** Sums of half of the lanes of four vectors, in pairs; the sum of both halves gives the four totals. */
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
  const at = (<usize>count) << 2;
  store<u32>(<usize>load<u32>(FOUND) + at, <u32>row);
  store<i32>(<usize>load<u32>(SUMS) + at, sum);
  return count + 1;
}

/** Four rows at a time; past the end the last row is repeated. */
export function dots(count: i32): void {
  const list: usize = load<u32>(LIST);
  const stride: usize = load<u32>(STRIDE);
  const high: usize = load<u32>(HIGH);
  const low: usize = load<u32>(LOW);
  const shifts: usize = load<u32>(SHIFTS);
  const sums: usize = load<u32>(SUMS);
  const query: usize = load<u32>(QUERY);
  const end = query + (stride << 1);
  const last = count - 1;
  for (let at = 0; at < count; at += 4) {
    const r0 = rowOf<Listed>(list, at);
    const r1 = rowOf<Listed>(list, min(at + 1, last));
    const r2 = rowOf<Listed>(list, min(at + 2, last));
    const r3 = rowOf<Listed>(list, min(at + 3, last));
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
    // Sums past the last row are never read, and the array has room for them.
    v128.store(sums + ((<usize>at) << 2), i32x4.add(addPairs(h0, h1, h2, h3, true), addPairs(h0, h1, h2, h3, false)));
  }
}
