// Writes tables of names: each once, in their order, from texts or from other tables.

import { GrowableUint32 } from "../../base/growable.js";
import { ownText } from "../../base/index-terms.js";
import type { Steps } from "../../base/slices.js";
import { ascending } from "../ascending.js";
import { hashedUnit, hashOf, mixed, SALT } from "./name-hash.js";
import { EMPTY, markOf, NameTable, placeOf } from "./name-table.js";

const LAST_NARROW = 0xff;
/** Places in the table of hashes a name. */
const ROOM = 1.4;
/** Names between two pauses. */
const PAUSE_EVERY = 1 << 12;

/** Names that come in any order, numbered as they come, from texts that are kept: an open-addressing table, at most half full. */
export class WrittenNames {
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
export function* writeNames({ texts, hashes }: WrittenNames, order: Uint32Array): Steps<NameTable> {
  let units = 0;
  for (let i = 0; i < texts.length; i++) {
    if (i % PAUSE_EVERY === 0) yield;
    units += texts[i]!.length;
  }
  const writer = new NameWriter(texts.length, 2 * units);
  for (let at = 0; at < order.length; at++) {
    if (at % PAUSE_EVERY === 0) yield;
    const number = order[at]!;
    writer.addText(texts[number]!, hashes.array[number]!);
  }
  return yield* writer.finish();
}

/** Takes names one after the other; they ascend. */
export class NameWriter {
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
  *finish(): Steps<NameTable> {
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
    return new NameTable({
      size,
      offsets: yield* ascending(offsets),
      wide: this.wide.slice(0, Math.ceil(size / 32)),
      characters,
      table,
      numberBits,
      salt: SALT,
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
  let at = placeOf(hash, table.length);
  while (table[at] !== EMPTY) at = at + 1 === table.length ? 0 : at + 1;
  table[at] = (markOf(hash, numberBits) << numberBits) | number;
}
