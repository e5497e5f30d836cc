// The WebAssembly kernel that decodes a posting list and computes the impacts of its records, in AssemblyScript: `npm run build`
// compiles it beside src/inverted/read-impacts.ts, which has the same kernel in plain JavaScript and lays out the memory. The format
// of a list is that of src/inverted/list-codec.ts.

/** The records found and their impacts; each has room for all records of a segment. */
const FOUND_DOCS: usize = 0;
const FOUND_IMPACTS: usize = 131_072;
/** What is known of them: their greatest and least impact, and a record with the greatest; 32 bits each. */
const EXTREMES: usize = 262_144;
/** A bit for each record that was found, and by word of 32 bits how many were found in the words before it, 16 bits. */
const BITS: usize = 262_160;
const COUNTS: usize = 270_352;
const WORDS: usize = 2048;

/** As in src/inverted/bits.ts. */
const LONGEST_RUN: u32 = 12;
const WHOLE_GAP: u32 = 16;
/** Records of a block of the first slots, as a power of two. */
const BLOCK_BITS: u32 = 4;
const MAX_IMPACT: f64 = 65_535;

/** Where the slots of records begin: 32 bits for each block, and a narrow number for each record. */
let blockStarts: usize = 0;
let distances: usize = 0;
let distanceBytes: u32 = 1;
/** By slot: its shape, a narrow number. */
let slotShape: usize = 0;
let shapeBytes: u32 = 1;
/** By shape: the norm, 64 bits, and the impact of one occurrence, 16 bits. */
let norms: usize = 0;
let impacts: usize = 0;
let k1: f64 = 1;

/** The segment whose lists follow. */
export function setSegment(
  itsBlockStarts: usize,
  itsDistances: usize,
  itsDistanceBytes: u32,
  itsSlotShape: usize,
  itsShapeBytes: u32,
  itsNorms: usize,
  itsImpacts: usize,
  itsK1: f64,
): void {
  blockStarts = itsBlockStarts;
  distances = itsDistances;
  distanceBytes = itsDistanceBytes;
  slotShape = itsSlotShape;
  shapeBytes = itsShapeBytes;
  norms = itsNorms;
  impacts = itsImpacts;
  k1 = itsK1;
}

/** The next bit of the list that is being read. */
let words: usize = 0;
let at: u32 = 0;

/**
 * Reads a list from bit `firstBit` of `itsWords` on, and writes its records that have an impact. `maxDoc`: the records of the segment;
 * `weight`: a factor for the frequencies. The patterns are written to `ranks`, by rank an address of 32 bits, and to `patterns`: the
 * number of entries, and for each its slot, counted from the record's first one, and its frequency. Returns the number of the records
 * found.
 */
export function readList(itsWords: usize, firstBit: u32, maxDoc: u32, ranks: usize, patterns: usize, weight: f64): i32 {
  words = itsWords;
  at = firstBit;
  const count = gamma();
  const patternCount = gamma();
  for (let rank: u32 = 0, to = patterns; rank < patternCount; rank++) {
    store<u32>(ranks + ((<usize>rank) << 2), <u32>to);
    to = readPattern(to);
  }
  const width = 31 - <u32>clz<u32>(maxDoc / count);
  let doc: u32 = <u32>-1;
  let found: usize = 0;
  let greatest: u32 = 0;
  let least: u32 = <u32>MAX_IMPACT;
  let best: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    doc += 1 + gap(width);
    const rank: usize = patternCount > 1 ? <usize>(gamma() - 1) : 0;
    const slot = load<u32>(blockStarts + ((<usize>(doc >>> BLOCK_BITS)) << 2)) + narrow(distances, distanceBytes, doc);
    const impact = impactIn(slot, <usize>load<u32>(ranks + (rank << 2)), weight);
    store<u16>(FOUND_DOCS + found, <u16>doc);
    store<u16>(FOUND_IMPACTS + found, <u16>impact);
    // One without an impact is overwritten by the next.
    if (impact === 0) continue;
    found += 2;
    if (impact > greatest) best = doc;
    greatest = max(greatest, impact);
    least = min(least, impact);
  }
  store<u32>(EXTREMES, greatest);
  store<u32>(EXTREMES, least, 4);
  store<u32>(EXTREMES, best, 8);
  return <i32>(found >>> 1);
}

/** Writes the bits of the records that the last list has, and the counts of the words before each. */
export function writeBits(found: i32): void {
  memory.fill(BITS, 0, WORDS << 2);
  for (let at: usize = 0; at < (<usize>found) << 1; at += 2) {
    const doc = <u32>load<u16>(FOUND_DOCS + at);
    const word = BITS + ((<usize>(doc >>> 5)) << 2);
    store<u32>(word, load<u32>(word) | (1 << (doc & 31)));
  }
  let before: u32 = 0;
  for (let word: usize = 0; word < WORDS; word++) {
    store<u16>(COUNTS + (word << 1), <u16>before);
    before += popcnt<u32>(load<u32>(BITS + (word << 2)));
  }
}

function readPattern(to: usize): usize {
  const entries = gamma();
  store<u32>(to, entries);
  let slot: u32 = <u32>-1;
  let entry = to + 4;
  for (const end = entry + ((<usize>entries) << 3); entry < end; entry += 8) {
    slot += gamma();
    store<u32>(entry, slot);
    store<u32>(entry, gamma(), 4);
  }
  return entry;
}

/** See `BitReader.gamma` in src/inverted/bits.ts. */
function gamma(): u32 {
  const bits = nextBits();
  const zeros = <u32>clz(bits);
  at += 2 * zeros + 1;
  return <u32>((bits << zeros) >>> (63 - zeros));
}

/** See `BitReader.gap` in src/inverted/bits.ts. */
function gap(width: u32): u32 {
  const bits = nextBits();
  const zeros = <u32>clz(bits);
  if (zeros < LONGEST_RUN) {
    at += zeros + 1 + width;
    return (zeros << width) | <u32>(((bits << (zeros + 1)) >>> 1) >>> (63 - width));
  }
  at += LONGEST_RUN + WHOLE_GAP;
  return <u32>((bits << LONGEST_RUN) >>> (64 - WHOLE_GAP));
}

/** At least 33 bits from the next one on, which is the highest. */
function nextBits(): u64 {
  return rotl<u64>(load<u64>(words + ((<usize>(at >>> 5)) << 2)), 32) << (at & 31);
}

function narrow(array: usize, bytes: u32, index: u32): u32 {
  if (bytes === 1) return <u32>load<u8>(array + <usize>index);
  if (bytes === 2) return <u32>load<u16>(array + ((<usize>index) << 1));
  return load<u32>(array + ((<usize>index) << 2));
}

/** The impact of the occurrences that a pattern says, in a record whose slots begin at `firstSlot`. */
function impactIn(firstSlot: u32, pattern: usize, weight: f64): u32 {
  const entries = load<u32>(pattern);
  // Most postings are one occurrence in one field, whose impact is known by shape.
  if (entries === 1 && weight === 1 && load<u32>(pattern, 8) === 1)
    return <u32>load<u16>(impacts + ((<usize>shapeOf(firstSlot + load<u32>(pattern, 4))) << 1));
  let frequency: f64 = 0;
  // They are added up in the order of the fields' names, as everywhere, so that the sums are equal bit for bit.
  const end = pattern + ((<usize>entries) << 3);
  for (let entry = pattern; entry < end; entry += 8) {
    const shape = shapeOf(firstSlot + load<u32>(entry, 4));
    frequency += <f64>load<u32>(entry, 8) * load<f64>(norms + ((<usize>shape) << 3));
  }
  if (frequency === 0) return 0;
  const weighted = frequency * weight;
  return <u32>max<f64>(1, floor<f64>((MAX_IMPACT * weighted) / (k1 + weighted) + 0.5));
}

function shapeOf(slot: u32): u32 {
  return narrow(slotShape, shapeBytes, slot);
}
