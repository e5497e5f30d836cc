// The word table of a built-in embedder, read from the SEV1 format: magic, JSON header, scales, codes, words. It maps each word
// to a row, and each row to a vector of 192 components in 4 bits. Every length is checked against the given bytes before it
// is used. Words and vectors are read where they lie, so parsing 65,000 words costs a few ms and 1 MB besides the bytes.

import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { isBytes } from "../util/brand.js";
import { SearchError, show } from "../util/errors.js";
import { partitionPoint } from "../util/sorted.js";
import { addToHash, finishHash, hashText } from "../util/text-table.js";
import { type LinearMemory, loadOnce, type WasmModule } from "../util/web-assembly.js";
import { WORD_ROWS } from "./word-rows.wasm.js";

/** The built-in embedders, each of which has a word table. */
export const TABLE_NAMES = ["static-en", "static-de"] as const;
export type TableName = (typeof TABLE_NAMES)[number];

/** A packaged table, and how the words of its language find their rows. */
export interface TableKind {
  readonly name: TableName;
  readonly file: string;
  /** The name and the first 16 hex digits of the file's SHA-256, so vectors of two tables never mix. */
  readonly id: string;
  /** Of the file. */
  readonly bytes: number;
  readonly crc32: number;
  /** Lower-cases a text and strips accents. */
  readonly fold: (text: string) => string;
  readonly knows: (table: WordTable, word: string) => boolean;
  /** Whether near words are near in meaning, so that they are added to queries and tell which words are corrected. */
  readonly tellsNearness: boolean;
  /** The rows of a word, which must match `[a-z0-9]+`. */
  readonly resolve: (table: WordTable, word: string) => WordRows;
}

/** Components of every vector of a word table. */
export const TABLE_DIMENSIONS = 192;
/** Two components a byte. */
const ROW_BYTES = TABLE_DIMENSIONS / 2;

/** What a word adds to the vector of its text: each of the rows, times its factor. No rows: the word is unknown. */
export interface WordRows {
  readonly rows: readonly number[];
  readonly factors: readonly number[];
}

export const UNKNOWN: WordRows = Object.freeze({ rows: Object.freeze([]), factors: Object.freeze([]) });
/** The factor of each of two known words that a word consists of. */
// biome-ignore lint/suspicious/noApproximativeNumericConstant: the tables' rules give these four digits.
export const PART = 0.7071;

/** Of a word that matches `[a-z0-9]+`. */
export function hasDigit(word: string): boolean {
  return /[0-9]/.test(word);
}

/** The parsed table. The component `2k` of row `r` is `scales[r] * (highNibble(codes[96 * r + k]) - 8)`, `2k + 1` the low one. */
export interface WordTable {
  readonly kind: TableKind;
  /** Of tables with the same bytes, and of no others. */
  readonly id: string;
  /** The words by row; the most frequent word has row 0. */
  readonly words: TableWords;
  /** The scale of each row; all finite. */
  readonly scales: Float32Array;
  /** As {@link RowVectors.codes}. */
  readonly codes: Uint8Array;
  /** The 4-bit vectors of the rows. They are copied when they are first compared, which few queries need. */
  readonly vectors: RowVectors;
  /** The length of each row's vector, without its scale; 0: the row adds nothing. Computed when rows are first compared. */
  lengths?: Float64Array;
  /** A cache of what `nearestRows` found. */
  readonly nearest: Map<number, Uint32Array>;
}

interface Header {
  readonly rows: number;
  readonly vocabBytes: number;
}

const MAGIC = 0x53455631; // "SEV1", read big-endian
const PREFIX_BYTES = 8;
const MAX_HEADER_BYTES = 65_536;
const BITS = 4;

/**
 * Parses the bytes of a word table. The bytes are only read; the caller must not change them afterwards.
 *
 * @throws SearchError 400 `invalid_embedder` when the bytes are no whole and consistent table.
 */
export function parseWordTable(bytes: Uint8Array, kind: TableKind): WordTable {
  const malformed: Complain = (...flaw) => malformedTable(kind, ...flaw);
  if (!isBytes(bytes)) throw malformed(show(bytes), "a Uint8Array or a URL");
  if (bytes.length < PREFIX_BYTES) throw malformed(`${bytes.length} bytes`, "at least 8");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0) !== MAGIC) throw malformed(`magic ${hex(view.getUint32(0))}`, `${hex(MAGIC)} ("SEV1")`);
  const scalesAt = PREFIX_BYTES + headerLength(view, malformed);
  const { rows, vocabBytes } = readHeader(text(bytes, PREFIX_BYTES, scalesAt, "utf8"), malformed);
  const codesAt = scalesAt + rows * 4;
  const wordsAt = codesAt + rows * ROW_BYTES;
  if (wordsAt + vocabBytes !== bytes.length)
    throw malformed(`${bytes.length} bytes`, `${wordsAt + vocabBytes}, as the header says`);
  const id = idOf(bytes, kind);
  const words = new TableWords(bytes.subarray(wordsAt), rows, id === kind.id, malformed);
  const scales = readScales(view, scalesAt, rows, malformed);
  const codes = bytes.subarray(codesAt, wordsAt);
  let vectors: RowVectors | undefined;
  return {
    ...{ kind, id, words, scales, codes, nearest: new Map() },
    get vectors() {
      vectors ??= storeRowVectors(codes);
      return vectors;
    },
  };
}

/** A checksum recognises the packaged table, because SHA-256 takes as long as parsing. */
function idOf(bytes: Uint8Array, kind: TableKind): string {
  if (bytes.length === kind.bytes && crc32(bytes) === kind.crc32) return kind.id;
  return `${kind.name}-${createHash("sha256").update(bytes).digest("hex").slice(0, 16)}`;
}

/** The error for a table that cannot be used: what was found, what was expected, what to do. */
export function malformedTable(
  { name, file }: TableKind,
  found: string,
  expected: string,
  cause?: unknown,
): SearchError {
  const msg =
    `The word table of the ${name} embedder has ${found}; expected ${expected}. ` +
    `Pass the unchanged bytes of ${file}, or reinstall the package.`;
  return new SearchError(400, "invalid_embedder", msg, {
    param: "embedder",
    ...(cause === undefined ? {} : { cause }),
  });
}

type Complain = (found: string, expected: string, cause?: unknown) => SearchError;

function headerLength(view: DataView, malformed: Complain): number {
  const length = view.getUint32(4, true);
  const most = Math.min(view.byteLength - PREFIX_BYTES, MAX_HEADER_BYTES);
  if (length > most) throw malformed(`a header of ${length} bytes`, `at most ${most}`);
  if (length % 4 !== 0) throw malformed(`a header of ${length} bytes`, "a multiple of 4");
  return length;
}

function readHeader(json: string, malformed: Complain): Header {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch (cause) {
    throw malformed("a header that is no JSON", "a JSON object", cause);
  }
  if (typeof parsed !== "object" || parsed === null) throw malformed(`the header ${show(parsed)}`, "a JSON object");
  const header = parsed as Readonly<Record<string, unknown>>;
  if (header.dim !== TABLE_DIMENSIONS) throw malformed(`dim ${show(header.dim)}`, `${TABLE_DIMENSIONS}`);
  if (header.bits !== BITS) throw malformed(`bits ${show(header.bits)}`, `${BITS}`);
  return { rows: count("rows"), vocabBytes: count("vocabBytes") };

  /** Counts stay below 2^32, so that sums of lengths are exact. */
  function count(name: string): number {
    const value = header[name];
    if (typeof value !== "number" || !Number.isInteger(value) || value < 1 || value > 0xffff_ffff)
      throw malformed(`${name} ${show(value)}`, "an integer from 1 to 4,294,967,295");
    return value;
  }
}

/** Read one by one, because the bytes may be unaligned in their buffer, and the machine may be big-endian. */
function readScales(view: DataView, at: number, rows: number, malformed: Complain): Float32Array {
  const scales = new Float32Array(rows);
  for (let row = 0; row < rows; row++) {
    const scale = view.getFloat32(at + row * 4, true);
    if (!Number.isFinite(scale)) throw malformed(`the scale ${scale} in row ${row}`, "a finite number");
    scales[row] = scale;
  }
  return scales;
}

/** The salt of the words' hashes: they all come from the table, so they need no secret one. */
const SALT = 0x811c9dc5;

/** So many words are searched in the text of all, which the first query does sooner than a hash table is made. */
const SEARCHED = 100;

/** The words of a table where they lie in its bytes, one a line. A hash table finds them: a string for each would take longer than all else. */
export class TableWords {
  readonly size: number;
  /** Characters of the longest word. */
  readonly longest: number;
  private readonly bytes: Uint8Array;
  /** Where the word of each row begins; the next one begins behind a newline. */
  private readonly starts: Uint32Array;
  /** Open addressing: a row plus 1; 0 marks an unused bucket. At most half of them are used. Empty until many words were looked up. */
  private buckets = new Int32Array(0);
  private lines: string;
  private readonly malformed: Complain;
  private searched = 0;

  /** `areDistinct`: they are known to be. */
  constructor(bytes: Uint8Array, size: number, areDistinct: boolean, malformed: Complain) {
    this.malformed = malformed;
    this.size = size;
    this.bytes = bytes;
    this.lines = `\n${text(bytes, 0, bytes.length, "latin1")}\n`;
    this.starts = new Uint32Array(size + 1);
    let [row, longest] = [0, 0];
    for (let from = 0; from <= bytes.length; ) {
      const end = this.lines.indexOf("\n", from + 1);
      longest = Math.max(longest, end - 1 - from);
      from = end;
      this.starts[++row] = from;
    }
    if (row !== size) throw malformed(`${row} words`, `${size}, one a row`);
    this.longest = longest;
    if (!areDistinct) this.fill();
  }

  /** The row of a word. */
  rowOf(word: string): number | undefined {
    if (this.buckets.length === 0) {
      if (this.searched++ < SEARCHED) return this.search(word);
      this.fill();
    }
    const buckets = this.buckets;
    const mask = buckets.length - 1;
    for (let at = hashText(word, SALT) & mask; buckets[at] !== 0; at = (at + 1) & mask)
      if (this.isAt(buckets[at]! - 1, word)) return buckets[at]! - 1;
    return undefined;
  }

  /** The word of a row. */
  at(row: number): string {
    return text(this.bytes, this.starts[row]!, this.starts[row + 1]! - 1, "latin1");
  }

  private search(word: string): number | undefined {
    const from = word.includes("\n") ? -1 : this.lines.indexOf(`\n${word}\n`);
    return from < 0 ? undefined : partitionPoint(0, this.size, (row) => this.starts[row]! < from);
  }

  /** Makes the hash table. */
  private fill(): void {
    const { bytes, starts, size } = this;
    this.buckets = new Int32Array(2 ** Math.ceil(Math.log2(2 * size)));
    this.lines = "";
    for (let row = 0; row < size; row++) {
      let hash = SALT;
      for (let at = starts[row]!; at < starts[row + 1]! - 1; at++) hash = addToHash(hash, bytes[at]!);
      this.enter(row, finishHash(hash));
    }
  }

  private enter(row: number, hash: number): void {
    const { buckets, starts, bytes } = this;
    const mask = buckets.length - 1;
    const from = starts[row]!;
    const length = starts[row + 1]! - from;
    let isNew = length > 1;
    let at = hash & mask;
    for (; buckets[at] !== 0 && isNew; at = (at + 1) & mask) {
      const other = starts[buckets[at]! - 1]!;
      let same = starts[buckets[at]!]! - other === length ? 0 : length;
      while (same < length - 1 && bytes[from + same] === bytes[other + same]) same++;
      isNew = same !== length - 1;
    }
    if (!isNew)
      throw this.malformed(`the word ${show(this.at(row))} in row ${row}`, "a word that is not empty and not repeated");
    buckets[at] = row + 1;
  }

  private isAt(row: number, word: string): boolean {
    const { bytes, starts } = this;
    const from = starts[row]!;
    if (starts[row + 1]! - 1 - from !== word.length) return false;
    for (let i = 0; i < word.length; i++) if (bytes[from + i] !== word.charCodeAt(i)) return false;
    return true;
  }
}

function text(bytes: Uint8Array, from: number, to: number, encoding: "utf8" | "latin1"): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString(encoding);
}

function hex(value: number): string {
  return `0x${value.toString(16).padStart(8, "0")}`;
}

/** Rows whose dot products are computed in one call: about 0.1 ms in plain JavaScript, less in WebAssembly. */
export const ROWS_PER_CALL = 1024;

/**
 * The 4-bit vectors of a table and their dot products, which are sums of integers: WebAssembly and plain JavaScript give the
 * same. An array that is returned is valid until the next call.
 */
export type RowVectors = PlainRowVectors | WasmRowVectors;

/** The functions of assembly/word-rows.ts over one memory. */
interface WordRowsKernel {
  ask(row: number): void;
  dots(from: number, to: number): void;
  squares(from: number, to: number): void;
  dot(a: number, b: number): number;
}

const load = loadOnce<WordRowsKernel>(
  WORD_ROWS,
  // All codes are 0, so all components are -8.
  ({ dot, dots, squares }) =>
    dots(0, 0) === undefined && squares(0, 0) === undefined && dot(0, 0) === TABLE_DIMENSIONS * 64,
);

/** Copies the codes to the kernel's memory; without WebAssembly it keeps the given array, which must not be changed. */
export function storeRowVectors(codes: Uint8Array): RowVectors {
  const module = load();
  const memory = module?.createMemory(CODES_AT + codes.length);
  return module === null || memory === undefined
    ? new PlainRowVectors(codes)
    : new WasmRowVectors(module, memory, codes);
}

// Addresses, as in assembly/word-rows.ts.
const SUMS_AT = 512;
const CODES_AT = 4608;

/** Vectors in a WebAssembly memory. */
export class WasmRowVectors {
  readonly codes: Uint8Array;
  private readonly sums: Int32Array;
  private readonly kernel: WordRowsKernel;

  constructor(module: WasmModule<WordRowsKernel>, memory: LinearMemory, codes: Uint8Array) {
    this.codes = new Uint8Array(memory.buffer, CODES_AT, codes.length);
    this.codes.set(codes);
    this.sums = new Int32Array(memory.buffer, SUMS_AT, ROWS_PER_CALL);
    this.kernel = module.instantiate(memory);
  }

  dots(row: number, from: number, to: number): Int32Array {
    this.kernel.ask(row);
    this.kernel.dots(from, to);
    return this.sums;
  }

  squares(from: number, to: number): Int32Array {
    this.kernel.squares(from, to);
    return this.sums;
  }

  dot(a: number, b: number): number {
    return this.kernel.dot(a, b);
  }
}

/** Vectors in an ordinary array. */
export class PlainRowVectors {
  /** 96 bytes a row; a byte holds two components, each increased by 8. */
  readonly codes: Uint8Array;
  private readonly sums = new Int32Array(ROWS_PER_CALL);

  constructor(codes: Uint8Array) {
    this.codes = codes;
  }

  /** The dot products of a row with the rows from `from` to below `to`, at most ROWS_PER_CALL. */
  dots(row: number, from: number, to: number): Int32Array {
    for (let other = from; other < to; other++) this.sums[other - from] = this.dot(row, other);
    return this.sums;
  }

  /** The dot product of each of these rows with itself. */
  squares(from: number, to: number): Int32Array {
    for (let row = from; row < to; row++) this.sums[row - from] = this.dot(row, row);
    return this.sums;
  }

  /** The dot product of two rows. */
  dot(a: number, b: number): number {
    const { codes } = this;
    bytePairProducts ??= multiplyBytePairs();
    let sum = 0;
    for (let at = a * ROW_BYTES, other = b * ROW_BYTES, end = at + ROW_BYTES; at < end; at++, other++)
      sum += bytePairProducts[(codes[at]! << 8) | codes[other]!]!;
    return sum;
  }
}

let bytePairProducts: Int16Array | undefined;

/** For each pair of bytes, at `one * 256 + other`, the dot product of their two components each. */
function multiplyBytePairs(): Int16Array {
  const products = new Int16Array(256 * 256);
  for (let one = 0; one < 256; one++)
    for (let other = 0; other < 256; other++)
      products[(one << 8) | other] = ((one >> 4) - 8) * ((other >> 4) - 8) + ((one & 15) - 8) * ((other & 15) - 8);
  return products;
}
