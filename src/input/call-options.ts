// The options that a caller may pass to a verb after its arguments.

import type { EmbeddingJob } from "../embedding/remembered-vectors.js";
import type { IndexSettings } from "../settings/settings.js";
import { callQuietly } from "../util/contain.js";
import { show, throwValidationErrors } from "../util/errors.js";
import { DEFAULT_LIMITS } from "../util/limits.js";
import { isPosition } from "../util/position.js";
import { checkSignal, LONGEST_TIMEOUT_MS, throwIfAborted } from "../util/tasks.js";
import { Checker, dependent, type Entry, type FilledIn, type Kind, oneOf, readEntries, type Table } from "./kinds.js";
import { copyingOf, copyObject } from "./plain-data.js";
import type { QueryBounds } from "./read-params.js";

/** Options of createIndex. */
export interface CreateOptions {
  /**
   * When the name exists: `"error"` (409, default), `"open"` the index that is there, which must have these settings, or `"update"`
   * those that are given, as `updateSettings` does, and open it.
   */
  readonly ifExists?: "error" | "open" | "update" | undefined;
}

/** Options of a call that can be aborted. */
export interface CallOptions {
  /** Aborting it rejects the call with 499 `aborted`; nothing is changed. */
  readonly signal?: AbortSignal | undefined;
}

const COPYING = copyingOf({
  what: "options",
  error: "invalid_options",
  asTheyAre: ["signal", "onProgress", "settings"],
});

/** What {@link fromOutside} says, on the options themselves. */
const OUTSIDE = Symbol("outside");

interface FromOutside {
  readonly [OUTSIDE]?: { readonly bounds: QueryBounds | undefined };
}

/**
 * Options of a call that passes on a request from outside, such as one of a server: its warnings go to an `onWarning`, and never to
 * the process. What it asks of queries stays within bounds that no parameter widens.
 */
export function fromOutside<T extends CallOptions>(options: T, bounds?: QueryBounds): T {
  return Object.defineProperty(options, OUTSIDE, { value: { bounds } });
}

/** How far a call has come: `done` of `total` records in this phase. */
export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly phase: "indexing" | "embedding";
}

/** Gets the progress of a call. What it throws is ignored. */
export type ProgressHandler = (progress: Progress) => void;

/** Options of updateSettings. */
export interface ProgressOptions extends CallOptions {
  /** Called from time to time, after each batch of the embedder, and at the end of each phase. */
  readonly onProgress?: ProgressHandler | undefined;
}

/** Options of addRecords and replaceAllRecords. */
export interface AddOptions extends ProgressOptions {
  /** `"skip"`: wrong records are left out, and the result names them. By default they refuse the call. */
  readonly onInvalid?: "skip" | undefined;
}

/** The option of a call whose result names the records that were left out. */
export type SkipOption = {
  readonly onInvalid: "skip";
};

/** Options of updateRecords. */
export interface UpdateOptions extends AddOptions {
  /** False: patches with an unknown id are ignored. Default true: they create a record. */
  readonly createIfNotExists?: boolean | undefined;
}

/** Options of refresh. */
export interface RefreshOptions extends CallOptions {
  /** Waits for this `position()` of an engine that writes to the folder. Default: the state at the call. */
  readonly atLeast?: string | undefined;
  /** The longest time to wait, in milliseconds; then 503 `timeout`. Default: none. */
  readonly timeoutMs?: number | undefined;
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
  /** `"records"`: plain JSON Lines, each line a record. Default: what `exportIndex` gave, whose first line has the settings. */
  readonly format?: "records" | undefined;
  /** With `format: "records"`: the settings of the index, as `createIndex` takes them. */
  readonly settings?: IndexSettings | undefined;
  /** `"skip"`: wrong records are left out, and the result names the first of them. By default they refuse the call. */
  readonly onInvalid?: "skip" | undefined;
  /** Called from time to time, and at the end. What it throws is ignored. */
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
}

/** A line that `importIndex` left out. */
export interface SkippedLine {
  /** Counted from 1. */
  readonly line: number;
  /** The stable name of what is wrong, as a `SearchError` has it. */
  readonly error: string;
  /** For people. */
  readonly msg: string;
}

/** The result of `importIndex` with `onInvalid: "skip"`. */
export interface ImportSkipResult {
  readonly records: number;
  /** The number of lines that were left out. */
  readonly nbSkipped: number;
  /** The first hundred of them. */
  readonly skipped: readonly SkippedLine[];
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

/** The checked options of the verbs of {@link OPTIONS}. */
interface OptionValues {
  readonly createIndex: FilledIn<CreateOptions>;
  readonly call: {
    readonly onProgress: ProgressHandler | undefined;
    readonly createIfNotExists: boolean;
    readonly onInvalid: "skip" | undefined;
  };
  /** The settings are as they were given. */
  readonly importIndex: OptionValues["readSnapshot"] & Pick<ImportOptions, "format" | "settings" | "onInvalid">;
  readonly readSnapshot: OptionValues["snapshot"] & FilledIn<Pick<ImportOptions, "ifExists">>;
  readonly snapshot: { readonly onProgress: (argument: unknown) => void };
  readonly refresh: Omit<RefreshOptions, "signal">;
}

/** Checked options of a verb. */
type Checked<V extends keyof OptionValues> = OptionValues[V] & {
  readonly signal: AbortSignal | undefined;
  /** See {@link fromOutside}. */
  readonly isFromOutside: boolean;
  readonly bounds: QueryBounds | undefined;
};

/** Checked options of a verb that writes records, and of a query. */
export interface CheckedOptions extends Checked<"call"> {
  /** The work of which the call is a part, if there is more of it. */
  readonly job?: EmbeddingJob | undefined;
}

/** Checked options of refresh. */
export type CheckedRefreshOptions = Checked<"refresh">;

/** Values that pass a test. */
const thatIs = <T>(isOne: (value: unknown) => value is T, expected: string): Kind<T> => ({
  read: (value, name, { check }) =>
    isOne(value)
      ? value
      : check.add({
          error: "invalid_options",
          param: name,
          msg: `options.${name} is ${show(value)}; pass ${expected}.`,
        }),
});

type Handler = (argument: unknown) => unknown;

const aHandler = thatIs((value): value is Handler => typeof value === "function", "a function");

/** A function of the caller's, which cannot throw any more. */
const handler: Kind<(argument: unknown) => void> = {
  read: (value, name, reading) => {
    const given = aHandler.read(value, name, reading);
    return given && ((argument) => callQuietly(given, argument));
  },
};

/** Of a call that tells its progress in any case. */
const onProgress: Entry<(argument: unknown) => void> = { kind: handler, fallback: () => {} };

/** Read by itself, after the others: it has an error of its own. */
const signal: Entry<AbortSignal> = { kind: dependent };

const isTimeout = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= LONGEST_TIMEOUT_MS;

const replaceIfExists: Entry<"error" | "replace"> = { kind: oneOf("error", "replace"), fallback: "error" };
const onInvalid: Entry<"skip"> = {
  kind: thatIs((value): value is "skip" => value === "skip", '"skip", or leave it out'),
};

/** The options of verbs. `call`: of the verbs that write records, and of queries; `snapshot`: of writeSnapshot and exportIndex. */
export const OPTIONS: {
  readonly [V in keyof OptionValues]: Table<OptionValues[V]> & { readonly signal?: Entry<AbortSignal> };
} = {
  createIndex: { ifExists: { kind: oneOf("error", "open", "update"), fallback: "error" } },
  call: {
    onProgress: { kind: handler },
    createIfNotExists: {
      kind: thatIs((value): value is boolean => typeof value === "boolean", "true or false"),
      fallback: true,
    },
    onInvalid,
    signal,
  },
  importIndex: {
    ifExists: replaceIfExists,
    format: { kind: oneOf("records") },
    settings: { kind: { read: (value) => value as IndexSettings } },
    onInvalid,
    onProgress,
    signal,
  },
  readSnapshot: { ifExists: replaceIfExists, onProgress },
  snapshot: { onProgress },
  refresh: {
    atLeast: { kind: thatIs(isPosition, "a text that position() gave") },
    timeoutMs: { kind: thatIs(isTimeout, `an integer from 1 to ${LONGEST_TIMEOUT_MS}`) },
    signal,
  },
};

/** Reads the options of a verb; throws 400 for wrong ones, 499 when the signal is aborted already. */
export function readOptions<V extends keyof OptionValues>(verb: V, options: unknown): Checked<V> {
  const taken = copyObject(options, COPYING);
  const check = new Checker("invalid_option", "options");
  const values = readEntries<OptionValues[V]>(OPTIONS[verb], taken, { check, limits: DEFAULT_LIMITS, dimensions: 0 });
  throwValidationErrors(check.complaints);
  const signal = Object.hasOwn(OPTIONS[verb], "signal") ? checkSignal(taken.signal) : undefined;
  throwIfAborted(signal);
  const outside = (options as FromOutside | undefined)?.[OUTSIDE];
  return { ...values, signal, isFromOutside: outside !== undefined, bounds: outside?.bounds };
}
