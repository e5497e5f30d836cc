// The words of all records of an index, of which the cluster has the dictionary. Rewriting a query asks one question after the other, and
// each would be a request. So a query is rewritten first with answers that are guessed, once as if no record held anything, and once as if
// some held everything: what was asked then is asked of the cluster at once, and the query is rewritten with its answers.

import type { QueryTerm } from "../analysis/query-term.js";
import { markedWord, stemOf, writtenForm } from "../analysis/term-marks.js";
import type { WordForms } from "../analysis/word-forms.js";
import { BoundedDistance } from "../inverted/spelling-dictionary.js";
import type { WholeCorpus, WordSource } from "../inverted/text-corpus.js";
import { HELD, NOT_HELD } from "../inverted/vocabulary.js";
import { joinKeys } from "../util/json.js";
import { byCodeUnit } from "../util/sorted.js";
import { endedTask, type Task } from "../util/tasks.js";

/** A question to the cluster. */
export type WordQuestion =
  /** How many records hold all of these terms? */
  | { readonly kind: "count"; readonly terms: readonly string[] }
  /** Which words begin so, and which codes, numbers and identifiers? */
  | { readonly kind: "words" | "codes"; readonly prefix: string }
  /** Which words are within so many edits of one of these? */
  | { readonly kind: "near"; readonly forms: readonly string[]; readonly edits: number };

/** Begins a text that may be no word of the index. */
export const PERHAPS = "?";

/** What the cluster answers: a number, or texts. */
export type WordAnswer = number | readonly string[];

/** What is answered as long as the cluster was not asked. */
export type Guess = "nothing" | "everything";

/** In which fields words are looked for; undefined: in all that are searched. */
type Fields = readonly string[] | undefined;

/** The answers of the cluster, and the questions that are still to be asked. */
export class AskedWords {
  guess: Guess = "nothing";
  /** The live records of the index. */
  docCount: number;
  readonly words: WordForms;
  private readonly answers = new Map<string, WordAnswer>();
  private readonly open = new Map<string, { readonly question: WordQuestion; readonly fields: Fields }>();
  private readonly corpora = new Map<string, WholeCorpus>();
  /** How many records hold each query term, by key. */
  private readonly docFreqs = new Map<string, number>();

  /** `words`: how words are stemmed. */
  constructor(docCount: number, words: WordForms) {
    this.docCount = docCount;
    this.words = words;
  }

  /** The questions that have no answer yet, by what they are answered by. */
  get questions(): ReadonlyMap<string, { readonly question: WordQuestion; readonly fields: Fields }> {
    return this.open;
  }

  answer(key: string, answer: WordAnswer): void {
    this.answers.set(key, answer);
    this.open.delete(key);
  }

  /** What nobody is to ask any more is answered as if no record held it. */
  giveUp(): void {
    for (const [key, { question }] of this.open) this.answer(key, question.kind === "count" ? 0 : []);
  }

  /** How many records hold a term, as far as that was asked. */
  countOf(term: string, fields: Fields): number {
    return (this.answers.get(keyOf({ kind: "count", terms: [term] }, fields)) as number | undefined) ?? 0;
  }

  /** Takes over how many records hold query terms. */
  learn(docFreqs: Iterable<readonly [key: string, docFreq: number]>): void {
    for (const [key, docFreq] of docFreqs) this.docFreqs.set(key, docFreq);
  }

  /** The words in some fields. */
  corpus(restricted?: readonly string[]): WholeCorpus {
    const key = restricted === undefined ? "" : joinKeys([...restricted].sort());
    let corpus = this.corpora.get(key);
    if (corpus === undefined) {
      const ask = (question: WordQuestion): WordAnswer => this.ask(question, restricted);
      corpus = {
        words: new WordsOfCluster(this, ask),
        holdsTogether: (terms) => (this.docFreqs.get(togetherKey(terms, restricted)) ?? 0) > 0,
        docFreqs: (terms) =>
          terms.map((term) => this.docFreqs.get(termKey(term, restricted)) ?? this.leastDocFreq(term, ask)),
      };
      this.corpora.set(key, corpus);
    }
    return corpus;
  }

  /** How many records hold a term at least: those with one of its alternatives that is a single term. */
  private leastDocFreq({ alternatives }: QueryTerm, ask: (question: WordQuestion) => WordAnswer): number {
    return alternatives.reduce((most, { terms }) => Math.max(most, ask({ kind: "count", terms }) as number), 0);
  }

  private ask(question: WordQuestion, fields: Fields): WordAnswer {
    if (isTooLong(question)) return [];
    const key = keyOf(question, fields);
    const known = this.answers.get(key);
    if (known !== undefined) return known;
    this.open.set(key, { question, fields });
    if (question.kind === "count") return this.guess === "nothing" ? 0 : this.docCount;
    return [];
  }
}

/** No word of a text is so long; what a stranger asks must not take long. */
const LONGEST_ASKED = 100;

function isTooLong(question: WordQuestion): boolean {
  if (question.kind === "count") return false;
  const texts = question.kind === "near" ? question.forms : [question.prefix];
  return texts.some((text) => text.length > LONGEST_ASKED);
}

function keyOf(question: WordQuestion, fields: Fields): string {
  return joinKeys([JSON.stringify(question), ...(fields ?? [])]);
}

/** The key of a query term in some fields. */
export function termKey({ alternatives }: QueryTerm, fields: Fields): string {
  return JSON.stringify([alternatives.map(({ terms, notIn }) => [terms, notIn && [...notIn]]), fields ?? null]);
}

/** The key of several terms together. */
export function togetherKey(terms: readonly QueryTerm[], fields: Fields): string {
  return JSON.stringify(terms.map((term) => termKey(term, fields)));
}

/** Answers by what the cluster answered. */
class WordsOfCluster implements WordSource {
  private readonly asked: AskedWords;
  private readonly ask: (question: WordQuestion) => WordAnswer;

  constructor(asked: AskedWords, ask: (question: WordQuestion) => WordAnswer) {
    this.asked = asked;
    this.ask = ask;
  }

  get docCount(): number {
    return this.asked.docCount;
  }

  private countOf(terms: readonly string[]): number {
    return this.ask({ kind: "count", terms }) as number;
  }

  private textsOf(question: WordQuestion): readonly string[] {
    return this.ask(question) as readonly string[];
  }

  has(term: string): Task<boolean> {
    return this.countOf([term]) > 0 ? HELD : NOT_HELD;
  }

  count(term: string, most: number): Task<number> {
    return endedTask(Math.min(most, this.countOf([term])));
  }

  countWritten(word: string, words: WordForms, most: number): Task<number> {
    let holders = 0;
    for (const form of [word, ...words.otherNumbers(word)]) {
      const stem = words.stem(form);
      for (const term of stem === form ? [form] : [markedWord(stem, form), form])
        holders = Math.max(holders, this.countOf([term]));
    }
    return endedTask(Math.min(most, holders));
  }

  cooccur(terms: readonly string[]): Task<boolean> {
    return endedTask(this.countOf([...new Set(terms)]) > 0);
  }

  foresee(terms: readonly string[]): void {
    for (const term of terms) this.countOf([term]);
    this.countOf([...new Set(terms)]);
  }

  /** A cluster is not asked for ends of words. */
  wordsTo(): Task<readonly string[]> {
    return endedTask([]);
  }

  wordsFrom(prefix: string, most: number): Task<readonly string[]> {
    const words = this.textsOf({ kind: "words", prefix });
    return endedTask(
      shortestFirst(words)
        .slice(0, most)
        .map((word) => this.termOf(word)),
    );
  }

  termsFrom(prefix: string, most: number): Task<readonly string[]> {
    return endedTask(shortestFirst(this.textsOf({ kind: "codes", prefix })).slice(0, most));
  }

  nearest(word: string, most: number, words: WordForms): Task<readonly string[]> {
    return endedTask(this.nearestForms(word, most, words, stemOf));
  }

  nearestWritten(word: string, most: number, words: WordForms): Task<readonly string[]> {
    return endedTask(this.nearestForms(word, most, words, writtenForm));
  }

  private nearestForms(word: string, most: number, words: WordForms, formOf: (term: string) => string): string[] {
    const near = this.near(word, words, most);
    const least = Math.min(most, ...near.map(({ distance }) => distance));
    const forms = near.flatMap(({ distance, term }) => (distance === least ? [formOf(term)] : []));
    return [...new Set(forms)].sort(byCodeUnit);
  }

  neighbours(word: string, words: WordForms): Task<readonly string[]> {
    const own = words.stem(word);
    const terms = this.near(word, words, 1)
      .map(({ term }) => term)
      .filter((term) => writtenForm(term)[0] === word[0] && stemOf(term) !== own);
    return endedTask([...new Set(terms)].sort(byCodeUnit));
  }

  /** The words of which a number is within so many edits of a word, as index terms. */
  private near(word: string, words: WordForms, most: number): { readonly term: string; readonly distance: number }[] {
    const matcher = new BoundedDistance(word, most);
    const forms = [word, ...words.otherNumbers(word)];
    const found: { term: string; distance: number }[] = [];
    for (const text of this.textsOf({ kind: "near", forms, edits: most })) {
      const isSure = !text.startsWith(PERHAPS);
      const other = isSure ? text : text.slice(PERHAPS.length);
      const distance = Math.min(...[other, ...words.otherNumbers(other)].map((form) => matcher.toText(form)));
      if (distance > most || (!isSure && this.countOf([this.termOf(other)]) === 0)) continue;
      found.push({ term: this.termOf(other), distance });
    }
    return found;
  }

  /** The index term of a word as it is written. */
  private termOf(word: string): string {
    const stem = this.asked.words.stem(word);
    return stem === word ? word : markedWord(stem, word);
  }
}

function shortestFirst(words: readonly string[]): string[] {
  return [...new Set(words)].sort((a, b) => a.length - b.length || byCodeUnit(a, b));
}
