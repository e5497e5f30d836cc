// Values of facets in sentences: "nike", "red", "brand: nike".

import type { Task } from "../util/tasks.js";
import { isMaker, namedAttribute } from "./attribute-names.js";
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

/** Finds the values that are rather wanted. */
export function* findValues(reading: Reading): Task<ValueSpan[]> {
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

/** Adds values that are rather wanted. */
export function addValues(reading: Reading, values: readonly ValueSpan[]): void {
  for (const { from, to, found } of values) reading.add("value", from, to, filterOf(found), "preferred");
}
