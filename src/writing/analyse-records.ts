// The words of checked records, and their stored form: all of a segment that needs nothing but the records and the rules.

import type { AttributeCatalog } from "../attributes/attribute-catalog.js";
import type { Limits } from "../base/limits.js";
import type { Analyzer, SearchWarning } from "../base/seams.js";
import type { Steps } from "../base/slices.js";
import type { WordForms } from "../language/word-forms.js";
import { embeddedText } from "../records/embedded-text.js";
import type { FieldRules } from "../records/field-rules.js";
import { readFields } from "../records/read-fields.js";
import { type RecordTable, recordOf, type WrittenEntry, writeRecordTable } from "../records/record-table.js";
import type { Postings } from "../text/postings.js";
import { PostingsWriter } from "../text/postings-writer.js";
import { FieldIndexer, PAUSE_CHARACTERS } from "./field-indexer.js";
import { attributeSeer } from "./see-attributes.js";

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
/** JSON characters a term, roughly and on the safe side: how much room a segment is given at first. */
const CHARACTERS_A_TERM = 4;

/** Analyses records that are sorted by id. */
export function* analyseRecords(entries: readonly WrittenEntry[], context: AnalysisContext): Steps<Analysis> {
  const { rules, attributes, embeds, onProgress } = context;
  const characters = entries.reduce((total, { json }) => total + json.length, 0);
  const writer = new PostingsWriter(Math.ceil(characters / CHARACTERS_A_TERM));
  const texts: string[] = [];
  const index = new FieldIndexer(writer, context);
  const see = attributeSeer(attributes, rules.vectorAttribute);
  let read = 0;
  let paused = 0;
  for (let done = 0; done < entries.length; done++) {
    const entry = entries[done]!;
    const { id, json } = entry;
    read += json.length;
    if (read > REPORT_CHARACTERS) {
      onProgress(done);
      read = 0;
    }
    paused += json.length;
    if (paused > PAUSE_CHARACTERS) {
      yield;
      paused = 0;
    }
    const record = recordOf(entry);
    const fields = readFields(record, id, rules);
    see(record);
    writer.beginRecord();
    for (let i = 0; i < fields.length; i++) {
      const field = fields[i]!;
      index.begin(field);
      // A generator is made for long texts alone: to make one takes longer than to read most texts.
      for (const text of field.texts)
        if (index.takesWhole(text)) index.take(text);
        else yield* index.takePieces(text);
      index.end(field);
    }
    if (embeds) texts.push(embeddedText(record, fields, rules));
  }
  onProgress(entries.length);
  return { postings: yield* writer.finish(), records: yield* writeRecordTable(entries), texts };
}
