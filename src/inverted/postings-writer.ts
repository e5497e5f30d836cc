// Writes the postings of one segment. Records come in the order of their ids, their fields in the order of their names, and
// terms as they are read. All occurrences are kept in that order until the end, and are then sorted by term into posting lists.

import { GrowableUint32, narrowed } from "../util/growable.js";
import { offsetTable } from "../util/offset-table.js";
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
  /** By slot: its first occurrence. */
  private readonly slotStarts = new GrowableUint32();
  private readonly slots = new SlotWriter();
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
    this.slots.beginRecord();
    this.titles.beginRecord();
  }

  /** Begins a field of the current record. */
  beginField(name: string, isTitle: boolean): void {
    this.field = this.slots.fieldOf(name) | (isTitle ? TITLE_BIT : 0);
    this.slotStarts.push(this.terms.length);
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
    this.slots.add(this.slots.shapeOf(this.field, tokens));
  }

  /** The postings. The writer cannot be used afterwards. */
  *finish(): Task<Postings> {
    const order = Uint32Array.from(yield* inTermOrder(this.termTable.texts));
    const dictionary = yield* writeDictionary(this.termTable, order);
    const slots = yield* this.slots.finish();
    this.slotStarts.push(this.terms.length);
    const lists = yield* writeLists(
      {
        size: this.terms.length,
        terms: this.terms.array,
        maxDoc: slots.maxDoc,
        docSlots: this.slots.docSlots.array,
        slotStarts: this.slotStarts.array,
      },
      order,
    );
    const ordinals = new Uint32Array(order.length);
    for (let ordinal = 0; ordinal < order.length; ordinal++) ordinals[order[ordinal]!] = ordinal;
    const titles = yield* this.titles.finish(order.length, ordinals);
    const spelling = yield* writeSpelling({ dictionary, ...lists, ...slots });
    return { dictionary, ...lists, ...slots, titles, spelling };
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
export type Slots = Pick<
  Postings,
  "maxDoc" | "docSlots" | "slotShape" | "shapeFields" | "shapeLengths" | "fields" | "fieldLengths" | "fieldDocs"
>;

/** Collects the slots of a segment, record by record. */
export class SlotWriter {
  /** By record: its first slot. */
  readonly docSlots: GrowableUint32 = new GrowableUint32();
  maxDoc = 0;
  private readonly slotShape = new GrowableUint32();
  private readonly fieldNumbers = new Map<string, number>();
  /** By shape: its field and its length, in one number. */
  private readonly keys: number[] = [];
  /** By field and length: the shape, plus 1. */
  private readonly shapes = new Map<number, number[]>();
  /** By shape: how many slots have it. */
  private readonly counts: number[] = [];

  /** Begins the next record. */
  beginRecord(): void {
    this.docSlots.push(this.slotShape.length);
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

  /** The shape of a field, with TITLE_BIT for a title, of `tokens` tokens; adds the shape if it is new. */
  shapeOf(field: number, tokens: number): number {
    let ofField = this.shapes.get(field);
    if (ofField === undefined) {
      ofField = [];
      this.shapes.set(field, ofField);
    }
    const shape = ofField[tokens] ?? 0;
    if (shape > 0) return shape - 1;
    this.counts.push(0);
    ofField[tokens] = this.keys.push(field * (MAX_LENGTH + 1) + tokens);
    return this.keys.length - 1;
  }

  /** Adds the next slot of the current record. */
  add(shape: number): void {
    this.slotShape.push(shape);
    this.counts[shape]!++;
  }

  /** All slots. The writer cannot be used afterwards, but for `docSlots`, which then ends with the number of all slots. */
  *finish(): Task<Slots> {
    this.docSlots.push(this.slotShape.length);
    const docSlots = yield* offsetTable(this.docSlots.toArray());
    const { keys } = this;
    const fieldLengths = new Array<number>(this.fieldNumbers.size).fill(0);
    const fieldDocs = fieldLengths.slice();
    for (const [shape, key] of keys.entries()) {
      const field = Math.floor(key / (MAX_LENGTH + 1)) & FIELD_MASK;
      fieldLengths[field]! += this.counts[shape]! * (key % (MAX_LENGTH + 1));
      fieldDocs[field]! += this.counts[shape]!;
    }
    return {
      maxDoc: this.maxDoc,
      docSlots,
      slotShape: narrowed(this.slotShape.array.subarray(0, this.slotShape.length), keys.length),
      shapeFields: Uint32Array.from(keys, (key) => Math.floor(key / (MAX_LENGTH + 1))),
      shapeLengths: Uint16Array.from(keys, (key) => key % (MAX_LENGTH + 1)),
      fields: [...this.fieldNumbers.keys()],
      fieldLengths,
      fieldDocs,
    };
  }
}

/** All occurrences of terms, ordered by slot; slots are ordered by record. */
interface Occurrences {
  readonly size: number;
  /** By occurrence: the number of its term. */
  readonly terms: Uint32Array;
  readonly maxDoc: number;
  /** The slots of record d are those from docSlots[d] to docSlots[d + 1] - 1. */
  readonly docSlots: Uint32Array;
  /** The occurrences in slot s are those from slotStarts[s] to slotStarts[s + 1] - 1. */
  readonly slotStarts: Uint32Array;
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
function countDocFreqs(doc: number, { terms, docSlots, slotStarts }: Occurrences, heads: Uint32Array): number {
  const first = slotStarts[docSlots[doc]!]!;
  const end = slotStarts[docSlots[doc + 1]!]!;
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
  { terms, docSlots, slotStarts }: Occurrences,
  heads: Uint32Array,
  pairs: DocPatternPairs,
  patterns: PatternTree,
): number {
  const [firstSlot, endSlot] = [docSlots[doc]!, docSlots[doc + 1]!];
  const first = slotStarts[firstSlot]!;
  let at = first;
  for (let slot = firstSlot; slot < endSlot; slot++) {
    const once = patterns.withOneMore(EMPTY_PATTERN, slot - firstSlot);
    for (const end = slotStarts[slot + 1]!; at < end; at++) {
      const head = HEAD * terms[at]!;
      if (heads[head + LAST_DOC] === doc) {
        const last = heads[head + NEXT]! - 1;
        pairs.set(last, doc, patterns.withOneMore(pairs.patternAt(last), slot - firstSlot));
      } else {
        heads[head + LAST_DOC] = doc;
        pairs.set(heads[head + NEXT]!++, doc, once);
      }
    }
  }
  return at - first;
}
