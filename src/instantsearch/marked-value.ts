// Marks in a value of a facet what was typed: words as a whole, and the last one also where a word begins with it.

import { normalizeText, normalizeWithOffsets } from "../analysis/normalize-text.js";
import { classAt, isLetterOrDigit, UNSPACED } from "../analysis/scan-tokens.js";
import { type Mark, type Painting, paintText } from "../query/shape/highlight.js";
import type { Task } from "../util/tasks.js";

/** Of longer texts, only so many characters are compared. */
const MOST_TYPED = 256;
const MOST_MARKED = 1024;

/** The words of what was typed, normalised. */
export function wordsTyped(typed: string): readonly string[] {
  return normalizeText(typed.slice(0, MOST_TYPED)).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** A value with the words between tags. */
export function* markedValue(value: string, words: readonly string[], painting: Painting): Task<string> {
  const { normal, starts, ends } = yield* normalizeWithOffsets(value, MOST_MARKED);
  const marks: Mark[] = [];
  for (let at = 0; at < normal.length; ) {
    const length = beginsWord(normal, at) ? longestAt(normal, at, words) : 0;
    if (length > 0) marks.push({ start: starts[at]!, end: ends[at + length - 1]!, keys: [] });
    at += Math.max(1, length);
  }
  return paintText(value, 0, value.length, marks, painting);
}

function beginsWord(normal: string, at: number): boolean {
  if (classAt(normal, at) === UNSPACED) return true;
  return isLetterOrDigit(normal, at) && !(at > 0 && isLetterOrDigit(normal, at - 1));
}

/** The length of the longest word at `at`; 0: there is none. */
function longestAt(normal: string, at: number, words: readonly string[]): number {
  let longest = 0;
  for (const [i, word] of words.entries()) {
    const end = at + word.length;
    const isWhole = end >= normal.length || !isLetterOrDigit(normal, end);
    if (word.length > longest && (isWhole || i === words.length - 1) && normal.startsWith(word, at))
      longest = word.length;
  }
  return longest;
}
