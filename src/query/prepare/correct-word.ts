// Corrects words. All that decides is here: which words may be wrong, how wrong they may be, and which of the words near to one, or of its
// halves, stand for it. What is near to a word is looked up in the vocabulary.
//
// A word that no record holds is corrected unless the embedder knows it: then only where the query finds nothing near, or where a far more
// frequent word stands beside all the others. One that few records hold finds more frequent words too, with less weight.

import type { QueryToken } from "../../analysis/parse-query.js";
import type { TermAlternative } from "../../analysis/query-term.js";
import { isSynonym } from "../../analysis/synonyms.js";
import { stemOf, writtenForm } from "../../analysis/term-marks.js";
import type { Task } from "../../util/tasks.js";
import { type ExpansionRules, isIndexed, LONGEST_COMPOUND, type StemmedRules } from "./rewrite-rules.js";

/** One error from so many letters on, and two. */
const ONE_TYPO = 4;
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
  return vocabulary.nearestWritten(word, mostErrors(word), words, exactFields);
}

/** Whether a word is compared with the vocabulary, which is counted. */
function isCompared({ text, term }: QueryToken, { typoTolerance, exactWords, left }: ExpansionRules): boolean {
  return typoTolerance && text.length >= ONE_TYPO && !exactWords.has(term.key) && left.corrections-- > 0;
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
