// The options of an engine, checked, with their defaults.

import { createStaticEnEmbedder, isStaticEn, tableProblemOf } from "../embedding/static-en-embedder.js";
import { checkAnalyzer, checkEmbedder, INSTEAD_OF_EMBEDDER } from "../settings/check-extensions.js";
import { checkNames } from "../settings/check-settings.js";
import type { Extensions } from "../settings/extension-ids.js";
import { Checker, ownEntries } from "../util/checks.js";
import { callQuietly } from "../util/contain.js";
import { refusal, throwValidationErrors } from "../util/errors.js";
import type { Analyzer, Embedder, Warn, WarningHandler } from "../util/extension-points.js";
import { type Limits, resolveLimits } from "../util/limits.js";
import { warnProcess } from "../util/process-warnings.js";
import { nearestName, show } from "../util/show.js";
import { graphProblem } from "../vectors/vector-graph.js";
import { EngineActivity } from "./engine-activity.js";
import { DEFAULT_CACHE_BYTES, MemoryBudget } from "./memory-budget.js";

/** Options of `new SearchEngine(options)`. */
export interface EngineOptions {
  /** The embedder of indexes that name none. Default `"static-en"`. */
  readonly embedder?: "static-en" | false | Embedder | undefined;
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
}

/** The effective options, which an engine passes to its indexes. */
export interface CheckedEngineOptions extends Extensions {
  readonly limits: Limits;
  readonly strict: boolean;
  /** Passes a warning to the caller, or to the process. Never throws. */
  readonly warn: Warn;
  readonly staticEn: Embedder;
  /** Why static-en cannot embed; undefined if it can. */
  readonly tableProblem: () => string | undefined;
  readonly defaultEmbedder: Embedder | false;
  /** Why hnswlib-node cannot be used; undefined if it can. */
  readonly hnswlibProblem: () => string | undefined;
  /** Limits the memory of all indexes together. */
  readonly memory: MemoryBudget;
  /** Counts the queries and writes of all indexes. */
  readonly activity: EngineActivity;
}

const OPTION_NAMES = ["embedder", "embedders", "analyzers", "onWarning", "strict", "limits", "cacheBytes"];
const FOLDER_NAMES = ["dataDir", "durability", "readOnly", "preload"];

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
  /** True: reads everything at opening. No answer depends on it. Default false. */
  readonly preload?: boolean | undefined;
}

/** The options of a data folder, checked. */
export interface CheckedOpenOptions extends CheckedEngineOptions {
  readonly dataDir: string;
  readonly durability: "sync" | "interval";
  readonly readOnly: boolean;
  readonly preload: boolean;
}

/** Checks the options of an engine and fills in defaults. Throws 400 with all complaints together. */
export function readEngineOptions(options: unknown): CheckedEngineOptions {
  const entries = ownEntries(options, "options", "invalid_options");
  const check = new Checker("invalid_option", "options");
  const checked = checkEngineOptions(entries, OPTION_NAMES, check);
  if (entries.get("dataDir") !== undefined)
    throw refusal("invalid_option", "dataDir", "dataDir is no option of new SearchEngine; use SearchEngine.open.");
  return checked;
}

/** As {@link readEngineOptions}, with those of a data folder. */
export function readOpenOptions(options: unknown): CheckedOpenOptions {
  const entries = ownEntries(options, "options", "invalid_options");
  const check = new Checker("invalid_option", "options");
  const dataDir = entries.get("dataDir");
  if (typeof dataDir !== "string" || dataDir === "" || dataDir.includes("\0"))
    check.complain("dataDir", dataDir, "the path of a folder");
  const durability = check.oneOf("durability", entries.get("durability"), ["sync", "interval"] as const, "sync");
  const [readOnly, preload] = ["readOnly", "preload"].map((name) => {
    const value = entries.get(name) ?? false;
    if (typeof value !== "boolean") check.complain(name, value, "true or false");
    return value === true;
  });
  const known = [...OPTION_NAMES, ...FOLDER_NAMES];
  refuseMisspeltReadOnly(entries, known, check);
  const checked = checkEngineOptions(entries, known, check);
  return { ...checked, dataDir: dataDir as string, durability, readOnly: readOnly!, preload: preload! };
}

/** Complains about names that stand for `readOnly`, and removes them: ignoring one would open the folder for writing. */
function refuseMisspeltReadOnly(entries: Map<string, unknown>, known: readonly string[], check: Checker): void {
  for (const name of [...entries.keys()]) {
    if (known.includes(name)) continue;
    const letters = name.toLowerCase().replace(/[^a-z]/g, "");
    if (!letters.includes("readonly") && nearestName(name, known) !== "readOnly") continue;
    const msg = `option ${show(name)} is unknown; did you mean "readOnly"? It cannot be ignored: the folder would be opened for writing.`;
    check.complaints.push({ error: "invalid_option", param: name, msg });
    entries.delete(name);
  }
}

function checkEngineOptions(
  entries: ReadonlyMap<string, unknown>,
  names: readonly string[],
  check: Checker,
): CheckedEngineOptions {
  const limits = resolveLimits(entries.get("limits"));
  const strict = entries.get("strict") ?? false;
  if (typeof strict !== "boolean") check.complain("strict", strict, "true or false");
  const onWarning = entries.get("onWarning");
  if (onWarning !== undefined && typeof onWarning !== "function") check.complain("onWarning", onWarning, "a function");
  const warn: Warn = (warning, isFromOutside = false) => {
    if (onWarning !== undefined) callQuietly(onWarning as WarningHandler, warning);
    else if (!isFromOutside) callQuietly(warnProcess, warning);
  };
  const embedder = entries.get("embedder") ?? "static-en";
  // One that was given its table takes the place of the built-in one: settings and snapshots that name no other mean it.
  const staticEn = isStaticEn(embedder) ? embedder : createStaticEnEmbedder();
  const defaultEmbedder =
    embedder === "static-en" || embedder === staticEn
      ? staticEn
      : embedder === false
        ? false
        : checkEmbedder("embedder", embedder, check, limits, INSTEAD_OF_EMBEDDER);
  const embedders = readById("embedders", entries, check, (name, value) => checkEmbedder(name, value, check, limits));
  if (typeof embedder === "object" && defaultEmbedder && !embedders.has(defaultEmbedder.id))
    embedders.set(defaultEmbedder.id, defaultEmbedder);
  const analyzers = readById("analyzers", entries, check, (name, value) => checkAnalyzer(name, value, check));
  const cacheBytes = entries.get("cacheBytes") ?? DEFAULT_CACHE_BYTES;
  if (!Number.isSafeInteger(cacheBytes) || (cacheBytes as number) < 0)
    check.complain("cacheBytes", cacheBytes, "a number of bytes, 0 or more");
  checkNames(entries.keys(), names, { kind: "option", check, strict: strict === true, warn });
  throwValidationErrors(check.complaints);
  const memory = new MemoryBudget(limits.maxMemory, cacheBytes as number);
  return {
    limits,
    strict: strict === true,
    warn,
    staticEn,
    tableProblem: () => tableProblemOf(staticEn),
    defaultEmbedder: defaultEmbedder ?? false,
    embedders,
    analyzers,
    hnswlibProblem: () => graphProblem("hnswlib"),
    memory,
    activity: new EngineActivity(),
  };
}

/** Functions by id. Each entry's key must be the id of its function. */
function readById<T extends Embedder | Analyzer>(
  option: "embedders" | "analyzers",
  entries: ReadonlyMap<string, unknown>,
  check: Checker,
  read: (name: string, value: unknown) => T | undefined,
): Map<string, T> {
  const byId = new Map<string, T>();
  for (const [id, value] of ownEntries(entries.has(option) ? entries.get(option) : {}, option, "invalid_option")) {
    const name = `${option}.${id}`;
    const found = read(name, value);
    if (found !== undefined && found.id !== id) check.complain(`${name}.id`, found.id, `${show(id)}, as its key says`);
    else if (found !== undefined) byId.set(id, found);
  }
  return byId;
}
