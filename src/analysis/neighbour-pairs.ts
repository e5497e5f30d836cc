// Pairs of neighbours. A single letter or digit, and a piece of a code, tell nothing alone: "c" is a part of C2G, and "5" of PS5. They count
// beside their neighbour only. So a text also has a term for letters and digits that stand side by side, for two numbers, and for a single
// letter beside a word: "PS 5", "25 114", "X Box".

import { classAt, DIGIT, PAIR_MARK, type ScannedToken, type TokenKind } from "./scan-tokens.js";
import { type CodeForms, codeForms, compoundForms } from "./token-forms.js";
import type { WordForms } from "./word-forms.js";

/**
 * What stands at an end of a token: a word, a few letters, a letter that is no word, a few digits, another number; 0: nothing that makes a
 * pair.
 */
const WORD = 1;
const LETTERS = 2;
const LETTER = 3;
const DIGITS = 4;
const NUMBER = 5;
const END_BITS = 3;
const END_MASK = (1 << END_BITS) - 1;
/** Longer letters before or behind digits are a word, which tells something alone: "iphone". */
const MOST_LETTERS = 4;
/** Longer numbers, and those with a point, are no pieces of a code. */
const MOST_DIGITS = 8;

/** What the first and the last part of a token are, as a small number. */
export function tokenEnds(kind: TokenKind, token: string, words: WordForms): number {
  const first = endOf(endPart(kind, token, 0), words);
  const last = endOf(endPart(kind, token, -1), words);
  // Letters of a code belong to its digits, not to a word beside it.
  return kind === "code" ? withDigits(first) | (withDigits(last) << END_BITS) : first | (last << END_BITS);
}

function withDigits(end: number): number {
  return end === LETTER ? LETTERS : end;
}

/** The first (0) or the last (-1) part of a token; empty: it makes no pairs. */
export function endPart(kind: TokenKind, token: string, at: 0 | -1): string {
  if (kind === "number" || (kind === "word" && !token.includes("'"))) return token;
  if (kind === "code") return codeForms(token).parts.at(at) ?? "";
  return kind === "compound" ? compoundForms(token).joined : "";
}

/** Whether neighbours with these ends are letters alone. */
export function areLetters(before: number, after: number): boolean {
  return !isNumeric(before >>> END_BITS) && !isNumeric(after & END_MASK);
}

/** Whether neighbours with these ends make a pair. */
export function makePair(before: number, after: number): boolean {
  return pairUp(before >>> END_BITS, after & END_MASK);
}

function endOf(part: string, { smallWords }: WordForms): number {
  if (part === "") return 0;
  if (classAt(part, 0) === DIGIT) return part.length > MOST_DIGITS || part.includes(".") ? NUMBER : DIGITS;
  if (part.length === 1) return smallWords.has(part) ? LETTERS : LETTER;
  if (smallWords.has(part)) return 0;
  return part.length > MOST_LETTERS ? WORD : LETTERS;
}

function isNumeric(end: number): boolean {
  return end >= DIGITS;
}

function pairUp(before: number, after: number): boolean {
  if (before === 0 || after === 0) return false;
  if (isNumeric(before) && isNumeric(after)) return before === DIGITS && after === DIGITS;
  if (isNumeric(before) || isNumeric(after)) return before !== WORD && after !== WORD;
  return (before === LETTER) !== (after === LETTER);
}

/** The term of two neighbours, given joined. */
export function pairTerm(joined: string, words: WordForms): string {
  return PAIR_MARK + words.stem(joined);
}

/**
 * What a code is found by besides the whole code: its pieces, its parts, and its pairs that are none of these. A single character of a pair is
 * no term, unless it is a digit between separators: that is a number.
 */
export function codePartTerms({ whole, pieces, parts }: CodeForms, words: WordForms): string[] {
  if (parts.length === 1) return [...parts];
  const pairs = pairsOf(parts, true, words);
  const isAlone = (i: number): boolean => pairs[i] === undefined && pairs[i - 1] === undefined;
  const isNumber = (part: string): boolean => isDigits(part) && pieces.includes(part);
  const letters = (part: string): boolean => part.length > 1;
  const terms = [
    ...pieces.filter(letters),
    ...parts.filter((part, i) => letters(part) || isAlone(i) || isNumber(part)),
  ];
  for (const pair of pairs)
    if (pair !== undefined && pair !== whole && !pieces.includes(pair)) terms.push(pairTerm(pair, words));
  return terms;
}

/** By part of a code: the pair with the part behind it, if they make one. The x of "4x4" is a cross. `ofNumbers`: two numbers are a pair. */
function pairsOf(parts: readonly string[], ofNumbers: boolean, words: WordForms): (string | undefined)[] {
  const isCross = (i: number): boolean => i > 0 && parts[i] === "x" && isDigits(parts[i - 1]) && isDigits(parts[i + 1]);
  return parts.slice(0, -1).map((part, i) => {
    const areNumbers = isDigits(part) && isDigits(parts[i + 1]);
    const mayPair = areNumbers ? ofNumbers : !isCross(i) && !isCross(i + 1);
    const isPair = mayPair && pairUp(endOf(part, words), endOf(parts[i + 1]!, words));
    return isPair ? part + parts[i + 1]! : undefined;
  });
}

function isDigits(part: string | undefined): boolean {
  return part !== undefined && part !== "" && classAt(part, 0) === DIGIT;
}

/** In longer codes no pair is asked for as a token of its own. */
const MOST_SPLIT = 5;

/**
 * The terms of a code that is written in several tokens, or within a longer code: in each way, its pairs and the parts that are in none. A pair
 * is a token of its own, or not.
 */
export function codeInPieces(
  parts: readonly string[],
  words: WordForms,
): { readonly terms: readonly string[]; readonly hasPairs: boolean }[] {
  const pairs = pairsOf(parts, false, words);
  const isWhole = parts.length <= 2;
  let ways: { readonly terms: readonly string[]; readonly isToken: boolean }[] = [{ terms: [], isToken: false }];
  for (const [i, part] of parts.entries()) {
    const pair = pairs[i];
    if (pair !== undefined) {
      const apart = ways.map(({ terms }) => ({ terms: [...terms, pairTerm(pair, words)], isToken: false }));
      const free = isWhole || parts.length > MOST_SPLIT ? [] : ways.filter(({ isToken }) => !isToken);
      ways = [...apart, ...free.map(({ terms }) => ({ terms: [...terms, pair], isToken: true }))];
    } else if (i === 0 || pairs[i - 1] === undefined)
      ways = ways.map(({ terms }) => ({ terms: [...terms, part], isToken: false }));
    else ways = ways.map(({ terms }) => ({ terms, isToken: false }));
  }
  const hasPairs = pairs.some((pair) => pair !== undefined);
  return ways.map(({ terms }) => ({ terms: [...new Set(terms)], hasPairs }));
}

/** The pair of two tokens, if a single character is between them; undefined: they make none. */
export function pairOf(before: ScannedToken, after: ScannedToken, words: WordForms): string | undefined {
  if (after.start - before.end !== 1) return undefined;
  if (!makePair(tokenEnds(before.kind, before.text, words), tokenEnds(after.kind, after.text, words))) return undefined;
  return pairTerm(endPart(before.kind, before.text, -1) + endPart(after.kind, after.text, 0), words);
}
