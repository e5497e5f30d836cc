// Facet counts by their definition: how many hits there would be with this value as the only choice of its group and all
// other clicks as they are; or with it added.

import { normalizeText } from "../../src/analysis/normalize-text.js";
import type { AttributeInfo, FacetCount, FacetEntry, FacetStats, FacetValues, JsonRecord } from "../../src/index.js";
import { type Clicks, everyValueAt, valuesAt } from "./naive-filters.js";
import { groupOf, inAlphabet, inSequence } from "./naive-order.js";
import type { NaiveSettings } from "./naive-record.js";

/** What is counted: members before any click, and as what. */
interface Counting {
  readonly members: readonly JsonRecord[];
  readonly refinements: readonly Clicks[];
  /** Counts groups by this attribute. */
  readonly distinct: string | undefined;
  readonly most: number;
  readonly all: readonly JsonRecord[];
  /** The whole record of one that is seen in part. */
  readonly wholeOf: (record: JsonRecord) => JsonRecord;
}

/** A power of two that makes a whole number of any number that tests use. */
const SCALE = 2 ** 200;

export function countFacets(
  facets: readonly string[],
  asked: readonly (string | FacetEntry)[],
  counting: Counting,
): { readonly facets: FacetValues; readonly facetStats: FacetStats } {
  const counted = facets.map((attribute) => ({ attribute, counts: countValues(attribute, counting) }));
  const shown = ({ attribute, counts }: (typeof counted)[number]): FacetValues[string] => {
    const entry = asked.find((one) => typeof one !== "string" && one.attribute === attribute) as FacetEntry | undefined;
    if (entry === undefined) return counts.slice(0, counting.most);
    const numbers = counts.map(({ value }) => value).filter((value) => typeof value === "number");
    if ("ranges" in entry) return countRanges(attribute, entry.ranges, false, counting);
    if ("histogram" in entry) return countRanges(attribute, barsOf(numbers, entry.histogram), true, counting);
    const ordered = entry.sort === "alpha" ? inAlphabet(counts, attribute, counting.all) : counts;
    return ordered.slice(0, entry.limit ?? counting.most);
  };
  return {
    facets: Object.fromEntries(counted.map((one) => [one.attribute, shown(one)])),
    facetStats: Object.assign({}, ...counted.map(({ attribute, counts }) => statsOf(attribute, counts))),
  };
}

const MOST_FACETS = 20;
const LONGEST_VALUE = 128;

/**
 * The attributes that `facets` means: the named ones, then those that "*" and "path.*" stand for: what the members have, of the declared
 * attributes or else of those that hold no long texts in most of all values; those of most members first, then by name; 20 in all.
 */
export function namesFor(
  facets: readonly string[],
  members: readonly JsonRecord[],
  { attributesForFaceting: declared, vectorAttribute }: NaiveSettings,
  all: readonly JsonRecord[],
): readonly string[] {
  const isPattern = (name: string): boolean => name === "*" || /..\.\*$/s.test(`.${name}`);
  const named = facets.filter((name) => !isPattern(name));
  const starts = facets.filter(isPattern).map((name) => name.slice(0, -1));
  if (starts.length === 0) return named;
  const holdsValues = (name: string): boolean => {
    const values = all.flatMap((record) => everyValueAt(record, name));
    const long = values.filter((value) => typeof value === "string" && value.length > LONGEST_VALUE).length;
    return long <= values.length - long;
  };
  // Of `searchable(brand)` the name counts; what is `filterOnly` is not counted.
  const counted = declared
    ?.filter((text) => !text.includes("filterOnly("))
    .map((text) => text.replace(/^(?:\w+\()*([^()]*)\)*$/, "$1"));
  const held = [...new Set(members.flatMap((record) => pathsIn(record)))]
    .filter((name) => starts.some((start) => name.startsWith(start)) && !named.includes(name))
    .filter((name) => name !== vectorAttribute)
    .filter((name) => counted?.includes(name) ?? holdsValues(name))
    .map((name) => ({ name, count: members.filter((record) => valuesAt(record, name).length > 0).length }))
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
  return [...named, ...held.map(({ name }) => name)].slice(0, MOST_FACETS);
}

/** Which attributes records have, but for that of their vectors. */
export function attributesOf(records: readonly JsonRecord[], vectorAttribute: string | undefined): AttributeInfo[] {
  const names = [...new Set(records.flatMap(pathsIn))].filter((name) => name !== vectorAttribute);
  const infos = names.map((attribute): AttributeInfo => {
    const values = records.map((record) => valuesAt(record, attribute));
    const kinds = [...new Set(values.flat().map((value) => typeof value))];
    const kind = kinds.length > 1 ? "mixed" : kinds[0] === "string" ? "text" : (kinds[0] as "number" | "boolean");
    const held = values.filter((some) => some.length > 0);
    return { attribute, kind, records: held.length, values: new Set(values.flat()).size };
  });
  return infos.sort((a, b) => b.records - a.records || (a.attribute < b.attribute ? -1 : 1));
}

/** The paths at which a record may have values, by any way to write them. */
function pathsIn(record: JsonRecord): string[] {
  const inside = (value: unknown, path: string): string[] => {
    if (Array.isArray(value)) return value.flatMap((item) => inside(item, path));
    if (typeof value !== "object" || value === null) return value === null ? [] : [path];
    return Object.entries(value).flatMap(([name, inner]) => inside(inner, `${path}.${name}`));
  };
  const found = Object.entries(record).flatMap(([name, value]) => inside(value, name));
  return [...new Set(found)].filter((path) => valuesAt(record, path).length > 0);
}

type Range = readonly [from: number | null, to: number | null];

/** From the least to the greatest number, equally wide. */
function barsOf(numbers: readonly number[], count: number): Range[] {
  if (numbers.length === 0) return [];
  const [min, max] = [Math.min(...numbers), Math.max(...numbers)];
  if (max === min || max - min > 1e300) return [[min, max]];
  const edge = (i: number): number => (i === count ? max : min + ((max - min) * i) / count);
  return Array.from({ length: count }, (_, i): Range => [edge(i), edge(i + 1)]);
}

/** Who has a number in each range; the greatest number is in the last bar. */
function countRanges(
  attribute: string,
  ranges: readonly Range[],
  areBars: boolean,
  counting: Counting,
): FacetValues[string] {
  const left = membersFor(attribute, counting);
  return ranges.map(([from, to], i) => {
    const isLast = areBars && i === ranges.length - 1;
    const isIn = (x: unknown): boolean =>
      typeof x === "number" && (from === null || from <= x) && (to === null || x < to || (isLast && x === to));
    const holders = left.filter((record) => valuesAt(record, attribute).some(isIn));
    return { from, to, count: countGroups(holders, counting) } as FacetCount;
  });
}

/** The members that pass all clicks but those of this attribute. */
function membersFor(attribute: string, { members, refinements }: Counting): JsonRecord[] {
  const others = refinements.filter((group) => group.ownFacet !== attribute);
  return members.filter((record) => others.every((group) => group.passes(record)));
}

/** Records without a group are one each. */
function countGroups(records: readonly JsonRecord[], { distinct, wholeOf }: Counting): number {
  if (distinct === undefined) return records.length;
  return new Set(records.map((record) => groupOf(wholeOf(record), distinct) ?? record)).size;
}

function countValues(attribute: string, counting: Counting): FacetValues[string] {
  const left = membersFor(attribute, counting);
  const counts = inSequence([...new Set(left.flatMap((record) => valuesAt(record, attribute)))]).map((value) => {
    const holders = left.filter((record) => valuesAt(record, attribute).includes(value));
    return { value, count: countGroups(holders, counting) };
  });
  const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  return counts.sort((a, b) => b.count - a.count || order(String(a.value), String(b.value)));
}

/** Sums in whole numbers, rounded once. */
function statsOf(attribute: string, counts: FacetValues[string]): FacetStats {
  const numbers = counts.flatMap(({ value, count }) => (typeof value === "number" ? [{ value, count }] : []));
  if (numbers.length === 0) return {};
  const values = numbers.map(({ value }) => value);
  const total = numbers.reduce((sum, { value, count }) => sum + BigInt(value * SCALE) * BigInt(count), 0n);
  const [sum, count] = [Number(total) / SCALE, numbers.reduce((all, number) => all + number.count, 0)];
  return { [attribute]: { min: Math.min(...values), max: Math.max(...values), sum, avg: sum / count } };
}

/** Of counted values, those that a typed text finds: equal ones, then beginnings, then later words. */
export function findValues(counted: FacetValues[string], typed: string, mends: boolean): FacetValues[string] {
  const normal = normalizeText(typed).trim();
  if (normal === "") return counted;
  const asked = [...new Set([normal, inTwoLetters(typed).trim()])].flatMap(askedFor);
  const ranked = (rank: (text: string) => number): FacetValues[string] =>
    [0, 1, 2].flatMap((one) => counted.filter(({ value }) => rank(String(value)) === one));
  const rankedBy = (asked: readonly Asked[]): FacetValues[string] =>
    ranked((text) => Math.min(...[normalizeText(text), inTwoLetters(text)].map((form) => rankOf(form, asked))));
  if (asked.length === 0)
    return ranked((text) => {
      const value = normalizeText(text).trim();
      return value === normal ? 0 : value.startsWith(normal) ? 1 : value.includes(normal) ? 2 : 3;
    });
  const exact = rankedBy(asked);
  return exact.length > 0 || !mends ? exact : rankedBy(asked.map((one) => ({ ...one, texts: mendedOf(one.pieces) })));
}

/** The normal form with "ae" for "ä". */
function inTwoLetters(text: string): string {
  const composed = text.toWellFormed().normalize("NFC");
  return normalizeText(composed.replaceAll(/[äöüÄÖÜ]/g, (one) => `${one.normalize("NFD")[0]}e`));
}

type Way = "plain" | "and" | "bare";

/** Any of these texts, in any of these ways of spelling a value. */
type Asked = { readonly ways: readonly Way[]; readonly pieces: readonly string[]; readonly texts: readonly string[] };

function askedFor(normal: string): Asked[] {
  const asked = (ways: readonly Way[], pieces: readonly string[]): Asked => {
    return { ways, pieces, texts: [pieces.join("")] };
  };
  const plain = piecesOf(normal, "plain");
  const found = plain.length > 0 && !normal.endsWith("&") ? [asked(["plain", "bare"], plain)] : [];
  const [, before = ""] = /^(.*(?:[^\p{L}\p{N}]))(?:a|an|and)$/su.exec(normal) ?? [];
  const joined = piecesOf(piecesOf(before, "plain").length > 0 ? `${before}&` : normal, "and");
  return joined.includes("&") ? [...found, asked(["and"], joined)] : found;
}

const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u;
const ROUND_UNSPACED = new RegExp(`(?=${UNSPACED.source})|(?<=${UNSPACED.source})`, "u");

/** The words in their order; blanks stand before a number behind a number. */
function piecesOf(normal: string, way: Way): string[] {
  const numbers = normal.replaceAll(/(?<=\p{N}),(?=\p{N}{3}(?!\p{N}))/gu, "").replaceAll(/(?<=\p{N}),(?=\p{N})/gu, ".");
  const words = numbers.match(/[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}+#]|(?<=\p{N})\.(?=\p{N}))*|&/gu) ?? [];
  const split = way === "bare" ? words.flatMap((word) => word.split(/[+#]/)).filter((word) => word !== "") : words;
  const pieces = split
    .map((word, i) => (way === "and" && i > 0 && word === "and" ? "&" : word))
    .filter((word) => way === "and" || word !== "&")
    .flatMap((word) => word.split(ROUND_UNSPACED));
  return pieces.map((piece, i) =>
    /^\p{N}/u.test(piece) && i > 0 && /\p{N}$/u.test(pieces[i - 1]!) ? ` ${piece}` : piece,
  );
}

function rankOf(normal: string, asked: readonly Asked[]): number {
  const ranks = asked.flatMap(({ ways, texts }) =>
    ways.flatMap((way) => {
      const pieces = piecesOf(normal, way);
      return pieces.flatMap((_, i) => {
        const rest = pieces.slice(i).join("").trimStart();
        if (!texts.some((text) => rest.startsWith(text))) return [];
        return i > 0 ? 2 : texts.includes(rest) && way !== "bare" ? 0 : 1;
      });
    }),
  );
  return Math.min(...ranks);
}

/** A text with one error put right, in all ways: in words of four letters or more, and never in a digit. */
function mendedOf(pieces: readonly string[]): string[] {
  if (pieces.join("").length > 64) return [];
  const isLetter = (text: string): boolean => /^[\p{L}\p{M}]$/u.test(text) && !UNSPACED.test(text);
  const letters = [..."abcdefghijklmnopqrstuvwxyz"];
  return pieces.flatMap((piece, i) => {
    if (piece.trim().length < 4) return [];
    const around = (middle: string): string => [...pieces.slice(0, i), middle, ...pieces.slice(i + 1)].join("");
    return [...piece, ""].flatMap((letter, at) => {
      const [before, after] = [piece.slice(0, at), piece.slice(at)];
      const next = after[1] ?? "";
      return [
        ...(isLetter(before.slice(-1)) || isLetter(letter) ? letters.map((added) => before + added + after) : []),
        ...(isLetter(letter) ? letters.map((other) => before + other + after.slice(1)) : []),
        ...(isLetter(letter) ? [before + after.slice(1)] : []),
        ...(isLetter(letter) && isLetter(next) ? [before + next + letter + after.slice(2)] : []),
      ].map(around);
    });
  });
}
