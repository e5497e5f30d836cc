// Numbers as shops write them: "1500", "1,500", "1.5", "1,5", ".5", "1/2", "1 1/2", "1-1/2", "1½". Points, commas, colons and
// slashes that make no number (versions, dates, lists, ratios, pairs) leave nothing to read. Looks at a bounded number of
// characters.

import { classAt, SEPARATOR } from "../character-class.js";
import { knownRational, plus, type Rational, rational } from "./rational.js";

/** A number of a text: its range in code units, and its exact value. */
export interface NumberRead {
  readonly start: number;
  readonly end: number;
  readonly value: Rational;
  readonly isFraction: boolean;
}

/** The point included; longer ones are barcodes. */
const MOST_DIGITS = 12;
/** What a fraction is written in, besides the signs for fractions that Unicode has. */
const DENOMINATORS = new Set(["2", "3", "4", "5", "6", "8", "16", "32", "64"]);
/** What the normal form makes of the signs for fractions: "½" becomes "1⁄2", and "1½" becomes "11⁄2". */
const FRACTION_SLASH = "\u2044";

/** The number whose first digit stands at `at`; undefined where the digits there are none. */
export function readNumber(text: string, at: number): NumberRead | undefined {
  const end = afterDigits(text, at);
  if (end === at || isInList(text, at)) return undefined;
  if (isAfterPoint(text, at)) return finish(text, at - 1, end, `0.${text.slice(at, end)}`);
  const behind = text[end];
  if (behind === "/" || behind === FRACTION_SLASH) return readFraction(text, at);
  const whole = text.slice(at, end);
  if ((behind === " " || behind === "-") && isDigit(text[end + 1])) {
    const rest = readFraction(text, end + 1);
    if (rest !== undefined && rest.value.n < rest.value.d)
      return { ...rest, start: at, value: plus(rational(whole), rest.value) };
  }
  return readDecimal(text, at, whole);
}

/** Whether a decimal digit stands there. */
export function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= "0" && character <= "9";
}

/** Thousands ("1,500"), a decimal with a point or a comma, or thousands and then a point. */
function readDecimal(text: string, start: number, whole: string): NumberRead | undefined {
  const mayGroup = whole.length <= 3 && whole[0] !== "0";
  let digits = whole;
  let end = start + whole.length;
  while (mayGroup && text[end] === "," && digits.length <= MOST_DIGITS) {
    const group = readDigits(text, end + 1);
    if (group.length !== 3) break;
    digits += group;
    end += 4;
  }
  const isMark = text[end] === "." || (text[end] === "," && digits === whole);
  const decimals = isMark ? readDigits(text, end + 1) : "";
  if (decimals === "") return finish(text, start, end, digits);
  return finish(text, start, end + 1 + decimals.length, `${digits}.${decimals}`);
}

function readFraction(text: string, start: number): NumberRead | undefined {
  const over = readDigits(text, start);
  const slash = text[start + over.length];
  if (over === "" || (slash !== "/" && slash !== FRACTION_SLASH)) return undefined;
  const under = readDigits(text, start + over.length + 1);
  const isSign = slash === FRACTION_SLASH;
  const [whole, part] = isSign ? [over.slice(0, -1), over.slice(-1)] : ["", over];
  if (under === "" || !(isSign || DENOMINATORS.has(under)) || Number(part) >= Number(under)) return undefined;
  const read = finish(text, start, start + over.length + 1 + under.length, whole === "" ? "0" : whole);
  return read && { ...read, value: plus(read.value, { n: BigInt(part), d: BigInt(under) }), isFraction: true };
}

/** Digits that are followed by a further mark and digit are a version, a date, a list or a ratio. */
function finish(text: string, start: number, end: number, decimal: string): NumberRead | undefined {
  const goesOn = ".,:/\u2044".includes(text[end] ?? " ") && isDigit(text[end + 1]);
  if (goesOn || decimal.length > MOST_DIGITS) return undefined;
  return { start, end, value: knownRational(decimal), isFraction: false };
}

function isInList(text: string, at: number): boolean {
  return text[at - 1] === "," && isDigit(text[at - 2]);
}

/** ".5", but not "vol.5". */
function isAfterPoint(text: string, at: number): boolean {
  return text[at - 1] === "." && (at < 2 || classAt(text, at - 2) === SEPARATOR);
}

/** The decimal digits from `at` on, at most one more than a number may have. */
function readDigits(text: string, at: number): string {
  return text.slice(at, afterDigits(text, at));
}

function afterDigits(text: string, at: number): number {
  let end = at;
  while (end - at <= MOST_DIGITS && isDigit(text[end])) end++;
  return end;
}
