// Rewrites the tokens of a query into the terms that are searched: adds synonyms, joins neighbours, drops stop words, and expands
// words that no live record holds. Such a word is completed (the last one), split or corrected, in this order. A word that few
// records hold is split and corrected too, with less weight; other words are not expanded, because that loses more than it finds
// (docs/scoring.md). Words that the embedder knows are no typing errors, unless the query finds nothing near.

import { formsOfNegation, negationsIn } from "../../analysis/negations.js";
import { isToken, type QueryToken, readTokens } from "../../analysis/parse-query.js";
import { otherSigns, PARTS_WEIGHT, type QueryTerm, type TermAlternative } from "../../analysis/query-term.js";
import type { TokenKind } from "../../analysis/scan-tokens.js";
import { headOf } from "../../analysis/title-roles.js";
import { PLAIN_WORDS, type WordForms } from "../../analysis/word-forms.js";
import type { TypedQuery } from "../../inverted/title/title-evidence.js";
import type { Vocabulary } from "../../inverted/vocabulary.js";
import type { Analyzer } from "../../util/extension-points.js";
import { has } from "../../util/json.js";
import type { Task } from "../../util/tasks.js";
import { compoundApart, compoundsBeginning, compoundsEnding, compoundsSharing } from "./compound-words.js";
import {
  complete,
  correct,
  correctUnfinished,
  type ExpansionRules,
  isCompleted,
  isHeldAsTyped,
  isIndexed,
  MAX_COMPLETIONS_IN_ALL,
  MAX_CORRECTED,
  otherSpellings,
  type PlacedToken,
  type RewriteRules,
  type StemmedRules,
  unfinishedStopWord,
} from "./expand-word.js";
import { addJoined, addPairs, codeApart, joinCodes, joinInitials, joinWords, withAlternatives } from "./join-words.js";

/** Begins the keys of terms that say what is not wanted. */
const NEGATION_MARK = "!";
/** The kinds that records may have with + or # after them. */
const SIGNABLE: ReadonlySet<QueryToken["kind"]> = new Set(["word", "number", "code", "compound"]);
/** Two letters for an umlaut, and the maximum number of places that are tried in all ways. */
const UMLAUT = /(?<=[aou])e/g;
const UMLAUT_OR_RING = /(?<=[aou])e|(?<=a)a/g;
const MOST_UMLAUTS = 4;
const SHORTEST_WITH_UMLAUT = 2;
/** Shorter words that the embedder knows are words of their own: "blue", "shoe". */
const SHORTEST_NAME = 5;
/** The maximum number of out-of-vocabulary words given to an embedder, which compares each with its whole vocabulary. */
const MAX_EMBEDDED_WORDS = 8;

/** What is searched for a query. */
export interface RewrittenQuery {
  /** Distinct, at most `maxTerms`; stop words only where nothing else is left. */
  readonly terms: readonly QueryTerm[];
  /** Its tokens in reading order, each once, also the stop words that are no terms. */
  readonly typed: TypedQuery;
  /** The tokens that no live record holds in any form, and what stands for them. */
  readonly outOfVocabulary: readonly OutOfVocabularyToken[];
}

/** A token that no live record holds in any form. */
export interface OutOfVocabularyToken {
  readonly token: QueryToken;
  /** `unknown`: nothing stands for it. */
  readonly became: "completed" | "corrected" | "split" | "unknown";
  readonly alternatives: readonly TermAlternative[];
  /** How it was read, where a query is read in several languages. */
  readonly reading?: Pick<RewriteRules, "words" | "exactFields"> | undefined;
}

/** Rewrites the tokens of a query, by acts of which each sees what those before it left. */
export function* rewriteQuery(tokens: readonly QueryToken[], rules: RewriteRules): Task<RewrittenQuery> {
  const { vocabulary, maxTerms, optionalWords } = rules;
  // A user's analyzer gives stems: these are neither stemmed again nor joined.
  const isOwn = has(rules.words, "analyze");
  const words = isOwn ? PLAIN_WORDS : rules.words;
  const stemmed = { ...rules, words };
  // Synonyms first: they are of what was typed. Their groups, and then negations, are single tokens, which nothing below joins or splits.
  const { tokens: whole, unwanted } = joinNegations(yield* rules.synonyms.apply(tokens), rules.words);
  // What no record has as a whole is split before it is joined, because its parts may stand beside others.
  const split = yield* splitUnknown(whole, vocabulary);
  const placed = split.map((token, at): PlacedToken => ({ ...token, at }));
  const joined = isOwn ? placed : yield* joinNeighbours(placed, stemmed);
  // Pairs last of what stands side by side: what was joined is no neighbour any more.
  const distinct = mergeEqual(yield* addPairs(joined, stemmed));
  // Stop words are dropped behind all that, because they join: "h and m", "go pro".
  const unfinished = yield* unfinishedStopWord(distinct, rules);
  const telling = distinct.filter((token) => !token.stop || token === unfinished);
  const kept = (telling.length > 0 ? telling : distinct).slice(0, maxTerms);
  // The rest asks more of each token, so it sees at most `maxTerms` of them.
  const signed = isOwn ? kept : yield* withSigns(kept, vocabulary);
  // Codes last of all that join: of up to six pieces, between which no small word stands any more.
  const searched = yield* joinCodes(signed, stemmed);
  const outOfVocabulary: OutOfVocabularyToken[] = [];
  const expanded = mergeEqual(yield* expandTokens(searched, stemmed, outOfVocabulary));
  const terms = expanded.map(({ term }) => (optionalWords.has(term.key) ? { ...term, optional: true } : term));
  const small = distinct.filter(({ stop, term }) => stop && !terms.some(({ key }) => key === term.key));
  return { terms, typed: typedQuery(expanded, small, unwanted, words), outOfVocabulary };
}

/** Joins what some records have joined. */
function* joinNeighbours(tokens: readonly PlacedToken[], rules: StemmedRules): Task<readonly PlacedToken[]> {
  // Initials before words: they are up to six letters, of which words would take two.
  const initials = yield* joinInitials(tokens, rules);
  const joined = yield* joinWords(initials, rules);
  // What stays apart gets its joined form only now, when it is known which words are one with a neighbour.
  return joined === undefined ? initials : yield* addJoined(joined, rules);
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

/** The tokens, with out-of-vocabulary words expanded. */
function* expandTokens(
  tokens: readonly PlacedToken[],
  rules: StemmedRules,
  outOfVocabulary: OutOfVocabularyToken[],
): Task<PlacedToken[]> {
  const links = rules.words.compounds?.links.split(" ").map((link) => (link === "-" ? "" : link)) ?? [];
  const left = { corrections: MAX_CORRECTED, completions: MAX_COMPLETIONS_IN_ALL };
  const expanding: ExpansionRules = { ...rules, links, left };
  const out: PlacedToken[] = [];
  const areStopWords = tokens.every(({ stop }) => stop);
  for (const token of tokens) {
    const term = yield* expandToken(token, tokens, expanding, outOfVocabulary);
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

/** A compound with points or slashes counts as such only where it is written joined somewhere, else as its words; no other by its parts. */
function isHeldWhole({ kind, term: { alternatives } }: QueryToken, vocabulary: Vocabulary): Task<boolean> {
  if (kind === "compound") return vocabulary.has(alternatives[0]!.terms[0]!);
  return isIndexed({ alternatives: alternatives.filter(({ weight }) => weight > PARTS_WEIGHT) }, vocabulary);
}

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
    out.push(isHeld ? withAlternatives(token, [signed]) : token);
  }
  return out;
}

/** The term of a token, with what stands for it or is found beside it. */
function* expandToken(
  token: QueryToken,
  tokens: readonly QueryToken[],
  rules: ExpansionRules,
  outOfVocabulary: OutOfVocabularyToken[],
): Task<QueryTerm> {
  const { term, text } = token;
  const { vocabulary, queryType } = rules;
  const isOpenWord = token.kind === "word" && !token.stop;
  const mayBeJoined = isOpenWord && rules.links.length > 0;
  const held = yield* isIndexed(term, vocabulary);
  const ends = mayBeJoined ? yield* compoundsEnding(text, rules) : null;
  const others = held ? [] : [...(yield* withUmlauts(token, rules)), ...(yield* codeApart(token, rules))];
  if (ends !== null) others.push(...ends.strict, ...(yield* compoundApart(text, rules)));
  const indexed = held || others.length > 0;
  const finished = others.length > 0 || (held && (yield* isHeldAsTyped(token, vocabulary)));
  const knownToEmbedder = !indexed && token.kind === "word" && rules.isKnownToEmbedder(text);
  const completes = isCompleted(token, tokens, { finished, known: knownToEmbedder }, queryType);
  const joined = [...(ends?.loose ?? [])];
  const added = completes ? yield* complete(token, tokens.length === 1, finished, rules) : [];
  let became: OutOfVocabularyToken["became"] = "completed";
  if (isOpenWord && held) added.push(...(yield* otherSpellings(token, rules)));
  else if (isOpenWord && !indexed && added.length === 0) {
    const corrected = yield* correct(token, tokens, knownToEmbedder, rules);
    became = corrected.became;
    added.push(...corrected.alternatives);
    if (added.length === 0 && mayBeJoined) joined.push(...(yield* compoundsSharing(text, rules)));
  } else if (isOpenWord && !indexed && !knownToEmbedder && queryType === "prefixAuto") {
    const corrected = yield* correctUnfinished(token, added, rules);
    if (corrected.length > 0) became = "corrected";
    added.push(...corrected);
  }
  // What is only found in compounds is no error, so nothing is told of it.
  if (!indexed && token.kind !== "negation" && (added.length > 0 || joined.length === 0))
    outOfVocabulary.push({ token, became: added.length === 0 ? "unknown" : became, alternatives: added });
  if (mayBeJoined && !completes) joined.push(...(yield* compoundsBeginning(text, rules)));
  if (others.length + added.length + joined.length === 0 && !knownToEmbedder) return term;
  const alternatives = [...term.alternatives, ...others, ...added, ...joined];
  const byPart = !indexed && added.length === 0 && joined.length > 0;
  return { ...term, alternatives, ...(knownToEmbedder ? { knownToEmbedder } : {}), ...(byPart ? { byPart } : {}) };
}

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

/** The first words of a query, as typed, that no live record holds in any form but the embedder knows. */
export function* outOfVocabularyWords(terms: readonly QueryTerm[], vocabulary: Vocabulary): Task<string[]> {
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
