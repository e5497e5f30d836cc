// Which records are like others, by the rules of docs/scoring.md: each record's terms counted in a map, all records compared.

import type { WordForms } from "../../src/analysis/word-forms.js";
import type { SearchParams, SimilarTo } from "../../src/index.js";
import { readFilter } from "./naive-filters.js";
import { byMeaning, type Leg, type Universe, wordSums } from "./naive-legs.js";
import { groupOf } from "./naive-order.js";
import { isWhere } from "./naive-places.js";
import { type Entry, type NaiveSettings, toVector, type Vector } from "./naive-record.js";
import { type Asked, readAsked } from "./naive-terms.js";

const MOST_TERMS = 25;
const MOST_CHARACTERS = 4096;
const UNLIKE = 0.5;

export function findSimilar(
  of: SimilarTo,
  params: SearchParams,
  entries: readonly Entry[],
  settings: NaiveSettings,
  words: WordForms,
): { readonly lexical: Leg | null; readonly semantic: Leg | null; readonly weight: number } {
  const { like, unlike } = named(of, entries);
  const isSearched = (name: string): boolean => params.restrictSearchableAttributes?.includes(name) ?? true;
  const attribute = Number(params.distinct ?? 1) === 0 ? undefined : settings.attributeForDistinct;
  const groups = attribute === undefined ? [] : [...like, ...unlike].map(({ record }) => groupOf(record, attribute));
  const isOther = ({ id, record }: Entry): boolean => {
    const group = attribute === undefined ? undefined : groupOf(record, attribute);
    return ![...like, ...unlike].some((one) => one.id === id) && (group === undefined || !groups.includes(group));
  };
  const passes = readFilter(params.filters);
  const others = entries.filter(isOther);
  const found = new Set(others.filter(({ record }) => passes(record) && isWhere(record, params)).map(({ id }) => id));
  const universe: Universe = { entries, exists: (id) => found.has(id), isSearched, settings };

  const vector = meanVector(like, unlike);
  const isEmbedded = settings.embedder !== undefined && settings.isStaticEn !== true;
  const usual = settings.fusion?.method === "rrf" ? 0.5 : (settings.fusion?.semanticWeight ?? (isEmbedded ? 0.3 : 0.1));
  const weight = params.semanticWeight ?? usual;
  const semantic = vector !== null && weight > 0 ? byMeaning(vector, params, universe, undefined) : null;
  if (semantic !== null && weight === 1) return { lexical: null, semantic, weight };

  const strengths = summed(
    shared(like, unlike).flatMap(([entry, share]) =>
      strengthsIn(entry, isSearched, settings, words).map((one) => ({ ...one, strength: share * one.strength })),
    ),
  );
  const [liked, unliked] = [1, -1].map((sign) => {
    const all = strengths.map(({ asked, strength }) => ({ asked, strength: sign * strength }));
    return mostTelling(all, entries, others, isSearched);
  }) as [Telling[], Telling[]];
  const sumsOf = (telling: readonly Telling[], whole?: number): ReturnType<typeof wordSums> => {
    const of = telling.map(({ strength }) => strength);
    const asked = telling.map((one) => one.asked);
    return wordSums(asked, universe, whole === undefined ? { of } : { of, whole });
  };
  const forIt = sumsOf(liked);
  const whole = forIt.counted.reduce((sum, one) => sum + one, 0);
  const against = liked.length === 0 ? undefined : sumsOf(unliked, whole);
  const score = (id: string): number =>
    Math.max(0, (forIt.sums.get(id) ?? 0) - (against?.sums.get(id) ?? 0)) / (liked.length === 0 ? 1 : forIt.most);
  const lexical = {
    members: new Set([...forIt.sums.keys()].filter((id) => found.has(id))),
    scores: new Map(entries.map(({ id }) => [id, score(id)])),
  };
  return { lexical, semantic, weight: liked.length > 0 ? weight : 1 };
}

/** Each with what it counts: the liked ones share 1, the others less than nothing. */
function shared<T>(liked: readonly T[], unliked: readonly T[]): (readonly [T, number])[] {
  const ofUnliked = unliked.map((one) => [one, -UNLIKE / unliked.length] as const);
  return [...liked.map((one) => [one, 1 / liked.length] as const), ...ofUnliked];
}

/** The strengths of each term added up, in the order in which they come. */
function summed(telling: readonly Telling[]): Telling[] {
  const sums = new Map<string, Telling>();
  for (const { asked, strength } of telling) {
    const known = sums.get(asked.key) ?? { asked, strength: 0 };
    sums.set(asked.key, { asked: known.asked, strength: known.strength + strength });
  }
  return [...sums.values()];
}

function named(of: SimilarTo, entries: readonly Entry[]): { readonly like: Entry[]; readonly unlike: Entry[] } {
  const given = typeof of === "object" ? of : [of];
  const { like, unlike = [] } = "like" in given ? given : { like: given };
  const find = (ids: readonly (string | number)[]): Entry[] =>
    entries.filter(({ id }) => ids.map(String).includes(id)).sort((a, b) => (a.id < b.id ? -1 : 1));
  return { like: find(like), unlike: find(unlike) };
}

type Telling = { readonly asked: Asked; readonly strength: number };

/** The terms of a record's searched texts, title first; their strengths have the length 1. */
function strengthsIn(
  { fields, title }: Entry,
  isSearched: (name: string) => boolean,
  { bm25 }: NaiveSettings,
  words: WordForms,
): Telling[] {
  const counts: Telling[] = [];
  const all = [...fields].filter(([name]) => isSearched(name));
  const isTitle = ([name]: (typeof all)[number]): boolean => name === title?.field;
  const fieldsInOrder = [...all.filter(isTitle), ...all.filter((one) => !isTitle(one))];
  let left = MOST_CHARACTERS;
  for (const { text, weight } of fieldsInOrder.flatMap(([, one]) => one.texts.map((text) => ({ ...one, text })))) {
    if (left <= 0) break;
    const blank = text.lastIndexOf(" ", left);
    const read = text.length <= left ? text : text.slice(0, blank > left - 64 ? Math.max(0, blank) : left);
    left -= read.length;
    for (const asked of readAsked(read, words)) if (!asked.stop) counts.push({ asked, strength: weight });
  }
  const k1 = bm25?.k1 ?? 1.2;
  const strengths = summed(counts).map(({ asked, strength: f }) => ({ asked, strength: (f * (k1 + 1)) / (k1 + f) }));
  const length = Math.sqrt(strengths.reduce((sum, { strength }) => sum + strength ** 2, 0));
  return strengths.map(({ asked, strength }) => ({ asked, strength: strength / length }));
}

/** Those of the greatest strength times idf that records hold which are looked for; equal ones by key. */
function mostTelling(
  terms: readonly Telling[],
  entries: readonly Entry[],
  others: readonly Entry[],
  isSearched: (name: string) => boolean,
): Telling[] {
  const holds = ({ fields }: Entry, { alternatives }: Asked): boolean =>
    [...fields].some(([name, { counts }]) => isSearched(name) && counts.has(alternatives[0]!.terms[0]!));
  const rate = ({ asked, strength }: Telling): number => {
    const held = entries.filter((entry) => holds(entry, asked)).length;
    return strength * Math.log(1 + (entries.length - held + 0.5) / (held + 0.5));
  };
  return terms
    .filter(({ asked, strength }) => strength > 0 && others.some((entry) => holds(entry, asked)))
    .map((telling) => ({ ...telling, rate: rate(telling) }))
    .sort((a, b) => b.rate - a.rate || (a.asked.key < b.asked.key ? -1 : 1))
    .slice(0, MOST_TERMS);
}

/** The mean of the liked vectors, less half of the mean of the others; null: there is none. */
function meanVector(like: readonly Entry[], unlike: readonly Entry[]): Vector | null {
  const given = (entries: readonly Entry[]): Vector[] => entries.flatMap(({ vector }) => vector ?? []);
  const [liked, unliked] = [given(like), given(unlike)];
  if (liked.length === 0) return null;
  const sum = liked[0]!.components.map(() => 0);
  for (const [{ components, inverseLength }, share] of shared(liked, unliked))
    for (const [i, component] of components.entries()) sum[i]! += share * inverseLength * component;
  return sum.every((component) => component === 0) ? null : toVector(sum);
}
