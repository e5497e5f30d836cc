// What the cluster is asked of an index that it searches: queries, and what is known of all records meanwhile. That is read anew when the
// index has changed.

import { AttributeHistory, AttributeNames } from "../docvalues/attribute-catalog.js";
import type { ValueRank } from "../docvalues/facet-counts.js";
import type { CheckedParams } from "../input/read-params.js";
import type { CountedFacets } from "../query/facets/count-facets.js";
import type { SearchAnswer } from "../query/response.js";
import type { QueryContext } from "../query/run-query.js";
import type { ResolvedSettings } from "../settings/resolved-settings.js";
import { searchedName } from "../settings/settings.js";
import type { IndexVersion } from "../state/index-data.js";
import { at, type JsonRecord } from "../util/json.js";
import { documentIn, foreignRecords } from "./cluster-documents.js";
import type { RemoteSource } from "./cluster-store.js";
import type { ValueKind } from "./remote-documents.js";
import { ALL } from "./remote-filter.js";
import { type Catalog, RemoteQuery, snapshotOf } from "./remote-query.js";
import { bucketsIn, COUNTED, totalIn } from "./remote-words.js";

/** So many records are the sample from which settings learn. */
const SAMPLED = 256;
/** The sample is taken anew when the number of records has changed by this share. */
const RESAMPLED = 0.1;
/** Attributes with the kinds of their values. */
const MOST_ATTRIBUTES = 50_000;
const NO_KINDS: ReadonlySet<ValueKind> = new Set();

/** A catalog, and what it is of. */
interface CatalogOfVersion extends Catalog {
  readonly physical: string;
  readonly version: number;
  readonly settings: ResolvedSettings;
  /** The number of records when the sample was taken. */
  readonly sampledOf: number;
}

/** An index that the cluster searches. */
export class RemoteSearch {
  private readonly source: RemoteSource;
  private known: CatalogOfVersion | undefined;
  private reading: Promise<void> | undefined;

  constructor(source: RemoteSource) {
    this.source = source;
  }

  /** Answers a query. */
  async query(params: CheckedParams, context: QueryContext): Promise<SearchAnswer<JsonRecord>> {
    return new RemoteQuery(this.source, await this.catalog(), params, context).answer();
  }

  /** The values of the facets of a query. */
  async facets(
    params: CheckedParams,
    context: QueryContext,
    rankings: (mends: boolean) => readonly ValueRank[],
  ): Promise<CountedFacets> {
    return new RemoteQuery(this.source, await this.catalog(), params, context, rankings).facets();
  }

  /** Some of the records, as an index of their own. */
  async sample(): Promise<IndexVersion> {
    return (await this.catalog()).sample;
  }

  /** What is known of all records now: at least what this process knows to be written. */
  private async catalog(): Promise<Catalog> {
    const { version } = this.source;
    for (;;) {
      const known = this.known;
      const { source } = this;
      const isOf = known?.physical === source.physical && known.settings === source.live.settings;
      if (isOf && known.version >= version) return known;
      this.reading ??= this.read(known).finally(() => {
        this.reading = undefined;
      });
      await this.reading;
    }
  }

  private async read(before: CatalogOfVersion | undefined): Promise<void> {
    const { indexes, physical, live, version } = this.source;
    const { settings } = live;
    // What the dictionary lists, no record need be visited for.
    const names = { terms: { field: "attributes", size: MOST_ATTRIBUTES, min_doc_count: 0 } };
    const listing = { size: 0, track_total_hits: false, query: { match_none: {} }, aggs: { names } };
    const [counted, listed] = await indexes.searchAll(
      physical,
      [{ ...COUNTED, query: ALL }, listing],
      "catalog",
      undefined,
    );
    const docCount = totalIn(counted);
    const kinds = new Map<string, Set<ValueKind>>();
    for (const bucket of bucketsIn(listed, "names")) {
      const name = String(at(bucket, "key"));
      kinds.set(name.slice(1), (kinds.get(name.slice(1)) ?? new Set()).add(name[0] as ValueKind));
    }
    const isNear =
      before?.settings === settings && Math.abs(docCount - before.sampledOf) <= RESAMPLED * before.sampledOf;
    const { searchableAttributes, idAttribute } = settings.effective;
    const texts = [...kinds].flatMap(([path, own]) => (own.has("s") ? [path, path.split(".", 1)[0]!] : []));
    const seen = [...kinds.keys()].map((path) => [path, { short: 1, long: 0 }] as const);
    const attributes = new AttributeNames(AttributeHistory.of(seen), []);
    this.known = {
      ...{ physical, version, settings, docCount, words: new Map() },
      kindsOf: (attribute: string) => kinds.get(attribute) ?? NO_KINDS,
      fields: [...new Set([...(searchableAttributes?.map(searchedName) ?? []), ...texts, idAttribute])],
      sample: { ...(isNear ? before.sample : await this.takeSample()), attributes },
      sampledOf: isNear ? before.sampledOf : docCount,
    };
  }

  /** Takes the records with the smallest hashes of their ids: of the same records these are the same. */
  private async takeSample(): Promise<IndexVersion> {
    const { indexes, physical, live } = this.source;
    const version = live.data.version();
    const { effective } = version.settings;
    const query = effective.dimensions > 0 ? { exists: { field: "near" } } : ALL;
    const sort = [{ hash: "asc" }, { id: "asc" }];
    const search = { query, sort, size: SAMPLED, track_total_hits: false, _source: ["content"] };
    const [body] = await indexes.searchAll(physical, [search], "catalog", undefined);
    const hits = at(body, "hits", "hits");
    const documents = (Array.isArray(hits) ? hits : []).map((hit) => documentIn(at(hit, "_source"), at(hit, "_id")));
    const { entries, vectors } = foreignRecords(documents, effective);
    const snapshot = await snapshotOf(entries, version, { embedded: vectors, signal: undefined });
    return { ...version, snapshot, graphFor: () => undefined };
  }
}
