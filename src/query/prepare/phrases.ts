// Which records have words side by side, and which hold what hits shall not hold. The index stores no positions: the few records that
// hold all words of a phrase are read again, each once for all phrases. So only queries with phrases or exclusions cost more.
//
// "Caffeine free", "non-leather", "no gluten" and "0 % sugar" say that something is not there, so such a record does not count as holding
// what a sentence excludes unless it also holds it otherwise. Of single words, only the records that hold a word of negation are read again.

import { plainText } from "../../analysis/markup.js";
import { phraseTerms } from "../../analysis/parse-query.js";
import type { WordForms } from "../../analysis/word-forms.js";
import { commonHolders, holdersOf } from "../../inverted/find-holders.js";
import type { SearchableSegment } from "../../inverted/text-searcher.js";
import type { FieldRules } from "../../settings/field-rules.js";
import type { CheckedSettings } from "../../settings/resolved-settings.js";
import { type BoundedSnapshot, textSearcherOf } from "../../state/bounded-snapshot.js";
import { readFields } from "../../state/read-fields.js";
import { RecordReader, type StoredRecord } from "../../state/record-table.js";
import type { LiveSegment } from "../../state/segment.js";
import { type Doc, type DocSet, type LocalDoc, toDoc } from "../../util/doc-set.js";
import type { Analyzer } from "../../util/extension-points.js";
import { listIn } from "../../util/offset-table.js";
import type { Task } from "../../util/tasks.js";

/** How the texts of a record are found and read. */
export interface PhraseContext {
  readonly rules: FieldRules;
  readonly words: WordForms | Analyzer;
  /** Fields that this query searches; undefined: all. */
  readonly fields: Pick<ReadonlySet<string>, "has"> | undefined;
}

/** Records read between two pauses. */
const PAUSE_EVERY = 16;
/** Records listed between two pauses. */
const PAUSE_EVERY_LISTED = 1 << 10;

/** Removes from `allowed` the records of one segment that lack a required sequence or hold an excluded one. */
export function* applyPhrases(
  {
    required,
    excluded,
  }: { readonly required: readonly (readonly string[])[]; readonly excluded: readonly (readonly string[])[] },
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
  const holders = yield* holdersOfAny([required.flat()], searchable);
  if (required.length > 0)
    for (let doc = 0 as LocalDoc; doc < segment.size; doc++) if (!holders.has(doc)) allowed.remove(toDoc(base, doc));
  const [wanted, unwanted] = [required, excluded].map((phrases) => phrases.filter((terms) => terms.length > 1));
  const suspects = yield* holdersOfAny(unwanted!, searchable);
  const reader = new RecordReader(live.segment.records);
  let seen = 0;
  for (const doc of wanted!.length > 0 ? holders : suspects) {
    if (!allowed.has(toDoc(base, doc))) continue;
    if (++seen % PAUSE_EVERY === 0) yield;
    const texts = textsOf(yield* reader.stored(doc), live.segment.records.ids.textAt(doc), context);
    const holds = (terms: readonly string[]): boolean => texts.some((text) => containsRun(text, terms));
    if (!wanted!.every(holds) || (suspects.has(doc) && unwanted!.some(holds))) allowed.remove(toDoc(base, doc));
  }
}

/** The records that hold all terms of at least one phrase. */
function* holdersOfAny(
  phrases: readonly (readonly string[])[],
  searchable: SearchableSegment,
): Task<ReadonlySet<LocalDoc>> {
  const holders = new Set<LocalDoc>();
  let seen = 0;
  for (const terms of phrases) {
    for (const doc of yield* commonHolders(searchable, terms)) {
      if (++seen % PAUSE_EVERY_LISTED === 0) yield;
      holders.add(doc);
    }
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

/** How the texts of records are read. */
interface ReadingContext {
  readonly settings: CheckedSettings;
  readonly phrases: Omit<PhraseContext, "fields">;
}

const NEGATION_WORDS = {
  /** Negations before a term: "no sugar", "0 % sugar". */
  before: "no non not without zero never 0 0g 0mg",
  /** One behind it; before it with "of" or "from": "free of sugar". */
  free: "free",
  freeLinks: "of from",
  /** What may stand between a negation and its term: "no added sugar", "0 g of sugar". */
  between: "added any a an the real artificial of from g mg",
  /** With one word before them: "no sugar or sweetener". */
  joins: "or nor",
};
/** Words before a term that are looked at. */
const REACH = 4;

/** The records that hold one of the texts outside a negation, each word for word. */
export function* holdersOutsideNegations(
  excluded: readonly string[],
  snapshot: BoundedSnapshot,
  { settings, phrases }: ReadingContext,
): Task<Doc[]> {
  const searcher = textSearcherOf(snapshot, settings);
  const sought = excluded.map((text) => phraseTerms(text, phrases.words)).filter((terms) => terms.length > 0);
  const context = { ...phrases, negations: negationsOf(phrases.words) };
  const found: Doc[] = [];
  for (const [i, live] of snapshot.segments.entries())
    for (const doc of yield* holdersIn(sought, live, searcher.segments[i]!, context)) found.push(toDoc(live.base, doc));
  return found;
}

function* holdersIn(
  sought: readonly (readonly string[])[],
  live: LiveSegment,
  searchable: SearchableSegment,
  context: ReadingContext["phrases"] & { readonly negations: Negations },
): Task<ReadonlySet<LocalDoc>> {
  const holders = new Set<LocalDoc>();
  // Each record is read once for all terms.
  const unsure = new Map<LocalDoc, (readonly string[])[]>();
  let seen = 0;
  for (const terms of sought) {
    const negated = [...context.negations.before, ...context.negations.free].map((negation) => [terms[0]!, negation]);
    const suspects = terms.length === 1 ? yield* holdersOfAny(negated, searchable) : null;
    for (const doc of yield* commonHolders(searchable, terms)) {
      if (++seen % PAUSE_EVERY_LISTED === 0) yield;
      if (suspects !== null && !suspects.has(doc)) holders.add(doc);
      else listIn(unsure, doc).push(terms);
    }
    yield;
  }
  const { records } = live.segment;
  const reader = new RecordReader(records);
  let read = 0;
  for (const [doc, candidates] of unsure) {
    if (holders.has(doc)) continue;
    if (++read % PAUSE_EVERY === 0) yield;
    const fields = readFields(yield* reader.parsed(doc), records.ids.textAt(doc), context.rules);
    const texts = fields.flatMap((field) => field.texts);
    const pieces = texts
      .flatMap((text) => plainText(text).split(ENDS))
      .map((piece) => phraseTerms(piece, context.words));
    if (candidates.some((terms) => isHeld(terms, pieces, context.negations))) holders.add(doc);
  }
  return holders;
}

/** No negation reaches beyond these; not those within numbers, or between words. */
const ENDS = /[.,;:!?()[\]|\u2022\n\r]+(?=\s|$)|[;!?()[\]|\u2022\n\r]/;

/** Whether terms stand side by side in a piece, and are not negated there. */
function isHeld(terms: readonly string[], pieces: readonly (readonly string[])[], negations: Negations): boolean {
  let isNegated = false;
  for (const piece of pieces)
    for (let from = 0; from + terms.length <= piece.length; from++) {
      if (!terms.every((term, i) => piece[from + i] === term)) continue;
      if (!areNegated(piece, from, from + terms.length, negations)) return true;
      isNegated = true;
    }
  // A single word that is found nowhere stands in a form that is not read here, such as that of a code.
  return terms.length === 1 && !isNegated;
}

/** The words of negation, as the terms that an index has of them. */
type Negations = Readonly<Record<keyof typeof NEGATION_WORDS, ReadonlySet<string>>>;

function negationsOf(words: PhraseContext["words"]): Negations {
  const entries = Object.entries(NEGATION_WORDS).map(([kind, text]) => [kind, new Set(phraseTerms(text, words))]);
  return Object.fromEntries(entries) as Negations;
}

/** Whether the terms from … to - 1 are negated. */
function areNegated(terms: readonly string[], from: number, to: number, negations: Negations): boolean {
  const { before, free, freeLinks, between, joins } = negations;
  if (free.has(terms[to] ?? "")) return true;
  for (let at = from - 1; at >= 0 && at >= from - REACH; at--) {
    const term = terms[at]!;
    if (before.has(term)) return true;
    if (free.has(term)) return freeLinks.has(terms[at + 1]!) && at + 1 < from;
    if (joins.has(term)) at--;
    else if (!between.has(term)) return false;
  }
  return false;
}
