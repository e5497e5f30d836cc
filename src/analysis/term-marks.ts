// The notation of index terms. A term that is not a token of a text begins with a mark: a character that no token contains, because
// the scanner drops it.

/** A whole identifier without punctuation: "=wh1000xm4". */
export const IDENTIFIER_MARK = "=";
/** A quantity in its base unit: "#volume:1.5". */
export const QUANTITY_MARK = "#";
/** A word, number or code that had + or # after it, without them: "+c" for "C++" and "C#". */
export const SIGNED_MARK = "+";
/** Letters and digits that stand side by side, joined: "^ps5"; see neighbour-pairs.ts. */
export const PAIR_MARK = "^";
/** A word that differs from its stem, after its stem: "~vacuum~vacuums". */
export const WORD_MARK = "~";

/** The term for the written form of a word that differs from its stem. */
export function markedWord(stem: string, word: string): string {
  return WORD_MARK + stem + WORD_MARK + word;
}

/** The stem that a term is, or that a marked word names. */
export function stemOf(term: string): string {
  return term[0] === WORD_MARK ? term.slice(1, term.lastIndexOf(WORD_MARK)) : term;
}

const MARKS = [IDENTIFIER_MARK, QUANTITY_MARK, SIGNED_MARK, PAIR_MARK, WORD_MARK];

/** The word as it was written: that of a marked word, or the term itself. */
export function writtenForm(term: string): string {
  return term[0] === WORD_MARK ? term.slice(term.lastIndexOf(WORD_MARK) + 1) : term;
}

/** Whether a term ends in a sign that belongs to it: "c++". */
export function isSigned(term: string): boolean {
  return term.endsWith("+") || term.endsWith("#");
}

/** Whether a term is a word: no code, no number, no sign after it, no marked term. */
export function isWord(term: string): boolean {
  const first = term[0];
  if (first === undefined || MARKS.includes(first) || isSigned(term)) return false;
  for (let at = 0; at < term.length; at++) {
    const unit = term.charCodeAt(at);
    if (unit >= 0x30 && unit <= 0x39) return false;
  }
  return true;
}
