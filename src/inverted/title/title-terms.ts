// Which terms of a segment an index term of a query matches in titles: the same term, and if it is a stem, the words of that stem
// as they were written.

import { stemOf, WORD_MARK, writtenForm } from "../../analysis/term-marks.js";
import type { Postings } from "../postings.js";

/** A term of a segment, and the word as it was written. */
interface WrittenTerm {
  readonly term: number;
  readonly written: string;
}

/**
 * The number of query terms that are cached for a segment, 200 bytes each: 1024 or an eighth of its terms, whichever is
 * greater.
 */
const MIN_MATCHED_TERMS = 1024;
const MATCHED_TERMS_SHARE = 1 / 8;
/** Words of a query may be longer, but hardly words of titles. */
const MAX_CACHED_LENGTH = 64;

/** The terms of one segment that were looked up for queries. */
export class TitleTerms {
  private readonly postings: Postings;
  private readonly matched = new Map<string, readonly WrittenTerm[]>();

  constructor(postings: Postings) {
    this.postings = postings;
  }

  /** The terms that an index term of the query matches. */
  termsOf(text: string): readonly WrittenTerm[] {
    const { dictionary } = this.postings;
    let terms = this.matched.get(text);
    if (terms === undefined) {
      if (this.matched.size >= Math.max(MIN_MATCHED_TERMS, MATCHED_TERMS_SHARE * dictionary.size)) this.matched.clear();
      const own = dictionary.ordinalOf(text);
      terms = [...(own === undefined ? [] : [{ term: own, written: writtenForm(text) }]), ...this.wordsOf(text)];
      if (text.length <= MAX_CACHED_LENGTH) this.matched.set(text, terms);
    }
    return terms;
  }

  private wordsOf(stem: string): WrittenTerm[] {
    const { dictionary } = this.postings;
    const words: WrittenTerm[] = [];
    const prefix = WORD_MARK + stem + WORD_MARK;
    for (let term = dictionary.firstFrom(prefix); term < dictionary.size && dictionary.beginsWith(term, prefix); term++)
      if (stemOf(dictionary.termAt(term)) === stem) words.push({ term, written: writtenForm(dictionary.termAt(term)) });
    return words;
  }
}
