// The slow and obvious twin of the engine: docs/scoring.md spelled out with plain maps and loops, one record at a time. It
// shares the tokeniser, the reader of markup, the reader of filters and the stored form of vectors with the engine, nothing else:
// no index, no segments, no columns, no shortcuts.

import { withoutNegations } from "../../src/analysis/negations.js";
import { isBlank } from "../../src/analysis/normalize-text.js";
import type {
  AttributeInfo,
  FacetStats,
  FacetValues,
  JsonRecord,
  JsonValue,
  RecallSource,
  SearchParams,
  SimilarTo,
  Understood,
} from "../../src/index.js";
import { type NaiveBoosts, readBoosts } from "./naive-boosts.js";
import { attributesOf, countFacets, findValues, namesFor } from "./naive-facets.js";
import { type Clicks, readFilter, readNumericRefinements, readRefinements, readSeen } from "./naive-filters.js";
import { outOfVocabularyFloor } from "./naive-floor.js";
import { fuse, round6 } from "./naive-fusion.js";
import { meetsIntent, type NaiveIntent } from "./naive-intent.js";
import { byMeaning, byWords, type Leg, type Universe } from "./naive-legs.js";
import { applyPatch } from "./naive-operations.js";
import { groupOf, inOrder, type Key, leaders } from "./naive-order.js";
import { readPhrases } from "./naive-phrases.js";
import { distanceOf, isWhere } from "./naive-places.js";
import { type Entry, type NaiveSettings, readEntry, toVector, type Vector } from "./naive-record.js";
import { holdsWord, outOfVocabularyWords, rewrite, synonymousParts, wordsOf } from "./naive-rewriting.js";
import { applyRules, type NaiveRuled, withPins } from "./naive-rules.js";
import { findSimilar } from "./naive-similar.js";
import { type Asked, exactCodes, readableToken, type Token, tokensOf, unsigned } from "./naive-terms.js";
import { askTitles, belonging, type HeldTerm } from "./naive-titles.js";
import { NaiveVocabulary } from "./naive-vocabulary.js";

export interface NaiveHit {
  readonly id: string;
  readonly score: number;
  readonly _geoDistance?: number;
  readonly matchedItems?: Readonly<Record<string, readonly number[]>>;
  readonly group?: { readonly value: unknown; readonly nbRecords: number; readonly hits: readonly NaiveHit[] };
}

/** The whole answer, every hit in order. */
export interface NaiveAnswer {
  readonly nbHits: number;
  readonly nbRecords?: number;
  readonly recallSource: readonly RecallSource[];
  readonly hits: readonly NaiveHit[];
  readonly facets?: FacetValues;
  readonly facetStats?: FacetStats;
  readonly appliedRules?: readonly string[];
  readonly userData?: readonly unknown[];
}

interface Scored {
  readonly members: ReadonlySet<string>;
  /** Whom rules promote and the filters let pass, in the order of the rules; they have scores, too. */
  readonly promoted: ReadonlySet<string>;
  /** Not rounded, and without the rule for identifiers. */
  readonly raw: ReadonlyMap<string, number>;
  /** The records that have the whole query as an identifier. */
  readonly exact: ReadonlySet<string>;
  readonly recallSource: readonly RecallSource[];
  readonly blank: boolean;
  readonly holdsAll: (id: string) => boolean;
  /** Whether a record is what is asked for, by its title or its category. */
  readonly names: (id: string) => boolean;
}

const NOTHING_NAMED = { holdsAll: () => true, names: () => false };

/** The hits that are what is asked for: of those that hold all words, or of all, those that say so; or else those near to the best. */
function askedFor<T extends { readonly id: string }>(
  hits: readonly T[],
  { holdsAll, names }: Scored,
  scores: ReadonlyMap<string, number>,
): readonly T[] {
  const whole = hits.filter(({ id }) => holdsAll(id));
  const some = whole.length > 0 ? whole : hits;
  const named = some.filter(({ id }) => names(id));
  const best = Math.max(0, ...some.map(({ id }) => scores.get(id)!));
  return named.length > 0 ? named : some.filter(({ id }) => scores.get(id)! >= 0.9 * best);
}

/** The context of rules for queries in which something is understood. */
const SENTENCE = "natural_language";

export class NaiveEngine {
  private entries = new Map<string, Entry>();
  private settings: NaiveSettings;

  constructor(settings: NaiveSettings = {}, records: readonly object[] = []) {
    this.settings = inFull(settings);
    for (const record of records) this.add(record);
  }

  get records(): JsonRecord[] {
    return [...this.entries.values()].sort((a, b) => (a.id < b.id ? -1 : 1)).map(({ record }) => record);
  }

  add(given: object): void {
    const record = JSON.parse(JSON.stringify(given)) as JsonRecord;
    const id = this.idOf(record);
    this.entries.set(id, readEntry(record, id, this.settings, wordsOf(this.settings)));
  }

  /**
   * Puts the attributes given in place of a record's, or changes these by operations; an id that nobody has becomes a record, or
   * nothing. False, and nothing has changed: an operation cannot be done, or a name with dots leads into an object that the record
   * has, and is no attribute of it.
   */
  update(patch: JsonRecord, createIfNotExists = true): boolean {
    const before = this.entries.get(this.idOf(patch));
    if (before === undefined && !createIfNotExists) return true;
    const record = before?.record;
    const objects = Object.entries(record ?? {}).filter(([, value]) => holdsObject(value));
    const isWithin = (name: string): boolean => objects.some(([outer]) => name.startsWith(`${outer}.`));
    if (Object.keys(patch).some((name) => record?.[name] === undefined && isWithin(name))) return false;
    const after = applyPatch(record, patch);
    if (after !== undefined) this.add(after);
    return after !== undefined;
  }

  delete(id: string | number): void {
    this.entries.delete(String(id));
  }

  deleteBy(filters: NonNullable<SearchParams["filters"]>): number {
    const passes = readFilter(filters);
    const going = [...this.entries.values()].filter(({ record }) => passes(record));
    for (const { id } of going) this.entries.delete(id);
    return going.length;
  }

  replaceAll(records: readonly object[]): void {
    this.entries.clear();
    for (const record of records) this.add(record);
  }

  updateSettings(settings: NaiveSettings): void {
    this.settings = { ...this.settings, ...inFull(settings) };
    this.replaceAll(this.records);
  }

  copyFrom(other: NaiveEngine): void {
    this.settings = other.settings;
    this.entries = new Map(other.entries);
  }

  /**
   * Answers in full. `semanticMembers`: the members by meaning are exactly these, whatever floor and depth say. `intent`: where the
   * query is to be understood.
   */
  query(params: SearchParams, semanticMembers?: readonly string[], intent?: NaiveIntent): NaiveAnswer {
    const contexts = intent?.isSentence === true ? { ruleContexts: [...(params.ruleContexts ?? []), SENTENCE] } : {};
    const ruled = applyRules({ ...params, ...contexts }, this.settings);
    if (intent === undefined) return this.answer(ruled, this.score(ruled, semanticMembers));
    const { understood } = intent;
    if (understood.original !== ruled.params.query) throw new Error(`"${understood.original}" was read`);
    const searched = { ...ruled, params: { ...ruled.params, query: understood.query } };
    return this.answer(searched, this.score(searched, semanticMembers, understood.excluded), understood);
  }

  similar(of: SimilarTo, given: Partial<SearchParams>): NaiveAnswer {
    const { settings } = this;
    const params = { ...given, query: "", boosts: given.boosts ?? [], relevancyStrictness: 0 };
    const entries = [...this.entries.values()];
    const { lexical, semantic, weight } = findSimilar(of, params, entries, settings, wordsOf(settings));
    const recallSource: RecallSource[] = lexical === null ? [] : ["fullTextSearch"];
    if (semantic !== null) recallSource.push("semanticSearch");
    const members = new Set([...(lexical?.members ?? []), ...(semantic?.members ?? [])]);
    const raw = fuse([...members], { lexical, semantic }, weight, settings, undefined, this.window(lexical));
    const { hidden } = applyRules(params, settings);
    const ruled = { params, hidden, filters: [], choices: [], appliedRules: [], userData: [], pins: [] };
    const found = { members, promoted: new Set<string>(), exact: new Set<string>() };
    return this.answer(ruled, { ...found, raw, recallSource, blank: false, ...NOTHING_NAMED });
  }

  private answer(ruled: NaiveRuled, scored: Scored, intent?: Understood): NaiveAnswer {
    const { settings } = this;
    const { params, hidden } = ruled;
    const { raw, exact, recallSource, blank, promoted, members: found } = scored;
    const greatest = exact.size > 0 ? 0.999999 : 1;
    const scores = new Map([...raw].map(([id, score]) => [id, exact.has(id) ? 1 : Math.min(round6(score), greatest)]));
    const counted = new Map([...scores].filter(([id]) => found.has(id)));
    const relevant = new Map(blank ? counted : this.relevant(counted, exact, params));
    for (const id of promoted) relevant.set(id, scores.get(id)!);
    const boosts = readBoosts(params, intent?.preferred ?? [], settings.boosts, this.records);
    const sees = readSeen([params.filters, ...ruled.filters]);
    const ranked = [...relevant].map(([id, unboosted]) => {
      const { record } = this.entries.get(id)!;
      const isBoosted = boosts !== undefined && !exact.has(id);
      const score = isBoosted ? boosted(raw.get(id)!, record, boosts) : unboosted;
      return { id, score, record, seen: sees.record(record) };
    });
    const chosenIn = (given: Partial<NaiveRuled["choices"][0]>): Clicks[] => [
      ...readRefinements(given.facetFilters as SearchParams["facetFilters"]),
      ...readNumericRefinements(given.numericFilters as SearchParams["numericFilters"]),
    ];
    const stay = ruled.choices.flatMap(chosenIn).map(({ passes }) => ({ ownFacet: null, passes }));
    const refinements: Clicks[] = [...chosenIn(params), ...stay];
    if (intent !== undefined) {
      const meets = meetsIntent(intent, wordsOf(settings));
      const meeting = ranked.filter(({ id, seen }) => meets(this.entries.get(id)!, seen));
      const all = new Set(meeting.map(({ seen }) => seen));
      refinements.push({ ownFacet: null, passes: (seen) => all.has(seen) });
    }
    const hasScores = !blank || recallSource.includes("semanticSearch") || boosts?.give === true;
    const isStrong = ({ id, score }: NaiveHit): boolean =>
      !hasScores || score >= (params.minScore ?? 0) || promoted.has(id);
    const members = ranked.filter((hit) => isStrong(hit) && !hidden.has(hit.id));
    const clicked = members.filter(({ seen }) => refinements.every((group) => group.passes(seen)));
    const sort = sortKeys(params.sort ?? []);
    const ranking = rankingKeys(settings);
    const order = sort.length > 0 ? [] : sortKeys(intent?.order?.sort ?? []);
    const first = order.length > 0 ? askedFor(clicked, scored, scores) : [];
    const others = clicked.filter((hit) => !first.includes(hit));
    const ordered = [...inOrder(first, order, ranking, this.records), ...inOrder(others, sort, ranking, this.records)];
    const most = Number(params.distinct ?? settings.distinct ?? 0);
    const distinct = most > 0 ? settings.attributeForDistinct! : undefined;
    // Promoted records lead their groups, the first of each group.
    const pins = [...promoted].flatMap((id) => ruled.pins.find((pin) => pin.id === id && !hidden.has(id)) ?? []);
    const ahead = pins.flatMap(({ id }) => ordered.find((hit) => hit.id === id) ?? []);
    const leading = new Set(distinct === undefined ? ordered : leaders([...new Set([...ahead, ...ordered])], distinct));
    const list = ordered.filter((hit) => leading.has(hit));
    const shownPins = pins.filter(({ id }) => list.some((hit) => hit.id === id));
    const shown = sort.length + order.length > 0 ? list : withPins(list, shownPins);
    const shape = ({ id, score, record }: (typeof shown)[number]): NaiveHit => {
      const metres = distanceOf(record, params);
      const matchedItems = sees.matchedItems(record);
      return {
        ...{ id, score, ...(metres === undefined ? {} : { _geoDistance: metres }) },
        ...(matchedItems === undefined ? {} : { matchedItems }),
      };
    };
    const groupAround = (leader: (typeof shown)[number]): NonNullable<NaiveHit["group"]> => {
      const value = groupOf(leader.record, distinct!);
      const isOther = (hit: typeof leader): boolean =>
        hit !== leader && value !== undefined && groupOf(hit.record, distinct!) === value;
      const others = ordered.filter(isOther);
      return { value: value ?? null, nbRecords: 1 + others.length, hits: others.slice(0, most - 1).map(shape) };
    };
    const hits = shown.map((hit): NaiveHit => ({ ...shape(hit), ...(most > 1 ? { group: groupAround(hit) } : {}) }));
    const told = {
      ...(ruled.appliedRules.length > 0 ? { appliedRules: ruled.appliedRules } : {}),
      ...(ruled.userData.length > 0 ? { userData: ruled.userData } : {}),
    };
    const grouped = most > 1 ? { nbRecords: ordered.length } : {};
    const answer = { nbHits: hits.length, ...grouped, recallSource, hits, ...told };
    if ((params.facets ?? []).length === 0) return answer;
    const records = members.map(({ seen }) => seen);
    const wholes = new Map(members.map(({ seen, record }) => [seen, record]));
    const { maxValuesPerFacet = 100, facets: asked = [] } = params;
    const attributes = asked.map((one): string => (typeof one === "string" ? one : one.attribute));
    const facets = namesFor(attributes, records, settings, this.records);
    const wholeOf = (seen: JsonRecord): JsonRecord => wholes.get(seen)!;
    const counting = { members: records, refinements, distinct, most: maxValuesPerFacet, all: this.records, wholeOf };
    return { ...answer, ...countFacets(facets, asked, counting) };
  }

  /** The members whose score, in millionths, is at least so many hundredths of the best; a code that is the query always is. */
  private relevant(scores: Leg["scores"], exact: ReadonlySet<string>, params: SearchParams): Leg["scores"] {
    const strictness = params.relevancyStrictness ?? this.settings.relevancyStrictness ?? 0;
    const best = Math.max(0, ...[...scores].filter(([id]) => !exact.has(id)).map(([, score]) => score));
    const millionths = (score: number): number => Math.round(score * 1e6);
    const isNear = (score: number): boolean => 100 * millionths(score) >= strictness * millionths(best);
    return new Map([...scores].filter(([id, score]) => exact.has(id) || isNear(score)));
  }

  attributes(): AttributeInfo[] {
    return attributesOf(this.records, this.settings.vectorAttribute);
  }

  findValues(params: SearchParams, facet: string, typed: string): FacetValues[string] {
    const all = this.query({ ...params, facets: [facet], maxValuesPerFacet: 1e9 }).facets![facet]!;
    return findValues(all, typed, params.typoTolerance ?? this.settings.typoTolerance ?? true);
  }

  private score(
    { params, filters, pins }: NaiveRuled,
    semanticMembers: readonly string[] | undefined,
    excluded: readonly string[] = [],
  ): Scored {
    const { settings } = this;
    const words = wordsOf(settings);
    const { restrictSearchableAttributes } = params;
    const isSearched = (name: string): boolean => restrictSearchableAttributes?.includes(name) ?? true;
    const { text, passes } = readPhrases(params.query, params.advancedSyntax ?? false, words, isSearched);
    const tests = [params.filters, ...filters].map(readFilter);
    const entries = [...this.entries.values()];
    const present = entries.filter(({ record }) => tests.every((test) => test(record)) && isWhere(record, params));
    const existing = present.filter(passes);
    const promoted = new Set(pins.map(({ id }) => id).filter((id) => present.some((entry) => entry.id === id)));
    const ids = new Set(existing.map(({ id }) => id));
    const blank = isBlank(text);
    const isOther = settings.embedder !== undefined && settings.isStaticEn !== true;
    const usual = settings.fusion?.method === "rrf" ? 0.5 : (settings.fusion?.semanticWeight ?? (isOther ? 0.3 : 0.1));
    const asked = params.semanticWeight ?? usual;
    const written = this.queryVector(text, params, blank || asked === 0);
    if (blank && written === null) {
      const raw = new Map([...ids, ...promoted].map((id) => [id, 0]));
      return {
        members: ids,
        promoted,
        raw,
        exact: new Set(),
        recallSource: ["fullTextSearch"],
        blank,
        ...NOTHING_NAMED,
      };
    }
    const universe: Universe = { entries, exists: (id) => ids.has(id), isSearched, settings };
    const weight = blank ? 1 : asked;
    const isExactField = (name: string): boolean => settings.disableTypoToleranceOnAttributes?.includes(name) ?? false;
    const vocabulary = new NaiveVocabulary(entries, isSearched, isExactField);
    // What the embedder knows, and reads now, is no typing error.
    const reads = written !== null && weight > 0 && params.vector === undefined;
    const { knows: _, ...unread } = settings;
    const isRead = params.vector === undefined && !blank && asked > 0 && this.givenText(text) !== "";
    const isWord = settings.embedder !== undefined && isRead ? settings.knows : undefined;
    const language = { ...(reads ? settings : unread), isWord };
    const asTyped = rewrite(text, params, language, vocabulary, excluded);
    const leaning = reads && weight < 1 ? this.leaning(text, asTyped.terms, vocabulary) : undefined;
    const isHeld = ({ alternatives }: Asked): boolean => alternatives.some((one) => vocabulary.holds(one.terms));
    // Where nothing is near, a word may be a typing error even if the embedder knows it.
    const isNoneNear = (own: Vector | null): boolean => {
      const set = params.semanticFloor ?? settings.semanticFloor ?? "auto";
      if (own === null || settings.nearness === undefined || set !== "auto") return false;
      const isShort = isShortAndOutOfVocabulary(byWords(asTyped.terms, params, universe).terms, entries);
      const both = weight > 0 && weight < 1 && params.vector === undefined;
      const isJudged = both && isShort && mayBeJudged(params, settings);
      const least = isJudged ? outOfVocabularyFloor(entries, settings) : undefined;
      return byMeaning(own, params, { ...universe, exists: () => true }, undefined, least).members.size === 0;
    };
    const isFar = leaning?.isFar === true || isNoneNear(leaning?.vector ?? written);
    const mendsKnown = isFar && !asTyped.terms.some(isHeld);
    const mended = mendsKnown ? rewrite(text, params, { ...language, mendsKnown }, vocabulary, excluded) : asTyped;
    const { terms, typed } = mended.terms.some(isHeld) ? mended : asTyped;
    const behind = settings.analyzer === "plain" ? [] : belonging(terms, typed);
    const strengths = { of: terms.map(({ key }) => (behind.includes(key) ? 0.2 : 1)) };
    const vector = terms === asTyped.terms ? (leaning?.vector ?? written) : written;
    const areBoth = vector !== null && weight > 0 && weight < 1 && params.vector === undefined;
    const byWord = vector === null || weight < 1 ? byWords(terms, params, universe, strengths) : null;
    const isJudged = areBoth && isShortAndOutOfVocabulary(byWord!.terms, entries) && mayBeJudged(params, settings);
    const floor = isJudged ? outOfVocabularyFloor(entries, settings) : undefined;
    const semantic = vector !== null && weight > 0 ? byMeaning(vector, params, universe, semanticMembers, floor) : null;
    const lexical = floor === undefined ? byWord : withoutFar(byWord!, semantic!, floor, settings);
    // What words cannot say, meaning says; more of a short query that nobody has whole.
    const isOurs = params.semanticWeight === undefined && settings.fusion?.method !== "rrf";
    const isLeft = isOurs && settings.fusion?.semanticWeight === undefined && semantic !== null && !blank;
    const isMeant = isLeft && lexical !== null && isShortAndOutOfVocabulary(lexical.terms, entries);
    const meant = isMeant ? (isOther ? 0.7 : 0.25) : weight;
    const said = meant + (1 - meant) * (1 - (lexical?.heldShare ?? 1));
    const exact = exactHolders(params.query, existing, isSearched);
    const recallSource: RecallSource[] = lexical !== null || exact.size > 0 ? ["fullTextSearch"] : [];
    if (semantic !== null) recallSource.push("semanticSearch");
    const hasTitles = lexical !== null && settings.fusion?.method !== "rrf" && settings.titleEvidence !== false;
    const isWhole = restrictSearchableAttributes === undefined;
    const rules = { entries, isSearched, isWhole, isExact: isExactField, hasHeads: settings.analyzer !== "plain" };
    const titles = hasTitles ? askTitles(lexical.terms, typed, rules) : undefined;
    const window = this.window(lexical);
    const members = new Set([...(lexical?.members ?? []), ...(semantic?.members ?? []), ...exact]);
    const all = [...members, ...promoted];
    const raw = fuse(all, { lexical, semantic }, said, settings, titles, window);
    const needed = byWords(terms, params, universe).terms.filter(({ optional }) => optional !== true);
    const holdsAll = (id: string): boolean => needed.every(({ holders }) => holders.has(id));
    const names = (id: string): boolean => titles?.names(id) === true;
    return { members, promoted, raw, exact, recallSource, blank, holdsAll, names };
  }

  /** The best by words, level ones by custom ranking, then id. */
  private window(lexical: Leg | null): ReadonlySet<string> {
    const placed = (id: string) => ({ id, score: lexical!.scores.get(id)!, record: this.entries.get(id)!.record });
    const members = [...(lexical?.members ?? [])].map(placed);
    const ordered = inOrder(members, [], rankingKeys(this.settings), this.records);
    return new Set(ordered.slice(0, this.settings.rankWindow ?? 1000).map(({ id }) => id));
  }

  private queryVector(text: string, { vector }: SearchParams, unwanted: boolean): Vector | null {
    const { embedder } = this.settings;
    if (vector !== undefined) return toVector([...vector]);
    if (embedder === undefined || unwanted) return null;
    const given = this.givenText(text);
    if (given === "") return null;
    const parts = this.settings.embedParts && synonymousParts(text, this.settings);
    if (parts === undefined) return toVector(embedder(given));
    return toVector(this.settings.embedParts!(parts, { outOfVocabulary: [], isHeld: () => false }));
  }

  /** The vector with what the embedder has to say of words that no record holds, and whether it says nothing near; else undefined. */
  private leaning(text: string, terms: readonly Asked[], vocabulary: NaiveVocabulary) {
    const { settings } = this;
    const outOfVocabulary = outOfVocabularyWords(terms, vocabulary);
    if (settings.embedParts === undefined || outOfVocabulary.length === 0) return undefined;
    const parts = synonymousParts(text, settings) ?? [[this.givenText(text)]];
    const held: string[] = [];
    const isHeld = (word: string): boolean => {
      if (!holdsWord(word, settings, vocabulary)) return false;
      held.push(word);
      return true;
    };
    const vector = toVector(settings.embedParts(parts, { outOfVocabulary, isHeld }));
    if (vector === null) return undefined;
    const { nearness } = settings;
    const isNear = (word: string, other: string): boolean => Math.round(256 * nearness!(word, other)) / 256 >= 0.45;
    const isFar = nearness !== undefined && !outOfVocabulary.some((word) => held.some((other) => isNear(word, other)));
    return { vector, isFar };
  }

  private givenText(text: string): string {
    const tokens = tokensOf(text);
    if (this.settings.wordsOnly) {
      const read = tokens.map(([kind, token]) => ({ kind, text: token }));
      const wanted = withoutNegations(read, wordsOf(this.settings));
      return wanted.map(({ kind, text: token }) => readableToken(kind, token)).join(" ");
    }
    const isCode = ([kind, token]: Token): boolean => (kind === "signed" ? unsigned(token).inner[0] : kind) === "code";
    return tokens.every(isCode) ? "" : text;
  }

  private idOf(record: JsonRecord): string {
    return String(record[this.settings.idAttribute ?? "id"]);
  }
}

function boosted(raw: number, record: JsonRecord, { divisor, sumOf }: NaiveBoosts): number {
  return Math.min(0.999999, round6(Math.max(0, raw + sumOf(record)) / divisor));
}

/** One to four terms, a quantity counting twice, that no record has all of; the optional ones need not be there. */
function isShortAndOutOfVocabulary(terms: readonly HeldTerm[], entries: readonly Entry[]): boolean {
  const size = terms.length + terms.filter(({ key }) => key.startsWith("#")).length;
  const needed = terms.filter((term) => !term.optional);
  const isWhole = ({ id }: Entry): boolean =>
    needed.length > 0 ? needed.every(({ holders }) => holders.has(id)) : terms.some(({ holders }) => holders.has(id));
  return size >= 1 && size <= 4 && !entries.some(isWhole);
}

/** Whether meaning may decide which records with some of the words are hits. */
function mayBeJudged(params: SearchParams, settings: NaiveSettings): boolean {
  const isFloorLearned = params.semanticFloor === undefined && (settings.semanticFloor ?? "auto") === "auto";
  const isStaticEn = settings.isStaticEn === true && (settings.vectorAttribute ?? "") === "";
  return isFloorLearned && isStaticEn && (params.matching ?? settings.matching ?? "auto") === "auto";
}

/** The leg without the members below the floor, but for those with a code of the query, or a word that the embedder does not know. */
function withoutFar<L extends Leg & { readonly terms: readonly HeldTerm[] }>(
  leg: L,
  { scores }: Leg,
  floor: number,
  { knows }: NaiveSettings,
): L {
  const isCode = (key: string): boolean => /^[a-z0-9]/.test(key) && /^(?=.*\d)(?=.*[a-z]).{4}|^\d{5,}$/.test(key);
  const beyond = leg.terms.filter(({ key, kind, text }) => isCode(key) || (kind === "word" && knows?.(text) === false));
  const stays = (id: string): boolean =>
    Math.round((scores.get(id) ?? 0) * 1e6) >= Math.round(floor * 1e6) || beyond.some(({ holders }) => holders.has(id));
  return { ...leg, members: new Set([...leg.members].filter(stays)) };
}

function sortKeys(sort: readonly string[]): Key[] {
  return sort.map((text) => [text.replace(/:[^:]*$/, ""), text.replace(/^.*:/s, "")]);
}

function rankingKeys({ customRanking = [] }: NaiveSettings): Key[] {
  return customRanking.map((text) => [text.slice(text.indexOf("(") + 1, -1), text.slice(0, text.indexOf("("))]);
}

/** The records that have the whole query as an identifier, in a field that is searched. */
function exactHolders(query: string, entries: readonly Entry[], isSearched: (name: string) => boolean): Set<string> {
  const codes = exactCodes(query);
  const holders = entries.filter(({ fields }) =>
    [...fields].some(([name, field]) => isSearched(name) && codes.some((code) => field.exactCodes.has(code))),
  );
  return new Set(holders.map(({ id }) => id));
}

/** Settings with `fusion` for the short form of it. */
function inFull({ semanticWeight, ...settings }: NaiveSettings): NaiveSettings {
  return semanticWeight === undefined ? settings : { ...settings, fusion: { method: "convex", semanticWeight } };
}

function holdsObject(value: JsonValue): boolean {
  return Array.isArray(value) ? value.some(holdsObject) : value !== null && typeof value === "object";
}
