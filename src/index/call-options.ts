// The options that a caller may pass to a verb after its arguments.

import type { EmbeddingJob } from "../embedding/remembered-vectors.js";
import { checkSignal, throwIfAborted } from "../util/abort.js";
import { Checker, ownEntries } from "../util/checks.js";
import { callQuietly } from "../util/contain.js";
import { SearchError, throwValidationErrors } from "../util/errors.js";
import { show } from "../util/show.js";

/** Options of createIndex. */
export interface CreateOptions {
  /** When the name exists: `"error"` (409, default), or `"open"` the index that is there. */
  readonly ifExists?: "error" | "open" | undefined;
}

/** Reads `ifExists`. Throws 400 for wrong options. */
export function readCreateOptions(options: unknown): "error" | "open" {
  return readIfExists(ownEntries(options, "options", "invalid_options"), "open");
}

function readIfExists<T extends string>(entries: ReadonlyMap<string, unknown>, other: T): "error" | T {
  const check = new Checker("invalid_option", "options");
  const ifExists = check.oneOf<"error" | T>("ifExists", entries.get("ifExists"), ["error", other], "error");
  throwValidationErrors(check.complaints);
  return ifExists;
}

/** Options of a call that can be aborted. */
export interface CallOptions {
  /** Aborting it rejects the call with 499 `aborted`; nothing is changed. */
  readonly signal?: AbortSignal | undefined;
}

const outside = new WeakSet<object>();

/**
 * Options of a call that passes on a request from outside, such as one of a server: its warnings go to an `onWarning`, and never to
 * the process.
 */
export function fromOutside<T extends CallOptions>(options: T): T {
  outside.add(options);
  return options;
}

/** How far a call has come: `done` of `total` records in this phase. */
export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly phase: "indexing" | "embedding";
}

/** Gets the progress of a call. What it throws is ignored. */
export type ProgressHandler = (progress: Progress) => void;

/** Options of addRecords. */
export interface AddOptions extends CallOptions {
  /** Called from time to time, after each batch of the embedder, and at the end of each phase. */
  readonly onProgress?: ProgressHandler | undefined;
}

/** Options of updateRecords. */
export interface UpdateOptions extends AddOptions {
  /** False: patches with an unknown id are ignored. Default true: they create a record. */
  readonly createIfNotExists?: boolean | undefined;
}

/** How far an import has come. */
export interface ImportProgress {
  /** The records so far. It never falls, and ends at the number of all. */
  readonly done: number;
}

/** Options of importIndex. */
export interface ImportOptions extends CallOptions {
  /** When the name exists: `"error"` (409, default), or `"replace"` settings and records of the index that is there. */
  readonly ifExists?: "error" | "replace" | undefined;
  /** Called from time to time, and at the end. What it throws is ignored. */
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
}

/** How far a snapshot or an export has come: `done` of `total` records. It never falls, and ends at all of them. */
export interface SnapshotProgress {
  readonly done: number;
  readonly total: number;
}

/** Options of writeSnapshot and exportIndex. */
export interface SnapshotOptions {
  /** Called from time to time, and at the end. What it throws is ignored. */
  readonly onProgress?: ((progress: SnapshotProgress) => void) | undefined;
}

/** Options of readSnapshot. */
export interface ReplaceOptions extends SnapshotOptions, Pick<ImportOptions, "ifExists"> {}

/** Checked options of importIndex. */
export interface CheckedImportOptions {
  readonly ifExists: "error" | "replace";
  readonly signal: AbortSignal | undefined;
  readonly onProgress: (progress: ImportProgress) => void;
}

/** Checked options of writeSnapshot and exportIndex. */
export interface CheckedSnapshotOptions {
  readonly onProgress: (progress: SnapshotProgress) => void;
}

/** Checked options. */
export interface CheckedOptions {
  /** See {@link fromOutside}. */
  readonly isFromOutside: boolean;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ProgressHandler | undefined;
  readonly createIfNotExists: boolean;
  /** The work of which the call is a part, if there is more of it. */
  readonly job?: EmbeddingJob;
}

/**
 * Reads the options of a call; throws 400 for wrong ones, 499 when the signal is aborted already. Call `releaseSignal` when
 * the call ends.
 */
export function readOptions(options: unknown): CheckedOptions {
  const entries = ownEntries(options, "options", "invalid_options");
  const onProgress = readHandler<Progress>(entries);
  const createIfNotExists = entries.has("createIfNotExists") ? entries.get("createIfNotExists") : true;
  if (typeof createIfNotExists !== "boolean")
    throw new SearchError(
      400,
      "invalid_options",
      `options.createIfNotExists is ${show(createIfNotExists)}; pass true or false.`,
      { param: "createIfNotExists" },
    );
  const isFromOutside = outside.has(options as object);
  return { isFromOutside, signal: readSignal(entries), createIfNotExists, onProgress };
}

/** Reads the options of an import, as {@link readOptions} does. */
export function readImportOptions(options: unknown): CheckedImportOptions {
  const entries = ownEntries(options, "options", "invalid_options");
  const ifExists = readIfExists(entries, "replace");
  const onProgress = readHandler<ImportProgress>(entries) ?? (() => {});
  return { ifExists, onProgress, signal: readSignal(entries) };
}

/** Reads the options of a snapshot that becomes an index. */
export function readReplaceOptions(options: unknown): Pick<CheckedImportOptions, "ifExists"> & CheckedSnapshotOptions {
  const ifExists = readIfExists(ownEntries(options, "options", "invalid_options"), "replace");
  return { ifExists, ...readSnapshotOptions(options) };
}

/** Reads the options of writeSnapshot and exportIndex. */
export function readSnapshotOptions(options: unknown): CheckedSnapshotOptions {
  return { onProgress: readHandler(ownEntries(options, "options", "invalid_options")) ?? (() => {}) };
}

/** The handler of progress, which cannot throw any more. */
function readHandler<P>(entries: ReadonlyMap<string, unknown>): ((progress: P) => void) | undefined {
  const handler = entries.get("onProgress");
  if (handler === undefined) return undefined;
  if (typeof handler === "function") return (progress) => callQuietly(handler as (progress: P) => void, progress);
  throw new SearchError(400, "invalid_options", `options.onProgress is ${show(handler)}; pass a function.`, {
    param: "onProgress",
  });
}

/** Call it last, because a foreign signal has a listener from then on. */
function readSignal(entries: ReadonlyMap<string, unknown>): AbortSignal | undefined {
  const signal = checkSignal(entries.get("signal"));
  throwIfAborted(signal);
  return signal;
}
