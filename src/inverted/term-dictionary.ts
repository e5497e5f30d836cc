// The terms of a segment, ascending by code unit, outside V8's heap: their characters one after the other, and a table of
// hashes that leads from a term to its number. A character takes one byte, in names with greater ones each takes two.

import { randomBytes } from "node:crypto";
import { GrowableUint32 } from "../util/growable.js";
import { ownText } from "../util/json.js";
import type { Task } from "../util/tasks.js";
import { type OffsetTable, offsetAt, offsetTable, offsetTableBytes } from "./offset-table.js";

/** An entry of the table of hashes that is none. */
export const EMPTY = 0xffff_ffff;

/** What a table of names consists of. */
interface DictionaryParts {
  readonly size: number;
  /** The characters of name t are the bytes from the number at t up to the one at t + 1. */
  readonly offsets: OffsetTable;
  /** Of each name a bit: its characters take two bytes each. */
  readonly wide: Uint32Array;
  readonly characters: Uint8Array;
  /** By hash: a number, and above `numberBits` the first bits of the hash. */
  readonly table: Uint32Array;
  readonly numberBits: number;
}

/** The code units of one name, to be read again and again without making strings. */
export class TermUnits {
  /** Those from `length` on mean nothing. */
  units: Uint16Array = new Uint16Array(64);
  length = 0;
}

/** Distinct names by number, in order. */
export class TermDictionary {
  readonly parts: DictionaryParts;
  private readonly offsets: OffsetTable;
  private readonly wide: Uint32Array;
  private readonly bytes: Buffer;
  private readonly table: Uint32Array;
  private readonly numberBits: number;

  constructor(parts: DictionaryParts) {
    this.parts = parts;
    this.offsets = parts.offsets;
    this.wide = parts.wide;
    const { buffer, byteOffset, byteLength } = parts.characters;
    this.bytes = Buffer.from(buffer, byteOffset, byteLength);
    this.table = parts.table;
    this.numberBits = parts.numberBits;
  }

  get size(): number {
    return this.parts.size;
  }

  /** Bytes of memory. */
  get byteLength(): number {
    return offsetTableBytes(this.offsets) + this.wide.byteLength + this.bytes.byteLength + this.table.byteLength;
  }

  /** The number of a name; undefined: it is not here. */
  ordinalOf(name: string): number | undefined {
    const { table } = this;
    const bits = this.numberBits;
    const hash = hashOf(name, SALT);
    const mark = fingerprintOf(hash, bits);
    for (let at = firstSlotOf(hash, table.length); table[at] !== EMPTY; at = at + 1 === table.length ? 0 : at + 1) {
      const entry = table[at]!;
      const number = entry & ((1 << bits) - 1);
      if (entry >>> bits === mark && this.compare(number, name) === 0) return number;
    }
    return undefined;
  }

  /** The name with a number below `size`: a fresh string. */
  termAt(number: number): string {
    const from = offsetAt(this.offsets, number);
    const to = offsetAt(this.offsets, number + 1);
    return this.bytes.toString(this.isWideAt(number) ? "utf16le" : "latin1", from, to);
  }

  /** True when the name with a number below `size` begins with a text. */
  beginsWith(number: number, prefix: string): boolean {
    return this.compare(number, prefix, prefix.length) === 0;
  }

  /** The first number whose name is not before `name`; `size`: all are. */
  firstFrom(name: string): number {
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.compare(middle, name) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The first number whose name is behind all that begin with `prefix`. */
  afterPrefix(prefix: string): number {
    let low = this.firstFrom(prefix);
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.compare(middle, prefix, prefix.length) <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Reads the code units of the name with a number below `size`. */
  read(number: number, name: TermUnits): void {
    const from = offsetAt(this.offsets, number);
    const bytes = offsetAt(this.offsets, number + 1) - from;
    const isWideName = this.isWideAt(number);
    name.length = isWideName ? bytes >>> 1 : bytes;
    if (name.length > name.units.length) name.units = new Uint16Array(2 * name.length);
    const { units, length } = name;
    for (let i = 0; i < length; i++)
      units[i] = isWideName ? this.bytes[from + 2 * i]! | (this.bytes[from + 2 * i + 1]! << 8) : this.bytes[from + i]!;
  }

  /** Below 0: the name, or its first `most` characters, come before `text`. */
  private compare(number: number, text: string, most: number = Number.POSITIVE_INFINITY): number {
    const isWideName = this.isWideAt(number);
    const from = offsetAt(this.offsets, number);
    const bytes = offsetAt(this.offsets, number + 1) - from;
    const length = Math.min(most, isWideName ? bytes >>> 1 : bytes);
    const shared = Math.min(length, text.length);
    for (let i = 0; i < shared; i++) {
      const unit = isWideName
        ? this.bytes[from + 2 * i]! | (this.bytes[from + 2 * i + 1]! << 8)
        : this.bytes[from + i]!;
      const difference = unit - text.charCodeAt(i);
      if (difference !== 0) return difference;
    }
    return length - text.length;
  }

  private isWideAt(number: number): boolean {
    return ((this.wide[number >>> 5]! >>> (number & 31)) & 1) === 1;
  }
}

/** From the first bits of a hash to a place below `length`. */
export function firstSlotOf(hash: number, length: number): number {
  return Math.floor((hash / 2 ** 32) * length);
}

/** Last bits of a hash, as many as stand beside a number. */
function fingerprintOf(hash: number, numberBits: number): number {
  return (hash << numberBits) >>> numberBits;
}

const LAST_NARROW = 0xff;
/** Places in the table of hashes a name. */
const ROOM = 1.4;
/** Names between two pauses. */
const PAUSE_EVERY = 1 << 12;

/** Names that come in any order, numbered as they come, from texts that are kept: an open-addressing table, at most half full. */
export class TermHashTable {
  readonly texts: string[] = [];
  readonly hashes: GrowableUint32;
  /** By hash: a number, plus 1; 0: none. */
  private table: Int32Array;

  /** About how many names there will be: growing a large table would block for long. */
  constructor(expected = 32) {
    this.hashes = new GrowableUint32(Math.ceil(expected));
    this.table = new Int32Array(2 ** Math.ceil(Math.log2(Math.max(64, 2 * expected))));
  }

  /** The number of a name; it gets one when it has none. `isOwn`: the text holds no longer one alive, and is kept as it is. */
  numberOf(text: string, isOwn: boolean): number {
    const { table, hashes, texts } = this;
    const hash = hashOf(text, SALT);
    const mask = table.length - 1;
    let place = hash & mask;
    for (let entry = table[place]!; entry !== 0; entry = table[place]!) {
      if (hashes.array[entry - 1] === hash && texts[entry - 1] === text) return entry - 1;
      place = (place + 1) & mask;
    }
    hashes.push(hash);
    table[place] = texts.push(isOwn ? text : ownText(text));
    if (2 * texts.length > mask) this.grow();
    return texts.length - 1;
  }

  private grow(): void {
    const larger = new Int32Array(2 * this.table.length);
    const mask = larger.length - 1;
    for (let number = 0; number < this.texts.length; number++) {
      let place = this.hashes.array[number]! & mask;
      while (larger[place] !== 0) place = (place + 1) & mask;
      larger[place] = number + 1;
    }
    this.table = larger;
  }
}

/** The table of names in the order that `order` gives, by which they must ascend. */
export function* writeDictionary({ texts, hashes }: TermHashTable, order: Uint32Array): Task<TermDictionary> {
  let units = 0;
  for (let i = 0; i < texts.length; i++) {
    if (i % PAUSE_EVERY === 0) yield;
    units += texts[i]!.length;
  }
  const writer = new TermDictionaryWriter(texts.length, 2 * units);
  for (let at = 0; at < order.length; at++) {
    if (at % PAUSE_EVERY === 0) yield;
    const number = order[at]!;
    writer.addText(texts[number]!, hashes.array[number]!);
  }
  return yield* writer.finish();
}

/** Takes names one after the other; they ascend. */
export class TermDictionaryWriter {
  /** Names so far. */
  size = 0;
  private readonly characters: Uint8Array;
  private readonly offsets: Uint32Array;
  private readonly hashes: Uint32Array;
  private readonly wide: Uint32Array;

  /** Room for so many names, of so many bytes in all; what is never touched costs nothing. */
  constructor(names: number, bytes: number) {
    this.characters = new Uint8Array(bytes);
    this.offsets = new Uint32Array(names + 1);
    this.hashes = new Uint32Array(names);
    this.wide = new Uint32Array(Math.ceil(names / 32));
  }

  /** Adds a text; `hash` is its `hashOf`. */
  addText(name: string, hash: number): void {
    const { characters } = this;
    let to = this.offsets[this.size]!;
    for (let i = 0; i < name.length; i++) {
      const unit = name.charCodeAt(i);
      if (unit > LAST_NARROW) {
        this.addWide(name, hash);
        return;
      }
      characters[to++] = unit;
    }
    this.end(to, hash);
  }

  /** Adds the name that stands in the bytes of a table from `from` up to `to`. */
  addBytes(bytes: Uint8Array, [from, to]: readonly [number, number], isWide: boolean): void {
    const { characters } = this;
    let end = this.offsets[this.size]!;
    let hash = SALT;
    for (let at = from; at < to; at++) {
      characters[end++] = bytes[at]!;
      if (!isWide) hash = hashedUnit(hash, bytes[at]!);
      else if (((at - from) & 1) === 1) hash = hashedUnit(hash, bytes[at - 1]! | (bytes[at]! << 8));
    }
    if (isWide) this.markWide();
    this.end(end, mixed(hash));
  }

  /** The table; the writer is of no use afterwards. */
  *finish(): Task<TermDictionary> {
    const { size, hashes } = this;
    const offsets = this.offsets.subarray(0, size + 1);
    const characters = this.characters.slice(0, offsets[size]!);
    yield;
    const table = new Uint32Array(Math.ceil(size * ROOM) + 1).fill(EMPTY);
    // One number more than there are: no entry has all bits set.
    const numberBits = 32 - Math.clz32(size);
    for (let number = 0; number < size; number++) {
      if (number % PAUSE_EVERY === 0) yield;
      enter(hashes[number]!, number, table, numberBits);
    }
    return new TermDictionary({
      size,
      offsets: yield* offsetTable(offsets),
      wide: this.wide.slice(0, Math.ceil(size / 32)),
      characters,
      table,
      numberBits,
    });
  }

  private addWide(name: string, hash: number): void {
    const { characters } = this;
    let to = this.offsets[this.size]!;
    this.markWide();
    for (let i = 0; i < name.length; i++) {
      const unit = name.charCodeAt(i);
      characters[to++] = unit & LAST_NARROW;
      characters[to++] = unit >>> 8;
    }
    this.end(to, hash);
  }

  private markWide(): void {
    this.wide[this.size >>> 5]! |= 1 << (this.size & 31);
  }

  private end(to: number, hash: number): void {
    this.hashes[this.size] = hash;
    this.offsets[++this.size] = to;
  }
}

function enter(hash: number, number: number, table: Uint32Array, numberBits: number): void {
  let at = firstSlotOf(hash, table.length);
  while (table[at] !== EMPTY) at = at + 1 === table.length ? 0 : at + 1;
  table[at] = (fingerprintOf(hash, numberBits) << numberBits) | number;
}

/** Drawn anew in each process: nobody can make up names that all fall on one place. No answer depends on it. */
const SALT: number = randomBytes(4).readUInt32LE();

/** The hash of a name: 32 bits, not negative. */
export function hashOf(name: string, salt: number): number {
  let hash = salt;
  for (let i = 0; i < name.length; i++) hash = hashedUnit(hash, name.charCodeAt(i));
  return mixed(hash);
}

/** A hash with one more code unit; the last is to be {@link mixed}. */
function hashedUnit(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}

/** The hash of all code units. */
function mixed(hash: number): number {
  let mix = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35);
  return (mix ^ (mix >>> 16)) >>> 0;
}
