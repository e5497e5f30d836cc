// The options of an evaluation, checked, with their defaults.

import { checkSignal } from "../base/abort.js";
import { Checker, ownEntries, unknownName } from "../base/checks.js";
import { throwValidationErrors } from "../base/errors.js";
import type { SearchEngine } from "../search-engine.js";
import { DEFAULT_ENGINE, type EvaluatedEngine, isEngine } from "./evaluated-engine.js";
import type { BootstrapRule, Cutoffs } from "./measures.js";

/** Options of all that is measured. */
export interface EvaluationOptions {
  /** The engine that holds the index. Default: the process's own. */
  readonly engine?: SearchEngine;
  /** Ranks that nDCG, precision and judged look at, 1 … 1,000. Default 10. */
  readonly k?: number;
  /** Ranks that recall and MRR look at, `k` … 1,000. Default 100, or `k` where that is more. */
  readonly recallAt?: number;
  /** The least relevance that recall, MRR and precision call relevant, above 0. Default 1. */
  readonly relevantFrom?: number;
  /** Draws of the bootstrap, 100 … 1,000,000. Default 10,000. */
  readonly resamples?: number;
  /** Of the bootstrap and of samples; the same seed gives the same figures. Default 1. */
  readonly seed?: number;
  /** Aborting it rejects with 499. */
  readonly signal?: AbortSignal;
  /** Told after each query. */
  readonly onProgress?: (progress: EvaluationProgress) => void;
}

/** How far an evaluation is. */
export interface EvaluationProgress {
  /** Queries asked. */
  readonly done: number;
  readonly total: number;
}

/** Options in force. */
export interface CheckedEvaluation {
  readonly engine: EvaluatedEngine;
  readonly cutoffs: Cutoffs;
  readonly bootstrap: BootstrapRule;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: (progress: EvaluationProgress) => void;
  /** Options of the verb at hand, which it checks itself. */
  readonly entries: ReadonlyMap<string, unknown>;
  readonly check: Checker;
}

const NAMES = ["engine", "k", "recallAt", "relevantFrom", "resamples", "seed", "signal", "onProgress"];
/** A page holds no more hits. */
const DEEPEST = 1000;

/** Checks options; `own` are the names of the verb at hand. Throws 400 with all complaints together. */
export function readOptions(options: unknown, own: readonly string[] = []): CheckedEvaluation {
  const entries = ownEntries(options, "options", "invalid_options");
  const check = new Checker("invalid_option", "options");
  const known = [...NAMES, ...own];
  for (const name of entries.keys())
    if (!known.includes(name))
      check.complaints.push({ error: "unknown_option", param: name, msg: unknownName("option", name, known) });
  const engine = entries.get("engine") ?? DEFAULT_ENGINE;
  if (engine !== DEFAULT_ENGINE && !isEngine(engine)) check.complain("engine", engine, "a SearchEngine");
  const k = check.integer("k", entries.get("k"), 1, DEEPEST, 10);
  const recallAt = check.integer("recallAt", entries.get("recallAt"), k, DEEPEST, Math.max(k, 100));
  const relevantFrom = check.number("relevantFrom", entries.get("relevantFrom"), Number.MIN_VALUE, Number.MAX_VALUE, 1);
  const resamples = check.integer("resamples", entries.get("resamples"), 100, 1_000_000, 10_000);
  const seed = check.integer("seed", entries.get("seed"), 0, 2 ** 32 - 1, 1);
  const onProgress = entries.get("onProgress");
  if (onProgress !== undefined && typeof onProgress !== "function")
    check.complain("onProgress", onProgress, "a function");
  throwValidationErrors(check.complaints);
  return {
    engine: engine as EvaluatedEngine,
    cutoffs: { k, recallAt, relevantFrom },
    bootstrap: { resamples, seed },
    signal: checkSignal(entries.get("signal")),
    onProgress: quietly(onProgress as EvaluationOptions["onProgress"]),
    entries,
    check,
  };
}

/** A handler of the caller's must not make an evaluation fail. */
function quietly(handler: EvaluationOptions["onProgress"]): (progress: EvaluationProgress) => void {
  return (progress) => {
    try {
      handler?.(progress);
    } catch {
      // theirs, not ours
    }
  };
}
