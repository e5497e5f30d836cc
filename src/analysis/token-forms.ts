// The forms under which one token is found. Codes ("WH-1000XM4", "7-in-1", "3.5mm"): whole, by the pieces between separators, and by
// the finest parts, which are also split where letters meet digits. A point or comma within a number belongs to the number. Compounds
// ("wi-fi"): joined, and by their parts. Scripts without blanks: by bigrams, as in Lucene's CJK analyzer.

import {
  CONNECTOR,
  classAt,
  DIGIT,
  digitsAfter,
  isLetterOrDigit,
  LETTER,
  SEPARATOR,
  scanTokens,
  type TokenKind,
} from "./scan-tokens.js";

/** The forms of a code, all normalised. */
export interface CodeForms {
  /** Without separators, except those between two digits: "wh1000xm4", "3.5mm", "16:9". */
  readonly whole: string;
  /** Only its digits, if it is a number in groups and the whole code keeps their separators: "502.654.31" as "50265431". */
  readonly digits?: string;
  /** Split at separators: "wh", "1000xm4". */
  readonly pieces: readonly string[];
  /** Split at separators and where letters meet digits: "wh", "1000", "xm", "4". */
  readonly parts: readonly string[];
}

/** A number with hyphens and at least this many digits is one long number (a barcode, an ISBN, a telephone number). */
const LONG_NUMBER = 8;
/** Groups with fewer digits are no long number: "1.2.3" is not 123. */
const LEAST_GROUPED = 5;
/** Thousands with points between them; with commas they are read as one number anyway. */
const THOUSANDS = /^[1-9][0-9]{0,2}(?:\.[0-9]{3})+$/;

/** The last token with its forms, which are asked for several times where it is learned. */
let last: { readonly token: string; readonly forms: CodeForms } = { token: "", forms: readForms("") };

/** The forms of a normalised code token. */
export function codeForms(token: string): CodeForms {
  if (token !== last.token) last = { token, forms: readForms(token) };
  return last.forms;
}

function readForms(token: string): CodeForms {
  const keepHyphens = !dropsHyphens(token);
  const pieces: string[] = [];
  const parts: string[] = [];
  let whole = "";
  let piece = 0;
  let part = 0;
  for (let at = 0; at <= token.length; at++) {
    const kind = at < token.length ? classAt(token, at) : 0;
    if (kind === LETTER || kind === DIGIT) {
      if (at === part || kind === classAt(token, at - 1) || !isLetterOrDigit(token, at - 1)) continue;
      parts.push(withPoints(token.slice(part, at)));
      part = at;
    } else if (!isDecimal(token, at)) {
      if (part < at) parts.push(withPoints(token.slice(part, at)));
      if (piece < at) whole += pieces[pieces.push(withPoints(token.slice(piece, at))) - 1]!;
      if (betweenDigits(token, at) && (keepHyphens || (token[at] !== "-" && token[at] !== "_"))) whole += token[at]!;
      piece = at + 1;
      part = at + 1;
    }
  }
  const digits = groupedDigits(token);
  return digits === undefined || digits === whole ? { whole, pieces, parts } : { whole, digits, pieces, parts };
}

/** A part of a code, with points in place of decimal commas, and without those between thousands. */
function withPoints(part: string): string {
  return part.includes(",") ? part.replaceAll(",", (_, at: number) => (digitsAfter(part, at) === 3 ? "" : ".")) : part;
}

/** The digits of a number in groups: three groups or more, two with a hyphen or `_` between them, or thousands. */
function groupedDigits(token: string): string | undefined {
  if (THOUSANDS.test(token)) return token.replaceAll(".", "");
  let digits = 0;
  let separators = 0;
  for (let at = 0; at < token.length; at++) {
    const one = token[at]!;
    if (classAt(token, at) === DIGIT) digits++;
    else if (one === "-" || one === "_") separators += 2;
    else if (one === "." || one === "/") separators++;
    else return undefined;
  }
  return digits >= LEAST_GROUPED && separators > 1 ? token.replace(/[-_./]/g, "") : undefined;
}

/** Removes all but letters and digits from a normalised text, to compare identifiers: "WH-1000 xm4" becomes "wh1000xm4". */
export function stripSeparators(text: string): string {
  let stripped = "";
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const kind = classAt(text, at);
    if (kind !== SEPARATOR && kind !== CONNECTOR) continue;
    stripped += text.slice(from, at);
    from = at + 1;
  }
  return stripped + text.slice(from);
}

/** People also type model codes ("DV7-1211EA") and long numbers without hyphens; but "1-2" is not 12. */
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

/**
 * The forms of a normalised compound token ("wi-fi", "noise-cancelling"), not stemmed. A record with all parts matches, and one with the
 * joined word. `owned`: with the s of an owner, if one was removed: "mms" for "m&m's".
 */
export function compoundForms(token: string): { joined: string; owned?: string; parts: readonly string[] } {
  const parts = token
    .split(COMPOUND_JOINTS)
    .map(cleanWord)
    .filter((part) => part !== "");
  const joined = parts.join("");
  const owned = ownedForm(token);
  return owned === undefined || owned === joined ? { joined, parts } : { joined, owned, parts };
}

/** What joins the parts of a compound. */
export const COMPOUND_JOINTS: RegExp = /[-_&./]/;

/** A word or compound with the s of its owner, without the apostrophe: "levis" for "levi's"; undefined if there is none. */
export function ownedForm(token: string): string | undefined {
  return token.includes("'s") ? stripSeparators(token) : undefined;
}

/** What is after the apostrophe of a shortened word. */
const SHORTENED: ReadonlySet<string> = new Set(["d", "ll", "m", "re", "s", "t", "ve"]);

/** The parts of a word with apostrophes, as they are written with blanks: "o'neill" -> "o", "neill"; empty for "don't". */
export function apostropheParts(word: string): readonly string[] {
  if (!word.includes("'")) return [];
  const parts = (word.endsWith("'s") ? word.slice(0, -2) : word).split("'").filter((part) => part !== "");
  return parts.length < 2 || SHORTENED.has(parts.at(-1)!) ? [] : parts;
}

/** Removes apostrophes and the possessive s: "men's" -> "men", "l'oreal" -> "loreal". */
export function cleanWord(word: string): string {
  if (!word.includes("'")) return word;
  const owner = word.endsWith("'s") ? word.slice(0, -2) : word;
  return owner.replaceAll("'", "");
}

/**
 * The forms of a normalised word, number, code or compound with + or # after it: what is before the signs, and the whole without other
 * separators, the signs at its end: "c++", "s22+".
 */
export function signedForms(token: string): { kind: TokenKind; base: string; whole: string } {
  const base = token.replace(/[+#]+$/, "");
  let kind: TokenKind = "word";
  scanTokens(base, (found) => {
    kind = found;
  });
  return { kind, base, whole: joinedForm(kind, base) + token.slice(base.length) };
}

function joinedForm(kind: TokenKind, token: string): string {
  if (kind === "word") return cleanWord(token);
  if (kind === "compound") return compoundForms(token).joined;
  return kind === "code" ? codeForms(token).whole : token;
}

/** A token as an embedder reads it: a code as one unbroken word, no signs after it, no points and slashes. */
export function embeddedToken(kind: TokenKind, token: string): string {
  if (kind === "signed") {
    const { kind: inner, base } = signedForms(token);
    return embeddedToken(inner, base);
  }
  if (kind === "compound") return token.replace(/[./]/g, " ");
  return kind === "code" ? stripSeparators(token) : token;
}

/** The characters of a run in a script without blanks, and its overlapping pairs, none for a run of one character. */
export function bigrams(run: string): { characters: readonly string[]; pairs: readonly string[] } {
  const characters = [...run];
  return { characters, pairs: characters.slice(1).map((character, i) => characters[i]! + character) };
}
