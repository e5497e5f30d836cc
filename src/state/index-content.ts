// Everything an index holds, as one thing that can be replaced: settings with what they make, the records' state, and the
// graph that follows it. New settings or all new records are a new content; handles stay.

import { AttributeCatalog } from "../attributes/attribute-catalog.js";
import type { SearchWarning } from "../base/seams.js";
import type { FieldRules } from "../records/read-fields.js";
import type { CheckedSettings, ResolvedSettings } from "../settings/settings.js";
import type { VectorGraph } from "../vector/vector-graph.js";
import { IndexState, type StateChange } from "./index-state.js";
import { GraphKeeper } from "./keep-graph.js";
import type { MergedSegment } from "./merge-segments.js";
import type { SearchLanguage } from "./search-language.js";

/** One version of an index: everything a query reads. */
export interface IndexVersion {
  readonly catalog: AttributeCatalog;
  readonly state: IndexState;
  readonly settings: ResolvedSettings;
  readonly rules: FieldRules;
  readonly language: SearchLanguage;
  /** The graph for a state; asked for when it is searched, because graphs are replaced while queries are prepared. */
  readonly graphFor: (state: IndexState) => VectorGraph | undefined;
  /** Ids deleted of late, for who asks why a record is absent. */
  readonly deleted: ReadonlySet<string>;
}

/** So many deleted ids are remembered. */
const MOST_DELETED = 10_000;

/** What a content is made with. */
export interface ContentContext {
  readonly settings: ResolvedSettings;
  readonly language: SearchLanguage;
  readonly warn: (warning: SearchWarning) => void;
  readonly stop: AbortSignal;
  /** Whether the memory allows for so many bytes more. */
  readonly fits: (bytes: number) => boolean;
}

/** Settings, state and graph of an index. */
export class IndexContent {
  readonly settings: ResolvedSettings;
  readonly rules: FieldRules;
  readonly language: SearchLanguage;
  readonly graph: GraphKeeper;
  /** Attributes that any record held since the index was created or cleared. */
  readonly catalog: AttributeCatalog = new AttributeCatalog();
  private readonly deleted = new Set<string>();
  private present: IndexState = IndexState.empty();

  constructor(context: ContentContext) {
    const { settings } = context;
    this.settings = settings;
    this.rules = fieldRules(settings.effective);
    this.language = context.language;
    this.graph = new GraphKeeper(settings.effective, this.present, context);
  }

  get state(): IndexState {
    return this.present;
  }

  /** What a query reads, from end to end. */
  version(): IndexVersion {
    const { state, settings, rules, language, catalog, graph, deleted } = this;
    return { state, settings, rules, language, catalog, graphFor: (asked) => graph.graphFor(asked), deleted };
  }

  /** Publishes the state after a change: the one place where records come and go. */
  publish(after: IndexState, change: StateChange, attributes?: AttributeCatalog): void {
    this.present = after;
    if (attributes !== undefined) this.catalog.add(attributes);
    this.graph.follow(this.present, change);
  }

  /** Keeps the ids of records that are about to be deleted, the last 10,000 of them. */
  rememberDeleted(retired: ReadonlyMap<number, readonly number[]>): void {
    let before = -MOST_DELETED;
    for (const docs of retired.values()) before += docs.length;
    for (const { segment } of this.present.segments) {
      const docs = retired.get(segment.uid) ?? [];
      for (const doc of docs.slice(Math.max(0, before))) this.deleted.add(segment.records.ids[doc]!);
      before -= docs.length;
    }
    for (const id of this.deleted) {
      if (this.deleted.size <= MOST_DELETED) break;
      this.deleted.delete(id);
    }
  }

  /** Publishes a merge, which changes no answer. */
  publishMerge(merged: MergedSegment): void {
    const dropped = new Set(merged.sources.map((live) => live.segment.uid));
    this.present = this.present.with({ added: [merged.segment], dropped });
    this.graph.followMerge(this.present, merged);
  }

  /** Takes over the ids that another content remembers as deleted. */
  inheritDeleted({ deleted }: IndexContent): void {
    for (const id of deleted) this.deleted.add(id);
  }

  /** Takes over another content's records; segments are immutable, so they are shared. */
  shareRecords(other: IndexContent): void {
    this.inheritDeleted(other);
    this.present = other.present;
    this.catalog.add(other.catalog);
    this.graph.follow(this.present, {});
  }
}

function fieldRules(settings: CheckedSettings): FieldRules {
  return {
    idAttribute: settings.idAttribute,
    searchable:
      settings.searchableAttributes?.map((entry) => (typeof entry === "string" ? entry : entry.attribute)) ?? null,
    identifiers: new Set(settings.identifierAttributes.map((name) => name.toLowerCase())),
    vectorAttribute: settings.vectorAttribute ?? undefined,
    embedded: settings.embeddedAttributes,
    titles: settings.titleEvidence,
  };
}
