// Checks the shape of the user's own analyzer and embedder before anything relies on them.

import { TABLE_NAMES, type TableName } from "../embedding/word-table.js";
import { callQuietly, contain } from "../util/contain.js";
import { SearchError } from "../util/errors.js";
import {
  type Analyzer,
  EMBEDDER_DEFAULTS,
  type EmbeddedVector,
  type Embedder,
  isLocal,
  type WordMeaning,
} from "../util/extension-points.js";
import type { Limits } from "../util/limits.js";
import { LONGEST_TIMEOUT_MS } from "../util/tasks.js";
import type { Checker } from "./kinds.js";
import { copyItems, copyVector, type PlainObject } from "./plain-data.js";

const MOST_TEXTS = 1_000_000;
const MOST_TERMS = 1_000_000;
const MOST_CHARACTERS = 100_000_000;
/** The properties of an embedder that are values; as long as they are the same, it is the same embedder. */
const EMBEDDER_VALUES = [
  "id",
  "dimensions",
  "maxBatchSize",
  "wordsOnly",
  "concurrency",
  "retries",
  "timeoutMs",
  "queryTimeoutMs",
  "maxTextLength",
];
const EMBEDDER_PARTS = [...EMBEDDER_VALUES, "knows", "meaningOf", "embedParts", "embed"];

/** What may stand in place of an embedder, for messages. */
export const INSTEAD_OF_EMBEDDER = '"static-en", "static-de", false or ';

/** The embedders that an engine offers. */
export interface EmbedderChoice {
  /** Of indexes that name none; false: they have none; undefined: that of their language. */
  readonly defaultEmbedder: Embedder | false | undefined;
  readonly tables: TableEmbedders;
}

/** The built-in embedders that know the words of a language. */
const TABLE_OF_LANGUAGE: ReadonlyMap<string, TableName> = new Map([
  ["en", "static-en"],
  ["de", "static-de"],
]);

/** The built-in embedder that knows the words of a language; undefined: there is none. */
export function tableOfLanguage(language: string, tables: TableEmbedders): Embedder | undefined {
  const name = TABLE_OF_LANGUAGE.get(language);
  return name === undefined ? undefined : tables[name];
}

/** The embedder of an index that names none; undefined: it has none. */
export function usualEmbedder(language: string, { defaultEmbedder, tables }: EmbedderChoice): Embedder | undefined {
  return defaultEmbedder === undefined ? tableOfLanguage(language, tables) : defaultEmbedder || undefined;
}

/** The built-in embedders, by the names that settings have for them. */
export type TableEmbedders = Readonly<Record<TableName, Embedder>>;

/** Reads the setting `analyzer`: "plain", a language, or the user's. By default that of the language, which is English by default. */
export function readAnalyzer(value: unknown, language: string | undefined, check: Checker): string | Analyzer {
  if (value === undefined) return language ?? "en";
  if (value === "english") return "en";
  if (value === "plain") return "plain";
  return checkAnalyzer("analyzer", value, check, '"english", "plain" or ') ?? "en";
}

/** Wraps a user's analyzer. undefined: it is not valid. `others`: what else would be. */
export function checkAnalyzer(name: string, value: unknown, check: Checker, others = ""): Analyzer | undefined {
  const shape = shapeOf(value, ["id", "analyze"]);
  const id = shape?.id;
  if (isId(id) && typeof shape?.analyze === "function")
    return reuseWrapper(value as Analyzer, { id, analyze: (text) => analyzeSafely(value as Analyzer, text) });
  return check.complain(name, value, `${others}{ id, analyze(text) }`, "invalid_analyzer");
}

/** Reads the setting `embedder`: by default the engine's, or that of the language; none when records bring their own vectors. */
export function readEmbedder(
  value: unknown,
  { language, ownVectors }: { readonly language: string; readonly ownVectors: boolean },
  check: Checker,
  choice: EmbedderChoice & { readonly limits: Limits },
): Embedder | undefined {
  if (value === undefined) return ownVectors ? undefined : usualEmbedder(language, choice);
  if (value === false) return undefined;
  if (isTableName(value)) return choice.tables[value];
  return checkEmbedder("embedder", value, check, choice.limits, INSTEAD_OF_EMBEDDER);
}

/**
 * Wraps a user's embedder as it is now; its optional functions cannot throw. undefined: it is not valid.
 * `others`: what else would be.
 */
export function checkEmbedder(
  name: string,
  value: unknown,
  check: Checker,
  limits: Limits,
  others = "",
): Embedder | undefined {
  const shape = shapeOf(value, EMBEDDER_PARTS);
  const id = shape?.id;
  if (shape === undefined || !isId(id) || typeof shape.embed !== "function")
    return check.complain(name, value, `${others}{ id, dimensions, embed(texts, options) }`, "invalid_embedder");
  const before = check.complaints.length;
  const integer = (part: string, low: number, high: number, fallback: number): number =>
    check.integer(`${name}.${part}`, shape[part], low, high, fallback, "invalid_embedder");
  const wordsOnly = shape.wordsOnly === true;
  // Unlike the others, it has no default.
  const given = shape.dimensions ?? null;
  const dimensions = check.integer(`${name}.dimensions`, given, 1, limits.dimensions, 1, "invalid_embedder");
  const maxBatchSize = integer("maxBatchSize", 1, MOST_TEXTS, EMBEDDER_DEFAULTS.maxBatchSize);
  const concurrency = integer("concurrency", 1, 1000, EMBEDDER_DEFAULTS.concurrency);
  const retries = integer("retries", 0, 10, EMBEDDER_DEFAULTS.retries);
  const timeoutMs = integer("timeoutMs", 1, LONGEST_TIMEOUT_MS, EMBEDDER_DEFAULTS.timeoutMs);
  const queryTimeoutMs = integer("queryTimeoutMs", 1, LONGEST_TIMEOUT_MS, EMBEDDER_DEFAULTS.queryTimeoutMs);
  const cutsTexts = shape.maxTextLength !== undefined;
  const maxTextLength = integer("maxTextLength", 1, MOST_CHARACTERS, MOST_CHARACTERS);
  if (check.complaints.length > before) return undefined;
  const own = value as Embedder;
  if (isLocal(own)) return own;
  return reuseWrapper(own, {
    id,
    dimensions,
    maxBatchSize,
    wordsOnly,
    concurrency,
    retries,
    timeoutMs,
    queryTimeoutMs,
    ...(cutsTexts ? { maxTextLength } : {}),
    embed: async (...args) => copyAnswer(await own.embed(...args)),
    knows:
      typeof shape.knows === "function"
        ? (word) => callQuietly(() => own.knows?.(word), undefined) === true
        : undefined,
    meaningOf: typeof shape.meaningOf === "function" ? (word) => meaningSafely(own, word) : undefined,
    ...(typeof shape.embedParts === "function"
      ? { embedParts: async (parts, options) => copyOneVector(await own.embedParts!(parts, options)) }
      : {}),
  });
}

/** What an embedder answers, as plain data: a list of vectors. Anything else is passed on, for the check to refuse. */
function copyAnswer(answer: unknown): readonly EmbeddedVector[] {
  if (!Array.isArray(answer)) return copyOneVector(answer) as object as readonly EmbeddedVector[];
  return Array.from({ length: Math.min(answer.length, MOST_TEXTS) }, (_, i) => copyOneVector(answer[i]));
}

function copyOneVector(vector: unknown): EmbeddedVector {
  // An embedder may answer promises, all of which may reject.
  contain(vector);
  return vector === null ? null : (copyVector(vector) as EmbeddedVector);
}

/** The last wrapper of each user's object. While its properties stay the same, it is the same embedder or analyzer. */
const readings = new WeakMap<object, Embedder | Analyzer>();

/** The last wrapper of the user's object if it has the same properties, else the new one. */
function reuseWrapper<T extends Embedder | Analyzer>(own: object, reading: T): T {
  const last = readings.get(own);
  if (last !== undefined && EMBEDDER_VALUES.every((each) => Reflect.get(last, each) === Reflect.get(reading, each)))
    return last as T;
  readings.set(own, reading);
  // A wrapper that is passed as settings is read as itself.
  readings.set(reading, reading);
  return Object.freeze(reading);
}

/** The meaning of a word by the user's model; null when that fails. */
function meaningSafely(embedder: Embedder, word: string): WordMeaning | null {
  const meaning = callQuietly(() => embedder.meaningOf?.(word), undefined) ?? null;
  return meaning === null ? null : new OwnMeaning(meaning);
}

/** Wraps the user's meaning of a word: a similarity that is not a number, or that throws, is 0. */
class OwnMeaning implements WordMeaning {
  private readonly own: WordMeaning;

  constructor(own: WordMeaning) {
    this.own = own;
  }

  nearnessTo(other: WordMeaning): number {
    if (!(other instanceof OwnMeaning)) return 0;
    const nearness: unknown = callQuietly(() => this.own.nearnessTo(other.own), undefined);
    return typeof nearness === "number" && Number.isFinite(nearness) ? nearness : 0;
  }
}

/** The terms of a user's analyzer, checked; throws 502 `analyzer_failed` when it throws or returns anything but strings. */
function analyzeSafely(analyzer: Analyzer, text: string): readonly string[] {
  try {
    const answer: unknown = analyzer.analyze(text);
    const terms = copyItems(answer, MOST_TERMS);
    if (terms?.every((term) => typeof term === "string")) return terms.filter((term) => term !== "");
    contain(answer);
    // It may hold promises that reject.
    for (const term of terms ?? []) contain(term);
  } catch (cause) {
    const msg = "The analyzer threw an error (see cause); nothing was changed.";
    throw new SearchError(502, "analyzer_failed", msg, { param: "analyzer", cause });
  }
  const msg = "The analyzer did not return a list of strings; nothing was changed.";
  throw new SearchError(502, "analyzer_failed", msg, { param: "analyzer" });
}

/** Named properties of an object or class instance as they are now. Inherited ones count, because methods are inherited. */
function shapeOf(value: unknown, names: readonly string[]): PlainObject | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  try {
    return Object.fromEntries(names.map((name) => [name, (value as PlainObject)[name]]));
  } catch {
    return undefined;
  }
}

export function isTableName(value: unknown): value is TableName {
  return TABLE_NAMES.some((name) => name === value);
}

/** The built-in embedder that has this id in this version or in another; undefined: none has. */
export function tableOfId(id: string): TableName | undefined {
  return TABLE_NAMES.find((name) => id.startsWith(`${name}-`));
}

/** The name of an embedder among these; undefined: it is another one. */
export function tableIn(tables: TableEmbedders, embedder: unknown): TableName | undefined {
  return TABLE_NAMES.find((name) => tables[name] === embedder);
}

/** The names of what is built in. As the id of a user's function they would mean another one when settings are read from JSON. */
const BUILT_IN: readonly unknown[] = ["english", "plain", ...TABLE_NAMES];

function isId(value: unknown): value is string {
  return typeof value === "string" && value.length > 0 && value.length <= 256 && !BUILT_IN.includes(value);
}
