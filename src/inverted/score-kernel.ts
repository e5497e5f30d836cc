// Scores the records of one segment: adds up the impact lists of a query and finds the records that reach a score. There are
// two kernels: WebAssembly for long lists, and plain JavaScript for short ones and for hosts without WebAssembly. All numbers
// are whole, so both find the same records, ascending, with the same scores.

import { ones } from "../util/doc-set.js";
import { type GrowingMemory, loadModule, PAGE_BYTES, type WasmModule } from "../util/web-assembly.js";
import { MAX_IMPACT } from "./bm25.js";
import { addBits, type ImpactList } from "./impact-list.js";
import { MAX_DOCS } from "./postings.js";
import { SCORE_SCAN } from "./score-scan.wasm.js";

/** An impact list with the weight of its term, and the most that it adds to a score. */
export interface WeightedList {
  readonly list: ImpactList;
  readonly weight: number;
  readonly max: number;
}

/** Which records are listed, and which are only counted. */
export interface CollectOptions {
  /** Records with a lower score are left out. At least 1. */
  readonly least: number;
  /** Records with `low` <= score < `high` are counted instead of listed. */
  readonly low: number;
  readonly high: number;
  /** The accepted records of the segment as bits: the others are left out. Null: all are accepted. */
  readonly accepted: Uint32Array | null;
}

/** The inner loops over a segment of up to 65,536 records. */
export interface ScoreKernel {
  /** The result of the last call of `collect`: records within the segment, and their scores. Valid until the next call. */
  readonly docs: Uint16Array;
  readonly scores: Int32Array;
  /** The number of records that the last call of `collect` counted instead of listing them. */
  readonly counted: number;
  /**
   * Finds the records that `options` ask for, scored by these lists; returns how many are listed. `maxDoc`: the records of the
   * segment.
   */
  collect(lists: readonly WeightedList[], maxDoc: number, options: CollectOptions): number;
  /** The number of accepted records that are in any of the lists. */
  countUnion(lists: readonly ImpactList[], accepted: Uint32Array | null): number;
}

/** With fewer entries, copying the lists to WebAssembly costs more than it saves. */
const LEAST_COMPILED = 1000;
const BITS_BYTES = MAX_DOCS / 8;

let compiled: ScoreKernel | null | undefined;
let plain: ScoreKernel | undefined;

/** The kernel for lists with this many entries in total. */
export function kernelFor(entries: number): ScoreKernel {
  plain ??= new PlainKernel();
  if (entries < LEAST_COMPILED) return plain;
  if (compiled === undefined) compiled = compileKernel();
  return compiled ?? plain;
}

/** Whether the WebAssembly kernel runs here; the first call loads it. */
export function wasmAvailable(): boolean {
  return kernelFor(LEAST_COMPILED) !== plain;
}

/** The number of entries of all lists. */
export function totalSize(lists: readonly WeightedList[]): number {
  let entries = 0;
  for (const { list } of lists) entries += list.size;
  return entries;
}

class PlainKernel implements ScoreKernel {
  readonly docs: Uint16Array = new Uint16Array(MAX_DOCS);
  readonly scores: Int32Array = new Int32Array(MAX_DOCS);
  counted = 0;
  /** By record: its score, negated once the record is found. All 0 between two calls. */
  private readonly sums = new Int32Array(MAX_DOCS);
  private readonly union = new Uint32Array(MAX_DOCS / 32);

  collect(lists: readonly WeightedList[], _maxDoc: number, { least, low, high, accepted }: CollectOptions): number {
    const sums = this.sums;
    const { docs, scores } = this;
    for (const { list, weight } of lists) addScores(list.docs, list.impacts, weight, sums);
    let found = 0;
    let counted = 0;
    for (const { list } of lists)
      for (let i = 0; i < list.docs.length; i++) {
        const doc = list.docs[i]!;
        const score = sums[doc]!;
        if (score <= 0) continue; // a list before this one had the record
        sums[doc] = 0;
        if (score < least || (accepted !== null && ((accepted[doc >>> 5]! >>> (doc & 31)) & 1) === 0)) continue;
        if (score >= low && score < high) counted++;
        else {
          sums[doc] = -score;
          docs[found++] = doc;
        }
      }
    if (lists.length > 1) docs.subarray(0, found).sort();
    for (let i = 0; i < found; i++) {
      scores[i] = -sums[docs[i]!]!;
      sums[docs[i]!] = 0;
    }
    this.counted = counted;
    return found;
  }

  countUnion(lists: readonly ImpactList[], accepted: Uint32Array | null): number {
    const union = this.union;
    for (const { docs } of lists) addBits(docs, union);
    let count = 0;
    for (let i = 0; i < union.length; i++)
      count += ones(accepted === null ? union[i]! : union[i]! & (i < accepted.length ? accepted[i]! : 0));
    union.fill(0);
    return count;
  }
}

/** A function of its own, so that V8 sees only arrays of these types in its loop. */
function addScores(docs: Uint16Array, impacts: Uint16Array, weight: number, sums: Int32Array): void {
  for (let i = 0; i < docs.length; i++) sums[docs[i]!]! += weight * impacts[i]!;
}

/** The functions of assembly/score-scan.ts. */
interface ScoreScan {
  addUp(
    table: number,
    lists: number,
    maxDoc: number,
    least: number,
    low: number,
    high: number,
    hasAccepted: number,
  ): number;
  takeList(
    docs: number,
    impacts: number,
    count: number,
    weight: number,
    least: number,
    low: number,
    high: number,
    hasAccepted: number,
  ): number;
  takeCounted(): number;
  uniteDocs(docs: number, count: number): void;
  uniteBits(words: number): void;
  countUnion(hasAccepted: number): number;
}

// The layout of the memory; the same constants are in assembly/score-scan.ts.
const FOUND_DOCS = 262_144;
const FOUND_SCORES = 393_248;
const ACCEPTED = 655_456;
/** The lists of a call are copied to the memory from here on. */
const LISTS = 671_904;
const TABLE_ENTRY = 16;
const FIRST_BYTES = 4 << 20;
const MOST_BYTES = 1 << 30;

class CompiledKernel implements ScoreKernel {
  docs: Uint16Array;
  scores: Int32Array;
  private readonly scan: ScoreScan;
  private readonly memory: GrowingMemory;
  private shorts: Uint16Array;
  private words: Uint32Array;
  counted = 0;

  constructor(scan: ScoreScan, memory: GrowingMemory) {
    this.scan = scan;
    this.memory = memory;
    const { buffer } = memory;
    this.docs = new Uint16Array(buffer, FOUND_DOCS, MAX_DOCS);
    this.scores = new Int32Array(buffer, FOUND_SCORES, MAX_DOCS);
    this.shorts = new Uint16Array(buffer);
    this.words = new Uint32Array(buffer);
  }

  collect(lists: readonly WeightedList[], maxDoc: number, { least, low, high, accepted }: CollectOptions): number {
    const scan = this.scan;
    this.reserve(4 * totalSize(lists) + lists.length * (TABLE_ENTRY + 2 * 16));
    const hasAccepted = this.putAccepted(accepted);
    let found: number;
    if (lists.length === 1) {
      const { list, weight, max } = lists[0]!;
      if (max < least) {
        this.counted = 0;
        return 0;
      }
      const docs = this.copyShorts(LISTS, list.docs);
      const impactsAt = aligned(LISTS + list.docs.byteLength);
      this.copyShorts(impactsAt, list.impacts);
      // The least impact that gives a score; none is above 65,535.
      const impactFrom = (score: number): number => Math.min(MAX_IMPACT + 1, Math.ceil(score / weight));
      found = scan.takeList(
        docs,
        impactsAt,
        list.size,
        weight,
        impactFrom(least),
        low < high ? impactFrom(low) : 1,
        low < high ? impactFrom(high) : 0,
        hasAccepted,
      );
    } else {
      let at = aligned(LISTS + lists.length * TABLE_ENTRY);
      for (let i = 0, entry = LISTS >>> 2; i < lists.length; i++, entry += TABLE_ENTRY >>> 2) {
        const { list, weight } = lists[i]!;
        this.words[entry] = this.copyShorts(at, list.docs);
        at = aligned(at + list.docs.byteLength);
        this.words[entry + 1] = this.copyShorts(at, list.impacts);
        at = aligned(at + list.impacts.byteLength);
        this.words[entry + 2] = list.size;
        this.words[entry + 3] = weight;
      }
      found = scan.addUp(LISTS, lists.length, maxDoc, least, low, high, hasAccepted);
    }
    this.counted = scan.takeCounted();
    return found;
  }

  countUnion(lists: readonly ImpactList[], accepted: Uint32Array | null): number {
    const scan = this.scan;
    const hasAccepted = this.putAccepted(accepted);
    for (const { bits, docs } of lists) {
      if (bits === null) scan.uniteDocs(this.copyShorts(LISTS, docs), docs.length);
      else {
        this.words.set(bits, LISTS >>> 2);
        scan.uniteBits(LISTS);
      }
    }
    return scan.countUnion(hasAccepted);
  }

  private putAccepted(accepted: Uint32Array | null): number {
    if (accepted === null) return 0;
    const words = this.words;
    words.set(accepted, ACCEPTED >>> 2);
    words.fill(0, (ACCEPTED >>> 2) + accepted.length, (ACCEPTED + BITS_BYTES) >>> 2);
    return 1;
  }

  private copyShorts(at: number, numbers: Uint16Array): number {
    this.shorts.set(numbers, at >>> 1);
    return at;
  }

  /** Grows the memory for this many bytes of lists. Growing gives the memory another buffer. */
  private reserve(bytes: number): void {
    const missing = LISTS + bytes - this.memory.buffer.byteLength;
    if (missing <= 0) return;
    this.memory.grow(Math.ceil(missing / PAGE_BYTES));
    const { buffer } = this.memory;
    this.docs = new Uint16Array(buffer, FOUND_DOCS, MAX_DOCS);
    this.scores = new Int32Array(buffer, FOUND_SCORES, MAX_DOCS);
    this.shorts = new Uint16Array(buffer);
    this.words = new Uint32Array(buffer);
  }
}

function aligned(at: number): number {
  return (at + 15) & ~15;
}

/** The WebAssembly kernel; null if it cannot run here. */
function compileKernel(): ScoreKernel | null {
  try {
    const module: WasmModule | null = loadModule(SCORE_SCAN);
    const memory = module?.createMemory(FIRST_BYTES, MOST_BYTES);
    if (module === null || memory === undefined) return null;
    const scan = module.instantiate(memory) as ScoreScan;
    // Throws on a host where the module compiles but does not run.
    return scan.countUnion(0) === 0 ? new CompiledKernel(scan, memory) : null;
  } catch {
    return null;
  }
}
