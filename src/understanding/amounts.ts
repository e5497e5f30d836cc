// Amounts in sentences: numbers in digits and words, with a currency or a unit.

import { wordsOf } from "../analysis/language-rules.js";
import { ATTACHED_ONLY, ENGLISH_UNITS, UNITS, type Unit } from "../analysis/units.js";
import type { Token, TokenRange } from "./reading.js";

/** A number with what it counts. */
export interface Amount extends TokenRange {
  /** In the main unit of a currency. */
  readonly value: number;
  /** Whether a currency stands beside it; "pound" may also be a weight. */
  readonly money: "no" | "yes" | "pound";
  readonly unit: Unit | undefined;
  readonly isStars: boolean;
  /** The token behind the number itself. */
  readonly afterNumber: number;
}

const CURRENCY_WORDS = new Set(
  wordsOf(
    "dollar dollars buck bucks usd euro euros eur pound pounds gbp quid cad aud nzd chf franc francs yen jpy rupee rupees inr rs yuan cny rmb krona kronor sek nok dkk zloty pln peso pesos real reais",
  ),
);
const HUNDREDTHS = new Set(["cent", "cents", "penny", "pennies", "pence"]);
const POUNDS = new Set(["pound", "pounds"]);
export const STARS: ReadonlySet<string> = new Set(["star", "stars"]);

const SMALL = wordsOf(
  "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
);
const TENS = wordsOf("twenty thirty forty fifty sixty seventy eighty ninety");
const IN_WORDS: ReadonlyMap<string, number> = new Map([
  ...SMALL.map((word, i) => [word, i + 1] as const),
  ...TENS.map((word, i) => [word, 10 * (i + 2)] as const),
]);
const TIMES: ReadonlyMap<string, number> = new Map([
  ["hundred", 100],
  ["thousand", 1000],
]);

/** The amount that begins at a token; undefined: none does. */
export function amountAt(tokens: readonly Token[], from: number): Amount | undefined {
  let at = from;
  let money: Amount["money"] = "no";
  if (tokens[at]?.kind === "currency" || (isCurrencyWord(tokens[at]) && tokens[at + 1]?.kind === "number")) {
    money = "yes";
    at++;
  }
  const number = numberAt(tokens, at);
  if (number === undefined) return undefined;
  let { value } = number;
  at = number.to;
  if (tokens[at]?.key === "k" && tokens[at]!.isGlued) {
    // "4k" alone is a resolution.
    if (money === "no" && !isCurrency(tokens[at + 1])) return undefined;
    value *= 1000;
    at++;
  }
  const afterNumber = at;
  const next = tokens[at];
  if (money === "no" && next !== undefined) {
    if (isCurrency(next)) {
      money = POUNDS.has(next.key) ? "pound" : "yes";
      at++;
    } else if (HUNDREDTHS.has(next.key)) {
      money = "yes";
      value /= 100;
      at++;
    }
  } else if (money === "yes" && isCurrencyWord(next)) at++;
  const isStars = money === "no" && next !== undefined && STARS.has(next.key);
  const unit = money === "no" || money === "pound" ? unitAt(tokens, afterNumber) : undefined;
  if (isStars) at++;
  else if (unit !== undefined) at = unit.to;
  return { from, to: at, value: rounded(value), money, unit: unit?.unit, isStars, afterNumber };
}

/** A number as it is printed: without the noise of binary fractions. */
export function rounded(value: number): number {
  return Number(value.toPrecision(12));
}

/** The value of an amount in another unit of the same dimension. */
export function convert(value: number, from: Unit, to: Unit): number {
  const { n, d } = from.factor;
  return rounded((value * Number(n) * Number(to.factor.d)) / (Number(d) * Number(to.factor.n)));
}

function isCurrencyWord(token: Token | undefined): boolean {
  return token !== undefined && CURRENCY_WORDS.has(token.key);
}

function isCurrency(token: Token | undefined): boolean {
  return token?.kind === "currency" || isCurrencyWord(token);
}

function numberAt(tokens: readonly Token[], at: number): Pick<Amount, "value" | "to"> | undefined {
  const token = tokens[at];
  if (token === undefined) return undefined;
  if (token.kind === "number") {
    const value = inDigits(token.key);
    return value === undefined ? undefined : { value, to: at + 1 };
  }
  // "one" may be no number at all; wink says where it is.
  return token.kind === "word" && (token.pos === "NUM" || token.entity !== undefined) ? inWords(tokens, at) : undefined;
}

/** "1,299.50" and "19,99"; "1.500" may be either, so it is none. */
function inDigits(text: string): number | undefined {
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(text)) return Number(text.replaceAll(",", ""));
  if (/^\d{1,3}\.\d{3}$/.test(text)) return undefined;
  if (/^\d+,\d{1,2}$/.test(text)) return Number(text.replace(",", "."));
  return /^\d{1,15}(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
}

/** "twenty five", "two hundred"; one addend behind a multiple at most. */
function inWords(tokens: readonly Token[], from: number): Pick<Amount, "value" | "to"> | undefined {
  const key = (i: number): string => tokens[i]?.key ?? "";
  let at = from;
  let value = IN_WORDS.get(key(at));
  if (value === undefined) return undefined;
  at++;
  const ones = IN_WORDS.get(key(at));
  if (value >= 20 && ones !== undefined && ones < 10) {
    value += ones;
    at++;
  }
  const times = TIMES.get(key(at));
  if (times === undefined) return { value, to: at };
  return { value: value * times, to: at + 1 };
}

function unitAt(tokens: readonly Token[], at: number): { readonly unit: Unit; readonly to: number } | undefined {
  const token = tokens[at];
  if (token === undefined) return undefined;
  if (ENGLISH_UNITS.firstWords.has(token.key)) {
    const unit = UNITS.get(`${token.key} ${tokens[at + 1]?.key}`);
    if (unit !== undefined) return { unit, to: at + 2 };
  }
  const spelled = token.key === '"' || token.key === "\u201d" ? "in" : token.key;
  const unit = UNITS.get(spelled);
  // "under 5 a day": a letter is a unit behind its number only; "in" is rather a word.
  if (unit === undefined || (!token.isGlued && (ATTACHED_ONLY.has(spelled) || spelled === "in"))) return undefined;
  return { unit, to: at + 1 };
}
