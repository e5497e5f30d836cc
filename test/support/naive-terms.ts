// Text as the naive engine reads it: the index terms of a record's token, and what a token of a query asks for, by the rules
// of docs/scoring.md over the tokeniser's own tokens, forms and quantities.

import { normalizeText } from "../../src/analysis/normalize-text.js";
import { type Quantity, quantitiesIn } from "../../src/analysis/quantities.js";
import { scanTokens, type TokenKind } from "../../src/analysis/scan-tokens.js";
import { bigrams, cleanWord, codeForms, compoundForms, stripSeparators } from "../../src/analysis/token-forms.js";
import { PLAIN_WORDS, STOP_WORDS, type WordForms } from "../../src/analysis/word-forms.js";
import { labelledSize, spellingsOf, type TypedQuantity, typedQuantities, waistAndLength } from "./naive-spellings.js";

/** What one token of a query asks for; a record holds it when it holds all index terms of one alternative. */
export interface Asked {
  readonly kind: TokenKind | "quantity" | "group" | "negation";
  readonly text: string;
  readonly key: string;
  readonly stop: boolean;
  readonly alternatives: readonly Alternative[];
  /** Of a quantity: the tokens it was written with; of a signed token: what is before the signs. */
  readonly plain?: readonly Asked[];
  readonly optional?: boolean;
  readonly at?: number;
  /** Of a negation: the index terms of what is not wanted. */
  readonly unwanted?: readonly string[];
  readonly knownToEmbedder?: boolean;
}

export interface Alternative {
  readonly terms: readonly string[];
  readonly weight: number;
  /** Found by mending a typing error: does not count in fields without typo tolerance. */
  readonly mended?: boolean;
  /** How strange it is to who typed the query, 0 … 1; otherwise that follows from the form in a title. */
  readonly strange?: number;
}

export interface Indexed {
  readonly terms: Iterable<string>;
  readonly length: number;
  /** Words as they were written, with the term that each one is found under. */
  readonly written: readonly (readonly [word: string, term: string])[];
}

export type Token = readonly [kind: TokenKind, token: string];

export function tokensOf(text: string): Token[] {
  return rangesIn(normalizeText(text)).map(({ token }) => token);
}

type Range = { readonly start: number; readonly end: number };

export function rangesIn(normal: string): (Range & { readonly token: Token })[] {
  const tokens: (Range & { readonly token: Token })[] = [];
  scanTokens(normal, (kind, start, end) => tokens.push({ token: [kind, normal.slice(start, end)], start, end }));
  return tokens;
}

/** The index terms of a token of a record's text, and how much it adds to the length of its field. */
export function indexTerms([kind, token]: Token, words: WordForms): Indexed {
  const { stem } = words;
  const stemmed = (parts: readonly string[]): Pick<Indexed, "terms" | "written"> => ({
    terms: parts.map((word) => stem(word)),
    written: parts.map((word) => [word, stem(word)]),
  });
  if (kind === "number") return { terms: [token], length: 1, written: [] };
  if (kind === "word") {
    const word = cleanWord(token);
    const forms = [...apostropheParts(token), ...ownedForm(token, word, words), word];
    return word === "" ? { terms: [], length: 0, written: [] } : { ...stemmed(forms), length: 1 };
  }
  if (kind === "compound") {
    const { joined, parts } = compoundForms(token);
    const forms = [...parts, ...ownedForm(token, joined, words)];
    return { ...stemmed(parts.length > 1 ? [joined, ...forms] : forms), length: parts.length };
  }
  if (kind === "unspaced") {
    const { characters, pairs } = bigrams(token);
    return { terms: [...characters, ...pairs], length: characters.length, written: [] };
  }
  if (kind === "signed") return signedIndexTerms(token, words);
  const { whole, pieces, parts } = codeForms(token);
  const grouped = groupedDigits(token);
  const long = stemmed([...new Set(parts)].filter((part) => part.length >= 3));
  const raw = [whole, ...grouped, ...tellingParts(token), ...pairsWithin(token, words)];
  return {
    terms: new Set([...raw, ...long.terms]),
    length: pieces.length,
    written: [...asThemselves(raw), ...long.written],
  };
}

/** Letters beside digits are a pair if they are few and no small word; so are a single letter beside other letters, and two short numbers. */
export function arePair(before: string, after: string): boolean {
  const areDigits = [before, after].map((part) => /^\p{N}/u.test(part));
  const isSmall = (part: string): boolean => part.length > 1 && STOP_WORDS.has(part);
  if (before === "" || after === "" || isSmall(before) || isSmall(after)) return false;
  if (areDigits[0] && areDigits[1]) return [before, after].every((part) => part.length <= 8 && !part.includes("."));
  if (areDigits[0] !== areDigits[1]) return (areDigits[0] ? after : before).length <= 4;
  const letters = [before, after].filter((part) => part.length === 1 && !STOP_WORDS.has(part));
  return !areDigits[0] && letters.length === 1;
}

/** By part of a code: whether it is a pair with the next one. In "4x4" nothing is; two numbers are none in a query. */
function pairedIn(parts: readonly string[], ofNumbers = true): boolean[] {
  const isCross = (i: number): boolean => /^\p{N}\S* x \p{N}/u.test(parts.slice(Math.max(0, i - 1), i + 2).join(" "));
  const areNumbers = (i: number): boolean => parts.slice(i, i + 2).every((part) => /^\p{N}/u.test(part));
  return parts
    .slice(1)
    .map((part, i) => arePair(parts[i]!, part) && !isCross(i) && !isCross(i + 1) && (ofNumbers || !areNumbers(i)));
}

/** The pieces and parts of a code, but for what is a single character of a pair; a digit between separators stays. */
function tellingParts(token: string): string[] {
  const { pieces, parts } = codeForms(token);
  const paired = pairedIn(parts);
  const isNumber = (part: string): boolean => /^\p{N}/u.test(part) && pieces.includes(part);
  const telling = parts.filter((part, i) => part.length > 1 || isNumber(part) || !(paired[i - 1] || paired[i]));
  return [...pieces.filter((piece) => piece.length > 1), ...telling];
}

/** The pairs of a code that are not a piece or all of it. */
function pairsWithin(token: string, { stem }: WordForms): string[] {
  const { whole, pieces, parts } = codeForms(token);
  const paired = pairedIn(parts);
  const pairs = parts.slice(1).map((part, i) => parts[i]! + part);
  const own = pairs.filter((pair, i) => paired[i] && pair !== whole && !pieces.includes(pair));
  return own.map((pair) => `^${stem(pair)}`);
}

/** The parts of a token that its neighbours may make a pair with. */
function edgesOf([kind, token]: Token): readonly [first: string, last: string] {
  if (kind === "word") return token.includes("'") ? ["", ""] : [token, token];
  if (kind === "number") return [token, token];
  if (kind === "compound") return [compoundForms(token).joined, compoundForms(token).joined];
  const parts = kind === "code" ? codeForms(token).parts : [];
  return [parts[0] ?? "", parts.at(-1) ?? ""];
}

/** What two neighbours have joined; undefined: they are no pair. A letter of a code is none beside a word. */
export function pairOf(before: Token, after: Token): string | undefined {
  const [last, first] = [edgesOf(before)[1], edgesOf(after)[0]];
  const areLetters = ![last, first].some((part) => /^\p{N}/u.test(part));
  const isCodeLetter = (kind: string, part: string): boolean => kind === "code" && part.length === 1;
  const other = (kind: string, part: string): string => (isCodeLetter(kind, part) ? "a" : part);
  const isPair = areLetters ? arePair(other(before[0], last), other(after[0], first)) : arePair(last, first);
  return isPair ? last + first : undefined;
}

/** Whether two ranges share a character. */
export function areCrossed(one: Range, other: Range): boolean {
  return one.start < other.end && one.end > other.start;
}

/** By token of a text: its pair with the one before it, one character away and not in the same quantity. */
export function neighbourPairs(text: string, { stem }: WordForms): (string | undefined)[] {
  const normal = normalizeText(text);
  const quantities = quantitiesIn(normal);
  const quantitiesAt = (range: Range): Quantity[] => quantities.filter((quantity) => areCrossed(quantity, range));
  return rangesIn(normal).map((own, i, all) => {
    const before = all[i - 1];
    if (before === undefined || own.start !== before.end + 1) return undefined;
    const pair = pairOf(before.token, own.token);
    const [measures, ours] = [quantitiesAt(before), quantitiesAt(own)];
    const isOne = ours.some((quantity) => measures.includes(quantity));
    const isUnit = measures.length + ours.length > 0;
    if (pair === undefined || isOne || (isUnit && !/\p{N}/u.test(pair))) return undefined;
    return `^${stem(pair)}`;
  });
}

/** What is before the signs, with its kind and first form, and the first form with the signs. */
export function unsigned(token: string): { readonly inner: Token; readonly first: string; readonly signed: string } {
  const signs = /[+#]*$/.exec(token)![0];
  const inner = tokensOf(token.slice(0, token.length - signs.length))[0]!;
  const [kind, base] = inner;
  const spaced = kind === "code" ? codeForms(base).whole : base;
  const first = kind === "word" ? cleanWord(base) : kind === "compound" ? compoundForms(base).joined : spaced;
  return { inner, first, signed: first + signs };
}

/** A token for an embedder: codes without separators, nothing with signs. */
export function readableToken(kind: Asked["kind"], text: string): string {
  const [own, token] = kind === "signed" ? unsigned(text).inner : [kind, text];
  if (own === "compound") return token.split(/[./]/).join(" ");
  return own === "code" ? stripSeparators(token) : token;
}

/** As without the signs, but the first form with them, and marked without them. */
function signedIndexTerms(token: string, words: WordForms): Indexed {
  const { inner, first, signed } = unsigned(token);
  const [kind] = inner;
  const { terms, length, written } = indexTerms(inner, words);
  if (kind === "word" || kind === "compound") {
    const marked = `+${words.stem(first)}`;
    const { parts } = compoundForms(inner[1]);
    const others = [...(parts.length > 1 ? parts : []), ...ownedForm(inner[1], first, words)];
    const rest = others.map((part) => [part, words.stem(part)] as const);
    return { terms: [signed, marked, ...rest.map(([, stem]) => stem)], length, written: [[first, marked], ...rest] };
  }
  const [, ...others] = terms;
  return { terms: [signed, `+${first}`, ...others], length, written: written.filter(([word]) => word !== first) };
}

/** "o'neill" in parts; none of shortened words such as "don't". */
function apostropheParts(word: string): string[] {
  const parts = word.replace(/'s$/, "").split("'");
  return parts.length === 1 || /^(?:d|ll|m|re|s|t|ve|)$/.test(parts.at(-1)!) ? [] : parts;
}

/** "mms" for "m&m's", if that is not another form of what is found without the s. */
function ownedForm(token: string, without: string, { stem }: WordForms): string[] {
  const owned = token.replace(/[-_&./']/g, "");
  return token.includes("'s") && stem(owned) !== stem(without) ? [owned] : [];
}

/** The digits of a number of at least five in groups: with two separators, or one hyphen or underscore; and of thousands. */
function groupedDigits(token: string): string[] {
  if (/^[1-9][0-9]{0,2}([.][0-9]{3})+$/.test(token)) return [token.split(".").join("")];
  const groups = token.split(/[-_./]/);
  const digits = groups.join("");
  const isGrouped = groups.length > 2 || (groups.length === 2 && /[-_]/.test(token));
  return isGrouped && digits.length >= 5 && /^\p{N}+$/u.test(digits) ? [digits] : [];
}

/** The quantities of a text; they add nothing to its length. */
export function quantityTerms(text: string): string[] {
  return quantitiesIn(normalizeText(text)).map((quantity) => quantity.term);
}

/** The index terms of an identifier, each once, and its length. */
export function identifierTerms(value: string): Indexed {
  const terms = new Set<string>([stripSeparators(normalizeText(value))]);
  const tokens = tokensOf(value);
  for (const [kind, token] of tokens) {
    const { characters, pairs } = bigrams(token);
    const apart = [...tellingParts(token), ...pairsWithin(token, PLAIN_WORDS)];
    const forms =
      kind === "unspaced" ? [...characters, ...pairs] : [codeForms(token).whole, stripSeparators(token), ...apart];
    for (const term of forms) terms.add(term);
    if (kind === "signed") terms.add(unsigned(token).signed);
  }
  return { terms, length: tokens.length, written: asThemselves([...terms]) };
}

/** The letters and digits of an identifier, and of a trade number with a right check digit all fourteen digits. */
export function exactCodes(value: string): string[] {
  const code = stripSeparators(normalizeText(value));
  const isbn = /^\d{9}[\dx]$/.test(code) && weigh([...code].map(digitOf), [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0;
  const digits = isbn ? `978${code.slice(0, 9)}` : /^\d{7,14}$/.test(code) ? code.slice(0, -1) : "";
  const check = (10 - (weigh([...digits].reverse().map(digitOf), [3, 1]) % 10)) % 10;
  const isTrade = isbn || (digits !== "" && String(check) === code.at(-1));
  return [...new Set([code, ...(isTrade ? [(digits + check).padStart(14, "0")] : [])])].filter((one) => one !== "");
}

function digitOf(character: string): number {
  return character === "x" ? 10 : Number(character);
}

function weigh(digits: readonly number[], weights: readonly number[]): number {
  return digits.reduce((sum, digit, i) => sum + digit * weights[i % weights.length]!, 0);
}

function asThemselves(terms: readonly string[]): (readonly [string, string])[] {
  return terms.filter((term) => term !== "" && !/[0-9]/.test(term)).map((term) => [term, term]);
}

/** What a query asks for, token by token; the tokens of a quantity are one, and those of a size with its label. */
export function readAsked(text: string, words: WordForms): Asked[] {
  const normal = normalizeText(text);
  const twoLetters = text.normalize("NFC").replace(/[äöüÄÖÜ]/g, (letter) => `${letter.normalize("NFD")[0]}e`);
  const spelled = tokensOf(twoLetters).map(([, token]) => cleanWord(token));
  const tokens = rangesIn(normal).map(({ token, ...range }, place, { length }) => {
    const other = spelled.length === length ? spelled[place]! : undefined;
    const forms = other === undefined ? [] : [plainly([words.stem(other)], 0.8), plainly([other], 0.8)];
    const asked = readTerms(token, words).map((one) =>
      one.kind !== "word" || other === one.text ? one : { ...one, alternatives: [...one.alternatives, ...forms] },
    );
    return { ...range, asked };
  });
  const quantities = typedQuantities(normal);
  const read: Asked[] = [];
  for (const [i, token] of tokens.entries()) {
    const quantity = quantities.find((candidate) => areCrossed(candidate, token));
    if (quantity === undefined) read.push(...token.asked);
    else if (i === tokens.findIndex((other) => areCrossed(quantity, other))) {
      const plain = tokens.filter((other) => quantity === quantities.find((one) => areCrossed(one, other)));
      read.push(
        ...askedQuantity(
          quantity,
          plain.flatMap(({ asked }) => asked),
          normal,
          read.at(-1),
          words,
        ),
      );
    }
  }
  return joinedForms(read, words);
}

/** A quantity with its other spellings; the 6 of "6x330ml" is asked for too. */
function askedQuantity(
  { term, start, end, plainly: typedAs, inWords }: TypedQuantity,
  plain: readonly Asked[],
  normal: string,
  last: Asked | undefined,
  words: WordForms,
): Asked[] {
  const text = normal.slice(start, end);
  const isBehind = last?.kind === "number" && /[ ']$/.test(normal.slice(0, start));
  const spellings = spellingsOf(term, typedAs, isBehind ? last.text : "", words.stem);
  const typed = plain.filter(({ stop }) => !stop).flatMap(({ alternatives }) => alternatives[0]!.terms);
  const own = !inWords ? [all([term], 1)] : [all(typed, 1), all([term], 0.8)];
  const alternatives = [...own, ...spellings].map((one) => ({ ...one, strange: 0 }));
  const asked: Asked = { kind: "quantity", text, key: term, stop: false, alternatives, plain };
  const [multiple] = term.startsWith("#size:") ? [] : (/^[0-9]+(?= ?[x×*])/.exec(text) ?? []);
  return multiple === undefined ? [asked] : [...readTerms(["number", multiple], words), asked];
}

/** "1 000" is a number, "size 42" and "w32 l34" are sizes. */
function joinedForms(asked: readonly Asked[], { stem }: WordForms): Asked[] {
  const joined: Asked[] = [];
  for (let at = 0; at < asked.length; at++) {
    const [one, second, third] = [asked[at]!, asked[at + 1], asked[at + 2]];
    const isHalf = second?.kind === "number" && third?.text === "1/2";
    const half = isHalf ? { ...second, text: `${second.text}.5` } : undefined;
    const next = half && labelledSize(one.text, half.text, stem).length > 0 ? half : second;
    const text = one.text + next?.text;
    const value = next?.kind === "code" ? codeForms(next.text).whole : (next?.text ?? "");
    const sizes = next === undefined ? [] : labelledSize(one.text, value, stem);
    if (next?.text === "000" && /^[1-9][0-9]{0,2}$/.test(one.text)) {
      const alternatives = [all([one.text, "000"], 1), all([text], 0.8)];
      joined.push({ kind: "number", text, key: text, stop: false, alternatives });
      at++;
    } else if (next !== undefined && sizes.length > 0) {
      const key = `${one.text} ${next.text}`;
      const alternatives = sizes.map((size) => ({ ...size, strange: 0 }));
      const plain = next === half ? [one, second!, third!] : [one, next];
      joined.push({ kind: "quantity", text: key, key, stop: false, alternatives, plain });
      at += plain.length - 1;
    } else joined.push(one);
  }
  return joined;
}

/** What a single word asks for: its stem, or itself. */
export function askedWord(word: string, { stem, hasHeads }: WordForms): Asked {
  const digits = hasHeads ? COUNTS.indexOf(word) + 1 : 0;
  const other = digits > 0 ? [plainly([String(digits)], 0.8)] : [];
  const alternatives = [whole(stem(word)), whole(word), ...other];
  return { kind: "word", text: word, key: stem(word), stop: false, alternatives };
}

const COUNTS = "one two three four five six seven eight nine ten eleven twelve".split(" ");

/** What a code without separators asks for, or a number if it is one. */
export function askedCode(code: string, words: WordForms): Asked {
  return readTerms([/^[0-9]+$/.test(code) ? "number" : "code", code], words)[0]!;
}

function readTerms([kind, token]: Token, words: WordForms): Asked[] {
  const { stem, isStopWord } = words;
  const one = (key: string, ...alternatives: Alternative[]): Asked => {
    return { kind, text: token, key, stop: false, alternatives };
  };
  if (kind === "word") {
    const clean = cleanWord(token);
    const asked = askedWord(clean, words);
    const others = [...ownedForm(token, clean, words).map((form) => [form]), ...withoutAnd(apostropheParts(token))];
    const alternatives = [...asked.alternatives, ...others.map((parts) => all(parts.map(stem), 1))];
    return clean === "" ? [] : [{ ...asked, alternatives, stop: isStopWord(clean) }];
  }
  if (kind === "unspaced") {
    const { characters, pairs } = bigrams(token);
    return (pairs.length > 0 ? pairs : characters).map((pair) => one(pair, whole(pair)));
  }
  if (kind === "compound") {
    const { joined, parts } = compoundForms(token);
    const key = stem(joined);
    if (parts.length < 2) return [one(key, whole(key), whole(joined))];
    const stems = [...new Set(parts.map((part) => stem(part)))];
    const others = [...ownedForm(token, joined, words).map((form) => [form]), ...withoutAnd(parts)];
    const forms = [all(stems, 1), whole(joined), all(parts, 1), ...others.map((some) => all(some.map(stem), 1))];
    const read = one(`${key}~${stems.join(" ")}`, whole(key), ...forms);
    if (!/[./]/.test(token)) return [read];
    return [{ ...read, plain: parts.flatMap((part) => readTerms(["word", part], words)) }];
  }
  if (kind === "number") {
    const groups = /^([1-9][0-9]{0,2})(000)$/.exec(token)?.slice(1);
    const count = words.hasHeads ? COUNTS[Number(token) - 1] : undefined;
    const inWords = count === undefined ? [] : [plainly([stem(count)], 0.8)];
    return [one(token, whole(token), ...(groups === undefined ? [] : [all(groups, 0.8)]), ...inWords)];
  }
  if (kind === "signed") {
    const { inner, signed } = unsigned(token);
    const plain = readTerms(inner, words);
    return plain.map(({ alternatives }) => {
      const halved = alternatives.map(({ terms, weight }) => ({ terms, weight: weight / 2 }));
      const others = { terms: [`+${alternatives[0]!.terms[0]!}`], weight: 0.5 };
      return { ...one(signed, whole(signed), ...halved, others), plain };
    });
  }
  const forms = codeForms(token);
  // Where its only part is the code itself, there is nothing to be found apart.
  const wholes = [forms.whole, ...groupedDigits(token)].map((form) => whole(form));
  if (forms.parts.every((part) => part === forms.whole)) return [one(forms.whole, ...wholes)];
  const ways = piecewise(forms.parts, words);
  const hasPairs = pairedIn(forms.parts, false).includes(true);
  const apart = ways
    .flatMap((terms) => [terms, terms.map((term) => stem(term))])
    .map((terms) => (hasPairs ? plainly(terms, 0.8) : all(terms, 0.5)));
  const sizes = waistAndLength(forms.whole).map((size) => ({ ...size, strange: 0 }));
  return [one(forms.whole, ...wholes, ...apart, ...sizes)];
}

/** The parts of a code in all ways: each pair as such, or of up to five parts as a token that shares no part with another. */
function piecewise(parts: readonly string[], { stem }: WordForms): string[][] {
  const pairs = pairedIn(parts, false).map((isPair, i) => (isPair ? parts[i]! + parts[i + 1]! : undefined));
  const alone = parts.filter((_, i) => pairs[i] === undefined && pairs[i - 1] === undefined);
  const places = [...pairs.keys()].filter((i) => pairs[i] !== undefined);
  const most = parts.length > 2 && parts.length <= 5 ? 1 << places.length : 1;
  const choices = Array.from({ length: most }, (_, bits) => places.filter((_, at) => (bits >> at) & 1));
  return choices
    .filter((tokens) => tokens.every((place) => !tokens.includes(place + 1)))
    .map((tokens) => [
      ...alone,
      ...places.map((place) => (tokens.includes(place) ? pairs[place]! : `^${stem(pairs[place]!)}`)),
    ]);
}

/** Parts; and if an n stands between them for "and", those without it. */
function withoutAnd(parts: readonly string[]): (readonly string[])[] {
  if (parts.length === 0) return [];
  const inner = parts.slice(1, -1).filter((part) => part !== "n");
  return [parts, [parts[0]!, ...inner, ...parts.slice(1).slice(-1)]];
}

export function askedCompound(parts: readonly string[], words: WordForms): Asked {
  return readTerms(["compound", parts.join("&")], words)[0]!;
}

function whole(term: string): Alternative {
  return all([term], 1);
}

function all(terms: readonly string[], weight: number): Alternative {
  return { terms, weight };
}

/** What is no stranger than the word itself. */
export function plainly(terms: readonly string[], weight = 1): Alternative {
  return { terms, weight, strange: 0 };
}
