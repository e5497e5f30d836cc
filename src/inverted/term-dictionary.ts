// The terms of a segment, ascending by code unit.

import { randomBytes } from "node:crypto";
import { copyText } from "../util/json.js";
import { GrowableUint32, offsetAt } from "../util/offset-table.js";
import { partitionPoint } from "../util/sorted.js";
import type { Task } from "../util/tasks.js";
import { hashText, TextTable, TextTableWriter } from "../util/text-table.js";

/** A buffer for the code units of a term. Reusing one avoids a string for each term that is read. */
export class TermUnits {
  /** Only the first `length` are valid. */
  units: Uint16Array = new Uint16Array(64);
  length = 0;
}

/** Distinct terms by ordinal: the position of a term in the order by code unit, from 0. */
export class TermDictionary extends TextTable {
  /** The ordinal of a term; undefined if the dictionary does not have it. */
  ordinalOf(term: string): number | undefined {
    const ordinal = this.indexOf(term);
    return ordinal < 0 ? undefined : ordinal;
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
export function* writeDictionary({ texts }: TermHashTable, order: Uint32Array): Task<TermDictionary> {
  let units = 0;
  for (let i = 0; i < texts.length; i++) {
    if (i % PAUSE_EVERY === 0) yield;
    units += texts[i]!.length;
  }
  const writer = new TextTableWriter(texts.length, 2 * units);
  for (let i = 0; i < order.length; i++) {
    if (i % PAUSE_EVERY === 0) yield;
    writer.addText(texts[order[i]!]!);
  }
  return new TermDictionary(yield* writer.finish());
}

/** Random in each process, so that nobody can choose terms that collide. No answer depends on it. */
const SALT: number = randomBytes(4).readUInt32LE();
