// What titles add to scores, by the definitions of docs/scoring.md: every title read part by part, every word compared with
// every word of the query.

import { normalizeText } from "../../src/analysis/normalize-text.js";
import { differInNumberOnly } from "../../src/analysis/plurals.js";
import { quantitiesIn } from "../../src/analysis/quantities.js";
import { scanTokens } from "../../src/analysis/scan-tokens.js";
import { bigrams, cleanWord, codeForms, compoundForms, stripSeparators } from "../../src/analysis/token-forms.js";
import type { WordForms } from "../../src/analysis/word-forms.js";
import { type Alternative, type Asked, indexTerms, type Token } from "./naive-terms.js";

/** What stands at one place of a title. */
export interface Part {
  /** Every index term that it is found under. */
  readonly terms: ReadonlySet<string>;
  /** The word as it was written; undefined: a number, a code, or within a quantity. */
  readonly word: string | undefined;
  /** The terms that the word alone is found under. */
  readonly own: readonly string[];
  /** Each of the terms, with the forms it was written in. */
  readonly written: readonly Written[];
}

type Written = readonly [term: string, form: string];

/** A title as the naive engine keeps it. */
export interface Title {
  readonly field: string;
  readonly parts: readonly Part[];
}

/** A term of the query, and which records hold it anywhere. */
export interface HeldTerm extends Asked {
  readonly holders: ReadonlyMap<string, number>;
}

/** A record with its title. */
export interface Titled {
  readonly id: string;
  readonly title: Title | undefined;
}

/** How the titles are asked. */
export interface TitleRules {
  readonly entries: readonly Titled[];
  readonly isSearched: (field: string) => boolean;
  /** Fields without tolerance for typing errors. */
  readonly isExact: (field: string) => boolean;
  /** The cosine of two words; undefined: nothing is known of words. */
  readonly nearness: ((word: string, other: string) => number) | undefined;
}

/** What a title adds, and what all is divided by. */
export interface TitlePoints {
  readonly divisor: number;
  readonly of: (id: string) => number;
}

const MOST_PARTS = 80;
const TURNS = ["for", "compatible", "suitable", "fit", "fits"];

/** The parts of a title; `writtenAs`: the term of a word as it was written. */
export function readTitle(
  text: string,
  words: WordForms,
  writtenAs: (word: string, stem: string) => string,
): readonly Part[] {
  const normal = normalizeText(text);
  const quantities = quantitiesIn(normal);
  const parts: Part[] = [];
  scanTokens(normal, (kind, start, end) => {
    const inside = quantities.filter((quantity) => quantity.start < end && quantity.end > start);
    const units = inside.map(({ term }) => term);
    const written = (word: string): string[] => [words.stem(word), writtenAs(word, words.stem(word))];
    for (const { main, own, others, forms } of placesOf([kind, normal.slice(start, end)], words, written)) {
      const word = units.length > 0 || /[0-9]|[+#]$/.test(main) ? undefined : main;
      const terms = new Set([...units, ...own, ...others]);
      const asForms = forms.flatMap((form) => written(form).map((term): Written => [term, form]));
      const asThemselves = [...terms].filter((term) => !asForms.some(([known]) => known === term));
      const whole = kind === "code" ? [...terms] : asThemselves;
      parts.push({ terms, word, own, written: [...asForms, ...whole.map((term): Written => [term, term])] });
    }
  });
  return parts.slice(0, MOST_PARTS);
}

interface Place {
  readonly main: string;
  /** The terms of the main thing there, and of what stands there besides. */
  readonly own: readonly string[];
  readonly others: readonly string[];
  /** The words that were written there. */
  readonly forms: readonly string[];
}

function placesOf(token: Token, words: WordForms, written: (word: string) => string[]): Place[] {
  const [kind, text] = token;
  const placed = (
    main: string,
    own: readonly string[],
    others: readonly string[] = [],
    forms: readonly string[] = [],
  ): Place => ({ main, own, others, forms });
  if (kind === "word") {
    const word = cleanWord(text);
    return word === "" ? [] : [placed(word, written(word), [], [word])];
  }
  if (kind === "compound") {
    const { joined, parts } = compoundForms(text);
    const joins = [...(parts.length > 1 ? [joined] : []), ...(text.includes("'s") ? [stripSeparators(text)] : [])];
    const beside = (i: number): string[] => (i === 0 ? joins : []);
    return parts.map((part, i) => placed(part, written(part), beside(i).flatMap(written), [part, ...beside(i)]));
  }
  if (kind === "unspaced") {
    const { characters, pairs } = bigrams(text);
    return characters.map((one, i) => placed(pairs[i] ?? one, [pairs[i] ?? one], [one]));
  }
  const indexed = indexTerms(token, words);
  const whole = kind === "code" ? codeForms(text).whole : text;
  const forms = indexed.written.map(([word]) => word);
  return [placed(whole, [whole], [...indexed.terms, ...forms.flatMap(written)], forms)];
}

/** The rules, and how many titles hold each word. */
interface CountedRules extends TitleRules {
  readonly titlesWith: ReadonlyMap<string, number>;
}

/** What each title adds to a score. */
export function askTitles(terms: readonly HeldTerm[], given: TitleRules): TitlePoints | undefined {
  if (terms.length === 0) return undefined;
  const titlesWith = new Map<string, number>();
  for (const { title } of given.entries)
    for (const word of new Set(wordsOf(title))) titlesWith.set(word, (titlesWith.get(word) ?? 0) + 1);
  const rules: CountedRules = { ...given, titlesWith };
  const titles = new Map(rules.entries.map(({ id, title }) => [id, title]));
  const titleOf = (id: string): Title | undefined => {
    const title = titles.get(id);
    return title !== undefined && rules.isSearched(title.field) ? title : undefined;
  };
  if (rules.nearness === undefined)
    return {
      divisor: 1.1,
      of: (id) =>
        0.075 * heldShare(id, terms, rules) +
        0.025 * adjacency(titleOf(id), terms, rules) -
        0.12 * otherForm(titleOf(id), terms, rules),
    };
  const many = Math.min(1, 4 / terms.length);
  return {
    divisor: 1.15,
    of: (id) =>
      0.1 * many * coverage(id, titleOf(id), terms, rules) +
      0.025 * focus(titleOf(id), terms, rules) +
      0.025 * adjacency(titleOf(id), terms, rules) -
      0.12 * otherForm(titleOf(id), terms, rules),
  };
}

function idfOf(df: number, { entries }: TitleRules): number {
  return Math.log(1 + (entries.length - df + 0.5) / (df + 0.5));
}

function heldShare(id: string, terms: readonly HeldTerm[], rules: TitleRules): number {
  const known = terms.filter(({ holders }) => holders.size > 0);
  const idfs = known.map(({ holders }) => idfOf(holders.size, rules));
  const held = idfs.filter((_, i) => known[i]!.holders.has(id));
  return known.length === 0 ? 0 : sum(held) / sum(idfs);
}

function coverage(id: string, title: Title | undefined, terms: readonly HeldTerm[], rules: TitleRules): number {
  const roots = terms.map(({ holders }) =>
    Math.sqrt(holders.size === 0 ? Math.log(1 + rules.entries.length) : idfOf(holders.size, rules)),
  );
  const held = terms.map((term) => {
    if (title !== undefined && holding(title, term, rules).length > 0) return 1;
    const near = Math.max(0, ...wordsOf(title).map((word) => nearnessOf(word, term, rules)));
    return Math.max(term.holders.has(id) ? 0.8 : 0, near >= 0.3 ? near : 0);
  });
  return sum(roots.map((root, i) => root * held[i]!)) / sum(roots);
}

function focus(title: Title | undefined, terms: readonly HeldTerm[], rules: CountedRules): number {
  const turn = title?.parts.findIndex(({ word }, i) => i > 0 && word !== undefined && TURNS.includes(word)) ?? -1;
  const parts = (turn < 0 ? title?.parts : title?.parts.slice(0, turn))?.filter(({ word }) => word !== undefined) ?? [];
  if (parts.length === 0) return 0;
  const asked = terms.flatMap(({ alternatives }) => alternatives).filter(countsIn(title!, rules));
  const rarities = parts.map(({ word }) => idfOf(rules.titlesWith.get(word!)!, rules));
  const about = parts.map(({ own, word }) => {
    if (asked.some((alternative) => alternative.terms.some((term) => own.includes(term)))) return 1;
    return Math.max(0, ...terms.map((term) => nearnessOf(word!, term, rules)));
  });
  return sum(rarities.map((rarity, i) => rarity * about[i]!)) / sum(rarities);
}

function adjacency(title: Title | undefined, terms: readonly HeldTerm[], rules: TitleRules): number {
  const pairs = terms.slice(1).map((next, i) => {
    const [one, other] = [terms[i]!, next];
    const isHeld = one.holders.size > 0 && other.holders.size > 0;
    const weight = isHeld ? Math.min(idfOf(one.holders.size, rules), idfOf(other.holders.size, rules)) : 0;
    const after = title === undefined ? [] : placesWhere(title, other, rules);
    const together = title !== undefined && placesWhere(title, one, rules).some((place) => after.includes(place + 1));
    return { weight, together };
  });
  const all = sum(pairs.map(({ weight }) => weight));
  return all === 0 ? 0 : sum(pairs.map(({ weight, together }) => (together ? weight : 0))) / all;
}

/** How much of the query the title has only in other forms than the typed ones. */
function otherForm(title: Title | undefined, terms: readonly HeldTerm[], rules: TitleRules): number {
  if (title === undefined) return 0;
  const strangeness = terms.map((term) => {
    const forms = holding(title, term, rules).map((alternative) => strangenessOf(alternative, term, title));
    return forms.length === 0 ? 0 : Math.min(...forms);
  });
  return sum(strangeness) / terms.length;
}

/** 0: as typed; .2: in its other number; 1: in another form. */
function strangenessOf({ terms, strange }: Alternative, { kind, text }: Asked, { parts }: Title): number {
  if (strange !== undefined) return strange;
  if (new Set(terms).size > 1 || kind !== "word") return 0;
  const written = parts.flatMap((part) => part.written.filter(([term]) => term === terms[0]).map(([, form]) => form));
  return Math.min(...written.map((form) => (form === text ? 0 : differInNumberOnly(form, text) ? 0.2 : 1)));
}

/** The alternatives of a term that a title holds. */
function holding(title: Title, { alternatives }: Asked, rules: TitleRules): Alternative[] {
  const own = new Set(title.parts.flatMap(({ terms }) => [...terms]));
  return alternatives.filter(countsIn(title, rules)).filter(({ terms }) => terms.every((term) => own.has(term)));
}

function placesWhere(title: Title, term: Asked, rules: TitleRules): number[] {
  const held = holding(title, term, rules).flatMap(({ terms }) => terms);
  return [...title.parts.keys()].filter((place) => held.some((one) => title.parts[place]!.terms.has(one)));
}

function countsIn(title: Title, { isExact }: TitleRules): (alternative: Alternative) => boolean {
  return ({ mended }) => mended !== true || !isExact(title.field);
}

function wordsOf(title: Title | undefined): string[] {
  return title?.parts.flatMap(({ word }) => word ?? []) ?? [];
}

/** In whole 256ths. */
function nearnessOf(word: string, { kind, text }: Asked, { nearness }: TitleRules): number {
  return kind === "word" ? Math.min(1, Math.max(0, Math.round(nearness!(text, word) * 256) / 256)) : 0;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
