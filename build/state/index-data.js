// Everything an index holds, as one replaceable object: settings with what they produce, the snapshot of the records, and the
// neighbour graph that follows it. New settings, or a replacement of all records, make a new one; handles stay.
import { AttributeCatalog } from "../attributes/attribute-values.js";
import { IndexSnapshot } from "./index-snapshot.js";
import { GraphKeeper } from "./keep-graph.js";
/** The maximum number of remembered deleted ids. */
const MOST_DELETED = 10_000;
/** Settings, snapshot and graph of an index. */
export class IndexData {
    settings;
    rules;
    language;
    graph;
    /** The attributes that any record had since the index was created or cleared. */
    catalog = new AttributeCatalog();
    deleted = new Set();
    present = IndexSnapshot.empty();
    constructor(context) {
        const { settings } = context;
        this.settings = settings;
        this.rules = fieldRules(settings.effective);
        this.language = context.language;
        this.graph = new GraphKeeper(settings.effective, this.present, context);
    }
    get snapshot() {
        return this.present;
    }
    /** The version that a query reads from its beginning to its end. */
    version() {
        const { snapshot, settings, rules, language, catalog, graph, deleted } = this;
        return { snapshot, settings, rules, language, catalog, graphFor: (asked) => graph.graphFor(asked), deleted };
    }
    /** Publishes the snapshot after a change. No other method changes which records there are. */
    publish(after, change, attributes) {
        this.present = after;
        if (attributes !== undefined)
            this.catalog.add(attributes);
        this.graph.follow(this.present, change);
    }
    /** Remembers the ids of records that are about to be deleted, up to the last 10,000. */
    rememberDeletedIds(deletions) {
        let before = -MOST_DELETED;
        for (const docs of deletions.values())
            before += docs.length;
        for (const { segment } of this.present.segments) {
            const docs = deletions.get(segment.segmentId) ?? [];
            for (const doc of docs.slice(Math.max(0, before)))
                this.deleted.add(segment.records.ids[doc]);
            before -= docs.length;
        }
        for (const id of this.deleted) {
            if (this.deleted.size <= MOST_DELETED)
                break;
            this.deleted.delete(id);
        }
    }
    /** Publishes merged segments; this changes no answer. */
    publishMerge(merged) {
        const dropped = new Set(merged.sources.map((live) => live.segment.segmentId));
        this.present = this.present.with({ added: [merged.segment], dropped });
        this.graph.followMerge(this.present, merged);
    }
    /** Copies the deleted ids that other data remembers. */
    inheritDeletedIds({ deleted }) {
        for (const id of deleted)
            this.deleted.add(id);
    }
    /** Takes over the records of other data. Segments are immutable, so they are shared. */
    shareRecords(other) {
        this.inheritDeletedIds(other);
        this.present = other.present;
        this.catalog.add(other.catalog);
        this.graph.follow(this.present, {});
    }
}
function fieldRules(settings) {
    return {
        idAttribute: settings.idAttribute,
        searchable: settings.searchableAttributes?.map((entry) => (typeof entry === "string" ? entry : entry.attribute)) ?? null,
        identifiers: new Set(settings.identifierAttributes.map((name) => name.toLowerCase())),
        vectorAttribute: settings.vectorAttribute ?? undefined,
        embedded: settings.embeddedAttributes,
        titles: settings.titleEvidence,
    };
}
