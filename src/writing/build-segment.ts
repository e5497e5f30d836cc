// From checked records to a private segment: read fields, analyse words, embed, write tables. Works in slices, may wait for
// an embedder, may fail; touches nothing that others see.

import type { AttributeCatalog } from "../attributes/attribute-catalog.js";
import { has } from "../base/checks.js";
import type { JsonRecord } from "../base/json.js";
import type { Limits } from "../base/limits.js";
import type { Analyzer, SearchWarning } from "../base/seams.js";
import { show } from "../base/show.js";
import { runInSlices, type Steps } from "../base/slices.js";
import { identifierTerms, indexIdentifier, type TermTaker, takeText } from "../language/index-terms.js";
import { isBlank } from "../language/normalize-text.js";
import type { WordForms } from "../language/word-forms.js";
import { embeddedText } from "../records/embedded-text.js";
import type { FieldRules } from "../records/field-rules.js";
import { ownVector } from "../records/own-vector.js";
import { type RecordField, readFields } from "../records/read-fields.js";
import { type WrittenEntry, writeRecordTable } from "../records/record-table.js";
import type { ResolvedSettings } from "../settings/settings.js";
import type { SearchLanguage } from "../state/search-language.js";
import { createSegment, type Segment } from "../state/segment.js";
import { PostingsWriter } from "../text/postings-writer.js";
import { embedTexts } from "../vector/embed-texts.js";
import { requireVector, type UnitVector } from "../vector/unit-vector.js";
import { writeVectorRows } from "../vector/vector-rows.js";
import { titleIndexer } from "./index-title.js";
import { attributeSeer } from "./see-attributes.js";
import { termNumber } from "./term-number.js";

/** What building depends on besides the records. */
export interface BuildContext {
  readonly settings: ResolvedSettings;
  readonly rules: FieldRules;
  readonly language: SearchLanguage;
  /** Gets every attribute that the records hold. */
  readonly attributes: AttributeCatalog;
  readonly limits: Limits;
  readonly signal: AbortSignal | undefined;
  readonly warn: (warning: SearchWarning) => void;
  /** The living record that an id now has, with its vector: unchanged text keeps its vector. */
  readonly previous: (id: string) => { readonly record: JsonRecord; readonly vector: UnitVector | null } | undefined;
  readonly onProgress: (phase: "indexing" | "embedding", done: number) => void;
}

const PAUSE_EVERY = 16;
/** Records' JSON between two reports of progress. */
const REPORT_CHARACTERS = 8192;
/** Text indexed between two pauses: 1 ms, or a few while its words are new. */
const PAUSE_CHARACTERS = 2048;
/** JSON characters a posting, roughly and on the safe side: how much room a segment is given at first. */
const CHARACTERS_A_POSTING = 8;

/** Builds a segment of records that are sorted by id. */
export async function buildSegment(entries: readonly WrittenEntry[], context: BuildContext): Promise<Segment> {
  const { settings, signal } = context;
  const characters = entries.reduce((total, { json }) => total + json.length, 0);
  const writer = new PostingsWriter(Math.ceil(characters / CHARACTERS_A_POSTING));
  const texts: string[] = [];
  await runInSlices(indexRecords(entries, context, writer, texts), signal);
  const postings = await runInSlices(writer.finish(), signal);
  const { dimensions, vectorAttribute } = settings.effective;
  const vectors =
    dimensions === 0
      ? null
      : vectorAttribute === null
        ? await embedRecords(entries, texts, context)
        : await runInSlices(ownVectors(entries, dimensions, vectorAttribute), signal);
  const rows = vectors === null ? null : await runInSlices(writeVectorRows(vectors, dimensions), signal);
  const records = await runInSlices(writeRecordTable(entries), signal);
  return createSegment(records, postings, rows);
}

/** The words of each record go to the writer, its embedded text to `texts`. */
function* indexRecords(
  entries: readonly WrittenEntry[],
  context: BuildContext,
  writer: PostingsWriter,
  texts: string[],
): Steps<void> {
  const { settings, rules, attributes } = context;
  const embeds = settings.embedder !== undefined && settings.effective.vectorAttribute === null;
  const index = fieldIndexer(context, writer);
  const see = attributeSeer(attributes, rules.vectorAttribute);
  let read = 0;
  for (const [done, { id, json }] of entries.entries()) {
    read += json.length;
    if (read > REPORT_CHARACTERS) {
      context.onProgress("indexing", done);
      read = 0;
    }
    yield;
    const record = JSON.parse(json) as JsonRecord;
    const fields = readFields(record, id, rules);
    see(record);
    writer.beginRecord();
    for (const field of fields) yield* index(field);
    if (embeds) texts.push(embeddedText(record, fields, rules));
  }
  context.onProgress("indexing", entries.length);
}

/** Gives one field's terms to the writer; what passes the limits is stored but not searched, with one warning a segment. */
function fieldIndexer(
  { language, limits, warn }: BuildContext,
  writer: PostingsWriter,
): (field: RecordField) => Steps<void> {
  const { words } = language;
  let warned = false;
  const taker = takerFor(writer);
  const indexTitle = titleIndexer(writer, words, limits);
  const sink = taker.one;
  return function* ({ name, isTitle, texts, identifiers }) {
    writer.beginField(name, isTitle);
    let tokens = 0;
    let characters = limits.fieldCharacters;
    for (const text of texts) {
      if (text.length <= Math.min(characters, PAUSE_CHARACTERS)) {
        tokens += indexOne(text, words, Math.max(0, limits.fieldTokens - tokens), taker);
        characters -= text.length;
        continue;
      }
      for (const piece of piecesOf(text.slice(0, Math.max(0, characters)), words)) {
        tokens += indexOne(piece, words, Math.max(0, limits.fieldTokens - tokens), taker);
        if (piece.length < text.length) yield;
      }
      characters -= text.length;
    }
    for (const identifier of identifiers) {
      if (identifier.length > characters || tokens >= limits.fieldTokens) {
        characters -= identifier.length;
        tokens = Math.max(tokens, limits.fieldTokens + 1);
        continue;
      }
      characters -= identifier.length;
      tokens += indexIdentifier(identifier, sink);
      for (const whole of identifierTerms(identifier)) sink(whole);
    }
    writer.endField(Math.min(tokens, limits.fieldTokens, 0xffff));
    // A title is one text.
    if (isTitle && texts.length > 0) indexTitle(texts[0]!);
    if (!warned && (characters < 0 || tokens > limits.fieldTokens)) {
      warned = true;
      warn({
        code: "field_truncated",
        message: `A text in ${show(name)} is longer than ${limits.fieldCharacters} characters or ${limits.fieldTokens} tokens; the rest is stored but not searched.`,
        param: name,
      });
    }
  };
}

/** No number so near before and behind a blank: no quantity can stand across it. */
const CLEAR_BEFORE = 24;
const CLEAR_BEHIND = 12;
const NUMBER = /\p{N}/u;

/** A long text in pieces, cut at blanks where no token and no quantity can be cut in two. A user's analyzer gets its text whole. */
function* piecesOf(text: string, words: WordForms | Analyzer): Generator<string> {
  let from = 0;
  while (!has(words, "analyze") && text.length - from > PAUSE_CHARACTERS) {
    let blank = text.indexOf(" ", from + PAUSE_CHARACTERS);
    while (blank >= 0 && NUMBER.test(text.slice(blank - CLEAR_BEFORE, blank + CLEAR_BEHIND)))
      blank = text.indexOf(" ", blank + 1);
    if (blank < 0) break;
    yield text.slice(from, blank);
    from = blank + 1;
  }
  if (from < text.length) yield text.slice(from);
}

function indexOne(text: string, words: WordForms | Analyzer, mostTokens: number, taker: TermTaker): number {
  if (!has(words, "analyze")) return takeText(text, words, mostTokens, taker);
  const terms = words.analyze(text);
  for (const term of terms.slice(0, mostTokens)) taker.one(term);
  return terms.length;
}

/** A token costs one look-up, whatever terms it has: the memo notes the numbers that the writer gives them. */
function takerFor(writer: PostingsWriter): TermTaker {
  return {
    token(token, memo) {
      const end = memo.endOfTerms(token);
      for (let place = memo.firstTerm(token); place < end; place++) writer.addNumber(termNumber(memo, place, writer));
    },
    one: (term) => writer.add(term),
  };
}

/** Embeds what is new; a record whose embedded text is as before keeps its vector. */
async function embedRecords(
  entries: readonly WrittenEntry[],
  texts: readonly string[],
  context: BuildContext,
): Promise<(UnitVector | null)[]> {
  const { settings, rules, signal, onProgress } = context;
  const embedder = settings.embedder!;
  const vectors: (UnitVector | null)[] = entries.map(() => null);
  const asked: number[] = [];
  await runInSlices(
    (function* () {
      for (const [doc, { id }] of entries.entries()) {
        if (doc % PAUSE_EVERY === 0) yield;
        if (isBlank(texts[doc]!)) continue;
        const before = context.previous(id);
        if (
          before !== undefined &&
          embeddedText(before.record, readFields(before.record, id, rules), rules) === texts[doc]
        )
          vectors[doc] = before.vector;
        else asked.push(doc);
      }
    })(),
    signal,
  );
  const kept = entries.length - asked.length;
  const answer = await embedTexts(embedder, {
    texts: asked.map((doc) => texts[doc]!),
    purpose: "record",
    signal,
    onBatch: (done) => onProgress("embedding", kept + done),
  });
  for (const [i, doc] of asked.entries()) vectors[doc] = answer[i]!;
  return vectors;
}

/** The vectors that the records bring; they were checked when the records were read. */
function* ownVectors(
  entries: readonly WrittenEntry[],
  dimensions: number,
  attribute: string,
): Steps<(UnitVector | null)[]> {
  const vectors: (UnitVector | null)[] = [];
  for (const { json } of entries) {
    const given = ownVector(JSON.parse(json) as JsonRecord, attribute);
    vectors.push(given === null ? null : requireVector(given, dimensions, attribute));
    yield;
  }
  return vectors;
}
