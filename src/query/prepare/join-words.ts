// Joins the words of a query that records write as one, and adds to those that stay apart what records have joined. So with the pieces of
// codes and long numbers; one that was typed as one is also found in pieces.

import { endPart, makePair, pairTerm, tokenEnds } from "../../analysis/neighbour-pairs.js";
import { isToken, type QueryToken } from "../../analysis/parse-query.js";
import {
  codeTerm,
  compoundTerm,
  plainTerm,
  SPELLING_WEIGHT,
  type TermAlternative,
  wordTerm,
} from "../../analysis/query-term.js";
import { codeForms, compoundForms, stripSeparators } from "../../analysis/token-forms.js";
import type { WordForms } from "../../analysis/word-forms.js";
import type { Task } from "../../util/tasks.js";
import { LONGEST_COMPOUND, type PlacedToken, type StemmedRules } from "./expand-word.js";

/** The weight of a good spelling other than the typed one. */
const OTHER_SPELLING_WEIGHT = 0.9;
/** The maximum number of letters, or words, that are initials. */
const MOST_INITIALS = 6;
/** Shorter words are not looked for with a letter apart. */
const SHORTEST_APART = 3;
/** Pairs of words looked up between two pauses. */
const PAUSE_EVERY = 16;
/** Small words that within a query belong to what is before them: "bag for mat" has no format. */
const CONNECTIVES: ReadonlySet<string> = new Set("a an and as at by for from in of on or the to with".split(" "));

/** "u s a", "h and m", "at and t" -> a compound, where some record has the letters joined. */
export function* joinInitials(
  tokens: readonly PlacedToken[],
  { words, vocabulary }: StemmedRules,
): Task<PlacedToken[]> {
  const out: PlacedToken[] = [];
  for (let at = 0; at < tokens.length; ) {
    const { texts, end } = initialsAt(tokens, at);
    const text = texts.join("&");
    const isJoined = texts.length > 1 && (yield* vocabulary.has(words.stem(texts.join(""))));
    out.push(
      isJoined ? instead(tokens[at]!, { kind: "compound", text, term: compoundTerm(text, words) }) : tokens[at]!,
    );
    at = isJoined ? end : at + 1;
  }
  return out;
}

/** Another token at the place of one. */
export function instead({ at, from }: PlacedToken, token: Pick<QueryToken, "kind" | "text" | "term">): PlacedToken {
  return { at, from, stop: false, ...token };
}

/** Single letters from a place on, or two words with "and" between them, one of them short. */
function initialsAt(tokens: readonly QueryToken[], at: number): { readonly texts: string[]; readonly end: number } {
  const first = tokens[at]!;
  const texts = [first.text];
  let end = at + 1;
  if (first.kind !== "word") return { texts, end };
  for (let next = end; next < tokens.length && texts.length < MOST_INITIALS; next = end) {
    const { kind, stop, text } = tokens[next]!;
    if (kind === "word" && stop && text === "and") next++;
    const other = tokens[next];
    if (other?.kind !== "word") break;
    const isShort = Math.min(other.text.length, first.text.length) <= 2;
    const areLetters = other.text.length === 1 && texts.every((one) => one.length === 1);
    if (!areLetters && (next === end || !isShort || texts.length > 1)) break;
    texts.push(other.text);
    end = next + 1;
  }
  return { texts, end };
}

/** Two words that stand side by side are one where some record has that word and none has both; undefined: no record has two joined. */
export function* joinWords(tokens: readonly PlacedToken[], rules: StemmedRules): Task<PlacedToken[] | undefined> {
  const out: PlacedToken[] = [];
  let isAnyHeld = false;
  for (let at = 0; at < tokens.length; at++) {
    if ((at + 1) % PAUSE_EVERY === 0) yield;
    const [first, second] = [tokens[at]!, tokens[at + 1]];
    const text = yield* heldJoined(first, second, out.length > 0, rules);
    if (text !== undefined) isAnyHeld = true;
    const isOne = text !== undefined && !first.stop && !second!.stop;
    if (isOne && !(yield* rules.vocabulary.cooccur(apart(first, second!)))) {
      out.push(instead(first, { kind: "word", text, term: { ...wordTerm(text, rules.words), word: text } }));
      at++;
    } else out.push(first);
  }
  return isAnyHeld ? out : undefined;
}

/**
 * Words that stand side by side also find the records that have them joined: "hand bag" finds handbags. A small word counts only
 * beside its neighbour: "go pro" finds "GoPro", not all that goes.
 */
export function* addJoined(tokens: readonly PlacedToken[], rules: StemmedRules): Task<PlacedToken[]> {
  const out: PlacedToken[] = [];
  let before: readonly TermAlternative[] = [];
  for (const [at, token] of tokens.entries()) {
    if ((at + 1) % PAUSE_EVERY === 0) yield;
    const next = tokens[at + 1];
    const text = yield* heldJoined(token, next, at > 0, rules);
    const pair: TermAlternative[] =
      text === undefined
        ? []
        : [
            { terms: apart(token, next!), weight: 1, distance: 0 },
            { terms: [rules.words.stem(text)], weight: OTHER_SPELLING_WEIGHT, distance: 0 },
          ];
    out.push(withJoined(token, [...before, ...pair]));
    before = pair;
  }
  return out;
}

/** A token with its pairs, apart and joined; a small word is nothing else. */
function withJoined(token: PlacedToken, pairs: readonly TermAlternative[]): PlacedToken {
  if (pairs.length === 0) return token;
  if (!token.stop)
    return withAlternatives(
      token,
      pairs.filter(({ terms }) => terms.length === 1),
    );
  const key = pairs[0]!.terms.join(" ");
  return instead(token, { kind: "group", text: key, term: { key, alternatives: pairs, optional: true } });
}

/** A token that is found by others, too. */
export function withAlternatives(token: PlacedToken, added: readonly TermAlternative[]): PlacedToken {
  return { ...token, term: { ...token.term, alternatives: [...token.term.alternatives, ...added] } };
}

/** The first index terms of two tokens. */
function apart(...tokens: readonly QueryToken[]): string[] {
  return tokens.map(({ term }) => term.alternatives[0]!.terms[0]!);
}

/** Two words as one, which some record has; undefined: none, or they are no words, too long, or nothing but small words. */
function* heldJoined(
  first: QueryToken,
  second: QueryToken | undefined,
  isWithin: boolean,
  { words, vocabulary }: StemmedRules,
): Task<string | undefined> {
  if (first.kind !== "word" || second?.kind !== "word" || (first.stop && second.stop)) return undefined;
  if (first.stop && isWithin && CONNECTIVES.has(first.text)) return undefined;
  const text = first.text + second.text;
  if (text.length > LONGEST_COMPOUND) return undefined;
  if ((first.stop || second.stop) && words.isStopWord(text)) return undefined;
  return (yield* vocabulary.has(words.stem(text))) ? text : undefined;
}

/**
 * Tokens that stand side by side also find the codes of which they are a part: "ps 5" finds "PS5". A word finds records in which a single letter
 * of it stands apart: "xbox" finds "X Box".
 */
export function* addPairs(tokens: readonly PlacedToken[], { words, vocabulary }: StemmedRules): Task<PlacedToken[]> {
  const out: PlacedToken[] = [];
  let before: readonly string[] = [];
  for (let at = 0; at < tokens.length; at++) {
    if ((at + 1) % PAUSE_EVERY === 0) yield;
    const [token, next] = [tokens[at]!, tokens[at + 1]];
    const behind: string[] = [];
    for (const pair of next === undefined ? [] : pairForms(token, next, words))
      if (yield* vocabulary.has(pair)) behind.push(pair);
    const parted = apartForm(token, words);
    const found = parted !== undefined && (yield* vocabulary.has(parted)) ? [parted] : [];
    // A pair is only a part of a code that has several.
    if (token.kind !== "code" || codeForms(token.text).parts.length === 1) found.push(...before, ...behind);
    before = behind;
    const added = found.map((term) => ({ terms: [term], weight: OTHER_SPELLING_WEIGHT, distance: 0 }));
    out.push(added.length === 0 ? token : withAlternatives(token, added));
  }
  return out;
}

/** The term of a word or compound of which a letter stands apart. */
function apartForm({ kind, text }: QueryToken, words: WordForms): string | undefined {
  if (kind !== "word" && kind !== "compound") return undefined;
  const joined = kind === "word" ? text : compoundForms(text).joined;
  return joined.length < SHORTEST_APART ? undefined : pairTerm(joined, words);
}

/** The terms of two tokens that make a pair. */
function pairForms(first: QueryToken, second: QueryToken, words: WordForms): string[] {
  // A small word that is a letter may be one of a size: "a 4".
  const isLetter = first.text.length === 1 && second.kind === "number";
  if (!isToken(first) || !isToken(second) || (first.stop && !isLetter) || second.stop) return [];
  if (!makePair(tokenEnds(first.kind, first.text, words), tokenEnds(second.kind, second.text, words))) return [];
  const pair = endPart(first.kind, first.text, -1) + endPart(second.kind, second.text, 0);
  // Joined words are found as such, and two numbers are no third one.
  const isAlone = first.kind === second.kind && (first.kind === "word" || first.kind === "number");
  return isAlone ? [pairTerm(pair, words)] : [pairTerm(pair, words), pair];
}

const DIGIT = /[0-9]/;
const SHORTEST_JOINED_NUMBER = 5;
/** What may be a piece of a code that was typed with blanks, and the maximum number of its pieces. */
const PIECES: ReadonlySet<QueryToken["kind"]> = new Set(["word", "number", "code"]);
const MOST_PIECES = 6;
/** The pieces of a code that is typed as one, at most, and its letters and digits. */
const MOST_JOINED = 5;
const LONGEST_JOINED = 20;
/** Letters and digits behind them, or before them. */
const PIECE = /^(?:[a-z]{1,4}[0-9]*|[0-9]+[a-z]{0,4})$/;
/** The x between numbers is a cross. */
const CROSSED = /^x([0-9]+)$/;
/** The width of a tyre in mm, its height in percent of that, and its rim in inches: "2055516" is 205/55 R16. */
const TYRE = /^([1-3][0-9]5)([2-9][05])(1[0-9]|2[0-4])$/;

/** "502 654 31" -> "50265431", the longest such code, where no record has all its pieces and one has them joined. */
export function* joinCodes(tokens: readonly PlacedToken[], rules: StemmedRules): Task<readonly PlacedToken[]> {
  if (!tokens.some(({ text }) => DIGIT.test(text))) return tokens;
  const out: PlacedToken[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const code = yield* codeFrom(at, tokens, rules);
    out.push(code === undefined ? tokens[at]! : instead(tokens[at]!, code.token));
    at += (code?.size ?? 1) - 1;
  }
  return out;
}

function* codeFrom(
  from: number,
  tokens: readonly QueryToken[],
  { words, vocabulary }: StemmedRules,
): Task<{ readonly token: Pick<QueryToken, "kind" | "text" | "term">; readonly size: number } | undefined> {
  let text = "";
  let code: { readonly token: Pick<QueryToken, "kind" | "text" | "term">; readonly size: number } | undefined;
  const apart: string[] = [];
  for (const [i, piece] of tokens.slice(from, from + MOST_PIECES).entries()) {
    if (!PIECES.has(piece.kind)) break;
    text += stripSeparators(piece.written ?? piece.text);
    apart.push(...piece.term.alternatives[0]!.terms);
    const isNumber = /^[0-9]+$/.test(text);
    const mayBeJoined = i > 0 && (isNumber ? text.length >= SHORTEST_JOINED_NUMBER : DIGIT.test(text));
    if (!mayBeJoined || !(yield* vocabulary.has(text)) || (yield* vocabulary.cooccur(apart))) continue;
    const token = isNumber
      ? { kind: "number" as const, text, term: plainTerm(text) }
      : { kind: "code" as const, text, term: codeTerm(text, words) };
    code = { token, size: i + 1 };
  }
  return code;
}

/** "w81180" as "W 811/80", "25114" as "25 114": the fewest pieces that one record has side by side. */
export function* codeApart({ kind, text }: QueryToken, rules: StemmedRules): Task<TermAlternative[]> {
  const { vocabulary, words } = rules;
  const found: TermAlternative[] = [];
  const add = function* (terms: readonly string[]): Task<void> {
    if (yield* vocabulary.cooccur(terms)) found.push({ terms, weight: SPELLING_WEIGHT, distance: 0 });
  };
  if (kind === "number") {
    if (text.length >= SHORTEST_JOINED_NUMBER) yield* add([pairTerm(text, words)]);
    const [, width, height, rim] = TYRE.exec(text) ?? [];
    if (height !== undefined)
      for (const last of [`r${rim}`, pairTerm(`r${rim}`, words), `${height}r${rim}`])
        yield* add([pairTerm(width! + height, words), last]);
  }
  const joined = stripSeparators(text);
  if (kind !== "code" || joined.length > LONGEST_JOINED) return found;
  let ways: readonly JoinedPieces[] = [{ end: 0, last: "", terms: [], hasBreak: false }];
  for (let count = 1; count <= MOST_JOINED && found.length === 0; count++) {
    const longer: JoinedPieces[] = [];
    for (const way of ways)
      for (let end = way.end + 1; end <= joined.length; end++) {
        const next = yield* withPiece(way, joined.slice(way.end, end), rules);
        if (next === undefined) continue;
        if (end < joined.length) longer.push(next);
        else yield* add(next.terms);
      }
    ways = longer;
  }
  return found;
}

/** The first pieces of a code that is typed as one. */
interface JoinedPieces {
  readonly end: number;
  readonly last: string;
  /** What a record has that has them. */
  readonly terms: readonly string[];
  /** Whether letters follow letters somewhere: nothing tells that these stand side by side. */
  readonly hasBreak: boolean;
}

/** With one piece more; undefined: no record has it, or has it beside the piece before. */
function* withPiece(
  { end, last, terms, hasBreak }: JoinedPieces,
  piece: string,
  { words, vocabulary }: StemmedRules,
): Task<JoinedPieces | undefined> {
  if (!PIECE.test(piece)) return undefined;
  const isBehindDigit = DIGIT.test(last.at(-1) ?? "");
  const [, crossed] = (isBehindDigit && CROSSED.exec(piece)) || [];
  const more = crossed !== undefined ? [crossed] : piece.length > 1 || DIGIT.test(piece) ? [piece] : [];
  const isBreak = last !== "" && !isBehindDigit && !DIGIT.test(piece[0]!);
  if (isBreak && (hasBreak || !DIGIT.test(last) || !DIGIT.test(piece))) return undefined;
  if (last !== "" && !isBreak && crossed === undefined)
    more.push(pairTerm(endPart("code", last, -1) + endPart("code", piece, 0), words));
  for (const term of more) if (!(yield* vocabulary.has(term))) return undefined;
  const all = [...new Set([...terms, ...more])];
  return { end: end + piece.length, last: piece, terms: all, hasBreak: hasBreak || isBreak };
}
