// The WebAssembly kernel that compares one row of static-en's table with the others, in AssemblyScript: `npm run build` compiles
// it to src/embedding/word-rows.wasm. src/embedding/word-table.ts writes its memory, which is laid out as below; the
// plain kernel is `PlainRowVectors` there.

/** The query row, as `ask` lays it out, and eight times the sum of its components. */
const QUERY: usize = 0;
const QUERY_SUM: usize = 384;
/** The results, one sum for each row of a block. */
const SUMS: usize = 512;
/** The rows: six vector registers each, four codes in a 16-bit lane; a code is a component plus 8. */
const ROWS: usize = 4608;
const ROW: usize = 96;

/** Makes a row the query: unpacks its components to 16-bit lanes, one register for each position of a code in its lane. */
export function ask(row: i32): void {
  let sum = i16x8.splat(0);
  const start = ROWS + ROW * <usize>row;
  for (let at: usize = 0; at < ROW; at += 16) {
    const lanes = v128.load(start + at);
    for (let place = 0; place < 4; place++) {
      const components = componentsAt(lanes, 4 * place);
      v128.store(QUERY + 4 * at + 16 * <usize>place, components);
      sum = i16x8.add(sum, components);
    }
  }
  store<i32>(QUERY_SUM, 8 * total(sum));
}

/**
 * The dot products of the query row with the rows `from` to `to - 1`, four at a time; past the end the last row is repeated.
 * A component times a code is at most 120, and a lane adds up 24 of them.
 */
export function dots(from: i32, to: i32): void {
  const eightfold = i32x4.splat(load<i32>(QUERY_SUM));
  const last = to - 1;
  let out = SUMS;
  for (let row = from; row < to; row += 4, out += 16) {
    let p0 = ROWS + ROW * <usize>row;
    let p1 = ROWS + ROW * <usize>min(row + 1, last);
    let p2 = ROWS + ROW * <usize>min(row + 2, last);
    let p3 = ROWS + ROW * <usize>min(row + 3, last);
    let s0 = i16x8.splat(0);
    let s1 = s0;
    let s2 = s0;
    let s3 = s0;
    for (let q = QUERY; q < QUERY + 4 * ROW; q += 64) {
      s0 = addProducts(s0, v128.load(p0), q);
      s1 = addProducts(s1, v128.load(p1), q);
      s2 = addProducts(s2, v128.load(p2), q);
      s3 = addProducts(s3, v128.load(p3), q);
      p0 += 16;
      p1 += 16;
      p2 += 16;
      p3 += 16;
    }
    v128.store(out, i32x4.sub(totals(s0, s1, s2, s3), eightfold));
  }
}

/** The dot product of two rows. A product of components is at most 64, and a lane adds up 24 of them. */
export function dot(a: i32, b: i32): i32 {
  const one = ROWS + ROW * <usize>a;
  const other = ROWS + ROW * <usize>b;
  let sum = i16x8.splat(0);
  for (let at: usize = 0; at < ROW; at += 16) {
    const lanes = v128.load(one + at);
    const others = v128.load(other + at);
    for (let place = 0; place < 4; place++)
      sum = i16x8.add(sum, i16x8.mul(componentsAt(lanes, 4 * place), componentsAt(others, 4 * place)));
  }
  return total(sum);
}

/** The dot product of each of the rows `from` to `to - 1` with itself. */
export function squares(from: i32, to: i32): void {
  let out = SUMS;
  for (let row = from; row < to; row++, out += 4) {
    const start = ROWS + ROW * <usize>row;
    let sum = i16x8.splat(0);
    for (let at: usize = 0; at < ROW; at += 16) {
      const lanes = v128.load(start + at);
      for (let place = 0; place < 4; place++) {
        const components = componentsAt(lanes, 4 * place);
        sum = i16x8.add(sum, i16x8.mul(components, components));
      }
    }
    store<i32>(out, total(sum));
  }
}

function addProducts(sum: v128, lanes: v128, q: usize): v128 {
  sum = i16x8.add(sum, i16x8.mul(codesAt(lanes, 0), v128.load(q)));
  sum = i16x8.add(sum, i16x8.mul(codesAt(lanes, 4), v128.load(q, 16)));
  sum = i16x8.add(sum, i16x8.mul(codesAt(lanes, 8), v128.load(q, 32)));
  return i16x8.add(sum, i16x8.mul(i16x8.shr_u(lanes, 12), v128.load(q, 48)));
}

function componentsAt(lanes: v128, bit: i32): v128 {
  return i16x8.sub(codesAt(lanes, bit), i16x8.splat(8));
}

function codesAt(lanes: v128, bit: i32): v128 {
  return v128.and(i16x8.shr_u(lanes, bit), i16x8.splat(15));
}

function total(sum: v128): i32 {
  return i32x4.extract_lane(totals(sum, sum, sum, sum), 0);
}

/** The sums of the 16-bit lanes of four registers. */
function totals(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = addPairs(i32x4.extadd_pairwise_i16x8_s(a), i32x4.extadd_pairwise_i16x8_s(b));
  const cd = addPairs(i32x4.extadd_pairwise_i16x8_s(c), i32x4.extadd_pairwise_i16x8_s(d));
  return i32x4.add(v128.shuffle<i64>(ab, cd, 0, 2), v128.shuffle<i64>(ab, cd, 1, 3));
}

function addPairs(a: v128, b: v128): v128 {
  return i32x4.add(v128.shuffle<i32>(a, b, 0, 4, 1, 5), v128.shuffle<i32>(a, b, 2, 6, 3, 7));
}
