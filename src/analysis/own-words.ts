// A text as a user's analyzer and the engine read it together. Numbers, codes and quantities are the engine's, whatever the analyzer
// would make of them; the analyzer gets what is between them, as it is written. A text without a digit it gets whole.

import type { Analyzer } from "../util/extension-points.js";
import { keptIn } from "../util/kept.js";
import { runTaskAtOnce, type Task } from "../util/tasks.js";
import { pairOf } from "./neighbour-pairs.js";
import { type NormalText, normalizeText, normalizeWithOffsets } from "./normalize-text.js";
import { type Quantity, quantitiesIn } from "./quantities.js";
import { type ScannedToken, type TokenKind, tokensIn } from "./scan-tokens.js";
import { tokenLength, tokenTerms } from "./text-terms.js";
import { codeForms, signedForms } from "./token-forms.js";
import { PLAIN_WORDS, type WordForms } from "./word-forms.js";

/** What the analyzer made of the text between two tokens with digits. The ranges here are of code units in the normalised text. */
export interface OwnStretch {
  readonly kind: "stretch";
  readonly terms: readonly string[];
  /** The words as they stand there, normalised, if there are as many as terms. They may be pieces of a code: "CE 285A". */
  readonly written?: readonly string[];
  readonly start: number;
  readonly end: number;
}

/** A text, in reading order. */
export interface OwnReading {
  readonly normal: string;
  readonly parts: readonly (OwnStretch | ScannedToken)[];
  readonly quantities: readonly Quantity[];
  /** The terms of neighbours, one of which is a letter or has digits. */
  readonly pairs: readonly Quantity[];
}

const HAS_DIGIT = /\p{N}/u;

/** Whether a token is the engine's. */
export function hasDigits(kind: TokenKind, token: string): boolean {
  return kind === "number" || kind === "code" || (kind === "signed" && HAS_DIGIT.test(token));
}

/** Reads a text. No stretch goes across the borders of a quantity, so that a query for one reads the words beside it alike. */
export function readOwn(text: string, analyzer: Analyzer): OwnReading {
  return runTaskAtOnce(readOwnInSteps(text, analyzer));
}

const PAUSE_EVERY_TOKENS = 64;

/** The same, with pauses where there are digits. */
export function* readOwnInSteps(text: string, analyzer: Analyzer): Task<OwnReading> {
  const origin = HAS_DIGIT.test(normalizeText(text)) ? yield* normalizeWithOffsets(text) : undefined;
  if (origin === undefined) {
    const whole: OwnStretch = { kind: "stretch", terms: analyzer.analyze(text), start: 0, end: text.length };
    return { normal: text, parts: [whole], quantities: [], pairs: [] };
  }
  const { normal } = origin;
  const quantities = quantitiesIn(normal);
  const borders = quantities.flatMap(({ start, end }) => [start, end]);
  const parts: (OwnStretch | ScannedToken)[] = [];
  let from = 0;
  let border = 0;
  let words: string[] = [];
  const addStretchesBefore = (to: number): void => {
    for (; border < borders.length && borders[border]! <= to; border++) addStretch(borders[border]!);
  };
  const addStretch = (to: number): void => {
    const given = to > from ? writtenAs(text, origin, from, to) : "";
    if (given.trim() !== "") {
      const terms = analyzer.analyze(given);
      const written = words.length === terms.length ? { written: words } : {};
      parts.push({ kind: "stretch", terms, ...written, start: from, end: to });
    }
    words = [];
    from = Math.max(from, to);
  };
  const pairs: Quantity[] = [];
  const tokens = tokensIn(normal);
  for (const [i, token] of tokens.entries()) {
    if (i % PAUSE_EVERY_TOKENS === 0) yield;
    const before = tokens[i - 1];
    const pair = before && pairOf(before, token, formsOf(analyzer));
    if (pair !== undefined) pairs.push({ start: before!.start, end: token.end, term: pair });
    addStretchesBefore(token.start);
    if (!hasDigits(token.kind, token.text)) words.push(token.text);
    else {
      addStretch(token.start);
      parts.push(token);
      from = token.end;
    }
  }
  addStretchesBefore(normal.length);
  addStretch(normal.length);
  return { normal, parts, quantities, pairs };
}

/** A part of a normalised text as it is written. */
export function writtenAs(text: string, { starts, ends }: NormalText, start: number, end: number): string {
  return text.slice(starts[start], ends[end - 1]);
}

/** The terms of a text one by one, tokens as their whole forms: for phrases. */
export function ownPhraseTerms(text: string, analyzer: Analyzer): string[] {
  return readOwn(text, analyzer).parts.flatMap((part) => {
    if (part.kind === "stretch") return part.terms;
    if (part.kind === "code") return [codeForms(part.text).whole];
    return [part.kind === "signed" ? signedForms(part.text).whole : part.text];
  });
}

/** Passes the index terms of the first `mostTokens` tokens of a text to `sink`, and returns the number of all tokens. */
export function indexOwn(
  { parts, quantities, pairs }: OwnReading,
  analyzer: Analyzer,
  mostTokens: number,
  sink: (term: string) => void,
): number {
  let count = 0;
  let read = 0;
  for (const part of parts) {
    const terms = part.kind === "stretch" ? part.terms : tokenTerms(part.kind, part.text, formsOf(analyzer));
    const isTaken = count < mostTokens;
    if (isTaken) {
      for (const term of part.kind === "stretch" ? terms.slice(0, mostTokens - count) : terms) sink(term);
      read = part.end;
    }
    count += part.kind === "stretch" ? terms.length : tokenLength(part.kind, part.text);
  }
  for (const { start, term } of [...quantities, ...pairs]) if (start < read) sink(term);
  return count;
}

/** Passes the first `most` parts of a title to a consumer: each term of the analyzer, and each token with a digit, is one. */
export function readOwnTitle(
  title: string,
  analyzer: Analyzer,
  most: number,
  consumer: { begin(): void; one(term: string): void },
): void {
  const { parts, quantities, pairs } = readOwn(title, analyzer);
  const others = [...quantities, ...pairs];
  let left = most;
  for (const part of parts) {
    if (left <= 0) return;
    if (part.kind === "stretch") {
      for (const term of part.terms.slice(0, left)) {
        consumer.begin();
        consumer.one(term);
      }
      left -= part.terms.length;
      continue;
    }
    left--;
    consumer.begin();
    for (const { start, end, term } of others) if (start < part.end && end > part.start) consumer.one(term);
    for (const term of tokenTerms(part.kind, part.text, formsOf(analyzer))) consumer.one(term);
  }
}

const forms = new WeakMap<Analyzer, WordForms>();

/** What the analyzer makes of a single word, for the words in codes and for units. */
export function formsOf(analyzer: Analyzer): WordForms {
  return keptIn(forms, analyzer, () => ({
    ...PLAIN_WORDS,
    id: analyzer.id,
    stem: (word) => {
      const terms = analyzer.analyze(word);
      return terms.length === 1 ? terms[0]! : word;
    },
  }));
}
