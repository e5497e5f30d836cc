// Where the tokens of a memo lie, each in one cell: its kind and characters, which terms are its, and the numbers by which whoever
// takes many of them knows these terms. Cells are found by their places, which the memo keeps.

import type { MemoRoom } from "./token-memory.js";

/** Cells are counted in blocks; a block has so many numbers of 32 bits, as a shift. Block 0 is nobody's. */
const BLOCK_SHIFT = 2;
/** No more than this many blocks. */
export const MOST_BLOCKS: number = 1 << 20;
const FIRST_LENGTH = 1 << 12;
/**
 * A cell: kind and length in characters, the first of the token's terms, how many there are and what it counts, who noted
 * their numbers; then its code units, two in a number; then the numbers.
 */
const TERMS = 1;
const COUNTS = 2;
const OWNER = 3;
const HEAD = 4;
const HIGH = 16;
const LOW = 0xffff;

/** What a cell is to be: the token, the number of its kind, which of the memo's terms are its, how many tokens it counts. */
export interface CellContent {
  readonly token: string;
  readonly kind: number;
  readonly firstTerm: number;
  readonly terms: number;
  readonly length: number;
}

/** Cells by their numbers, which are where they begin. */
export class TokenCells {
  /** Null: they lie in an array that grows. */
  private readonly room: MemoRoom | null;
  private cells: Int32Array;
  /** The same as code units. */
  private units: Uint16Array;
  /** Where the next one begins. */
  private top = 0;

  constructor(room: MemoRoom | null) {
    this.room = room;
    this.cells = room?.cells ?? new Int32Array(FIRST_LENGTH);
    this.units = unitsOf(this.cells);
    this.clear();
  }

  clear(): void {
    this.top = 1 << BLOCK_SHIFT;
    if (this.room !== null) return;
    this.cells = new Int32Array(FIRST_LENGTH);
    this.units = unitsOf(this.cells);
  }

  /** Writes the next cell; 0: there is no more room. It is written over unless it is kept. */
  write({ token, kind, firstTerm, terms, length }: CellContent): number {
    const top = this.top;
    if (!this.makeRoom(top + sizeOf(token.length, terms))) return 0;
    const { cells, units } = this;
    cells[top] = token.length | (kind << HIGH);
    cells[top + TERMS] = firstTerm;
    cells[top + COUNTS] = terms | (length << HIGH);
    cells[top + OWNER] = 0;
    const from = 2 * (top + HEAD);
    for (let at = 0; at < token.length; at++) units[from + at] = token.charCodeAt(at);
    return top;
  }

  /** Keeps the cell that was written. */
  keep(cell: number): void {
    this.top += sizeOf(this.cells[cell]! & LOW, this.termCount(cell));
  }

  /** Whether a cell is that of the token of this kind that stands in the text from `start` to `end`. */
  isOf(cell: number, kind: number, text: Uint16Array, start: number, end: number): boolean {
    if (this.cells[cell] !== ((end - start) | (kind << HIGH))) return false;
    const { units } = this;
    for (let at = start, to = 2 * (cell + HEAD); at < end; at++, to++) if (units[to] !== text[at]) return false;
    return true;
  }

  /** The hash of a cell's token. */
  hashOf(cell: number, hash: (units: Uint16Array, start: number, end: number) => number): number {
    const from = 2 * (cell + HEAD);
    return hash(this.units, from, from + (this.cells[cell]! & LOW));
  }

  firstTerm(cell: number): number {
    return this.cells[cell + TERMS]!;
  }

  termCount(cell: number): number {
    return this.cells[cell + COUNTS]! & LOW;
  }

  lengthOf(cell: number): number {
    return this.cells[cell + COUNTS]! >>> HIGH;
  }

  /** Who noted the numbers of a cell's terms; 0: nobody. */
  ownerOf(cell: number): number {
    return this.cells[cell + OWNER]!;
  }

  setOwner(cell: number, owner: number): void {
    this.cells[cell + OWNER] = owner;
  }

  /** Where the numbers stand that were noted for a cell's terms, in {@link numbers}. */
  numbersAt(cell: number): number {
    return numbersOf(cell, this.cells[cell]! & LOW);
  }

  /** All cells as numbers; valid until the next is written. */
  get numbers(): Int32Array {
    return this.cells;
  }

  private makeRoom(end: number): boolean {
    if (end >> BLOCK_SHIFT >= MOST_BLOCKS) return false;
    if (end <= this.cells.length) return true;
    if (this.room !== null) return false;
    const larger = new Int32Array(Math.max(end, 2 * this.cells.length));
    larger.set(this.cells);
    this.cells = larger;
    this.units = unitsOf(larger);
    return true;
  }
}

/** A number from 1 on for a cell, in as few bits as all have room in. */
export function blockOf(cell: number): number {
  return cell >> BLOCK_SHIFT;
}

/** The cell of such a number. */
export function cellOf(block: number): number {
  return block << BLOCK_SHIFT;
}

function unitsOf(cells: Int32Array): Uint16Array {
  return new Uint16Array(cells.buffer, cells.byteOffset, 2 * cells.length);
}

function numbersOf(cell: number, length: number): number {
  return cell + HEAD + ((length + 1) >> 1);
}

/** Whole blocks. */
function sizeOf(length: number, terms: number): number {
  const last = (1 << BLOCK_SHIFT) - 1;
  return (numbersOf(0, length) + terms + last) & ~last;
}
