// Index terms as all rooms see them: the marks of those that are no text, and how terms are kept.

// Marked terms begin with a character that no token of a text can: the scanner drops these characters.

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

/** The stem that a term is, or that a marked word names. */
export function stemOf(term: string): string {
  return term[0] === WORD_MARK ? term.slice(1, term.lastIndexOf(WORD_MARK)) : term;
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

/** V8 keeps a part of a longer text as a view that holds the whole text alive, from this many characters on. */
const SHORTEST_VIEW = 13;
/** A text of characters up to this one takes one byte each. */
const LAST_NARROW = 0xff;

/** The same text, holding nothing else alive: for texts that are kept longer than what they were cut from. */
export function ownText(text: string): string {
  if (text.length < SHORTEST_VIEW) return text;
  // What is read as UTF-16 takes two bytes a character for good.
  const coding = isNarrow(text) ? "latin1" : "utf16le";
  return Buffer.from(text, coding).toString(coding);
}

function isNarrow(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > LAST_NARROW) return false;
  return true;
}
