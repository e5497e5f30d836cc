// Sizes of clothes and shoes in a query: "size 42" and "EU 42", "size m" and "medium", "W32 L34" and "32/34". Of two tokens that are
// one size the second says nothing without the first.

import { PARTS_WEIGHT, SPELLING_WEIGHT, type TermAlternative } from "../query-term.js";
import { QUANTITY_MARK } from "../term-marks.js";
import type { WordForms } from "../word-forms.js";

const SIZE = ["size", "sz"];
const EUROPEAN = ["eu", "eur"];
/** What each label may be written as. */
const LABELS: ReadonlyMap<string, readonly string[]> = new Map([
  ...SIZE.map((label) => [label, [...SIZE, ...EUROPEAN, "uk", "us"]] as const),
  ...EUROPEAN.map((label) => [label, [...EUROPEAN, ...SIZE]] as const),
  ["uk", ["uk", ...SIZE]],
  ["us", ["us", ...SIZE]],
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
