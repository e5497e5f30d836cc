// Texts in one array outside V8's heap: one byte for each code unit, or two in texts with code units above 255. A text takes
// some 40 bytes less than as a string of its own.
//
// Beside it is the hash by which texts are found: FNV-1a over the code units, then the finalizer of MurmurHash3, so that all bits are mixed.

import { type OffsetTable, offsetAt, offsetTable, offsetTableBytes } from "./offset-table.js";
import { partitionPoint } from "./sorted.js";
import type { Task } from "./tasks.js";

/** The hash of a text, 0 … 2^32 - 1. A `salt` that nobody knows prevents texts that are made up to collide. */
export function hashText(text: string, salt: number): number {
  let hash = salt;
  for (let i = 0; i < text.length; i++) hash = addToHash(hash, text.charCodeAt(i));
  return finishHash(hash);
}

/** Adds one code unit to a hash that began as the salt. {@link finishHash} gives the result. */
export function addToHash(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}

/** The result, 0 … 2^32 - 1, after all code units are added. */
export function finishHash(hash: number): number {
  let mix = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35);
  return (mix ^ (mix >>> 16)) >>> 0;
}

/** The arrays of a table. */
export type TextTableParts = {
  /** The number of texts. */
  readonly size: number;
  /** The bytes of text i are those from the offset at i up to the offset at i + 1. */
  readonly offsets: OffsetTable;
  /** One bit for each text: 1 if its code units take two bytes each. */
  readonly wide: Uint32Array;
  readonly characters: Uint8Array;
};

/** A list of texts. Its searches are for tables in ascending order by code unit. */
export class TextTable<P extends TextTableParts = TextTableParts> {
  readonly parts: P;
  protected readonly offsets: OffsetTable;
  protected readonly wide: Uint32Array;
  protected readonly bytes: Buffer;

  constructor(parts: P) {
    const { offsets, wide, characters } = parts;
    this.parts = parts;
    this.offsets = offsets;
    this.wide = wide;
    this.bytes = Buffer.from(characters.buffer, characters.byteOffset, characters.byteLength);
  }

  /** The number of texts. */
  get size(): number {
    return this.parts.size;
  }

  /** Bytes of memory. */
  get byteLength(): number {
    return offsetTableBytes(this.offsets) + this.wide.byteLength + this.bytes.byteLength;
  }

  /** The text at an index below `size`, as a new string. */
  textAt(index: number): string {
    const from = offsetAt(this.offsets, index);
    const to = offsetAt(this.offsets, index + 1);
    return this.bytes.toString(this.isWideAt(index) ? "utf16le" : "latin1", from, to);
  }

  /** The index of the first text that is not before `text`; `size` if all are before it. */
  firstFrom(text: string): number {
    return partitionPoint(0, this.size, (index) => this.compare(index, text) < 0);
  }

  /** The index of a text, or -1. */
  indexOf(text: string): number {
    const index = this.firstFrom(text);
    return index < this.size && this.compare(index, text) === 0 ? index : -1;
  }

  /** Below 0 if the text at an index, or its first `most` code units, come before `text`; 0 if they are equal. */
  compare(index: number, text: string, most: number = Number.POSITIVE_INFINITY): number {
    const isWide = this.isWideAt(index);
    const from = offsetAt(this.offsets, index);
    const bytes = offsetAt(this.offsets, index + 1) - from;
    const length = Math.min(most, isWide ? bytes >>> 1 : bytes);
    const shared = Math.min(length, text.length);
    for (let i = 0; i < shared; i++) {
      const unit = isWide ? this.bytes[from + 2 * i]! | (this.bytes[from + 2 * i + 1]! << 8) : this.bytes[from + i]!;
      const difference = unit - text.charCodeAt(i);
      if (difference !== 0) return difference;
    }
    return length - text.length;
  }

  /** Below 0 if the text at an index comes before that of another table; 0 if they are equal. */
  compareWith(index: number, other: TextTable, otherIndex: number): number {
    const shift = this.isWideAt(index) ? 1 : 0;
    const otherShift = other.isWideAt(otherIndex) ? 1 : 0;
    const from = offsetAt(this.offsets, index);
    const otherFrom = offsetAt(other.offsets, otherIndex);
    const length = (offsetAt(this.offsets, index + 1) - from) >>> shift;
    const otherLength = (offsetAt(other.offsets, otherIndex + 1) - otherFrom) >>> otherShift;
    const shared = Math.min(length, otherLength);
    for (let i = 0; i < shared; i++) {
      const difference = unitAt(this.bytes, from, i, shift) - unitAt(other.bytes, otherFrom, i, otherShift);
      if (difference !== 0) return difference;
    }
    return length - otherLength;
  }

  protected isWideAt(index: number): boolean {
    return ((this.wide[index >>> 5]! >>> (index & 31)) & 1) === 1;
  }
}

/** The code unit i of a text that begins at byte `from`; `shift`: 1 if its code units take two bytes. */
function unitAt(bytes: Uint8Array, from: number, i: number, shift: number): number {
  const at = from + (i << shift);
  return shift === 0 ? bytes[at]! : bytes[at]! | (bytes[at + 1]! << 8);
}

const LAST_NARROW = 0xff;
/** Texts between two pauses. */
const PAUSE_EVERY = 1 << 12;

/** The table of some texts. */
export function* textTableOf(texts: readonly string[]): Task<TextTable> {
  const writer = new TextTableWriter(
    texts.length,
    texts.reduce((units, text) => units + 2 * text.length, 0),
  );
  for (let i = 0; i < texts.length; i++) {
    writer.addText(texts[i]!);
    if (i % PAUSE_EVERY === 0) yield;
  }
  return new TextTable(yield* writer.finish());
}

/** Writes a table. */
export class TextTableWriter {
  /** The number of texts so far. */
  size = 0;
  private readonly characters: Uint8Array;
  private readonly offsets: Uint32Array;
  private readonly wide: Uint32Array;

  /** Upper bounds of the number of texts and of their bytes. Memory that is never touched costs nothing. */
  constructor(texts: number, bytes: number) {
    this.characters = new Uint8Array(bytes);
    this.offsets = new Uint32Array(texts + 1);
    this.wide = new Uint32Array(Math.ceil(texts / 32));
  }

  addText(text: string): void {
    const { characters } = this;
    let to = this.offsets[this.size]!;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit > LAST_NARROW) {
        this.addWide(text);
        return;
      }
      characters[to++] = unit;
    }
    this.end(to);
  }

  /** Adds the text at an index of another table. */
  addFrom({ offsets, wide, characters }: TextTableParts, index: number): void {
    const to = offsetAt(offsets, index + 1);
    let end = this.offsets[this.size]!;
    for (let at = offsetAt(offsets, index); at < to; at++) this.characters[end++] = characters[at]!;
    if (((wide[index >>> 5]! >>> (index & 31)) & 1) === 1) this.markWide();
    this.end(end);
  }

  /** The arrays. The writer cannot be used afterwards. */
  *finish(): Task<TextTableParts> {
    const { size } = this;
    const offsets = this.offsets.subarray(0, size + 1);
    const characters = this.characters.slice(0, offsets[size]!);
    yield;
    return { size, offsets: yield* offsetTable(offsets), wide: this.wide.slice(0, Math.ceil(size / 32)), characters };
  }

  private addWide(text: string): void {
    const { characters } = this;
    let to = this.offsets[this.size]!;
    this.markWide();
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      characters[to++] = unit & LAST_NARROW;
      characters[to++] = unit >>> 8;
    }
    this.end(to);
  }

  private markWide(): void {
    this.wide[this.size >>> 5]! |= 1 << (this.size & 31);
  }

  private end(to: number): void {
    this.offsets[++this.size] = to;
  }
}
