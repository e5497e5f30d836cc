// Reads the settings of the caller: a copy, checked as a whole, and with all defaults.

import { wordsOf } from "../analysis/language-rules.js";
import { canonicalLanguage, customsOf, loadLanguage } from "../analysis/languages.js";
import { sortKeysIn } from "../analysis/sort-keys.js";
import { PLAIN_WORDS } from "../analysis/word-forms.js";
import { FieldRules } from "../settings/field-rules.js";
import { OwnSuggestions } from "../settings/own-suggestions.js";
import type { CheckedSettings, ResolvedSettings } from "../settings/resolved-settings.js";
import { RuleIndex } from "../settings/rule-index.js";
import { SearchLanguage } from "../settings/search-language.js";
import { facetingOf, type IndexSettings, type ShownSettings } from "../settings/settings.js";
import { nearestName, SearchError, show, throwValidationErrors, unknownName } from "../util/errors.js";
import type { Embedder, SearchWarning } from "../util/extension-points.js";
import type { JsonLimits } from "../util/json-reader.js";
import type { Limits } from "../util/limits.js";
import type { Task } from "../util/tasks.js";
import { type EmbedderChoice, readAnalyzer, readEmbedder, tableIn, tableOfId, tableOfLanguage } from "./extensions.js";
import { Checker } from "./kinds.js";
import { copyInSteps, copyingOf, type PlainObject } from "./plain-data.js";
import { readOwnSettings, refuseOthers, SETTING_NAMES } from "./setting-table.js";

/** What the engine contributes to the settings of an index. */
export interface SettingsContext extends EmbedderChoice {
  readonly limits: Limits;
  readonly strict: boolean;
  readonly warn: (warning: SearchWarning) => void;
  /** Why one of `tables` cannot embed; undefined if it can. */
  readonly tableProblem?: ((table: Embedder) => string | undefined) | undefined;
  /** Why hnswlib-node cannot be used; undefined if it can. */
  readonly hnswlibProblem: () => string | undefined;
}

/** The floor that most sets of records learn with static-en. */
const STATIC_EN_FLOOR = 0.35;
/** Of all indexes with static-de: those that are learned let too much through. */
const STATIC_DE_FLOOR = 0.3;
/**
 * The semantic weights of all queries, and of short ones whose terms no record holds together: by static-en, by other models, and
 * by the caller's in other languages than English.
 */
const STATIC_EN_WEIGHTS = { usual: 0.1, outOfVocabulary: 0.25 };
const OTHER_WEIGHTS = { usual: 0.3, outOfVocabulary: 0.7 };
const OTHER_LANGUAGE_WEIGHTS = { usual: 0.3, outOfVocabulary: 0.9 };

/** Within a rule, the deepest filter that a query may have is nested so deep: each of its levels is an object in a list. */
const DEEPEST = 80;
const MOST_ITEMS = 100_000;
/** All values of the settings of one call, and the characters of all texts, names included. */
const MOST_VALUES = 500_000;
const MOST_CHARACTERS = 8_000_000;

/** What stored settings may hold: several calls may have given more than one call can. Limits for texts of JSON. */
export const STORED_SETTINGS: JsonLimits = Object.freeze({
  depth: DEEPEST,
  names: 1000,
  values: 2 * MOST_VALUES,
  containers: 2 * MOST_VALUES,
  characters: 4 * MOST_CHARACTERS,
});

/** Of the caller's objects only these are kept as they are. */
const EXTENSIONS: readonly string[] = ["analyzer", "embedder"];

/**
 * A copy of settings, of which analyzer and embedder are the caller's own. Unknown names stay, so that the check can report them.
 * Throws 400 `settings_too_large` for more than 500,000 values or 8,000,000 characters. `isStored`: no such bound, because several calls
 * may have given more than one call can.
 */
export function copySettings(given: unknown = {}, isStored = false): Task<PlainObject> {
  const wrong = (path: string, msg: string): SearchError =>
    new SearchError(400, "invalid_setting", `settings.${path} ${msg}`, { param: path });
  const copying = copyingOf({
    ...{ what: "settings", error: "invalid_settings", asTheyAre: EXTENSIONS, dated: ["boosts", "rules"] },
    ...{ depth: DEEPEST, items: MOST_ITEMS },
    values: isStored ? Number.POSITIVE_INFINITY : MOST_VALUES,
    characters: isStored ? Number.POSITIVE_INFINITY : MOST_CHARACTERS,
    tooLarge: () => {
      const msg = `settings hold more than ${MOST_VALUES} values or ${MOST_CHARACTERS} characters in all; pass less.`;
      return new SearchError(400, "settings_too_large", msg, { param: "settings" });
    },
    tooLong: (path, length) => wrong(path, `has ${length} items; pass at most ${MOST_ITEMS}.`),
    tooDeep: (path) => wrong(path, "is nested too deep; pass lists and objects as documented."),
    tooManyNames: wrong,
  });
  return copyInSteps(given, copying);
}

/** The settings with known names. Objects in lists keep only the properties that were checked. */
export function knownSettings(settings: object): IndexSettings {
  const values = settings as PlainObject;
  const known = SETTING_NAMES.filter((name) => values[name] !== undefined);
  return Object.fromEntries(known.map((name) => [name, knownValue(name, values[name])]));
}

/** Settings after a change, unchecked. `fusion` and its short form replace each other. */
export function changedSettings(given: IndexSettings, changes: IndexSettings): IndexSettings {
  const isGiven = (name: keyof IndexSettings): boolean => changes[name] !== undefined;
  const replaced = [...(isGiven("semanticWeight") ? ["fusion"] : []), ...(isGiven("fusion") ? ["semanticWeight"] : [])];
  const kept = Object.entries(given).filter(([name]) => !replaced.includes(name));
  return { ...Object.fromEntries(kept), ...changes };
}

/** What the check reads of the items of some lists, in this order. */
const KNOWN_PROPERTIES: Readonly<Record<string, readonly string[]>> = {
  synonyms: ["type", "input", "synonyms"],
  searchableAttributes: ["attribute", "weight", "language"],
};

function knownValue(name: string, value: unknown): unknown {
  const properties = KNOWN_PROPERTIES[name];
  if (properties === undefined || !Array.isArray(value)) return value;
  return value.map((item: unknown) => {
    if (typeof item !== "object" || item === null) return item;
    const own = item as PlainObject;
    const isRead = (property: string): boolean =>
      own[property] !== undefined && !(property === "input" && own.type === "synonym");
    return Object.fromEntries(properties.filter(isRead).map((property) => [property, own[property]]));
  });
}

/**
 * Checks settings, fills in defaults, and reads what they say; throws 400 with all complaints together. Unknown names warn, or throw when
 * strict.
 */
export function* checkSettings(settings: object, context: SettingsContext): Task<ResolvedSettings> {
  const given = settings as PlainObject;
  const check = new Checker("invalid_setting", "settings");
  const { limits } = context;
  checkSettingNames(Object.keys(given), SETTING_NAMES, { kind: "setting", check, ...context });
  const { semanticWeight, ...own } = yield* readOwnSettings(given, { check, limits, dimensions: 0 });
  // Wrong ones are complained of.
  const language = typeof own.language === "string" ? canonicalLanguage(own.language) : undefined;
  const analyzer = readAnalyzer(given.analyzer, language, check);
  const isLanguage = typeof analyzer === "string" && analyzer !== "plain" && analyzer !== "en";
  const words = isLanguage ? yield* loadLanguage(analyzer) : undefined;
  const languageId = words?.id ?? "";
  const ownIds = yield* loadOwnLanguages(own.searchableAttributes ?? [], analyzer, check);
  const hasVectors = own.vectorAttribute !== null && own.vectorAttribute !== "";
  const place = { language: language ?? "en", ownVectors: hasVectors };
  const chosen = readEmbedder(given.embedder, place, check, context);
  const table = tableIn(context.tables, chosen);
  const tableProblem = table === undefined ? undefined : context.tableProblem?.(context.tables[table]);
  const embedder = tableProblem === undefined ? chosen : undefined;
  // Also where a built-in embedder cannot embed the queries of an index, it says how long the records' own vectors are.
  const sized = hasVectors ? chosen : embedder;
  const isStaticEn = embedder !== undefined && tableOfId(embedder.id) === "static-en";
  const ofOthers = isLanguage && table === undefined ? OTHER_LANGUAGE_WEIGHTS : OTHER_WEIGHTS;
  const weights = embedder === undefined || isStaticEn ? STATIC_EN_WEIGHTS : ofOthers;
  const analyzerId = typeof analyzer !== "string" ? analyzer.id : analyzer === "en" ? "english" : languageId || "plain";
  const { customRanking = [], boosts = [], rules = [] } = given as IndexSettings;
  const shown: ShownSettings = {
    ...own,
    ...{ customRanking, boosts, rules },
    identifierAttributes:
      given.identifierAttributes === undefined ? usualIdentifiers(own, analyzerId) : own.identifierAttributes,
    analyzer: analyzerId,
    embedder: embedder === undefined ? false : embedder.id,
    dimensions: readDimensions(given.dimensions, hasVectors, sized, check, limits),
    fusion: readFusion(given.fusion, semanticWeight ?? weights.usual, check),
    semanticFloor: readFloor(given.semanticFloor, embedder, check),
    language: own.language ?? (typeof analyzer === "string" ? "en" : null),
  };
  const hnswlibProblem = shown.vectorIndex.kind === "hnswlib" ? context.hnswlibProblem() : undefined;
  if (hnswlibProblem !== undefined) {
    const msg = `settings.vectorIndex.kind is "hnswlib", but ${hnswlibProblem}; run "npm install hnswlib-node", which needs a C++ compiler, or choose "auto", "hnsw" or "exact".`;
    check.add({ error: "invalid_setting", param: "vectorIndex.kind", msg });
  }
  if (semanticWeight !== undefined && given.fusion !== undefined) {
    const msg =
      'settings.semanticWeight and settings.fusion are both given; the first is short for fusion: { method: "convex", semanticWeight }, so pass one of them.';
    check.add({ error: "invalid_setting", param: "semanticWeight", msg });
  }
  if (shown.distinct && shown.attributeForDistinct === null)
    check.complain("distinct", shown.distinct, "an attributeForDistinct beside it");
  throwValidationErrors(check.complaints);
  const usualFloor = embedder === context.tables["static-en"] ? STATIC_EN_FLOOR : 0;
  const isDefault = semanticWeight === undefined && isDefaultWeight(given.fusion);
  const outOfVocabularyWeight = isDefault ? weights.outOfVocabulary : undefined;
  // Other models have other cosines, and so have vectors of the caller's.
  const isLearned = isStaticEn && !hasVectors && shown.semanticFloor === "auto";
  const leastOutOfVocabularyFloor = isLearned ? STATIC_EN_FLOOR : undefined;
  const known = typeof analyzer === "string" ? tableOfLanguage(analyzer, context.tables) : undefined;
  const ownTable = known === undefined || context.tableProblem?.(known) !== undefined ? undefined : known;
  // A model that knows single words goes by its own.
  const isUnspoken = embedder !== undefined && embedder.knows === undefined && embedder.meaningOf === undefined;
  const searched = yield* SearchLanguage.of(deepFreeze(shown), analyzer);
  const faceting = shown.attributesForFaceting;
  const effective: CheckedSettings = {
    ...shown,
    attributesForFaceting: faceting === null ? null : facetingOf(faceting),
    customRanking: own.customRanking,
    keyOfText: sortKeysIn(customsOf(shown).alphabet),
    boosts: own.boosts,
    rules: new RuleIndex(own.rules, searched.words),
    suggestions: new OwnSuggestions(shown.suggestions),
  };
  return {
    ...{
      shown,
      effective,
      language: searched,
      fields: new FieldRules(shown),
      usualFloor,
      outOfVocabularyWeight,
      leastOutOfVocabularyFloor,
      analyzer,
      embedder,
    },
    wordModel: isUnspoken ? ownTable : embedder,
    dictionary: words === undefined || words.compounds === null ? undefined : ownTable,
    ...{ missing: undefined, table, tableProblem, analyzerIds: [languageId, ...ownIds].join(" ").trim() },
    advice:
      tableProblem === undefined ? adviceOn(place, languageId, given, context) : withoutTable(table, tableProblem),
  };
}

function withoutTable(table: string | undefined, problem: string): SearchWarning {
  const create = table === "static-de" ? "createStaticDeEmbedder" : "createStaticEnEmbedder";
  const message = `The index searches by words alone, because ${problem}; pass its bytes or its URL to ${create}, or put it beside the code in Node, and call updateSettings.`;
  return { code: "embedder_missing", message, param: "embedder" };
}

/** What its maker should know of an index whose language has no rules, or no embedder though the settings do not leave it out. */
function adviceOn(
  { language, ownVectors }: { readonly language: string; readonly ownVectors: boolean },
  languageId: string,
  { embedder }: PlainObject,
  context: SettingsContext,
): SearchWarning | undefined {
  const hasNoEmbedder = embedder === undefined && !ownVectors && context.defaultEmbedder === undefined;
  const isUnknown = hasNoEmbedder && tableOfLanguage(language, context.tables) === undefined;
  const hasNoRules = languageId === PLAIN_WORDS.id;
  if (!isUnknown && !hasNoRules) return undefined;
  const words = hasNoRules
    ? `There are no rules for the language ${show(language)}: its words are taken as they are; analyzer: "plain" says that this is meant. `
    : "";
  const meaning = isUnknown
    ? `No built-in embedder knows the language ${show(language)}, so the index searches by words alone; name an embedder (docs/other-languages.md), or pass embedder: false if this is meant.`
    : "";
  return { code: "language_limited", message: `${words}${meaning}`.trim(), param: "language" };
}

/** The names of identifiers where the settings name none: the English ones, then those of the language. */
function usualIdentifiers(
  {
    identifierAttributes: english,
    searchableAttributes,
    language,
  }: Pick<ShownSettings, "identifierAttributes" | "searchableAttributes" | "language">,
  analyzer: string,
): readonly string[] {
  if (searchableAttributes?.length === 0) return [];
  const { attributes } = customsOf({ language, analyzer });
  return attributes === undefined ? english : [...english, ...wordsOf(attributes.identifier)];
}

/** Loads the languages of attributes that have one of their own; the ids of their analyzers, sorted. */
function* loadOwnLanguages(
  attributes: NonNullable<ShownSettings["searchableAttributes"]>,
  analyzer: ResolvedSettings["analyzer"],
  check: Checker,
): Task<string[]> {
  const ids = new Set<string>();
  for (const [i, entry] of attributes.entries()) {
    if (typeof entry === "string" || entry.language === undefined) continue;
    const name = `searchableAttributes[${i}].language`;
    if (typeof analyzer !== "string") check.complain(name, entry.language, "no language beside an analyzer of yours");
    const language = canonicalLanguage(entry.language)!;
    if (language !== analyzer) ids.add((yield* loadLanguage(language)).id);
  }
  return [...ids].sort();
}

/** What the check of names depends on. */
interface NamesContext extends Pick<SettingsContext, "strict" | "warn"> {
  readonly kind: "setting" | "option";
  readonly check: Checker;
}

/** Of one call, this many messages suggest a name. */
const MOST_SUGGESTIONS = 16;

/** Complains about unknown names if `strict`, else warns about each of them. */
export function checkSettingNames(
  names: Iterable<string>,
  known: readonly string[],
  { kind, check, strict, warn }: NamesContext,
): void {
  const unknown = [...names].filter((name) => !known.includes(name));
  for (const [i, name] of unknown.entries()) {
    const code = `unknown_${kind}` as const;
    const candidates = i < MOST_SUGGESTIONS ? known : [];
    const message = i < MOST_SUGGESTIONS ? unknownName(kind, name, known) : `${kind} ${show(name)} is unknown.`;
    if (strict) check.add({ error: code, param: name, msg: message });
    else warn({ code, message: `${message} It was ignored.`, param: nearestName(name, candidates) ?? name });
  }
}

function readDimensions(
  given: unknown,
  ownVectors: boolean,
  embedder: Embedder | undefined,
  check: Checker,
  limits: Limits,
): number {
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

/** Reads `semanticFloor`. Without an embedder no floor can be learned, so "auto" is 0; for static-de it is a fixed one. */
function readFloor(value: unknown, embedder: Embedder | undefined, check: Checker): number | "auto" {
  if (value === undefined || value === "auto") {
    if (embedder === undefined) return 0;
    return tableOfId(embedder.id) === "static-de" ? STATIC_DE_FLOOR : "auto";
  }
  if (typeof value === "number" && value >= -1 && value <= 1) return value === 0 ? 0 : value;
  check.complain("semanticFloor", value, 'a number from -1 to 1, or "auto"');
  return 0;
}

function readFusion(value: unknown = {}, usualWeight: number, check: Checker): ShownSettings["fusion"] {
  const entries = check.entries("fusion", value);
  const method = check.oneOf("fusion.method", entries.get("method"), ["convex", "rrf"] as const, "convex");
  const number = (name: string, low: number, high: number, fallback: number): number => {
    refuseOthers(entries.keys(), "fusion", ["method", name], check);
    return check.number(`fusion.${name}`, entries.get(name), low, high, fallback);
  };
  switch (method) {
    case "convex":
      return { method, semanticWeight: number("semanticWeight", 0, 1, usualWeight) };
    case "rrf":
      return { method, rankConstant: number("rankConstant", 1, 10_000, 60) };
  }
}

/** Whether the settings leave the semantic weight to the library. */
function isDefaultWeight(fusion: unknown): boolean {
  if (fusion === undefined) return true;
  const entries = new Map(Object.entries(fusion as object));
  return entries.get("method") !== "rrf" && entries.get("semanticWeight") === undefined;
}

function deepFreeze<T extends object>(value: T): T {
  // A list that was frozen before holds texts alone.
  for (const inner of Object.values(value))
    if (typeof inner === "object" && inner !== null && !Object.isFrozen(inner)) deepFreeze(inner as object);
  return Object.freeze(value);
}
