// Parses the text of a query without using the index: advanced syntax, tokens, and the query term of each token.

import type { Analyzer } from "../util/extension-points.js";
import { has } from "../util/json.js";
import { identifierTerms } from "./identifier-terms.js";
import { withoutNegations } from "./negations.js";
import { type Normalization, normalFormOfUmlauts, normalizeText } from "./normalize-text.js";
import { formsOf, ownPhraseTerms, readOwn } from "./own-words.js";
import { type Quantity, quantitiesIn, startOfPack } from "./quantities.js";
import {
  labelledSize,
  quantitySpellings,
  type WordQuantity,
  waistAndLength,
  wordQuantities,
} from "./quantity/quantity-spellings.js";
import {
  apostropheTerm,
  codeTerm,
  compoundTerm,
  numberTerm,
  plainTerm,
  type QueryTerm,
  SPELLING_WEIGHT,
  signedTerm,
  type TermAlternative,
  wordTerm,
} from "./query-term.js";
import { QUANTITY_MARK, scanTokens, type TokenKind, tokensIn } from "./scan-tokens.js";
import { bigrams, cleanWord, codeForms, compoundForms, embeddedToken, signedForms } from "./token-forms.js";
import type { WordForms } from "./word-forms.js";

/** A parsed query text. */
export interface ReadQuery {
  readonly tokens: readonly QueryToken[];
  /** Each phrase: index terms that must be adjacent, in this order. */
  readonly phrases: readonly (readonly string[])[];
  /** Each exclusion: one index term, or a phrase, that no hit may contain. */
  readonly excluded: readonly (readonly string[])[];
  /** The terms of the identifier that equals the whole query; empty if the query has no letter or digit. */
  readonly identifiers: readonly string[];
  /** True if the query has tokens other than codes, which an embedder can read. */
  readonly hasWords: boolean;
  /** The text without syntax and exclusions. */
  readonly plainText: string;
  /** Its tokens, with each code as one unbroken word, for embedders with `wordsOnly`; without what is negated. */
  readonly wordsText: string;
}

/** Parses a query text; `advancedSyntax` enables quoted phrases and exclusions. `isPlaced`: as of {@link readTokens}. */
export function readQuery(
  query: string,
  words: WordForms | Analyzer,
  advancedSyntax: boolean,
  isPlaced = false,
): ReadQuery {
  const { text, phrases, excluded } = advancedSyntax
    ? readAdvancedSyntax(query)
    : { text: query, phrases: [], excluded: [] };
  const normal = normalizeText(text, normalizationOf(words));
  const scanned = tokensIn(normal);
  const readable = withoutNegations(scanned, words);
  return {
    tokens: readTokens(has(words, "analyze") ? text : joinAmpersands(text), words, isPlaced),
    phrases: sequences(phrases, words),
    excluded: sequences(excluded, words),
    identifiers: identifierTerms(query),
    hasWords: scanned.some(
      ({ kind, text: token }) => kind !== "code" && (kind !== "signed" || signedForms(token).kind !== "code"),
    ),
    plainText: text,
    wordsText: readable.map(({ kind, text: token }) => embeddedToken(kind, token)).join(" "),
  };
}

/** How texts are normalised; an analyzer of the user's does it by itself. */
export function normalizationOf(words: WordForms | Analyzer): Normalization {
  return has(words, "analyze") ? {} : words.normalization;
}

/** "h & m" -> "h&m": people also type blanks around the sign in a short name. */
function joinAmpersands(text: string): string {
  return text.replace(/(?<!\S)(\p{L}{1,2}) & (\p{L}{1,3})(?!\S)/gu, "$1&$2");
}

/** The keys of the terms of some texts, for optional words and for words that are not corrected. */
export function keysOf(texts: readonly string[], words: WordForms | Analyzer): Set<string> {
  return new Set(texts.flatMap((text) => readTokens(text, words).map((token) => token.term.key)));
}

/** Each text as a sequence of index terms; empty sequences are left out. */
function sequences(texts: readonly string[], words: WordForms | Analyzer): (readonly string[])[] {
  return texts.map((text) => phraseTerms(text, words)).filter((terms) => terms.length > 0);
}

/**
 * The words of a text in order, each as one index term, to compare a phrase with a record. A compound gives its parts, a code its
 * whole form, an unspaced run its pairs.
 */
export function phraseTerms(text: string, words: WordForms | Analyzer): string[] {
  if (has(words, "analyze")) return ownPhraseTerms(text, words);
  return tokensIn(normalizeText(text, words.normalization)).flatMap((token) =>
    phraseTermsOf(token.kind, token.text, words),
  );
}

/** The terms of one token of a phrase. */
export function phraseTermsOf(kind: TokenKind, token: string, words: WordForms): readonly string[] {
  if (kind === "code") return [codeForms(token).whole];
  if (kind === "signed") return [signedForms(token).whole];
  if (kind === "compound") return compoundForms(token).parts.map((part) => words.stem(part));
  if (kind === "unspaced") {
    const { characters, pairs } = bigrams(token);
    return pairs.length > 0 ? pairs : characters;
  }
  if (kind === "number") return [token];
  const clean = cleanWord(token);
  return clean === "" ? [] : [words.stem(clean)];
}

const QUOTES = /[“”„]/g;

/**
 * Separates a query text from its advanced syntax, `"quoted phrases"` and `-excluded` words, in one linear pass: the text to search for has
 * the phrases, too. `ranges`: where both stand in the query, `from` … `to` - 1. A quote without its partner and a hyphen within a word are
 * plain text.
 */
export function readAdvancedSyntax(query: string): {
  text: string;
  phrases: string[];
  excluded: string[];
  ranges: { from: number; to: number }[];
} {
  const given = query.replace(QUOTES, '"');
  const phrases: string[] = [];
  const excluded: string[] = [];
  const ranges: { from: number; to: number }[] = [];
  let text = "";
  for (let at = 0; at < given.length; ) {
    const minus = given[at] === "-" && isBlankAt(given, at - 1) && !isBlankAt(given, at + 1);
    const start = minus ? at + 1 : at;
    const close = given[start] === '"' ? given.indexOf('"', start + 1) : -1;
    if (close > start) {
      const phrase = given.slice(start + 1, close);
      (minus ? excluded : phrases).push(phrase);
      text += minus ? " " : ` ${phrase} `;
      ranges.push({ from: at, to: close + 1 });
      at = close + 1;
    } else if (minus) {
      let end = start;
      while (!isBlankAt(given, end)) end++;
      excluded.push(given.slice(start, end));
      ranges.push({ from: at, to: end });
      at = end;
    } else text += given[at++]!;
  }
  return { text, phrases, excluded, ranges };
}

function isBlankAt(text: string, at: number): boolean {
  return at < 0 || at >= text.length || text[at]!.trim() === "";
}

/** One token of a query. */
export interface QueryToken {
  /** `group`: several words with synonyms; `negation`: what is not wanted. A term of a user's analyzer is a word. */
  readonly kind: TokenKind | "quantity" | "group" | "negation";
  /** Normalised; words without apostrophes. */
  readonly text: string;
  /** The word itself, where a user's analyzer made another text of it. */
  readonly written?: string;
  readonly stop: boolean;
  readonly term: QueryTerm;
  /**
   * The tokens of a quantity, or the token before signs, which replace it if no record contains it; the words of a compound with
   * points or slashes, which replace it if no record contains them joined.
   */
  readonly plain?: readonly QueryToken[];
  /** The number of blanks before it in the query, where several readings of it are compared. */
  readonly from?: number | undefined;
}

/** Whether it is a single token of the text. */
export function isToken(token: QueryToken): token is QueryToken & { readonly kind: TokenKind } {
  return token.kind !== "quantity" && token.kind !== "group" && token.kind !== "negation";
}

/** The tokens of a query text in reading order. `isPlaced`: each says where it is, whatever the language makes of the text. */
export function readTokens(text: string, words: WordForms | Analyzer, isPlaced = false): QueryToken[] {
  if (has(words, "analyze")) return readOwnTokens(text, words);
  const normal = normalizeText(text, words.normalization);
  const fromOf = isPlaced ? placesIn(text, normal, words) : undefined;
  const spelled = spelledOut(text, normal, words);
  const quantities = typedQuantities(normal, words);
  const tokens: QueryToken[] = [];
  /** A query may repeat a token many times. */
  const known = new Map<string, readonly QueryToken[]>();
  let inside: { quantity: Quantity; plain: QueryToken[] } | undefined;
  const close = (): void => {
    if (inside !== undefined)
      tokens.push(...quantityTokens(inside.quantity, normal, inside.plain, tokens.at(-1), words));
    inside = undefined;
  };
  let next = 0;
  let seen = 0;
  scanTokens(normal, (kind, start, end) => {
    while (next < quantities.length && quantities[next]!.end <= start) next++;
    const quantity = quantities[next];
    const text = normal.slice(start, end);
    const other = spelled[seen++] ?? text;
    const key = `${text} ${other}`;
    let read = known.get(key) ?? withSpelling(readToken(kind, text, words), other, words);
    known.set(key, read);
    if (fromOf !== undefined) read = read.map((token) => placed(token, fromOf(start)));
    if (inside?.quantity !== quantity) close();
    if (quantity === undefined || end <= quantity.start || start >= quantity.end) {
      for (const token of read) tokens.push(token);
      return;
    }
    inside ??= { quantity, plain: [] };
    for (const token of read) inside.plain.push(token);
  });
  close();
  return joinForms(tokens, words);
}

function placed(token: QueryToken, from: number): QueryToken {
  return { ...token, from, ...(token.plain && { plain: token.plain.map((one) => placed(one, from)) }) };
}

const LETTER = /[\p{L}\p{M}\p{N}]/u;

/** How many blanks are before a place of a normalised text: languages differ in the letters and blanks that they make of it. */
function placesIn(text: string, normal: string, { normalization }: WordForms): (start: number) => number {
  const lettersOf = (some: string): number => [...some].filter((one) => LETTER.test(one)).length;
  const ends: number[] = [];
  let letters = 0;
  for (const piece of text.split(/\s+/)) {
    letters += lettersOf(normalizeText(piece, normalization));
    ends.push(letters);
  }
  let [at, before, piece] = [0, 0, 0];
  return (start) => {
    before += lettersOf(normal.slice(at, start));
    at = start;
    while (piece < ends.length - 1 && ends[piece]! <= before) piece++;
    return piece;
  };
}

/** The tokens of a text that a user's analyzer reads: its terms, and the tokens with a digit. */
function readOwnTokens(text: string, analyzer: Analyzer): QueryToken[] {
  const { normal, parts, quantities } = readOwn(text, analyzer);
  const words = formsOf(analyzer);
  const tokens: QueryToken[] = [];
  let next = 0;
  let plain: QueryToken[] = [];
  const close = (end: number): void => {
    for (; next < quantities.length && quantities[next]!.end <= end; next++) {
      tokens.push(...quantityTokens(quantities[next]!, normal, plain, tokens.at(-1), words));
      plain = [];
    }
  };
  for (const part of parts) {
    close(part.start);
    const isInside = (quantities[next]?.start ?? Number.POSITIVE_INFINITY) <= part.start;
    const read =
      part.kind === "stretch"
        ? part.terms.map((term, i) => ownToken(term, part.written?.[i]))
        : readToken(part.kind, part.text, words);
    for (const token of read) (isInside ? plain : tokens).push(token);
  }
  close(normal.length);
  return joinForms(tokens, words);
}

function ownToken(term: string, written: string | undefined): QueryToken {
  const token: QueryToken = { kind: "word", text: term, stop: false, term: plainTerm(term) };
  return written === undefined || written === term ? token : { ...token, written };
}

const IS_ASCII = /^[\x20-\x7e]*$/;

/** The tokens of a query with its umlauts written in two letters, "ue" for "ü"; empty if there are none. */
function spelledOut(text: string, normal: string, { normalization }: WordForms): string[] {
  if (IS_ASCII.test(text)) return [];
  const spelled = normalFormOfUmlauts(text, normalization);
  if (spelled === undefined) return [];
  const tokens = tokensIn(spelled);
  // Of words that are too long for one token, the others would not be at the same place.
  return tokens.length === tokensIn(normal).length ? tokens.map((token) => token.text) : [];
}

/** A word also in another spelling. */
function withSpelling(read: readonly QueryToken[], other: string, words: WordForms): readonly QueryToken[] {
  return read.map((token) => {
    if (token.kind !== "word" || cleanWord(other) === token.text) return token;
    const spelled = wordTerm(cleanWord(other), words).alternatives;
    const added = spelled.map((alternative) => ({ ...alternative, weight: SPELLING_WEIGHT, distance: 0 }));
    return { ...token, term: { ...token.term, alternatives: [...token.term.alternatives, ...added] } };
  });
}

/** The quantities of a query, also those whose numbers are in words, and with the "pack of" before a number. */
function typedQuantities(normal: string, words: WordForms): readonly Quantity[] {
  const inDigits: Quantity[] = [];
  for (const quantity of quantitiesIn(normal, words.units)) {
    const start = startOfPack(normal, quantity, words.units);
    inDigits.push(start >= (inDigits.at(-1)?.end ?? 0) ? { ...quantity, start } : quantity);
  }
  const inWords = wordQuantities(normal, words).filter(
    (one) => !inDigits.some(({ start, end }) => start < one.end && one.start < end),
  );
  return inWords.length === 0 ? inDigits : [...inDigits, ...inWords].sort((a, b) => a.start - b.start);
}

/** The token of a quantity with its other spellings; before it the 6 of "6x330ml". */
function quantityTokens(
  quantity: Quantity | WordQuantity,
  normal: string,
  plain: readonly QueryToken[],
  last: QueryToken | undefined,
  words: WordForms,
): QueryToken[] {
  const { term, start, end } = quantity;
  const isBehind = last?.kind === "number" && (normal[start - 1] === " " || normal[start - 1] === "'");
  const typed = "text" in quantity ? quantity.text : normal.slice(start, end).replace(PACK_OF, "$1 pack");
  const before = isBehind ? last.text : undefined;
  const spellings = quantitySpellings({ term, text: typed, before }, words);
  const own: TermAlternative = { terms: [term], weight: "text" in quantity ? SPELLING_WEIGHT : 1, distance: 0 };
  // Of a number in words, the words come first.
  const asTyped = plain.filter(({ stop }) => !stop).flatMap((token) => token.term.alternatives[0]!.terms);
  const alternatives =
    "text" in quantity
      ? [{ terms: [...new Set(asTyped)], weight: 1, distance: 0 }, own, ...spellings]
      : [own, ...spellings];
  const token: QueryToken = {
    kind: "quantity",
    text: normal.slice(start, end),
    stop: false,
    term: { key: term, alternatives: distinctAlternatives(alternatives) },
    plain,
    from: plain[0]?.from,
  };
  const [multiple] = MULTIPLE.exec(term.startsWith(SIZE_TERM) ? "" : token.text) ?? [];
  return multiple === undefined ? [token] : [...readToken("number", multiple, words), token];
}

const PACK_OF = /^\D+ ([0-9]+)$/;
const SIZE_TERM = `${QUANTITY_MARK}size:`;
/** The number before the cross in a quantity that is no size. */
const MULTIPLE = /^[0-9]+(?= ?[x×*])/;

/** Each alternative once, where it weighs most. */
function distinctAlternatives(alternatives: readonly TermAlternative[]): TermAlternative[] {
  const keyOf = ({ terms }: TermAlternative): string => terms.join(" ");
  const keys = alternatives.map(keyOf);
  return alternatives.filter((_, i) => keys.indexOf(keys[i]!) === i);
}

/** Joins tokens that are one size or one number: "size 42", "w32 l34", "1 000". */
function joinForms(tokens: readonly QueryToken[], words: WordForms): QueryToken[] {
  const out: QueryToken[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const [first, second] = [tokens[at]!, tokens[at + 1]];
    const joined =
      second &&
      (joinThousands(first, second) ??
        joinHalf(first, second, tokens[at + 2], words) ??
        joinSize(first, second, words));
    if (joined !== undefined) at += joined.plain === undefined ? 1 : joined.plain.length - 1;
    out.push(joined ?? first);
  }
  return out;
}

const MAY_BE_THOUSANDS = /^[1-9][0-9]{0,2}$/;
const NO_HUNDREDS = "000";

function joinThousands(first: QueryToken, second: QueryToken): QueryToken | undefined {
  if (second.text !== NO_HUNDREDS || !MAY_BE_THOUSANDS.test(first.text)) return undefined;
  const text = first.text + second.text;
  const apart = { terms: [first.text, second.text], weight: 1 };
  const term = { key: text, alternatives: [apart, { terms: [text], weight: SPELLING_WEIGHT }] };
  return { kind: "number", text, stop: false, term, from: first.from };
}

/** "uk 7 1/2" is "uk 7.5". */
function joinHalf(
  first: QueryToken,
  second: QueryToken,
  third: QueryToken | undefined,
  words: WordForms,
): QueryToken | undefined {
  if (third?.text !== "1/2" || second.kind !== "number") return undefined;
  const size = joinSize(first, { ...second, text: `${second.text}.5` }, words);
  return size && { ...size, plain: [first, second, third] };
}

function joinSize(first: QueryToken, second: QueryToken, words: WordForms): QueryToken | undefined {
  const value = second.kind === "code" ? codeForms(second.text).whole : second.text;
  const alternatives = labelledSize(first.text, value, words);
  if (alternatives === undefined) return undefined;
  const text = `${first.text} ${second.text}`;
  return {
    kind: "quantity",
    text,
    stop: false,
    term: { key: text, alternatives },
    plain: [first, second],
    from: first.from,
  };
}

function readToken(kind: TokenKind, token: string, words: WordForms): QueryToken[] {
  switch (kind) {
    case "word": {
      const word = cleanWord(token);
      if (word === "") return [];
      const { key, alternatives } = word === token ? wordTerm(word, words) : apostropheTerm(token, words);
      return [{ kind, text: word, stop: words.isStopWord(word), term: { key, alternatives, word } }];
    }
    case "compound": {
      const read: QueryToken = { kind, text: token, stop: false, term: compoundTerm(token, words) };
      if (!/[./]/.test(token)) return [read];
      const { parts } = compoundForms(token);
      return [{ ...read, plain: parts.flatMap((part) => readToken("word", part, words)) }];
    }
    case "signed": {
      const { kind: inner, base, whole } = signedForms(token);
      const plain = readToken(inner, base, words);
      return plain.map(({ term }) => ({ kind, text: token, stop: false, term: signedTerm(whole, term), plain }));
    }
    case "code": {
      const { key, alternatives } = codeTerm(token, words);
      const term = { key, alternatives: [...alternatives, ...(waistAndLength(key) ?? [])] };
      return [{ kind, text: token, stop: false, term }];
    }
    case "number":
      return [{ kind, text: token, stop: false, term: numberTerm(token, words) }];
    case "unspaced": {
      const { characters, pairs } = bigrams(token);
      return (pairs.length > 0 ? pairs : characters).map((pair) => ({
        kind,
        text: pair,
        stop: false,
        term: plainTerm(pair),
      }));
    }
    default:
      return [{ kind, text: token, stop: false, term: plainTerm(token) }];
  }
}
