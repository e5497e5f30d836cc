// Why a record is not among the hits of a query: the first step that excluded it, with the values that decided.

import { inEffect } from "../input/parameter-table.js";
import type { CheckedParams } from "../input/read-params.js";
import { explainInRecord } from "../inverted/explain-term.js";
import type { TextMatches } from "../inverted/text-matches.js";
import type { BoundedSnapshot } from "../state/bounded-snapshot.js";
import { type Doc, type DocSet, type LocalDoc, toDoc, toLocal } from "../util/doc-set.js";
import { runTask, type Task } from "../util/tasks.js";
import type { IntentEffects } from "./read/apply-intent.js";
import { answerQuery, type QueryContext } from "./run-query.js";

/**
 * - `unknown`: no record has the id
 * - `deleted`: no record has the id, but one of the last 10,000 records that were deleted by id or by filter had it
 * - `filters`: it does not pass the filters, phrases or exclusions of the query
 * - `facetFilters`: it matches, but does not pass the facet filters
 * - `numericFilters`: it matches and passes the facet filters, but not the numeric filters
 * - `understanding`: it matches and passes these, but not what the query was understood to ask for
 * - `rules`: it matches, but a rule hides it
 * - `distinct`: it matches, but a better record of its group is shown
 * - `relevancyStrictness`: it matches, but its score is below the share of the best score
 * - `minScore`: it matches, but its final score is lower
 * - `membership`: it matches neither by words nor by meaning
 */
type AbsenceReason =
  | "unknown"
  | "deleted"
  | "filters"
  | "facetFilters"
  | "numericFilters"
  | "understanding"
  | "rules"
  | "distinct"
  | "relevancyStrictness"
  | "minScore"
  | "membership";

/** Why a record is excluded, or `found: true`. */
export interface Absence {
  readonly found: boolean;
  readonly reason?: AbsenceReason;
  /** For `relevancyStrictness`: its score, and the best score, of which it has a smaller share. */
  readonly relevancy?: { readonly score: number; readonly bestScore: number };
  /** For `minScore`: its final score, which is below that of the parameter. */
  readonly final?: { readonly score: number; readonly minScore: number };
  /** For `membership`: why it does not match by words. */
  readonly words?: {
    /** Its score by words as a share of the maximum possible score, 0 … 1; `bestShare` is the best record's. */
    readonly share: number;
    readonly bestShare: number;
    /** Terms of the query that it lacks. */
    readonly missing: readonly string[];
  };
  /** For `membership`: why it does not match by meaning. */
  readonly meaning?: {
    readonly reason: "no_vector" | "floor" | "depth";
    readonly cosine: number;
    readonly floor: number;
    readonly depth: number;
  };
}

/** Records scored between two pauses. */
const PAUSE_EVERY = 1 << 13;
/** Only whether the record holds the term matters here, not the score. */
const NO_COUNTS = { docFreq: 0, docCount: 0, weight: 0, maxScore: 1 };

/** Explains the absence of the record with this id. */
export async function whyNot(given: CheckedParams, id: string, context: QueryContext): Promise<Absence> {
  const asked = { ...given, page: 1, hitsPerPage: 0, offset: undefined, length: undefined, cursor: undefined };
  const { ruled, intent, version, floor, prepared, ranked } = await answerQuery(asked, context, { listsAll: true });
  const { params } = ruled;
  const { snapshot, settings } = version;
  const doc = snapshot.find(id);
  if (doc < 0) return { found: false, reason: version.deleted.has(id) ? "deleted" : "unknown" };
  const isPromoted = prepared.promoted.some((one) => one.doc === doc);
  if (prepared.allowed !== null && !prepared.allowed.has(doc) && !isPromoted)
    return { found: false, reason: "filters" };
  if (ranked.all!.has(doc)) {
    const failed = prepared.refinementSets.findIndex((set) => !set.has(doc));
    if (failed >= 0) return { found: false, reason: refinementAt(failed, params, intent) };
    return ranked.shown.includes(doc) ? { found: true } : { found: false, reason: "distinct" };
  }
  const { lexical, semantic, irrelevant, weak } = ranked;
  if (irrelevant?.docs.has(doc)) {
    const relevancy = { score: irrelevant.scoreOf(doc), bestScore: irrelevant.bestScore };
    return { found: false, reason: "relevancyStrictness", relevancy };
  }
  if (weak?.docs.has(doc))
    return { found: false, reason: "minScore", final: { score: weak.scoreOf(doc), minScore: params.minScore } };
  const depth = inEffect("semanticDepth", params, settings.effective);
  const meaningOf = (cosine: number): NonNullable<Absence["meaning"]> => {
    const reason = !hasVector(snapshot, doc) ? "no_vector" : cosine < floor ? "floor" : "depth";
    return { reason, cosine, floor, depth };
  };
  return {
    found: false,
    reason: "membership",
    ...(lexical === null ? {} : { words: await runTask(wordsOf(doc, ranked, prepared, snapshot), context.signal) }),
    ...(semantic === null ? {} : { meaning: meaningOf(semantic.similarityOf(doc)) }),
  };
}

function refinementAt(
  place: number,
  { facetFilters, numericFilters }: CheckedParams,
  { condition, excluded }: IntentEffects,
): AbsenceReason {
  const chosen = facetFilters.length + numericFilters.length;
  if (place < facetFilters.length) return "facetFilters";
  if (place < chosen) return "numericFilters";
  const understood = (condition === null ? 0 : 1) + (excluded.length === 0 ? 0 : 1);
  return place < chosen + understood ? "understanding" : "rules";
}

function* wordsOf(
  doc: Doc,
  { lexical }: Awaited<ReturnType<typeof answerQuery>>["ranked"],
  { terms, searcher, allowed }: Awaited<ReturnType<typeof answerQuery>>["prepared"],
  snapshot: BoundedSnapshot,
): Task<NonNullable<Absence["words"]>> {
  const live = snapshot.segmentOf(doc);
  const segment = searcher.segments[snapshot.segments.indexOf(live)]!;
  const missing: string[] = [];
  for (const term of terms)
    if ((yield* explainInRecord(segment, toLocal(live.base, doc), term, NO_COUNTS)) === undefined)
      missing.push(term.key);
  return {
    share: lexical!.shareOf(doc),
    bestShare: yield* bestShareOf(lexical!, snapshot, allowed),
    missing,
  };
}

/** The best share of the records that pass the filters. */
function* bestShareOf(matches: TextMatches, snapshot: BoundedSnapshot, allowed: DocSet<Doc> | null): Task<number> {
  let best = 0;
  for (const { segment, deletedDocs, base } of snapshot.segments)
    for (let doc = 0 as LocalDoc; doc < segment.size; doc++) {
      if (doc % PAUSE_EVERY === 0) yield;
      if (!deletedDocs?.has(doc) && (allowed?.has(toDoc(base, doc)) ?? true))
        best = Math.max(best, matches.shareOf(toDoc(base, doc)));
    }
  return best;
}

function hasVector(snapshot: BoundedSnapshot, doc: Doc): boolean {
  const { segment, base } = snapshot.segmentOf(doc);
  return (segment.vectors?.docRow[toLocal(base, doc)] ?? -1) >= 0;
}
