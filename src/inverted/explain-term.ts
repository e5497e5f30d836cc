// Explains how much one term adds to a record's score, from the numbers that the search uses.

import type { QueryTerm, TermAlternative } from "../analysis/query-term.js";
import type { LocalDoc } from "../util/doc-set.js";
import type { Task } from "../util/tasks.js";
import { type Bm25Parameters, idf, impactOf, lengthNorm, saturate } from "./bm25.js";
import { PostingCursor } from "./list-codec.js";
import { FIELD_MASK, fieldAt, lengthAt, listOf, TITLE_BIT } from "./postings.js";
import type { SearchableSegment } from "./text-searcher.js";

/** How a term occurs in one field of a record. */
export interface FieldEvidence {
  readonly field: string;
  readonly frequency: number;
  readonly weight: number;
  readonly length: number;
  readonly averageLength: number;
}

/** How a term's part of the score is computed, factor by factor. */
export interface TermExplanation {
  readonly term: string;
  readonly docFreq: number;
  readonly docCount: number;
  readonly idf: number;
  readonly fields: readonly (FieldEvidence & { readonly normalized: number })[];
  /** Sum over the fields of frequency * lengthNorm, times the alternative's weight. */
  readonly frequency: number;
  /** BM25's saturation of the frequency, 0 … k1 + 1. */
  readonly saturated: number;
  /** The saturated frequency as a share of its maximum, in whole steps of 1/65,535: what the search adds up. */
  readonly impact: number;
  /** The term's share of the query's idf, in whole steps of 1/16,384: what the search multiplies the impact by. */
  readonly weight: number;
  /** impact * weight as a share of the greatest possible score of the query. */
  readonly score: number;
}

/** The weight of a term in a query, and how many records hold it. */
export interface TermCounts {
  readonly docFreq: number;
  readonly docCount: number;
  /** The term's weight in the query, and the greatest score that any record could have. */
  readonly weight: number;
  readonly maxScore: number;
}

/** The explanation of a term of the query in one record. */
export interface ExplainedTerm extends Omit<TermExplanation, "term"> {
  /** The term as it was asked for. */
  readonly term: string;
  /** The index terms by which the record holds it. */
  readonly heldAs: readonly string[];
}

/** Explains a term in one record; undefined if the record does not hold it. */
export function* explainInRecord(
  segment: SearchableSegment,
  doc: LocalDoc,
  term: QueryTerm,
  counts: TermCounts,
): Task<ExplainedTerm | undefined> {
  let best: ExplainedTerm | undefined;
  for (const alternative of term.alternatives) {
    const explained = yield* explainAlternative(segment, doc, term.key, alternative, counts);
    if (explained !== undefined && (best === undefined || explained.frequency > best.frequency)) best = explained;
  }
  return best;
}

/** Of several index terms that count together, the one with the least frequency decides. */
function* explainAlternative(
  segment: SearchableSegment,
  doc: LocalDoc,
  key: string,
  alternative: TermAlternative,
  counts: TermCounts,
): Task<ExplainedTerm | undefined> {
  let least: ExplainedTerm | undefined;
  for (const text of alternative.terms) {
    const evidence = yield* evidenceOf(segment, doc, text, alternative.notIn);
    if (evidence.length === 0) return undefined;
    const explained = explainTerm(key, counts, { fields: evidence, factor: alternative.weight }, segment.scoring);
    if (least === undefined || explained.frequency < least.frequency)
      least = { ...explained, heldAs: [...alternative.terms] };
  }
  return least;
}

function* evidenceOf(
  { postings, scoring }: SearchableSegment,
  doc: LocalDoc,
  text: string,
  notIn?: ReadonlySet<string>,
): Task<FieldEvidence[]> {
  const term = postings.dictionary.ordinalOf(text);
  if (term === undefined) return [];
  const evidence: FieldEvidence[] = [];
  const cursor = new PostingCursor(postings, term, yield* listOf(postings, term));
  if (!cursor.seek(doc) || cursor.doc !== doc) return [];
  for (let i = 0; i < cursor.fieldCount; i++) {
    const docField = cursor.docFieldAt(i);
    const fieldOfPosting = fieldAt(postings, docField);
    const field = fieldOfPosting & FIELD_MASK;
    const weight = (fieldOfPosting & TITLE_BIT) === 0 ? scoring.weights[field]! : scoring.titleWeights[field]!;
    const name = postings.fields[field]!;
    if (weight === 0 || notIn?.has(name)) continue;
    evidence.push({
      field: name,
      frequency: cursor.frequencyAt(i),
      weight,
      length: lengthAt(postings, docField),
      averageLength: scoring.averages[field]!,
    });
  }
  return evidence;
}

/** The arithmetic for one term in one record. `factor`: the weight of the alternative that the record holds. */
export function explainTerm(
  term: string,
  { docFreq, docCount, weight, maxScore }: TermCounts,
  { fields, factor }: { readonly fields: readonly FieldEvidence[]; readonly factor: number },
  { k1, b }: Bm25Parameters,
): TermExplanation {
  const normalized = fields.map((field) => ({
    ...field,
    normalized: field.frequency * lengthNorm(field.weight, field.length, field.averageLength, b),
  }));
  const frequency = normalized.reduce((total, field) => total + field.normalized, 0) * factor;
  const impact = impactOf(frequency, k1);
  return {
    term,
    docFreq,
    docCount,
    idf: idf(docCount, docFreq),
    fields: normalized,
    frequency,
    saturated: saturate(frequency, k1),
    impact,
    weight,
    score: (impact * weight) / maxScore,
  };
}
