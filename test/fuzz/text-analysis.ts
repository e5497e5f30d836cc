// Both sides of the analysis of one text, and what must hold for any text. The modules are loaded by hand, so that a test
// can have an analyser that has read nothing before.

import { expect } from "vitest";
import { utf8Length } from "../../src/util/json.js";

/** The longest run of a text without a border, and so the longest word. */
const RUN = 64;
/** Marked terms hold a word and its stem, or a quantity, behind their marks. */
const MARKED = 2 * RUN + 2;
const MARKS = "~#=^";
const QUERY_TERMS = 64;
const FIELD_TOKENS = 10_000;
/** Of one token: whole, pieces, parts, stems and words as they were written. */
const TERMS_A_TOKEN = 4 * RUN;
const FEW_TOKENS = 50;

/** What is made of one text. */
interface TextAnalysis {
  /** Index terms in the order given. */
  readonly indexed: readonly string[];
  readonly tokens: number;
  /** Of a query: keys and alternatives. */
  readonly asked: readonly unknown[];
}

/** Analyses texts, with whatever it remembers of those before. */
type TextAnalyzer = (text: string, mostTokens?: number) => TextAnalysis;

/** An analyser; a fresh one where the test has reset the modules before. */
export async function loadAnalyzer(): Promise<TextAnalyzer> {
  const { indexText } = await import("../support/index-text.js");
  const { ENGLISH_WORDS } = await import("../../src/analysis/word-forms.js");
  const { rewritten } = await import("../support/rewriting.js");
  return (text, mostTokens = FIELD_TOKENS) => {
    const indexed: string[] = [];
    const tokens = indexText(text, ENGLISH_WORDS, mostTokens, (term) => indexed.push(term));
    return { indexed, tokens, asked: rewritten(text) };
  };
}

/** Asserts what holds for every text: terms of bounded length and number, the same when read again, cut where asked. */
export function expectSoundAnalysis(text: string, analyze: TextAnalyzer): void {
  const { indexed, tokens, asked } = analyze(text);
  for (const term of indexed) expectShort(term);
  expect(asked.length).toBeLessThanOrEqual(QUERY_TERMS);
  for (const term of textsIn(asked)) expectShort(term);
  expect(tokens).toBeLessThanOrEqual(text.normalize("NFKC").length);
  expect(indexed.length).toBeLessThanOrEqual(tokens * TERMS_A_TOKEN);
  expect(analyze(text)).toEqual({ indexed, tokens, asked });
  const few = analyze(text, FEW_TOKENS);
  expect(few.tokens, "all tokens are counted, whatever is taken").toBe(tokens);
  expect(few.indexed.length).toBeLessThanOrEqual(FEW_TOKENS * TERMS_A_TOKEN);
  const all = new Set(indexed);
  expect(few.indexed.filter((term) => !all.has(term))).toEqual([]);
}

function expectShort(term: string): void {
  const marked = term.includes("~") || MARKS.includes(term[0] ?? "~");
  if (term.length > (marked ? MARKED : RUN)) expect.fail(`a term of ${term.length} characters: ${term}`);
}

/** Index terms of a rewritten query, and the keys by which they are told apart where they are one word. */
function textsIn(asked: readonly unknown[]): string[] {
  return asked.flatMap((term) => {
    const { key, alternatives } = term as { key: string; alternatives: readonly { terms: readonly string[] }[] };
    return [key, ...alternatives.flatMap(({ terms }) => terms)];
  });
}

/** As much of the text as has so many UTF-8 bytes; half a pair at the end counts three. */
export function cutToBytes(text: string, bytes: number): string {
  let length = Math.min(text.length, bytes);
  while (utf8Length(text.slice(0, length)) > bytes)
    length -= Math.ceil((utf8Length(text.slice(0, length)) - bytes) / 4);
  return text.slice(0, length);
}
