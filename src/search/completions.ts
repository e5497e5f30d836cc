// What a text that is being typed may go on to be, from what the records hold: words of titles first, then words of other fields,
// each with what it was counted in. Only records that may be seen are counted, so nothing that only others hold is proposed.

import { isBlank, normalizeWithOffsets } from "../analysis/normalize-text.js";
import { hasDigits } from "../analysis/own-words.js";
import { readTokens } from "../analysis/parse-query.js";
import type { TermAlternative } from "../analysis/query-term.js";
import { scanTokens, type TokenKind } from "../analysis/scan-tokens.js";
import { stemOf, writtenForm } from "../analysis/term-marks.js";
import { cleanWord, codeForms, compoundForms, signedForms } from "../analysis/token-forms.js";
import { PLAIN_WORDS, type WordForms } from "../analysis/word-forms.js";
import type { IndexVersion } from "../index/index-data.js";
import { readFields } from "../index/read-fields.js";
import { holdersOf } from "../inverted/find-holders.js";
import type { Postings } from "../inverted/postings.js";
import { longestWord, wordsFrom, wordsNearlyFrom } from "../inverted/spelling-dictionary.js";
import type { SearchableSegment, TextCorpus } from "../inverted/text-corpus.js";
import { findMatches, isAnyEnough } from "../inverted/text-matches.js";
import { loadTitles } from "../inverted/title/title-table.js";
import { type CompletionForm, type TitleCompletion, TitleWords } from "../inverted/title/title-words.js";
import { vocabularyOf } from "../inverted/vocabulary.js";
import { type Doc, toDoc } from "../util/doc.js";
import type { DocSet } from "../util/doc-set.js";
import type { Analyzer } from "../util/extension-points.js";
import { has } from "../util/json.js";
import { byCodeUnit } from "../util/sorted.js";
import type { Task } from "../util/tasks.js";
import type { PreparedQuery } from "./prepare-query.js";

/** What was typed: words that are complete, and the beginning of the last one. */
export interface TypedText {
  /** What stands before the last word, as it was typed. */
  readonly before: string;
  /** The beginning of the last word as an index term begins; "": all words are complete; undefined: it cannot be completed. */
  readonly beginning: string | undefined;
  readonly kind: TokenKind;
}

/** Takes a text that is being typed apart. */
export function* readTyped(text: string): Task<TypedText> {
  const complete: TypedText = { before: text, beginning: "", kind: "word" };
  if (text.trimEnd() !== text) return complete;
  const { normal, starts } = yield* normalizeWithOffsets(text);
  let last: { readonly kind: TokenKind; readonly start: number; readonly token: string } | undefined;
  scanTokens(normal, (kind, start, end) => {
    last = { kind, start, token: normal.slice(start, end) };
  });
  if (last === undefined) return { ...complete, beginning: undefined };
  const { kind, start, token } = last;
  const form = kind === "unspaced" ? "" : indexedForm(kind, token);
  return { before: text.slice(0, starts[start]), beginning: form === "" ? undefined : form, kind };
}

/** The form of a token that titles have. */
function indexedForm(kind: TokenKind, token: string): string {
  if (kind === "word") return cleanWord(token);
  if (kind === "compound") return compoundForms(token).joined;
  if (kind === "code") return codeForms(token).whole;
  return kind === "signed" ? signedForms(token).whole : token;
}

/** What is completed, on what. */
export interface CompletionContext {
  readonly typed: TypedText;
  /** The query of what stands before the last word, with the filters. */
  readonly prepared: PreparedQuery;
  /** What stands before the last word as it is shown: its typing errors mended. */
  readonly shownBefore: string;
  readonly version: Pick<IndexVersion, "snapshot" | "language" | "rules">;
  readonly mends: boolean;
}

/** The maximum number of completions of one kind. */
const MOST_COMPLETIONS = 100;
/** Completions of two words come from so many typed letters on: before, single words say more. */
const SHORTEST_FOR_PAIRS = 3;
const SHORTEST_MENDED = 4;
const SHORTEST_WITH_TWO_ERRORS = 8;
/** Codes are completed from so many letters on, numbers from the first digit on. */
const SHORTEST_CODE = 2;
const NO_WORD = /^[^=#+^~].*\p{N}|^[\p{N}]|[+#]$/u;
/** The records that show how a completion is written: as most of them do. */
const MOST_EXAMPLES = 3;
/** What stands behind so many characters of a text is not looked at. */
const LONGEST_READ = 8192;
const PAUSE_EVERY = 1 << 10;

/** A completion as index terms, and the records that show how it is written. */
export type Completion = Pick<CompletionForm, "words" | "examples">;

/** The words alone that were typed before. */
const NO_WORDS: Completion = { words: [], examples: [] };

/** The completions of a text. */
export class Completions {
  private readonly context: CompletionContext;
  private readonly corpus: TextCorpus;
  private readonly beginning: string;
  private readonly words: WordForms;
  /** The records that may be seen and hold what stands before the last word; null: all. */
  private docs: DocSet<Doc> | null = null;

  constructor(context: CompletionContext) {
    const { prepared, typed, version } = context;
    const { words } = version.language;
    this.context = context;
    this.corpus = prepared.corpus;
    this.beginning = typed.beginning ?? "";
    this.words = has(words, "analyze") ? PLAIN_WORDS : words;
  }

  /** Finds the records that completions are counted in. False: there are none. */
  *begin(): Task<boolean> {
    const { prepared, typed } = this.context;
    const { query, allowed } = prepared;
    this.docs = allowed;
    if (typed.beginning === undefined) return false;
    if (isBlank(typed.before)) return true;
    if (query.terms.length === 0) return false;
    const ranks = isAnyEnough(query, "all") ? [{ count: 1, slack: 0 }] : [];
    const matches = yield* findMatches(query, { matching: "all", ratio: 1 }, allowed, ranks);
    this.docs = matches.toSet();
    return matches.count > 0;
  }

  /** Words and pairs of words in titles that go on as was typed, the most useful first. */
  fromTitles(): Task<readonly Completion[]> {
    return this.inTitles((postings) => termsFrom(postings, this.beginning));
  }

  /** Words in other fields, those of most records first. */
  *fromTexts(): Task<readonly Completion[]> {
    if (this.beginning === "") return [NO_WORDS];
    return yield* this.inTexts(yield* vocabularyOf(this.corpus).wordsFrom(this.beginning, MOST_COMPLETIONS));
  }

  /** Words in titles that begin as was typed, but for typing errors. */
  *fromTitlesMended(): Task<readonly Completion[]> {
    if (!this.mayMend) return [];
    const near = yield* this.nearWords();
    return yield* this.inTitles((postings) => termsNearlyFrom(postings, this.beginning, near));
  }

  /** Words in other fields that are what was typed, but for typing errors. */
  *fromTextsMended(): Task<readonly Completion[]> {
    return this.mayMend ? yield* this.inTexts(yield* this.nearWords()) : [];
  }

  private get mayMend(): boolean {
    const { mends, typed } = this.context;
    return mends && typed.kind === "word" && this.beginning.length >= SHORTEST_MENDED;
  }

  private nearWords(): Task<readonly string[]> {
    const { exactFields } = this.context.version.language;
    const errors = this.beginning.length >= SHORTEST_WITH_TWO_ERRORS ? 2 : 1;
    return vocabularyOf(this.corpus).nearestWritten(this.beginning, errors, this.words, exactFields);
  }

  private *inTitles(completing: (postings: Postings) => Task<number[]>): Task<readonly Completion[]> {
    const { beginning, words, corpus } = this;
    yield* loadTitles(corpus.segments.map(({ postings }) => postings.titles));
    const titles = new TitleWords((word) => words.isStopWord(word), beginning.length >= SHORTEST_FOR_PAIRS);
    const typed = this.context.prepared.query.terms.flatMap(({ alternatives }) => alternatives);
    const before = this.lastBefore();
    for (const segment of corpus.segments) {
      yield* titles.count(segment, this.docs, {
        completing: beginning === "" ? null : yield* completing(segment.postings),
        before: titleTermsOf(before, segment),
        typed: titleTermsOf(typed, segment),
      });
    }
    const ranked = [...titles.found.values()].map((found) => ({ use: useOf(found), ...bestForm(found) }));
    ranked.sort((a, b) => b.use - a.use || byCodeUnit(a.text, b.text));
    return ranked.slice(0, MOST_COMPLETIONS).map(({ form }) => form);
  }

  /** What stands for the last word before the one that is completed, a small word too. */
  private lastBefore(): readonly TermAlternative[] {
    const { typed, prepared, version } = this.context;
    const last = readTokens(typed.before, version.language.words).at(-1);
    if (last === undefined) return [];
    const searched = prepared.query.terms.find(({ key }) => key === last.term.key);
    return (searched ?? last.term).alternatives;
  }

  private *inTexts(terms: readonly string[]): Task<readonly Completion[]> {
    const found = new Map<string, CompletionForm>();
    for (const term of terms) {
      const stem = stemOf(term);
      const written = writtenForm(term);
      if (found.has(stem) || written.length < 2 || this.words.isStopWord(written)) continue;
      const form: CompletionForm = { words: [written], count: 0, examples: [] };
      found.set(stem, form);
      for (const segment of this.corpus.segments) {
        let examples = 0;
        for (const local of yield* holdersOf(segment, stem)) {
          const doc = toDoc(segment.base, local);
          if (this.docs?.has(doc) === false) continue;
          form.count++;
          if (examples++ < MOST_EXAMPLES) form.examples.push(doc);
        }
        yield;
      }
    }
    const held = [...found.values()].filter(({ count }) => count > 0);
    return held.sort((a, b) => b.count - a.count || byCodeUnit(a.words[0]!, b.words[0]!));
  }

  /** The texts of completions, as most of the first records that hold them write them; undefined: none has the words side by side. */
  *textsOf(completions: readonly Completion[]): Task<(string | undefined)[]> {
    const { typed, shownBefore, version } = this.context;
    const { snapshot, rules, language } = version;
    const before = (a: Doc, b: Doc): number => (snapshot.idBefore(a, b) ? -1 : 1);
    const examples = completions.map((one) => [...one.examples].sort(before).slice(0, MOST_EXAMPLES));
    const records = yield* snapshot.storedRecords(examples.flat());
    const gap = typed.before.trimEnd() === typed.before ? "" : " ";
    const texts: (string | undefined)[] = [];
    let next = 0;
    for (const [i, { words }] of completions.entries()) {
      const seen: string[] = [];
      for (const doc of examples[i]!) {
        const read = readFields(records[next++]!.parse(), snapshot.idOf(doc), rules);
        const inOrder = [...read].sort((a, b) => Number(b.isTitle) - Number(a.isTitle));
        const own = yield* writtenIn(
          inOrder.flatMap((field) => field.texts),
          words,
          language.words,
        );
        if (own !== undefined) seen.push(own);
        yield;
      }
      const own = mostFrequent(seen);
      if (words.length === 0) texts.push(shownBefore.trimEnd());
      else texts.push(own === undefined ? undefined : shownBefore.trimEnd() + gap + own);
    }
    return texts;
  }
}

/** How useful a completion is: a word that stands right behind what was typed counts twice, a pair of words half. */
function useOf({ size, count, adjacent }: TitleCompletion): number {
  return (count + adjacent) / size;
}

/** The form of most records, the first by code unit among equals. */
function bestForm({ forms }: TitleCompletion): { readonly text: string; readonly form: CompletionForm } {
  let best: { readonly text: string; readonly form: CompletionForm } | undefined;
  for (const [text, form] of forms)
    if (best === undefined || form.count > best.form.count || (form.count === best.form.count && text < best.text))
      best = { text, form };
  return best!;
}

function mostFrequent(texts: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([a, m], [b, n]) => n - m || byCodeUnit(a, b))[0]?.[0];
}

/** The terms of a segment's titles that some alternatives stand for. */
function titleTermsOf(alternatives: readonly TermAlternative[], { caches }: SearchableSegment): number[] {
  return alternatives.flatMap(({ terms }) =>
    terms.flatMap((text) => caches.titles.termsOf(text).map(({ term }) => term)),
  );
}

/** The terms that begin with a text: words, and from two characters on numbers and codes. */
function* termsFrom(postings: Postings, beginning: string): Task<number[]> {
  const found: number[] = [];
  const longest = longestWord(postings);
  for (let length = beginning.length; length <= longest; length++)
    found.push(...(yield* wordsFrom(postings, beginning, length)));
  yield;
  if (beginning.length < SHORTEST_CODE && !/^[0-9]/.test(beginning)) return found;
  const { dictionary } = postings;
  const end = dictionary.afterPrefix(beginning);
  for (let term = dictionary.firstFrom(beginning); term < end; term++) {
    if ((term + 1) % PAUSE_EVERY === 0) yield;
    if (NO_WORD.test(dictionary.termAt(term))) found.push(term);
  }
  return found;
}

/** The words that nearly begin with a text, and some others. */
function* termsNearlyFrom(postings: Postings, beginning: string, others: readonly string[]): Task<number[]> {
  const found: number[] = [];
  const longest = longestWord(postings);
  for (let length = beginning.length - 1; length <= longest; length++)
    found.push(...(yield* wordsNearlyFrom(postings, beginning, length)));
  for (const word of others) for (const term of yield* wordsFrom(postings, word, word.length)) found.push(term);
  return found;
}

/** What stands between two words that belong together. */
const BETWEEN = /^[\s'’&+/_.-]*$/;

/** How texts write some words side by side, in lower case. */
function* writtenIn(
  texts: readonly string[],
  wanted: readonly string[],
  words: WordForms | Analyzer,
): Task<string | undefined> {
  for (const given of texts) {
    const text = given.slice(0, LONGEST_READ);
    const { normal, starts, ends } = yield* normalizeWithOffsets(text);
    const tokens: { readonly start: number; readonly end: number; readonly is: (word: string) => boolean }[] = [];
    scanTokens(normal, (kind, start, end) => {
      const token = { start: starts[start]!, end: ends[end - 1]! };
      const form = indexedForm(kind, normal.slice(start, end));
      const isOwn = has(words, "analyze") && !hasDigits(kind, normal.slice(start, end));
      const is = (word: string): boolean =>
        isOwn && has(words, "analyze")
          ? words.analyze(text.slice(token.start, token.end)).includes(word)
          : form === word;
      tokens.push({ ...token, is });
    });
    for (let at = 0; at + wanted.length <= tokens.length; at++) {
      if (!wanted.every((word, i) => tokens[at + i]!.is(word))) continue;
      const found = tokens.slice(at, at + wanted.length);
      const isBroken = found.some((token, i) => i > 0 && !BETWEEN.test(text.slice(found[i - 1]!.end, token.start)));
      if (!isBroken) return text.slice(found[0]!.start, found.at(-1)!.end).toLowerCase().replace(/\s+/g, " ");
    }
  }
  return undefined;
}
