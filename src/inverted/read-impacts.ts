// Reads a posting list as an impact list. There are two kernels: WebAssembly for long lists, and plain JavaScript for short ones and
// for hosts without WebAssembly. Both give the same bits. A query that is asked for the first time spends most of its time here.

import type { LocalDoc } from "../util/doc.js";
import type { NarrowArray } from "../util/growable.js";
import { OFFSET_BLOCK_BITS } from "../util/offset-table.js";
import { type GrowingMemory, loadModule, PAGE_BYTES, type WasmModule } from "../util/web-assembly.js";
import { type FieldScoring, impactOf, lengthNorm } from "./bm25.js";
import { ImpactList, SHORTEST_WITH_BITS } from "./impact-list.js";
import { IMPACT_SCAN } from "./impact-scan.wasm.js";
import { decodeList, listSize } from "./list-codec.js";
import { FIELD_MASK, type ListBits, MAX_DOCS, type Postings, TITLE_BIT } from "./postings.js";

/** How much one occurrence counts in a field, by shape: by the field and its length. 0: the field is not searched. */
export interface ShapeNorms {
  /** To be multiplied by the frequency. */
  readonly norms: Float64Array;
  /** The impact of a single occurrence: most postings are one. 0: the field is not searched. */
  readonly impacts: Uint16Array;
  readonly k1: number;
}

/** The norms of a segment's shapes. Fields in `notIn` count as not searched. */
export function shapeNormsOf(
  { shapeFields, shapeLengths, fields: names }: Postings,
  { weights, titleWeights, averages, b }: FieldScoring,
  k1: number,
  notIn?: ReadonlySet<string>,
): ShapeNorms {
  const norms = new Float64Array(shapeFields.length);
  const impacts = new Uint16Array(norms.length);
  for (let i = 0; i < norms.length; i++) {
    const field = shapeFields[i]! & FIELD_MASK;
    const weight = (shapeFields[i]! & TITLE_BIT) === 0 ? weights[field]! : titleWeights[field]!;
    if (weight === 0 || notIn?.has(names[field]!) === true) continue;
    norms[i] = lengthNorm(weight, shapeLengths[i]!, averages[field]!, b);
    impacts[i] = impactOf(norms[i]!, k1);
  }
  return { norms, impacts, k1 };
}

/** Lists with fewer records are read in plain JavaScript: copying a segment to WebAssembly costs more than it saves. */
const LEAST_COMPILED = 1024;

/** The posting list of a term, which is in `bits`. */
export interface ListToRead {
  readonly term: number;
  readonly bits: ListBits;
}

/** See {@link readImpacts}. */
type ImpactReader = typeof readImpacts;

/**
 * Computes the impacts of an index term from its posting list; null if no record holds it in a searched field. `weight`: a factor for
 * the frequencies. The fields are added up in the order of their names, as everywhere, so that the sums are equal bit for bit.
 */
export function readImpacts(
  postings: Postings,
  list: ListToRead,
  norms: ShapeNorms,
  weight: number,
): ImpactList | null {
  return readerFor(listSize(postings, list.term, list.bits))(postings, list, norms, weight);
}

let compiled: ImpactReader | null | undefined;

/** The reader of lists with this many records. */
export function readerFor(records: number): ImpactReader {
  if (records < LEAST_COMPILED) return readPlain;
  if (compiled === undefined) compiled = compileReader();
  return compiled ?? readPlain;
}

// Buffers; each call overwrites them.
const DOCS = new Uint16Array(MAX_DOCS);
const IMPACTS = new Uint16Array(MAX_DOCS);
/** By rank of a pattern of a single occurrence: its slot, counted from the record's first one; of another pattern: SEVERAL. */
const ONCE_AT = new Int32Array(MAX_DOCS);
const SEVERAL = -1;

function readPlain(
  postings: Postings,
  { term, bits }: ListToRead,
  { norms, impacts, k1 }: ShapeNorms,
  weight: number,
): ImpactList | null {
  const { docSlots, slotShape } = postings;
  const { blockStarts, distances } = docSlots;
  const { docs, ranks, patterns, size: count } = decodeList(postings, term, bits);
  const { starts, offsets, freqs } = patterns;
  // Most postings are one occurrence in one field, whose impact is known by shape.
  for (let rank = 0; rank < patterns.size; rank++) {
    const from = starts[rank]!;
    const isOnce = starts[rank + 1]! - from === 1 && freqs[from] === 1 && weight === 1;
    ONCE_AT[rank] = isOnce ? offsets[from]! : SEVERAL;
  }
  let size = 0;
  for (let i = 0; i < count; i++) {
    const doc = docs[i]!;
    const firstSlot = blockStarts[doc >>> OFFSET_BLOCK_BITS]! + distances[doc]!;
    const rank = ranks[i]!;
    const offset = ONCE_AT[rank]!;
    let impact: number;
    if (offset !== SEVERAL) impact = impacts[slotShape[firstSlot + offset]!]!;
    else {
      let frequency = 0;
      for (let entry = starts[rank]!, to = starts[rank + 1]!; entry < to; entry++)
        frequency += freqs[entry]! * norms[slotShape[firstSlot + offsets[entry]!]!]!;
      impact = frequency === 0 ? 0 : impactOf(frequency * weight, k1);
    }
    if (impact === 0) continue; // the record holds the term only in fields that are not searched
    DOCS[size] = doc;
    IMPACTS[size++] = impact;
  }
  return size === 0 ? null : new ImpactList(DOCS.slice(0, size), IMPACTS.slice(0, size));
}

/** The functions of assembly/impact-scan.ts. */
interface ImpactScan {
  setSegment(
    blockStarts: number,
    distances: number,
    distanceBytes: number,
    slotShape: number,
    shapeBytes: number,
    norms: number,
    impacts: number,
    k1: number,
  ): void;
  readList(words: number, firstBit: number, maxDoc: number, ranks: number, patterns: number, weight: number): number;
  writeBits(found: number): void;
}

// The layout of the memory; the same constants are in assembly/impact-scan.ts.
const FOUND_DOCS = 0;
const FOUND_IMPACTS = 131_072;
const EXTREMES = 262_144;
const BITS = 262_160;
const COUNTS = 270_352;
const WORDS = MAX_DOCS / 32;
/** What is copied to the memory begins here: the segment, then the list. */
const COPIED = 274_448;
const FIRST_BYTES = 1 << 20;
const MOST_BYTES = 1 << 30;
const ALIGNMENT = 8;
/** A pattern takes three bits at least, and an entry of it two. In the memory, an address and a count, and two numbers. */
const RANK_BYTES_PER_BIT = 4 / 3;
const PATTERN_BYTES_PER_BIT = 4 / 3 + 8 / 2;

/** A posting list: one record, one pattern of one entry, slot 0, frequency 1, gap 0. */
const ONE_RECORD = 0b111111 << 26;

type Copied = NarrowArray | Float64Array;

/** The WebAssembly reader. Its memory has a copy of the segment that was read last. */
class CompiledReader {
  private readonly scan: ImpactScan;
  private readonly memory: GrowingMemory;
  private bytes: Uint8Array;
  private segment: WeakRef<Postings> | undefined;
  private norms: WeakRef<ShapeNorms> | undefined;
  /** Where the copy of the segment ends. */
  private segmentEnd = COPIED;

  constructor(scan: ImpactScan, memory: GrowingMemory) {
    this.scan = scan;
    this.memory = memory;
    this.bytes = new Uint8Array(memory.buffer);
  }

  read(postings: Postings, { term, bits }: ListToRead, norms: ShapeNorms, weight: number): ImpactList | null {
    this.setSegment(postings, norms);
    const start = postings.starts[term]! - bits.first;
    const end = postings.starts[term + 1]! - bits.first;
    const { places, end: ranks } = this.copy([bits.words.subarray(start >>> 5, (end >>> 5) + 2)], this.segmentEnd);
    const patterns = aligned(ranks + Math.ceil((end - start) * RANK_BYTES_PER_BIT));
    this.reserve(patterns + Math.ceil((end - start) * PATTERN_BYTES_PER_BIT));
    const found = this.scan.readList(places[0]!, start & 31, postings.maxDoc, ranks, patterns, weight);
    if (found === 0) return null;
    const { buffer } = this.memory;
    const [max, min, bestDoc] = new Uint32Array(buffer, EXTREMES, 3);
    const hasBits = found >= SHORTEST_WITH_BITS;
    if (hasBits) this.scan.writeBits(found);
    return new ImpactList(
      new Uint16Array(buffer, FOUND_DOCS, found).slice(),
      new Uint16Array(buffer, FOUND_IMPACTS, found).slice(),
      {
        ...{ max: max!, min: min!, bestDoc: bestDoc! as LocalDoc },
        bits: hasBits ? new Uint32Array(buffer, BITS, WORDS).slice() : null,
        countsBefore: hasBits ? new Uint16Array(buffer, COUNTS, WORDS).slice() : null,
      },
    );
  }

  /** Copies the arrays that reading the lists of a segment needs, if another segment was read last. */
  private setSegment(postings: Postings, shapeNorms: ShapeNorms): void {
    if (this.segment?.deref() === postings && this.norms?.deref() === shapeNorms) return;
    const { docSlots, slotShape } = postings;
    const { norms, impacts, k1 } = shapeNorms;
    const arrays = [docSlots.blockStarts, docSlots.distances, slotShape, norms, impacts];
    const { places, end } = this.copy(arrays, COPIED);
    const [blockStartsAt, distancesAt, slotShapeAt, normsAt, impactsAt] = places;
    this.scan.setSegment(
      blockStartsAt!,
      distancesAt!,
      docSlots.distances.BYTES_PER_ELEMENT,
      slotShapeAt!,
      slotShape.BYTES_PER_ELEMENT,
      normsAt!,
      impactsAt!,
      k1,
    );
    this.segment = new WeakRef(postings);
    this.norms = new WeakRef(shapeNorms);
    this.segmentEnd = end;
  }

  /** Copies arrays to the memory, one after the other from `at` on. Returns where they begin, and where the last one ends. */
  private copy(arrays: readonly Copied[], at: number): { readonly places: readonly number[]; readonly end: number } {
    const places: number[] = [];
    let end = at;
    for (const { byteLength } of arrays) {
      places.push(end);
      end = aligned(end + byteLength);
    }
    this.reserve(end);
    for (const [i, { buffer, byteOffset, byteLength }] of arrays.entries())
      this.bytes.set(new Uint8Array(buffer, byteOffset, byteLength), places[i]!);
    return { places, end };
  }

  /** Grows the memory to this many bytes. Growing gives the memory another buffer with the same content. */
  private reserve(bytes: number): void {
    const missing = bytes - this.memory.buffer.byteLength;
    if (missing <= 0) return;
    this.memory.grow(Math.ceil(missing / PAGE_BYTES));
    this.bytes = new Uint8Array(this.memory.buffer);
  }
}

function aligned(at: number): number {
  return (at + ALIGNMENT - 1) & -ALIGNMENT;
}

/** The WebAssembly reader; null if it cannot run here. */
function compileReader(): ImpactReader | null {
  try {
    const module: WasmModule<ImpactScan> | null = loadModule(IMPACT_SCAN);
    const memory = module?.createMemory(FIRST_BYTES, MOST_BYTES);
    if (module === null || memory === undefined) return null;
    const scan = module.instantiate(memory);
    // Throws on a host where the module compiles but does not run. The list is of one record, in a field that is not searched.
    new Uint32Array(memory.buffer)[COPIED >>> 2] = ONE_RECORD;
    if (scan.readList(COPIED, 0, 1, COPIED + ALIGNMENT, COPIED + 2 * ALIGNMENT, 1) !== 0) return null;
    const reader = new CompiledReader(scan, memory);
    return (...list) => reader.read(...list);
  } catch {
    return null;
  }
}
