// The terms of a segment, ascending by code unit. A hash table finds the ordinal of a term.

import { randomBytes } from "node:crypto";
import { GrowableUint32 } from "../util/growable.js";
import { addToHash, finishHash, hashText } from "../util/hash.js";
import { copyText } from "../util/json.js";
import { offsetAt } from "../util/offset-table.js";
import { partitionPoint } from "../util/sorted.js";
import type { Task } from "../util/tasks.js";
import { TextTable, type TextTableParts, TextTableWriter } from "../util/text-table.js";

/** Marks an unused bucket of the hash table. */
export const EMPTY = 0xffff_ffff;

/** The arrays of a dictionary. */
export interface DictionaryParts extends TextTableParts {
  /** Open addressing: the low `ordinalBits` of an entry are an ordinal, the others a fingerprint of the term. */
  readonly table: Uint32Array;
  readonly ordinalBits: number;
  /** The salt of the hashes in the table. */
  readonly salt: number;
}

/** A buffer for the code units of a term. Reusing one avoids a string for each term that is read. */
export class TermUnits {
  /** Only the first `length` are valid. */
  units: Uint16Array = new Uint16Array(64);
  length = 0;
}

/** Distinct terms by ordinal: the position of a term in the order by code unit, from 0. */
export class TermDictionary extends TextTable<DictionaryParts> {
  private readonly table: Uint32Array;
  private readonly ordinalBits: number;

  constructor(parts: DictionaryParts) {
    super(parts);
    this.table = parts.table;
    this.ordinalBits = parts.ordinalBits;
  }

  /** Bytes of memory. */
  override get byteLength(): number {
    return super.byteLength + this.table.byteLength;
  }

  /** The ordinal of a term; undefined if the dictionary does not have it. */
  ordinalOf(term: string): number | undefined {
    const { table } = this;
    const bits = this.ordinalBits;
    const hash = hashText(term, this.parts.salt);
    const fingerprint = fingerprintOf(hash, bits);
    for (
      let bucket = firstBucketOf(hash, table.length);
      table[bucket] !== EMPTY;
      bucket = nextBucket(bucket, table.length)
    ) {
      const entry = table[bucket]!;
      const ordinal = entry & ((1 << bits) - 1);
      if (entry >>> bits === fingerprint && this.compare(ordinal, term) === 0) return ordinal;
    }
    return undefined;
  }

  /** The term with an ordinal below `size`, as a new string. */
  termAt(ordinal: number): string {
    return this.textAt(ordinal);
  }

  /** Whether the term with an ordinal below `size` begins with `prefix`. */
  beginsWith(ordinal: number, prefix: string): boolean {
    return this.compare(ordinal, prefix, prefix.length) === 0;
  }

  /** The ordinal of the first term that is after all terms with `prefix`; `size` if there is none. */
  afterPrefix(prefix: string): number {
    const first = this.firstFrom(prefix);
    return partitionPoint(first, this.size, (ordinal) => this.compare(ordinal, prefix, prefix.length) <= 0);
  }

  /** Writes the code units of the term with an ordinal below `size` into `into`. */
  read(ordinal: number, into: TermUnits): void {
    const from = offsetAt(this.offsets, ordinal);
    const bytes = offsetAt(this.offsets, ordinal + 1) - from;
    const isWide = this.isWideAt(ordinal);
    into.length = isWide ? bytes >>> 1 : bytes;
    if (into.length > into.units.length) into.units = new Uint16Array(2 * into.length);
    const { units, length } = into;
    for (let i = 0; i < length; i++)
      units[i] = isWide ? this.bytes[from + 2 * i]! | (this.bytes[from + 2 * i + 1]! << 8) : this.bytes[from + i]!;
  }
}

/** The bucket of a hash table of `length` buckets at which the search for a hash begins. It depends on the high bits. */
export function firstBucketOf(hash: number, length: number): number {
  return Math.floor((hash / 2 ** 32) * length);
}

function nextBucket(bucket: number, length: number): number {
  return bucket + 1 === length ? 0 : bucket + 1;
}

/** The low bits of a hash that fit into an entry beside an ordinal. */
function fingerprintOf(hash: number, ordinalBits: number): number {
  return (hash << ordinalBits) >>> ordinalBits;
}

/** Buckets of the hash table for each term. */
const BUCKETS_PER_TERM = 1.4;
/** Terms between two pauses. */
const PAUSE_EVERY = 1 << 12;

/** Numbers distinct terms in the order in which they are added, by an open-addressing table that is at most half full. */
export class TermHashTable {
  /** By number. */
  readonly texts: string[] = [];
  readonly hashes: GrowableUint32;
  /** A number plus 1; 0 marks an unused bucket. */
  private table: Int32Array;

  /** `expected`: about how many terms there will be. Growing a large table would block for long. */
  constructor(expected = 32) {
    this.hashes = new GrowableUint32(Math.ceil(expected));
    this.table = new Int32Array(2 ** Math.ceil(Math.log2(Math.max(64, 2 * expected))));
  }

  /**
   * The number of a term; adds the term if it is new. `isOwn`: the text is not a slice of a longer string, so it is kept
   * without copying.
   */
  numberOf(text: string, isOwn: boolean): number {
    const { table, hashes, texts } = this;
    const hash = hashText(text, SALT);
    const mask = table.length - 1;
    let bucket = hash & mask;
    for (let entry = table[bucket]!; entry !== 0; entry = table[bucket]!) {
      if (hashes.array[entry - 1] === hash && texts[entry - 1] === text) return entry - 1;
      bucket = (bucket + 1) & mask;
    }
    hashes.push(hash);
    table[bucket] = texts.push(isOwn ? text : copyText(text));
    if (2 * texts.length > mask) this.grow();
    return texts.length - 1;
  }

  private grow(): void {
    const larger = new Int32Array(2 * this.table.length);
    const mask = larger.length - 1;
    for (let number = 0; number < this.texts.length; number++) {
      let bucket = this.hashes.array[number]! & mask;
      while (larger[bucket] !== 0) bucket = (bucket + 1) & mask;
      larger[bucket] = number + 1;
    }
    this.table = larger;
  }
}

/** The dictionary of the terms of a hash table. `order`: their numbers, ascending by term. */
export function* writeDictionary({ texts, hashes }: TermHashTable, order: Uint32Array): Task<TermDictionary> {
  let units = 0;
  for (let i = 0; i < texts.length; i++) {
    if (i % PAUSE_EVERY === 0) yield;
    units += texts[i]!.length;
  }
  const writer = new TermDictionaryWriter(texts.length, 2 * units);
  for (let i = 0; i < order.length; i++) {
    if (i % PAUSE_EVERY === 0) yield;
    const number = order[i]!;
    writer.addText(texts[number]!, hashes.array[number]!);
  }
  return yield* writer.finish();
}

/** Writes a dictionary. The terms must be added in ascending order. */
export class TermDictionaryWriter {
  private readonly terms: TextTableWriter;
  private readonly hashes: Uint32Array;

  /** Upper bounds of the number of terms and of their bytes. Memory that is never touched costs nothing. */
  constructor(terms: number, bytes: number) {
    this.terms = new TextTableWriter(terms, bytes);
    this.hashes = new Uint32Array(terms);
  }

  /** The number of terms so far. */
  get size(): number {
    return this.terms.size;
  }

  /** Adds a term; `hash` is its salted hash. */
  addText(term: string, hash: number): void {
    this.hashes[this.size] = hash;
    this.terms.addText(term);
  }

  /** Adds the term whose characters are the bytes from `from` up to `to` of another dictionary. */
  addBytes(bytes: Uint8Array, [from, to]: readonly [number, number], isWide: boolean): void {
    let hash = SALT;
    if (isWide) for (let at = from; at < to; at += 2) hash = addToHash(hash, bytes[at]! | (bytes[at + 1]! << 8));
    else for (let at = from; at < to; at++) hash = addToHash(hash, bytes[at]!);
    this.hashes[this.size] = finishHash(hash);
    this.terms.addBytes(bytes, [from, to], isWide);
  }

  /** The dictionary. The writer cannot be used afterwards. */
  *finish(): Task<TermDictionary> {
    const { hashes } = this;
    const terms = yield* this.terms.finish();
    const { size } = terms;
    yield;
    const table = new Uint32Array(Math.ceil(size * BUCKETS_PER_TERM) + 1).fill(EMPTY);
    // The bits of `size`, not of the last ordinal: so no entry is equal to EMPTY.
    const ordinalBits = 32 - Math.clz32(size);
    for (let ordinal = 0; ordinal < size; ordinal++) {
      if (ordinal % PAUSE_EVERY === 0) yield;
      enter(hashes[ordinal]!, ordinal, table, ordinalBits);
    }
    return new TermDictionary({ ...terms, table, ordinalBits, salt: SALT });
  }
}

function enter(hash: number, ordinal: number, table: Uint32Array, ordinalBits: number): void {
  let bucket = firstBucketOf(hash, table.length);
  while (table[bucket] !== EMPTY) bucket = nextBucket(bucket, table.length);
  table[bucket] = (fingerprintOf(hash, ordinalBits) << ordinalBits) | ordinal;
}

/** Random in each process that writes, so that nobody can choose terms that collide. No answer depends on it. */
const SALT: number = randomBytes(4).readUInt32LE();
