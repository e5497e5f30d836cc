// Writes tables of names: each once, in their order, from texts or from other tables.

import { randomBytes } from "node:crypto";
import type { Steps } from "../../base/slices.js";
import { ascending } from "../ascending.js";
import { EMPTY, hashOfBytes, markOf, NameTable, placeOf } from "./name-table.js";

const LAST_NARROW = 0xff;
/** Places in the table of hashes a name. */
const ROOM = 1.4;
/** Drawn anew in each process: nobody can make up names that all fall on one place. No answer depends on it. */
const SALT = randomBytes(4).readUInt32LE();
/** Names between two pauses. */
const PAUSE_EVERY = 1 << 12;

/** The table of the names at the places that `order` has, which must ascend. */
export function* writeNames(names: readonly string[], order: Uint32Array): Steps<NameTable> {
  let bytes = 0;
  for (let i = 0; i < names.length; i++) {
    if (i % PAUSE_EVERY === 0) yield;
    bytes += names[i]!.length * (isWide(names[i]!) ? 2 : 1);
  }
  const writer = new NameWriter(names.length, bytes);
  for (let number = 0; number < names.length; number++) {
    if (number % PAUSE_EVERY === 0) yield;
    writer.addText(names[order[number]!]!);
  }
  return yield* writer.finish();
}

/** Takes names one after the other; they ascend. */
export class NameWriter {
  /** Names so far. */
  size = 0;
  private readonly characters: Uint8Array;
  private readonly offsets: Uint32Array;
  private readonly wide: Uint32Array;

  /** Room for so many names, of so many bytes in all; what is never touched costs nothing. */
  constructor(names: number, bytes: number) {
    this.characters = new Uint8Array(bytes);
    this.offsets = new Uint32Array(names + 1);
    this.wide = new Uint32Array(Math.ceil(names / 32));
  }

  /** Adds a text. */
  addText(name: string): void {
    const { characters } = this;
    const wide = isWide(name);
    let to = this.offsets[this.size]!;
    for (let i = 0; i < name.length; i++) {
      const unit = name.charCodeAt(i);
      characters[to++] = unit & 0xff;
      if (wide) characters[to++] = unit >>> 8;
    }
    this.end(to, wide);
  }

  /** Adds the name that stands in the bytes of a table from `from` up to `to`. */
  addBytes(bytes: Uint8Array, [from, to]: readonly [number, number], wide: boolean): void {
    const { characters } = this;
    let end = this.offsets[this.size]!;
    for (let at = from; at < to; at++) characters[end++] = bytes[at]!;
    this.end(end, wide);
  }

  /** The table; the writer is of no use afterwards. */
  *finish(): Steps<NameTable> {
    const { size } = this;
    const offsets = this.offsets.subarray(0, size + 1);
    const bytes = offsets[size]!;
    const characters = bytes === this.characters.length ? this.characters : this.characters.slice(0, bytes);
    yield;
    const wide = this.wide.slice(0, Math.ceil(size / 32));
    const table = new Uint32Array(Math.ceil(size * ROOM) + 1).fill(EMPTY);
    // One number more than there are: no entry has all bits set.
    const numberBits = 32 - Math.clz32(size);
    for (let number = 0; number < size; number++) {
      if (number % PAUSE_EVERY === 0) yield;
      const range = [offsets[number]!, offsets[number + 1]!] as const;
      const hash = hashOfBytes(characters, range, ((wide[number >>> 5]! >>> (number & 31)) & 1) === 1, SALT);
      enter(hash, number, table, numberBits);
    }
    return new NameTable({
      size,
      offsets: yield* ascending(offsets),
      wide,
      characters,
      table,
      numberBits,
      salt: SALT,
    });
  }

  private end(to: number, wide: boolean): void {
    if (wide) this.wide[this.size >>> 5]! |= 1 << (this.size & 31);
    this.offsets[++this.size] = to;
  }
}

function enter(hash: number, number: number, table: Uint32Array, numberBits: number): void {
  let at = placeOf(hash, table.length);
  while (table[at] !== EMPTY) at = at + 1 === table.length ? 0 : at + 1;
  table[at] = (markOf(hash, numberBits) << numberBits) | number;
}

function isWide(name: string): boolean {
  for (let i = 0; i < name.length; i++) if (name.charCodeAt(i) > LAST_NARROW) return true;
  return false;
}
