// What the words of a query were taken for: which were corrected or completed, which no record holds, and whether hits lack words.

import { isBlank, normalizeWithOffsets } from "../../analysis/normalize-text.js";
import { normalizationOf, type QueryToken } from "../../analysis/parse-query.js";
import { scanTokens, stemOf, writtenForm } from "../../analysis/scan-tokens.js";
import { cleanWord } from "../../analysis/token-forms.js";
import { PLAIN_WORDS, type WordForms } from "../../analysis/word-forms.js";
import { findMatches, holdsAllTerms, TextMatches } from "../../inverted/text-matches.js";
import { HELD, vocabularyOf } from "../../inverted/vocabulary.js";
import { weighQuery } from "../../inverted/weigh-terms.js";
import type { SearchLanguage } from "../../settings/search-language.js";
import type { Doc, DocArray } from "../../util/doc-set.js";
import { editDistance } from "../../util/errors.js";
import type { Analyzer } from "../../util/extension-points.js";
import { has } from "../../util/json.js";
import { listIn } from "../../util/offset-table.js";
import type { Task } from "../../util/tasks.js";
import { correctionsOf } from "../prepare/expand-word.js";
import type { PreparedQuery } from "../prepare/prepare-query.js";
import type { OutOfVocabularyToken } from "../prepare/rewrite-terms.js";
import type { RankedQuery } from "../rank/rank-matches.js";
import type { MatchInfo, ParsedQuery, ReplacedWord } from "../response.js";

/** Tells how the hits of a query were found; where it has no words, each hit is as good as found by them. */
export function* matchInfoOf(
  { shown, lexical, exactIdentifierDocs }: Pick<RankedQuery, "shown" | "lexical" | "exactIdentifierDocs">,
  { query }: PreparedQuery,
  blank: boolean,
): Task<MatchInfo> {
  if (blank) return { nbHitsByWords: shown.length, allWords: shown.length > 0 };
  const holdsAll = holdsAllTerms(query);
  const exact = new Set(exactIdentifierDocs);
  let nbHitsByWords = 0;
  let allWords = false;
  for (let i = 0; i < shown.length; i++) {
    if ((i + 1) % PAUSE_EVERY === 0) yield;
    const doc = shown[i]!;
    const isExact = exact.has(doc);
    if (isExact || lexical?.isMatch(doc) === true) nbHitsByWords++;
    allWords ||= isExact || holdsAll(doc);
  }
  return { nbHitsByWords, allWords };
}

/** What a query found. */
export interface FoundQuery {
  readonly prepared: Pick<PreparedQuery, "outOfVocabulary" | "query" | "searcher">;
  readonly language: SearchLanguage;
  /** All hits. */
  readonly shown: DocArray<Doc>;
  /** Whether a mending may be shown; of several the first that may is. Default: each may. */
  readonly mayShow?: (mending: string) => Task<boolean>;
}

/** Hits looked at between two pauses. */
const PAUSE_EVERY = 1 << 12;

/** Tells what the words of a text were taken for. */
export function* explainWords(text: string, found: FoundQuery): Task<ParsedQuery> {
  const { prepared, language, shown, mayShow = () => HELD } = found;
  const corrected: ReplacedWord[] = [];
  const completed: ReplacedWord[] = [];
  const unknown: string[] = [];
  if (isBlank(text)) return { text, corrected, completed, unknown, relaxed: false };
  const places = yield* placesOf(text, language.words);
  const mended: Mending[] = [];
  for (const outOfVocabulary of prepared.outOfVocabulary) {
    const { from, spans } = places(outOfVocabulary.token);
    if (outOfVocabulary.became === "unknown") {
      unknown.push(from);
      continue;
    }
    const to = yield* nearestFirst(outOfVocabulary, yield* wordsFor(outOfVocabulary, found), found);
    if (outOfVocabulary.became === "completed") {
      completed.push({ from, to });
      continue;
    }
    corrected.push({ from, to });
    let by: string | undefined;
    for (const word of to) if (by === undefined && (yield* mayShow(word))) by = word;
    for (const span of spans) mended.push({ ...span, by: by ?? to[0]! });
  }
  return {
    text: withMendings(text, mended),
    corrected,
    completed,
    unknown,
    relaxed: yield* lacksWords(shown, prepared),
  };
}

/** A term of these kinds begins with a mark. */
const MARKED = /^[=#+^]/;

/** What stands for a token that no record holds, as words are written. */
function* wordsFor(
  { token, became, alternatives, reading }: OutOfVocabularyToken,
  { prepared, language }: FoundQuery,
): Task<readonly string[]> {
  const { words: given, exactFields } = reading ?? language;
  const words = has(given, "analyze") ? PLAIN_WORDS : given;
  const { kind, text } = token;
  if (became === "corrected")
    return yield* correctionsOf(text, { vocabulary: vocabularyOf(prepared.searcher), words, exactFields });
  const found = alternatives.map(({ terms, weight }) => {
    if (became === "split") return halvesOf(text, terms, words);
    // A compound that is written joined has its parts beside it.
    const written = kind === "compound" && weight === 1 ? terms.slice(0, 1) : terms;
    return written.map((term) => writtenForm(term).replace(MARKED, "")).join(" ");
  });
  return [...new Set(found)];
}

/** The halves of a split word. */
function halvesOf(word: string, [first, second]: readonly string[], words: WordForms): string {
  for (let at = 1; at < word.length; at++) {
    const halves = [word.slice(0, at), word.slice(at)] as const;
    if (words.stem(halves[0]) === first && words.stem(halves[1]) === second) return halves.join(" ");
  }
  return `${first} ${second}`;
}

/** Of many mendings, only the first so many are compared; the others stand behind them. */
const MOST_COMPARED = 32;
/** More errors than any correction mends. */
const TOO_MANY_ERRORS = 3;

/** Corrections of a word: the nearest first, of these the one that most records hold beside the other words, then that most hold. */
function* nearestFirst(
  { token, became, alternatives }: OutOfVocabularyToken,
  mendings: readonly string[],
  { prepared: { query, searcher }, language: { words }, mayShow }: FoundQuery,
): Task<readonly string[]> {
  const place = query.terms.findIndex(({ key }) => key === token.term.key);
  const isCounted = place >= 0 && mayShow === undefined && !has(words, "analyze");
  if (became !== "corrected" || mendings.length < 2 || !isCounted) return mendings;
  const term = query.terms[place]!;
  const searched = mendings.flatMap((word) => {
    const stem = words.stem(word);
    const own = alternatives.filter(({ terms: [first] }) => stemOf(first!) === stem);
    return own.length > 0 ? [{ word, own: { ...term, alternatives: own } }] : [];
  });
  const counted: { readonly word: string; readonly keys: readonly number[] }[] = [];
  for (const { word, own } of searched.slice(0, MOST_COMPARED)) {
    const asked = yield* weighQuery(searcher, query.terms.with(place, own));
    const beside = (yield* findMatches(asked, { matching: "all", ratio: 1 }, null, [{ count: 1, slack: 0 }])).count;
    const errors = editDistance(token.text, word, TOO_MANY_ERRORS);
    counted.push({ word, keys: [errors, -beside, -asked.docFreqs[place]!] });
  }
  const before = (a: readonly number[], b: readonly number[]): number =>
    a.reduce((order, key, i) => order || key - b[i]!, 0);
  counted.sort((a, b) => before(a.keys, b.keys));
  return [...counted, ...searched.slice(MOST_COMPARED)].map(({ word }) => word);
}

/** Whether a hit does not hold all words. */
function* lacksWords(shown: DocArray<Doc>, { query }: FoundQuery["prepared"]): Task<boolean> {
  const whole = new TextMatches(query, { matching: "all", ratio: 1 }, null);
  for (let i = 0; i < shown.length; i++) {
    if ((i + 1) % PAUSE_EVERY === 0) yield;
    if (!whole.isMatch(shown[i]!)) return true;
  }
  return false;
}

/** A part of a text. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** A part of a text, and what stands in its place. */
interface Mending extends Span {
  readonly by: string;
}

/** Where the tokens of a text stand in it. */
function* placesOf(
  text: string,
  words: WordForms | Analyzer,
): Task<(token: QueryToken) => { readonly from: string; readonly spans: readonly Span[] }> {
  const { normal, starts, ends } = yield* normalizeWithOffsets(text, undefined, normalizationOf(words));
  const byToken = new Map<string, Span[]>();
  scanTokens(normal, (kind, start, end) => {
    const token = normal.slice(start, end);
    const key = kind === "word" ? cleanWord(token) : token;
    listIn(byToken, key).push({ start: starts[start]!, end: ends[end - 1]! });
  });
  return ({ text: own, written = own }) => {
    const known = byToken.get(written);
    const at = known === undefined ? normal.indexOf(written) : -1;
    const spans = known ?? (at < 0 ? [] : [{ start: starts[at]!, end: ends[at + written.length - 1]! }]);
    const [first] = spans;
    return { from: first === undefined ? written : text.slice(first.start, first.end), spans };
  };
}

function withMendings(text: string, mended: readonly Mending[]): string {
  let out = "";
  let done = 0;
  for (const { start, end, by } of mended.toSorted((a, b) => a.start - b.start)) {
    if (start < done) continue;
    out += text.slice(done, start) + by;
    done = end;
  }
  return out + text.slice(done);
}
