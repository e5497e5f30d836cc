// Other spellings of a quantity of a query, as alternatives of its term: sizes with and without a unit, packs and pieces, thousands in
// groups, numbers in words; and sizes of clothes and shoes: "size 42", "EU 42", "medium", "W32 L34", "32/34". Records keep the one term of
// the spelling that they have, so that no text is read in two ways.

import { KeptKey } from "../../util/kept.js";
import { type Quantity, quantitiesIn } from "../quantities.js";
import { PARTS_WEIGHT, SPELLING_WEIGHT, type TermAlternative } from "../query-term.js";
import { QUANTITY_MARK } from "../scan-tokens.js";
import { CONTAINERS, COUNTED_MARK, ENGLISH_UNITS, SHORT_NAMES, UNITS, type Unit, type UnitTable } from "../units.js";
import type { WordForms } from "../word-forms.js";
import { nineDigits, type Rational, rational, times } from "./rational.js";

/** A quantity of a query. */
interface TypedQuantity {
  readonly term: string;
  /** As it was typed, normalised. */
  readonly text: string;
  /** The number right before it, which may be its thousands: "10" before "000 mah". */
  readonly before: string | undefined;
}

const SIZE = `${QUANTITY_MARK}size:`;
const PACKS = `${QUANTITY_MARK}packs:`;
const PIECES = `${QUANTITY_MARK}pieces:`;
/** The units of sizes that are written without one. */
const SIZE_UNITS = ["mm", "cm", "m", "inch", "foot"].map((name) => UNITS.get(name)!.factor);
const DECIMAL = /^[0-9.]+$/;

/** The alternatives of a quantity besides its own term. */
export function quantitySpellings(typed: TypedQuantity, words: WordForms): TermAlternative[] {
  const { term } = typed;
  if (term.startsWith(SIZE)) return [...spelled(sizesOf(term).map((size) => [size])), ...numbersOf(typed)];
  return [
    ...spelled([...countsOf(term), ...thousandsOf(typed, words), ...fractionOf(typed), ...inWords(typed, words)]),
    ...withoutNumber(typed, words),
  ];
}

/** The term of the quantity that a spelling begins with; undefined if it is none. */
function readTerm(spelling: string, { units }: WordForms): string | undefined {
  const [first] = quantitiesIn(spelling, units);
  return first?.start === 0 ? first.term : undefined;
}

function spelled(found: readonly (readonly string[])[]): TermAlternative[] {
  return found.map((terms) => ({ terms, weight: SPELLING_WEIGHT, distance: 0 }));
}

/** The numbers of a size, for a record that says them in its own way, or with a third one. */
function numbersOf({ text }: TypedQuantity): TermAlternative[] {
  if (text.includes("/")) return [];
  const numbers = text.match(/[0-9]+(?:[.,][0-9]+)?/g) ?? [];
  const terms = [...new Set(numbers.map((number) => number.replace(",", ".")))];
  return [{ terms, weight: PARTS_WEIGHT, distance: 0 }];
}

/** "90x200" in each unit; "90 x 200 cm" as a number of each unit. */
function sizesOf(term: string): string[] {
  const isMeasured = term.endsWith("m");
  const numbers = term.slice(SIZE.length, isMeasured ? -1 : undefined).split("x");
  if (!numbers.every((number) => DECIMAL.test(number))) return [];
  return SIZE_UNITS.map((factor) => {
    const share: Rational = isMeasured ? { n: factor.d, d: factor.n } : factor;
    const lengths = numbers.map((number) => nineDigits(times(rational(number), share)));
    return `${SIZE}${lengths.join("x")}${isMeasured ? "" : "m"}`;
  });
}

const COUNTED = QUANTITY_MARK + COUNTED_MARK;

/** "drawers" for "4 drawers": it may be what is sold. */
function withoutNumber({ term, text }: TypedQuantity, words: WordForms): TermAlternative[] {
  const [name] = /\p{L}+$/u.exec(text) ?? [];
  if (name === undefined || !term.startsWith(COUNTED)) return [];
  return [{ terms: [words.stem(name)], weight: PARTS_WEIGHT, distance: 0 }];
}

/** A pack of ten has ten pieces. */
function countsOf(term: string): string[][] {
  if (term.startsWith(PACKS)) return [[PIECES + term.slice(PACKS.length)]];
  return term.startsWith(PIECES) ? [[PACKS + term.slice(PIECES.length)]] : [];
}

const THOUSANDS = /^([1-9][0-9]{0,2})([.,]?)([0-9]{3})(?![0-9.,])/;
const LAST_THREE = /^[0-9]{3}(?![0-9.,])/;
const MAY_BE_THOUSANDS = /^[1-9][0-9]{0,2}$/;

/** "10000 mah" as "10.000 mah" and "10 000 mah", which records have as 10 mAh and 0 mAh, and the other way round. */
function thousandsOf({ text, before, term }: TypedQuantity, words: WordForms): string[][] {
  if (before !== undefined && MAY_BE_THOUSANDS.test(before) && LAST_THREE.test(text))
    return [readTerm(before + text, words)].filter((other) => other !== undefined).map((other) => [other]);
  const [number, groups, point, last] = THOUSANDS.exec(text) ?? [];
  if (number === undefined) return [];
  const unit = text.slice(number.length);
  const joined = readTerm(groups! + last! + unit, words);
  const decimal = readTerm(`${groups}.${last}${unit}`, words);
  const behind = readTerm(last! + unit, words);
  return [
    ...(point === "." && joined !== undefined ? [[joined]] : []),
    ...(decimal !== undefined && decimal !== term ? [[`${groups}.${last}`, decimal]] : []),
    ...(behind === undefined ? [] : [[groups!, behind]]),
  ];
}

const FRACTION = /^[0-9]{1,2}\/[0-9]{1,2}(?![0-9/])/;

/** "1/2 inch" without its unit. */
function fractionOf({ text }: TypedQuantity): string[][] {
  const [fraction] = FRACTION.exec(text) ?? [];
  return fraction === undefined ? [] : [[fraction]];
}

/** Parts of one in English words. */
const PARTS: readonly (readonly [string, string])[] = [
  ["half", "1/2"],
  ["quarter", "1/4"],
  ["three quarter", "3/4"],
  ["three quarters", "3/4"],
];
const FRACTIONS: ReadonlyMap<string, string> = new Map([
  ["0.5", "1/2"],
  ["0.25", "1/4"],
  ["0.75", "3/4"],
]);
const SHORTEST_NAME = 4;
const NAME = /^\p{L}+$/u;

/** Numbers and units in the words of a language. */
class NumberWords {
  /** Small numbers in words. */
  readonly numbers: ReadonlyMap<string, string>;
  /** The names of units that are words of their own, not abbreviations. */
  readonly names: ReadonlyMap<Unit, readonly string[]>;
  /** A number in words and a unit, or what packs are called before the number. */
  readonly inWords: RegExp;
  /** What most texts lack: a fast test, because each query is read. */
  readonly mayHaveNumber: RegExp;

  constructor(units: UnitTable) {
    const isEnglish = units === ENGLISH_UNITS;
    this.numbers = new Map([
      ...units.numbers.flatMap((forms, i) => forms.map((word) => [word, String(i + 1)] as const)),
      ...(isEnglish ? PARTS : []),
    ]);
    const names = new Map<Unit, string[]>();
    for (const [spelling, unit] of units.named)
      if (NAME.test(spelling) && (spelling.length >= SHORTEST_NAME || SHORT_NAMES.has(spelling)))
        names.set(unit, [...(names.get(unit) ?? []), spelling]);
    this.names = names;
    const words = [...this.numbers.keys()].reverse().join("|");
    const all = [...names.values()].flat().join("|");
    const article = isEnglish ? "(?: (?:an?|of an?))?" : "";
    this.inWords = new RegExp(
      `${BEFORE}(?:(${words})${article}[ -](${all})|${units.packPhrases} (${words}))${AFTER}`,
      "gu",
    );
    this.mayHaveNumber = new RegExp(words, "u");
  }
}

const BEFORE = "(?<![\\p{L}\\p{N}_&'./-])";
const AFTER = "(?![\\p{L}\\p{N}_&'/-])";
const NUMBER_WORDS = new KeptKey<NumberWords>();

function numberWordsOf({ units }: WordForms): NumberWords {
  return units.kept.get(NUMBER_WORDS, () => new NumberWords(units));
}

const NUMBER_AND_UNIT = /^([0-9]+(?:\/[0-9]+|[.,][0-9]+)?)[ -]?(\p{L}+|")$/u;

/** "1/2 inch" as "half inch", "6 pack" as "six pack" and "box of six". */
function inWords({ term, text }: TypedQuantity, words: WordForms): string[][] {
  const [, number, name] = NUMBER_AND_UNIT.exec(text) ?? [];
  const { numbers, names: all } = numberWordsOf(words);
  const unit = words.units.named.get(name === '"' ? "inch" : (name ?? ""));
  const names = unit && all.get(unit);
  if (names === undefined) return [];
  const called = term.startsWith(PACKS) ? [...names, ...CONTAINERS] : names;
  const stems = [...new Set(called.map((one) => words.stem(one)))];
  const decimal = number!.replace(",", ".");
  return [...numbers]
    .filter(([, digits]) => digits === (FRACTIONS.get(decimal) ?? decimal))
    .flatMap(([word]) => stems.map((stem) => [...new Set([...word.split(" ").map((one) => words.stem(one)), stem])]));
}

/** A quantity whose number is in words. */
export interface WordQuantity extends Quantity {
  /** The same with its number in digits. */
  readonly text: string;
}

/** The quantities of a normalised text whose numbers are in words: "half inch", "half a litre", "six-pack", "box of six". */
export function wordQuantities(normal: string, words: WordForms): WordQuantity[] {
  const found: WordQuantity[] = [];
  const { numbers, inWords, mayHaveNumber } = numberWordsOf(words);
  if (!mayHaveNumber.test(normal)) return found;
  for (const match of normal.matchAll(inWords)) {
    const text = `${numbers.get(match[1] ?? match[3]!)} ${match[2] ?? "pack"}`;
    const term = readTerm(text, words);
    if (term !== undefined) found.push({ start: match.index, end: match.index + match[0].length, term, text });
  }
  return found;
}

const SIZE_LABELS = ["size", "sz"];
const EUROPEAN = ["eu", "eur"];
/** What each label may be written as. */
const LABELS: ReadonlyMap<string, readonly string[]> = new Map([
  ...SIZE_LABELS.map((label) => [label, [...SIZE_LABELS, ...EUROPEAN, "uk", "us"]] as const),
  ...EUROPEAN.map((label) => [label, [...EUROPEAN, ...SIZE_LABELS]] as const),
  ["uk", ["uk", ...SIZE_LABELS]],
  ["us", ["us", ...SIZE_LABELS]],
]);
const NUMBER = /^[0-9]{1,3}(?:\.5)?$/;
/** Sizes in letters, each with its other names. */
const LETTERS: readonly (readonly (readonly string[])[])[] = [
  [["xs"], ["x", "small"], ["extra", "small"]],
  [["s"], ["small"]],
  [["m"], ["medium"]],
  [["l"], ["large"]],
  [["xl"], ["x", "large"], ["extra", "large"]],
  [["xxl"], ["2xl"], ["xx", "large"]],
  [["xxxl"], ["3xl"], ["xxx", "large"]],
  [["xxxxl"], ["4xl"]],
  [["xxxxxl"], ["5xl"]],
];

const LETTER_SIZE = /^(?:(?:(x{1,5})|([2-5])x)?([sl])|m)$/;

/** The place of a text among sizes in letters, M in the middle: "XL" and "2xl" are above it; undefined: it is none. */
export function letterSize(text: string): number | undefined {
  const match = LETTER_SIZE.exec(text.trim().toLowerCase());
  if (match === null) return undefined;
  const [, letters = "", digit = "0", side] = match;
  const steps = 1 + Math.max(letters.length, Number(digit));
  return side === undefined ? 0 : side === "s" ? -steps : steps;
}

/** The alternatives of two tokens that are one size, given as their first index terms; undefined: they are not. */
export function labelledSize(label: string, value: string, words: WordForms): TermAlternative[] | undefined {
  if (WAIST.test(label) && LENGTH.test(value)) return waistAndLength(label + value);
  const labels = LABELS.get(label);
  if (labels === undefined) return undefined;
  const names = LETTERS.find((size) => size.some((name) => name.join(" ") === value));
  if (names === undefined && !NUMBER.test(value)) return undefined;
  const own = { terms: [words.stem(label), words.stem(value)], weight: 1, distance: 0 };
  const half = value.endsWith(".5") ? [{ ...own, terms: [words.stem(label), value.slice(0, -2), "1/2"] }] : [];
  const others = labels.filter((other) => other !== label).map((other) => [words.stem(other), words.stem(value)]);
  const alone = (names ?? []).map((name) => name.map((word) => words.stem(word)));
  return [
    own,
    ...half,
    ...[...others, ...alone].map((terms) => ({ terms, weight: SPELLING_WEIGHT, distance: 0 })),
    { terms: [words.stem(value)], weight: PARTS_WEIGHT, distance: 0 },
  ];
}

const WAIST = /^w[0-9]{2}$/;
const LENGTH = /^l[0-9]{2}$/;
const WAIST_AND_LENGTH = /^w([0-9]{2})l([0-9]{2})$/;
const TWO_NUMBERS = /^([0-9]{2})\/([0-9]{2})$/;

/** The alternatives of "w32l34" and "32/34". */
export function waistAndLength(code: string): TermAlternative[] | undefined {
  const [, waist, length] = WAIST_AND_LENGTH.exec(code) ?? [];
  if (waist !== undefined)
    return [
      { terms: [`w${waist}`, `l${length}`], weight: 1, distance: 0 },
      { terms: [`${waist}/${length}`], weight: SPELLING_WEIGHT, distance: 0 },
      { terms: [`${QUANTITY_MARK}size:${waist}x${length}`], weight: SPELLING_WEIGHT, distance: 0 },
    ];
  const [, first, second] = TWO_NUMBERS.exec(code) ?? [];
  if (first === undefined) return undefined;
  return [{ terms: [`w${first}`, `l${second}`], weight: SPELLING_WEIGHT, distance: 0 }];
}
