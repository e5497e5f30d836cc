// The words of checked records, and their stored form: what of a segment needs nothing but the records and the rules, so
// that another thread can do it.

import type { AttributeCatalog } from "../attributes/attribute-catalog.js";
import { has } from "../base/checks.js";
import type { JsonRecord } from "../base/json.js";
import type { Limits } from "../base/limits.js";
import type { Analyzer, SearchWarning } from "../base/seams.js";
import { show } from "../base/show.js";
import type { Steps } from "../base/slices.js";
import { identifierTerms, indexIdentifier, type TermTaker, takeText } from "../language/index-terms.js";
import type { WordForms } from "../language/word-forms.js";
import { embeddedText } from "../records/embedded-text.js";
import type { FieldRules } from "../records/field-rules.js";
import { type RecordField, readFields } from "../records/read-fields.js";
import { type RecordTable, type WrittenEntry, writeRecordTable } from "../records/record-table.js";
import type { Postings } from "../text/postings.js";
import { PostingsWriter } from "../text/postings-writer.js";
import { titleIndexer } from "./index-title.js";
import { attributeSeer } from "./see-attributes.js";
import { termNumber } from "./term-number.js";

/** What analysing depends on besides the records. */
export interface AnalysisContext {
  readonly rules: FieldRules;
  readonly words: WordForms | Analyzer;
  /** Whether the texts to embed are wanted. */
  readonly embeds: boolean;
  /** Gets every attribute that the records hold. */
  readonly attributes: AttributeCatalog;
  readonly limits: Pick<Limits, "fieldCharacters" | "fieldTokens">;
  readonly warn: (warning: SearchWarning) => void;
  readonly onProgress: (done: number) => void;
}

/** Records, analysed and stored. */
export interface Analysis {
  readonly records: RecordTable;
  readonly postings: Postings;
  /** Of each record the text to embed; empty where none are wanted. */
  readonly texts: readonly string[];
}

/** Records' JSON between two reports of progress. */
const REPORT_CHARACTERS = 8192;
/** Text indexed between two pauses: 1 ms, or a few while its words are new. */
const PAUSE_CHARACTERS = 2048;
/** JSON characters a posting, roughly and on the safe side: how much room a segment is given at first. */
const CHARACTERS_A_POSTING = 8;

/** Analyses records that are sorted by id. */
export function* analyseRecords(entries: readonly WrittenEntry[], context: AnalysisContext): Steps<Analysis> {
  const { rules, attributes, embeds, onProgress } = context;
  const characters = entries.reduce((total, { json }) => total + json.length, 0);
  const writer = new PostingsWriter(Math.ceil(characters / CHARACTERS_A_POSTING));
  const texts: string[] = [];
  const index = fieldIndexer(context, writer);
  const see = attributeSeer(attributes, rules.vectorAttribute);
  let read = 0;
  for (const [done, { id, json }] of entries.entries()) {
    read += json.length;
    if (read > REPORT_CHARACTERS) {
      onProgress(done);
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
  onProgress(entries.length);
  return { postings: yield* writer.finish(), records: yield* writeRecordTable(entries), texts };
}

/** Gives one field's terms to the writer; what passes the limits is stored but not searched, with one warning a segment. */
function fieldIndexer(
  { words, limits, warn }: AnalysisContext,
  writer: PostingsWriter,
): (field: RecordField) => Steps<void> {
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
