// Finds the rows of a word in static-en: its own row, that of a form with another ending, or those of two known words that it consists
// of. A pure function of the table and the word.

import { hasDigit, PART, UNKNOWN, type WordRows, type WordTable } from "./word-table.js";

const MIN_CANDIDATE = 3;
const MIN_SPLIT = 6;
const WHOLE = Object.freeze([1]);
const HALVES = Object.freeze([PART, PART]);
const S = 0x73;

/**
 * The rows that a word adds to its text's vector; the word must match `[a-z0-9]+`.
 *
 * @example
 * resolveEnglishWord(table, "sofas"); // { rows: [19262], factors: [1] }
 * resolveEnglishWord(table, "sofabed"); // { rows: [19262, 3587], factors: [0.7071, 0.7071] }
 * resolveEnglishWord(table, "xqzt"); // { rows: [], factors: [] }
 */
export function resolveEnglishWord(table: WordTable, word: string): WordRows {
  // No rule finds a word longer than two of the longest words and an `s`. Checked first, because splitting is quadratic.
  if (word.length > 2 * table.words.longest + 1) return UNKNOWN;
  const row = table.words.rowOf(word) ?? inflected(table, word);
  if (row !== undefined) return { rows: [row], factors: WHOLE };
  return split(table, word);
}

/** The row of the first known candidate; the order of the candidates is part of the table's definition. */
function inflected(table: WordTable, word: string): number | undefined {
  if (word.length < MIN_CANDIDATE) return undefined;
  return (
    ofPlural(table, word) ??
    ofVerb(table, word, "ing", 5) ??
    ofVerb(table, word, "ed", 4) ??
    ofDegree(table, word) ??
    candidate(table, `${word}s`) ??
    candidate(table, `${word}es`)
  );
}

function ofPlural(table: WordTable, word: string): number | undefined {
  if (!word.endsWith("s")) return undefined;
  const long = word.length > 4;
  return (
    (long && word.endsWith("ies") ? candidate(table, `${word.slice(0, -3)}y`) : undefined) ??
    (long && word.endsWith("es") ? candidate(table, word.slice(0, -2)) : undefined) ??
    (word.endsWith("ss") ? undefined : candidate(table, word.slice(0, -1)))
  );
}

/** Words of at most `short` characters keep their ending ("king", "shed"). */
function ofVerb(table: WordTable, word: string, ending: string, short: number): number | undefined {
  if (word.length <= short || !word.endsWith(ending)) return undefined;
  const rest = word.slice(0, -ending.length);
  const doubled = rest.at(-1) === rest.at(-2);
  return (
    candidate(table, rest) ??
    candidate(table, `${rest}e`) ??
    (doubled ? candidate(table, rest.slice(0, -1)) : undefined)
  );
}

function ofDegree(table: WordTable, word: string): number | undefined {
  if (word.length <= 4) return undefined;
  if (word.endsWith("er")) return candidate(table, word.slice(0, -2)) ?? candidate(table, word.slice(0, -1));
  return word.endsWith("ly") ? candidate(table, word.slice(0, -2)) : undefined;
}

function candidate(table: WordTable, word: string): number | undefined {
  return word.length < MIN_CANDIDATE ? undefined : table.words.rowOf(word);
}

/** The split into the most frequent words: the sum of their rows is least. On a tie, the first such split. */
function split(table: WordTable, word: string): WordRows {
  if (word.length < MIN_SPLIT || hasDigit(word)) return UNKNOWN;
  let best = Number.POSITIVE_INFINITY;
  let found = UNKNOWN;
  for (let at = MIN_CANDIDATE; at <= word.length - MIN_CANDIDATE; at++) {
    const first = table.words.rowOf(word.slice(0, at));
    if (first === undefined || first >= best) continue;
    const second = secondHalf(table, word.slice(at));
    if (second === undefined || first + second >= best) continue;
    best = first + second;
    found = { rows: [first, second], factors: HALVES };
  }
  return found;
}

function secondHalf(table: WordTable, half: string): number | undefined {
  const row = table.words.rowOf(half);
  if (row !== undefined || half.charCodeAt(half.length - 1) !== S) return row;
  return candidate(table, half.slice(0, -1));
}
