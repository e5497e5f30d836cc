// The order of hits, and who leads a group: by attributes, score, custom ranking, id; all hits compared with each other.

import { normalizeText } from "../../src/analysis/normalize-text.js";
import type { JsonRecord } from "../../src/index.js";
import { instantIn } from "./naive-dates.js";
import { valuesAt } from "./naive-filters.js";
import { metresTo, placeOf, pointOf } from "./naive-places.js";

type Value = string | number | boolean;

interface Placed {
  readonly id: string;
  readonly score: number;
  readonly record: JsonRecord;
  /** The record as `sort` sees it, where that is another. */
  readonly seen?: JsonRecord;
}

/** An attribute and a direction, `["price", "asc"]`. */
export type Key = readonly [attribute: string, direction: string];

/** In order; `_score` among the keys of `sort` is the score. */
export function inOrder<T extends Placed>(
  hits: readonly T[],
  sort: readonly Key[],
  ranking: readonly Key[],
  all: readonly JsonRecord[],
): T[] {
  const keyOf = keysAmong(all);
  return [...hits].sort(
    (a, b) =>
      byKeys(a, b, sort, keyOf, true) || b.score - a.score || byKeys(a, b, ranking, keyOf) || (a.id < b.id ? -1 : 1),
  );
}

/** The first of each group, where the hits are in order; who has no group stands alone. */
export function leaders<T extends Placed>(hits: readonly T[], attribute: string): T[] {
  const groups = hits.map((hit) => groupOf(hit.record, attribute));
  return hits.filter((_, i) => groups[i] === undefined || groups.indexOf(groups[i]) === i);
}

/** What records of a group share: their least value; undefined: none. */
export function groupOf(record: JsonRecord, attribute: string): Value | undefined {
  return inSequence(valuesAt(record, attribute))[0];
}

/** Ascending: numbers, then texts, then false and true. */
export function inSequence(values: readonly Value[]): Value[] {
  const kind = (value: Value): number => ["number", "string", "boolean"].indexOf(typeof value);
  return [...values].sort((a, b) => kind(a) - kind(b) || (a < b ? -1 : a > b ? 1 : 0));
}

/** Sizes in letters, the least first. */
const SIZES = "5xs=xxxxxs 4xs=xxxxs 3xs=xxxs 2xs=xxs xs s m l xl 2xl=xxl 3xl=xxxl 4xl=xxxxl 5xl=xxxxxl"
  .split(" ")
  .map((names) => names.split("="));

function sizeOf(value: Value): number {
  return SIZES.findIndex((names) => typeof value === "string" && names.includes(value.trim().toLowerCase()));
}

type KeyOf = (value: Value, attribute: string) => Value | undefined;

/** What values of an attribute sort by: their sizes, if all values of the attribute are sizes in letters. `all`: the living records. */
function keysAmong(all: readonly JsonRecord[]): KeyOf {
  const known = new Map<string, boolean>();
  return (value, attribute) => {
    const values = known.has(attribute) ? [] : all.flatMap((record) => valuesAt(record, attribute));
    const areSizes = known.get(attribute) ?? (values.length > 0 && values.every((one) => sizeOf(one) >= 0));
    known.set(attribute, areSizes);
    return areSizes ? sizeOf(value) : sortsBy(value);
  };
}

/** Values as hits are sorted by them, those without a key last; equal ones by kind and code unit. */
export function inAlphabet<T extends { readonly value: Value }>(
  values: readonly T[],
  attribute: string,
  all: readonly JsonRecord[],
): T[] {
  const sequence = inSequence(values.map(({ value }) => value));
  const keyOf = keysAmong(all);
  const keys = new Map(values.map(({ value }) => [value, keyOf(value, attribute)]));
  return [...values].sort(({ value: a }, { value: b }) => {
    const [keyOfA, keyOfB] = [keys.get(a), keys.get(b)];
    if (keyOfA === keyOfB) return sequence.indexOf(a) - sequence.indexOf(b);
    if (keyOfA === undefined || keyOfB === undefined) return keyOfA === undefined ? 1 : -1;
    return inSequence([keyOfA, keyOfB])[0] === keyOfA ? -1 : 1;
  });
}

function byKeys(a: Placed, b: Placed, keys: readonly Key[], keyOf: KeyOf, isSort = false): number {
  for (const [attribute, direction] of keys) {
    const point = pointOf(attribute);
    const [ofA, ofB] = [a, b].map(({ record: whole, seen = whole, score }) => {
      if (isSort && attribute === "_score") return score;
      const record = isSort ? seen : whole;
      if (point !== undefined) return metresTo(record, placeOf(point));
      const values = inSequence(valuesAt(record, attribute).flatMap((value) => keyOf(value, attribute) ?? []));
      return direction === "asc" ? values[0] : values.at(-1);
    });
    if (ofA === ofB) continue;
    if (ofA === undefined || ofB === undefined) return ofA === undefined ? 1 : -1;
    return inSequence([ofA, ofB])[0] === (direction === "asc" ? ofA : ofB) ? -1 : 1;
  }
  return 0;
}

/** Dates as milliseconds, texts that are written as numbers as these, others without case and accents, blank ones not at all. */
function sortsBy(value: Value): Value | undefined {
  if (typeof value !== "string") return value;
  const instant = instantIn(value);
  if (instant !== undefined) return instant;
  const text = normalizeText(value).trim();
  if (text === "") return undefined;
  const [, sign, digits = ""] = /^([+-]?)([0-9.,]+)$/.exec(text) ?? [];
  const number = digits.length > 60 ? undefined : written(digits);
  return number === undefined ? text : sign === "-" ? 0 - number : number;
}

/** The last of two different signs is the decimal one; a sign that is repeated, and a comma before three digits, is none. */
function written(digits: string): number | undefined {
  const parts = digits.split(/[.,]/);
  const signs = digits.replaceAll(/[0-9]/g, "");
  const [first = "", ...rest] = parts;
  const tail = rest.at(-1) ?? "";
  const isGrouped = (groups: readonly string[]): boolean =>
    /^[1-9][0-9]{0,2}$/.test(first) && groups.every((group) => group.length === 3);
  if (signs === "") return first === "" ? undefined : Number(first);
  if (new Set(signs).size === 1 && isGrouped(rest) && (signs[0] === "," || signs.length > 1))
    return Number(parts.join(""));
  if (tail === "") return undefined;
  if (signs.length === 1) return Number(`${first}.${tail}`);
  const isMixed = /^(,+\.|\.+,)$/.test(signs) && isGrouped(rest.slice(0, -1));
  return isMixed ? Number(`${parts.slice(0, -1).join("")}.${tail}`) : undefined;
}
