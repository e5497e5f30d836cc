// Writes the postings of one segment. Records come in the order of their ids, their fields in the order of their names, and
// terms as they are read. All occurrences are kept in that order until the end, and are then sorted by term into posting lists.

import { GrowableUint32, listIn, narrowed, offsetTable } from "../util/offset-table.js";
import { sortWithPauses } from "../util/sorted.js";
import type { Task } from "../util/tasks.js";
import { DocPatternPairs, EMPTY_PATTERN, ListCoder, PatternTree, type WrittenLists } from "./list-codec.js";
import { FIELD_MASK, type Postings, TITLE_BIT } from "./postings.js";
import { writeSpelling } from "./spelling-dictionary.js";
import { TermHashTable, writeDictionary } from "./term-dictionary.js";
import { TitleWriter } from "./title/title-table.js";

/** The approximate number of occurrences of a term in a segment. */
const OCCURRENCES_OF_TERM = 8;

/** Writes the postings of one segment. */
export class PostingsWriter {
  private readonly termTable: TermHashTable;
  /** By occurrence: the number of its term in `termTable`. */
  private readonly terms: GrowableUint32;
  /** By doc field: its first occurrence. */
  private readonly fieldStarts = new GrowableUint32();
  private readonly norms = new NormsWriter();
  /** The current field, with TITLE_BIT if it is the title. */
  private field = 0;
  /** The titles of the records. */
  readonly titles: TitleWriter = new TitleWriter();

  /** `expected`: about how many occurrences there will be. Growing a large array would block for long. */
  constructor(expected = 256) {
    this.terms = new GrowableUint32(expected);
    this.termTable = new TermHashTable(expected / OCCURRENCES_OF_TERM);
  }

  /** The number of occurrences so far. */
  get occurrences(): number {
    return this.terms.length;
  }

  /** Begins the next record. Its fields follow, in code unit order of their names. */
  beginRecord(): void {
    this.norms.beginRecord();
    this.titles.beginRecord();
  }

  /** Begins a field of the current record. */
  beginField(name: string, isTitle: boolean): void {
    this.field = this.norms.fieldOf(name) | (isTitle ? TITLE_BIT : 0);
    this.fieldStarts.push(this.terms.length);
  }

  /**
   * The number of a term in this writer; adds the term if it is new. `isOwn`: the text is not a slice of a longer string, so
   * it is kept without copying.
   */
  numberOf(text: string, isOwn = false): number {
    return this.termTable.numberOf(text, isOwn);
  }

  /** Adds an occurrence of a term to the current field. */
  add(text: string): void {
    this.addNumber(this.numberOf(text));
  }

  /** Adds an occurrence of a term, given by its number. */
  addNumber(term: number): void {
    this.terms.push(term);
  }

  /** Ends the current field. `tokens`: its length. */
  endField(tokens: number): void {
    this.norms.add(this.norms.normOf(this.field, tokens));
  }

  /** The postings. The writer cannot be used afterwards. */
  *finish(): Task<Postings> {
    const order = Uint32Array.from(yield* inTermOrder(this.termTable.texts));
    const dictionary = yield* writeDictionary(this.termTable, order);
    const docFields = yield* this.norms.finish();
    this.fieldStarts.push(this.terms.length);
    const lists = yield* writeLists(
      {
        size: this.terms.length,
        terms: this.terms.array,
        maxDoc: docFields.maxDoc,
        docFields: this.norms.docFields.array,
        fieldStarts: this.fieldStarts.array,
      },
      order,
    );
    const ordinals = new Uint32Array(order.length);
    for (let ordinal = 0; ordinal < order.length; ordinal++) ordinals[order[ordinal]!] = ordinal;
    const titles = yield* this.titles.finish(order.length, ordinals);
    const spelling = yield* writeSpelling({ dictionary, ...lists, ...docFields });
    return { dictionary, ...lists, ...docFields, titles, spelling };
  }
}

const FIRST_LETTERS = 6;
/** Terms whose first letters are read between two pauses. */
const BEGUN_AT_ONCE = 1 << 12;

/** The numbers of distinct terms by code unit. Their first letters as one number tell most of them apart in less time than the texts. */
function* inTermOrder(texts: readonly string[]): Task<readonly number[]> {
  const firsts = new Float64Array(texts.length);
  for (let i = 0; i < texts.length; i++) {
    if (i % BEGUN_AT_ONCE === 0) yield;
    let [letters, unit] = [0, 0];
    for (let at = 0; at < FIRST_LETTERS; at++) {
      // From the first that does not fit into a byte on, all are taken for equal.
      if (unit < 0xff) unit = Math.min(texts[i]!.charCodeAt(at) || 0, 0xff);
      letters = 256 * letters + unit;
    }
    firsts[i] = letters;
  }
  return yield* sortWithPauses([...texts.keys()], (a, b) =>
    (firsts[a]! === firsts[b]! ? texts[a]! < texts[b]! : firsts[a]! < firsts[b]!) ? -1 : 1,
  );
}

/** The greatest length of a field, in tokens. */
const MAX_LENGTH = 0xffff;

/** The part of `Postings` that does not depend on terms: the fields of each record, and their lengths. */
export type DocFields = Pick<
  Postings,
  "maxDoc" | "docFields" | "fieldNorms" | "normFields" | "normLengths" | "fields" | "fieldLengths" | "fieldDocs"
>;

/** Collects the doc fields of a segment, record by record. */
export class NormsWriter {
  /** By record: its first doc field. */
  readonly docFields: GrowableUint32 = new GrowableUint32();
  maxDoc = 0;
  private readonly fieldNorms = new GrowableUint32();
  private readonly fieldNumbers = new Map<string, number>();
  /** By norm: its field and its length, in one number. */
  private readonly keys: number[] = [];
  /** By field and length: the norm, plus 1. */
  private readonly norms = new Map<number, number[]>();
  /** By norm: how many doc fields have it. */
  private readonly counts: number[] = [];

  /** Begins the next record. */
  beginRecord(): void {
    this.docFields.push(this.fieldNorms.length);
    this.maxDoc++;
  }

  /** The number of a field; adds the field if it is new. */
  fieldOf(name: string): number {
    let field = this.fieldNumbers.get(name);
    if (field === undefined) {
      field = this.fieldNumbers.size;
      this.fieldNumbers.set(name, field);
    }
    return field;
  }

  /** The norm of a field, with TITLE_BIT for a title, of `tokens` tokens; adds the norm if it is new. */
  normOf(field: number, tokens: number): number {
    const ofField = listIn(this.norms, field);
    const norm = ofField[tokens] ?? 0;
    if (norm > 0) return norm - 1;
    this.counts.push(0);
    ofField[tokens] = this.keys.push(field * (MAX_LENGTH + 1) + tokens);
    return this.keys.length - 1;
  }

  /** Adds the next doc field of the current record. */
  add(norm: number): void {
    this.fieldNorms.push(norm);
    this.counts[norm]!++;
  }

  /** All doc fields. The writer cannot be used afterwards, but for `docFields`, which then ends with the number of all doc fields. */
  *finish(): Task<DocFields> {
    this.docFields.push(this.fieldNorms.length);
    const docFields = yield* offsetTable(this.docFields.toArray());
    const { keys } = this;
    const fieldLengths = new Array<number>(this.fieldNumbers.size).fill(0);
    const fieldDocs = fieldLengths.slice();
    for (const [norm, key] of keys.entries()) {
      const field = Math.floor(key / (MAX_LENGTH + 1)) & FIELD_MASK;
      fieldLengths[field]! += this.counts[norm]! * (key % (MAX_LENGTH + 1));
      fieldDocs[field]! += this.counts[norm]!;
    }
    return {
      maxDoc: this.maxDoc,
      docFields,
      fieldNorms: narrowed(this.fieldNorms.array.subarray(0, this.fieldNorms.length), keys.length),
      normFields: Uint32Array.from(keys, (key) => Math.floor(key / (MAX_LENGTH + 1))),
      normLengths: Uint16Array.from(keys, (key) => key % (MAX_LENGTH + 1)),
      fields: [...this.fieldNumbers.keys()],
      fieldLengths,
      fieldDocs,
    };
  }
}

/** All occurrences of terms, ordered by doc field; doc fields are ordered by record. */
interface Occurrences {
  readonly size: number;
  /** By occurrence: the number of its term. */
  readonly terms: Uint32Array;
  readonly maxDoc: number;
  /** The doc fields of record d are those from docFields[d] to docFields[d + 1] - 1. */
  readonly docFields: Uint32Array;
  /** The occurrences in doc field s are those from fieldStarts[s] to fieldStarts[s + 1] - 1. */
  readonly fieldStarts: Uint32Array;
}

/** Occurrences between two pauses. */
const PAUSE_EVERY = 1 << 15;
/** The approximate number of bits of an occurrence. */
const EXPECTED_BITS = 9;
/**
 * Two numbers for each term, side by side for the cache. The first is the last record that was seen with the term. The second
 * is used three times: for the document frequency while records are counted, for the place in the pairs at which the next
 * record of the term is written, and in the end for the end of the term's pairs.
 */
const HEAD = 2;
const LAST_DOC = 0;
const DOC_FREQ = 1;
const NEXT = 1;
const END = 1;
const NONE = 0xffff_ffff;

/** Writes the posting lists. `order`: the numbers of the terms, in the order of the dictionary. */
function* writeLists(given: Occurrences, order: Uint32Array): Task<WrittenLists & Pick<Postings, "starts">> {
  const patterns = new PatternTree();
  const { heads, pairs } = yield* sortByTerm(given, order, patterns);
  const coder = new ListCoder(given.maxDoc, patterns, EXPECTED_BITS * given.size);
  const { bits } = coder;
  const starts = new Uint32Array(order.length + 1);
  for (let term = 0, from = 0, written = 0; term < order.length; term++) {
    starts[term] = bits.length;
    const to = heads[HEAD * order[term]! + END]!;
    // A term may stand in a title but in no field that is indexed.
    if (from < to) coder.write(pairs, from, to);
    written += 1 + to - from;
    from = to;
    if (written > PAUSE_EVERY) {
      written = 0;
      yield;
    }
  }
  starts[order.length] = bits.length;
  yield;
  return { starts, ...coder.finish() };
}

/**
 * A counting sort: the records of each term with their patterns, term after term in the order of the dictionary. `heads` is by
 * term number.
 */
function* sortByTerm(
  given: Occurrences,
  order: Uint32Array,
  patterns: PatternTree,
): Task<{ readonly heads: Uint32Array; readonly pairs: DocPatternPairs }> {
  const heads = new Uint32Array(HEAD * order.length);
  for (let head = 0; head < heads.length; head += HEAD) heads[head + LAST_DOC] = NONE;
  yield;
  for (let doc = 0, seen = 0; doc < given.maxDoc; doc++) {
    seen += countDocFreqs(doc, given, heads);
    if (seen > PAUSE_EVERY) {
      seen = 0;
      yield;
    }
  }
  let size = 0;
  for (let ordinal = 0; ordinal < order.length; ordinal++) {
    const head = HEAD * order[ordinal]!;
    const docFreq = heads[head + DOC_FREQ]!;
    heads[head + LAST_DOC] = NONE;
    heads[head + NEXT] = size;
    size += docFreq;
    if (ordinal % PAUSE_EVERY === 0) yield;
  }
  const pairs = new DocPatternPairs(size);
  yield;
  for (let doc = 0, seen = 0; doc < given.maxDoc; doc++) {
    seen += appendRecord(doc, given, heads, pairs, patterns);
    if (seen > PAUSE_EVERY) {
      seen = 0;
      yield;
    }
  }
  return { heads, pairs };
}

/** Counts a record in the document frequency of each of its terms. Returns the number of its occurrences. */
function countDocFreqs(doc: number, { terms, docFields, fieldStarts }: Occurrences, heads: Uint32Array): number {
  const first = fieldStarts[docFields[doc]!]!;
  const end = fieldStarts[docFields[doc + 1]!]!;
  for (let at = first; at < end; at++) {
    const head = HEAD * terms[at]!;
    if (heads[head + LAST_DOC] === doc) continue;
    heads[head + LAST_DOC] = doc;
    heads[head + DOC_FREQ]!++;
  }
  return end - first;
}

/** Appends a record to the pairs of each of its terms. Returns the number of its occurrences. */
function appendRecord(
  doc: number,
  { terms, docFields, fieldStarts }: Occurrences,
  heads: Uint32Array,
  pairs: DocPatternPairs,
  patterns: PatternTree,
): number {
  const [firstField, endField] = [docFields[doc]!, docFields[doc + 1]!];
  const first = fieldStarts[firstField]!;
  let at = first;
  for (let docField = firstField; docField < endField; docField++) {
    const once = patterns.withOneMore(EMPTY_PATTERN, docField - firstField);
    for (const end = fieldStarts[docField + 1]!; at < end; at++) {
      const head = HEAD * terms[at]!;
      if (heads[head + LAST_DOC] === doc) {
        const last = heads[head + NEXT]! - 1;
        pairs.set(last, doc, patterns.withOneMore(pairs.patternAt(last), docField - firstField));
      } else {
        heads[head + LAST_DOC] = doc;
        pairs.set(heads[head + NEXT]!++, doc, once);
      }
    }
  }
  return at - first;
}
