// A snapshot as a query may read it. Its records are those within the bounds of who asks: all others count as deleted, so nothing that is
// computed over records, words, values or names depends on them. Its statistics are those of all records, whoever asks, because scores
// depend on them; docs/server.md lists what they reveal. Modules of a query import this, and no other snapshot.
// The words of it, with the weights and mean lengths of their fields, are made once for each snapshot, bounds and settings.

import { ATTRIBUTES } from "../docvalues/build-doc-values.js";
import { isLiveOrdinal, type LearnedNumbers } from "../docvalues/doc-values.js";
import { type Filter, filterKey } from "../docvalues/filter.js";
import { type Bm25Parameters, type FieldScoring, type FieldTotals, meanLength } from "../inverted/bm25.js";
import type { TextSearcher } from "../inverted/text-searcher.js";
import type { CheckedSettings } from "../settings/resolved-settings.js";
import type { Doc, DocArray, DocSet, LocalDoc } from "../util/doc-set.js";
import { joinKeys } from "../util/json.js";
import { Kept, KeptKey } from "../util/kept.js";
import type { Task } from "../util/tasks.js";
import type { VectorSearcher } from "../vectors/search-vectors.js";
import type { VectorGraph } from "../vectors/vector-graph.js";
import { attributesOf, ColumnReferences, columnOf, ensureColumns, passFilter } from "./column-store.js";
import type { IndexVersion } from "./index-data.js";
import { type IndexSnapshot, LiveRecords } from "./index-snapshot.js";
import type { LiveSegment } from "./segment.js";
import { type FloorContext, outOfVocabularyFloor, semanticFloor } from "./semantic-floor.js";

/** What is known of all live records of an index, whoever asks. No value, word or id can be read in it. */
export interface SnapshotStatistics {
  readonly docCount: number;
  readonly totals: FieldTotals;
  /** By segment: the records that are not counted, because they are deleted or replaced; null: none. */
  readonly deletedDocs: readonly (DocSet<LocalDoc> | null)[];
  /** For searches among the records within the bounds: cosines are of a record alone. */
  readonly vectors: VectorSearcher;
}

/** What was computed from the records within the bounds. It can be computed again, so it changes no answer. */
class BoundedCaches {
  /** Their words, under the last settings. */
  textSearcher: { readonly settings: CheckedSettings; readonly searcher: TextSearcher } | undefined = undefined;
  /** For boosts: what was learned from attributes, by kind and name. */
  readonly learnedNumbers: Map<string, LearnedNumbers> = new Map();
  /** For boosts: the records that passed the last filters, by `filterKey`, the least recently used first. */
  readonly boostedDocs: Map<string, DocSet<Doc>> = new Map();
  /** The records that lists of rules name, with their places in these. */
  readonly namedDocs: WeakMap<object, { readonly docs: DocArray<Doc>; readonly places: Uint32Array }> = new WeakMap();
  /** The names of their attributes. */
  names: readonly string[] | undefined = undefined;
}

/** The records of a snapshot that are within the bounds of who asks, and the statistics of all. */
export class BoundedSnapshot extends LiveRecords {
  readonly statistics: SnapshotStatistics;
  readonly caches: BoundedCaches = new BoundedCaches();
  readonly kept: Kept = new Kept();

  private constructor(snapshot: IndexSnapshot, segments: readonly LiveSegment[]) {
    super(segments);
    this.statistics = {
      docCount: snapshot.liveCount,
      totals: snapshot.totals,
      deletedDocs: snapshot.segments.map(({ deletedDocs }) => deletedDocs),
      get vectors() {
        return snapshot.vectorSearcher;
      },
    };
  }

  /** All records of a snapshot. */
  static all(snapshot: IndexSnapshot): BoundedSnapshot {
    return snapshot.kept.get(ALL, () => new BoundedSnapshot(snapshot, snapshot.segments));
  }

  /** The records of a snapshot that pass a filter. */
  static *within(filter: Filter, snapshot: IndexSnapshot, columns: ColumnReferences): Task<BoundedSnapshot> {
    const all = BoundedSnapshot.all(snapshot);
    if (filter.kind === "everything") return all;
    const within = snapshot.kept.get(WITHIN, () => new Map<string, BoundedSnapshot>());
    const key = filterKey(filter);
    let bounded = within.get(key);
    within.delete(key);
    if (bounded === undefined) {
      yield* ensureColumns(snapshot, attributesOf(filter), columns);
      const seen = yield* passFilter(filter, snapshot);
      bounded = new BoundedSnapshot(snapshot, yield* segmentsWithin(seen, snapshot));
    }
    within.set(key, bounded);
    if (within.size > MOST_REMEMBERED) within.delete(within.keys().next().value!);
    return bounded;
  }

  /** The names of the attributes that the records have, sorted. */
  *names(columns: ColumnReferences): Task<readonly string[]> {
    if (this.caches.names !== undefined) return this.caches.names;
    yield* ensureColumns(this, [ATTRIBUTES], columns);
    const names = new Set<string>();
    for (const { segment, deletedDocs } of this.segments) {
      const column = columnOf(segment, ATTRIBUTES);
      for (const [ordinal, name] of column?.values.entries() ?? []) {
        if (isLiveOrdinal(column!, ordinal, deletedDocs)) names.add(String(name));
        if (ordinal % NAMES_AT_ONCE === 0) yield;
      }
    }
    this.caches.names = [...names].sort();
    return this.caches.names;
  }
}

/** Bounds that are remembered for a snapshot: a set of records each, and what queries within them computed. */
const MOST_REMEMBERED = 8;
const NAMES_AT_ONCE = 64;

const ALL = new KeptKey<BoundedSnapshot>();
/** Its records within the last bounds, the least recently used first. */
const WITHIN = new KeptKey<Map<string, BoundedSnapshot>>();

function* segmentsWithin(seen: DocSet<Doc>, { segments }: IndexSnapshot): Task<LiveSegment[]> {
  const bounded: LiveSegment[] = [];
  for (const live of segments) {
    const { segment, base, liveCount } = live;
    const own = seen.within(base, base + segment.size);
    const count = own.count();
    const { vectors } = segment;
    // One set is kept as it is, because what depends on it is remembered by it.
    if (count === liveCount) bounded.push(live);
    else {
      const vectorCount = vectors === null ? 0 : vectors.rowDoc.filter((doc) => own.has(doc as LocalDoc)).length;
      bounded.push({ segment, base, deletedDocs: own.complement(), liveCount: count, vectorCount });
    }
    yield;
  }
  return bounded;
}

/** One version of an index as a query within bounds reads it. */
export interface BoundedVersion extends Omit<IndexVersion, "snapshot" | "graphFor"> {
  readonly snapshot: BoundedSnapshot;
  /** The graph of all records. Call it right before searching: graphs are replaced while queries are prepared. */
  readonly graph: () => VectorGraph | undefined;
  /** The minimum cosine of a semantic match, learned from all records. */
  readonly floor: (context: FloorContext) => Promise<number>;
  /** That of a query whose terms no record holds together; undefined: the same. */
  readonly outOfVocabularyFloor: (context: FloorContext) => Promise<number | undefined>;
}

/** A version as a query without bounds reads it. */
export function unboundedVersion(version: IndexVersion): BoundedVersion {
  return withSnapshot(version, BoundedSnapshot.all(version.snapshot));
}

/** A version as a query reads it that may see the records which pass a filter. */
export function* boundedVersion(
  version: IndexVersion,
  within: Filter,
  columns: ColumnReferences,
): Task<BoundedVersion> {
  if (within.kind === "everything") return unboundedVersion(version);
  const snapshot = yield* BoundedSnapshot.within(within, version.snapshot, columns);
  return { ...withSnapshot(version, snapshot), attributes: proposable(version, within) };
}

/** The attributes of a version, of which only those are proposed that records within the bounds have. */
export function proposable({ attributes, snapshot }: IndexVersion, within: Filter): IndexVersion["attributes"] {
  if (within.kind === "everything") return attributes;
  return attributes.proposing(function* () {
    const columns = new ColumnReferences();
    try {
      return yield* (yield* BoundedSnapshot.within(within, snapshot, columns)).names(columns);
    } finally {
      columns.release();
    }
  });
}

function withSnapshot(version: IndexVersion, snapshot: BoundedSnapshot): BoundedVersion {
  const { attributes, settings, deleted, graphFor } = version;
  return {
    ...{ attributes, settings, deleted, snapshot },
    graph: () => graphFor(version.snapshot),
    floor: (context) => semanticFloor(version.snapshot, settings, context),
    outOfVocabularyFloor: (context) => outOfVocabularyFloor(version.snapshot, settings, context),
  };
}

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
      scoring: fieldScoring(live, statistics, weights, settings.bm25),
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
  { k1, b }: Bm25Parameters,
): FieldScoring {
  const { fields } = postings;
  const scoring = {
    weights: Float64Array.from(fields, (name) => weights.get(name) ?? 1),
    titleWeights: Float64Array.from(fields, (name) => weights.get(name) ?? TITLE_WEIGHT),
    averages: Float64Array.from(fields, (name) => meanLength(totals.get(name))),
    ...{ k1, b },
  };
  const last = caches.text.scoring;
  const isAsLast = (numbers: "weights" | "titleWeights" | "averages"): boolean =>
    scoring[numbers].every((value, i) => value === last?.[numbers][i]);
  const areNumbersAsLast = isAsLast("weights") && isAsLast("titleWeights") && isAsLast("averages");
  if (last?.k1 === k1 && last.b === b && areNumbersAsLast) return last;
  caches.text.scoring = scoring;
  return scoring;
}
