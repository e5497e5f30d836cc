// Reads the settings of the caller once, checks all of them together and fills in the defaults.

import { Checker, copyList, isName, ownEntries, unknownName } from "../util/checks.js";
import { throwValidationErrors } from "../util/errors.js";
import type { Embedder, SearchWarning } from "../util/extension-points.js";
import type { Limits } from "../util/limits.js";
import { nearestName, show } from "../util/show.js";
import { isWordTable, readAnalyzer, readEmbedder } from "./check-extensions.js";
import {
  type CheckedSettings,
  type ResolvedSettings,
  type ResolvedVectorIndex,
  SETTING_NAMES,
  type Synonym,
  type WeightedAttribute,
} from "./settings.js";

/** What the engine contributes to the settings of an index. */
export interface SettingsContext {
  readonly limits: Limits;
  readonly strict: boolean;
  readonly warn: (warning: SearchWarning) => void;
  /** The engine's embedder for indexes that name none; false: none. */
  readonly defaultEmbedder: Embedder | false;
  /** The built-in embedder, `"static-en"`. */
  readonly staticEn: Embedder;
  /** Why `staticEn` cannot embed; undefined if it can. */
  readonly tableProblem?: (() => string | undefined) | undefined;
  /** Why hnswlib-node cannot be used; undefined if it can. */
  readonly hnswlibProblem: () => string | undefined;
}

const RANK_WINDOW = 1000;
const MOST_RANK_WINDOW = 10_000;
const IDENTIFIERS = [
  "sku",
  "ean",
  "gtin",
  "upc",
  "isbn",
  "mpn",
  "asin",
  "barcode",
  "gtin8",
  "gtin12",
  "gtin13",
  "gtin14",
  "ean8",
  "ean13",
  "isbn10",
  "isbn13",
  "articleNumber",
  "partNumber",
  "modelNumber",
  "productCode",
  "articleNo",
  "itemNumber",
  "itemNo",
  "itemCode",
  "partNo",
  "modelNo",
  "productNumber",
  "productNo",
  "manufacturerPartNumber",
  "oem",
  "oemNumber",
  "oeNumber",
  "styleNumber",
  "styleCode",
  "stockCode",
  "orderNumber",
  "catalogNumber",
  "eanCode",
  "upcCode",
  "pzn",
  "issn",
];
const MOST_ATTRIBUTES = 1000;
const HIGHEST_WEIGHT = 1000;
/** The floor that most sets of records learn with static-en. */
const STATIC_EN_FLOOR = 0.35;
/** The semantic weights of all queries, and of short ones whose terms no record holds together: by static-en or by other models. */
const STATIC_EN_WEIGHTS = { usual: 0.1, unheld: 0.25 };
const OTHER_WEIGHTS = { usual: 0.3, unheld: 0.7 };

/** Checks settings and fills in defaults; throws 400 with all complaints together. Unknown names warn, or throw when strict. */
export function checkSettings(given: unknown = {}, context: SettingsContext): ResolvedSettings {
  const entries = ownEntries(given, "settings", "invalid_settings");
  const check = new Checker("invalid_setting", "settings");
  checkNames(entries.keys(), SETTING_NAMES, { kind: "setting", check, ...context });
  const longest = context.limits.attributeName;
  const analyzer = readAnalyzer(entries.get("analyzer"), check);
  const vectorAttribute = entries.has("vectorAttribute")
    ? check.name("vectorAttribute", entries.get("vectorAttribute"), longest, "")
    : "";
  const chosen = readEmbedder(entries.get("embedder"), vectorAttribute !== "", check, context);
  const tableProblem = chosen === context.staticEn ? context.tableProblem?.() : undefined;
  const embedder = tableProblem === undefined ? chosen : undefined;
  // Also where static-en cannot embed the queries of an index, it says how long the records' own vectors are.
  const sized = vectorAttribute === "" ? embedder : chosen;
  const dimensions = readDimensions(entries, vectorAttribute !== "", sized, check, context.limits);
  const weights = embedder === undefined || isWordTable(embedder) ? STATIC_EN_WEIGHTS : OTHER_WEIGHTS;
  const effective: CheckedSettings = {
    idAttribute: check.name("idAttribute", entries.get("idAttribute"), longest, "id"),
    searchableAttributes: readSearchable(entries.get("searchableAttributes"), longest, check),
    identifierAttributes:
      check.names("identifierAttributes", entries.get("identifierAttributes"), longest, MOST_ATTRIBUTES) ?? IDENTIFIERS,
    analyzer: typeof analyzer === "string" ? analyzer : analyzer.id,
    matching: check.oneOf("matching", entries.get("matching"), ["auto", "all", "any"], "auto"),
    matchingRatio: check.number("matchingRatio", entries.get("matchingRatio"), 0, 1, 0.4),
    embedder: embedder === undefined ? false : embedder.id,
    embeddedAttributes:
      check.names("embeddedAttributes", entries.get("embeddedAttributes"), longest, MOST_ATTRIBUTES) ?? null,
    vectorAttribute: vectorAttribute === "" ? null : vectorAttribute,
    dimensions,
    vectorIndex: readVectorIndex(entries.get("vectorIndex"), check, context),
    fusion: readFusion(entries.get("fusion"), weights.usual, check),
    titleEvidence: check.boolean("titleEvidence", entries.get("titleEvidence"), true),
    semanticFloor: readFloor(entries.get("semanticFloor"), embedder, check),
    semanticDepth: check.integer(
      "semanticDepth",
      entries.get("semanticDepth"),
      1,
      context.limits.semanticDepth,
      Math.min(100, context.limits.semanticDepth),
    ),
    rankWindow: check.integer("rankWindow", entries.get("rankWindow"), 1, MOST_RANK_WINDOW, RANK_WINDOW),
    relevancyStrictness: check.integer("relevancyStrictness", entries.get("relevancyStrictness"), 0, 100, 0),
    bm25: readBm25(entries.get("bm25"), check),
    ...readOrder(entries, longest, check),
    ...readLanguage(entries, check),
  };
  throwValidationErrors(check.complaints);
  const usualFloor = embedder === context.staticEn ? STATIC_EN_FLOOR : 0;
  const unheldWeight = isDefaultWeight(entries.get("fusion")) ? weights.unheld : undefined;
  const wordModel = wordModelFor(embedder, analyzer, context);
  return {
    ...{ effective: deepFreeze(effective), usualFloor, unheldWeight, analyzer, embedder, wordModel },
    ...{ missing: undefined, tableProblem },
  };
}

/** Warns that an index is made without the embedder that its settings ask for; does nothing where it is not so. */
export function warnWithoutTable({ tableProblem }: ResolvedSettings, warn: SettingsContext["warn"]): void {
  if (tableProblem === undefined) return;
  const message = `The index searches by words alone, because ${tableProblem}; pass its bytes or its URL to createStaticEnEmbedder, or put it beside the code in Node, and call updateSettings.`;
  warn({ code: "embedder_missing", message, param: "embedder" });
}

/** What the check of names depends on. */
interface NamesContext extends Pick<SettingsContext, "strict" | "warn"> {
  readonly kind: "setting" | "option";
  readonly check: Checker;
}

/** Of one call, this many messages suggest a name. */
const MOST_SUGGESTIONS = 16;

/** Complains about unknown names if `strict`, else warns about each of them. */
export function checkNames(
  names: Iterable<string>,
  known: readonly string[],
  { kind, check, strict, warn }: NamesContext,
): void {
  const unknown = [...names].filter((name) => !known.includes(name));
  for (const [i, name] of unknown.entries()) {
    const code = `unknown_${kind}` as const;
    const candidates = i < MOST_SUGGESTIONS ? known : [];
    const message = i < MOST_SUGGESTIONS ? unknownName(kind, name, known) : `${kind} ${show(name)} is unknown.`;
    if (strict) check.complaints.push({ error: code, param: name, msg: message });
    else warn({ code, message: `${message} It was ignored.`, param: nearestName(name, candidates) ?? name });
  }
}

function readSearchable(
  value: unknown,
  longest: number,
  check: Checker,
): readonly (string | WeightedAttribute)[] | null {
  if (value === undefined) return null;
  const list = copyList(value, MOST_ATTRIBUTES);
  if (list === undefined || list.length === 0 || list.length > MOST_ATTRIBUTES) {
    check.complain("searchableAttributes", value, `a list of 1 to ${MOST_ATTRIBUTES} names or { attribute, weight }`);
    return null;
  }
  const seen = new Set<string>();
  return list.flatMap((item, i) => {
    const label = `searchableAttributes[${i}]`;
    if (typeof item !== "string" && (typeof item !== "object" || item === null)) {
      check.complain(label, item, "a name or { attribute, weight }");
      return [];
    }
    const entry =
      typeof item === "string" ? check.name(label, item, longest, "") : readWeighted(item, i, longest, check);
    const name = typeof entry === "string" ? entry : entry.attribute;
    if (seen.has(name)) check.complain(label, name, "each attribute once");
    else seen.add(name);
    return [entry];
  });
}

function readWeighted(item: object, i: number, longest: number, check: Checker): WeightedAttribute {
  const label = `searchableAttributes[${i}]`;
  const entries = ownEntries(item, `settings.${label}`, "invalid_setting");
  const attribute = check.name(`${label}.attribute`, entries.get("attribute") ?? null, longest, "");
  const weight = check.number(`${label}.weight`, entries.get("weight"), 0, HIGHEST_WEIGHT, 1);
  if (weight === 0) check.complain(`${label}.weight`, weight, `a number above 0, at most ${HIGHEST_WEIGHT}`);
  return { attribute, weight };
}

function readDimensions(
  entries: Map<string, unknown>,
  ownVectors: boolean,
  embedder: Embedder | undefined,
  check: Checker,
  limits: Limits,
): number {
  const given = entries.get("dimensions");
  const fromEmbedder = embedder?.dimensions ?? 0;
  if (given === undefined) {
    if (ownVectors && embedder === undefined)
      check.complain(
        "dimensions",
        undefined,
        `an integer from 1 to ${limits.dimensions}, the length of the records' vectors`,
        "invalid_dimensions",
      );
    return fromEmbedder;
  }
  const dimensions = check.integer("dimensions", given, 1, limits.dimensions, 0, "invalid_dimensions");
  if (embedder !== undefined && dimensions !== 0 && dimensions !== fromEmbedder)
    check.complain("dimensions", dimensions, `${fromEmbedder}, which the embedder gives`, "invalid_dimensions");
  return ownVectors ? dimensions : fromEmbedder;
}

/** Reads `semanticFloor`. Without an embedder no floor can be learned, so "auto" is 0. */
function readFloor(value: unknown, embedder: Embedder | undefined, check: Checker): number | "auto" {
  if (value === undefined || value === "auto") return embedder === undefined ? 0 : "auto";
  if (typeof value === "number" && value >= -1 && value <= 1) return value === 0 ? 0 : value;
  check.complain("semanticFloor", value, 'a number from -1 to 1, or "auto"');
  return 0;
}

function readVectorIndex(
  value: unknown = {},
  check: Checker,
  { hnswlibProblem }: SettingsContext,
): ResolvedVectorIndex {
  const entries = ownEntries(value, "settings.vectorIndex", "invalid_setting");
  refuseOthers(entries, "vectorIndex", ["kind", "m", "efConstruction", "efSearch"], check);
  const kinds = ["auto", "exact", "hnsw", "hnswlib"] as const;
  const kind = check.oneOf("vectorIndex.kind", entries.get("kind"), kinds, "auto");
  const problem = kind === "hnswlib" ? hnswlibProblem() : undefined;
  if (problem !== undefined)
    check.complaints.push({
      error: "invalid_setting",
      param: "vectorIndex.kind",
      msg: `settings.vectorIndex.kind is "hnswlib", but ${problem}; run "npm install hnswlib-node", which needs a C++ compiler, or choose "auto", "hnsw" or "exact".`,
    });
  return {
    kind,
    m: check.integer("vectorIndex.m", entries.get("m"), 2, 256, 16),
    efConstruction: check.integer("vectorIndex.efConstruction", entries.get("efConstruction"), 4, 10_000, 200),
    efSearch: check.integer("vectorIndex.efSearch", entries.get("efSearch"), 1, 10_000, 250),
  };
}

type FusionName = CheckedSettings["fusion"]["method"];

function readFusion(value: unknown = {}, usualWeight: number, check: Checker): CheckedSettings["fusion"] {
  const entries = ownEntries(value, "settings.fusion", "invalid_setting");
  const method = check.oneOf<FusionName>("fusion.method", entries.get("method"), ["convex", "rrf"], "convex");
  const number = (name: string, low: number, high: number, fallback: number): number => {
    refuseOthers(entries, "fusion", ["method", name], check);
    return check.number(`fusion.${name}`, entries.get(name), low, high, fallback);
  };
  switch (method) {
    case "convex":
      return { method, semanticWeight: number("semanticWeight", 0, 1, usualWeight) };
    case "rrf":
      return { method, rankConstant: number("rankConstant", 1, 10_000, 60) };
  }
}

/** Words of English texts; a model that knows single words goes by its own. */
function wordModelFor(
  embedder: Embedder | undefined,
  analyzer: ResolvedSettings["analyzer"],
  { staticEn, tableProblem }: SettingsContext,
): Embedder | undefined {
  if (embedder === undefined || embedder.knows !== undefined || embedder.meaningOf !== undefined) return embedder;
  return analyzer === "english" && tableProblem?.() === undefined ? staticEn : undefined;
}

/** Whether the settings leave the semantic weight to the library. */
function isDefaultWeight(fusion: unknown): boolean {
  if (fusion === undefined) return true;
  const entries = ownEntries(fusion, "settings.fusion", "invalid_setting");
  return entries.get("method") !== "rrf" && entries.get("semanticWeight") === undefined;
}

function readBm25(value: unknown = {}, check: Checker): CheckedSettings["bm25"] {
  const entries = ownEntries(value, "settings.bm25", "invalid_setting");
  refuseOthers(entries, "bm25", ["k1", "b"], check);
  return {
    k1: check.number("bm25.k1", entries.get("k1"), 0, 1000, 1.2),
    b: check.number("bm25.b", entries.get("b"), 0, 1, 0.6),
  };
}

function refuseOthers(entries: Map<string, unknown>, group: string, known: readonly string[], check: Checker): void {
  for (const name of entries.keys())
    if (!known.includes(name))
      check.complaints.push({
        error: "unknown_setting",
        param: `${group}.${name}`,
        msg: unknownName(
          "setting",
          `${group}.${name}`,
          known.map((each) => `${group}.${each}`),
        ),
      });
}

function deepFreeze<T extends object>(value: T): T {
  // A list that was frozen before holds texts alone.
  for (const inner of Object.values(value))
    if (typeof inner === "object" && inner !== null && !Object.isFrozen(inner)) deepFreeze(inner as object);
  return Object.freeze(value);
}

const MOST_RANKINGS = 16;
const RANKING = /^(asc|desc)\((.+)\)$/s;

/** Settings about attribute values: faceting, ranking, grouping. */
export type OrderSettings = Pick<
  CheckedSettings,
  "attributesForFaceting" | "customRanking" | "attributeForDistinct" | "distinct"
>;

/** An attribute to order by, and the direction. */
export interface RankingAttribute {
  readonly attribute: string;
  readonly direction: "asc" | "desc";
}

/** Reads the settings about attribute values. */
export function readOrder(entries: ReadonlyMap<string, unknown>, longest: number, check: Checker): OrderSettings {
  const group = entries.get("attributeForDistinct");
  const attributeForDistinct = group === undefined ? null : check.name("attributeForDistinct", group, longest, "");
  const distinct = check.boolean("distinct", entries.get("distinct"), false);
  if (distinct && attributeForDistinct === null) check.complain("distinct", true, "an attributeForDistinct beside it");
  return {
    attributesForFaceting:
      check.names("attributesForFaceting", entries.get("attributesForFaceting"), longest, MOST_ATTRIBUTES) ?? null,
    customRanking: readRanking(entries.get("customRanking"), longest, check),
    attributeForDistinct,
    distinct,
  };
}

/** Parses `desc(popularity)`; undefined when the text has another form. */
export function parseRanking(text: string): RankingAttribute | undefined {
  const parts = RANKING.exec(text);
  return parts === null ? undefined : { direction: parts[1] as "asc" | "desc", attribute: parts[2]! };
}

function readRanking(value: unknown, longest: number, check: Checker): readonly string[] {
  if (value === undefined) return [];
  const list = copyList(value, MOST_RANKINGS);
  const isRanking = (item: unknown): boolean =>
    typeof item === "string" && isName(parseRanking(item)?.attribute, longest);
  if (list?.every(isRanking)) return list as string[];
  const copied = list && { wrong: list.find((item) => !isRanking(item)) };
  check.complainOfList("customRanking", value, copied, `${MOST_RANKINGS} of "asc(attribute)" or "desc(attribute)"`);
  return [];
}

const MOST_WORDS = 10_000;
const MOST_SYNONYMS = 10_000;
const MOST_OF_ONE = 1000;
const LONGEST_WORD = 256;

/** Settings about words: synonyms, stop words, optional words, typing errors, prefixes. */
export type LanguageSettings = Pick<
  CheckedSettings,
  | "synonyms"
  | "builtInSynonyms"
  | "stopWords"
  | "optionalWords"
  | "typoTolerance"
  | "disableTypoToleranceOnWords"
  | "disableTypoToleranceOnAttributes"
  | "queryType"
>;

/** Reads the settings about words. */
export function readLanguage(entries: ReadonlyMap<string, unknown>, check: Checker): LanguageSettings {
  const texts = (name: string): readonly string[] =>
    check.texts(name, entries.get(name), LONGEST_WORD, MOST_WORDS) ?? [];
  const stopWords = entries.get("stopWords");
  return {
    synonyms: readSynonyms(entries.get("synonyms"), check),
    builtInSynonyms: check.boolean("builtInSynonyms", entries.get("builtInSynonyms"), true),
    stopWords: stopWords === undefined ? null : stopWords === false ? false : texts("stopWords"),
    optionalWords: texts("optionalWords"),
    typoTolerance: check.boolean("typoTolerance", entries.get("typoTolerance"), true),
    disableTypoToleranceOnWords: texts("disableTypoToleranceOnWords"),
    disableTypoToleranceOnAttributes: texts("disableTypoToleranceOnAttributes"),
    queryType: check.oneOf(
      "queryType",
      entries.get("queryType"),
      ["prefixAuto", "prefixLast", "prefixAll", "prefixNone"],
      "prefixAuto",
    ),
  };
}

function readSynonyms(value: unknown, check: Checker): readonly Synonym[] {
  if (value === undefined) return [];
  const list = copyList(value, MOST_SYNONYMS);
  if (list === undefined || list.length > MOST_SYNONYMS) {
    check.complain("synonyms", value, `a list of at most ${MOST_SYNONYMS} synonyms`);
    return [];
  }
  const expansions = new Map<string, number>();
  return list.map((item, i) => {
    const synonym = readSynonym(item, `synonyms[${i}]`, check);
    for (const word of synonym.type === "synonym" ? synonym.synonyms : [synonym.input]) {
      const input = word.trim().toLowerCase();
      const before = expansions.get(input) ?? 0;
      const count = before + synonym.synonyms.length;
      if (count > MOST_OF_ONE && before <= MOST_OF_ONE)
        check.complain(`synonyms[${i}]`, count, `at most ${MOST_OF_ONE} synonyms of one word`);
      expansions.set(input, count);
    }
    return synonym;
  });
}

function readSynonym(item: unknown, label: string, check: Checker): Synonym {
  const entries = ownEntries(item ?? null, `settings.${label}`, "invalid_setting");
  const type = check.oneOf(`${label}.type`, entries.get("type") ?? null, ["synonym", "oneWaySynonym"], "synonym");
  const synonyms = check.texts(`${label}.synonyms`, entries.get("synonyms") ?? null, LONGEST_WORD, MOST_WORDS) ?? [];
  if (type === "synonym") return { type, synonyms };
  const input = entries.get("input");
  if (typeof input !== "string" || input.length > LONGEST_WORD)
    check.complain(`${label}.input`, input, `a text of at most ${LONGEST_WORD} characters`);
  return { type, input: typeof input === "string" ? input : "", synonyms };
}
