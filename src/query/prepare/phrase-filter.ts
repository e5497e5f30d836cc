// Removes the records that lack a required phrase or hold an excluded word or phrase. The index stores no positions: the few
// records that hold all words of a phrase are read again, each once for all phrases. So only queries with phrases cost more.

import { phraseTerms } from "../../analysis/parse-query.js";
import type { WordForms } from "../../analysis/word-forms.js";
import { holdersOf, holdersOfAll } from "../../inverted/find-holders.js";
import type { SearchableSegment } from "../../inverted/text-searcher.js";
import type { FieldRules } from "../../settings/field-rules.js";
import { readFields } from "../../state/read-fields.js";
import { RecordReader, type StoredRecord } from "../../state/record-table.js";
import type { LiveSegment } from "../../state/segment.js";
import { type Doc, type LocalDoc, toDoc } from "../../util/doc.js";
import type { DocSet } from "../../util/doc-set.js";
import type { Analyzer } from "../../util/extension-points.js";
import type { Task } from "../../util/tasks.js";

/** How the texts of a record are found and read. */
export interface PhraseContext {
  readonly rules: FieldRules;
  readonly words: WordForms | Analyzer;
  /** Fields that this query searches; undefined: all. */
  readonly fields: Pick<ReadonlySet<string>, "has"> | undefined;
}

/** Sequences of terms: a record must hold each of the required ones, and none of the excluded ones. */
export interface Phrases {
  readonly required: readonly (readonly string[])[];
  readonly excluded: readonly (readonly string[])[];
}

const PAUSE_EVERY = 16;

/** Removes from `allowed` the records of one segment that lack a required sequence or hold an excluded one. */
export function* applyPhrases(
  { required, excluded }: Phrases,
  live: LiveSegment,
  searchable: SearchableSegment,
  allowed: DocSet<Doc>,
  context: PhraseContext,
): Task<void> {
  const { base, segment } = live;
  for (const terms of excluded)
    if (terms.length === 1) {
      for (const doc of yield* holdersOf(searchable, terms[0]!)) allowed.remove(toDoc(base, doc));
      yield;
    }
  const holders = yield* holdersOfEach(required, searchable);
  if (holders !== undefined)
    for (let doc = 0 as LocalDoc; doc < segment.size; doc++) if (!holders.has(doc)) allowed.remove(toDoc(base, doc));
  const [wanted, unwanted] = [required, excluded].map((phrases) => phrases.filter((terms) => terms.length > 1));
  const suspects = yield* holdersOfAny(unwanted!, searchable);
  const reader = new RecordReader(live.segment.records);
  let seen = 0;
  for (const doc of wanted!.length > 0 ? holders! : suspects) {
    if (!allowed.has(toDoc(base, doc))) continue;
    if (++seen % PAUSE_EVERY === 0) yield;
    const texts = textsOf(yield* reader.stored(doc), live.segment.records.ids.textAt(doc), context);
    const holds = (terms: readonly string[]): boolean => texts.some((text) => containsRun(text, terms));
    if (!wanted!.every(holds) || (suspects.has(doc) && unwanted!.some(holds))) allowed.remove(toDoc(base, doc));
  }
}

/** The records that hold all terms of all phrases; undefined without phrases. */
function* holdersOfEach(
  phrases: readonly (readonly string[])[],
  searchable: SearchableSegment,
): Task<ReadonlySet<LocalDoc> | undefined> {
  let holders: ReadonlySet<LocalDoc> | undefined;
  for (const terms of phrases) {
    holders = yield* holdersOfAll(searchable, terms, holders);
    yield;
  }
  return holders;
}

/** The records that hold all terms of at least one phrase. */
function* holdersOfAny(
  phrases: readonly (readonly string[])[],
  searchable: SearchableSegment,
): Task<ReadonlySet<LocalDoc>> {
  const holders = new Set<LocalDoc>();
  for (const terms of phrases) {
    for (const doc of yield* holdersOfAll(searchable, terms)) holders.add(doc);
    yield;
  }
  return holders;
}

/** The terms, in order, of each text in the searched fields of a record. */
function textsOf(stored: StoredRecord, id: string, { rules, words, fields }: PhraseContext): (readonly string[])[] {
  const texts: (readonly string[])[] = [];
  for (const field of readFields(stored.parse(), id, rules)) {
    if (fields !== undefined && !fields.has(field.name)) continue;
    for (const text of [...field.texts, ...field.identifiers]) texts.push(phraseTerms(text, words));
  }
  return texts;
}

/** Whether the terms of a phrase stand side by side in those of a text. */
export function containsRun(text: readonly string[], phrase: readonly string[]): boolean {
  for (let from = 0; from + phrase.length <= text.length; from++)
    if (phrase.every((term, i) => text[from + i] === term)) return true;
  return false;
}
