// The options of an engine, checked, with their defaults.

import type { TableName } from "../embedding/word-table.js";
import {
  createStaticDeEmbedder,
  createStaticEnEmbedder,
  tableNameOf,
  tableProblemOf,
} from "../embedding/word-table-embedder.js";
import { callQuietly, warnProcess } from "../util/contain.js";
import { hintAt, nearestName, refusal, type SearchError, show, throwValidationErrors } from "../util/errors.js";
import type { Analyzer, Embedder, Warn, WarningHandler } from "../util/extension-points.js";
import { DEFAULT_LIMITS, greatestOf, type Limits } from "../util/limits.js";
import { LONGEST_TIMEOUT_MS } from "../util/tasks.js";
import { graphProblem } from "../vectors/vector-graph.js";
import type { Extensions } from "./extension-ids.js";
import { checkAnalyzer, checkEmbedder, INSTEAD_OF_EMBEDDER, isTableName } from "./extensions.js";
import {
  boolean,
  Checker,
  dependent,
  type Entry,
  type FilledIn,
  integer,
  oneOf,
  readEntries,
  type Table,
  that,
} from "./kinds.js";
import { copyingOf, copyObject, copyProperties, entriesOf, type PlainObject } from "./plain-data.js";
import { checkSettingNames, type SettingsContext } from "./read-settings.js";

/** Options of `new SearchEngine(options)`. */
export interface EngineOptions {
  /** The embedder of indexes that name none. Default: `"static-en"` in English, `"static-de"` in German, none in other languages. */
  readonly embedder?: "static-en" | "static-de" | false | Embedder | undefined;
  /**
   * Embedders by id: settings may name them, and those of an import do. `embedder` counts as one of them.
   *
   * @example
   * const engine = new SearchEngine({ embedders: { [model.id]: model } });
   */
  readonly embedders?: Readonly<Record<string, Embedder>> | undefined;
  /** Analyzers by id, as `embedders`. */
  readonly analyzers?: Readonly<Record<string, Analyzer>> | undefined;
  /**
   * Called with each warning. Without it, warnings go to `process.emitWarning`: once for each code and index, at most 100 in a
   * process. The library prints nothing else.
   */
  readonly onWarning?: WarningHandler | undefined;
  /** Unknown names of parameters, settings and options: errors (400) if true, warnings if false (default). */
  readonly strict?: boolean | undefined;
  /** Limits that replace the default ones. */
  readonly limits?: { readonly [K in keyof Limits]?: Limits[K] | undefined } | undefined;
  /**
   * How many bytes queries may keep in memory, as `estimate()` counts them: what they computed (impact lists of terms, columns of
   * undeclared attributes), and what they read of a data folder (terms, titles, ids). What was computed for the index that was asked
   * least recently is dropped first; a quarter is always left to it. No answer depends on it. Default 256 MB.
   */
  readonly cacheBytes?: number | undefined;
  /**
   * Once in a process, some queries by words run in the background when an index was loaded, so that code is compiled before the first
   * caller waits for it. Nothing else of them is seen or kept. A data folder with one index loads it for that. False: none run. Default true.
   */
  readonly warmUp?: boolean | undefined;
}

/** The effective options, which an engine passes to its indexes. */
export interface CheckedEngineOptions extends Extensions, SettingsContext {
  /** Passes a warning to the caller, or to the process. Never throws. */
  readonly warn: Warn;
  readonly cacheBytes: number;
  readonly warmUp: boolean;
}

/** Options of `SearchEngine.open(options)`. */
export interface OpenOptions extends EngineOptions {
  /** The path of the data folder. It is made, with the folders above it, if it is not there. */
  readonly dataDir: string;
  /**
   * `"sync"` (default): a verb resolves when neither a kill nor a power cut can take it back. `"interval"`: a power cut may take the
   * last second, for bulk loads; `flush` and `close` make everything before them safe.
   */
  readonly durability?: "sync" | "interval" | undefined;
  /** True: reads what is there, beside an engine that writes, and writes nothing. Default false. */
  readonly readOnly?: boolean | undefined;
  /**
   * With `readOnly`. True: shows each change of the engine that writes to the folder, soon after it. Default false: what was there at
   * opening, until `refresh()`.
   */
  readonly follow?: boolean | undefined;
  /** How often `follow` looks for changes at least, where the file system does not tell of them: in milliseconds, 10 or more. Default 200. */
  readonly followIntervalMs?: number | undefined;
  /** True: reads everything at opening. No answer depends on it. Default false. */
  readonly preload?: boolean | undefined;
}

/** The options of an engine that are checked by their own value. */
type OwnOptions = FilledIn<Pick<EngineOptions, "strict" | "cacheBytes" | "warmUp">> & Pick<EngineOptions, "onWarning">;

/** Those of a data folder. */
type FolderOptions = FilledIn<Omit<OpenOptions, keyof EngineOptions>>;

/** The options of a data folder, checked. */
export interface CheckedOpenOptions extends CheckedEngineOptions, FolderOptions {}

const isHandler = (value: unknown): value is WarningHandler => typeof value === "function";
const isByteCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isPath = (value: unknown): value is string => typeof value === "string" && value !== "" && !value.includes("\0");
const LEAST_INTERVAL_MS = 10;

/** The options of `new SearchEngine`. */
export const ENGINE_OPTIONS: Table<OwnOptions> &
  Readonly<Record<"embedder" | "embedders" | "analyzers" | "limits", Entry<never>>> = {
  embedder: { kind: dependent },
  embedders: { kind: dependent },
  analyzers: { kind: dependent },
  onWarning: { kind: that(isHandler, "a function") },
  strict: { kind: boolean, fallback: false },
  limits: { kind: dependent },
  cacheBytes: { kind: that(isByteCount, "a number of bytes, 0 or more"), fallback: 256_000_000 },
  warmUp: { kind: boolean, fallback: true },
};

/** The further options of `SearchEngine.open`. */
export const FOLDER_OPTIONS: Table<FolderOptions> = {
  dataDir: { kind: that(isPath, "the path of a folder"), isRequired: true },
  durability: { kind: oneOf("sync", "interval"), fallback: "sync" },
  readOnly: { kind: boolean, fallback: false },
  follow: { kind: boolean, fallback: false },
  followIntervalMs: { kind: integer(LEAST_INTERVAL_MS, LONGEST_TIMEOUT_MS), fallback: 200 },
  preload: { kind: boolean, fallback: false },
};

const COPYING = copyingOf({
  ...{ what: "options", error: "invalid_options" },
  asTheyAre: ["embedder", "embedders", "analyzers", "onWarning"],
  tooManyNames: (path, msg) => refusal("invalid_option", path, `${path} ${msg}`),
});

/** A copy of options: embedders and analyzers stay the caller's own. */
function copyOptions(options: unknown): PlainObject {
  const given = copyObject(options, COPYING);
  // Here null says the same as nothing.
  const entries = Object.entries(given).filter(([name, value]) => value !== null || name === "limits");
  return Object.fromEntries(entries);
}

/** Checks the options of an engine and fills in defaults. Throws 400 with all complaints together. */
export function readEngineOptions(options: unknown): CheckedEngineOptions {
  const given = copyOptions(options);
  const check = new Checker("invalid_option", "options");
  const checked = checkEngineOptions(given, Object.keys(ENGINE_OPTIONS), check);
  if (given.dataDir !== undefined)
    throw refusal("invalid_option", "dataDir", "dataDir is no option of new SearchEngine; use SearchEngine.open.");
  return checked;
}

/** As {@link readEngineOptions}, with those of a data folder. */
export function readOpenOptions(options: unknown): CheckedOpenOptions {
  const given = copyOptions(options);
  const check = new Checker("invalid_option", "options");
  const folder = readEntries<FolderOptions>(FOLDER_OPTIONS, given, { check, limits: DEFAULT_LIMITS, dimensions: 0 });
  const known = [...Object.keys(ENGINE_OPTIONS), ...Object.keys(FOLDER_OPTIONS)];
  if (folder.follow && !folder.readOnly) {
    const msg = "follow is true without readOnly: true; an engine that writes sees its own changes, so leave it out.";
    check.add({ error: "invalid_option", param: "follow", msg });
  }
  const misspelt = complainOfReadOnly(given, known, check);
  const rest = Object.entries(given).filter(([name]) => !misspelt.includes(name));
  return { ...checkEngineOptions(Object.fromEntries(rest), known, check), ...folder };
}

/** Complains about names that stand for `readOnly`, and returns them: ignoring one would open the folder for writing. */
function complainOfReadOnly(given: PlainObject, known: readonly string[], check: Checker): readonly string[] {
  return Object.keys(given).filter((name) => {
    if (known.includes(name)) return false;
    const letters = name.toLowerCase().replace(/[^a-z]/g, "");
    if (!letters.includes("readonly") && nearestName(name, known) !== "readOnly") return false;
    const msg = `option ${show(name)} is unknown; did you mean "readOnly"? It is an error, because ignoring it would open the folder for writing.`;
    check.add({ error: "invalid_option", param: name, msg });
    return true;
  });
}

function checkEngineOptions(given: PlainObject, names: readonly string[], check: Checker): CheckedEngineOptions {
  const limits = readLimits(given.limits);
  const { onWarning, strict, cacheBytes, warmUp } = readEntries<OwnOptions>(ENGINE_OPTIONS, given, {
    check,
    limits,
    dimensions: 0,
  });
  const warn: Warn = (warning, isFromOutside = false) => {
    if (onWarning !== undefined) callQuietly(onWarning, warning);
    else if (!isFromOutside) callQuietly(warnProcess, warning);
  };
  const { embedder } = given;
  const own =
    embedder === undefined || embedder === false || isTableName(embedder)
      ? undefined
      : tableNameOf(embedder) !== undefined
        ? (embedder as Embedder)
        : checkEmbedder("embedder", embedder, check, limits, INSTEAD_OF_EMBEDDER);
  const embedders = readById("embedders", given, check, (name, value) => checkEmbedder(name, value, check, limits));
  if (own !== undefined && !embedders.has(own.id)) embedders.set(own.id, own);
  // One that was given its table takes the place of the built-in one: settings and snapshots that name no other mean it.
  const orGiven = (name: TableName, packaged: Embedder): Embedder => {
    if (own !== undefined && tableNameOf(own) === name) return own;
    return [...embedders.values()].find((each) => tableNameOf(each) === name && each.id === packaged.id) ?? packaged;
  };
  const tables = {
    "static-en": orGiven("static-en", createStaticEnEmbedder()),
    "static-de": orGiven("static-de", createStaticDeEmbedder()),
  };
  const analyzers = readById("analyzers", given, check, (name, value) => checkAnalyzer(name, value, check));
  checkSettingNames(Object.keys(given), names, { kind: "option", check, strict: strict === true, warn });
  throwValidationErrors(check.complaints);
  return {
    ...{ limits, strict, warn, tables, embedders, analyzers, cacheBytes, warmUp },
    tableProblem: tableProblemOf,
    defaultEmbedder: isTableName(embedder) ? tables[embedder] : embedder === undefined ? undefined : (own ?? false),
    hnswlibProblem: () => graphProblem("hnswlib"),
  };
}

/** Functions by id. Each entry's key must be the id of its function. */
function readById<T extends Embedder | Analyzer>(
  option: "embedders" | "analyzers",
  given: PlainObject,
  check: Checker,
  read: (name: string, value: unknown) => T | undefined,
): Map<string, T> {
  const byId = new Map<string, T>();
  // The functions stay the caller's own.
  const copying = { what: option, error: "invalid_option" };
  for (const [id, value] of Object.entries(copyProperties(given[option] ?? {}, copying))) {
    const name = `${option}.${id}`;
    const found = read(name, value);
    if (found !== undefined && found.id !== id) check.complain(`${name}.id`, found.id, `${show(id)}, as its key says`);
    else if (found !== undefined) byId.set(id, found);
  }
  return byId;
}

/**
 * The default limits, overridden by the caller's. Throws 400 for unknown names, for values that are no positive integers, and for
 * those above the greatest possible one.
 */
export function readLimits(own: unknown): Limits {
  if (own === undefined) return DEFAULT_LIMITS;
  const invalid = (msg: string): SearchError => refusal("invalid_option", "limits", msg);
  const limits: Record<string, number> = { ...DEFAULT_LIMITS };
  for (const [name, value] of entriesOf(own, "limits", "invalid_option")) {
    if (!Object.hasOwn(DEFAULT_LIMITS, name))
      throw invalid(`limits has the unknown name ${show(name)}${hintAt(name, Object.keys(DEFAULT_LIMITS))}`);
    if (!Number.isSafeInteger(value) || (value as number) < 1)
      throw invalid(`limits.${name} is ${show(value)}; pass a positive integer.`);
    const greatest = greatestOf(name as keyof Limits);
    if (greatest !== undefined && (value as number) > greatest)
      throw invalid(`limits.${name} is ${show(value)}; the greatest possible is ${greatest}.`);
    limits[name] = value as number;
  }
  return Object.freeze(limits as object as Limits);
}
