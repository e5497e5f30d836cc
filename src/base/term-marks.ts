// Index terms that are no text begin with a mark, which no token of a text can: the scanner drops these characters.

/** A whole identifier without punctuation: "=wh1000xm4". */
export const IDENTIFIER_MARK = "=";
/** A quantity in its base unit: "#volume:1.5". */
export const QUANTITY_MARK = "#";
/** A word that differs from its stem, as it was written, behind its stem: "~vacuum~vacuums". */
export const WORD_MARK = "~";

/** The term under which a word that differs from its stem is found as it was written. */
export function markedWord(stem: string, word: string): string {
  return WORD_MARK + stem + WORD_MARK + word;
}

/** A term that is a word: no code, no number, none of the marked terms. */
export function isWord(term: string): boolean {
  const first = term[0];
  if (first === undefined || first === IDENTIFIER_MARK || first === QUANTITY_MARK || first === WORD_MARK) return false;
  for (let at = 0; at < term.length; at++) {
    const unit = term.charCodeAt(at);
    if (unit >= 0x30 && unit <= 0x39) return false;
  }
  return true;
}
