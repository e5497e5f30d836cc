// The entry point `tandem-search/evaluation`, which measures relevance: only exports.

export { type AuditOptions, auditRecall, type RecallAudit } from "./evaluation/audit-recall.js";
export { type EvaluateOptions, type Evaluation, evaluate, type Way } from "./evaluation/evaluate.js";
export {
  type Comparison,
  compareRuns,
  type EvaluatedRun,
  measureRun,
  type QueryMeasures,
  type Ranking,
} from "./evaluation/evaluated-run.js";
export type { EvaluationOptions, EvaluationProgress } from "./evaluation/evaluation-options.js";
export type { JudgedQuery, JudgedSet, Judgement } from "./evaluation/judged-set.js";
export type { Interval, Measures } from "./evaluation/measures.js";
export type { Variation, Variations } from "./evaluation/sweep.js";
export { type Sweep, type SweepOptions, type SweepPoint, sweep } from "./evaluation/sweep.js";
