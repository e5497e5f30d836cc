// Settings as JSON: the caller's analyzer and embedder stand there by their ids, and are found again by them.

import { canonicalLanguage } from "../analysis/languages.js";
import type { TableName } from "../embedding/word-table.js";
import { textInSteps } from "../settings/fingerprint.js";
import type { ResolvedSettings } from "../settings/resolved-settings.js";
import type { IndexSettings } from "../settings/settings.js";
import { SearchError, show } from "../util/errors.js";
import { type Analyzer, asLocal, type Embedder } from "../util/extension-points.js";
import { GREATEST_LIMITS } from "../util/limits.js";
import type { Task } from "../util/tasks.js";
import { isTableName, tableIn, tableOfId, usualEmbedder } from "./extensions.js";
import { copyForCaller } from "./plain-data.js";
import { checkSettings, copySettings, knownSettings, type SettingsContext } from "./read-settings.js";

/** The caller's functions that settings may name by their ids. */
export interface Extensions {
  readonly embedders: ReadonlyMap<string, Embedder>;
  readonly analyzers: ReadonlyMap<string, Analyzer>;
}

/** The settings of an index as they were given, and with all defaults. */
export interface SettingsPair {
  readonly given: IndexSettings;
  readonly settings: ResolvedSettings;
}

/** What settings are restored with. */
export interface RestoreContext extends SettingsContext, Extensions {
  /** The length of the vectors that are stored already; undefined: none are, so the embedder may give vectors of any length. */
  readonly dimensions?: number | undefined;
  /** The id of the embedder that gave these vectors, or false; undefined: any embedder may give them. */
  readonly embedderId?: string | false | undefined;
  /** The analyzer of the language that read the stored records; undefined: that of English, or one of the caller's. */
  readonly analyzerIds?: string | undefined;
}

/** What is stored of an index beside its records: see {@link RestoreContext}. */
interface StoredSettings extends Pick<RestoreContext, "dimensions" | "embedderId" | "analyzerIds"> {
  readonly settings: object;
}

type ExtensionName = "analyzer" | "embedder";

/**
 * A copy of the given settings as JSON, with functions by id. An embedder that came from the engine is named as well, because
 * another engine may have another one; no embedder means `"static-en"`.
 */
export function* namedSettings(pair: SettingsPair): Task<IndexSettings> {
  return (yield* copyForCaller(withIds(pair))) as IndexSettings;
}

/** The given settings with functions by id. */
function withIds({ given, settings }: SettingsPair): object {
  const { effective, table } = settings;
  const isFromEngine = given.embedder === undefined && effective.vectorAttribute === null;
  const namesEmbedder = isFromEngine ? table !== "static-en" : isFunction(given, "embedder");
  const named = new Map<string, unknown>(Object.entries(given));
  if (isFunction(given, "analyzer")) named.set("analyzer", effective.analyzer);
  if (namesEmbedder) named.set("embedder", isFromEngine ? (table ?? effective.embedder) : effective.embedder);
  return Object.fromEntries(named);
}

/** The settings of an index as the text that is stored of them. */
export function settingsText(pair: SettingsPair): Task<string> {
  const { dimensions, embedder: embedderId } = pair.settings.effective;
  const { analyzerIds } = pair.settings;
  const read = analyzerIds === "" ? {} : { analyzerIds };
  const stored: StoredSettings = { settings: withIds(pair), dimensions, embedderId, ...read };
  return textInSteps(stored, false);
}

/** Reads settings as {@link settingsText} writes them. */
export function readSettingsText(text: string, context: SettingsContext & Extensions): Task<SettingsPair> {
  const { settings, dimensions, embedderId, analyzerIds } = JSON.parse(text) as StoredSettings;
  // Limits are for what comes, not for what is there.
  return restoreSettings(settings, { ...context, limits: GREATEST_LIMITS, dimensions, embedderId, analyzerIds });
}

/**
 * Puts functions in the place of known ids. Unknown ids stay; the check of settings refuses them.
 *
 * @param current - the settings of the index that is changed; its own functions are known, too
 */
export function withFunctions(settings: IndexSettings, known: Extensions, current?: SettingsPair): IndexSettings {
  const find = <T>(name: ExtensionName, byId: ReadonlyMap<string, T>): object => {
    const id = settings[name];
    if (typeof id !== "string") return {};
    const isOwn = current !== undefined && isFunction(current.given, name) && current.settings.effective[name] === id;
    return { [name]: isOwn ? current.given[name] : (byId.get(id) ?? id) };
  };
  return { ...settings, ...find("analyzer", known.analyzers), ...find("embedder", known.embedders) };
}

/** The context in which an index has its settings: where its vectors are of another table, that one stands for the engine's. */
export function contextOf<C extends SettingsContext>({ readOnly, embedder }: ResolvedSettings, context: C): C {
  if (readOnly === undefined || embedder === undefined) return context;
  return withTable(context, tableOfId(embedder.id) ?? "static-en", embedder);
}

function withTable<C extends SettingsContext>(context: C, name: TableName, table: Embedder): C {
  const { tables, defaultEmbedder } = context;
  const isDefault = defaultEmbedder === tables[name];
  return { ...context, tables: { ...tables, [name]: table }, defaultEmbedder: isDefault ? table : defaultEmbedder };
}

/**
 * Reads settings from JSON as {@link namedSettings} makes it. If the context lacks a function, `settings.missing` is the error that
 * says so, and the settings hold something in its place that has its id and its dimensions, but does no work. If it lacks another word
 * table of a built-in embedder, that is `settings.readOnly`.
 *
 * @throws SearchError 400 with all complaints
 */
export function* restoreSettings(named: unknown, context: RestoreContext): Task<SettingsPair> {
  // Settings that are not there are damage, no settings that say nothing.
  const copy: IndexSettings = yield* copySettings(named ?? null, true);
  const { value: analyzer, missing: noAnalyzer } = restoreAnalyzer(copy.analyzer, context);
  const { value: embedder, missing: noEmbedder, readOnly: noTable } = restoreEmbedder(copy, context);
  const { embedderId, analyzerIds } = context;
  const isStored = context.dimensions !== undefined;
  const found = {
    ...copy,
    ...(isStored && analyzerIds === undefined ? readAsEnglish(copy) : {}),
    ...(analyzer === undefined ? {} : { analyzer }),
    ...(embedder === undefined ? {} : { embedder }),
  } as IndexSettings;
  // The built-in embedder that the settings choose; undefined: they choose another one, or none.
  const usual = embedder === undefined ? usualEmbedder(languageOf(copy), context) : undefined;
  const name = isTableName(embedder) ? embedder : usual && tableIn(context.tables, usual);
  // What stands for it where the stored vectors are of another table than the engine's.
  const isOtherTable = typeof embedderId === "string" && name !== undefined && embedderId !== context.tables[name].id;
  const { dimensions = 0, limits } = context;
  const otherTable = isOtherTable
    ? otherTableOf(
        embedderId,
        Math.min(dimensions || context.tables[name].dimensions, limits.dimensions),
        name,
        context,
      )
    : undefined;
  // What was decided when the index was made stays so, whether the word table is there now or not.
  const tableProblem =
    embedderId === undefined || name === undefined
      ? context.tableProblem
      : () => (embedderId === false ? `the word table of ${name} was missing when the index was made` : undefined);
  const own = otherTable === undefined ? context : withTable(context, name!, otherTable);
  // Where hnswlib-node is missing, vectors are scanned: an index that is there must open.
  // Without the languages that this version does not know, the analyzers are others than those that read the records.
  const known = isStored ? withKnownLanguages(found) : found;
  const checked = yield* checkSettings(known, { ...own, tableProblem, hnswlibProblem: () => undefined });
  const isOther = typeof embedderId === "string" && embedderId !== checked.effective.embedder;
  const otherEmbedder = isOther ? missingFunction("embedder", embedderId) : undefined;
  const used = checked.effective.vectorAttribute === null ? tableIn(own.tables, checked.embedder) : undefined;
  const isLost = typeof embedderId === "string" && used !== undefined;
  const lost = isLost ? context.tableProblem?.(context.tables[used]) : undefined;
  const otherVectors = otherTable === undefined ? noTable : tableDiffers(otherTable.id, name!, context);
  const readOnly = lost === undefined ? otherVectors : tableMissing(lost);
  const noRules = isStored && (analyzerIds ?? "") !== checked.analyzerIds ? missingRules(analyzerIds ?? "") : undefined;
  const settings = { ...checked, missing: noEmbedder ?? otherEmbedder ?? noAnalyzer ?? noRules, readOnly };
  return { given: knownSettings(found), settings };
}

/** The known language of settings that are not checked yet. */
function languageOf(settings: IndexSettings): string {
  const { language } = settings;
  return (typeof language === "string" ? canonicalLanguage(language) : undefined) ?? "en";
}

/** An embedder that says only whose vectors an index has. */
function otherTableOf(id: string, dimensions: number, name: TableName, { tables }: RestoreContext): Embedder {
  const reason = new Error(
    `its word table is not that of the engine, ${tables[name].id}; updateSettings with ${name} as embedder embeds all records anew`,
  );
  return asLocal({ id, dimensions, embed: () => Promise.reject(reason) });
}

/** A restored setting, and the error if something stands in its place. */
interface Restored {
  readonly value: unknown;
  readonly missing?: SearchError;
  readonly readOnly?: SearchError;
}

function restoreAnalyzer(value: unknown, { analyzers }: RestoreContext): Restored {
  if (typeof value !== "string" || value === "english" || value === "plain") return { value };
  const found = analyzers.get(value);
  if (found !== undefined) return { value: found };
  return { value: { id: value, analyze: () => [] }, missing: missingFunction("analyzer", value) };
}

function restoreEmbedder(settings: IndexSettings, context: RestoreContext): Restored {
  const value = settings.embedder;
  const { embedders, dimensions, tables } = context;
  if (value === undefined && settings.vectorAttribute === undefined)
    return { value: usualEmbedder(languageOf(settings), context) === tables["static-en"] ? undefined : "static-en" };
  if (typeof value !== "string" || isTableName(value)) return { value };
  const found = embedders.get(value) ?? Object.values(tables).find(({ id }) => id === value);
  const name = tableOfId(value);
  if (found === undefined && name !== undefined && dimensions !== undefined)
    return { value: otherTableOf(value, dimensions, name, context), readOnly: tableDiffers(value, name, context) };
  if (found !== undefined && (dimensions === undefined || dimensions === found.dimensions)) return { value: found };
  const size = dimensions === undefined ? "" : ` of ${dimensions} dimensions`;
  const other = found === undefined ? "" : `, not of ${found.dimensions}`;
  const missing = missingFunction("embedder", value, size + other);
  const standIn = {
    id: value,
    dimensions: dimensions ?? settings.dimensions ?? 1,
    embed: () => Promise.reject(missing),
  };
  return { value: standIn, missing };
}

function missingFunction(kind: ExtensionName, id: string, more = ""): SearchError {
  const msg = `The index needs the ${kind} ${show(id)}${more}, which the engine was not given; pass it in the option ${kind}s.`;
  return new SearchError(409, `${kind}_missing`, msg, { param: `${kind}s` });
}

/** What settings say that were stored before languages had analyzers: the records were read as English, in whatever language they are. */
function readAsEnglish(settings: IndexSettings): IndexSettings {
  const language = settings.language;
  if (typeof language === "string" && canonicalLanguage(language) === undefined) return { language: undefined };
  return languageOf(settings) === "en" ? {} : { analyzer: "english" };
}

function withKnownLanguages(settings: IndexSettings): IndexSettings {
  const isUnknown = (tag: unknown): boolean => typeof tag === "string" && canonicalLanguage(tag) === undefined;
  const { language, searchableAttributes } = settings;
  return {
    ...settings,
    ...(isUnknown(language) ? { language: undefined } : {}),
    ...(Array.isArray(searchableAttributes) && {
      searchableAttributes: searchableAttributes.map((entry) =>
        typeof entry === "object" && isUnknown(entry?.language) ? { ...entry, language: undefined } : entry,
      ),
    }),
  };
}

function missingRules(ids: string): SearchError {
  const msg = `The index was read by the analyzers ${show(ids)}, which this version of tandem-search does not have; use the version that made it, or make it anew.`;
  return new SearchError(409, "analyzer_missing", msg, { param: "language" });
}

function tableMissing(problem: string): SearchError {
  const msg = `The index has vectors, but ${problem}, so new records would have none; give the engine the table and open the index again, or call updateSettings({ embedder: false }).`;
  return new SearchError(409, "embedder_missing", msg, { param: "embedder" });
}

function tableDiffers(id: string, name: TableName, { tables }: RestoreContext): SearchError {
  const msg = `The index has vectors of ${show(id)}, but the engine's table is ${show(tables[name].id)}, and vectors of two tables cannot be compared; updateSettings({ embedder: "${name}" }) embeds all records anew.`;
  return new SearchError(409, "embedder_missing", msg, { param: "embedder" });
}

function isFunction(settings: IndexSettings, name: ExtensionName): boolean {
  return typeof settings[name] === "object";
}
