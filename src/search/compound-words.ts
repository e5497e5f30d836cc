// Words that are joined to longer ones, as in German. A word of a query also finds longer words that end with it, "Akkuschrauber" for
// "schrauber", where the front is a word too, or at least looks like one. What a query joins is also found apart, and, where nothing else
// is found, by its end alone. The words of the index are the dictionary.

import type { TermAlternative } from "../analysis/query-term.js";
import { stemOf, writtenForm } from "../analysis/term-marks.js";
import type { WordForms } from "../analysis/word-forms.js";
import type { WordSource } from "../inverted/text-corpus.js";
import type { Task } from "../util/tasks.js";

/** Where the front is a word; where it only looks like one; the parts apart; the end alone. */
const END_WEIGHT = 0.6;
const LOOSE_WEIGHT = 0.3;
const APART_WEIGHT = 0.5;
const TAIL_WEIGHT = 0.4;
/** Longer words that end with a word, at most. */
const MOST_ENDS = 400;
const SHORTEST_FRONT = 3;
/** Shorter words need a front that is a word. */
const SHORTEST_LOOSE = 4;
const LONGEST = 32;
const PAUSE_EVERY = 32;
const VOWEL = /[aeiouy]/;
const CONSONANT = /[^aeiouy]/;

/** Longer words that end with one: those whose front is a word, and those whose front only looks like one. */
export interface CompoundEnds {
  readonly strict: readonly TermAlternative[];
  readonly loose: readonly TermAlternative[];
}

/** What finds compounds by the words of an index. */
export class CompoundWords {
  private readonly words: WordForms;
  private readonly vocabulary: WordSource;
  private readonly links: readonly string[];
  private readonly leastEnd: number;
  private readonly noFront: RegExp;

  private constructor(words: WordForms, vocabulary: WordSource, compounds: NonNullable<WordForms["compounds"]>) {
    this.words = words;
    this.vocabulary = vocabulary;
    this.links = compounds.links.split(" ").map((link) => (link === "-" ? "" : link));
    this.leastEnd = compounds.leastEnd;
    this.noFront = compounds.noFront;
  }

  /** null: the language joins no words. */
  static of(words: WordForms, vocabulary: WordSource): CompoundWords | null {
    return words.compounds === null ? null : new CompoundWords(words, vocabulary, words.compounds);
  }

  /** Longer words that end with a word, or whose stems end with its stem. */
  *ending(word: string): Task<CompoundEnds> {
    const end = this.words.stem(word);
    if (end.length < this.leastEnd) return { strict: [], loose: [] };
    const weights = new Map<string, number>();
    for (const [i, term] of (yield* this.vocabulary.wordsTo(word, end, MOST_ENDS)).entries()) {
      if ((i + 1) % PAUSE_EVERY === 0) yield;
      const stem = stemOf(term);
      const written = writtenForm(term);
      const front = written.endsWith(word) ? written.slice(0, -word.length) : stem.slice(0, -end.length);
      if (stem === end || weights.get(stem) === END_WEIGHT) continue;
      if (yield* this.isFront(front)) weights.set(stem, END_WEIGHT);
      else if (word.length >= SHORTEST_LOOSE && this.looksLikeFront(front, word)) weights.set(stem, LOOSE_WEIGHT);
    }
    const of = (wanted: number): TermAlternative[] =>
      [...weights].flatMap(([stem, weight]) => (weight === wanted ? [{ terms: [stem], weight, distance: 1 }] : []));
    return { strict: of(END_WEIGHT), loose: of(LOOSE_WEIGHT) };
  }

  /** The parts of a word, where one record has both: "Fahrrad für Kinder" for "kinderfahrrad". */
  *apart(word: string): Task<TermAlternative[]> {
    const found: TermAlternative[] = [];
    for (const [front, tail] of this.cuts(word)) {
      const last = this.words.stem(tail);
      if (!(yield* this.isTail(tail, last))) continue;
      for (const bare of this.bares(front)) {
        const first = this.words.stem(bare);
        if (first === last || !(yield* this.vocabulary.has(first))) continue;
        if (yield* this.vocabulary.cooccur([first, last]))
          found.push({ terms: [first, last], weight: APART_WEIGHT, distance: 1 });
      }
    }
    return found;
  }

  /** The end of a word, the longest that is a word: for words that nothing else stands for. */
  *tail(word: string): Task<TermAlternative[]> {
    for (const [front, tail] of this.cuts(word)) {
      const stem = this.words.stem(tail);
      if (!(yield* this.isTail(tail, stem))) continue;
      const isLoose = tail.length >= SHORTEST_LOOSE && this.looksLikeFront(front, tail);
      if (isLoose || (yield* this.isFront(front))) return [{ terms: [stem], weight: TAIL_WEIGHT, distance: 1 }];
    }
    return [];
  }

  /** The ways to cut a word in two, the longest end first. */
  private cuts(word: string): (readonly [front: string, tail: string])[] {
    const cuts: [string, string][] = [];
    if (word.length > LONGEST) return cuts;
    for (let at = SHORTEST_FRONT; at <= word.length - this.leastEnd; at++)
      cuts.push([word.slice(0, at), word.slice(at)]);
    return cuts;
  }

  private *isTail(tail: string, stem: string): Task<boolean> {
    return !this.words.smallWords.has(tail) && (yield* this.vocabulary.has(stem));
  }

  /** A front without the sounds that may join it. */
  private bares(front: string): string[] {
    return this.links
      .filter((link) => front.endsWith(link))
      .map((link) => front.slice(0, front.length - link.length))
      .filter((bare) => bare.length >= SHORTEST_FRONT && !this.words.smallWords.has(bare));
  }

  /** Whether a front is a word of the index, perhaps with a linking sound, or two of them. */
  private *isFront(front: string): Task<boolean> {
    if (yield* this.isWord(front)) return true;
    for (let at = SHORTEST_FRONT; at <= front.length - SHORTEST_FRONT; at++)
      if ((yield* this.isWord(front.slice(at))) && (yield* this.isWord(front.slice(0, at)))) return true;
    return false;
  }

  private *isWord(front: string): Task<boolean> {
    for (const bare of this.bares(front)) if (yield* this.vocabulary.has(this.words.stem(bare))) return true;
    return false;
  }

  private looksLikeFront(front: string, end: string): boolean {
    return (
      front.length >= SHORTEST_FRONT &&
      VOWEL.test(front) &&
      CONSONANT.test(front) &&
      !this.noFront.test(front) &&
      !(front.at(-1) === end[0] && front.at(-2) === end[0])
    );
  }
}
