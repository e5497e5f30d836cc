// Finds the rows of a word in static-de: its own row, that of a form with another ending, or those of the known words that a compound
// consists of. A pure function of the table and the word. All lengths are bounded by the longest word of the table, so endless words
// take no longer.

import { hasDigit, PART, type TableWords, UNKNOWN, type WordRows, type WordTable } from "./word-table.js";

/** Endings that are taken off, in this order; 4 letters stay. */
const OFF = ["ern", "em", "en", "er", "es", "e", "s", "n"];
/** Endings that are put on, in this order. */
const ON = ["e", "en", "n", "er", "s", "es"];
/** What links the front of a compound to its tail. */
const LINKS = ["", "s", "n", "en", "es", "e", "er"];
const LONGEST_OFF = 3;
const LONGEST_LINK = 2;
const MIN_STEM = 4;
const MIN_PART = 3;
const MIN_COMPOUND = 6;
/** Added to the row of a part: of the 50 most frequent words, none is much more likely than another. */
const ROW_OFFSET = 50;
/** Parts under 4 letters are less likely. Logarithms would depend on the machine, so costs are multiplied, these by e^4 and e^3. */
const SHORT_TAIL = 54.598150033144236;
const SHORT_FRONT = 20.085536923187668;

const WHOLE = Object.freeze([1]);
const ONE_PART = Object.freeze([PART]);
const TWO_PARTS = Object.freeze([PART, PART]);
const THREE_PARTS = Object.freeze([PART * PART, PART * PART, PART]);

/**
 * The rows that a word adds to its text's vector; the word must match `[a-z0-9]+`.
 *
 * @example
 * resolveGermanWord(table, "kuhlschranke"); // one row, that of "kuhlschrank"
 * resolveGermanWord(table, "gartenstuhle"); // two rows, those of "garten" and "stuhl", each times 0.7071
 */
export function resolveGermanWord({ words }: WordTable, word: string): WordRows {
  const row = rowOfForm(words, word);
  if (row !== undefined) return { rows: [row], factors: WHOLE };
  if (word.length < MIN_COMPOUND || hasDigit(word)) return UNKNOWN;
  const two = split(words, word);
  if (two !== undefined) return { rows: two, factors: TWO_PARTS };
  const three = splitInThree(words, word);
  if (three !== undefined) return { rows: three, factors: THREE_PARTS };
  const part = longestTail(words, word) ?? longestBeginning(words, word);
  return part === undefined ? UNKNOWN : { rows: [part], factors: ONE_PART };
}

/** The row of a word, or else of the first known form of it with another ending. */
export function rowOfForm(words: TableWords, word: string): number | undefined {
  if (word.length > words.longest + LONGEST_OFF) return undefined;
  const own = words.rowOf(word);
  if (own !== undefined || word.length < MIN_STEM) return own;
  const isOff = (ending: string): boolean => word.length - ending.length >= MIN_STEM && word.endsWith(ending);
  const stems = OFF.filter(isOff).map((ending) => word.slice(0, -ending.length));
  return firstRow(words, stems, [""]) ?? firstRow(words, [word], ON) ?? firstRow(words, stems, ON);
}

function firstRow(words: TableWords, stems: readonly string[], endings: readonly string[]): number | undefined {
  for (const stem of stems) {
    for (const ending of endings) {
      const row = words.rowOf(stem + ending);
      if (row !== undefined) return row;
    }
  }
  return undefined;
}

/** The split into two known words whose cost is least. On a tie, the first such split. */
function split(words: TableWords, word: string): readonly number[] | undefined {
  let least = Number.POSITIVE_INFINITY;
  let found: readonly number[] | undefined;
  const last = Math.min(word.length - MIN_PART, words.longest + LONGEST_LINK);
  for (let at = firstTail(words, word, MIN_PART); at <= last; at++) {
    const front = rowOfFront(words, word.slice(0, at));
    const tail = front === undefined ? undefined : rowOfForm(words, word.slice(at));
    if (front === undefined || tail === undefined) continue;
    const isTailShort = word.length - at < MIN_STEM;
    const rows = (front + ROW_OFFSET) * (tail + ROW_OFFSET);
    const cost = rows * (isTailShort ? SHORT_TAIL : 1) * (at < MIN_STEM ? SHORT_FRONT : 1);
    if (cost >= least) continue;
    least = cost;
    found = [front, tail];
  }
  return found;
}

/** Where the longest tail that may be known begins, but not before `least`. */
function firstTail(words: TableWords, word: string, least: number): number {
  return Math.max(least, word.length - words.longest - LONGEST_OFF);
}

/** The row of a compound's front: as it is, without what links it, or with an ending that it lost ("schul"). */
function rowOfFront(words: TableWords, front: string): number | undefined {
  for (const bare of bareFronts(front)) {
    const row = bare.length < MIN_PART ? undefined : words.rowOf(bare);
    if (row !== undefined) return row;
  }
  return front.length < MIN_STEM ? undefined : firstRow(words, [front], ["e", "en"]);
}

/** The front of a compound, and without each of the links that it ends with. */
function bareFronts(front: string): readonly string[] {
  return LINKS.filter((link) => front.endsWith(link)).map((link) => front.slice(0, front.length - link.length));
}

/** The longest known tail whose front is a compound. */
function splitInThree(words: TableWords, word: string): readonly number[] | undefined {
  for (let at = firstTail(words, word, MIN_COMPOUND); at <= word.length - MIN_STEM; at++) {
    const tail = rowOfForm(words, word.slice(at));
    if (tail === undefined) continue;
    for (const bare of bareFronts(word.slice(0, at))) {
      const front = bare.length < MIN_COMPOUND ? undefined : split(words, bare);
      if (front !== undefined) return [...front, tail];
    }
  }
  return undefined;
}

/** Of at least 5 letters; from 6 on in another form, too. */
function longestTail(words: TableWords, word: string): number | undefined {
  for (let at = firstTail(words, word, MIN_PART); at < word.length - MIN_STEM; at++) {
    const tail = word.slice(at);
    const row = tail.length < MIN_COMPOUND ? words.rowOf(tail) : rowOfForm(words, tail);
    if (row !== undefined) return row;
  }
  return undefined;
}

/** Of at least 6 letters. */
function longestBeginning(words: TableWords, word: string): number | undefined {
  for (let end = Math.min(word.length - 1, words.longest); end >= MIN_COMPOUND; end--) {
    const row = words.rowOf(word.slice(0, end));
    if (row !== undefined) return row;
  }
  return undefined;
}
