// A query term: alternatives of index terms. A record contains the term if it contains one alternative. Expansion (corrections,
// completions, synonyms) adds alternatives.

import { joinKeys } from "../util/json.js";
import { codeInPieces } from "./neighbour-pairs.js";
import { SIGNED_MARK } from "./scan-tokens.js";
import { apostropheParts, cleanWord, codeForms, compoundForms, ownedForm } from "./token-forms.js";
import type { WordForms } from "./word-forms.js";

/** Index terms that a record must all contain. */
export interface TermAlternative {
  readonly terms: readonly string[];
  /** A factor on the frequency, in (0, 1]: 1 for the term itself, less for looser forms. */
  readonly weight: number;
  /** Fields in which the alternative does not count. */
  readonly notIn?: ReadonlySet<string>;
  /** How far it is from what was typed, 0 … 1, for titles; absent: as far as the form of the word in the title. */
  readonly distance?: number;
  /** False: a title that has it does not name what was typed. */
  readonly isHead?: boolean;
  /** The end of a longer word, as it was typed; highlights mark it alone. */
  readonly end?: string;
  /** True: parts of a joined word, which highlights mark each where it is. */
  readonly apart?: true;
}

/** A term of a query. */
export interface QueryTerm {
  /** The normalised term; tokens with equal keys are one term. */
  readonly key: string;
  /** The typed word, if the term is a word. */
  readonly word?: string;
  /** Never empty. */
  readonly alternatives: readonly TermAlternative[];
  /** True: a record without it can still match "all terms". */
  readonly optional?: boolean;
  /** True: an out-of-vocabulary word with an embedding, so vector similarity gets more weight. */
  readonly knownToEmbedder?: boolean;
  /** True: no record holds the word, only a part of it, or words that share one. */
  readonly byPart?: boolean;
}

/** Begins the keys of alternatives that are not one plain index term. */
const JOINED = "\0";

/** A key that is equal for alternatives that match the same records and score the same. A single plain index term is its own key. */
export function alternativesKey(alternatives: readonly TermAlternative[]): string {
  const [{ terms, weight, notIn }] = alternatives as readonly [TermAlternative];
  const isPlain = alternatives.length === 1 && terms.length === 1 && weight === 1 && (notIn?.size ?? 0) === 0;
  if (isPlain && !terms[0]!.startsWith(JOINED)) return terms[0]!;
  let key = JOINED;
  for (const one of alternatives) {
    key += `${one.weight}:${one.terms.length}:${joinKeys(one.terms)}`;
    if (one.notIn !== undefined) key += joinKeys([...one.notIn]);
    key += ";";
  }
  return key;
}

/** The weight of a term without the + or # after it, or with others, relative to the term as typed. */
export const UNSIGNED_WEIGHT = 0.5;
/** The weight of a code's parts that need not stand side by side, relative to the whole code. */
export const PARTS_WEIGHT = 0.5;
/** The weight of another spelling of what was typed. */
export const SPELLING_WEIGHT = 0.8;

/** A query term with one index term. */
export function plainTerm(term: string): QueryTerm {
  return { key: term, alternatives: [{ terms: [term], weight: 1 }] };
}

const THOUSANDS = /^([1-9][0-9]{0,2})(000)$/;

/** A number; a few thousand may be written with a blank: "1 000"; a small one in words. */
export function numberTerm(number: string, words: WordForms): QueryTerm {
  const term = plainTerm(number);
  const [, ...groups] = THOUSANDS.exec(number) ?? [];
  const word = words.hasHeads ? words.units.numbers[Number(number) - 1]?.[0] : undefined;
  const spelled: TermAlternative[] = [];
  if (groups.length > 0) spelled.push({ terms: groups, weight: SPELLING_WEIGHT });
  if (word !== undefined) spelled.push({ terms: [words.stem(word)], weight: SPELLING_WEIGHT, distance: 0 });
  return spelled.length === 0 ? term : { ...term, alternatives: [...term.alternatives, ...spelled] };
}

/** A word: its stem, or the word itself, because parts of codes and identifiers are not stemmed. */
export function wordTerm(word: string, words: WordForms): QueryTerm {
  const stem = words.stem(word);
  const alternatives: TermAlternative[] = [{ terms: [stem], weight: 1 }];
  if (stem !== word) alternatives.push({ terms: [word], weight: 1 });
  const number = words.hasHeads ? words.units.numbers.findIndex((forms) => forms.includes(word)) + 1 : 0;
  if (number > 0) alternatives.push({ terms: [String(number)], weight: SPELLING_WEIGHT, distance: 0 });
  return { key: stem, alternatives };
}

/** A word with apostrophes: as one word, with the s of its owner, or in parts. */
export function apostropheTerm(token: string, words: WordForms): QueryTerm {
  const { key, alternatives } = wordTerm(cleanWord(token), words);
  const owned = ownedForm(token);
  const parts = apostropheParts(token);
  const others = [...(owned === undefined ? [] : [[words.stem(owned)]]), ...partsWithAnd(parts, words)];
  return { key, alternatives: withForms(alternatives, others) };
}

/** A compound: its joined form or all its parts, stemmed or not. */
export function compoundTerm(token: string, words: WordForms): QueryTerm {
  const { joined, owned, parts } = compoundForms(token);
  if (parts.length < 2) return wordTerm(joined, words);
  const [stems, ...withoutAnd] = partsWithAnd(parts, words);
  // The unstemmed forms are for identifiers.
  const forms = [[words.stem(joined)], stems!, [joined], [...new Set(parts)], ...withoutAnd];
  if (owned !== undefined) forms.push([words.stem(owned)]);
  return { key: `${words.stem(joined)}~${stems!.join(" ")}`, alternatives: withForms([], forms) };
}

/** The stems of parts; if an n between them stands for "and", also without it. */
function partsWithAnd(parts: readonly string[], words: WordForms): (readonly string[])[] {
  if (parts.length === 0) return [];
  const kept = parts.filter((part, i) => part !== "n" || i === 0 || i === parts.length - 1);
  return [parts, kept].map((some) => [...new Set(some.map((part) => words.stem(part)))]);
}

/** Alternatives with further ones, each once. */
function withForms(
  alternatives: readonly TermAlternative[],
  forms: readonly (readonly string[])[],
): readonly TermAlternative[] {
  const all = [...alternatives];
  for (const terms of forms)
    if (!all.some((known) => known.terms.join(" ") === terms.join(" "))) all.push({ terms, weight: 1 });
  return all;
}

/** A code: the whole code, or its parts side by side; those that are no pairs only together. */
export function codeTerm(token: string, words: WordForms): QueryTerm {
  const { whole, digits, parts } = codeForms(token);
  const alternatives: TermAlternative[] = [{ terms: [whole], weight: 1 }];
  if (digits !== undefined) alternatives.push({ terms: [digits], weight: 1 });
  if (parts.every((part) => part === whole)) return { key: whole, alternatives };
  for (const { terms, hasPairs } of codeInPieces(parts, words)) {
    const form = hasPairs ? { weight: SPELLING_WEIGHT, distance: 0 } : { weight: PARTS_WEIGHT };
    alternatives.push({ terms, ...form });
    const stems = [...new Set(terms.map((term) => words.stem(term)))];
    if (stems.join() !== terms.join()) alternatives.push({ terms: stems, ...form });
  }
  return { key: whole, alternatives };
}

/** A term with + or # after it; else what is before them, alone or with other signs. */
export function signedTerm(whole: string, base: QueryTerm): QueryTerm {
  const without = base.alternatives.map(({ terms, weight }) => ({ terms, weight: weight * UNSIGNED_WEIGHT }));
  return { key: whole, alternatives: [{ terms: [whole], weight: 1 }, ...without, otherSigns(base)] };
}

/** The alternative of a term that had signs after it in a record. */
export function otherSigns({ alternatives }: QueryTerm): TermAlternative {
  return { terms: [SIGNED_MARK + alternatives[0]!.terms[0]!], weight: UNSIGNED_WEIGHT };
}
