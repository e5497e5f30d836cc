// The measures that texts are full of, "10 cm", "14\"" and "1.5l" before a blank or punctuation, by their spelling: reading
// one exactly takes many times as long as finding it here. Anything else about it (a fraction, a cross, a second word of its
// unit) makes it none of these.

import { CONNECTOR, classAt, SEPARATOR } from "../character-class.js";
import { FIRST_WORDS } from "../units.js";
import { isDigitAt } from "./may-measure.js";

const MOST_CHARACTERS = 16;
const BLANK = 0x20;
const INCH = 0x22;
const PERCENT = 0x25;
const CROSSES = "x\u00d7";

/**
 * Where the plain measure ends that begins with the digit at `start`, of which only its spelling counts; 0: it is not plain.
 * `closes`: the quotation marks that stand open before it.
 */
export function endOfPlain(text: string, start: number, closes: string): number {
  if (start > 0 && ".,".includes(text[start - 1]!)) return 0;
  let at = afterDigits(text, start);
  if (text[at] === "." && isDigitAt(text, at + 1)) at = afterDigits(text, at + 1);
  if (at - start > MOST_CHARACTERS) return 0;
  const mark = text.charCodeAt(at);
  const end = mark === PERCENT || (mark === INCH && closes === "") ? at + 1 : endOfWord(text, at);
  const isCrossed = CROSSES.includes(text[end] ?? " ") || (text[end] === " " && CROSSES.includes(text[end + 1] ?? " "));
  return isCrossed ? 0 : end;
}

/** Behind the word of a unit, where it ends a token and nothing behind it may belong to it; else 0. */
function endOfWord(text: string, number: number): number {
  const word = text[number] === " " || text[number] === "-" ? number + 1 : number;
  let at = word;
  while (isLetterAt(text, at) && at - word <= MOST_CHARACTERS) at++;
  if (at === word || at - word > MOST_CHARACTERS || !isLastOfToken(text, at)) return 0;
  const isBlank = text.charCodeAt(at) === BLANK;
  // Inches may follow feet, and "in" may be no inch.
  if ((isBlank && isDigitAt(text, at + 1)) || (at - word === 2 && text.startsWith("in", word))) return 0;
  const maySecond = text[at] === "." || (isBlank && isLetterAt(text, at + 1));
  return maySecond && FIRST_WORDS.has(text.slice(word, at)) ? 0 : at;
}

/** No connector joins what follows. */
function isLastOfToken(text: string, at: number): boolean {
  if (at === text.length) return true;
  const kind = classAt(text, at);
  return kind === SEPARATOR || (kind === CONNECTOR && (at + 1 === text.length || classAt(text, at + 1) === SEPARATOR));
}

/** Behind the digits there, or behind some of too many. */
function afterDigits(text: string, start: number): number {
  let at = start;
  while (isDigitAt(text, at) && at - start <= MOST_CHARACTERS) at++;
  return at;
}

function isLetterAt(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0x61 && unit <= 0x7a;
}
