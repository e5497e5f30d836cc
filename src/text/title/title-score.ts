// What titles add to a score: the kinds of evidence, and what each may count (docs/scoring.md).

/** The most that each kind of evidence adds to a score, before all is divided by what it could be at most. */
export const COVERAGE = 0.1;
export const FOCUS = 0.025;
export const ADJACENCY = 0.025;
/** Coverage counts less in longer queries: they have more words, and words have more say. */
export const FULL_COVERAGE_TERMS = 4;
/** Without knowledge of words the share of the query that is held counts instead of coverage and focus. */
export const HELD_SHARE = 0.075;
/** What a term is worth to coverage that the record holds elsewhere. */
export const HELD_ELSEWHERE = 0.8;
/** Words less near than this are not near at all. */
export const LEAST_NEARNESS = 0.3;

/** The kinds of evidence, each 0 … 1, and what they add to a score together. */
export interface TitleScore {
  readonly coverage: number;
  readonly focus: number;
  readonly adjacency: number;
  readonly sum: number;
}
