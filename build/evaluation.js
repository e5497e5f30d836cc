// The second front door, `tandem-search/evaluation`: how good an index's answers are. Exports, nothing else.
export { auditRecall } from "./evaluation/audit-recall.js";
export { evaluate } from "./evaluation/evaluate.js";
export { compareRuns, measureRun, } from "./evaluation/evaluated-run.js";
export { sweep } from "./evaluation/sweep.js";
