// The words of a snapshot as queries search them: segments with the weights and mean lengths of their fields. Built once for each
// snapshot, bounds and settings, and kept with them.

import { type FieldScoring, meanLength } from "../inverted/bm25.js";
import type { TextSearcher } from "../inverted/text-searcher.js";
import type { CheckedSettings } from "../settings/resolved-settings.js";
import { joinKeys } from "../util/json.js";
import { Kept, KeptKey } from "../util/kept.js";
import type { BoundedSnapshot, SnapshotStatistics } from "./bounded-snapshot.js";
import type { LiveSegment } from "./segment.js";

/** The weight of the title, if no weight is set for its attribute. */
const TITLE_WEIGHT = 2;

/** The words of a snapshot; with `restricted`, in these fields only. */
export function textSearcherOf(
  snapshot: BoundedSnapshot,
  settings: CheckedSettings,
  restricted?: readonly string[],
): TextSearcher {
  const known = snapshot.caches.textSearcher;
  const searcher = known?.settings === settings ? known.searcher : buildSearcher(snapshot, settings);
  snapshot.caches.textSearcher = { settings, searcher };
  if (restricted === undefined) return searcher;
  const fields = new Set(restricted);
  return restrict(searcher, joinKeys([...restricted].sort()), (name) => fields.has(name));
}

/** The same words without those in some fields. */
export function searcherOutside(searcher: TextSearcher, fields: ReadonlySet<string>): TextSearcher {
  return restrict(searcher, `-${joinKeys([...fields])}`, (name) => !fields.has(name));
}

/** By key: the restricted searchers that a searcher keeps, so that their impact lists stay valid. */
const RESTRICTED = new KeptKey<Map<string, TextSearcher>>();
const MAX_RESTRICTED = 8;

/** The same searcher with weight 0 for all other fields, which leaves them out. `key` stands for the fields. */
function restrict(searcher: TextSearcher, key: string, isSearched: (name: string) => boolean): TextSearcher {
  const restricted = searcher.kept.get(RESTRICTED, () => new Map());
  const known = restricted.get(key);
  if (known !== undefined) return known;
  const segments = searcher.segments.map((segment) => {
    const names = segment.postings.fields;
    const keep = (weight: number, field: number): number => (isSearched(names[field]!) ? weight : 0);
    const { weights, titleWeights } = segment.scoring;
    return {
      ...segment,
      scoring: { ...segment.scoring, weights: weights.map(keep), titleWeights: titleWeights.map(keep) },
    };
  });
  const made = { ...searcher, segments, kept: new Kept() };
  if (restricted.size >= MAX_RESTRICTED) restricted.clear();
  restricted.set(key, made);
  return made;
}

function buildSearcher({ segments, docSpan, statistics }: BoundedSnapshot, settings: CheckedSettings): TextSearcher {
  const weights = new Map<string, number>();
  for (const entry of settings.searchableAttributes ?? [])
    if (typeof entry !== "string" && entry.weight !== undefined) weights.set(entry.attribute, entry.weight);
  return {
    segments: segments.map((live, i) => ({
      postings: live.segment.postings,
      deletedDocs: live.deletedDocs,
      ...(statistics.deletedDocs[i] === live.deletedDocs ? {} : { uncountedDocs: statistics.deletedDocs[i]! }),
      base: live.base,
      scoring: fieldScoring(live, statistics, weights, settings.bm25.b),
      caches: live.segment.caches.text,
    })),
    maxDoc: docSpan,
    docCount: statistics.docCount,
    k1: settings.bm25.k1,
    kept: new Kept(),
  };
}

function fieldScoring(
  { segment: { postings, caches } }: LiveSegment,
  { totals }: SnapshotStatistics,
  weights: ReadonlyMap<string, number>,
  b: number,
): FieldScoring {
  const { fields } = postings;
  const scoring = {
    weights: Float64Array.from(fields, (name) => weights.get(name) ?? 1),
    titleWeights: Float64Array.from(fields, (name) => weights.get(name) ?? TITLE_WEIGHT),
    averages: Float64Array.from(fields, (name) => meanLength(totals.get(name))),
    b,
  };
  const last = caches.text.scoring;
  const isAsLast = (numbers: "weights" | "titleWeights" | "averages"): boolean =>
    scoring[numbers].every((value, i) => value === last?.[numbers][i]);
  if (last?.b === b && isAsLast("weights") && isAsLast("titleWeights") && isAsLast("averages")) return last;
  caches.text.scoring = scoring;
  return scoring;
}
