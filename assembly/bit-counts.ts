// The WebAssembly kernel of sets of records, in AssemblyScript: `npm run build` compiles it to src/base/wasm/bit-counts.wasm.
// Its memory holds two pieces of bits; the plain twin is in src/base/wasm/bit-counts.ts.

/** Where the second piece stands; the first one stands at 0. */
const OTHER: usize = 8192;

/** How many of the first `bytes` bytes' bits are one, 32 bytes at a time. */
export function countOne(bytes: i32): i32 {
  return countBoth(bytes, 0);
}

/** How many are one in both pieces. */
export function countTwo(bytes: i32): i32 {
  return countBoth(bytes, OTHER);
}

function countBoth(bytes: i32, other: usize): i32 {
  let counts = i32x4.splat(0);
  for (let at: usize = 0; at < <usize>bytes; at += 32) {
    const first = v128.and(v128.load(at), v128.load(at + other));
    const second = v128.and(v128.load(at, 16), v128.load(at + other, 16));
    const ones = i8x16.add(i8x16.popcnt(first), i8x16.popcnt(second));
    counts = i32x4.add(counts, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(ones)));
  }
  const halves = i32x4.add(counts, v128.shuffle<i32>(counts, counts, 2, 3, 0, 1));
  return i32x4.extract_lane(halves, 0) + i32x4.extract_lane(halves, 1);
}
