// The entry point `tandem-search/evaluation`, which measures relevance: only exports.

export { type AuditOptions, auditRecall, type RecallAudit } from "./evaluation/audit-recall.js";
export { compareRuns, measureRun, type Ranking } from "./evaluation/compare-runs.js";
export { type EvaluateOptions, type Evaluation, evaluate, type Way } from "./evaluation/evaluate.js";
export type { EvaluationOptions, EvaluationProgress } from "./evaluation/evaluation-options.js";
export type { Variation, Variations } from "./evaluation/sweep.js";
export { type Sweep, type SweepOptions, type SweepPoint, sweep } from "./evaluation/sweep.js";
export type { Comparison, EvaluatedRun, QueryMeasures } from "./relevance/evaluated-run.js";
export type { JudgedQuery, JudgedSet, Judgement } from "./relevance/judged-set.js";
export type { Interval, Measures } from "./relevance/measures.js";
