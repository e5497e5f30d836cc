// Builds a segment from checked records: their texts become terms and posting lists, their embedded texts or own vectors become
// vector rows, and they are stored as JSON. Building works in slices, may wait for an embedder, and may fail. The segment is private
// until it is published.

import { identifierTerms, indexIdentifier } from "../analysis/identifier-terms.js";
import { isBlank } from "../analysis/normalize-text.js";
import { indexOwn, type OwnReading, readOwn, readOwnInSteps, readOwnTitle } from "../analysis/own-words.js";
import { readText, type TermConsumer } from "../analysis/text-terms.js";
import { MOST_TITLE_PARTS, readTitleParts, type TitlePartConsumer } from "../analysis/title-parts.js";
import { CATEGORY, CATEGORY_START, MODIFIER, type TitleRole } from "../analysis/title-roles.js";
import type { TokenMemo } from "../analysis/token-memo.js";
import type { WordForms } from "../analysis/word-forms.js";
import { AttributeCollector, AttributeHistory, NumberTexts } from "../docvalues/attribute-catalog.js";
import { cutText, embedTexts } from "../embedding/embed-texts.js";
import type { EmbeddingJob } from "../embedding/remembered-vectors.js";
import type { CheckedOptions } from "../input/call-options.js";
import { PostingsWriter } from "../inverted/postings-writer.js";
import type { ResolvedSettings } from "../settings/resolved-settings.js";
import { buildDeclaredColumns } from "../state/column-store.js";
import type { IndexData } from "../state/index-data.js";
import {
  countDeletions,
  findLiveDocs,
  type IndexSnapshot,
  type SnapshotChange,
  SnapshotReader,
} from "../state/index-snapshot.js";
import type { MemoryReservation } from "../state/memory-budget.js";
import { embeddedText, type RecordField, readFields } from "../state/read-fields.js";
import { entryBytes, ownVector, recordOf, type WrittenEntry, writeRecordTable } from "../state/record-table.js";
import { createSegment, MAX_SEGMENT_BYTES, MAX_SEGMENT_RECORDS, type Segment } from "../state/segment.js";
import { prepareFloor } from "../state/semantic-floor.js";
import { type Doc, toLocal } from "../util/doc-set.js";
import { SearchError, show } from "../util/errors.js";
import { type Analyzer, type Embedder, isLocal, type SearchWarning } from "../util/extension-points.js";
import { has, type JsonRecord } from "../util/json.js";
import type { Limits } from "../util/limits.js";
import { firstOf, runTask, type Task } from "../util/tasks.js";
import { requireVector, type UnitVector } from "../vectors/unit-vector.js";
import { type VectorRows, vectorOf, writeVectorRows } from "../vectors/vector-rows.js";
import type { AddResult } from "./read-batch.js";

/** What building depends on in addition to the records. */
export interface BuildContext {
  readonly settings: ResolvedSettings;
  readonly limits: Limits;
  readonly signal: AbortSignal | undefined;
  /** Aborted, with the error to throw, when the write stops waiting for the embedder. */
  readonly patience?: AbortSignal | undefined;
  readonly warn: (warning: SearchWarning) => void;
  /** Where a record whose embedded text is unchanged finds its vector, by its id; undefined: nowhere. */
  readonly vectorsFrom: IndexSnapshot | undefined;
  /** The vectors of all records, by id, where they were embedded before; undefined: they are embedded. */
  readonly embedded?: ReadonlyMap<string, UnitVector> | undefined;
  /** Looks for numbers as texts in the whole batch. */
  readonly numberTexts?: NumberTexts | undefined;
  /** What the texts are embedded for. */
  readonly job?: EmbeddingJob | undefined;
  /** Gets the number of records that a phase has finished. */
  readonly onProgress: (phase: "indexing" | "embedding", done: number) => void;
}

/** Entries visited between two pauses. */
const WALKED_AT_ONCE = 4096;
/** Records whose vector may be reused, looked up between two pauses. */
const COMPARED_AT_ONCE = 16;
/** Characters of text, or of records' JSON, indexed between two pauses: 1 ms, or a few while their words are new. */
const PAUSE_CHARACTERS = 2048;
/** Characters of JSON between two reports of progress. */
const REPORT_CHARACTERS = 8192;
/** A low estimate of the characters of JSON per term. It decides how much room a segment gets at first. */
const CHARACTERS_PER_TERM = 4;
/** Field lengths are stored in 16 bits. */
const MAX_FIELD_LENGTH = 0xffff;

/** Where a batch of records goes, and what it takes from elsewhere. */
export interface BatchDestination {
  readonly data: IndexData;
  readonly reservation: MemoryReservation;
  /** Where records with unchanged text find their vectors; undefined: in the snapshot that is changed. */
  readonly vectorsFrom?: IndexSnapshot | undefined;
  /** The attributes to remember; undefined: those of the batch. */
  readonly remembered?: AttributeHistory | undefined;
  /** The vectors of all records, by id, where they were embedded before. */
  readonly embedded?: ReadonlyMap<string, UnitVector> | undefined;
}

/** A batch that is ready to be published. */
export interface BuiltBatch {
  readonly change: SnapshotChange;
  readonly written: AttributeHistory;
  readonly numberTexts: NumberTexts;
  readonly result: AddResult;
}

/** Builds the segments of a batch, whose entries are sorted by id and distinct. Changes nothing. */
export async function buildBatch(
  entries: readonly WrittenEntry[],
  { data, reservation, vectorsFrom, remembered, embedded }: BatchDestination,
  { signal, onProgress, job }: Pick<CheckedOptions, "signal" | "onProgress" | "job">,
  { limits, warn, patience }: Pick<BuildContext, "limits" | "warn" | "patience">,
): Promise<BuiltBatch> {
  reservation.begin(entries);
  const groups = await runTask(cutIntoSegments(entries), signal);
  const { snapshot, settings } = data;
  const deletions = await runTask(
    findLiveDocs(snapshot, entries.length, (i) => entries[i]!.id),
    signal,
  );
  const replaced = countDeletions(deletions);
  const added = entries.length - replaced;
  if (snapshot.liveCount + added > limits.indexRecords) throw indexFull(limits);
  const written = new AttributeHistory();
  if (remembered !== undefined) written.add(remembered);
  const numberTexts = new NumberTexts(settings.effective.idAttribute);
  const segments: Segment[] = [];
  let done = 0;
  for (const group of groups) {
    const before = done;
    const segment = await buildSegment(group, {
      ...{ settings, limits, warn, signal, patience, job, numberTexts, embedded },
      vectorsFrom: vectorsFrom ?? (replaced > 0 ? snapshot : undefined),
      onProgress: (phase, count) => onProgress?.({ done: before + count, total: entries.length, phase }),
    });
    reservation.add(segment, group);
    segments.push(segment);
    await prepareFloor(segment, settings, signal);
    if (remembered === undefined) await runTask(written.addSegment(segment.attributes), signal);
    done += group.length;
  }
  reservation.grow(data.written.growthBy(written));
  return { change: { added: segments, deletions }, written, numberTexts, result: { added, replaced } };
}

/** An index would have more records than it may. */
function indexFull({ indexRecords }: Pick<Limits, "indexRecords">): SearchError {
  const msg = `The index would hold more than ${indexRecords} records; delete some or raise limits.indexRecords.`;
  return new SearchError(507, "index_full", msg, { param: "records" });
}

/** Cuts sorted entries into groups that fit into one segment each. */
export function* cutIntoSegments(entries: readonly WrittenEntry[]): Task<WrittenEntry[][]> {
  const groups: WrittenEntry[][] = [];
  let bytes = 0;
  for (let i = 0; i < entries.length; i++) {
    const entry = entries[i]!;
    if (i % WALKED_AT_ONCE === 0) yield;
    const group = groups.at(-1);
    bytes += entryBytes(entry);
    if (group === undefined || group.length === MAX_SEGMENT_RECORDS || bytes > MAX_SEGMENT_BYTES) {
      groups.push([entry]);
      bytes = entryBytes(entry);
    } else group.push(entry);
  }
  return groups;
}

/** Builds a segment of records that are sorted by id. */
export async function buildSegment(entries: readonly WrittenEntry[], context: BuildContext): Promise<Segment> {
  const { settings, signal } = context;
  const { dimensions, vectorAttribute } = settings.effective;
  const { records, postings, texts, attributes } = await runTask(analyseRecords(entries, context), signal);
  let rows: VectorRows | null = null;
  if (dimensions > 0) {
    const vectors =
      vectorAttribute === null
        ? await embedRecords(entries, texts, context)
        : await runTask(ownVectors(entries, dimensions, vectorAttribute), signal);
    rows = await runTask(writeVectorRows(vectors, dimensions), signal);
  }
  const segment = createSegment(records, postings, rows, attributes);
  await runTask(buildDeclaredColumns(segment, settings.effective), signal);
  return segment;
}

/**
 * Finds the fields of each record, gives their terms to the writer of posting lists, and stores the records. `texts`: that to embed of each
 * record; an empty list if none is embedded.
 */
function* analyseRecords(
  entries: readonly WrittenEntry[],
  context: BuildContext,
): Task<Pick<Segment, "records" | "postings" | "attributes"> & { readonly texts: readonly string[] }> {
  const { settings, onProgress } = context;
  const { fields: rules } = settings;
  const characters = entries.reduce((total, { json }) => total + json.length, 0);
  const writer = new PostingsWriter(Math.ceil(characters / CHARACTERS_PER_TERM));
  const index = new FieldIndexer(writer, context);
  const attributes = new AttributeCollector(rules.vectorAttribute, context.numberTexts);
  const embeds = settings.embedder !== undefined && settings.effective.vectorAttribute === null;
  const texts: string[] = [];
  let sinceReport = 0;
  let sincePause = 0;
  for (const [done, entry] of entries.entries()) {
    const { id, json } = entry;
    sinceReport += json.length;
    if (sinceReport > REPORT_CHARACTERS) {
      onProgress("indexing", done);
      sinceReport = 0;
    }
    sincePause += json.length;
    if (sincePause > PAUSE_CHARACTERS) {
      yield;
      sincePause = 0;
    }
    const record = recordOf(entry);
    const categories: string[] = [];
    const fields = readFields(record, id, rules, categories);
    attributes.add(record);
    writer.beginRecord();
    index.id = id;
    for (const field of fields) {
      index.begin(field);
      // Creating a generator takes longer than indexing most texts, so only long texts get one.
      for (const text of field.texts)
        if (index.isShort(text)) index.addShort(text);
        else yield* index.addLong(text);
      index.end(field);
    }
    if (rules.titles) index.addCategories(categories);
    if (embeds) texts.push(embeddedText(record, fields, rules));
  }
  onProgress("indexing", entries.length);
  const { catalog } = attributes;
  return { postings: yield* writer.finish(), records: yield* writeRecordTable(entries), texts, attributes: catalog };
}

/**
 * Gives the terms of fields to the writer of posting lists, field after field: `begin`, then its texts, then `end`. Text beyond
 * the limits is stored but not searched, with one warning per segment.
 */
class FieldIndexer {
  private readonly writer: PostingsWriter;
  private readonly context: BuildContext;
  /** What reads the texts of each language, by its words; that of the index, and that of the current field. */
  private readonly readers = new Map<WordForms | Analyzer, TextReader>();
  private readonly usual: TextReader;
  private reader: TextReader;
  /** The id of the current record. */
  id = "";
  private warned = false;
  /** The tokens of the current field so far, and how many more characters it may have. */
  private tokens = 0;
  private characters = 0;

  constructor(writer: PostingsWriter, context: BuildContext) {
    this.writer = writer;
    this.context = context;
    this.usual = this.readerOf(context.settings.language.words);
    this.reader = this.usual;
  }

  /** Begins a field of the writer's current record. */
  begin({ name, isTitle }: RecordField): void {
    this.writer.beginField(name, isTitle);
    const words = this.context.settings.language.wordsOf(name);
    if (words !== this.reader.words) this.reader = this.readerOf(words);
    this.tokens = 0;
    this.characters = this.context.limits.fieldCharacters;
  }

  private readerOf(words: WordForms | Analyzer): TextReader {
    const reader = this.readers.get(words) ?? textReader(words, this.writer);
    this.readers.set(words, reader);
    return reader;
  }

  /** Whether a text of the current field is so short that it can be indexed without a pause. */
  isShort(text: string): boolean {
    return text.length <= PAUSE_CHARACTERS && text.length <= this.characters;
  }

  /** Indexes a short text. */
  addShort(text: string): void {
    this.addTerms(text);
    this.characters -= text.length;
  }

  /** Indexes a long text, with pauses. */
  *addLong(text: string): Task<void> {
    const { words } = this.reader;
    const searched = text.slice(0, Math.max(0, this.characters));
    if (has(words, "analyze")) {
      if (searched !== "") this.addOwn(yield* readOwnInSteps(searched, words), words);
    } else
      for (const piece of piecesOf(searched)) {
        this.addTerms(piece);
        if (piece.length < text.length) yield;
      }
    this.characters -= text.length;
  }

  /** Indexes the identifiers of the current field, and ends it. */
  end({ name, isTitle, texts, identifiers }: RecordField): void {
    const { fieldCharacters, fieldTokens } = this.context.limits;
    for (const identifier of identifiers) this.addIdentifier(identifier);
    this.writer.endField(Math.min(this.tokens, fieldTokens, MAX_FIELD_LENGTH));
    // A title is one text.
    if (isTitle && texts.length > 0 && this.context.settings.fields.titles) this.addTitle(texts[0]!);
    if (this.warned || (this.characters >= 0 && this.tokens <= fieldTokens)) return;
    this.warned = true;
    this.context.warn({
      code: "field_truncated",
      message: `A text in ${show(name)} of the record ${show(this.id)} is longer than ${fieldCharacters} characters (limits.fieldCharacters) or ${fieldTokens} tokens (limits.fieldTokens); the rest is stored but not searched.`,
      param: name,
    });
  }

  private addTerms(text: string): void {
    const { words, consumer } = this.reader;
    if (has(words, "analyze")) this.addOwn(readOwn(text, words), words);
    else this.tokens += readText(text, words, this.tokensLeft, consumer);
  }

  private addOwn(reading: OwnReading, analyzer: Analyzer): void {
    this.tokens += indexOwn(reading, analyzer, this.tokensLeft, this.reader.consumer.one);
  }

  private get tokensLeft(): number {
    return Math.max(0, this.context.limits.fieldTokens - this.tokens);
  }

  private addIdentifier(identifier: string): void {
    const { fieldTokens } = this.context.limits;
    const isCut = identifier.length > this.characters || this.tokens >= fieldTokens;
    this.characters -= identifier.length;
    if (isCut) {
      this.tokens = Math.max(this.tokens, fieldTokens + 1);
      return;
    }
    const sink = this.usual.consumer.one;
    this.tokens += indexIdentifier(identifier, sink);
    for (const whole of identifierTerms(identifier)) sink(whole);
  }

  /** Stores the categories of the writer's current record behind its title. */
  addCategories(categories: readonly string[]): void {
    const { words, partConsumer } = this.usual;
    // Where the head comes first, all kinds of a thing begin with its name, and the category would put them before the thing itself.
    if (has(words, "analyze") || !words.hasHeads || words.titles.headFirst) return;
    for (const category of categories) {
      let role: TitleRole = CATEGORY_START;
      const begin = (): void => {
        partConsumer.begin(role);
        role = CATEGORY;
      };
      readTitleParts(category, words, MOST_CATEGORY_PARTS, { ...partConsumer, begin });
    }
  }

  /** Stores a title part by part, besides its posting lists. With a user's analyzer, each of its terms is a part. */
  private addTitle(title: string): void {
    const { words, partConsumer: consumer } = this.reader;
    const { fieldTokens, fieldCharacters } = this.context.limits;
    const most = Math.min(MOST_TITLE_PARTS, fieldTokens);
    const text = title.slice(0, fieldCharacters);
    if (!has(words, "analyze")) readTitleParts(text, words, most, consumer);
    else readOwnTitle(text, words, most, { begin: () => consumer.begin(MODIFIER), one: consumer.one });
  }
}

/** How the texts of a language become terms. */
interface TextReader {
  readonly words: WordForms | Analyzer;
  readonly consumer: TermConsumer;
  readonly partConsumer: TitlePartConsumer;
}

function textReader(words: WordForms | Analyzer, writer: PostingsWriter): TextReader {
  const numbers = new TermNumbers(writer);
  let role: TitleRole | 0 = 0;
  const addToTitle = (number: number): void => {
    writer.titles.add(number, role);
    role = 0;
  };
  return {
    words,
    consumer: {
      known(memo, from, end) {
        for (let term = from; term < end; term++) writer.addNumber(numbers.of(memo, term));
      },
      one: (term) => writer.add(term),
    },
    partConsumer: {
      begin: (next) => {
        role = next;
      },
      known(memo, from, end) {
        for (let term = from; term < end; term++) addToTitle(numbers.of(memo, term));
      },
      one: (term) => addToTitle(writer.numberOf(term)),
    },
  };
}

/** Categories of more words are cut. */
const MOST_CATEGORY_PARTS = 8;
/**
 * A text is cut at a blank that has no digit this close before or behind it, because no quantity spans such a blank. It is cut only
 * between words of more than one letter or behind a sign, because no pair of neighbours spans these.
 */
const CLEAR_BEFORE = 24;
const CLEAR_BEHIND = 12;
const NUMBER = /\p{N}/u;
const NO_PAIR = /[,.;:!?)] |[\p{Ll}\p{Lu}\p{Lo}]{2} [\p{Ll}\p{Lu}\p{Lo}]{2}/u;

/** A long text in pieces, cut where neither a token nor a quantity is cut in two. */
function* piecesOf(text: string): Generator<string> {
  let from = 0;
  while (text.length - from > PAUSE_CHARACTERS) {
    let blank = text.indexOf(" ", from + PAUSE_CHARACTERS);
    while (blank >= 0 && !isClear(text, blank)) blank = text.indexOf(" ", blank + 1);
    if (blank < 0) break;
    yield text.slice(from, blank);
    from = blank + 1;
  }
  if (from < text.length) yield text.slice(from);
}

function isClear(text: string, blank: number): boolean {
  if (NUMBER.test(text.slice(blank - CLEAR_BEFORE, blank + CLEAR_BEHIND))) return false;
  return NO_PAIR.test(text.slice(blank - 2, blank + 3));
}

const UNKNOWN = -1;

/** A map is made when a segment has this share of the memo's terms as occurrences: for a small one it would take longer than the rest. */
const MAPPED_FROM = 1 / 8;

/** Maps the numbers of terms in a memo to their numbers in a segment's writer, so that each text is looked up once. */
class TermNumbers {
  private readonly writer: PostingsWriter;
  /** By number in the memo: the number in the writer, or UNKNOWN before the first use. */
  private numbers = new Int32Array(0);
  private age = -1;

  constructor(writer: PostingsWriter) {
    this.writer = writer;
  }

  /** The number of a term in the writer. */
  of(memo: TokenMemo, term: number): number {
    if (this.age !== memo.age || term >= this.numbers.length) {
      if (this.writer.occurrences < MAPPED_FROM * memo.terms.length)
        return this.writer.numberOf(memo.terms[term]!, true);
      this.grow(memo);
    }
    const { numbers } = this;
    if (numbers[term] === UNKNOWN) numbers[term] = this.writer.numberOf(memo.terms[term]!, true);
    return numbers[term]!;
  }

  private grow({ age, terms }: TokenMemo): void {
    const larger = new Int32Array(2 * terms.length).fill(UNKNOWN);
    if (this.age === age) larger.set(this.numbers);
    this.numbers = larger;
    this.age = age;
  }
}

/** Embeds the texts of records. A record whose text is unchanged keeps its vector. */
async function embedRecords(
  entries: readonly WrittenEntry[],
  whole: readonly string[],
  context: BuildContext,
): Promise<readonly (UnitVector | null)[]> {
  const { settings, signal, onProgress, job, warn, embedded } = context;
  if (embedded !== undefined) return entries.map(({ id }) => embedded.get(id) ?? null);
  const embedder = settings.embedder!;
  const texts = whole.map((text) => cutText(embedder, text));
  const vectors: (UnitVector | null)[] = entries.map(() => null);
  const asked = await runTask(keepVectors(entries, texts, { ...context, vectors }), signal);
  const cut = asked.filter((doc) => texts[doc]!.length < whole[doc]!.length);
  if (cut.length > 0) warn(textTruncated(entries[cut[0]!]!, cut.length, embedder));
  const kept = entries.length - asked.length;
  const answer = await whilePatient(embedder, context, (stop) =>
    embedTexts(embedder, {
      texts: asked.map((doc) => texts[doc]!),
      purpose: "record",
      signal: stop,
      job,
      onBatch: (done) => onProgress("embedding", kept + done),
    }),
  );
  for (const [i, doc] of asked.entries()) vectors[doc] = answer[i]!;
  return vectors;
}

/** Waits for an embedder until it answers, or until the write stops waiting. */
async function whilePatient<T>(
  embedder: Embedder,
  { signal, patience }: BuildContext,
  work: (stop: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  if (patience === undefined || isLocal(embedder)) return work(signal);
  const { signal: stop, end } = firstOf(signal === undefined ? [patience] : [signal, patience]);
  try {
    return await work(stop);
  } catch (error) {
    throw patience.aborted && signal?.aborted !== true ? patience.reason : error;
  } finally {
    end();
  }
}

/** One warning for all records of a segment whose texts were cut; it names the first. */
function textTruncated({ id, position }: WrittenEntry, count: number, { maxTextLength }: Embedder): SearchWarning {
  const first = position === undefined ? `The record ${show(id)}` : `records[${position}] (id ${show(id)})`;
  const have = count === 1 ? " has a text" : ` and ${count - 1} more have texts`;
  const message = `${first}${have} to embed of more than ${maxTextLength} UTF-16 units (maxTextLength); the rest is searched by words alone.`;
  return { code: "text_truncated", message, param: "embedder" };
}

/** Copies the vectors of unchanged texts; returns the numbers of the records whose text must be embedded. */
function* keepVectors(
  entries: readonly WrittenEntry[],
  texts: readonly string[],
  {
    vectorsFrom,
    vectors,
    settings: { embedder, fields: rules },
  }: BuildContext & { readonly vectors: (UnitVector | null)[] },
): Task<readonly number[]> {
  const textBefore = (record: JsonRecord, id: string): string =>
    cutText(embedder!, embeddedText(record, readFields(record, id, rules), rules));
  const asked: number[] = [];
  const reader = vectorsFrom === undefined ? undefined : new SnapshotReader(vectorsFrom);
  for (const [doc, { id }] of entries.entries()) {
    if (doc % COMPARED_AT_ONCE === 0) yield;
    if (isBlank(texts[doc]!)) continue;
    const known = vectorsFrom?.find(id) ?? (-1 as Doc);
    if (known >= 0 && textBefore((yield* reader!.stored(known)).parse(), id) === texts[doc]) {
      const { segment, base } = vectorsFrom!.segmentOf(known);
      vectors[doc] = segment.vectors === null ? null : vectorOf(segment.vectors, toLocal(base, known));
    } else asked.push(doc);
  }
  return asked;
}

/** The vectors that the records bring. They were checked when the records were read. */
function* ownVectors(
  entries: readonly WrittenEntry[],
  dimensions: number,
  attribute: string,
): Task<(UnitVector | null)[]> {
  const vectors: (UnitVector | null)[] = [];
  for (const entry of entries) {
    const given = entry.vector?.numbers ?? ownVector(recordOf(entry), attribute);
    vectors.push(given === null ? null : requireVector(given, dimensions, attribute));
    yield;
  }
  return vectors;
}
