// The words that the records of an index hold, of which the cluster has the dictionary. Rewriting a query asks one question after the
// other, and each would be a request. So a query is rewritten with answers that are guessed: what was asked then is asked of the cluster
// at once, and the query is rewritten again. Answers are kept until the index changes.

import { markedWord, stemOf, writtenForm } from "../analysis/scan-tokens.js";
import type { WordForms } from "../analysis/word-forms.js";
import { BoundedDistance } from "../inverted/spelling-dictionary.js";
import { HELD, Vocabulary } from "../inverted/vocabulary.js";
import { at } from "../util/json.js";
import { byCodeUnit } from "../util/sorted.js";
import { endedTask, type Task } from "../util/tasks.js";
import { unavailable } from "./cluster.js";
import { ALL, allOf, type ClusterQuery, escaped, holdsOne, type SearchedFields } from "./remote-filter.js";

/** A search of the cluster, and what it answers. */
export type SearchBody = Readonly<Record<string, unknown>>;

/** A question to the cluster whose answer are texts. */
type Question =
  /** Which words, or which codes, numbers and identifiers, begin so? The shortest first. */
  | { readonly kind: "words" | "codes"; readonly prefix: string; readonly most: number }
  /** Which words may be within two edits of one of these? */
  | { readonly kind: "near"; readonly forms: readonly string[] };

/** What the cluster answers: a number, or texts. */
export type Answer = number | readonly string[];

/** No word of a text is so long; what a stranger asks must not take long. */
const LONGEST_ASKED = 100;
/** Questions of one request; of a query of many long words, the others are not asked. */
const MOST_QUESTIONS = 1000;
/** Of more answers, none are kept. */
const MOST_ANSWERS = 50_000;
/** Words that are near to one, that the cluster names. */
const MOST_NEAR = 300;
const NEAR_WORDS = {
  ...{ field: "words", suggest_mode: "always", max_edits: 2, prefix_length: 0, min_word_length: 1 },
  ...{ size: MOST_NEAR, shard_size: MOST_NEAR, max_inspections: MOST_NEAR },
} as const;
const NOT_HELD: Task<boolean> = endedTask(false);
export const COUNTED = { size: 0, track_total_hits: true } as const;

/** What words are looked for in. */
export interface WordScope {
  readonly docCount: number;
  readonly words: WordForms;
  readonly fields: SearchedFields;
  /** The records within the bounds of who asks. */
  readonly within: ClusterQuery;
}

/** The words of an index as the cluster answers, for one query. */
export class RemoteVocabulary extends Vocabulary {
  override readonly docCount: number;
  /** Terms that are guessed to be held: those of words as they were typed; or all that are not known. */
  likely: ReadonlySet<string> | "all" = new Set();
  private readonly scope: WordScope;
  /** What the cluster answered, to any query. */
  private readonly answers: Map<string, Answer>;
  /** What was guessed since the cluster was asked: how many records hold all of some terms, and texts. */
  private readonly openCounts = new Map<string, readonly string[]>();
  private readonly openTexts = new Map<string, Question>();
  private asksMore = true;

  constructor(scope: WordScope, answers: Map<string, Answer>) {
    super([]);
    this.scope = scope;
    this.answers = answers;
    this.docCount = scope.docCount;
  }

  /** Whether something was guessed since the cluster was asked. */
  get isGuessing(): boolean {
    return this.openCounts.size + this.openTexts.size > 0;
  }

  /** From now on, what the cluster was not asked is as if no record held it. */
  giveUp(): void {
    this.asksMore = false;
    this.likely = new Set();
    this.openCounts.clear();
    this.openTexts.clear();
  }

  private ask<Q>(open: Map<string, Q>, question: Q): Answer | undefined {
    const key = JSON.stringify(question);
    const known = this.answers.get(key);
    const mayAsk = this.asksMore && this.openCounts.size + this.openTexts.size < MOST_QUESTIONS;
    if (known === undefined && mayAsk) open.set(key, question);
    return known;
  }

  /** How many records hold all of some terms. */
  countOf(terms: readonly string[]): number {
    const asked = [...new Set(terms)].sort(byCodeUnit);
    const known = this.ask(this.openCounts, asked) as number | undefined;
    const isLikely = this.likely === "all" || (asked.length === 1 && this.likely.has(asked[0]!));
    return known ?? (isLikely ? this.docCount : 0);
  }

  override has(term: string): Task<boolean> {
    return this.countOf([term]) > 0 ? HELD : NOT_HELD;
  }

  override count(term: string, most: number): Task<number> {
    return endedTask(Math.min(most, this.countOf([term])));
  }

  override countWritten(word: string, words: WordForms, most: number): Task<number> {
    const terms = [word, ...words.otherNumbers(word)].flatMap((form) => {
      const stem = words.stem(form);
      return stem === form ? [form] : [markedWord(stem, form), form];
    });
    const counts = terms.map((term) => this.countOf([term]));
    // A guess must not ask for other spellings.
    const isLikely = this.isGuessing && this.likely !== "all" && this.likely.has(words.stem(word));
    return endedTask(Math.min(most, isLikely ? most : Math.max(...counts)));
  }

  override cooccur(terms: readonly string[]): Task<boolean> {
    return this.countOf(terms) > 0 ? HELD : NOT_HELD;
  }

  override wordsFrom(prefix: string, most: number): Task<readonly string[]> {
    return endedTask(this.texts({ kind: "words", prefix, most }).map((word) => this.termOf(word)));
  }

  override termsFrom(prefix: string, most: number): Task<readonly string[]> {
    return endedTask(this.texts({ kind: "codes", prefix, most }));
  }

  /** The ends of words are not known to the cluster. */
  override wordsTo(): Task<readonly string[]> {
    return endedTask([]);
  }

  private texts(question: Question): readonly string[] {
    const asked = question.kind === "near" ? question.forms : [question.prefix];
    if (asked.some((text) => text.length > LONGEST_ASKED)) return [];
    return (this.ask(this.openTexts, question) as readonly string[] | undefined) ?? [];
  }

  override nearest(
    word: string,
    most: number,
    words: WordForms,
    _notIn?: ReadonlySet<string>,
    asWritten = false,
  ): Task<readonly string[]> {
    const formOf = asWritten ? writtenForm : stemOf;
    const near = this.near(word, words, most);
    const least = Math.min(...near.map(({ distance }) => distance));
    const forms = near.flatMap(({ distance, term }) => (distance === least ? [formOf(term)] : []));
    return endedTask([...new Set(forms)].sort(byCodeUnit));
  }

  override neighbours(word: string, words: WordForms): Task<readonly string[]> {
    const own = words.stem(word);
    const terms = this.near(word, words, 1).map(({ term }) => term);
    const others = terms.filter((term) => writtenForm(term)[0] === word[0] && stemOf(term) !== own);
    return endedTask([...new Set(others)].sort(byCodeUnit));
  }

  /** The held words of which a number is within so many edits of a word, as index terms. */
  private near(word: string, words: WordForms, most: number): { readonly term: string; readonly distance: number }[] {
    const forms = [word, ...words.otherNumbers(word)];
    const matcher = new BoundedDistance(word, most);
    const distances = new Map<string, number>();
    // The cluster names words and the other numbers of words alike.
    for (const named of this.texts({ kind: "near", forms }))
      for (const text of [named, ...words.otherNumbers(named)]) {
        const distance = Math.min(...[text, ...words.otherNumbers(text)].map((form) => matcher.toText(form)));
        if (distance <= most) distances.set(this.termOf(text), distance);
        // Whether they are frequent is asked next.
        if (distance <= most) this.countOf([stemOf(this.termOf(text))]);
      }
    const found: { term: string; distance: number }[] = [];
    for (let distance = 0; distance <= most && found.length === 0; distance++)
      for (const [term, own] of distances)
        if (own === distance && this.countOf([term]) > 0) found.push({ term, distance });
    return found;
  }

  /** The index term of a word as it is written. */
  private termOf(word: string): string {
    const stem = this.scope.words.stem(word);
    return stem === word ? word : markedWord(stem, word);
  }

  /** Asks the cluster all that was guessed. */
  async learn(ask: (searches: readonly SearchBody[]) => Promise<readonly unknown[]>): Promise<void> {
    const [counted, others] = [[...this.openCounts], [...this.openTexts]];
    const searches = others.map(([, question]) => this.searchFor(question));
    if (counted.length > 0) searches.push(this.searchForCounts(counted.map(([, terms]) => terms)));
    const bodies = await ask(searches);
    const counts = bodies[others.length];
    if (this.answers.size > MOST_ANSWERS) this.answers.clear();
    for (const [i, [key]] of counted.entries())
      this.answers.set(key, numberAt(counts, "aggregations", "counts", "buckets", String(i), "doc_count"));
    for (const [i, [key, { kind }]] of others.entries()) this.answers.set(key, textsIn(bodies[i], kind));
    this.openCounts.clear();
    this.openTexts.clear();
  }

  /** Counts the records that hold all of some terms, for each of several lists of terms. */
  private searchForCounts(all: readonly (readonly string[])[]): SearchBody {
    const { within, fields } = this.scope;
    const queries = all.map((terms) => allOf(terms.map((term) => holdsOne(term, fields))));
    const filters = Object.fromEntries(queries.map((query, i) => [String(i), query]));
    // The cluster looks up the counts of terms where nothing narrows them.
    const query = within === ALL ? { match_all: {} } : within;
    return { size: 0, track_total_hits: false, query, aggs: { counts: { filters: { filters } } } };
  }

  private searchFor(question: Question): SearchBody {
    const { within, fields } = this.scope;
    if (question.kind === "near") {
      const suggest = question.forms.map((text, i) => [String(i), { text, term: NEAR_WORDS }] as const);
      return { size: 0, track_total_hits: false, suggest: Object.fromEntries(suggest) };
    }
    const { kind, prefix, most: size } = question;
    const field = kind === "words" ? "wordsByLength" : "codesByLength";
    const include = `.${escaped(prefix)}.*`;
    const isWhole = within === ALL && fields.restricted === undefined;
    // What the whole dictionary lists, no record need be visited for; within bounds, only words of records there count.
    const query = isWhole
      ? { match_none: {} }
      : allOf([{ regexp: { [field]: { value: include, flags: "NONE" } } }, within]);
    const listing = { ...{ field, include, size, order: { _key: "asc" } }, ...(isWhole && { min_doc_count: 0 }) };
    return { size: 0, track_total_hits: false, query, aggs: { texts: { terms: listing } } };
  }
}

/** A number in an answer. Throws 503 where it is not there. */
export function numberAt(body: unknown, ...path: string[]): number {
  const found = at(body, ...path);
  if (typeof found === "number") return found;
  throw unavailable(new Error(`The answer has no number at ${path.join(".")}.`));
}

/** How many records a search found. */
export function totalIn(body: unknown): number {
  return numberAt(body, "hits", "total", "value");
}

/** The buckets of an aggregation. */
export function bucketsIn(body: unknown, ...path: string[]): readonly unknown[] {
  const buckets = at(body, "aggregations", ...path, "buckets");
  return Array.isArray(buckets) ? buckets : [];
}

function textsIn(body: unknown, kind: Question["kind"]): readonly string[] {
  if (kind !== "near") return bucketsIn(body, "texts").map((bucket) => String(at(bucket, "key")).slice(1));
  const parts = Object.values((at(body, "suggest") ?? {}) as object).flat();
  const options = parts.flatMap((part) => (at(part, "options") ?? []) as readonly unknown[]);
  return [...new Set(options.map((option) => String(at(option, "text"))))];
}
