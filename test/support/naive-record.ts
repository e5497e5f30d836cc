// A record as the naive engine keeps it: every index term of every field counted in a plain map, its identifiers, its vector.

import { plainText } from "../../src/analysis/markup.js";
import type { WordForms } from "../../src/analysis/word-forms.js";
import type { IndexSettings, JsonRecord, JsonValue } from "../../src/index.js";
import { readVector } from "../../src/vectors/unit-vector.js";
import {
  exactCodes,
  type Indexed,
  identifierTerms,
  indexTerms,
  neighbourPairs,
  quantityTerms,
  tokensOf,
} from "./naive-terms.js";
import { bareName, categoriesOf, type Part, readTitle, type Title } from "./naive-titles.js";

/** Settings of the twin; its embedder answers at once. */
export type NaiveSettings = Omit<IndexSettings, "embedder" | "analyzer"> & {
  readonly analyzer?: "english" | "plain";
  readonly embedder?: (text: string) => readonly number[] | null;
  /** The embedder is the built-in one, whose meaning weighs less than that of others. */
  readonly isStaticEn?: boolean;
  /** Words that the embedder knows as they stand. */
  readonly knows?: (word: string) => boolean;
  /** The same for a query that the embedder reads, whether it makes a vector of it or not. */
  readonly isWord?: ((word: string) => boolean) | undefined;
  /** Words that the embedder knows are mended too. */
  readonly mendsKnown?: boolean;
  /** The cosine of two words, by an embedder that can tell. */
  readonly nearness?: (word: string, other: string) => number;
  /** Queries are read part by part, by an embedder that can. */
  readonly embedParts?: (
    parts: readonly (readonly string[])[],
    asked: { readonly outOfVocabulary: readonly string[]; readonly isHeld: (word: string) => boolean },
  ) => readonly number[] | null;
  /** The embedder reads words only: a query's codes come as one word each. */
  readonly wordsOnly?: boolean;
};

export interface Field {
  readonly texts: string[];
  readonly codes: string[];
  readonly counts: Map<string, number>;
  /** Each word as it was written, with the terms it counts under: itself, or `writtenAs`. */
  readonly written: Map<string, Set<string>>;
  /** Each identifier's letters and digits; of a trade number its longest form too. */
  readonly exactCodes: Set<string>;
  length: number;
  weight: number;
}

export interface Entry {
  readonly id: string;
  readonly record: JsonRecord;
  /** By name, in code unit order. */
  readonly fields: ReadonlyMap<string, Field>;
  readonly vector: Vector | null;
  /** undefined: it has none. */
  readonly title: Title | undefined;
  /** The words of each of its categories. */
  readonly categories: readonly (readonly Part[])[];
}

export type Vector = { readonly components: readonly number[]; readonly inverseLength: number };

const TITLES = "title producttitle productname itemtitle itemname displayname name headline label".split(" ");
const IDENTIFIERS = (
  "sku ean gtin upc isbn mpn asin barcode gtin8 gtin12 gtin13 gtin14 ean8 ean13 isbn10 isbn13 articleNumber " +
  "partNumber modelNumber productCode articleNo itemNumber itemNo itemCode partNo modelNo productNumber productNo " +
  "manufacturerPartNumber oemNumber oeNumber styleNumber styleCode stockCode orderNumber catalogNumber eanCode " +
  "upcCode pzn issn variantSku variantBarcode gtinUpcEanOrIsbn"
).split(" ");
const MACHINE_TEXT =
  /^(?:[a-z]{2,}:\/\/\S+|www\.\S+|data:[^ ]*,\S*|mailto:\S+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?)$/i;

export function readEntry(record: JsonRecord, id: string, settings: NaiveSettings, words: WordForms): Entry {
  const { vectorAttribute, embedder, searchableAttributes } = settings;
  const isSearched = (name: string): boolean =>
    searchableAttributes?.some((item) => (typeof item === "string" ? item : item.attribute) === name) ?? true;
  const isTitle = (value: JsonValue | undefined): boolean => typeof value === "string" && isText(plainText(value));
  const titles = Object.keys(record).filter((name) => isSearched(name) && isTitle(record[name]));
  titles.sort((a, b) => (a < b ? -1 : 1));
  const title = TITLES.flatMap((one) => titles.filter((name) => bareName(name) === one))[0];
  const fields = new Map([...openFields(record, id, settings)].sort(([a], [b]) => (a < b ? -1 : 1)));
  for (const [name, field] of fields) {
    const entry = searchableAttributes?.find((item) => typeof item !== "string" && item.attribute === name);
    field.weight = (typeof entry === "object" ? entry.weight : undefined) ?? (name === title ? 2 : 1);
    for (const text of field.texts) {
      for (const token of tokensOf(text)) count(field, indexTerms(token, words));
      const pairs = neighbourPairs(text, words).filter((pair) => pair !== undefined);
      count(field, { terms: [...quantityTerms(text), ...pairs], length: 0, written: [] });
    }
    for (const code of field.codes) {
      count(field, identifierTerms(code));
      for (const exact of exactCodes(code)) {
        field.exactCodes.add(exact);
        count(field, { terms: [`=${exact}`], length: 0, written: [] });
      }
    }
  }
  const titled = { title: titleOf(fields, title, words), categories: categoriesIn(record, settings, words) };
  const text = embeddedText(record, fields, title, settings);
  const embedded = text === "" || !embedder ? null : embedder(text);
  const vector = toVector(vectorAttribute === undefined ? embedded : record[vectorAttribute]);
  return { id, record, fields, vector, ...titled };
}

/** The first four, and the first eight words of each. */
function categoriesIn(record: JsonRecord, settings: NaiveSettings, words: WordForms): Part[][] {
  const { searchableAttributes, idAttribute = "id", vectorAttribute } = settings;
  const all = Object.entries(record).filter(([name]) => name !== idAttribute && name !== vectorAttribute);
  const named = searchableAttributes?.map((item): [string, JsonValue | undefined] => {
    const path = typeof item === "string" ? item : item.attribute;
    return [path.split(".").at(-1)!, valueAt(record, path)];
  });
  const found = (named ?? all).flatMap(([name, value]) => categoriesOf(value, name));
  const hasHeads = settings.analyzer !== "plain";
  return hasHeads ? found.slice(0, 4).map((text) => readTitle(text, words, writtenAs).slice(0, 8)) : [];
}

function titleOf(fields: ReadonlyMap<string, Field>, field: string | undefined, words: WordForms): Title | undefined {
  const [text] = (field === undefined ? undefined : fields.get(field))?.texts ?? [];
  return text === undefined ? undefined : { field: field!, parts: readTitle(text, words, writtenAs) };
}

/** Under what a word counts apart from the other forms of its stem. */
export function writtenAs(word: string, stem: string): string {
  return word === stem ? word : `${stem}\n${word}`;
}

export function stemOfWritten(term: string): string {
  return term.split("\n")[0]!;
}

/** The stored form; null: no vector. */
export function toVector(given: unknown): Vector | null {
  if (given === null || given === undefined) return null;
  const read = readVector(given, (given as number[]).length);
  if ("complaint" in read) throw new Error(read.complaint);
  return { components: [...read.vector.components], inverseLength: read.vector.inverseLength };
}

/** Of integers up to the last step; then as stored vectors keep it, by what one over each length is. */
export function cosine(stored: Vector, asked: Vector): number {
  let sum = 0;
  for (const [i, component] of stored.components.entries()) sum += component * asked.components[i]!;
  return Math.max(-1, Math.min(1, sum * stored.inverseLength * asked.inverseLength));
}

function count(field: Field, { terms, length, written }: Indexed): void {
  const raise = (term: string): void => void field.counts.set(term, (field.counts.get(term) ?? 0) + 1);
  for (const term of terms) raise(term);
  for (const [word, stem] of written) {
    const term = writtenAs(word, stem);
    if (term !== stem) raise(term);
    field.written.set(word, (field.written.get(word) ?? new Set()).add(term));
  }
  field.length += length;
}

/** What is searched under which name: texts by searchableAttributes; identifiers always, by their top-level name. */
function openFields(record: JsonRecord, id: string, settings: NaiveSettings): Map<string, Field> {
  const { searchableAttributes, idAttribute = "id", vectorAttribute } = settings;
  const isCodeName = codeNames(settings);
  const fields = new Map<string, Field>();
  const field = (name: string): Field => {
    const found = fields.get(name) ?? newField();
    fields.set(name, found);
    return found;
  };
  for (const [name, value] of Object.entries(record)) {
    if (name === idAttribute || name === vectorAttribute) continue;
    for (const { leaf, isCode } of leavesOf(value, name, isCodeName)) {
      if (isCode) field(name).codes.push(String(leaf));
      else if (!searchableAttributes && typeof leaf === "string" && !MACHINE_TEXT.test(plainText(leaf).trim()))
        addText(field, name, leaf);
    }
  }
  for (const item of searchableAttributes ?? []) {
    const path = typeof item === "string" ? item : item.attribute;
    for (const { leaf, isCode } of leavesOf(valueAt(record, path), path.split(".").at(-1)!, isCodeName))
      if (!isCode) addText(field, path, leaf);
  }
  if (codeAttributes(settings).length > 0 && !/^[0-9]+$/.test(id)) field(idAttribute).codes.push(id);
  return fields;
}

/** A text that is nothing but markup makes no field. */
function addText(field: (name: string) => Field, name: string, leaf: string | number): void {
  const text = plainText(String(leaf));
  if (isText(text)) field(name).texts.push(text);
}

function newField(): Field {
  const [counts, written, exactCodes] = [new Map(), new Map(), new Set<string>()];
  return { texts: [], codes: [], counts, written, exactCodes, length: 0, weight: 1 };
}

/** By default the title twice, then the other searched texts by name; never the identifiers. */
function embeddedText(
  record: JsonRecord,
  fields: ReadonlyMap<string, Field>,
  title: string | undefined,
  { embeddedAttributes }: NaiveSettings,
): string {
  const first = (title === undefined ? undefined : fields.get(title))?.texts ?? [];
  const rest = [...fields].filter(([name]) => name !== title).flatMap(([, { texts }]) => texts);
  const named = (path: string): string[] =>
    leavesOf(valueAt(record, path), "", () => false, true).map(({ leaf }) => plainText(String(leaf)));
  return (embeddedAttributes?.flatMap(named) ?? [...first, ...first, ...rest]).join(" ").trim();
}

type Leaf = { readonly leaf: string | number; readonly isCode: boolean };

/** The texts and numbers in a value, in its order; below an identifier's name they are codes, objects there are nothing. */
function leavesOf(
  value: JsonValue | undefined,
  key: string,
  isCodeName: (name: string) => boolean,
  blank = false,
): Leaf[] {
  const isCode = isCodeName(key);
  if (Array.isArray(value)) return value.flatMap((item: JsonValue) => leavesOf(item, key, isCodeName, blank));
  if (typeof value === "object" && value !== null)
    return isCode ? [] : Object.entries(value).flatMap(([name, item]) => leavesOf(item, name, isCodeName, blank));
  if (typeof value !== "string" && typeof value !== "number") return [];
  return blank || isText(value) ? [{ leaf: value, isCode }] : [];
}

function isText(value: JsonValue | undefined): boolean {
  return typeof value === "string" ? value.trim() !== "" : typeof value === "number";
}

/** What holds codes; where nothing is, ids are none either. */
function codeAttributes({ searchableAttributes, identifierAttributes }: NaiveSettings): readonly string[] {
  return identifierAttributes ?? (searchableAttributes?.length === 0 ? [] : IDENTIFIERS);
}

function codeNames(settings: NaiveSettings): (name: string) => boolean {
  const bare = (name: string): string => bareName(name) || name;
  const names = codeAttributes(settings).map(bare);
  return (name) => names.includes(bare(name));
}

/** An own attribute of that very name, else step by step through objects; not through arrays. */
function valueAt(record: JsonRecord, path: string): JsonValue | undefined {
  if (Object.hasOwn(record, path)) return record[path];
  let value: JsonValue | undefined = record;
  for (const step of path.split(".")) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    value = Object.hasOwn(value, step) ? (value as JsonRecord)[step] : undefined;
  }
  return value;
}
