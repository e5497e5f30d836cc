// Which records the nodes of a graph stand for, and which node stands for a record: most nodes for one, those of equal
// vectors for many. Kept as records come, go and move, so that a write costs what it changes and no more.
import { GrowableUint32 } from "../base/growable.js";
/** In a list of nodes by record: the graph does not hold the record (or it has no vector). */
export const NO_NODE = -1;
/** A record's number within its segment is less. */
const DOC_SPAN = 2 ** 32;
/** A number in a set. */
const OTHER_BYTES = 40;
/** Nodes and records, both ways. */
export class NodeRecords {
    segments = new Map();
    /** The same by number. */
    numbered = [undefined];
    freeNumbers = [];
    /** Of each node one of its records: the number of its segment (0: it has none), and its own there. */
    segmentOf = new GrowableUint32();
    docOf = new GrowableUint32();
    /** Its other records, where it has several: DOC_SPAN times the number of the segment, and the record's own. */
    others = new Map();
    otherCount = 0;
    held = 0;
    /** Records held. */
    get count() {
        return this.held;
    }
    /** About the memory that it takes. */
    get bytes() {
        let bytes = this.segmentOf.array.byteLength + this.docOf.array.byteLength + OTHER_BYTES * this.otherCount;
        for (const { nodes } of this.segments.values())
            bytes += nodes.byteLength;
        return bytes;
    }
    /** The node of each record of a segment, NO_NODE where there is none; undefined: it holds nothing of it. */
    nodesOf(segmentId) {
        return this.segments.get(segmentId)?.nodes;
    }
    /** How many records of a segment it holds. */
    countOf(segmentId) {
        return this.segments.get(segmentId)?.count ?? 0;
    }
    /** True when the node stands for any record. */
    hasAny(node) {
        return (this.segmentOf.array[node] ?? 0) !== 0;
    }
    /** Calls back with each record of a node. */
    each(node, visit) {
        if (!this.hasAny(node))
            return;
        visit(this.numbered[this.segmentOf.array[node]].segmentId, this.docOf.array[node]);
        const others = this.others.get(node);
        if (others === undefined)
            return;
        for (const place of others)
            visit(this.numbered[Math.floor(place / DOC_SPAN)].segmentId, place % DOC_SPAN);
    }
    /** A record that it does not hold has this node now; nodes are numbered in the order in which they are met here. */
    add(segment, doc, node) {
        this.put(this.open(segment), doc, node);
    }
    /** Lets a record go; returns its node where that stands for no other, else NO_NODE. */
    remove(segmentId, doc) {
        const segment = this.segments.get(segmentId);
        return segment === undefined ? NO_NODE : this.take(segment, doc);
    }
    /** Record i of a new segment was record `docs[i]` of segment `uids[origin[i]]`. */
    move(segment, uids, origin, docs) {
        const to = this.open(segment);
        const sources = uids.map((segmentId) => this.segments.get(segmentId));
        for (let i = 0; i < docs.length; i++) {
            const from = sources[origin[i]];
            const node = from?.nodes[docs[i]] ?? NO_NODE;
            if (node === NO_NODE)
                continue;
            this.take(from, docs[i]);
            this.put(to, i, node);
        }
    }
    /** Lets a segment go with all records that it still holds of it; returns the nodes that stand for no other. */
    forget(segmentId) {
        const segment = this.segments.get(segmentId);
        if (segment === undefined)
            return [];
        const left = [];
        for (let doc = 0; segment.count > 0; doc++) {
            const node = this.take(segment, doc);
            if (node !== NO_NODE)
                left.push(node);
        }
        this.segments.delete(segmentId);
        this.numbered[segment.number] = undefined;
        this.freeNumbers.push(segment.number);
        return left;
    }
    /** The segments of which it knows. */
    uids() {
        return [...this.segments.keys()];
    }
    open({ segmentId, size }) {
        let segment = this.segments.get(segmentId);
        if (segment === undefined) {
            const number = this.freeNumbers.pop() ?? this.numbered.length;
            segment = { segmentId, number, nodes: new Int32Array(size).fill(NO_NODE), count: 0 };
            this.numbered[number] = segment;
            this.segments.set(segmentId, segment);
        }
        return segment;
    }
    put(segment, doc, node) {
        while (this.segmentOf.length <= node) {
            this.segmentOf.push(0);
            this.docOf.push(0);
        }
        segment.nodes[doc] = node;
        segment.count++;
        this.held++;
        if (!this.hasAny(node))
            this.putFirst(node, segment.number, doc);
        else {
            const others = this.others.get(node) ?? new Set();
            this.others.set(node, others.add(DOC_SPAN * segment.number + doc));
            this.otherCount++;
        }
    }
    putFirst(node, number, doc) {
        this.segmentOf.array[node] = number;
        this.docOf.array[node] = doc;
    }
    /** Returns the record's node where that stands for no other any more. */
    take(segment, doc) {
        const node = segment.nodes[doc];
        if (node === NO_NODE)
            return NO_NODE;
        segment.nodes[doc] = NO_NODE;
        segment.count--;
        this.held--;
        const others = this.others.get(node);
        if (this.segmentOf.array[node] !== segment.number || this.docOf.array[node] !== doc) {
            this.leave(node, others, DOC_SPAN * segment.number + doc);
            return NO_NODE;
        }
        this.putFirst(node, 0, 0);
        if (others === undefined)
            return node;
        const [place] = others;
        this.leave(node, others, place);
        this.putFirst(node, Math.floor(place / DOC_SPAN), place % DOC_SPAN);
        return NO_NODE;
    }
    leave(node, others, place) {
        others.delete(place);
        this.otherCount--;
        if (others.size === 0)
            this.others.delete(node);
    }
}
