// A code ("WH-1000XM4", "7-in-1", "3.5mm") is found whole, by its separated pieces and by its finest parts, which are split
// at every border of letters and digits. A point or comma within a number is part of the number.

import { CONNECTOR, classAt, DIGIT, LETTER, SEPARATOR } from "./character-class.js";
import { digitsAfter } from "./scan-tokens.js";

/** The forms of one code, all normalised. */
export interface CodeForms {
  /** Without separators, but for those between two digits: "wh1000xm4", "3.5mm", "16:9". */
  readonly whole: string;
  /** Split at separators: "wh", "1000xm4". */
  readonly pieces: readonly string[];
  /** Split at separators and where letters meet digits: "wh", "1000", "xm", "4". */
  readonly parts: readonly string[];
}

/** From so many digits on, a number with hyphens is one long number (a barcode, an ISBN, a telephone). */
const LONG_NUMBER = 8;

/** The forms of a code token, given as a normalised text. */
export function codeForms(token: string): CodeForms {
  const parts: string[] = [];
  let from = 0;
  let before = 0;
  for (let at = 0; at < token.length; at++) {
    const kind = classAt(token, at);
    if (kind !== LETTER && kind !== DIGIT) return joinedForms(token);
    if (kind === before) continue;
    if (at > 0) parts.push(token.slice(from, at));
    from = at;
    before = kind;
  }
  if (token !== "") parts.push(token.slice(from));
  return { whole: token, pieces: token === "" ? [] : [token], parts };
}

/** The same of a code with separators. */
function joinedForms(token: string): CodeForms {
  const keepHyphens = !dropsHyphens(token);
  const pieces: string[] = [];
  const parts: string[] = [];
  let whole = "";
  let piece = "";
  let part = "";
  const endPart = (): void => {
    if (part !== "") parts.push(part);
    part = "";
  };
  for (let at = 0; at < token.length; at++) {
    const kind = classAt(token, at);
    const isSeparator = kind !== DIGIT && kind !== LETTER;
    if (isSeparator && isDecimal(token, at)) {
      const point = token[at] === "," && digitsAfter(token, at) === 3 ? "" : ".";
      whole += point;
      piece += point;
      part += point;
      continue;
    }
    if (isSeparator) {
      endPart();
      if (piece !== "") pieces.push(piece);
      piece = "";
      if (betweenDigits(token, at) && (keepHyphens || (token[at] !== "-" && token[at] !== "_"))) whole += token[at]!;
      continue;
    }
    if (part !== "" && kind !== classAt(token, at - 1) && isLetterOrDigit(token, at - 1)) endPart();
    whole += token[at]!;
    piece += token[at]!;
    part += token[at]!;
  }
  endPart();
  if (piece !== "") pieces.push(piece);
  return { whole, pieces, parts };
}

/** A text's letters and digits alone: how identifiers are compared ("WH-1000 xm4" -> "wh1000xm4"). Takes normalised text. */
export function squeeze(text: string): string {
  let squeezed = "";
  for (let at = 0; at < text.length; at++) {
    const kind = classAt(text, at);
    if (kind !== SEPARATOR && kind !== CONNECTOR) squeezed += text[at]!;
  }
  return squeezed;
}

/** A model code ("DV7-1211EA") or a long number is typed without hyphens too; "1-2" is not 12. */
function dropsHyphens(token: string): boolean {
  let digits = 0;
  for (let at = 0; at < token.length; at++) {
    const kind = classAt(token, at);
    if (kind === LETTER) return true;
    if (kind === DIGIT) digits++;
  }
  return digits >= LONG_NUMBER;
}

function isDecimal(token: string, at: number): boolean {
  return (token[at] === "." || token[at] === ",") && betweenDigits(token, at);
}

function betweenDigits(token: string, at: number): boolean {
  return at > 0 && at + 1 < token.length && classAt(token, at - 1) === DIGIT && classAt(token, at + 1) === DIGIT;
}

function isLetterOrDigit(token: string, at: number): boolean {
  const kind = classAt(token, at);
  return kind === LETTER || kind === DIGIT;
}
