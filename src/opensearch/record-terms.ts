// What the cluster finds records by: the index terms of each, the words as they are written, its codes and identifiers, the lengths of its
// fields, and the values of its attributes.

import { IDENTIFIER_MARK, isWord, WORD_MARK, writtenForm } from "../analysis/term-marks.js";
import type { WordForms } from "../analysis/word-forms.js";
import { countValue, type Seen } from "../docvalues/attribute-catalog.js";
import { pathsOf } from "../docvalues/attribute-values.js";
import type { AttributeValue } from "../docvalues/filter.js";
import { placesOf } from "../docvalues/place.js";
import type { LiveSegment } from "../index/live-records.js";
import type { FieldTotals } from "../inverted/field-totals.js";
import { PostingCursor } from "../inverted/posting-cursor.js";
import { FIELD_MASK, fieldAt, lengthAt, listOf, type Postings, TITLE_BIT } from "../inverted/postings.js";
import { sortKeyOfText } from "../search/order-hits.js";
import type { LocalDoc } from "../util/doc.js";
import { instantOf } from "../util/instant.js";
import type { JsonRecord } from "../util/json.js";
import { offsetAt } from "../util/offset-table.js";
import type { Task } from "../util/tasks.js";

/** Where a record is found by. */
export interface RecordTerms {
  /** Index terms, each as often as the record has it, weighted. */
  readonly terms: readonly string[];
  /** Index terms with the name of the field before them. */
  readonly fieldTerms: readonly string[];
  /** Words as they are written. */
  readonly words: readonly string[];
  /** The other numbers of these words: to them, a misspelt one may be nearer. */
  readonly numbers: readonly string[];
  /** The words from behind. */
  readonly reversed: readonly string[];
  /** Numbers, codes and identifiers. */
  readonly codes: readonly string[];
  /** The name and the length of each field: see {@link lengthText}. */
  readonly lengths: readonly string[];
}

/** Longer terms are found by nothing: the cluster takes none that are longer. */
const LONGEST_TERM = 8000;
/** Terms read between two pauses. */
const PAUSE_EVERY = 256;
/** A term counts at most so many times. */
const MOST_REPEATED = 32;
const SEPARATOR = "\u0001";

/** An index term in one field. */
export function fieldTerm(field: string, term: string): string {
  return `${field}${SEPARATOR}${term}`;
}

/** What the terms of records depend on. */
export interface TermRules extends Pick<WordForms, "otherNumbers"> {
  /** Of a field, or of the title. */
  readonly weightOf: (field: string, isTitle: boolean) => number;
}

/** The terms of the records of a segment, by their numbers. */
export function* termsOfRecords(
  { segment: { postings, size } }: Pick<LiveSegment, "segment">,
  { weightOf, otherNumbers }: TermRules,
): Task<RecordTerms[]> {
  const { dictionary, starts, fields } = postings;
  const found = Array.from({ length: size }, () => new TermCollector());
  for (let term = 0; term < dictionary.size; term++) {
    if (term % PAUSE_EVERY === 0) yield;
    if (starts[term] === starts[term + 1]) continue;
    const text = dictionary.termAt(term);
    if (text.length > LONGEST_TERM) continue;
    const cursor = new PostingCursor(postings, term, yield* listOf(postings, term));
    while (cursor.next()) {
      const collector = found[cursor.doc]!;
      let times = 0;
      let frequency = 0;
      for (let i = 0; i < cursor.fieldCount; i++) {
        const field = fieldAt(postings, cursor.slotAt(i));
        const name = fields[field & FIELD_MASK]!;
        const weight = weightOf(name, (field & TITLE_BIT) !== 0);
        frequency += cursor.frequencyAt(i);
        times += weight * cursor.frequencyAt(i);
        collector.fieldTerms.push(fieldTerm(name, text));
      }
      collector.add(text, Math.min(MOST_REPEATED, Math.max(1, Math.round(times))), frequency);
    }
  }
  return found.map((collector, doc) => collector.finish(lengthsOf(postings, doc as LocalDoc), otherNumbers));
}

/** Collects the terms of one record. */
class TermCollector {
  readonly fieldTerms: string[] = [];
  private readonly terms: string[] = [];
  /** How often each word that may be its own stem is there. */
  private readonly plain = new Map<string, number>();
  private readonly words = new Set<string>();
  private readonly codes: string[] = [];

  add(term: string, times: number, frequency: number): void {
    for (let i = 0; i < times; i++) this.terms.push(term);
    if (term[0] === WORD_MARK) {
      const word = writtenForm(term);
      if (isWord(word)) this.words.add(word);
      const stem = term.slice(1, term.length - word.length - 1);
      this.plain.set(stem, (this.plain.get(stem) ?? 0) - frequency);
    } else if (isWord(term)) this.plain.set(term, (this.plain.get(term) ?? 0) + frequency);
    else if (term[0] === IDENTIFIER_MARK || /^[^#+^~]/.test(term)) this.codes.push(term);
  }

  finish(lengths: readonly string[], otherNumbers: WordForms["otherNumbers"]): RecordTerms {
    const { terms, fieldTerms, words, codes } = this;
    // A word that equals its stem is there as such where the stem is there more often than its other forms.
    for (const [word, times] of this.plain) if (times > 0) words.add(word);
    return {
      terms,
      fieldTerms,
      codes,
      lengths,
      words: [...words],
      numbers: [...new Set(Array.from(words, otherNumbers).flat())],
      reversed: Array.from(words, reversedWord),
    };
  }
}

/** A word from behind, by code units. */
export function reversedWord(word: string): string {
  return word.split("").reverse().join("");
}

function lengthsOf(postings: Postings, doc: LocalDoc): string[] {
  const lengths: string[] = [];
  for (let slot = offsetAt(postings.docSlots, doc); slot < offsetAt(postings.docSlots, doc + 1); slot++)
    lengths.push(lengthText(postings.fields[fieldAt(postings, slot) & FIELD_MASK]!, lengthAt(postings, slot)));
  return lengths;
}

/** The length of a field. */
function lengthText(field: string, length: number): string {
  return `${length}${SEPARATOR}${field}`;
}

/** The sums of the lengths that so many records have. */
export function totalsOfLengths(counts: Iterable<readonly [text: string, records: number]>): FieldTotals {
  const totals = new Map<string, { length: number; docs: number }>();
  for (const [text, records] of counts) {
    const at = text.indexOf(SEPARATOR);
    const field = text.slice(at + 1);
    const before = totals.get(field) ?? { length: 0, docs: 0 };
    totals.set(field, { length: before.length + records * Number(text.slice(0, at)), docs: before.docs + records });
  }
  return totals;
}

// The values of attributes.

/** Longer texts are compared by what they begin with. */
const LONGEST_VALUE = 1000;

/** The values of a record. */
export interface RecordFacts {
  /** Each with its path and its kind before it; a date also as the instant that it is. */
  readonly facts: readonly string[];
  readonly paths: readonly string[];
  /** How many values, and how many texts, are at each path: see {@link seenText}. */
  readonly seen: readonly string[];
  /** What records are sorted by, with the paths. */
  readonly sorts: readonly string[];
  readonly place?: readonly { readonly lat: number; readonly lon: number }[];
}

/** `keyOfText`: what texts sort by in the index. */
export function factsOf(record: JsonRecord, keyOfText: typeof sortKeyOfText = sortKeyOfText): RecordFacts {
  const facts = new Set<string>();
  const paths = new Map<string, Seen>();
  const sorts = new Set<string>();
  for (const [path, value] of pathsOf(record)) {
    if (path.length > LONGEST_VALUE) continue;
    const seen = paths.get(path) ?? { short: 0, long: 0 };
    countValue(seen, value);
    paths.set(path, seen);
    facts.add(factOf(path, value));
    const key = typeof value === "string" ? keyOfText(value) : value;
    if (key !== undefined) sorts.add(factOf(path, key));
    const instant = typeof value === "string" ? instantOf(value) : undefined;
    if (instant !== undefined) facts.add(numberFact(path, "d", instant));
  }
  const places = placesOf(record);
  return {
    facts: [...facts],
    paths: [...paths.keys()],
    seen: Array.from(paths, ([path, seen]) => seenText(path, seen)),
    sorts: [...sorts],
    ...(places.length > 0 && { place: places.map(({ lat, lng }) => ({ lat, lon: lng })) }),
  };
}

function seenText(path: string, { short, long }: Readonly<Seen>): string {
  return `${short}:${long}${SEPARATOR}${path}`;
}

/** The attributes that so many records have, with how many values and texts. */
export function* attributesSeen(counts: Iterable<readonly [text: string, records: number]>): Iterable<[string, Seen]> {
  for (const [text, records] of counts) {
    const at = text.indexOf(SEPARATOR);
    const [short, long] = text.slice(0, at).split(":").map(Number) as [number, number];
    yield [text.slice(at + 1), { short: records * short, long: records * long }];
  }
}

/** One value of an attribute. */
export function factOf(path: string, value: AttributeValue): string {
  if (typeof value === "number") return numberFact(path, "n", value);
  if (typeof value === "boolean") return `${path}${SEPARATOR}t${value}`;
  return `${path}${SEPARATOR}s${value.slice(0, LONGEST_VALUE)}`;
}

/** A number, or the instant of a date, so that texts are ordered as numbers are. */
export function numberFact(path: string, kind: "n" | "d", value: number): string {
  return `${path}${SEPARATOR}${kind}${sortable(value)}`;
}

/** The bits of a double in the order of the numbers, as 16 hexadecimal digits. */
function sortable(value: number): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value === 0 ? 0 : value);
  const bits = view.getBigUint64(0);
  const isNegative = bits >> 63n === 1n;
  const ordered = isNegative ? ~bits & 0xffff_ffff_ffff_ffffn : bits | (1n << 63n);
  return ordered.toString(16).padStart(16, "0");
}

/** Whether a text is cut when it is kept as a fact. */
export function isCut(value: AttributeValue): boolean {
  return typeof value === "string" && value.length > LONGEST_VALUE;
}

/** What begins all facts of an attribute of a kind. */
export function factPrefix(path: string, kind = ""): string {
  return `${path}${SEPARATOR}${kind}`;
}

/** The path and the value of a fact that is no instant and not cut. */
export function valueOfFact(fact: string): { readonly path: string; readonly value: AttributeValue } | undefined {
  const at = fact.indexOf(SEPARATOR);
  const [path, kind, rest] = [fact.slice(0, at), fact[at + 1], fact.slice(at + 2)];
  if (kind === "s") return { path, value: rest };
  if (kind === "t") return { path, value: rest === "true" };
  return kind === "n" ? { path, value: unsortable(rest) } : undefined;
}

function unsortable(text: string): number {
  const ordered = BigInt(`0x${text}`);
  const bits = ordered >> 63n === 1n ? ordered & 0x7fff_ffff_ffff_ffffn : ~ordered & 0xffff_ffff_ffff_ffffn;
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, bits);
  return view.getFloat64(0);
}
