// The hits of a page: projected, highlighted, cut to snippets, explained.

import { formsOf } from "../../analysis/own-words.js";
import { metresToNearest, placesOf } from "../../docvalues/place.js";
import type { CheckedParams } from "../../input/read-params.js";
import { type ExplainedTerm, explainInRecord } from "../../inverted/explain-term.js";
import type { TitlePart } from "../../inverted/title/title-evidence.js";
import type { WeightedQuery } from "../../inverted/weigh-terms.js";
import type { SearchLanguage } from "../../settings/search-language.js";
import type { BoundedSnapshot } from "../../state/bounded-snapshot.js";
import { PathTree } from "../../util/attribute-path.js";
import { type Doc, toLocal } from "../../util/doc-set.js";
import { has, type JsonRecord, type JsonValue } from "../../util/json.js";
import { listIn } from "../../util/offset-table.js";
import type { Task } from "../../util/tasks.js";
import type { PreparedQuery } from "../prepare/prepare-query.js";
import type { ScoreParts } from "../rank/fuse.js";
import type { RankedQuery } from "../rank/rank-matches.js";
import type { Explanation, Hit } from "../response.js";
import { highlightRecord, snippetRecord, type TermMatcher } from "./highlight.js";

/** What shaping hits depends on. */
export interface ShapeInput {
  readonly ranked: RankedQuery;
  readonly prepared: PreparedQuery;
  readonly snapshot: BoundedSnapshot;
  readonly language: SearchLanguage;
  /** How many characters of a text are searched; the rest cannot be highlighted. */
  readonly characters: number;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Hits of which only the id is shown, between two pauses. */
const IDS_AT_ONCE = 256;

/** The hits of the page, with their groups. */
export function* shapeHits(params: CheckedParams, input: ShapeInput): Task<Hit<JsonRecord>[]> {
  const { page, groups = [] } = input.ranked;
  const shaped = yield* shapePlaces([...page, ...groups.flatMap(({ others }) => others)], params, input);
  let at = page.length;
  for (const [i, { value, nbRecords, others }] of groups.entries()) {
    shaped[i]!.group = { value, nbRecords, hits: shaped.slice(at, at + others.length) };
    at += others.length;
  }
  return shaped.slice(0, page.length);
}

function* shapePlaces(
  places: readonly number[],
  params: CheckedParams,
  input: ShapeInput,
): Task<Mutable<Hit<JsonRecord>>[]> {
  const { ranked, prepared, snapshot } = input;
  // Reading the records takes much of the time of a short query, so it is left out where nothing of them is shown.
  // From where hits tell their distance; undefined: they do not.
  const center = params.aroundLatLng ?? params.sort.find((one) => one.center !== undefined)?.center;
  const paths = params.attributesToRetrieve;
  const isMarked = params.attributesToHighlight.length > 0 || params.attributesToSnippet.length > 0;
  const isRead = center !== undefined || paths?.length !== 0 || isMarked;
  const matcher = isMarked ? matchersOf(input) : undefined;
  const hits: Mutable<Hit<JsonRecord>>[] = [];
  const docs = places.map((place) => ranked.matches.docs[place]!);
  const stored = isRead ? yield* snapshot.storedRecords(docs) : undefined;
  for (let i = 0; i < docs.length; i++) {
    const place = places[i]!;
    const doc = docs[i]!;
    const record = stored === undefined ? {} : stored[i]!.parse();
    const metres = center === undefined ? undefined : metresToNearest(placesOf(record), center);
    const hit: Mutable<Hit<JsonRecord>> = {
      id: snapshot.idOf(doc),
      score: ranked.matches.scores[place]!,
      source: paths === undefined ? record : projectRecord(record, paths),
    };
    if (metres !== undefined) hit._geoDistance = Math.round(metres);
    if (prepared.items !== null) hit.matchedItems = prepared.items.placesOf(doc);
    if (params.attributesToHighlight.length > 0)
      hit._highlightResult = yield* highlightRecord(record, params.attributesToHighlight, matcher!, params);
    if (params.attributesToSnippet.length > 0)
      hit._snippetResult = yield* snippetRecord(record, params.attributesToSnippet, matcher!, params);
    if (params.explain) hit.explanation = yield* explain(place, input);
    hits.push(hit);
    if (isRead || params.explain || prepared.items !== null || (i + 1) % IDS_AT_ONCE === 0) yield;
  }
  return hits;
}

/** By the path of an attribute: what matches in its texts, as their language has it. */
function matchersOf(input: ShapeInput): (path: string) => TermMatcher {
  const { language } = input;
  if (language.own.size === 0) {
    const matcher = matcherOf(input, language.words, undefined);
    return () => matcher;
  }
  const known = new Map<string | undefined, TermMatcher>();
  return (path) => {
    const field = language.fieldAt(path);
    const matcher = known.get(field) ?? matcherOf(input, language.wordsOf(path), field);
    known.set(field, matcher);
    return matcher;
  };
}

/**
 * The query terms that a token of a record matches: by any of its index terms, or for a split code, by all of its parts. `field`: where
 * only those alternatives count that do so in it.
 */
function matcherOf(
  { prepared: { terms }, characters }: ShapeInput,
  words: SearchLanguage["words"],
  field: string | undefined,
): TermMatcher {
  const forms = terms.flatMap(({ key, alternatives }) =>
    alternatives
      .filter(({ notIn }) => field === undefined || notIn?.has(field) !== true)
      .map(({ terms: parts, weight, end, apart }) => ({ key, parts, all: weight < 1 && !apart, end })),
  );
  const byPart = new Map<string, typeof forms>();
  for (const one of forms) for (const part of new Set(one.parts)) listIn(byPart, part).push(one);
  const matching = (given: readonly string[]): typeof forms =>
    given.flatMap((part) =>
      (byPart.get(part) ?? []).filter(({ parts, all }) => !all || parts.every((one) => given.includes(one))),
    );
  return {
    words: has(words, "analyze") ? formsOf(words) : words,
    analyzer: has(words, "analyze") ? words : undefined,
    characters,
    keys: terms.length,
    matchTerms: (given) => [...new Set(matching(given).map(({ key }) => key))],
    endOf: (key, given) => {
      const [first, ...others] = matching(given).filter((one) => one.key === key);
      return others.every(({ end }) => end === first?.end) ? first?.end : undefined;
    },
  };
}

function* explain(place: number, input: ShapeInput): Task<Explanation> {
  const { ranked, prepared } = input;
  const { matches, lexical, semantic } = ranked;
  const doc = matches.docs[place]!;
  const parts = matches.partsOf(doc);
  const explanation: Mutable<Explanation> = {};
  if (lexical !== null) {
    const { query } = prepared;
    const explained = yield* explainTerms(query, doc, query.maxScore, input);
    if (query.unlike !== null) explained.push(...(yield* explainTerms(query.unlike, doc, -query.maxScore, input)));
    explanation.lexical = {
      score: lexical.shareOf(doc),
      contribution: parts.lexical,
      terms: explained,
    };
  }
  const { titles } = prepared;
  if (titles !== null && lexical !== null && !parts.isBeyondWindow) {
    const divisor = titles.divisor * (prepared.boosts?.divisor ?? 1);
    explanation.title = { contribution: parts.title, parts: titlePartsOf(titles, doc, parts, divisor) };
  }
  if (semantic !== null && (!parts.isBeyondWindow || parts.semantic > 0))
    explanation.semantic = { cosine: semantic.similarityOf(doc), contribution: parts.semantic };
  if (parts.isBeyondWindow) explanation.beyondRankWindow = true;
  const { boosts } = prepared;
  if (boosts !== null) explanation.boosts = yield* boosts.explain(doc);
  const boosted = (explanation.boosts ?? []).reduce((sum, { contribution }) => sum + contribution, 0);
  const score = matches.scores[place]!;
  const rest = score - parts.lexical - parts.semantic - parts.title - boosted;
  // More than rounding: the whole query is an identifier. With boosts it may also be that no score is below 0.
  if (Math.abs(rest) > 1e-6 && (boosts === null || score === 1)) explanation.exactCode = { contribution: rest };
  return explanation;
}

/** The terms that a record holds; below 0 where `maxScore` is. */
function* explainTerms(
  { searcher, terms, docFreqs, weights }: WeightedQuery,
  doc: Doc,
  maxScore: number,
  { snapshot }: ShapeInput,
): Task<ExplainedTerm[]> {
  const segment = searcher.segments[snapshot.segments.indexOf(snapshot.segmentOf(doc))]!;
  const explained: ExplainedTerm[] = [];
  for (const [i, term] of terms.entries()) {
    const counts = { docFreq: docFreqs[i]!, docCount: searcher.docCount, weight: weights[i]!, maxScore };
    const one = yield* explainInRecord(segment, toLocal(segment.base, doc), term, counts);
    if (one !== undefined) explained.push(one);
  }
  return explained;
}

/** A part below this is the rounding of sums. */
const ROUNDING = 1e-9;

/** The evidence of a title, which adds up to its contribution. */
function titlePartsOf(
  titles: NonNullable<PreparedQuery["titles"]>,
  doc: Doc,
  { title: contribution, lacking }: ScoreParts,
  divisor: number,
): TitlePart[] {
  const parts = titles.partsOf(doc, lacking).map((part) => ({ ...part, contribution: part.contribution / divisor }));
  const rest = contribution - parts.reduce((sum, part) => sum + part.contribution, 0);
  if (Math.abs(rest) > ROUNDING) parts.push({ text: "no score is below 0", contribution: rest });
  return parts;
}

/**
 * The parts of a record that `attributesToRetrieve` names: paths, `*`, `-path`. Own properties only; arrays of objects are walked item by
 * item. Takes a fresh copy of the record, which it may return.
 */
export function projectRecord(record: JsonRecord, paths: readonly string[]): JsonRecord {
  const hidden = paths.filter((path) => path.startsWith("-") && path.length > 1).map((path) => path.slice(1));
  const shown = paths.filter((path) => !path.startsWith("-"));
  // With exclusions only, everything else is shown.
  const whole = shown.includes("*") || (shown.length === 0 && hidden.length > 0);
  const picked = whole ? record : (partOf(record, treeOf(shown), true) ?? {});
  if (hidden.length === 0) return picked as JsonRecord;
  const hiding = treeOf(hidden);
  // A name of the record with dots takes its path, shown or not.
  return (partOf(picked, hiding, false, hiding.ownNames(Object.keys(record))) ?? {}) as JsonRecord;
}

function treeOf(paths: readonly string[]): PathTree<true> {
  return new PathTree(paths.map((path) => [path, true]));
}

/**
 * The part of a value that the paths name or, if `keeps` is false, the rest; undefined if that is nothing. `taken`: paths that are the
 * whole name of an attribute that was already found.
 */
function partOf(
  value: JsonValue,
  paths: PathTree<true> | undefined,
  keeps: boolean,
  taken: ReadonlySet<PathTree<true>> = new Set(),
): JsonValue | undefined {
  if (paths === undefined) return keeps ? undefined : value;
  if (paths.option === true && !taken.has(paths)) return keeps ? value : undefined;
  if (Array.isArray(value)) {
    const parts = value
      .map((item: JsonValue) => partOf(item, paths, keeps, taken))
      .filter((part) => part !== undefined);
    return keeps && parts.length === 0 ? undefined : parts;
  }
  if (typeof value !== "object" || value === null) return keeps ? undefined : value;
  const own = paths.ownNames(Object.keys(value));
  const takenInside = own.size === 0 ? taken : new Set([...taken, ...own]);
  const entries: [string, JsonValue][] = [];
  for (const [name, inner] of Object.entries(value)) {
    const node = paths.at(name);
    const isOwn = node !== undefined && own.has(node);
    const part = isOwn ? (keeps ? inner : undefined) : partOf(inner, node, keeps, takenInside);
    if (part !== undefined) entries.push([name, part]);
  }
  return keeps && entries.length === 0 ? undefined : Object.fromEntries(entries);
}
