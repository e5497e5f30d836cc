// The slow and obvious twin of the impact lists: which records of one segment hold a term of the query, and how often, by one
// pass over its postings.

import type { QueryTerm } from "../../src/analysis/query-term.js";
import type { FieldScoring } from "../../src/inverted/bm25.js";
import { lengthNorm } from "../../src/inverted/bm25.js";
import { FIELD_MASK, fieldAt, lengthAt, TITLE_BIT } from "../../src/inverted/postings.js";
import type { SearchableSegment } from "../../src/inverted/text-searcher.js";
import type { LocalDoc } from "../../src/util/doc-set.js";
import { placesOf } from "./word-index.js";

/** Records in ascending order, each with its weighted frequency (greater than 0). */
export interface Matches {
  readonly docs: Uint32Array;
  readonly frequencies: Float64Array;
  readonly size: number;
}

const NO_MATCHES: Matches = { docs: new Uint32Array(0), frequencies: new Float64Array(0), size: 0 };

/** The living records of a segment that hold the term. Of several alternatives the best counts; of several parts the least. */
export function matchTerm(segment: SearchableSegment, term: QueryTerm): Matches {
  let best = NO_MATCHES;
  for (const alternative of term.alternatives) {
    const found = matchAll(segment, alternative.terms, alternative.notIn);
    if (found.size === 0) continue;
    if (alternative.weight !== 1) for (let i = 0; i < found.size; i++) found.frequencies[i]! *= alternative.weight;
    best = best.size === 0 ? found : unite(best, found);
  }
  return best;
}

function matchAll(segment: SearchableSegment, terms: readonly string[], notIn?: ReadonlySet<string>): Matches {
  let all: Matches | undefined;
  for (const term of terms) {
    const found = matchOne(segment, term, notIn);
    all = all === undefined ? found : intersect(all, found);
    if (all.size === 0) return NO_MATCHES;
  }
  return all ?? NO_MATCHES;
}

/** The living records that hold one index term. */
function matchOne(segment: SearchableSegment, text: string, notIn?: ReadonlySet<string>): Matches {
  const { postings, deletedDocs } = segment;
  const fields = notIn === undefined || notIn.size === 0 ? segment.scoring : without(segment, notIn);
  const term = postings.dictionary.ordinalOf(text);
  if (term === undefined) return NO_MATCHES;
  const { weights, titleWeights, averages, b } = fields;
  const list = placesOf(postings, term);
  const docs = new Uint32Array(list.length);
  const frequencies = new Float64Array(docs.length);
  let size = 0;
  let last = -1;
  for (const { doc, docField, frequency } of list) {
    if (deletedDocs?.has(doc as LocalDoc)) continue;
    const slotField = fieldAt(postings, docField);
    const field = slotField & FIELD_MASK;
    const weight = (slotField & TITLE_BIT) === 0 ? weights[field]! : titleWeights[field]!;
    if (weight === 0) continue; // a field that this query does not search
    const counted = frequency * lengthNorm(weight, lengthAt(postings, docField), averages[field]!, b);
    if (doc !== last) {
      docs[size] = doc;
      frequencies[size++] = counted;
      last = doc;
    } else frequencies[size - 1]! += counted;
  }
  return { docs, frequencies, size };
}

/** The field norms with some fields left out. */
function without({ postings, scoring }: SearchableSegment, notIn: ReadonlySet<string>): FieldScoring {
  const keep = (weight: number, field: number): number => (notIn.has(postings.fields[field]!) ? 0 : weight);
  return { ...scoring, weights: scoring.weights.map(keep), titleWeights: scoring.titleWeights.map(keep) };
}

function intersect(a: Matches, b: Matches): Matches {
  const docs = new Uint32Array(Math.min(a.size, b.size));
  const frequencies = new Float64Array(docs.length);
  let size = 0;
  for (let i = 0, j = 0; i < a.size && j < b.size; ) {
    const docA = a.docs[i]!;
    const docB = b.docs[j]!;
    if (docA < docB) i++;
    else if (docB < docA) j++;
    else {
      docs[size] = docA;
      frequencies[size++] = Math.min(a.frequencies[i++]!, b.frequencies[j++]!);
    }
  }
  return { docs, frequencies, size };
}

function unite(a: Matches, b: Matches): Matches {
  const docs = new Uint32Array(a.size + b.size);
  const frequencies = new Float64Array(docs.length);
  let size = 0;
  for (let i = 0, j = 0; i < a.size || j < b.size; size++) {
    const docA = i < a.size ? a.docs[i]! : Number.POSITIVE_INFINITY;
    const docB = j < b.size ? b.docs[j]! : Number.POSITIVE_INFINITY;
    docs[size] = Math.min(docA, docB);
    if (docA < docB) frequencies[size] = a.frequencies[i++]!;
    else if (docB < docA) frequencies[size] = b.frequencies[j++]!;
    else frequencies[size] = Math.max(a.frequencies[i++]!, b.frequencies[j++]!);
  }
  return { docs, frequencies, size };
}
