// Quoted phrases and leading hyphens, taken out of the query by one pattern and looked for in every text of a record.

import { bigrams, codeForms, compoundForms } from "../../src/analysis/token-forms.js";
import type { WordForms } from "../../src/analysis/word-forms.js";
import type { Entry } from "./naive-record.js";
import { tokensOf, unsigned } from "./naive-terms.js";

const SYNTAX = /(?<!\S)-"([^"]*)"|"([^"]*)"|(?<!\S)-(\S+)/g;

/** Reads a query; without the syntax, quotes and hyphens are text. */
export function readPhrases(
  query: string,
  advanced: boolean,
  words: WordForms,
  isSearched: (name: string) => boolean,
): { readonly text: string; readonly passes: (entry: Entry) => boolean } {
  if (!advanced) return { text: query, passes: () => true };
  const wanted: string[] = [];
  const excluded: string[] = [];
  const text = query
    .replace(/[“”„]/g, '"')
    .replace(SYNTAX, (_, unwantedPhrase?: string, phrase?: string, unwanted?: string) => {
      if (phrase !== undefined) wanted.push(phrase);
      else excluded.push(unwantedPhrase ?? unwanted!);
      return phrase === undefined ? " " : ` ${phrase} `;
    });
  const holds = ({ fields }: Entry, run: readonly string[]): boolean => {
    const searched = [...fields].filter(([name]) => isSearched(name)).map(([, field]) => field);
    if (!run.every((term) => searched.some(({ counts }) => counts.has(term)))) return false;
    const runs = searched.flatMap((field) => [...field.texts, ...field.codes]).map((each) => runOf(each, words));
    return run.length === 1 || runs.some((whole) => placesOf(run, whole).length > 0);
  };
  const [all, none] = [wanted, excluded].map((phrases) =>
    phrases.map((phrase) => runOf(phrase, words)).filter((run) => run.length > 0),
  ) as [string[][], string[][]];
  return { text, passes: (entry) => all.every((run) => holds(entry, run)) && !none.some((run) => holds(entry, run)) };
}

/** Words by their stems, compounds by their parts, codes whole, what has no blanks by its pairs. */
export function runOf(phrase: string, { stem }: WordForms): string[] {
  return tokensOf(phrase).flatMap(([kind, token]) => {
    if (kind === "number") return [token];
    if (kind === "code") return [codeForms(token).whole];
    if (kind === "signed") return [unsigned(token).signed];
    if (kind !== "unspaced") return compoundForms(token).parts.map((part) => stem(part));
    const { characters, pairs } = bigrams(token);
    return [...(pairs.length > 0 ? pairs : characters)];
  });
}

/** Where words stand one after the other among others. */
export function placesOf(run: readonly string[], whole: readonly string[]): number[] {
  return [...whole.keys()].filter((at) => run.every((word, i) => whole[at + i] === word));
}
