// What a title holds and is near to, wherever it stands there: enough to tell of most titles that they cannot say what is
// needed, in a fraction of the time that reading them takes.

import { GrowableUint32 } from "../../base/growable.js";
import type { NearnessRow } from "./nearness-row.js";
import type { SegmentTitles } from "./segment-titles.js";
import type { TitleQuestion } from "./title-question.js";
import { isFirstOfPart, readTitle, titleNumber } from "./title-table.js";
import type { TitleWords } from "./title-words.js";
import { NO_WORD, numberIn } from "./word-memory.js";

/** Terms of a query have a bit each. */
const MOST_TERMS = 31;

/** By term of the query: what is near to its word; null: nothing is. */
export type NearnessRows = readonly (NearnessRow | null)[];

/** Looks at titles for one query. */
export class TitleGlance {
  /** False: of this query it can tell nothing, because it has too many terms, or some that do not count in every field. */
  readonly isPossible: boolean;
  /** The terms that the last title holds, or holds some part of: a bit each. */
  held = 0;
  /** By term that it does not hold: how near its words are at most. */
  readonly nearest: Float64Array;
  private readonly titleWords: TitleWords;
  /** By number of an index term in the question: the terms that it belongs to, a bit each. */
  private readonly bits: Int32Array;
  private readonly entries = new GrowableUint32(64);
  private readonly words = new GrowableUint32(64);

  constructor({ size, uses, hasExceptions }: TitleQuestion, titleWords: TitleWords) {
    this.isPossible = size <= MOST_TERMS && !hasExceptions;
    this.nearest = new Float64Array(size);
    this.titleWords = titleWords;
    this.bits = Int32Array.from(uses, (list) => list.reduce((bits, { term }) => bits | (1 << term), 0));
  }

  /** Finds out what the title of a record holds. Words with a row may be near to any other. */
  look({ table, answers }: SegmentTitles, doc: number, rows: NearnessRows): void {
    for (let term = 0; term < rows.length; term++) this.nearest[term] = rows[term] === null ? 0 : 1;
    readTitle(table, doc, this.entries);
    const { array: entries, length } = this.entries;
    let held = 0;
    for (let at = 0; at < length; at++) {
      const numbers = answers.of(table.terms[titleNumber(entries[at]!)]!);
      for (let i = 0; i < numbers.length; i++) held |= this.bits[numbers[i]!]!;
    }
    this.held = held;
  }

  /** Finds out how near the words of the title that it looked at are to those terms that it does not hold. */
  compare({ segment }: SegmentTitles, rows: NearnessRows): void {
    const { nearest } = this;
    const { array: entries, length } = this.entries;
    this.words.length = 0;
    for (let at = 0; at < length; at++) {
      if (!isFirstOfPart(entries[at]!)) continue;
      const word = this.titleWords.entryOf(segment, titleNumber(entries[at]!));
      if (word !== NO_WORD) this.words.push(numberIn(word));
    }
    const { meanings } = this.titleWords;
    for (let term = 0; term < rows.length; term++)
      if (((this.held >>> term) & 1) === 0)
        nearest[term] = rows[term]?.nearestOf(this.words.array, this.words.length, meanings) ?? 0;
  }
}
