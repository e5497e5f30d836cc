// What stands for a word that records may not hold as it was typed: corrections, halves, completions. What is near to a word is looked up in
// the vocabulary; all that decides is here.
//
// A word that no record holds is corrected unless the embedder knows it: then only where the query finds nothing near, or where a far more
// frequent word stands beside all the others. One that few records hold finds more frequent words too, with less weight.
//
// What may not be typed to its end is completed: the last word of a query, a number or a code. What begins with a token counts less than the
// token, where some record has that.

import { identifierTerm } from "../../analysis/identifier-terms.js";
import type { QueryToken } from "../../analysis/parse-query.js";
import { type QueryTerm, SPELLING_WEIGHT, type TermAlternative } from "../../analysis/query-term.js";
import { PAIR_MARK, stemOf, writtenForm } from "../../analysis/scan-tokens.js";
import { isSynonym, type SynonymTable } from "../../analysis/synonyms.js";
import { codeForms, compoundForms, stripSeparators } from "../../analysis/token-forms.js";
import type { WordForms } from "../../analysis/word-forms.js";
import { HELD, type Vocabulary } from "../../inverted/vocabulary.js";
import type { Analyzer } from "../../util/extension-points.js";
import type { Task } from "../../util/tasks.js";

/** Which words are known besides those of the records. */
export interface ExtraWords {
  /** Whether the embedder knows a word and vectors are searched: such a word is neither a typo nor a prefix. */
  readonly isKnownToEmbedder: (word: string) => boolean;
  /** Whether the embedder knows a word; null: it was not asked for the query, or does not say which words it knows. */
  readonly isWord: ((word: string) => boolean) | null;
  /** Whether the word table of the language has a word; it may be a part of a compound. */
  readonly isInDictionary: (word: string) => boolean;
}

/** What rewriting a query depends on. */
export interface RewriteRules extends ExtraWords {
  readonly words: WordForms | Analyzer;
  readonly synonyms: SynonymTable;
  readonly vocabulary: Vocabulary;
  readonly queryType: "prefixAuto" | "prefixLast" | "prefixAll" | "prefixNone";
  readonly typoTolerance: boolean;
  /** Keys of words whose typos are not corrected. */
  readonly exactWords: ReadonlySet<string>;
  /** Fields in which corrected words do not count. */
  readonly exactFields: ReadonlySet<string>;
  /** Keys of words that a hit need not have. */
  readonly optionalWords: ReadonlySet<string>;
  /** The maximum number of distinct terms. */
  readonly maxTerms: number;
  /** Whether words that the embedder knows are corrected too: the query finds nothing near. */
  readonly correctsKnown: boolean;
}

/** The same, where words have stems; a user's analyzer has none. */
export type StemmedRules = RewriteRules & { readonly words: WordForms };

/** The same, with what expanding the tokens of one query may still spend. */
export interface ExpansionRules extends StemmedRules {
  /** The sounds that may stand between joined words, "" for none; empty: the language joins no words. */
  readonly links: readonly string[];
  /** How often the whole vocabulary may still be searched, and how many completions taken. */
  readonly left: { corrections: number; completions: number };
}

/** A token and its place in the query. */
export type PlacedToken = QueryToken & { readonly at: number };

/** Longer words are neither joined nor split, because each place takes two stems. */
export const LONGEST_COMPOUND = 32;

/** Whether a live record holds one of the term's alternatives. */
export function* isIndexed({ alternatives }: Pick<QueryTerm, "alternatives">, vocabulary: Vocabulary): Task<boolean> {
  for (const { terms } of alternatives)
    if (yield* terms.length === 1 ? vocabulary.has(terms[0]!) : vocabulary.cooccur(terms)) return true;
  return false;
}

/** One error from so many letters on, and two. */
export const SHORTEST_CORRECTED = 4;
const TWO_TYPOS = 8;
/** The maximum number of words of a query that are compared with the vocabulary: each takes a pass over it. */
export const MAX_CORRECTED = 16;
/** The weight of the other spellings of a rare word. */
const RARE_WORD_WEIGHT = 0.5;
/** A word is rare if one of so many records has it, or a single one. */
const RARE = 1000;
/** A frequent word is one that so many records have; beside a word that the embedder knows, also one of so many. */
const MORE_FREQUENT = 10;
const FREQUENT = 100;
/** The least length of the shorter half of a word, from the first up to the second. */
const SHORT_HALVES: HalfLengths = [2, 3];
const LONG_HALVES: HalfLengths = [3, LONGEST_COMPOUND];
const DECIMAL = /^[0-9]+[.,][0-9]+$/;

type HalfLengths = readonly [least: number, above: number];

/** What stands for a word that no record holds and nothing completes. */
export function* correct(
  token: QueryToken,
  tokens: readonly QueryToken[],
  isKnown: boolean,
  rules: ExpansionRules,
): Task<{ readonly alternatives: readonly TermAlternative[]; readonly became: "corrected" | "split" }> {
  const mayBeRight = isKnown && !rules.correctsKnown;
  const near = yield* mayBeRight ? frequentNear(token, tokens, rules) : nearestUnlessUnit(token, tokens, rules);
  const halves = yield* halvesOf(token.text, LONG_HALVES, rules);
  if (near.length > 0 && (halves.length === 0 || (yield* isFrequent(near, rules))))
    return { alternatives: [...near, ...halves], became: "corrected" };
  const short = halves.length > 0 || mayBeRight ? [] : yield* halvesOf(token.text, SHORT_HALVES, rules);
  return { alternatives: [...halves, ...short], became: "split" };
}

/** Damerau–Levenshtein: one error from 4 letters, two from 8; the nearest words only. */
function* nearest(token: QueryToken, rules: ExpansionRules): Task<TermAlternative[]> {
  if (!isCompared(token, rules)) return [];
  const { vocabulary, words, exactFields } = rules;
  const stems = yield* vocabulary.nearest(token.text, mostErrors(token.text), words, exactFields);
  return stems.map((stem) => ({ terms: [stem], weight: 1, distance: 0, notIn: exactFields }));
}

function mostErrors(word: string): number {
  return word.length >= TWO_TYPOS ? 2 : 1;
}

/** What a word is corrected to, as records write it. */
export function correctionsOf(
  word: string,
  { vocabulary, words, exactFields }: Pick<StemmedRules, "vocabulary" | "words" | "exactFields">,
): Task<readonly string[]> {
  return vocabulary.nearest(word, mostErrors(word), words, exactFields, true);
}

/** Whether a word is compared with the vocabulary, which is counted. */
function isCompared({ text, term }: QueryToken, { typoTolerance, exactWords, left }: ExpansionRules): boolean {
  return typoTolerance && text.length >= SHORTEST_CORRECTED && !exactWords.has(term.key) && left.corrections-- > 0;
}

/**
 * The nearest words, unless the word is the unit of a number that no record has with the unit: what stands behind a decimal may be of
 * another language, "15,6 zoll".
 */
function* nearestUnlessUnit(
  token: QueryToken,
  tokens: readonly QueryToken[],
  rules: ExpansionRules,
): Task<TermAlternative[]> {
  const near = yield* nearest(token, rules);
  const before = tokens[tokens.indexOf(token) - 1];
  if (before === undefined || !DECIMAL.test(before.text)) return near;
  const number = before.term.alternatives[0]!.terms;
  const found: TermAlternative[] = [];
  for (const one of near) if (yield* rules.vocabulary.cooccur([...number, ...one.terms])) found.push(one);
  return found;
}

/** Far more frequent words next to a word that the embedder knows and no record holds, if some record holds them beside all other words. */
function* frequentNear(
  token: QueryToken,
  tokens: readonly QueryToken[],
  rules: ExpansionRules,
): Task<TermAlternative[]> {
  const { vocabulary, exactFields } = rules;
  const others: string[] = [];
  for (const other of tokens) {
    if (other === token || other.stop || other.term.optional === true) continue;
    if (!(yield* isIndexed(other.term, vocabulary))) return [];
    others.push(...other.term.alternatives[0]!.terms);
  }
  if (others.length === 0 || !isCompared(token, rules)) return [];
  const found: TermAlternative[] = [];
  const frequent = Math.max(MORE_FREQUENT, Math.floor(vocabulary.docCount / FREQUENT));
  for (const stem of yield* neighbours(token.text, frequent, rules))
    if (yield* vocabulary.cooccur([stem, ...others]))
      found.push({ terms: [stem], weight: RARE_WORD_WEIGHT, distance: 1, notIn: exactFields });
  return found;
}

/** The stems, by code unit, of the words next to one that at least so many records hold. */
function* neighbours(
  word: string,
  least: number,
  { vocabulary, words, exactFields }: StemmedRules,
): Task<readonly string[]> {
  const found: string[] = [];
  for (const stem of new Set((yield* vocabulary.neighbours(word, words, exactFields)).map(stemOf)))
    if ((yield* vocabulary.count(stem, least)) >= least) found.push(stem);
  return found.sort();
}

/** Whether so many records hold one of some words that it is more likely than two words joined. */
function* isFrequent(near: readonly TermAlternative[], { vocabulary }: StemmedRules): Task<boolean> {
  for (const { terms } of near) if ((yield* vocabulary.count(terms[0]!, MORE_FREQUENT)) >= MORE_FREQUENT) return true;
  return false;
}

/** Words next to one that begins others, where those have one more letter and fewer records hold them: "stol" may be stole, and stool. */
export function* correctUnfinished(
  token: QueryToken,
  completions: readonly TermAlternative[],
  rules: ExpansionRules,
): Task<TermAlternative[]> {
  const { vocabulary } = rules;
  const isNext = ({ terms }: TermAlternative): boolean =>
    terms.length === 1 && writtenForm(terms[0]!).length === token.text.length + 1;
  if (!completions.every(isNext)) return [];
  const completed = new Set(completions.map(({ terms }) => stemOf(terms[0]!)));
  const near = (yield* nearest(token, rules)).filter(({ terms }) => !completed.has(terms[0]!));
  let most = 0;
  for (const stem of completed) most = Math.max(most, yield* vocabulary.count(stem, vocabulary.docCount));
  for (const { terms } of near) if ((yield* vocabulary.count(terms[0]!, most + 1)) > most) return near;
  return [];
}

/**
 * A word that few records hold also finds its halves and, unless the embedder knows it, far more frequent words next to it: a spelling
 * of a few records does not hide the others.
 */
export function* otherSpellings(token: QueryToken, rules: ExpansionRules): Task<TermAlternative[]> {
  const { vocabulary, words, isWord, exactFields } = rules;
  const rare = Math.max(1, Math.floor(vocabulary.docCount / RARE));
  const holders = yield* vocabulary.countWritten(token.text, words, rare + 1);
  if (holders > rare) return [];
  const halves = yield* halvesOf(token.text, LONG_HALVES, rules);
  const added = halves.map((one) => ({ ...one, weight: RARE_WORD_WEIGHT, distance: 1 }));
  // Without an embedder, nothing tells a rare word from a typing error.
  if (isWord === null || token.term.alternatives.some(isSynonym)) return added;
  if ([token.text, ...words.otherNumbers(token.text)].some(isWord) || !isCompared(token, rules)) return added;
  // Where only other words of its stem are held, none of these is what was typed.
  const form = holders === 0 ? { weight: 1, distance: 0 } : { weight: RARE_WORD_WEIGHT, distance: 1 };
  const near = yield* neighbours(token.text, Math.max(1, holders), rules);
  return [...added, ...near.map((stem) => ({ terms: [stem], ...form, notIn: exactFields }))];
}

/** "headphones" -> "head phones", where one record has both halves. */
function* halvesOf(
  word: string,
  [least, above]: HalfLengths,
  { words, vocabulary }: StemmedRules,
): Task<TermAlternative[]> {
  const found: TermAlternative[] = [];
  if (word.length > LONGEST_COMPOUND) return found;
  for (let at = least; at <= word.length - least; at++) {
    if (Math.min(at, word.length - at) >= above) continue;
    const halves = [word.slice(0, at), word.slice(at)] as const;
    // Many words begin with a small word: "island", "upper".
    if (halves.some((half) => half.length < LONG_HALVES[0] && words.isStopWord(half))) continue;
    // Stems of what is no word take long, and few words begin with another one.
    const first = words.stem(halves[0]);
    if (!(yield* vocabulary.has(first))) continue;
    const terms = [first, words.stem(halves[1])];
    if ((yield* vocabulary.has(terms[1]!)) && (yield* vocabulary.cooccur(terms)))
      found.push({ terms, weight: 1, distance: 0 });
  }
  return found;
}

/** The maximum number of completions of one word, and of all words of a query. */
const MAX_COMPLETIONS = 100;
export const MAX_COMPLETIONS_IN_ALL = 400;
/** Shorter numbers are no beginning of an identifier. */
const SHORTEST_NUMBER = 3;
/** The last part of a compound may be completed by itself from so many letters on. */
const SHORTEST_BEGINNING = 2;
/** Words of this length that the embedder knows are not completed; shorter ones are, such as "cha" for "chair". */
const WHOLE_WORD = 6;
/** The weight of what only begins with a token, where some record has the token itself. */
const UNFINISHED_WEIGHT = 0.5;

/** The last token, if it is a stop word that may be the beginning of a word: "he" of "headset". */
export function* unfinishedStopWord(
  tokens: readonly QueryToken[],
  { queryType, vocabulary }: RewriteRules,
): Task<QueryToken | undefined> {
  const last = tokens.at(-1);
  if (last?.kind !== "word" || !last.stop || tokens.every(({ stop }) => stop)) return undefined;
  if (queryType === "prefixLast" || queryType === "prefixAll") return last;
  return queryType === "prefixNone" || (yield* isIndexed(last.term, vocabulary)) ? undefined : last;
}

/** Whether a record holds a held token as it is, not only its parts: those of an unfinished compound or code say nothing. */
export function isHeldAsTyped({ kind, term }: QueryToken, vocabulary: Vocabulary): Task<boolean> {
  if (kind !== "compound" && kind !== "code") return HELD;
  const isWhole = ({ terms, weight }: TermAlternative): boolean =>
    kind === "compound" ? terms.length === 1 && terms[0]![0] !== PAIR_MARK : weight === 1;
  return isIndexed({ alternatives: term.alternatives.filter(isWhole) }, vocabulary);
}

/** Whether a token of a query is completed. `known`: no record has it, and the embedder knows it. */
export function isCompleted(
  token: QueryToken,
  tokens: readonly QueryToken[],
  { finished, known }: { readonly finished: boolean; readonly known: boolean },
  queryType: RewriteRules["queryType"],
): boolean {
  if (queryType === "prefixNone") return false;
  // A code that is the whole query finds longer ones too, because one may be typed from its beginning.
  if (queryType === "prefixAll" || (tokens.length === 1 && mayBeIdentifier(token))) return true;
  const isWhole = finished || (known && token.text.length >= WHOLE_WORD);
  return token === tokens.at(-1) && (queryType === "prefixLast" || !isWhole);
}

function mayBeIdentifier({ kind, text }: QueryToken): boolean {
  return kind === "code" || (kind === "number" && text.length >= SHORTEST_NUMBER);
}

/** A completion of a token: index terms that a record must all hold. */
type Completion = Pick<TermAlternative, "terms" | "weight">;

/** What begins with a token; it counts less, and is farther from the query, than the token where some record has that. */
export function* complete(
  token: QueryToken,
  isAlone: boolean,
  finished: boolean,
  rules: ExpansionRules,
): Task<TermAlternative[]> {
  const { left } = rules;
  const max = Math.min(MAX_COMPLETIONS, left.completions);
  if (max === 0) return [];
  const found = yield* beginningWith(token, isAlone, max, rules);
  left.completions -= Math.min(max, found.length);
  return found.map(({ terms, weight }) => ({
    terms,
    weight: finished ? UNFINISHED_WEIGHT * weight : weight,
    distance: finished ? 1 : 0,
  }));
}

function* beginningWith(
  token: QueryToken,
  isAlone: boolean,
  max: number,
  rules: StemmedRules,
): Task<readonly Completion[]> {
  const { kind, text, plain } = token;
  const whole = (terms: readonly string[]): Completion[] => terms.map((one) => ({ terms: [one], weight: 1 }));
  switch (kind) {
    case "word":
      return whole(yield* rules.vocabulary.wordsFrom(text, max));
    case "compound":
      return yield* compoundsFrom(text, max, rules);
    case "code":
    case "number":
      return whole(yield* codesFrom(text, kind === "code" || (isAlone && mayBeIdentifier(token)), max, rules));
    case "quantity": {
      const last = plain!.at(-1)!;
      const first = plain!.slice(0, -1).flatMap((one) => one.term.alternatives[0]!.terms);
      const found = yield* beginningWith(last, false, max, rules);
      return found.map(({ terms, weight }) => ({ terms: [...new Set([...first, ...terms])], weight }));
    }
    default:
      return [];
  }
}

/** "t-sh" -> "t-shirt", and what is written "tshirt" or "t shirt". */
function* compoundsFrom(text: string, max: number, { words, vocabulary }: StemmedRules): Task<readonly Completion[]> {
  const { joined, parts } = compoundForms(text);
  const first = [...new Set(parts.slice(0, -1).map((part) => words.stem(part)))];
  const found: Completion[] = [];
  for (const one of yield* vocabulary.wordsFrom(joined, max)) {
    const isCompound = yield* vocabulary.cooccur([one, ...first]);
    found.push(isCompound ? { terms: [one, ...first], weight: 1 } : { terms: [one], weight: SPELLING_WEIGHT });
  }
  const last = parts.at(-1)!;
  if (last.length < SHORTEST_BEGINNING) return found;
  for (const one of yield* vocabulary.wordsFrom(last, max)) {
    if (found.length >= max) break;
    if (yield* vocabulary.cooccur([...first, one])) found.push({ terms: [...first, one], weight: SPELLING_WEIGHT });
  }
  return found;
}

/** Whole identifiers, if these may begin so, and the numbers and codes of texts, with and without separators. */
function* codesFrom(
  text: string,
  asIdentifier: boolean,
  max: number,
  { vocabulary }: StemmedRules,
): Task<readonly string[]> {
  const joined = stripSeparators(text);
  const identifier = asIdentifier ? identifierTerm(joined) : undefined;
  const prefixes = new Set([...(identifier === undefined ? [] : [identifier]), codeForms(text).whole, joined]);
  const found = new Set<string>();
  for (const prefix of prefixes)
    if (found.size < max) for (const one of yield* vocabulary.termsFrom(prefix, max - found.size)) found.add(one);
  return [...found];
}
