// What the cluster finds a record by, where it searches itself: the index terms of the record with their impacts, its words as they are
// written, the values of its attributes, what its title says, and its vector. Impacts are whole numbers, and so are the weights of a query,
// so that a score is the same on every copy of every shard.

import { createHash } from "node:crypto";
import { isWord, WORD_MARK, writtenForm } from "../analysis/scan-tokens.js";
import type { KeyOfText } from "../analysis/sort-keys.js";
import { PLAIN_WORDS, type WordForms } from "../analysis/word-forms.js";
import { pathsOf } from "../docvalues/attribute-values.js";
import type { AttributeValue } from "../docvalues/doc-values.js";
import { PLACES, type Place, placeIn, placesOf, textOfPlace } from "../docvalues/place.js";
import { addTotals, type FieldTotals, impactOf, MAX_IMPACT, meanLength } from "../inverted/bm25.js";
import { normFactorsOf } from "../inverted/impact-list.js";
import { PostingCursor } from "../inverted/list-codec.js";
import { FIELD_MASK, fieldAt, listOf } from "../inverted/postings.js";
import type { FieldRules } from "../settings/field-rules.js";
import type { CheckedSettings, ResolvedSettings } from "../settings/resolved-settings.js";
import { BoundedSnapshot, textSearcherOf } from "../state/bounded-snapshot.js";
import { IndexSnapshot } from "../state/index-snapshot.js";
import { readFields } from "../state/read-fields.js";
import type { Segment } from "../state/segment.js";
import { hashOfId } from "../state/semantic-floor.js";
import type { LocalDoc } from "../util/doc-set.js";
import { SearchError } from "../util/errors.js";
import { instantOf } from "../util/instant.js";
import { has, type JsonRecord } from "../util/json.js";
import type { Task } from "../util/tasks.js";
import { hashText } from "../util/text-table.js";
import type { UnitVector } from "../vectors/unit-vector.js";
import { vectorOf } from "../vectors/vector-rows.js";
import { type DocumentSource, documentsOf, type WrittenDocument } from "./cluster-documents.js";

/** The greatest impact of a term in a record; the cluster keeps nine bits of each. */
export const MOST_IMPACT = 511;
/** A text of more code units is kept by its beginning and its hash. */
const LONGEST_VALUE = 1000;
/** Longer terms are found by nothing, and longer words are neither completed nor corrected. */
const LONGEST_TERM = 8000;
const LONGEST_WORD = 200;
/** The cluster puts so many hits in order, those before a page included. */
export const MOST_LISTED = 100_000;
/** Terms read, or records made, between two pauses. */
const PAUSE_EVERY = 256;
const SEPARATOR = "\u0001";
/** Of the components of vectors. */
const DECIMALS = 1e5;

/** Values that are looked up, and not read. */
const KEYS = { type: "keyword", norms: false, index_options: "docs", doc_values: false } as const;
const VALUES = { type: "keyword", norms: false, index_options: "docs" } as const;

/** The kinds of values: numbers, texts and truth values, and dates besides. */
export type ValueKind = "n" | "s" | "t" | "d";
const VALUE = "=";
/** Values stand in so many columns, each attribute in one: a field for each attribute would be too many in some catalogues. */
const COLUMNS = 64;

/** How the cluster keeps what it finds records by, besides what it keeps of each, and the settings of a physical index that searches. */
export function remoteForm({ dimensions }: CheckedSettings): Record<"index" | "properties" | "others", object> {
  const near = {
    ...{ type: "knn_vector", dimension: dimensions, space_type: "cosinesimil" },
    method: { name: "hnsw", engine: "lucene", parameters: { m: 16, ef_construction: 100 } },
  };
  return {
    index: { ...(dimensions > 0 && { knn: true }), max_result_window: MOST_LISTED },
    properties: {
      id: { type: "keyword" },
      hash: { type: "long" },
      impacts: { type: "rank_features" },
      terms: KEYS,
      fieldTerms: KEYS,
      words: KEYS,
      wordsByLength: VALUES,
      codesByLength: VALUES,
      // Each with a kind that its values have before it.
      attributes: VALUES,
      card: { type: "binary", doc_values: true },
      place: { type: "geo_point" },
      ...(dimensions > 0 && { near }),
      ...Object.fromEntries(Array.from({ length: COLUMNS }, (_, i) => [`v${i}`, VALUES])),
    },
    // All that is found is read of columns, and what is shown of the content.
    others: { _source: { includes: ["content", "by", "deleted"] } },
  };
}

/** The column of the values of an attribute. */
export function columnOf(path: string): string {
  return `v${hashText(path, 0) % COLUMNS}`;
}

/** The kind of a value: of those that print alike, numbers come before texts, and texts before truth values. */
export function kindOf(value: AttributeValue): "n" | "s" | "t" {
  return typeof value === "number" ? "n" : typeof value === "string" ? "s" : "t";
}

/** What begins all that stands of an attribute in its column: its values, or what is of another kind. */
export function factPrefix(path: string, kind?: "r" | "d" | "o" | "p"): string {
  return path + SEPARATOR + (kind ?? VALUE);
}

/** A value in its column: values are in the order in which they print, then by their kinds. */
export function fact(path: string, value: AttributeValue): string {
  return factPrefix(path) + keptText(String(value)) + SEPARATOR + kindOf(value);
}

/** A number, an instant, or a text to sort by, in the column of an attribute. */
export function orderedFact(kind: "r" | "d" | "o", path: string, value: number | string): string {
  return factPrefix(path, kind) + (typeof value === "number" ? sortableNumber(value) : keptText(value));
}

/** The value of a fact of a path; undefined: it is of another one, or no value. */
export function valueOfFact(text: string, path: string): AttributeValue | undefined {
  const prefix = factPrefix(path);
  if (!text.startsWith(prefix)) return undefined;
  const printed = text.slice(prefix.length, -2);
  const kind = text.at(-1);
  return kind === "n" ? Number(printed) : kind === "s" ? printed : printed === "true";
}

/** The place of a fact; undefined: it has none. */
export function placeOfFact(text: string): Place | undefined {
  const prefix = factPrefix(PLACES, "p");
  return text.startsWith(prefix) ? placeIn(text.slice(prefix.length)) : undefined;
}

/** A text as it is kept and compared. */
export function keptText(text: string): string {
  if (text.length <= LONGEST_VALUE) return text;
  return text.slice(0, LONGEST_VALUE) + SEPARATOR + createHash("sha256").update(text, "utf16le").digest("hex");
}

/** Whether a kept text is not the whole one. */
export function isCut(kept: string): boolean {
  return kept.length > LONGEST_VALUE;
}

/** The feature that has the impact of an index term: the cluster takes a point for the end of the field's name. */
export function featureOf(term: string): string {
  return `impacts.${term.replaceAll(".", SEPARATOR)}`;
}

/** An index term in one field. */
export function fieldTerm(field: string, term: string): string {
  return `${field}${SEPARATOR}${term}`;
}

/** Sorts by length, then by code point: so the cluster lists the shortest first. */
export function byLength(text: string): string {
  return String.fromCharCode(0x100 + text.length) + text;
}

/** Collects the terms of one record. */
class TermCollector {
  private readonly impacts = new Map<string, number>();
  private readonly terms: string[] = [];
  private readonly fieldTerms: string[] = [];
  private readonly codes: string[] = [];
  private readonly words = new Set<string>();
  /** How often each word that may be its own stem is there as such. */
  private readonly plain = new Map<string, number>();

  add(term: string, impact: number, times: number, fields: readonly string[]): void {
    const rounded = Math.max(1, Math.round((impact * MOST_IMPACT) / MAX_IMPACT));
    this.impacts.set(featureOf(term).slice("impacts.".length), rounded);
    this.terms.push(term);
    for (const field of fields) this.fieldTerms.push(fieldTerm(field, term));
    if (term[0] === WORD_MARK) {
      const word = writtenForm(term);
      if (isWord(word)) this.words.add(word);
      const stem = term.slice(1, term.length - word.length - 1);
      this.plain.set(stem, (this.plain.get(stem) ?? 0) - times);
    } else if (isWord(term)) this.plain.set(term, (this.plain.get(term) ?? 0) + times);
    else this.codes.push(term);
  }

  finish(otherNumbers: WordForms["otherNumbers"]): JsonRecord {
    const { terms, fieldTerms, codes, words } = this;
    for (const [word, times] of this.plain) if (times > 0) words.add(word);
    const short = [...words].filter(({ length }) => length <= LONGEST_WORD);
    return {
      ...{ impacts: Object.fromEntries(this.impacts), terms, fieldTerms },
      // To the other number of a word, a misspelt one may be nearer.
      words: [...new Set(short.flatMap((word) => [word, ...otherNumbers(word)]))],
      wordsByLength: short.map(byLength),
      codesByLength: codes.filter(({ length }) => length <= LONGEST_WORD).map(byLength),
    };
  }
}

/** A vector as the cluster takes it. */
export function numbersOf({ components, inverseLength }: UnitVector): number[] {
  return Array.from(components, (one) => Math.round(one * inverseLength * DECIMALS) / DECIMALS);
}

/** What the order of hits takes from the texts of a record: its title and its categories, as JSON in base64. */
function cardOf(record: JsonRecord, id: string, rules: FieldRules): string {
  const category: string[] = [];
  const title = readFields(record, id, rules, category).find(({ isTitle }) => isTitle)?.name;
  const card = { ...(title !== undefined && { [title]: record[title]! }), ...(category.length > 0 && { category }) };
  return Buffer.from(JSON.stringify(card), "utf8").toString("base64");
}

/** The values of a record, in their columns. */
function valuesOf(record: JsonRecord, keyOfText: KeyOfText): JsonRecord {
  const columns = new Map<string, Set<string>>();
  const attributes = new Set<string>();
  for (const [path, value] of pathsOf(record)) {
    if (path.length > LONGEST_VALUE) continue;
    const column = columnOf(path);
    const facts = columns.get(column) ?? new Set();
    columns.set(column, facts.add(fact(path, value)));
    attributes.add(kindOf(value) + path);
    if (typeof value === "number") facts.add(orderedFact("r", path, value));
    const key = typeof value === "string" ? keyOfText(value) : value;
    if (key !== undefined) facts.add(orderedFact("o", path, sortText(key)));
    const instant = typeof value === "string" ? instantOf(value) : undefined;
    if (instant === undefined) continue;
    facts.add(orderedFact("d", path, instant));
    attributes.add(`d${path}`);
  }
  const places = placesOf(record);
  const placed = places.map((one) => factPrefix(PLACES, "p") + textOfPlace(one));
  if (places.length > 0) columns.set(columnOf(PLACES), new Set([...(columns.get(columnOf(PLACES)) ?? []), ...placed]));
  const place = places.map(({ lat, lng }) => ({ lat, lon: lng }));
  return {
    ...Object.fromEntries(Array.from(columns, ([column, facts]) => [column, [...facts]])),
    ...{ attributes: [...attributes], ...(place.length > 0 && { place }) },
  };
}

/** What a value sorts by, as a text: numbers come first, then texts, then truth values. */
function sortText(key: AttributeValue): string {
  if (typeof key === "number") return `1${sortableNumber(key)}`;
  return typeof key === "string" ? `2${key}` : `3${key}`;
}

/** The bits of a double in the order of the numbers, as 16 hexadecimal digits. */
function sortableNumber(value: number): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value === 0 ? 0 : value);
  const bits = view.getBigUint64(0);
  const ordered = bits >> 63n === 1n ? ~bits & 0xffff_ffff_ffff_ffffn : bits | (1n << 63n);
  return ordered.toString(16).padStart(16, "0");
}

/** With so many records, the lengths of fields are known well enough. */
const ENOUGH_LENGTHS = 10_000;

/** Makes the documents of an index that the cluster searches, and learns the lengths of its fields, on which impacts depend. */
export class RemoteDocuments {
  readonly settings: ResolvedSettings;
  lengths: FieldTotals;

  constructor(settings: ResolvedSettings, lengths: FieldTotals = new Map()) {
    this.settings = settings;
    this.lengths = lengths;
  }

  /** Learns the lengths of fields in segments, as long as few are known. */
  learn(segments: readonly Segment[]): void {
    const known = Math.max(0, ...Array.from(this.lengths.values(), ({ docs }) => docs));
    if (known < ENOUGH_LENGTHS)
      this.lengths = segments.reduce((sum, { totals }) => addTotals(sum, totals), this.lengths);
  }

  /** The documents of the records of a segment. */
  *of({ segment, deletedDocs = null }: DocumentSource): Task<WrittenDocument[]> {
    const { effective, fields } = this.settings;
    const documents = yield* documentsOf({ segment, deletedDocs }, effective.vectorAttribute);
    const terms = yield* this.termsOf(segment);
    const { keyOfText } = effective;
    const made: WrittenDocument[] = [];
    for (let doc = 0 as LocalDoc; doc < segment.size; doc++) {
      if (deletedDocs?.has(doc)) continue;
      if (doc % PAUSE_EVERY === 0) yield;
      const document = documents[made.length]!;
      const { id, json } = document;
      const record = JSON.parse(json!) as JsonRecord;
      const vector = segment.vectors === null ? null : vectorOf(segment.vectors, doc);
      const columns = {
        ...{ id, hash: hashOfId(id), card: cardOf(record, id, fields) },
        ...{ ...terms[doc]!, ...valuesOf(record, keyOfText), ...(vector !== null && { near: numbersOf(vector) }) },
      };
      made.push({ ...document, columns });
    }
    return made;
  }

  /** The terms of the records of a segment, with their impacts as the process computes them. */
  private *termsOf(segment: Segment): Task<JsonRecord[]> {
    const { settings, lengths } = this;
    const snapshot = BoundedSnapshot.all(yield* IndexSnapshot.empty().after({ added: [segment] }));
    const { postings } = segment;
    const { scoring } = textSearcherOf(snapshot, settings.effective).segments[0]!;
    const averages = Float64Array.from(postings.fields, (name) => meanLength(lengths.get(name)));
    const { factors } = normFactorsOf(postings, { ...scoring, averages });
    const { words } = settings.language;
    const { otherNumbers } = has(words, "analyze") ? PLAIN_WORDS : words;
    const records = Array.from({ length: segment.size }, () => new TermCollector());
    const { dictionary, starts, fieldNorms, fields: names } = postings;
    for (let term = 0; term < dictionary.size; term++) {
      if (term % PAUSE_EVERY === 0) yield;
      const text = dictionary.textAt(term);
      if (starts[term] === starts[term + 1] || text.length > LONGEST_TERM) continue;
      const cursor = new PostingCursor(postings, term, yield* listOf(postings, term));
      while (cursor.next()) {
        let [weighted, times] = [0, 0];
        const fields: string[] = [];
        for (let i = 0; i < cursor.fieldCount; i++) {
          const docField = cursor.docFieldAt(i);
          const factor = factors[fieldNorms[docField]!]!;
          if (factor === 0) continue;
          weighted += factor * cursor.frequencyAt(i);
          times += cursor.frequencyAt(i);
          fields.push(names[fieldAt(postings, docField) & FIELD_MASK]!);
        }
        if (weighted > 0) records[cursor.doc]!.add(text, impactOf(weighted, scoring.k1), times, fields);
      }
    }
    return records.map((record) => record.finish(otherNumbers));
  }
}

/** 501: what the cluster cannot answer exactly. `what` ends in what to do instead. */
export function cannot(what: string, param?: string): SearchError {
  const msg = `An index that the cluster searches (search: "remote") does not know ${what}.`;
  return new SearchError(501, "not_implemented", msg, param === undefined ? {} : { param });
}
