// The built-in embedders: the vector of a text is the sum of its known words' vectors, scaled to unit length. They need no network
// and no native code, and are pure functions of the text. A table is read at the first call of `embed` and shared by the process;
// a short title then takes 3 to 5 microseconds in English, and about 20 in German.

import { asLocal, type Embedder, type EmbedPartsOptions } from "../util/extension-points.js";
import { pauseIfLong, runTask, type Task, throwIfAborted, waitFor } from "../util/tasks.js";
import { resolveEnglishWord } from "./resolve-english-word.js";
import { resolveGermanWord, rowOfForm } from "./resolve-german-word.js";
import { packagedFileProblem, readFileAt, readPackagedFile } from "./table-file.js";
import { lengthOf, meaningOf, nearestRows } from "./word-similarity.js";
import {
  malformedTable,
  parseWordTable,
  TABLE_DIMENSIONS,
  type TableKind,
  type TableName,
  type WordTable,
} from "./word-table.js";

const MAX_BATCH = 256;
/** Characters embedded between two pauses; they take about 0.1 ms. */
const PAUSE_CHARACTERS = 2048;
/** An out-of-vocabulary word of a query is represented by at most this many similar words that the index has. */
const MAX_SIMILAR_WORDS = 5;

export const STATIC_EN: TableKind = {
  ...{ name: "static-en", file: "static-en-2-65k-192-int4.bin" },
  ...{ id: "static-en-df6909ded139f159", bytes: 7_043_606, crc32: 393_465_530 },
  fold: (text) => fold(text, (all) => withoutAccents(lowerCase(all))),
  knows: ({ words }, word) => words.rowOf(word) !== undefined,
  tellsNearness: true,
  resolve: resolveEnglishWord,
};

export const STATIC_DE: TableKind = {
  ...{ name: "static-de", file: "static-de-32k-192-int4.bin" },
  ...{ id: "static-de-f6d72b5e454134a2", bytes: 3_487_191, crc32: 2_521_734_219 },
  fold: foldGerman,
  knows: ({ words }, word) => rowOfForm(words, foldGerman(word)) !== undefined,
  // Many words near to another are near by their letters only; adding them made answers worse.
  tellsNearness: false,
  resolve: resolveGermanWord,
};

// embedWords is synchronous and clears it first, so all calls can share one array.
const sum = new Float64Array(TABLE_DIMENSIONS);
const packagedTables = { "static-en": packagedTable(STATIC_EN), "static-de": packagedTable(STATIC_DE) };
/** Of each embedder that was made here: which one it is, and why it has no table. */
const madeHere = new WeakMap<object, { readonly name: TableName; readonly problem: () => string | undefined }>();

/** An address, such as a `URL`. */
export interface Address {
  readonly href: string;
}

/**
 * The default embedder: English words, 192 dimensions, offline. A text without any known word gets `null`.
 *
 * @param table The word table, for bundled programs, where the packaged file does not lie beside the code: the bytes of
 *   `tandem-search/static-en.bin`, which must not be changed afterwards, or their URL (`file:`, or any that `fetch` knows), which is read
 *   at the first `embed`. Default: the packaged file (7.0 MB), read at the first `embed` and shared by all embedders. An embedder of
 *   other bytes has another id; a URL must have the bytes of the packaged file.
 * @throws SearchError 400 `invalid_embedder` when the given bytes are no valid table; `embed` rejects with the same when
 *   the file cannot be read.
 * @example
 * const embedder = createStaticEnEmbedder();
 * const [vector, nothing] = await embedder.embed(["corner sofa", "xqzt"], { purpose: "record" });
 * // vector: a Float32Array of 192 components and length 1; nothing: null
 *
 * const bundled = createStaticEnEmbedder(new URL("file:///srv/shop/static-en.bin"));
 */
export function createStaticEnEmbedder(table?: Uint8Array | Address): Embedder {
  return createTableEmbedder(STATIC_EN, table);
}

/**
 * The embedder of German texts: German words and the parts of compounds, 192 dimensions, offline. A text without any known word
 * gets `null`.
 *
 * @param table As for {@link createStaticEnEmbedder}: the bytes of `tandem-search/static-de.bin`, or their URL. Default: the packaged
 *   file (3.5 MB), read at the first `embed` and shared by all embedders.
 * @throws SearchError 400 `invalid_embedder` when the given bytes are no valid table; `embed` rejects with the same when
 *   the file cannot be read.
 * @example
 * const index = await createIndex("laden", { embedder: "static-de" }); // made by the engine
 * const engine = new SearchEngine({ embedder: createStaticDeEmbedder(bytesOfTheTable) }); // a bundled program
 */
export function createStaticDeEmbedder(table?: Uint8Array | Address): Embedder {
  return createTableEmbedder(STATIC_DE, table);
}

function createTableEmbedder(kind: TableKind, table: Uint8Array | Address | undefined): Embedder {
  const address = hrefOf(table);
  const packaged = packagedTables[kind.name];
  const read = address === undefined ? packaged.read : readOnce(() => readTable(kind, address));
  let known = table === undefined || address !== undefined ? undefined : parseWordTable(table as Uint8Array, kind);
  const ready = async (): Promise<WordTable> => {
    known ??= await read();
    return known;
  };
  const embedder: Embedder = {
    id: known?.id ?? kind.id,
    dimensions: TABLE_DIMENSIONS,
    maxBatchSize: MAX_BATCH,
    wordsOnly: true,
    knows: (word) => known !== undefined && kind.knows(known, word),
    ...(kind.tellsNearness ? { meaningOf: (word) => (known === undefined ? null : meaningOf(known, word)) } : {}),
    embedParts: async (parts, options) => runTask(embedPartsSteps(await ready(), parts, options), options.signal),
    embed: async (texts, { signal }) => {
      throwIfAborted(signal);
      const table = await ready();
      throwIfAborted(signal);
      const vectors: (Float32Array | null)[] = [];
      let unpaused = 0;
      for (const text of texts) {
        vectors.push(embedWords(table, text));
        unpaused += text.length;
        if (unpaused < PAUSE_CHARACTERS) continue;
        unpaused = 0;
        await pauseIfLong();
      }
      return vectors;
    },
  };
  madeHere.set(embedder, { name: kind.name, problem: table === undefined ? packaged.problem : () => undefined });
  return asLocal(Object.freeze(embedder));
}

/**
 * The vector of a text: a new array of unit length, or `null` when no word of it is known. The time is linear in the text's
 * length.
 *
 * @example
 * const vector = embedWords(parseWordTable(bytes, STATIC_EN), "Café crème maker");
 */
export function embedWords(table: WordTable, text: string): Float32Array | null {
  sum.fill(0);
  addText(table, text, sum);
  return toUnitLength(sum);
}

/**
 * The vector of a query; null when no word of it is known. A part with synonyms counts half for its own text and half for the
 * mean of its synonyms. For each out-of-vocabulary word (one that no record has), the nearest words that records have are added,
 * together as long as the word itself.
 */
export function* embedPartsSteps(
  table: WordTable,
  parts: readonly (readonly string[])[],
  { outOfVocabulary, isHeld }: Pick<EmbedPartsOptions, "outOfVocabulary" | "isHeld">,
): Task<Float32Array | null> {
  const sum = new Float64Array(TABLE_DIMENSIONS);
  for (const texts of parts) {
    addPart(table, texts, sum);
    yield;
  }
  if (table.kind.tellsNearness) for (const word of outOfVocabulary) yield* addSimilar(table, word, isHeld, sum);
  return toUnitLength(sum);
}

/** Adds half the part's own vector and half the mean of its synonyms' vectors; if only one of both is known, all of that one. */
function addPart(table: WordTable, [own, ...synonyms]: readonly string[], sum: Float64Array): void {
  const [first] = own === undefined ? [] : vectorsOf(table, [own]);
  const others = vectorsOf(table, synonyms);
  const half = first !== undefined && others.length > 0 ? 0.5 : 1;
  if (first !== undefined) addTimes(first, half, sum);
  for (const other of others) addTimes(other, half / others.length, sum);
}

/** The sum of the words of each text; texts without a known word are left out. */
function vectorsOf(table: WordTable, texts: readonly string[]): Float64Array[] {
  return texts.flatMap((text) => {
    const own = new Float64Array(TABLE_DIMENSIONS);
    return addText(table, text, own) > 0 ? [own] : [];
  });
}

function addTimes(vector: Float64Array, factor: number, sum: Float64Array): void {
  for (let i = 0; i < TABLE_DIMENSIONS; i++) sum[i] = sum[i]! + vector[i]! * factor;
}

/** Adds the directions of the nearest words that records have; the added vectors together have the length of the word's own. */
function* addSimilar(
  table: WordTable,
  word: string,
  isHeld: EmbedPartsOptions["isHeld"],
  sum: Float64Array,
): Task<void> {
  const row = table.words.rowOf(word);
  if (row === undefined) return;
  const similar: number[] = [];
  for (const other of yield* nearestRows(table, row)) {
    if (similar.length === MAX_SIMILAR_WORDS) break;
    const held = isHeld(table.words.at(other));
    if (typeof held === "boolean" ? held : yield* waitFor(held)) similar.push(other);
    yield;
  }
  const length = table.scales[row]! * (yield* lengthOf(table, row));
  for (const other of similar) addRow(table, other, sum, length / ((yield* lengthOf(table, other)) * similar.length));
}

/** Adds the vectors of a text's known words to `sum`, in the order of the text; returns the number of rows added. */
function addText(table: WordTable, text: string, sum: Float64Array): number {
  const folded = table.kind.fold(text);
  const end = folded.length;
  let start = 0;
  let known = 0;
  for (let i = 0; i <= end; i++) {
    const code = i < end ? folded.charCodeAt(i) : 0;
    if ((code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39)) continue;
    if (i > start) known += addWord(table, folded.slice(start, i), sum);
    start = i + 1;
  }
  return known;
}

function addWord(table: WordTable, word: string, sum: Float64Array): number {
  const { rows, factors } = table.kind.resolve(table, word);
  for (let i = 0; i < rows.length; i++) addRow(table, rows[i]!, sum, table.scales[rows[i]!]! * factors[i]!);
  return rows.length;
}

/** Adds a row's vector times `scale`. */
function addRow({ codes }: WordTable, row: number, sum: Float64Array, scale: number): void {
  let at = (row * TABLE_DIMENSIONS) / 2;
  for (let i = 0; i < TABLE_DIMENSIONS; i += 2) {
    const pair = codes[at++]!;
    sum[i] = sum[i]! + scale * ((pair >> 4) - 8);
    sum[i + 1] = sum[i + 1]! + scale * ((pair & 15) - 8);
  }
}

/** A new vector of length 1; null if all components are 0. */
function toUnitLength(sum: Float64Array): Float32Array | null {
  let squares = 0;
  for (let i = 0; i < TABLE_DIMENSIONS; i++) squares += sum[i]! * sum[i]!;
  if (squares === 0) return null;
  const length = Math.sqrt(squares);
  const vector = new Float32Array(TABLE_DIMENSIONS);
  for (let i = 0; i < TABLE_DIMENSIONS; i++) vector[i] = sum[i]! / length;
  return vector;
}

/** Lower-cases a text and strips accents. Most titles are ASCII and need lower-casing only. */
function fold(text: string, foldOthers: (text: string) => string): string {
  const lower = text.toLowerCase();
  for (let i = 0; i < lower.length; i++) if (lower.charCodeAt(i) > 0x7f) return foldOthers(text);
  return lower;
}

/** Letters that NFKD leaves as they are. */
const LETTERS: Readonly<Record<string, string>> = { ß: "ss", œ: "oe", æ: "ae", ł: "l", ø: "o", đ: "d" };

function foldGerman(text: string): string {
  return fold(text, (all) => withoutAccents(lowerCase(all).replace(/[ßœæłøđ]/g, (letter) => LETTERS[letter]!)));
}

/** Trade and service marks go first: NFKD turns them into letters, which would become part of the word before them. */
function lowerCase(text: string): string {
  return text.replace(/[\u2120\u2122]/g, " ").toLowerCase();
}

function withoutAccents(text: string): string {
  return text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "");
}

/** The name of the built-in embedder that a value is; undefined: it is none. */
export function tableNameOf(value: unknown): TableName | undefined {
  return typeof value === "object" && value !== null ? madeHere.get(value)?.name : undefined;
}

/** Why such an embedder cannot embed, as the middle of a sentence; undefined: it can, unless the table that it was given is wrong. */
export function tableProblemOf(embedder: Embedder): string | undefined {
  return madeHere.get(embedder)?.problem();
}

/** What reads the file of a table, and why that would fail; undefined: the file is there, or was read before. */
function packagedTable(kind: TableKind): {
  readonly read: () => Promise<WordTable>;
  readonly problem: () => string | undefined;
} {
  let isRead = false;
  const read = readOnce(async () => {
    const table = await readTable(kind);
    isRead = true;
    return table;
  });
  return { read, problem: () => (isRead ? undefined : packagedFileProblem(kind)) };
}

/** A function that reads a table at its first call. A failed read is not kept, so that a later call may succeed. */
function readOnce(read: () => Promise<WordTable>): () => Promise<WordTable> {
  let table: Promise<WordTable> | undefined;
  return () => {
    table ??= read().catch((error: unknown) => {
      table = undefined;
      throw error;
    });
    return table;
  };
}

/** The address in a value; undefined if the value is none, so bytes or a mistake. */
function hrefOf(value: Uint8Array | Address | undefined): string | undefined {
  if (typeof value !== "object" || value === null || !("href" in value)) return undefined;
  const { href } = value;
  return typeof href === "string" && URL.canParse(href) ? href : undefined;
}

/** The packaged table, whose id the embedder has already, from the file beside the code, or from an address. */
async function readTable(kind: TableKind, href?: string): Promise<WordTable> {
  let bytes: Uint8Array;
  try {
    if (href === undefined) bytes = await readPackagedFile(kind);
    else bytes = href.startsWith("file:") ? await readFileAt(href) : await fetchBytes(href);
  } catch (cause) {
    const [problem, expected] =
      href === undefined
        ? ["no readable file beside the module", `${kind.file} there, or its bytes or URL as an option`]
        : ["no readable bytes at its URL", `the URL of ${kind.file}`];
    throw malformedTable(kind, problem!, expected!, cause);
  }
  const table = parseWordTable(bytes, kind);
  if (table.id === kind.id) return table;
  throw malformedTable(kind, `the id ${table.id}`, kind.id);
}

async function fetchBytes(href: string): Promise<Uint8Array> {
  const response = await fetch(href);
  if (!response.ok) throw new Error(`The server answered ${response.status}.`);
  return new Uint8Array(await response.arrayBuffer());
}
