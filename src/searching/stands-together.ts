// Which records hold words next to each other, in order. No positions are kept: the few records that hold all the words are
// read again, so that only queries with phrases pay for them.

import type { Analyzer } from "../base/seams.js";
import type { Steps } from "../base/slices.js";
import { phraseTerms } from "../language/phrase-terms.js";
import type { WordForms } from "../language/word-forms.js";
import type { FieldRules } from "../records/field-rules.js";
import { readFields } from "../records/read-fields.js";
import { readRecord } from "../records/record-table.js";
import type { LiveSegment } from "../state/index-state.js";
import { holdersOfAll } from "../text/find-holders.js";
import type { SearchableSegment } from "../text/searchable-segment.js";

/** What reading records again depends on. */
export interface PhraseContext {
  readonly rules: FieldRules;
  readonly words: WordForms | Analyzer;
  /** Fields that this query searches; undefined: all. */
  readonly fields: ReadonlySet<string> | undefined;
}

const PAUSE_EVERY = 32;

/** The living records of one segment in which the terms stand together; a single term: that hold it. */
export function* standTogether(
  terms: readonly string[],
  live: LiveSegment,
  searchable: SearchableSegment,
  context: PhraseContext,
): Steps<ReadonlySet<number>> {
  const candidates = holdersOfAll(searchable, terms);
  if (terms.length === 1) return candidates;
  const found = new Set<number>();
  let seen = 0;
  for (const doc of candidates) {
    if (++seen % PAUSE_EVERY === 0) yield;
    if (recordHolds(terms, live, doc, context)) found.add(doc);
  }
  return found;
}

function recordHolds(
  terms: readonly string[],
  { segment }: LiveSegment,
  doc: number,
  { rules, words, fields }: PhraseContext,
): boolean {
  const record = readRecord(segment.records, doc);
  for (const field of readFields(record, segment.records.ids[doc]!, rules)) {
    if (fields !== undefined && !fields.has(field.name)) continue;
    for (const text of [...field.texts, ...field.identifiers])
      if (containsRun(termsInOrder(text, words), terms)) return true;
  }
  return false;
}

function termsInOrder(text: string, words: WordForms | Analyzer): readonly string[] {
  return "analyze" in words ? words.analyze(text) : phraseTerms(text, words);
}

function containsRun(text: readonly string[], phrase: readonly string[]): boolean {
  for (let from = 0; from + phrase.length <= text.length; from++)
    if (phrase.every((term, i) => text[from + i] === term)) return true;
  return false;
}
