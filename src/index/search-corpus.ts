// A snapshot as the two retrievers use it: segments with the weights and mean lengths of their fields, and vectors. Each is
// built once per snapshot and settings, and kept with the snapshot.

import type { FieldScoring } from "../inverted/bm25.js";
import { meanLength } from "../inverted/field-totals.js";
import type { TextCorpus } from "../inverted/text-corpus.js";
import type { CheckedSettings } from "../settings/settings.js";
import { joinKeys } from "../util/json.js";
import type { SearchableVectors, VectorCorpus } from "../vectors/search-vectors.js";
import type { IndexSnapshot, LiveSegment } from "./index-snapshot.js";

/** The weight of the title, if no weight is set for its attribute. */
const TITLE_WEIGHT = 2;

/** The words of a snapshot; with `restricted`, in these fields only. */
export function textCorpusOf(
  snapshot: IndexSnapshot,
  settings: CheckedSettings,
  restricted?: readonly string[],
): TextCorpus {
  const known = snapshot.caches.textCorpus;
  const corpus = known?.settings === settings ? known.corpus : buildCorpus(snapshot, settings);
  snapshot.caches.textCorpus = { settings, corpus };
  return restricted === undefined ? corpus : restrictedCorpus(snapshot, corpus, restricted);
}

/** The number of restricted corpora that a corpus keeps, so that their impact lists stay valid. */
const MAX_RESTRICTED = 8;

function restrictedCorpus(snapshot: IndexSnapshot, corpus: TextCorpus, fields: readonly string[]): TextCorpus {
  const { restricted: known } = corpus;
  const key = joinKeys([...fields].sort());
  let restricted = known.get(key);
  if (restricted === undefined) {
    if (known.size >= MAX_RESTRICTED) known.clear();
    restricted = { ...restrict(corpus, new Set(fields)), whole: snapshot.whole?.corpus(fields) };
    known.set(key, restricted);
  }
  return restricted;
}

function buildCorpus(snapshot: IndexSnapshot, settings: CheckedSettings): TextCorpus {
  const weights = explicitWeights(settings);
  return {
    segments: snapshot.segments.map((live) => ({
      postings: live.segment.postings,
      deletedDocs: live.deletedDocs,
      base: live.base,
      scoring: fieldScoring(live, snapshot, weights, settings.bm25.b),
      caches: live.segment.caches.text,
    })),
    maxDoc: snapshot.docSpan,
    docCount: snapshot.whole?.docCount ?? snapshot.liveCount,
    k1: settings.bm25.k1,
    restricted: new Map(),
    whole: snapshot.whole?.corpus(),
  };
}

/** The same corpus with weight 0 for all other fields, which leaves them out. */
function restrict(corpus: TextCorpus, fields: ReadonlySet<string>): TextCorpus {
  const segments = corpus.segments.map((segment) => {
    const names = segment.postings.fields;
    const keep = (weight: number, field: number): number => (fields.has(names[field]!) ? weight : 0);
    const { weights, titleWeights } = segment.scoring;
    return {
      ...segment,
      scoring: { ...segment.scoring, weights: weights.map(keep), titleWeights: titleWeights.map(keep) },
    };
  });
  return { ...corpus, segments, restricted: new Map() };
}

/** The vectors of a snapshot. */
export function vectorCorpusOf(snapshot: IndexSnapshot): VectorCorpus {
  snapshot.caches.vectorCorpus ??= buildVectorCorpus(snapshot);
  return snapshot.caches.vectorCorpus;
}

function buildVectorCorpus(snapshot: IndexSnapshot): VectorCorpus {
  const bySegment = new Map<number, SearchableVectors>();
  for (const { segment, deletedDocs, base, vectorCount } of snapshot.segments) {
    const { segmentId, size, vectors } = segment;
    if (vectors !== null) bySegment.set(segmentId, { segmentId, size, rows: vectors, deletedDocs, base, vectorCount });
  }
  return {
    segments: [...bySegment.values()],
    docSpan: snapshot.docSpan,
    vectorCount: snapshot.vectorCount,
    segmentById: (segmentId) => bySegment.get(segmentId),
    idBefore: (a, b) => snapshot.idBefore(a, b),
  };
}

/** The weight of a field, or of the title, under some settings. */
export function fieldWeights(settings: CheckedSettings): (field: string, isTitle: boolean) => number {
  const weights = explicitWeights(settings);
  return (field, isTitle) => weights.get(field) ?? (isTitle ? TITLE_WEIGHT : 1);
}

function explicitWeights(settings: CheckedSettings): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const entry of settings.searchableAttributes ?? [])
    if (typeof entry !== "string") weights.set(entry.attribute, entry.weight);
  return weights;
}

function fieldScoring(
  { segment: { postings, caches } }: LiveSegment,
  snapshot: IndexSnapshot,
  weights: ReadonlyMap<string, number>,
  b: number,
): FieldScoring {
  const scoring = scoringOf(postings.fields, snapshot, weights, b);
  const last = caches.text.scoring;
  if (last !== undefined && areEqual(last, scoring)) return last;
  caches.text.scoring = scoring;
  return scoring;
}

function areEqual(a: FieldScoring, b: FieldScoring): boolean {
  const same = (some: Float64Array, others: Float64Array): boolean => some.every((value, i) => value === others[i]);
  return (
    a.b === b.b && same(a.averages, b.averages) && same(a.weights, b.weights) && same(a.titleWeights, b.titleWeights)
  );
}

function scoringOf(
  fields: readonly string[],
  snapshot: IndexSnapshot,
  weights: ReadonlyMap<string, number>,
  b: number,
): FieldScoring {
  return {
    weights: Float64Array.from(fields, (name) => weights.get(name) ?? 1),
    titleWeights: Float64Array.from(fields, (name) => weights.get(name) ?? TITLE_WEIGHT),
    averages: Float64Array.from(fields, (name) => meanLength((snapshot.whole ?? snapshot).totals.get(name))),
    b,
  };
}
