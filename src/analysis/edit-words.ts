// Takes words out of the text of a query, and puts others in their place. Words are compared as those of phrases are: in any case and form.

import type { Analyzer } from "../util/extension-points.js";
import { has } from "../util/json.js";
import type { Task } from "../util/tasks.js";
import { normalizeWithOffsets } from "./normalize-text.js";
import { formsOf } from "./own-words.js";
import { phraseTerms, phraseTermsOf } from "./parse-query.js";
import { tokensIn } from "./scan-tokens.js";
import type { WordForms } from "./word-forms.js";

/** Words that are taken out where they stand one behind the other, and what stands in their place then. */
export interface WordEdit {
  readonly delete: string;
  readonly insert: string;
}

/** A word of a text: its terms, and where it stands. */
interface PlacedWord {
  readonly terms: readonly string[];
  readonly start: number;
  readonly end: number;
}

/** Words looked at between two pauses. */
const PAUSE_EVERY = 256;

/** An edit by the terms of the words that it takes out. */
interface ReadEdit {
  readonly terms: readonly string[];
  readonly insert: string;
  /** The next one that begins with the same term. */
  next: ReadEdit | undefined;
}

/** Edits in one language. */
export class WordEdits {
  private readonly edits: readonly WordEdit[];
  /** By the terms that they begin with; undefined: none was made yet. */
  private byFirstTerm: ReadonlyMap<string, ReadEdit> | undefined;

  constructor(edits: readonly WordEdit[]) {
    this.edits = edits;
  }

  /**
   * A text after the edits. Of those that begin at the same word, the first counts; what is inserted is not edited again. The result has at
   * most `most` characters: what is behind them is cut off.
   */
  *edit(text: string, language: WordForms | Analyzer, most: number): Task<string> {
    const words = has(language, "analyze") ? formsOf(language) : language;
    this.byFirstTerm ??= yield* readEdits(this.edits, words);
    const placed = yield* placedWords(text, words);
    let edited = "";
    let done = 0;
    let compared = 0;
    for (let at = 0; at < placed.length; at++) {
      for (let edit = this.byFirstTerm.get(placed[at]!.terms[0]!); edit !== undefined; edit = edit.next) {
        if (++compared % PAUSE_EVERY === 0) yield;
        const last = lastOf(edit.terms, placed, at);
        if (last < 0) continue;
        edited = joined(joined(edited, text.slice(done, placed[at]!.start)), edit.insert);
        done = placed[last]!.end;
        at = last;
        break;
      }
      if (edited.length > most) break;
    }
    if (done === 0) return text;
    return joined(edited, text.slice(done)).trim().slice(0, most).toWellFormed();
  }
}

function* readEdits(edits: readonly WordEdit[], words: WordForms): Task<ReadonlyMap<string, ReadEdit>> {
  const byFirstTerm = new Map<string, ReadEdit>();
  // From the last to the first, because each is put before those that begin with the same term.
  for (let i = edits.length - 1; i >= 0; i--) {
    if (i % PAUSE_EVERY === 0) yield;
    const { delete: deleted, insert } = edits[i]!;
    const terms = phraseTerms(deleted, words);
    if (terms.length > 0) byFirstTerm.set(terms[0]!, { terms, insert, next: byFirstTerm.get(terms[0]!) });
  }
  return byFirstTerm;
}

/** Two texts with at most one run of blanks between them, and none before them. */
function joined(before: string, after: string): string {
  const isParted = before === "" || before.at(-1)!.trim() === "";
  return before + (isParted ? after.trimStart() : after);
}

/** The last of the words from `at` on that have exactly these terms; -1: they have others. */
function lastOf(terms: readonly string[], words: readonly PlacedWord[], at: number): number {
  let next = 0;
  for (let i = at; i < words.length && next < terms.length; i++) {
    for (const term of words[i]!.terms) if (terms[next++] !== term) return -1;
    if (next === terms.length) return i;
  }
  return -1;
}

function* placedWords(text: string, words: WordForms): Task<readonly PlacedWord[]> {
  const { normal, starts, ends } = yield* normalizeWithOffsets(text, undefined, words.normalization);
  return tokensIn(normal).flatMap(({ kind, text: token, start, end }) => {
    const terms = phraseTermsOf(kind, token, words);
    return terms.length > 0 ? [{ terms, start: starts[start]!, end: ends[end - 1]! }] : [];
  });
}
