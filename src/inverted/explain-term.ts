// How one term earned its part of a record's score, from the same numbers the search used.

import type { QueryTerm, TermAlternative } from "../analysis/query-term.js";
import { type Bm25Parameters, explainTerm, type FieldEvidence, type TermCounts, type TermExplanation } from "./bm25.js";
import { PostingCursor } from "./posting-cursor.js";
import { FIELD_MASK, fieldAt, lengthAt, TITLE_BIT } from "./postings.js";
import type { SearchableSegment } from "./searchable-segment.js";

/** A term of the query, the form by which the record holds it, and the arithmetic. */
export interface ExplainedTerm extends Omit<TermExplanation, "term"> {
  /** The term as asked. */
  readonly term: string;
  /** The index terms by which the record holds it. */
  readonly heldAs: readonly string[];
}

/** Explains a term in one record, given how many records hold it; undefined when the record does not. */
export function explainInRecord(
  segment: SearchableSegment,
  doc: number,
  term: QueryTerm,
  counts: TermCounts,
  { k1 }: Pick<Bm25Parameters, "k1">,
): ExplainedTerm | undefined {
  const parameters = { k1, b: segment.scoring.b };
  let best: ExplainedTerm | undefined;
  for (const alternative of term.alternatives) {
    const explained = explainAlternative(segment, doc, term.key, alternative, counts, parameters);
    if (explained !== undefined && (best === undefined || explained.frequency > best.frequency)) best = explained;
  }
  return best;
}

/** Of several index terms that count together, the one with the least frequency decides. */
function explainAlternative(
  segment: SearchableSegment,
  doc: number,
  key: string,
  alternative: TermAlternative,
  counts: TermCounts,
  parameters: Bm25Parameters,
): ExplainedTerm | undefined {
  let least: ExplainedTerm | undefined;
  for (const text of alternative.terms) {
    const evidence = evidenceOf(segment, doc, text, alternative.notIn);
    if (evidence.length === 0) return undefined;
    const explained = explainTerm(key, counts, { fields: evidence, factor: alternative.weight }, parameters);
    if (least === undefined || explained.frequency < least.frequency)
      least = { ...explained, heldAs: alternative.terms };
  }
  return least;
}

function evidenceOf(
  { postings, scoring }: SearchableSegment,
  doc: number,
  text: string,
  notIn?: ReadonlySet<string>,
): FieldEvidence[] {
  const term = postings.dictionary.ordinalOf(text);
  if (term === undefined) return [];
  const evidence: FieldEvidence[] = [];
  const cursor = new PostingCursor(postings, term);
  if (!cursor.seek(doc) || cursor.doc !== doc) return [];
  for (let place = 0; place < cursor.fieldCount; place++) {
    const slot = cursor.slotAt(place);
    const slotField = fieldAt(postings, slot);
    const field = slotField & FIELD_MASK;
    const weight = (slotField & TITLE_BIT) === 0 ? scoring.weights[field]! : scoring.titleWeights[field]!;
    const name = postings.fields[field]!;
    if (weight === 0 || notIn?.has(name)) continue;
    evidence.push({
      field: name,
      frequency: cursor.frequencyAt(place),
      weight,
      length: lengthAt(postings, slot),
      averageLength: scoring.averages[field]!,
    });
  }
  return evidence;
}
