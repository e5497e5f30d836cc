// The neighbour graph over an index's vectors: one node a distinct vector (many equal vectors would make others unreachable),
// each standing for any number of records. A cache that can always be built again from the segments; never the truth.
import { HnswGraph } from "./graph/hnsw-graph.js";
import { NO_NODE, NodeRecords } from "./node-records.js";
/** Above this share of dead nodes the graph should be built anew. */
const MOST_DEAD = 0.3;
/** Vectors in bytes are not quite as near as they are, so more are asked for than are wanted: of those kept anyhow, more yet. */
const MORE = 1.25;
const MOST_MORE = 2;
/** Nodes, the records they stand for, and which of them live. */
export class VectorGraph {
    index;
    efSearch;
    records = new NodeRecords();
    changes = 0;
    constructor(index, efSearch) {
        this.index = index;
        this.efSearch = efSearch;
    }
    /** An empty graph, or undefined where there can be none: see {@link HnswGraph.create}. */
    static create(options) {
        const index = HnswGraph.create(options);
        return index === undefined ? undefined : new VectorGraph(index, options.efSearch);
    }
    /** Changes whenever a record joins, leaves or moves. */
    get revision() {
        return this.changes;
    }
    /** Living records in the graph. */
    get recordCount() {
        return this.records.count;
    }
    get nodeCount() {
        return this.index.size;
    }
    /** The memory that it takes. */
    get bytes() {
        return this.index.bytes + this.records.bytes;
    }
    /** Bytes by which it grows at once for one more vector; 0: there is room. */
    get growth() {
        return this.index.growth;
    }
    /** True when so many nodes are dead that building anew pays. */
    get isWorn() {
        return this.index.deadCount > MOST_DEAD * this.index.size;
    }
    /** The node of each record of a segment, NO_NODE where there is none; undefined: the graph holds nothing of it. */
    nodesOf(segmentId) {
        return this.records.nodesOf(segmentId);
    }
    /** How many records of a segment it holds. */
    countOf(segmentId) {
        return this.records.countOf(segmentId);
    }
    /** Calls back with each record that a node stands for. */
    eachRecord(node, visit) {
        this.records.each(node, visit);
    }
    /** Takes a living record in that it does not hold. */
    add(segment, doc, vector) {
        const node = this.index.add(vector);
        this.index.revive(node);
        this.records.add(segment, doc, node);
        this.changes++;
    }
    /** Lets records of a segment go that were deleted or replaced. */
    release(segmentId, docs) {
        for (const doc of docs) {
            const node = this.records.remove(segmentId, doc);
            if (node !== NO_NODE)
                this.index.markDead(node);
        }
        this.changes++;
    }
    /** Follows a merge: record i of the new segment was record `docs[i]` of segment `uids[origin[i]]`. */
    inherit(segment, uids, origin, docs) {
        this.records.move(segment, uids, origin, docs);
        for (const segmentId of uids)
            this.forgetOne(segmentId);
    }
    /** Forgets segments that are gone altogether. */
    forget(alive) {
        for (const segmentId of this.records.uids())
            if (!alive.has(segmentId))
                this.forgetOne(segmentId);
    }
    /**
     * The nodes among which the `count` nearest to a vector are, some more than these; approximate, so some of the truly nearest
     * may be missing.
     */
    nearest(query, count) {
        const more = Math.max(MORE * count, Math.min(MOST_MORE * count, this.efSearch));
        return this.index.search(query, Math.ceil(more));
    }
    /** Lets its memory go. */
    dispose() {
        this.index.dispose();
    }
    forgetOne(segmentId) {
        for (const node of this.records.forget(segmentId))
            this.index.markDead(node);
        this.changes++;
    }
}
