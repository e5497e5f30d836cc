// What the living records hold, looked for in every one of them: terms, words as they were written, whole identifiers.

import { PLAIN_WORDS, type WordForms } from "../../src/analysis/word-forms.js";
import { type Entry, type Field, stemOfWritten, writtenAs } from "./naive-record.js";

const MOST_COMPLETIONS = 100;

export class NaiveVocabulary {
  private readonly fields: readonly (readonly Field[])[];
  private readonly tolerant: readonly (readonly Field[])[];
  private written: ReadonlyMap<string, Set<string>> | undefined;

  /** `isSearched` and `isExact` by the names of fields; in exact ones nothing is mended. */
  constructor(
    entries: Iterable<Entry>,
    isSearched: (name: string) => boolean,
    isExact: (name: string) => boolean = () => false,
  ) {
    const searched = [...entries].map(({ fields }) => [...fields].filter(([name]) => isSearched(name)));
    this.fields = searched.map((fields) => fields.map(([, field]) => field));
    this.tolerant = searched.map((fields) => fields.filter(([name]) => !isExact(name)).map(([, field]) => field));
  }

  holds(terms: readonly string[]): boolean {
    return this.fields.some((fields) => terms.every((term) => fields.some(({ counts }) => counts.has(term))));
  }

  get size(): number {
    return this.fields.length;
  }

  count(term: string): number {
    return this.fields.filter((fields) => fields.some(({ counts }) => counts.has(term))).length;
  }

  /** How many records hold a word as it was written, or in its other number, if those are more. */
  countWritten(word: string, words: WordForms): number {
    const forms = [word, ...(words.id === PLAIN_WORDS.id ? [] : numbersOf(word))];
    const terms = forms.flatMap((form) => [writtenAs(form, words.stem(form)), form]);
    return Math.max(...terms.map((term) => this.count(term)));
  }

  /** The words one error away that begin with the same letter and have another stem, with their stems. */
  neighbours(word: string, words: WordForms): (readonly [word: string, stem: string])[] {
    const written = writtenIn(this.tolerant);
    const hasNumbers = words.id !== PLAIN_WORDS.id;
    return [...written.keys()]
      .filter((other) => other[0] === word[0])
      .filter((other) => [other, ...(hasNumbers ? numbersOf(other) : [])].some((form) => distanceOf(word, form) <= 1))
      .flatMap((other) => [...written.get(other)!].map((term) => [other, stemOfWritten(term)] as const))
      .filter(([, stem]) => stem !== words.stem(word));
  }

  /** The terms of the words that begin so: of the first hundred words, the shortest first. */
  wordsFrom(prefix: string): string[] {
    this.written ??= writtenIn(this.fields);
    const words = this.written;
    const found = [...words.keys()].filter((word) => word.startsWith(prefix)).sort(shortestFirst);
    return found.slice(0, MOST_COMPLETIONS).flatMap((word) => [...words.get(word)!]);
  }

  /** The whole identifiers that begin so: the first hundred, the shortest first. */
  identifiersFrom(prefix: string): string[] {
    const all = this.fields.flatMap((fields) => fields.flatMap(({ exactCodes }) => [...exactCodes]));
    const found = [...new Set(all)].filter((code) => code.startsWith(prefix)).sort(shortestFirst);
    return found.slice(0, MOST_COMPLETIONS);
  }

  termsFrom(prefix: string): string[] {
    const all = new Set(this.fields.flatMap((fields) => fields.flatMap(({ counts }) => [...counts.keys()])));
    return [...all].filter((term) => term.startsWith(prefix)).sort(shortestFirst);
  }

  /** The stems of the words nearest to this one, in whatever number, if they are near enough. */
  nearest(word: string, most: number, hasNumbers: boolean): string[] {
    const words = writtenIn(this.tolerant);
    const near = [...words.keys()].map((other) => {
      const forms = [other, ...(hasNumbers ? numbersOf(other) : [])];
      const fitting = forms.filter((form) => Math.abs(form.length - word.length) <= most);
      return { other, distance: Math.min(most + 1, ...fitting.map((form) => distanceOf(word, form))) };
    });
    const least = Math.min(most, ...near.map(({ distance }) => distance));
    const stems = near
      .filter(({ distance }) => distance === least)
      .flatMap(({ other }) => [...words.get(other)!].map(stemOfWritten));
    return [...new Set(stems)];
  }
}

function writtenIn(records: readonly (readonly Field[])[]): Map<string, Set<string>> {
  const words = new Map<string, Set<string>>();
  for (const { written } of records.flat())
    for (const [word, terms] of written) {
      const known = words.get(word) ?? new Set();
      for (const term of terms) known.add(term);
      words.set(word, known);
    }
  return words;
}

/** A word of four letters or more in its other number, by rule. */
export function numbersOf(word: string): string[] {
  const rules: readonly (readonly [RegExp, ...(readonly string[])])[] = [
    [/^(.*)(?<=ss|us|is|x|z|ch|sh)$/, "$1es"],
    [/^(.*o)$/, "$1s", "$1es"],
    [/^(.*)ies$/, "$1ie", "$1y"],
    [/^(.*(?:ss|us|is|x|z|ch|sh|o))es$/, "$1e", "$1"],
    [/^(.*)s$/, "$1"],
    [/^(.*[^aeiou])y$/, "$1ys", "$1ies"],
    [/^(.*)$/, "$1s"],
  ];
  const [pattern, ...forms] = rules.find(([known]) => known.test(word))!;
  const numbers = forms.map((form) => word.replace(pattern, form));
  return word.length < 4 ? [] : numbers.filter((number) => number.length >= 4);
}

function shortestFirst(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : 1);
}

/** Insertions, deletions, changes and swaps of neighbours that lead from one word to the other, none within another. */
export function distanceOf(a: string, b: string): number {
  const table: number[][] = [];
  for (let i = 0; i <= a.length; i++) {
    table.push([i]);
    for (let j = 1; j <= b.length; j++) {
      const [above, own] = [table[i - 1] ?? [], table[i]!];
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      const ways = [
        own[j - 1]! + 1,
        above[j]! + 1,
        above[j - 1]! + change,
        isSwap ? table[i - 2]![j - 2]! + 1 : Infinity,
      ];
      own.push(i === 0 ? j : Math.min(...ways));
    }
  }
  return table[a.length]![b.length]!;
}
