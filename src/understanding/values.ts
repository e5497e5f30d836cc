// Values of facets in sentences: "nike", "red", "brand: nike". And purposes, within which few values are wanted: in "headphones for running"
// the thing is headphones. What stands behind "for", "with" or "to" tells more of it.

import { wordsOf } from "../analysis/language-rules.js";
import { COUNTED_MARK } from "../analysis/units.js";
import type { Task } from "../util/tasks.js";
import { isMaker, namedAttribute } from "./attribute-names.js";
import { amountAt } from "./conditions.js";
import type { FacetValue } from "./index-facts.js";
import { FILLERS, filterOf, type Reading, type TokenRange } from "./reading.js";

/** Words of a value, at most. */
const MOST_WORDS = 5;
/** The preferred values of a query, at most. */
const MOST_VALUES = 16;
/** Words that are no values, whatever a facet holds. */
const NO_VALUES = new Set(["ADP", "DET", "PRON", "AUX", "CCONJ", "PART", "SCONJ", "NUM", "PUNCT"]);

const NEGATIONS = new Set(["non", "anti", "no", "not", "but", "without", "except", "excluding", "than", "like"]);

/** A value that stands in a sentence. */
export interface ValueSpan extends TokenRange {
  readonly found: FacetValue;
}

/** The longest value that begins at a token, if it is one of a single attribute. */
export function* longestValue(reading: Reading, from: number): Task<ValueSpan | undefined> {
  for (let to = Math.min(from + MOST_WORDS, reading.tokens.length); to > from; to--) {
    if (!reading.areFree(from, to) || !isValueLike(reading, from, to)) continue;
    const found = yield* reading.facts.valuesOf(reading.spelling(from, to));
    if (found.length > 1) return undefined;
    if (found.length === 1) return { from, to, found: found[0]! };
  }
  return undefined;
}

function isValueLike(reading: Reading, from: number, to: number): boolean {
  const [first, last] = [reading.tokens[from]!, reading.tokens[to - 1]!];
  if (first.kind !== "word" || last.kind === "sign" || last.kind === "currency") return false;
  if (isHyphen(reading, from - 1) || isHyphen(reading, to)) return false;
  return to - from > 1 || (first.key.length > 1 && !NO_VALUES.has(first.pos));
}

/** Whether a word goes on in a hyphen: "Lego-like" is not Lego. */
function isHyphen({ tokens }: Reading, i: number): boolean {
  return tokens[i]?.key === "-" && tokens[i]!.isGlued && tokens[i + 1]?.isGlued === true;
}

/** Reads values behind the names of their attributes and a colon. */
export function* readNamedValues(reading: Reading): Task<void> {
  for (let colon = 1; colon < reading.tokens.length - 1; colon++) {
    if (reading.key(colon) !== ":" || !reading.isFree(colon)) continue;
    const named = reading.attributeNamed(colon - 1, colon);
    if (named === undefined) continue;
    for (let to = Math.min(colon + 1 + MOST_WORDS, reading.tokens.length); to > colon + 1; to--) {
      if (!reading.areFree(colon - 1, to) || reading.tokens[to - 1]!.kind === "sign") continue;
      const found = yield* reading.facts.valuesOf(reading.spelling(colon + 1, to));
      const own = found.filter(({ attribute }) => attribute === named.attribute);
      if (own.length !== 1) continue;
      reading.add("value", colon - 1, to, filterOf(own[0]!), "filters");
      break;
    }
  }
}

/** Reads purposes, and the values that are rather wanted. */
export function* readValues(reading: Reading): Task<void> {
  for (const { from, to, found } of yield* readPurposes(reading, yield* findValues(reading)))
    reading.add("value", from, to, filterOf(found), "preferred");
}

/** Finds the values that are rather wanted. */
function* findValues(reading: Reading): Task<ValueSpan[]> {
  const values: ValueSpan[] = [];
  for (let from = 0; from < reading.tokens.length && values.length < MOST_VALUES; from++) {
    const value = reading.isFree(from) ? yield* longestValue(reading, from) : undefined;
    if (value === undefined) continue;
    if (!isNegated(reading, from) && !(yield* isPartOfName(reading, value))) values.push(value);
    from = value.to - 1;
    yield;
  }
  const wanted: ValueSpan[] = [];
  for (const value of values) if (yield* fits(reading, value, values)) wanted.push(value);
  return wanted;
}

/**
 * Whether some record has the value and anything else that is asked for: in a shop without red light lamps, "red light lamp" wants
 * nothing red. Makers are asked for by their names alone, in whatever words.
 */
function* fits(reading: Reading, value: ValueSpan, values: readonly ValueSpan[]): Task<boolean> {
  const { facts, tokens } = reading;
  if (isMaker(value.found.attribute)) return true;
  const name = namedAttribute(value.found.attribute).words;
  let isAlone = true;
  for (const other of values) {
    if (other === value) continue;
    isAlone = false;
    if (yield* facts.meets(value.found, other.found)) return true;
  }
  for (let i = 0; i < tokens.length; i++) {
    const { key, kind } = tokens[i]!;
    const isOther = (kind === "word" || kind === "number") && reading.isFree(i) && !FILLERS.has(key) && key !== name;
    if (!isOther || values.some(({ from, to }) => i >= from && i < to)) continue;
    isAlone = false;
    if (yield* facts.meets(value.found, key)) return true;
  }
  return isAlone;
}

/** Whether a value is not wanted, although nobody could say what is: "non Apple laptop", "anything but Apple". */
function isNegated({ tokens }: Reading, i: number): boolean {
  return tokens[i]!.isNegated || NEGATIONS.has(tokens[i - 1]?.key ?? "");
}

/** Whether the value and the word beside it stand in titles, but only of records without it: "Blue Note" is no blue note. */
function* isPartOfName(reading: Reading, { from, to, found }: ValueSpan): Task<boolean> {
  const { facts } = reading;
  if (to < reading.tokens.length && (yield* facts.standsInTitle(reading.words(from, to + 1), found))) return true;
  return from > 0 && (yield* facts.standsInTitle(reading.words(from - 1, to), found));
}

const CONTENT = new Set(["NOUN", "PROPN", "VERB", "ADJ", "X"]);
/** What follows a "for" or "with" that tells no purpose. */
const NO_PURPOSE = new Set(
  wordsOf(
    "sale free less only just cheap or and no not any everyone now real at more up over under below above between max maximum",
  ),
);

/** Reads the purposes; the values outside of them, or that are all of one, remain. */
function* readPurposes(reading: Reading, values: readonly ValueSpan[]): Task<readonly ValueSpan[]> {
  if (yield* reading.facts.standsInTitle(reading.words(0, reading.tokens.length))) return values;
  let left = values;
  for (let i = 1; i < reading.tokens.length; i++) {
    if (!beginsPurpose(reading, i) || !reading.hasThing(i, i, i)) continue;
    const to = endOfPurpose(reading, i);
    const inside = left.filter((value) => value.from > i && value.to <= to);
    if (!tellsPurpose(reading, i, to) || areWanted(reading, inside, i, to)) continue;
    left = left.filter((value) => !inside.includes(value));
    reading.add("purpose", i, to, "", "none");
    i = to - 1;
    yield;
  }
  return left;
}

function beginsPurpose(reading: Reading, i: number): boolean {
  if (!reading.isFree(i) || !reading.isFree(i + 1)) return false;
  const [token, next, last] = [reading.tokens[i]!, reading.tokens[i + 1]!, reading.tokens[i - 1]!];
  if (token.key === "to") {
    const isThing = last.pos === "NOUN" || last.pos === "PROPN";
    return token.pos === "PART" && next.pos === "VERB" && isThing && next.key !== "go";
  }
  if (
    (token.key !== "for" && token.key !== "with") ||
    last.key === "not" ||
    (last.kind === "number" && reading.isFree(i - 1))
  )
    return false;
  return !NO_PURPOSE.has(next.key) && next.kind !== "sign" && next.kind !== "currency";
}

/** Up to the next part, sign, "for" or "with". */
function endOfPurpose(reading: Reading, from: number): number {
  let to = from + 1;
  while (reading.isFree(to) && reading.tokens[to]!.kind !== "currency" && !isEnd(reading, to)) to++;
  return to;
}

function isEnd(reading: Reading, i: number): boolean {
  const { key, kind } = reading.tokens[i]!;
  return key === "for" || key === "with" || key === "without" || (kind === "sign" && key !== "-" && key !== "&");
}

/** Whether it names something, and is no price: "for 20" is one, "for 3 year olds" and "for two players" are none. */
function tellsPurpose(reading: Reading, from: number, to: number): boolean {
  const amount = amountAt(reading.tokens, from + 1);
  const counts = amount?.unit?.dimension.startsWith(COUNTED_MARK) === true;
  if (amount !== undefined && (amount.money !== "no" || (amount.to >= to && !counts))) return false;
  return reading.tokens.slice(from + 1, to).some(({ pos, kind }) => kind === "word" && CONTENT.has(pos));
}

/** Whether a purpose is nothing but values that things have: "for women", but not "for Samsung". */
function areWanted(reading: Reading, inside: readonly ValueSpan[], from: number, to: number): boolean {
  if (reading.key(from) !== "for" || inside.some(({ found }) => isMaker(found.attribute))) return false;
  const covered = inside.reduce((sum, value) => sum + value.to - value.from, 0);
  return covered > 0 && covered === to - from - 1;
}
