// Rewrites the tokens of a query into the terms that are searched: adds synonyms, joins neighbours, drops stop words, and expands
// words that no live record holds. Such a word is completed (the last one), split or corrected, in this order. A word that few
// records hold is split and corrected too, with less weight; other words are not expanded, because that loses more than it finds
// (docs/scoring.md). Words that the embedder knows are no typing errors, unless the query finds nothing near.

import { identifierTerm } from "../analysis/identifier-terms.js";
import { formsOfNegation, negationsIn } from "../analysis/negations.js";
import { endPart, makePair, pairTerm, tokenEnds } from "../analysis/neighbour-pairs.js";
import { isToken, type QueryToken, readTokens } from "../analysis/parse-query.js";
import type { QueryTerm, TermAlternative } from "../analysis/query-term.js";
import {
  codeTerm,
  compoundTerm,
  otherSigns,
  PARTS_WEIGHT,
  plainTerm,
  SPELLING_WEIGHT,
  wordTerm,
} from "../analysis/query-term.js";
import type { TokenKind } from "../analysis/scan-tokens.js";
import { isSynonym, type SynonymTable } from "../analysis/synonyms.js";
import { PAIR_MARK, stemOf, writtenForm } from "../analysis/term-marks.js";
import { headOf } from "../analysis/title-roles.js";
import { codeForms, compoundForms, stripSeparators } from "../analysis/token-forms.js";
import { PLAIN_WORDS, type WordForms } from "../analysis/word-forms.js";
import type { TypedQuery } from "../inverted/title/title-evidence.js";
import { HELD, type Vocabulary } from "../inverted/vocabulary.js";
import type { Analyzer } from "../util/extension-points.js";
import { has } from "../util/json.js";
import type { Task } from "../util/tasks.js";
import { type CompoundEnds, CompoundWords } from "./compound-words.js";

/** What rewriting a query depends on. */
export interface RewriteRules {
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
  /** Whether the embedder knows a word and vectors are searched: such a word is neither a typo nor a prefix. */
  readonly isKnownToEmbedder: (word: string) => boolean;
  /** Whether the embedder knows a word; null: it was not asked for the query, or does not say which words it knows. */
  readonly isWord: ((word: string) => boolean) | null;
  /** Whether the word table of the language has a word; it may be a part of a compound. */
  readonly isInDictionary: (word: string) => boolean;
  /** Whether words that the embedder knows are corrected too: the query finds nothing near. */
  readonly correctsKnown: boolean;
}

/** The same, where words have stems; a user's analyzer has none. */
type StemmedRules = RewriteRules & { readonly words: WordForms };

const ONE_TYPO = 4;
const TWO_TYPOS = 8;
/** The maximum number of completions of one word, and of all words of a query. */
const MAX_COMPLETIONS = 100;
const MAX_COMPLETIONS_IN_ALL = 400;
/** The maximum number of corrected words: each takes a pass over the vocabulary. */
const MAX_CORRECTED = 16;
/** Shorter numbers are no beginning of an identifier. */
const SHORTEST_NUMBER = 3;
/** The last part of a compound may be completed by itself from so many letters on. */
const SHORTEST_BEGINNING = 2;
/** Words of this length that the embedder knows are not completed; shorter ones are, such as "cha" for "chair". */
const WHOLE_WORD = 6;
/** Longer words are not split, because each position takes two stems. */
const LONGEST_COMPOUND = 32;

/** A term of these kinds begins with a mark. */
const MARKED = /^[=#+^]/;

/** The weight of what only begins with a token, where some record has the token itself. */
const UNFINISHED_WEIGHT = 0.5;
/** The weight of a good spelling other than the typed one. */
const OTHER_SPELLING_WEIGHT = 0.9;
/** The weight of the other spellings of a rare word. */
const RARE_WORD_WEIGHT = 0.5;
/** A word is rare if one of so many records has it, or a single one. */
const RARE = 1000;
/** A frequent word is one that so many records have; beside a word that the embedder knows, also one of so many. */
const MORE_FREQUENT = 10;
const FREQUENT = 100;
/** Shorter words are not looked for with a letter apart. */
const SHORTEST_APART = 3;
/** Pairs of words looked up between two pauses. */
const PAUSE_EVERY_PAIR = 16;
/** Small words that within a query belong to what is before them: "bag for mat" has no format. */
const CONNECTIVES: ReadonlySet<string> = new Set("a an and as at by for from in of on or the to with".split(" "));

/** What may be a piece of a code that was typed with blanks, and the maximum number of its pieces. */
const PIECES: ReadonlySet<QueryToken["kind"]> = new Set(["word", "number", "code"]);
const MOST_PIECES = 6;
const SHORTEST_JOINED_NUMBER = 5;

/** The maximum number of unheld words given to an embedder, which compares each with its whole vocabulary. */
const MAX_EMBEDDED_WORDS = 8;

/** What is searched for a query. */
export interface RewrittenQuery {
  /** Distinct, at most `maxTerms`; stop words only where nothing else is left. */
  readonly terms: readonly QueryTerm[];
  /** Its tokens in reading order, each once, also the stop words that are no terms. */
  readonly typed: TypedQuery;
  /** The tokens that no live record holds in any form, and what stands for them. */
  readonly unheld: readonly UnheldToken[];
}

/** A token that no live record holds in any form. */
export interface UnheldToken {
  readonly token: QueryToken;
  /** `unknown`: nothing stands for it. */
  readonly became: "completed" | "corrected" | "split" | "unknown";
  readonly alternatives: readonly TermAlternative[];
  /** How it was read, where a query is read in several languages. */
  readonly reading?: Pick<RewriteRules, "words" | "exactFields"> | undefined;
}

/** A token and its place in the query. */
type PlacedToken = QueryToken & { readonly at: number };

function placeOf({ at, from }: PlacedToken): Pick<PlacedToken, "at" | "from"> {
  return { at, from };
}

/** Rewrites the tokens of a query. */
export function* rewriteQuery(tokens: readonly QueryToken[], rules: RewriteRules): Task<RewrittenQuery> {
  const { tokens: joined, unwanted } = joinNegations(yield* rules.synonyms.apply(tokens), rules.words);
  const split = yield* splitUnknown(joined, rules.vocabulary);
  const grouped = split.map((token, at): PlacedToken => ({ ...token, at }));
  const isOwn = has(rules.words, "analyze");
  // A user's analyzer gives stems: these are neither stemmed again nor joined.
  const words = isOwn ? PLAIN_WORDS : rules.words;
  const stemmed = { ...rules, words };
  const distinct = mergeEqual(yield* isOwn ? addPairs(grouped, stemmed) : joinTyped(grouped, stemmed));
  const unfinished = yield* unfinishedStopWord(distinct, rules);
  const telling = distinct.filter((token) => !token.stop || token === unfinished);
  const kept = (telling.length > 0 ? telling : distinct).slice(0, rules.maxTerms);
  const signed = isOwn ? kept : yield* withSigns(kept, rules.vocabulary);
  const unheld: UnheldToken[] = [];
  const expanded = mergeEqual(yield* expandTokens(signed, stemmed, unheld));
  const terms = expanded.map(({ term }) => (rules.optionalWords.has(term.key) ? { ...term, optional: true } : term));
  const small = distinct.filter(({ stop, term }) => stop && !terms.some(({ key }) => key === term.key));
  return { terms, typed: typedQuery(expanded, small, unwanted, words), unheld };
}

/** Makes one token of each negation; what a record with it has not is told besides. */
function joinNegations(
  tokens: readonly QueryToken[],
  words: RewriteRules["words"],
): { readonly tokens: readonly QueryToken[]; readonly unwanted: ReadonlyMap<string, readonly string[]> } {
  const unwanted = new Map<string, readonly string[]>();
  if (has(words, "analyze") || !words.hasNegations) return { tokens, unwanted };
  const out = [...tokens];
  for (const { from, to, words: negated } of [...negationsIn(tokens)].reverse()) {
    const key = `${NEGATION_MARK}${negated.join(" ")}`;
    const text = tokens
      .slice(from, to)
      .map((token) => token.text)
      .join(" ");
    const term = { key, alternatives: formsOfNegation(negated, words), optional: true };
    out.splice(from, to - from, { kind: "negation", text, stop: false, term, from: tokens[from]?.from });
    unwanted.set(
      key,
      negated.map((word) => words.stem(word)),
    );
  }
  return { tokens: out, unwanted };
}

/** Begins the keys of terms that say what is not wanted. */
const NEGATION_MARK = "!";

/** Small words that say nothing about a product. */
const SAYS_NOTHING = new Set(["the", "a", "an", "of", "and", "or"]);
/** The kinds of tokens that may be the head of a query. */
const NOUNS: ReadonlySet<QueryToken["kind"]> = new Set(["word", "compound", "group"]);

/** What is before a preposition is a thing if it has few words; of more, it is a sentence. */
const MOST_OF_THING = 3;
/** So is a query of more terms; a number and its unit count twice. */
const MOST_OF_THING_AND_OWNER = 8;

function namesThing(placed: readonly { readonly term: number }[]): boolean {
  return termsOf(placed).length <= MOST_OF_THING;
}

function termsOf(placed: readonly { readonly term: number }[]): number[] {
  return placed.flatMap(({ term }) => (term < 0 ? [] : [term]));
}

/** The query as it was typed. `searched`: by term; `small`: the stop words that are no terms; `unwanted`: by term, what it negates. */
function typedQuery(
  searched: readonly PlacedToken[],
  small: readonly PlacedToken[],
  unwanted: ReadonlyMap<string, readonly string[]>,
  { titles, smallWords, language, isSameWord }: WordForms,
): TypedQuery {
  const placed = [...searched.map((token, term) => ({ token, term })), ...small.map((token) => ({ token, term: -1 }))];
  if (small.length > 0) placed.sort((a, b) => a.token.at - b.token.at);
  const kindOf = (token: QueryToken): TokenKind =>
    isToken(token) ? token.kind : token.kind === "quantity" ? "number" : "word";
  const syntaxes = placed.map(({ token }) => titles.syntaxOf(kindOf(token), token.text));
  // The small words of other languages are few, and all say nothing.
  const saysNothing = (text: string): boolean =>
    language === "en" || language === undefined ? SAYS_NOTHING.has(text) : smallWords.has(text);
  const { unspaced } = titles;
  // The pairs of a run without blanks are one word.
  const isInRun = (at: number): boolean =>
    unspaced !== undefined && searched[at]!.kind === "unspaced" && searched[at - 1]?.kind === "unspaced";
  const size = searched.reduce((sum, { kind }, at) => sum + (kind === "quantity" ? 2 : isInRun(at) ? 0 : 1), 0);
  const lastPurpose =
    unspaced === undefined
      ? -1
      : placed.findLastIndex(({ token: { kind, text } }) => kind === "unspaced" && text.endsWith(unspaced.purpose));
  const { head, boundary } = headOf(syntaxes, titles, (place) => {
    const { token, term } = placed[place]!;
    const isNoun = NOUNS.has(token.kind) || (token.kind === "unspaced" && unspaced !== undefined);
    return term >= 0 && !token.stop && token.text.length > 1 && isNoun && place > lastPurpose;
  });
  return {
    tokens: placed.map(({ token: { term: own, text, from }, term }) => ({
      term,
      text,
      alternatives: own.alternatives,
      word: own.word,
      isTelling: term < 0 && !saysNothing(text),
      from,
    })),
    head,
    // Where the head comes first, many things begin alike: "agencia de viajes", "agencia de traducción".
    headNeedsAll: titles.headFirst,
    isSameWord,
    belonging: new Set(
      // Where the head is first, what follows "de" often says which thing it is: "sala de cine".
      !titles.headFirst && size <= MOST_OF_THING_AND_OWNER && namesThing(placed.slice(0, boundary)) && head >= 0
        ? termsOf(placed.slice(boundary))
        : [],
    ),
    size,
    unwanted: placed.flatMap(({ token: { term } }, at) => {
      const terms = unwanted.get(term.key);
      return terms === undefined ? [] : [{ at, terms }];
    }),
  };
}

/** The last token, if it is a stop word that may be the beginning of a word: "he" of "headset". */
function* unfinishedStopWord(
  tokens: readonly QueryToken[],
  { queryType, vocabulary }: RewriteRules,
): Task<QueryToken | undefined> {
  const last = tokens.at(-1);
  if (last?.kind !== "word" || !last.stop || tokens.every(({ stop }) => stop)) return undefined;
  if (queryType === "prefixLast" || queryType === "prefixAll") return last;
  return queryType === "prefixNone" || (yield* isIndexed(last.term, vocabulary)) ? undefined : last;
}

/** What a query may still spend on searching the vocabulary. */
interface Budget {
  corrections: number;
  completions: number;
  readonly unheld: UnheldToken[];
}

/** The tokens, with unheld words expanded. */
function* expandTokens(
  tokens: readonly PlacedToken[],
  rules: StemmedRules,
  unheld: UnheldToken[],
): Task<PlacedToken[]> {
  const joined = yield* joinCodes(tokens, rules);
  const budget: Budget = { corrections: MAX_CORRECTED, completions: MAX_COMPLETIONS_IN_ALL, unheld };
  const out: PlacedToken[] = [];
  const areStopWords = joined.every(({ stop }) => stop);
  for (let at = 0; at < joined.length; at++) {
    const token = joined[at]!;
    const place = { at, tokens: joined };
    const term = yield* expandToken(token, place, rules, budget);
    if (!token.stop || areStopWords) out.push(term === token.term ? token : { ...token, term });
    // A stop word among others was kept only to be completed.
    else if (term.alternatives.length > token.term.alternatives.length)
      out.push({ ...token, term: { ...term, optional: true } });
  }
  return out;
}

/** Replaces quantities and signed tokens that no record holds by their words and numbers. */
function* splitUnknown(tokens: readonly QueryToken[], vocabulary: Vocabulary): Task<QueryToken[]> {
  const out: QueryToken[] = [];
  /** By key, because a query may repeat a token many times. */
  const known = new Map<string, boolean>();
  for (const token of tokens) {
    const { key } = token.term;
    let isWhole = token.plain === undefined || known.get(key);
    if (isWhole === undefined) {
      isWhole = yield* isHeldWhole(token, vocabulary);
      known.set(key, isWhole);
    }
    out.push(...(isWhole ? [token] : token.plain!));
  }
  return out;
}

/** A compound with points or slashes counts as such only where it is written joined somewhere, else as its words. */
function isHeldWhole({ kind, term }: QueryToken, vocabulary: Vocabulary): Task<boolean> {
  return kind === "compound"
    ? vocabulary.has(term.alternatives[0]!.terms[0]!)
    : isIndexed(wholeForms(term), vocabulary);
}

/** A term without the alternatives that are only its parts. */
function wholeForms(term: QueryTerm): QueryTerm {
  return { ...term, alternatives: term.alternatives.filter(({ weight }) => weight > PARTS_WEIGHT) };
}

/** Joins what records have joined: initials, then words; then adds what stands side by side. */
function* joinTyped(tokens: readonly PlacedToken[], rules: StemmedRules): Task<PlacedToken[]> {
  const initials = yield* joinInitials(tokens, rules);
  const joined = yield* joinWords(initials, rules);
  return yield* addPairs(joined === undefined ? initials : yield* addJoined(joined, rules), rules);
}

/**
 * Tokens that stand side by side also find the codes of which they are a part: "ps 5" finds "PS5". A word finds records in which a single letter
 * of it stands apart: "xbox" finds "X Box".
 */
function* addPairs(tokens: readonly PlacedToken[], rules: StemmedRules): Task<PlacedToken[]> {
  const { words, vocabulary } = rules;
  const out: PlacedToken[] = [];
  let before: readonly string[] = [];
  for (let at = 0; at < tokens.length; at++) {
    if ((at + 1) % PAUSE_EVERY_PAIR === 0) yield;
    const [token, next] = [tokens[at]!, tokens[at + 1]];
    const behind: string[] = [];
    for (const pair of next === undefined ? [] : pairForms(token, next, words))
      if (yield* vocabulary.has(pair)) behind.push(pair);
    const apart = apartForm(token, words);
    const found = apart !== undefined && (yield* vocabulary.has(apart)) ? [apart] : [];
    // A pair is only a part of a code that has several.
    if (token.kind !== "code" || codeForms(token.text).parts.length === 1) found.push(...before, ...behind);
    before = behind;
    if (found.length === 0) {
      out.push(token);
      continue;
    }
    const added = found.map((term) => ({ terms: [term], weight: OTHER_SPELLING_WEIGHT, distance: 0 }));
    out.push({ ...token, term: { ...token.term, alternatives: [...token.term.alternatives, ...added] } });
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

/** "u s a", "h and m", "at and t" -> a compound, where some record has the letters joined. */
function* joinInitials(tokens: readonly PlacedToken[], { words, vocabulary }: StemmedRules): Task<PlacedToken[]> {
  const out: PlacedToken[] = [];
  for (let at = 0; at < tokens.length; ) {
    const { texts, end } = initialsAt(tokens, at);
    const text = texts.join("&");
    const isJoined = texts.length > 1 && (yield* vocabulary.has(words.stem(texts.join(""))));
    if (isJoined)
      out.push({ ...placeOf(tokens[at]!), kind: "compound", text, stop: false, term: compoundTerm(text, words) });
    else out.push(tokens[at]!);
    at = isJoined ? end : at + 1;
  }
  return out;
}

/** Single letters from a place on, or two words with "and" between them, one of them short. */
function initialsAt(tokens: readonly QueryToken[], at: number): { readonly texts: string[]; readonly end: number } {
  const isWord = (token: QueryToken | undefined): token is QueryToken => token?.kind === "word";
  const isAnd = (token: QueryToken | undefined): boolean => isWord(token) && token.stop && token.text === "and";
  const first = tokens[at]!;
  const texts = [first.text];
  let end = at + 1;
  if (!isWord(first)) return { texts, end };
  for (let next = end; next < tokens.length && texts.length < MOST_PIECES; next = end) {
    if (isAnd(tokens[next])) next++;
    const other = tokens[next];
    if (!isWord(other)) break;
    const isShort = Math.min(other.text.length, first.text.length) <= 2;
    const areLetters = other.text.length === 1 && texts.every((text) => text.length === 1);
    if (!areLetters && (next === end || !isShort || texts.length > 1)) break;
    texts.push(other.text);
    end = next + 1;
  }
  return { texts, end };
}

/** The kinds that records may have with + or # after them. */
const SIGNABLE: ReadonlySet<QueryToken["kind"]> = new Set(["word", "number", "code", "compound"]);

/** "c++" without "c": a single letter or digit is a part of so many codes that it would tell nothing. */
function withoutLetter(term: QueryTerm): QueryTerm {
  return { ...term, alternatives: term.alternatives.filter(({ terms }) => terms.length > 1 || terms[0]!.length > 1) };
}

/** The tokens, each also with the signs that it has in some record. */
function* withSigns(tokens: readonly PlacedToken[], vocabulary: Vocabulary): Task<PlacedToken[]> {
  const out: PlacedToken[] = [];
  for (const token of tokens) {
    const { kind, term } = token;
    if (kind === "signed") {
      out.push((yield* vocabulary.has(term.key)) ? { ...token, term: withoutLetter(term) } : token);
      continue;
    }
    const signed = otherSigns(term);
    const isHeld = SIGNABLE.has(kind) && (yield* vocabulary.has(signed.terms[0]!));
    out.push(isHeld ? { ...token, term: { ...term, alternatives: [...term.alternatives, signed] } } : token);
  }
  return out;
}

/** Where a token stands in the query. */
interface TokenPlace {
  readonly at: number;
  readonly tokens: readonly QueryToken[];
}

const NO_ENDS: CompoundEnds = { strict: [], loose: [] };

function* expandToken(token: QueryToken, place: TokenPlace, rules: StemmedRules, budget: Budget): Task<QueryTerm> {
  const { term } = token;
  const isLast = place.at === place.tokens.length - 1;
  const isAlone = place.tokens.length === 1;
  const { vocabulary, queryType } = rules;
  const held = yield* isIndexed(term, vocabulary);
  const compounds = token.kind === "word" && !token.stop ? CompoundWords.of(rules.words, rules) : null;
  const ends = compounds === null ? NO_ENDS : yield* compounds.ending(token.text);
  const others = held ? [] : [...(yield* withUmlauts(token, rules)), ...(yield* codeApart(token, rules))];
  if (compounds !== null) others.push(...ends.strict, ...(yield* compounds.apart(token.text)));
  const indexed = held || others.length > 0;
  const finished = others.length > 0 || (held && (yield* isHeldAsTyped(token, vocabulary)));
  const knownToEmbedder = !indexed && token.kind === "word" && rules.isKnownToEmbedder(token.text);
  const asNeeded = queryType === "prefixAuto" && !finished && !(knownToEmbedder && token.text.length >= WHOLE_WORD);
  // A code that is the whole query finds longer ones too, because one may be typed from its beginning.
  const isCode = isAlone && queryType !== "prefixNone" && mayBeIdentifier(token);
  const completes = (isLast && (queryType === "prefixLast" || asNeeded)) || queryType === "prefixAll" || isCode;
  const joined = [...ends.loose];
  const added: TermAlternative[] = [];
  if (completes) added.push(...(yield* complete(token, { isAlone, finished }, rules, budget)));
  let became: UnheldToken["became"] = added.length > 0 ? "completed" : "unknown";
  if (token.kind === "word" && !token.stop) {
    if (held) added.push(...(yield* otherSpellings(token, rules, budget)));
    else if (!indexed && added.length > 0) {
      const mended = knownToEmbedder || !asNeeded ? [] : yield* correctUnfinished(token, added, rules, budget);
      if (mended.length > 0) became = "corrected";
      added.push(...mended);
    } else if (!indexed) {
      const mended = yield* knownToEmbedder && !rules.correctsKnown
        ? correctKnown(token, place, rules, budget)
        : correctUnit(token, place, rules, budget);
      const halves = yield* split(token.text, rules, LONG_HALVES);
      const isCorrected = mended.length > 0 && (halves.length === 0 || (yield* isFrequent(mended, rules)));
      added.push(...(isCorrected ? mended : []), ...halves);
      if (added.length === 0 && (!knownToEmbedder || rules.correctsKnown))
        added.push(...(yield* split(token.text, rules, SHORT_HALVES)));
      became = isCorrected ? "corrected" : "split";
      if (added.length === 0 && compounds !== null)
        joined.push(...(yield* compounds.partly(token.text, rules.isKnownToEmbedder)));
    }
  }
  // What is only found in compounds is no error, so nothing is told of it.
  if (!indexed && token.kind !== "negation" && (added.length > 0 || joined.length === 0))
    budget.unheld.push({ token, became: added.length === 0 ? "unknown" : became, alternatives: added });
  if (compounds !== null && !completes) joined.push(...(yield* compounds.beginning(token.text)));
  if (others.length + added.length + joined.length === 0 && !knownToEmbedder) return term;
  const alternatives = [...term.alternatives, ...others, ...added, ...joined];
  const byPart = !indexed && added.length === 0 && joined.length > 0;
  return { ...term, alternatives, ...(knownToEmbedder ? { knownToEmbedder } : {}), ...(byPart ? { byPart } : {}) };
}

/**
 * A word that few records hold also finds its halves and, unless the embedder knows it, far more frequent words next to it: a spelling
 * of a few records does not hide the others.
 */
function* otherSpellings(token: QueryToken, rules: StemmedRules, budget: Budget): Task<TermAlternative[]> {
  const { vocabulary, words } = rules;
  const rare = Math.max(1, Math.floor(vocabulary.docCount / RARE));
  const holders = yield* vocabulary.countWritten(token.text, words, rare + 1);
  if (holders > rare) return [];
  const halves = yield* split(token.text, rules, LONG_HALVES);
  const added = halves.map((one) => ({ ...one, weight: RARE_WORD_WEIGHT, distance: 1 }));
  // Without an embedder, nothing tells a rare word from a typing error.
  const { isWord } = rules;
  if (isWord === null || token.term.alternatives.some(isSynonym)) return added;
  if ([token.text, ...words.otherNumbers(token.text)].some(isWord)) return added;
  if (!mayBeCorrected(token, rules) || budget.corrections-- <= 0) return added;
  // Where only other words of its stem are held, none of these is what was typed.
  const form = holders === 0 ? { weight: 1, distance: 0 } : { weight: RARE_WORD_WEIGHT, distance: 1 };
  const least = Math.max(1, holders);
  const stems = new Set<string>();
  for (const term of yield* vocabulary.neighbours(token.text, words, rules.exactFields))
    if (!stems.has(stemOf(term)) && (yield* vocabulary.count(stemOf(term), least)) >= least) stems.add(stemOf(term));
  for (const stem of [...stems].sort()) added.push({ terms: [stem], ...form, notIn: rules.exactFields });
  return added;
}

/** Two letters for an umlaut, and the maximum number of places that are tried in all ways. */
const UMLAUT = /(?<=[aou])e/g;
const UMLAUT_OR_RING = /(?<=[aou])e|(?<=a)a/g;
const MOST_UMLAUTS = 4;
const SHORTEST_WITH_UMLAUT = 2;
/** Shorter words that the embedder knows are words of their own: "blue", "shoe". */
const SHORTEST_NAME = 5;

/** "kuehlbox" as "kühlbox", which records have without its points, where some record has that. */
function* withUmlauts({ kind, text, stop }: QueryToken, rules: StemmedRules): Task<TermAlternative[]> {
  const umlaut = rules.words.normalization.digraphs?.å === undefined ? UMLAUT : UMLAUT_OR_RING;
  const places = [...text.matchAll(umlaut)].map(({ index }) => index).slice(0, MOST_UMLAUTS);
  if (kind !== "word" || stop || places.length === 0) return [];
  if (text.length < SHORTEST_NAME && rules.isKnownToEmbedder(text)) return [];
  const found: TermAlternative[] = [];
  for (let chosen = 1; chosen < 1 << places.length; chosen++) {
    const form = places.reduceRight(
      (rest, place, i) => (((chosen >>> i) & 1) === 0 ? rest : rest.slice(0, place) + rest.slice(place + 1)),
      text,
    );
    const stem = rules.words.stem(form);
    const isWord = form.length >= SHORTEST_WITH_UMLAUT && !rules.words.isStopWord(form);
    if (isWord && (yield* rules.vocabulary.has(stem))) found.push({ terms: [stem], weight: 1, distance: 0 });
  }
  return found;
}

/** The pieces of a code that is typed as one, at most, and its letters and digits. */
const MOST_JOINED = 5;
const LONGEST_JOINED = 20;
/** Letters and digits behind them, or before them. */
const PIECE = /^(?:[a-z]{1,4}[0-9]*|[0-9]+[a-z]{0,4})$/;
/** The x between numbers is a cross. */
const CROSSED = /^x([0-9]+)$/;
/** The width of a tyre in mm, its height in percent of that, and its rim in inches: "2055516" is 205/55 R16. */
const TYRE = /^([1-3][0-9]5)([2-9][05])(1[0-9]|2[0-4])$/;

/** "w81180" as "W 811/80", "25114" as "25 114": the fewest pieces that one record has side by side. */
function* codeApart({ kind, text }: QueryToken, rules: StemmedRules): Task<TermAlternative[]> {
  const { vocabulary, words } = rules;
  const joined = stripSeparators(text);
  const found: TermAlternative[] = [];
  const take = function* (terms: readonly string[]): Task<void> {
    if (yield* vocabulary.cooccur(terms)) found.push({ terms, weight: SPELLING_WEIGHT, distance: 0 });
  };
  if (kind === "number") {
    if (text.length >= SHORTEST_JOINED_NUMBER) yield* take([pairTerm(text, words)]);
    const [, width, height, rim] = TYRE.exec(text) ?? [];
    if (height !== undefined)
      for (const last of [`r${rim}`, pairTerm(`r${rim}`, words), `${height}r${rim}`])
        yield* take([pairTerm(width! + height, words), last]);
  }
  if (kind !== "code" || joined.length > LONGEST_JOINED) return found;
  let ways: readonly JoinedPieces[] = [{ end: 0, last: "", terms: [], hasBreak: false }];
  for (let count = 1; count <= MOST_JOINED && found.length === 0; count++) {
    const longer: JoinedPieces[] = [];
    for (const way of ways)
      for (let end = way.end + 1; end <= joined.length; end++) {
        const next = yield* withPiece(way, joined.slice(way.end, end), rules);
        if (next === undefined) continue;
        if (end < joined.length) longer.push({ ...next, end });
        else yield* take(next.terms);
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
  { last, terms, hasBreak }: JoinedPieces,
  piece: string,
  { words, vocabulary }: StemmedRules,
): Task<Omit<JoinedPieces, "end"> | undefined> {
  if (!PIECE.test(piece)) return undefined;
  const isBehindDigit = DIGIT.test(last.at(-1) ?? "");
  const [, crossed] = (isBehindDigit && CROSSED.exec(piece)) || [];
  const more = crossed !== undefined ? [crossed] : piece.length > 1 || DIGIT.test(piece) ? [piece] : [];
  const isBreak = last !== "" && !isBehindDigit && !DIGIT.test(piece[0]!);
  if (isBreak && (hasBreak || !DIGIT.test(last) || !DIGIT.test(piece))) return undefined;
  if (last !== "" && !isBreak && crossed === undefined)
    more.push(pairTerm(endPart("code", last, -1) + endPart("code", piece, 0), words));
  for (const term of more) if (!(yield* vocabulary.has(term))) return undefined;
  return { last: piece, terms: [...new Set([...terms, ...more])], hasBreak: hasBreak || isBreak };
}

const DIGIT = /[0-9]/;

function mayBeIdentifier({ kind, text }: Pick<QueryToken, "kind" | "text">): boolean {
  return kind === "code" || (kind === "number" && text.length >= SHORTEST_NUMBER);
}

/** Whether a record holds a held token as it is, not only its parts: those of an unfinished compound or code say nothing. */
function isHeldAsTyped({ kind, term }: QueryToken, vocabulary: Vocabulary): Task<boolean> {
  if (kind !== "compound" && kind !== "code") return HELD;
  const isWhole = ({ terms, weight }: TermAlternative): boolean =>
    kind === "compound" ? terms.length === 1 && terms[0]![0] !== PAIR_MARK : weight === 1;
  return isIndexed({ ...term, alternatives: term.alternatives.filter(isWhole) }, vocabulary);
}

/** A completion of a token: index terms that a record must all hold. */
type Completion = Pick<TermAlternative, "terms" | "weight">;

/** What begins with a token; it counts less, and is farther from the query, than the token where some record has that. */
function* complete(
  token: QueryToken,
  { isAlone, finished }: { readonly isAlone: boolean; readonly finished: boolean },
  { words, vocabulary }: StemmedRules,
  budget: Budget,
): Task<TermAlternative[]> {
  const max = Math.min(MAX_COMPLETIONS, budget.completions);
  if (max === 0) return [];
  const found = yield* completionsOf(token, { isAlone, max }, words, vocabulary);
  budget.completions -= Math.min(max, found.length);
  return found.map(({ terms, weight }) => ({
    terms,
    weight: finished ? UNFINISHED_WEIGHT * weight : weight,
    distance: finished ? 1 : 0,
  }));
}

function* completionsOf(
  { kind, text, plain }: QueryToken,
  { isAlone, max }: { readonly isAlone: boolean; readonly max: number },
  words: WordForms,
  vocabulary: Vocabulary,
): Task<readonly Completion[]> {
  const whole = (terms: readonly string[]): Completion[] => terms.map((one) => ({ terms: [one], weight: 1 }));
  switch (kind) {
    case "word":
      return whole(yield* vocabulary.wordsFrom(text, max));
    case "compound":
      return yield* compoundsFrom(text, max, words, vocabulary);
    case "code":
    case "number":
      return whole(
        yield* codesFrom(text, kind === "code" || (isAlone && mayBeIdentifier({ kind, text })), max, vocabulary),
      );
    case "quantity": {
      const last = plain!.at(-1)!;
      const first = plain!.slice(0, -1).flatMap((token) => token.term.alternatives[0]!.terms);
      const found = yield* completionsOf(last, { isAlone: false, max }, words, vocabulary);
      return found.map(({ terms, weight }) => ({ terms: [...new Set([...first, ...terms])], weight }));
    }
    default:
      return [];
  }
}

/** "t-sh" -> "t-shirt", and what is written "tshirt" or "t shirt". */
function* compoundsFrom(
  text: string,
  max: number,
  words: WordForms,
  vocabulary: Vocabulary,
): Task<readonly Completion[]> {
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
function* codesFrom(text: string, asIdentifier: boolean, max: number, vocabulary: Vocabulary): Task<readonly string[]> {
  const joined = stripSeparators(text);
  const identifier = asIdentifier ? identifierTerm(joined) : undefined;
  const prefixes = new Set([...(identifier === undefined ? [] : [identifier]), codeForms(text).whole, joined]);
  const found = new Set<string>();
  for (const prefix of prefixes)
    if (found.size < max) for (const one of yield* vocabulary.termsFrom(prefix, max - found.size)) found.add(one);
  return [...found];
}

/** The least length of the shorter half of a word, from the first up to the second. */
type HalfLengths = readonly [number, number];

const SHORT_HALVES: HalfLengths = [2, 3];
const LONG_HALVES: HalfLengths = [3, LONGEST_COMPOUND];

/** "headphones" -> "head phones", where one record has both halves. */
function* split(
  word: string,
  { words, vocabulary }: StemmedRules,
  [least, above]: HalfLengths,
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

/** Two words that stand side by side are one where some record has that word and none has both; undefined: no record has two joined. */
function* joinWords(tokens: readonly PlacedToken[], rules: StemmedRules): Task<PlacedToken[] | undefined> {
  const { words, vocabulary } = rules;
  const out: PlacedToken[] = [];
  let isJoined = false;
  for (let at = 0; at < tokens.length; at++) {
    if ((at + 1) % PAUSE_EVERY_PAIR === 0) yield;
    const [first, second] = [tokens[at]!, tokens[at + 1]];
    const text = joinedText(first, second, out.length > 0, words);
    const isHeld = text !== undefined && (yield* vocabulary.has(words.stem(text)));
    if (isHeld) isJoined = true;
    if (!isHeld || first.stop || second!.stop || (yield* vocabulary.cooccur(apart(first, second!)))) {
      out.push(first);
      continue;
    }
    out.push({ ...placeOf(first), kind: "word", text, stop: false, term: { ...wordTerm(text, words), word: text } });
    at++;
  }
  return isJoined ? out : undefined;
}

/**
 * Words that stand side by side also find the records that have them joined: "hand bag" finds handbags. A small word counts only
 * beside its neighbour: "go pro" finds "GoPro", not all that goes.
 */
function* addJoined(tokens: readonly PlacedToken[], { words, vocabulary }: StemmedRules): Task<PlacedToken[]> {
  const out: PlacedToken[] = [];
  let before: readonly TermAlternative[] = [];
  for (const [at, token] of tokens.entries()) {
    if ((at + 1) % PAUSE_EVERY_PAIR === 0) yield;
    const next = tokens[at + 1];
    const text = joinedText(token, next, at > 0, words);
    const stem = text === undefined ? "" : words.stem(text);
    const pair: TermAlternative[] =
      text !== undefined && (yield* vocabulary.has(stem))
        ? [
            { terms: apart(token, next!), weight: 1, distance: 0 },
            { terms: [stem], weight: OTHER_SPELLING_WEIGHT, distance: 0 },
          ]
        : [];
    out.push(withJoined(token, [...before, ...pair]));
    before = pair;
  }
  return out;
}

/** A token with its pairs, apart and joined; a small word is nothing else. */
function withJoined(token: PlacedToken, pairs: readonly TermAlternative[]): PlacedToken {
  const { stop, term } = token;
  if (pairs.length === 0) return token;
  if (!stop) {
    const joined = pairs.filter(({ terms }) => terms.length === 1);
    return { ...token, term: { ...term, alternatives: [...term.alternatives, ...joined] } };
  }
  const key = pairs[0]!.terms.join(" ");
  return {
    ...placeOf(token),
    kind: "group",
    text: key,
    stop: false,
    term: { key, alternatives: pairs, optional: true },
  };
}

/** The first index terms of two tokens. */
function apart(...tokens: readonly QueryToken[]): string[] {
  return tokens.map(({ term }) => term.alternatives[0]!.terms[0]!);
}

/** Two words as one; undefined: they are no words, or too long, or nothing but small words. */
function joinedText(
  first: QueryToken,
  second: QueryToken | undefined,
  isWithin: boolean,
  words: WordForms,
): string | undefined {
  if (first.kind !== "word" || second?.kind !== "word" || (first.stop && second.stop)) return undefined;
  if (first.stop && isWithin && CONNECTIVES.has(first.text)) return undefined;
  const text = first.text + second.text;
  if (text.length > LONGEST_COMPOUND) return undefined;
  return (first.stop || second.stop) && words.isStopWord(text) ? undefined : text;
}

/** "502 654 31" -> "50265431", where no record has all pieces and one has them joined. */
function* joinCodes(tokens: readonly PlacedToken[], rules: StemmedRules): Task<readonly PlacedToken[]> {
  if (!tokens.some(({ text }) => /[0-9]/.test(text))) return tokens;
  const out: PlacedToken[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const code = yield* joinCode(tokens, at, rules);
    out.push(code === undefined ? tokens[at]! : { ...code.token, ...placeOf(tokens[at]!) });
    if (code !== undefined) at += code.size - 1;
  }
  return out;
}

/** "502 654 31" -> "50265431", the longest such code, where no record has all its pieces and one has them joined. */
function* joinCode(
  tokens: readonly QueryToken[],
  from: number,
  { words, vocabulary }: StemmedRules,
): Task<{ readonly token: QueryToken; readonly size: number } | undefined> {
  let text = "";
  const apart: string[] = [];
  let found: { readonly token: QueryToken; readonly size: number } | undefined;
  for (let size = 1; size <= MOST_PIECES && from + size <= tokens.length; size++) {
    const piece = tokens[from + size - 1]!;
    if (!PIECES.has(piece.kind)) break;
    text += stripSeparators(piece.written ?? piece.text);
    apart.push(...piece.term.alternatives[0]!.terms);
    const kind = kindOfJoined(text);
    if (size === 1 || kind === undefined || !(yield* vocabulary.has(text)) || (yield* vocabulary.cooccur(apart)))
      continue;
    const term = kind === "number" ? plainTerm(text) : codeTerm(text, words);
    found = { token: { kind, text, stop: false, term }, size };
  }
  return found;
}

/** A code has a letter and a digit; a number that is joined is a long one. */
function kindOfJoined(text: string): "number" | "code" | undefined {
  if (/^[0-9]+$/.test(text)) return text.length >= SHORTEST_JOINED_NUMBER ? "number" : undefined;
  return /[0-9]/.test(text) ? "code" : undefined;
}

/** What stands for a token that no record holds, as words are written. */
export function* wordsFor(
  { token, became, alternatives, reading }: UnheldToken,
  { vocabulary, ...index }: Pick<RewriteRules, "words" | "vocabulary" | "exactFields">,
): Task<readonly string[]> {
  const { words: given, exactFields } = reading ?? index;
  const words = has(given, "analyze") ? PLAIN_WORDS : given;
  const { kind, text } = token;
  if (became === "corrected") return yield* vocabulary.nearestWritten(text, mostErrors(text), words, exactFields);
  const found = alternatives.map(({ terms, weight }) => {
    if (became === "split") return halvesOf(text, terms, words);
    // A compound that is written joined has its parts beside it.
    const written = kind === "compound" && weight === 1 ? terms.slice(0, 1) : terms;
    return written.map(plainForm).join(" ");
  });
  return [...new Set(found)];
}

/** A term without its mark. */
function plainForm(term: string): string {
  const written = writtenForm(term);
  return MARKED.test(written) ? written.slice(1) : written;
}

/** The halves of a split word. */
function halvesOf(word: string, [first, second]: readonly string[], words: WordForms): string {
  for (let at = 1; at < word.length; at++) {
    const halves = [word.slice(0, at), word.slice(at)] as const;
    if (words.stem(halves[0]) === first && words.stem(halves[1]) === second) return halves.join(" ");
  }
  return `${first} ${second}`;
}

function mostErrors(word: string): number {
  return word.length >= TWO_TYPOS ? 2 : 1;
}

/** Damerau–Levenshtein: one error from 4 letters, two from 8; the nearest words only. */
function* correct(token: QueryToken, rules: StemmedRules, budget: Budget): Task<TermAlternative[]> {
  const { text: word } = token;
  if (!mayBeCorrected(token, rules) || budget.corrections-- <= 0) return [];
  const stems = yield* rules.vocabulary.nearest(word, mostErrors(word), rules.words, rules.exactFields);
  return stems.map((stem) => ({ terms: [stem], weight: 1, distance: 0, notIn: rules.exactFields }));
}

const DECIMAL = /^[0-9]+[.,][0-9]+$/;

/**
 * Corrects a word unless it is the unit of a number that no record has with the unit: what stands behind a decimal may be of another
 * language, "15,6 zoll".
 */
function* correctUnit(
  token: QueryToken,
  { at, tokens }: TokenPlace,
  rules: StemmedRules,
  budget: Budget,
): Task<TermAlternative[]> {
  const mended = yield* correct(token, rules, budget);
  const before = tokens[at - 1];
  if (before === undefined || !DECIMAL.test(before.text)) return mended;
  const [number] = before.term.alternatives;
  const found: TermAlternative[] = [];
  for (const one of mended) if (yield* rules.vocabulary.cooccur([...number!.terms, ...one.terms])) found.push(one);
  return found;
}

/** Far more frequent words next to a word that the embedder knows and no record holds, if some record holds them beside all other words. */
function* correctKnown(
  token: QueryToken,
  { at, tokens }: TokenPlace,
  rules: StemmedRules,
  budget: Budget,
): Task<TermAlternative[]> {
  const { vocabulary, words, exactFields } = rules;
  const others: string[] = [];
  for (const [place, other] of tokens.entries()) {
    if (place === at || other.stop || other.term.optional === true) continue;
    if (!(yield* isIndexed(other.term, vocabulary))) return [];
    others.push(...other.term.alternatives[0]!.terms);
  }
  if (others.length === 0 || !mayBeCorrected(token, rules) || budget.corrections-- <= 0) return [];
  const frequent = Math.max(MORE_FREQUENT, Math.floor(vocabulary.docCount / FREQUENT));
  const stems = new Set((yield* vocabulary.neighbours(token.text, words, exactFields)).map(stemOf));
  const found: TermAlternative[] = [];
  for (const stem of [...stems].sort())
    if ((yield* vocabulary.count(stem, frequent)) >= frequent && (yield* vocabulary.cooccur([stem, ...others])))
      found.push({ terms: [stem], weight: RARE_WORD_WEIGHT, distance: 1, notIn: exactFields });
  return found;
}

/** Words next to one that begins others, where those have one more letter and fewer records hold them: "stol" may be stole, and stool. */
function* correctUnfinished(
  token: QueryToken,
  completions: readonly TermAlternative[],
  rules: StemmedRules,
  budget: Budget,
): Task<TermAlternative[]> {
  const { vocabulary } = rules;
  const isNext = ({ terms }: TermAlternative): boolean =>
    terms.length === 1 && writtenForm(terms[0]!).length === token.text.length + 1;
  if (!completions.every(isNext)) return [];
  const completed = new Set(completions.map(({ terms }) => stemOf(terms[0]!)));
  const mended = (yield* correct(token, rules, budget)).filter(({ terms }) => !completed.has(terms[0]!));
  let most = 0;
  for (const stem of completed) most = Math.max(most, yield* vocabulary.count(stem, vocabulary.docCount));
  for (const { terms } of mended) if ((yield* vocabulary.count(terms[0]!, most + 1)) > most) return mended;
  return [];
}

/** Whether so many records hold one of some words that it is more likely than two words joined. */
function* isFrequent(words: readonly TermAlternative[], { vocabulary }: StemmedRules): Task<boolean> {
  for (const { terms } of words) if ((yield* vocabulary.count(terms[0]!, MORE_FREQUENT)) >= MORE_FREQUENT) return true;
  return false;
}

function mayBeCorrected({ text, term }: QueryToken, { typoTolerance, exactWords }: StemmedRules): boolean {
  return typoTolerance && text.length >= ONE_TYPO && !exactWords.has(term.key);
}

/** Whether a live record holds one of the term's alternatives. */
function isIndexed(term: QueryTerm, vocabulary: Vocabulary): Task<boolean> {
  const [first] = term.alternatives;
  const isHeld = first?.terms.length === 1 && vocabulary.has(first.terms[0]!) === HELD;
  return isHeld ? HELD : isAnyIndexed(term, vocabulary);
}

function* isAnyIndexed({ alternatives }: QueryTerm, vocabulary: Vocabulary): Task<boolean> {
  for (const { terms } of alternatives)
    if (yield* terms.length === 1 ? vocabulary.has(terms[0]!) : vocabulary.cooccur(terms)) return true;
  return false;
}

/** The first words of a query, as typed, that no live record holds in any form but the embedder knows. */
export function* unheldWords(terms: readonly QueryTerm[], vocabulary: Vocabulary): Task<string[]> {
  const found: string[] = [];
  for (const term of terms) {
    if (found.length === MAX_EMBEDDED_WORDS) break;
    if (term.knownToEmbedder !== true || term.word === undefined || (yield* isIndexed(term, vocabulary))) continue;
    found.push(term.word);
  }
  return found;
}

/** Whether a live record holds the word, in any form that a query for it would find. */
export function* isIndexedWord(word: string, words: WordForms | Analyzer, vocabulary: Vocabulary): Task<boolean> {
  const tokens = readTokens(word, words);
  for (const { term } of tokens) if (!(yield* isIndexed(term, vocabulary))) return false;
  return tokens.length > 0;
}

/** Tokens of one term become one, with the alternatives of all; it is a stop word only if all are. */
function mergeEqual(tokens: readonly PlacedToken[]): PlacedToken[] {
  const found = new Map<string, PlacedToken>();
  for (const token of tokens) {
    const { key } = token.term;
    const first = found.get(key);
    found.set(key, first === undefined ? token : merge(first, token));
  }
  return [...found.values()];
}

function merge(first: PlacedToken, second: QueryToken): PlacedToken {
  const known = new Map<string, number>();
  for (const { terms, weight } of first.term.alternatives)
    known.set(terms.join(" "), Math.max(weight, known.get(terms.join(" ")) ?? 0));
  const added = second.term.alternatives.filter(({ terms, weight }) => weight > (known.get(terms.join(" ")) ?? 0));
  const term = { ...first.term, alternatives: [...first.term.alternatives, ...added] };
  return { ...first, term, stop: first.stop && second.stop };
}
