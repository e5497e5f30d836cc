// Which quotation marks stand open at a place of a text, so that the mark that closes "galaxy 10" is not taken for inches.
// Reads forward only: over all calls, each character once.

import { classAt, DIGIT, LETTER, SEPARATOR } from "../character-class.js";

const CLOSERS: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["\u201c", "\u201d"],
  ["'", "'"],
]);

/** The quotation marks of one normalised text. */
export class OpenQuotes {
  private readonly text: string;
  private at = 0;
  private closers = "";

  constructor(text: string) {
    this.text = text;
  }

  /** The marks that would close a quotation at `place`; places must not descend. */
  before(place: number): string {
    for (; this.at < place; this.at++) {
      const unit = this.text.charCodeAt(this.at);
      // Most characters are none of these.
      if (unit === 0x22 || unit === 0x27 || unit === 0x201c || unit === 0x201d) this.read(this.text[this.at]!);
    }
    return this.closers;
  }

  /** Goes on behind a mark that was read as a unit. */
  skipTo(place: number): void {
    this.at = Math.max(this.at, place);
  }

  private read(mark: string): void {
    if (this.closers.includes(mark)) this.closers = this.closers.replace(mark, "");
    else if (CLOSERS.has(mark) && this.opens()) this.closers += CLOSERS.get(mark)!;
  }

  /** A quotation opens behind a blank or at the start, before a letter or digit. */
  private opens(): boolean {
    const { text, at } = this;
    if (at + 1 >= text.length || (at > 0 && classAt(text, at - 1) !== SEPARATOR)) return false;
    const next = classAt(text, at + 1);
    return next === LETTER || next === DIGIT;
  }
}
