// A query as a sentence: its tokens with their places in the text, and what wink says of each.

import { normalizeText } from "../analysis/normalize-text.js";
import type { EnglishReader, ReadWord, WordToRead } from "./english-reader.js";

/** A word, number or sign of a sentence. */
export interface Token extends ReadWord, WordToRead {
  readonly from: number;
  readonly to: number;
  /** Whether no blank stands before it. */
  readonly isGlued: boolean;
}

/** Longer texts are no sentences of shoppers. */
const LONGEST_SENTENCE = 400;
const MOST_TOKENS = 64;

const NUMBER = /\d+(?:[.,]\d+)*/y;
/** Letters and digits that begin with a letter, or have a letter between digits: "t490", "2in1". */
const WORD = /(?:[\p{L}\p{M}]|\d+\p{L}+\d)[\p{L}\p{M}\p{N}]*(?:['\u2019]\p{L}+)*/uy;
const SIGN = /[<>]=|[^\s]/uy;
const CURRENCY = /^\p{Sc}$/u;
const BLANK = /\s/;

/** The tokens of a text as wink reads them; undefined: it is too long, or wink does not read it so. */
export function readSentence(text: string, reader: EnglishReader): readonly Token[] | undefined {
  const words = tokensOf(text);
  const read = words === undefined ? undefined : reader.read(words);
  return read === undefined ? undefined : words!.map((word, i) => ({ ...word, ...read[i]! }));
}

/** The words of a value, as sentences spell it. */
export function spellingOf(value: string): string {
  return withoutPossessives(wordsOfTokens(tokensOf(value) ?? []));
}

/** "women's" is spelled as "women". */
export function withoutPossessives(words: string): string {
  return words.replace(/'s\b/g, "");
}

/** The words and numbers of tokens. */
export function wordsOfTokens(tokens: readonly WordToRead[]): string {
  return tokens
    .filter(({ kind }) => kind === "word" || kind === "number")
    .map(({ key }) => key)
    .join(" ");
}

type PlainToken = Omit<Token, keyof ReadWord>;

function tokensOf(text: string): readonly PlainToken[] | undefined {
  if (text.length > LONGEST_SENTENCE) return undefined;
  const tokens: PlainToken[] = [];
  for (let at = 0; at < text.length; ) {
    const from = at;
    while (at < text.length && BLANK.test(text[at]!)) at++;
    if (at >= text.length) break;
    const to = endOf(WORD, text, at) ?? endOf(NUMBER, text, at) ?? endOf(SIGN, text, at) ?? at + 1;
    const written = text.slice(at, to);
    const key = normalizeText(written).replace(/\u2019/g, "'");
    tokens.push({ from: at, to, key, kind: kindOf(written), isGlued: at === from && at > 0 });
    if (tokens.length > MOST_TOKENS) return undefined;
    at = to;
  }
  return tokens;
}

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function kindOf(written: string): WordToRead["kind"] {
  if (CURRENCY.test(written)) return "currency";
  if (/^\d[\d.,]*$/.test(written)) return "number";
  return /^[\p{L}\p{M}\d]/u.test(written) ? "word" : "sign";
}
