// The options of an evaluation, checked, with their defaults.

import { Engine } from "../api/engine.js";
import { Checker } from "../input/kinds.js";
import { copyProperties, type PlainObject } from "../input/plain-data.js";
import { type BootstrapRule, type Cutoffs, DEFAULT_BOOTSTRAP, DEFAULT_CUTOFFS } from "../relevance/measures.js";
import { callQuietly } from "../util/contain.js";
import { SearchError, throwValidationErrors } from "../util/errors.js";
import { checkSignal } from "../util/tasks.js";
import { DEFAULT_ENGINE, type EvaluatedEngine } from "./evaluated-engine.js";

/** Options of every evaluation. */
export interface EvaluationOptions {
  /** The engine that holds the index. Default: the process's own. */
  readonly engine?: Engine | undefined;
  /** Cut-off rank of nDCG, precision and judged, 1 … 1,000. Default 10. */
  readonly k?: number | undefined;
  /** Cut-off rank of recall and MRR, `k` … 1,000. Default 100, or `k` if that is more. */
  readonly recallAt?: number | undefined;
  /** The minimum relevance that counts as relevant for recall, MRR and precision; above 0. Default 1. */
  readonly relevantFrom?: number | undefined;
  /** Number of bootstrap resamples, 100 … 1,000,000. Default 10,000. */
  readonly resamples?: number | undefined;
  /** Seed of the bootstrap and of samples; the same seed gives the same figures. Default 1. */
  readonly seed?: number | undefined;
  /** Aborting it rejects with 499. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each query. What it throws is ignored. */
  readonly onProgress?: ((progress: EvaluationProgress) => void) | undefined;
}

/** The progress of an evaluation. */
export interface EvaluationProgress {
  /** Queries answered so far. */
  readonly done: number;
  readonly total: number;
}

/** Checked options. */
export interface CheckedEvaluation {
  readonly engine: EvaluatedEngine;
  readonly cutoffs: Cutoffs;
  readonly bootstrap: BootstrapRule;
  readonly signal: AbortSignal | undefined;
  /** What is called after each of so many queries, and tells the progress. */
  readonly counting: (total: number) => () => void;
  /** All entries of the options, for the calling function to check its own. */
  readonly entries: PlainObject;
  readonly check: Checker;
}

const NAMES = ["engine", "k", "recallAt", "relevantFrom", "resamples", "seed", "signal", "onProgress"];
/** A page holds at most this many hits. */
const DEEPEST = 1000;

/** Runs an evaluation with its options, checked; `own` names further options of the calling function. */
export async function withOptions<T>(
  options: unknown,
  own: readonly string[],
  work: (checked: CheckedEvaluation) => Promise<T> | T,
): Promise<T> {
  const checked = readEvaluationOptions(options, own);
  try {
    return await work(checked);
  } catch (error) {
    throw checked.engine === DEFAULT_ENGINE ? withHint(error) : error;
  }
}

/** An index that the engine of the process has not may be one of another engine. */
function withHint(error: unknown): unknown {
  if (!(error instanceof SearchError) || error.error !== "index_not_found") return error;
  const msg = `${error.msg} If it is one of an engine of yours, pass { engine }.`;
  return new SearchError(error.code, error.error, msg, { param: error.param, cause: error });
}

/** Checks the common options; `own` names further options of the calling function. Throws 400 with all complaints together. */
export function readEvaluationOptions(options: unknown, own: readonly string[] = []): CheckedEvaluation {
  const entries = copyProperties(options, { what: "options", error: "invalid_options" });
  const check = new Checker("invalid_option", "options");
  const known = [...NAMES, ...own];
  check.refuseOthers(Object.keys(entries), known, "option", "unknown_option");
  const engine = entries.engine ?? DEFAULT_ENGINE;
  if (engine !== DEFAULT_ENGINE && !(engine instanceof Engine))
    check.complain("engine", engine, "a SearchEngine or an OpenSearchEngine");
  const usual = { ...DEFAULT_CUTOFFS, ...DEFAULT_BOOTSTRAP };
  const k = check.integer("k", entries.k, 1, DEEPEST, usual.k);
  const recallAt = check.integer("recallAt", entries.recallAt, k, DEEPEST, Math.max(k, usual.recallAt));
  const [least, most] = [Number.MIN_VALUE, Number.MAX_VALUE];
  const relevantFrom = check.number("relevantFrom", entries.relevantFrom, least, most, usual.relevantFrom);
  const resamples = check.integer("resamples", entries.resamples, 100, 1_000_000, usual.resamples);
  const seed = check.integer("seed", entries.seed, 0, 2 ** 32 - 1, usual.seed);
  const onProgress = entries.onProgress;
  if (onProgress !== undefined && typeof onProgress !== "function")
    check.complain("onProgress", onProgress, "a function");
  throwValidationErrors(check.complaints);
  return {
    engine: engine as EvaluatedEngine,
    cutoffs: { k, recallAt, relevantFrom },
    bootstrap: { resamples, seed },
    signal: checkSignal(entries.signal),
    counting: (total) => {
      let done = 0;
      return () => callQuietly(onProgress as EvaluationOptions["onProgress"], { done: ++done, total });
    },
    entries,
    check,
  };
}
