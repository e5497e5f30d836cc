// Which records hold a term that hits shall not hold. "Caffeine free", "non-leather", "no gluten" and "0 % sugar" say that something is
// not there, so such a record does not count as holding the term unless it also holds it otherwise. The index stores no positions: of
// single words, only the records that hold a word of negation are read again.

import { phraseTerms } from "../analysis/parse-query.js";
import type { IndexSnapshot, LiveSegment } from "../index/index-snapshot.js";
import { readFields } from "../index/read-fields.js";
import { RecordReader } from "../index/record-table.js";
import { textCorpusOf } from "../index/search-corpus.js";
import { commonHolders } from "../inverted/find-holders.js";
import type { SearchableSegment } from "../inverted/text-corpus.js";
import type { CheckedSettings } from "../settings/settings.js";
import { type Doc, type LocalDoc, toDoc } from "../util/doc.js";
import type { Task } from "../util/tasks.js";
import type { PhraseContext } from "./phrase-filter.js";

/** How the texts of records are read. */
interface ReadingContext {
  readonly settings: CheckedSettings;
  readonly phrases: Omit<PhraseContext, "fields">;
}

/** Negations before a term: "no sugar", "0 % sugar". */
const BEFORE = "no non not without zero never 0 0g 0mg";
/** One behind it; before it with "of" or "from": "free of sugar". */
const FREE = "free";
const FREE_LINKS = "of from";
/** What may stand between a negation and its term: "no added sugar", "0 g of sugar". */
const BETWEEN = "added any a an the real artificial of from g mg";
/** With one word before them: "no sugar or sweetener". */
const JOINS = "or nor";
/** Words between a negation and its term, at most. */
const REACH = 4;

/** Records looked at between two pauses. */
const PAUSE_EVERY = 16;
/** Records listed between two pauses. */
const PAUSE_EVERY_LISTED = 1 << 10;

/** The records that hold one of the texts outside a negation, each word for word. */
export function* holdersOutsideNegations(
  excluded: readonly string[],
  snapshot: IndexSnapshot,
  { settings, phrases }: ReadingContext,
): Task<Doc[]> {
  const corpus = textCorpusOf(snapshot, settings);
  const negations = new Negations(phrases.words);
  const found = new Set<Doc>();
  for (const text of excluded) {
    const terms = phraseTerms(text, phrases.words);
    if (terms.length === 0) continue;
    for (const [i, live] of snapshot.segments.entries())
      for (const doc of yield* holdersIn(terms, live, corpus.segments[i]!, { ...phrases, negations }))
        found.add(toDoc(live.base, doc));
  }
  return [...found];
}

function* holdersIn(
  terms: readonly string[],
  live: LiveSegment,
  searchable: SearchableSegment,
  { rules, words, negations }: ReadingContext["phrases"] & { readonly negations: Negations },
): Task<LocalDoc[]> {
  const suspects = terms.length === 1 ? yield* holdersOfBoth(terms[0]!, negations.all, searchable) : null;
  const { records } = live.segment;
  const reader = new RecordReader(records);
  const holders: LocalDoc[] = [];
  let seen = 0;
  let read = 0;
  for (const doc of yield* commonHolders(searchable, terms)) {
    if (++seen % PAUSE_EVERY_LISTED === 0) yield;
    if (suspects === null || suspects.has(doc)) {
      if (++read % PAUSE_EVERY === 0) yield;
      const record = yield* reader.parsed(doc);
      const texts = readFields(record, records.ids.textAt(doc), rules).flatMap((field) => field.texts);
      const uses = texts.flatMap((text) => usesOf(terms, text, words, negations));
      // A single word that is found nowhere stands in a form that is not read here, such as that of a code.
      if (!uses.includes("plain") && (uses.length > 0 || terms.length > 1)) continue;
    }
    holders.push(doc);
  }
  return holders;
}

/** The records that hold a term, and one of some others. */
function* holdersOfBoth(
  term: string,
  others: Iterable<string>,
  searchable: SearchableSegment,
): Task<ReadonlySet<LocalDoc>> {
  const found = new Set<LocalDoc>();
  for (const other of others) {
    let seen = 0;
    for (const doc of yield* commonHolders(searchable, [term, other])) {
      if (++seen % PAUSE_EVERY_LISTED === 0) yield;
      found.add(doc);
    }
    yield;
  }
  return found;
}

/** Whether a use of a term is negated. */
type Use = "plain" | "negated";

/** No negation reaches beyond these; not those within numbers, or between words. */
const ENDS = /[.,;:!?()[\]|\u2022\n\r]+(?=\s|$)|[;!?()[\]|\u2022\n\r]/;

/** How a text uses some terms that stand side by side. */
function usesOf(
  terms: readonly string[],
  text: string,
  words: PhraseContext["words"],
  negations: Negations,
): readonly Use[] {
  return text.split(ENDS).flatMap((piece): Use[] => {
    const inPiece = phraseTerms(piece, words);
    const uses: Use[] = [];
    for (let from = 0; from + terms.length <= inPiece.length; from++)
      if (terms.every((term, i) => inPiece[from + i] === term))
        uses.push(negations.reach(inPiece, from, from + terms.length) ? "negated" : "plain");
    return uses;
  });
}

/** The words of negation, as the terms that an index has of them. */
class Negations {
  /** Those that negate. */
  readonly all: ReadonlySet<string>;
  private readonly before: ReadonlySet<string>;
  private readonly free: ReadonlySet<string>;
  private readonly freeLinks: ReadonlySet<string>;
  private readonly between: ReadonlySet<string>;
  private readonly joins: ReadonlySet<string>;

  constructor(words: PhraseContext["words"]) {
    const termsOf = (text: string): ReadonlySet<string> => new Set(phraseTerms(text, words));
    this.before = termsOf(BEFORE);
    this.free = termsOf(FREE);
    this.freeLinks = termsOf(FREE_LINKS);
    this.between = termsOf(BETWEEN);
    this.joins = termsOf(JOINS);
    this.all = new Set([...this.before, ...this.free]);
  }

  /** Whether the terms from … to - 1 are negated. */
  reach(terms: readonly string[], from: number, to: number): boolean {
    if (this.free.has(terms[to] ?? "")) return true;
    for (let at = from - 1; at >= 0 && at >= from - REACH; at--) {
      const term = terms[at]!;
      if (this.before.has(term)) return true;
      if (this.free.has(term)) return this.freeLinks.has(terms[at + 1]!) && at + 1 < from;
      if (this.joins.has(term)) at--;
      else if (!this.between.has(term)) return false;
    }
    return false;
  }
}
