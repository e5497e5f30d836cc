// A graph of vectors that finds the nearest by angle, approximately: nodes are numbered in the order they were added, and the
// same vectors in the same order give the same graph. Malkov, Yashunin, "Efficient and robust approximate nearest neighbor search
// using hierarchical navigable small world graphs", IEEE TPAMI 42 (2020).
import { SearchError } from "../../base/errors.js";
import { GrowableUint32 } from "../../base/growable.js";
import { writeBytes } from "./byte-vector.js";
import { GraphMemory, MOST_BYTES, MOST_CANDIDATES } from "./graph-memory.js";
import { NodeTable } from "./node-table.js";
/** The graph. */
export class HnswGraph {
    options;
    memory;
    table = new NodeTable();
    /** Of each node where it lies. */
    addresses = new GrowableUint32();
    dead = 0;
    bytesOfVector;
    constructor(options, memory) {
        this.options = options;
        this.memory = memory;
        this.bytesOfVector = new Int8Array(memory.stride);
    }
    /** An empty graph that takes at most so many bytes, or undefined: there is no WebAssembly, or no memory. */
    static create(options, mostBytes = MOST_BYTES) {
        const memory = GraphMemory.create(options, mostBytes);
        return memory === undefined ? undefined : new HnswGraph(options, memory);
    }
    /** Nodes ever added, dead ones included. */
    get size() {
        return this.addresses.length;
    }
    /** Nodes that are marked dead. */
    get deadCount() {
        return this.dead;
    }
    /** The memory that it takes. */
    get bytes() {
        return (this.memory?.used ?? 0) + this.table.bytes + this.addresses.array.byteLength;
    }
    /** Bytes by which its memory grows for one more node; 0: there is room. */
    get growth() {
        return this.open().growth;
    }
    /**
     * The node of a vector: a new one, or the one that has the same bytes, alive or dead. Throws 507 `index_full` where there is
     * no memory for another; then nothing was added.
     */
    add(vector) {
        const memory = this.open();
        const inBytes = this.inBytes(vector);
        const known = this.table.find(inBytes, (node) => memory.holds(this.addressOf(node), inBytes));
        if (known >= 0)
            return known;
        const node = this.size;
        const level = levelOf(node, this.options.m);
        const address = memory.place(inBytes, node, level);
        if (address === undefined)
            throw new SearchError(507, "index_full", "There is no memory for another node.");
        memory.nodes.add(address, level);
        this.addresses.push(address);
        this.table.add(inBytes, node);
        return node;
    }
    /** Keeps a node out of all answers; it goes on to lead to others. No effect when it is dead already. */
    markDead(node) {
        if (this.isDead(node))
            return;
        this.open().setDead(this.addressOf(node), true);
        this.dead++;
    }
    /** Takes `markDead` back. No effect on a live node. */
    revive(node) {
        if (!this.isDead(node))
            return;
        this.open().setDead(this.addressOf(node), false);
        this.dead--;
    }
    /** True when the node is marked dead. */
    isDead(node) {
        return this.open().isDead(this.addressOf(node));
    }
    /** Up to `count` live nodes, 10,000 at most, nearest first. */
    search(vector, count) {
        const memory = this.open();
        const alive = this.size - this.dead;
        const wanted = Math.min(count, alive, MOST_CANDIDATES);
        if (wanted <= 0)
            return [];
        const query = memory.ask(this.inBytes(vector));
        // Dead nodes are among the candidates: as many more are kept.
        let kept = Math.ceil((Math.max(this.options.efSearch, wanted) * this.size) / alive);
        for (;;) {
            kept = Math.min(kept, MOST_CANDIDATES);
            const found = memory.nodes.nearest(query, wanted, kept);
            if (found >= wanted || kept === MOST_CANDIDATES || kept >= 2 * this.size)
                return memory.found(found);
            kept *= 2;
        }
    }
    /** Lets its memory go; later calls, other than of `dispose`, throw 503 `closed`. */
    dispose() {
        this.memory?.release();
        this.memory = undefined;
    }
    open() {
        if (this.memory !== undefined)
            return this.memory;
        throw new SearchError(503, "closed", "This vector graph was closed; create another one.");
    }
    addressOf(node) {
        return this.addresses.array[node];
    }
    /** Valid until the next vector. */
    inBytes(vector) {
        const { dimensions } = this.options;
        if (vector.components.length !== dimensions)
            throw new RangeError(`A vector of ${vector.components.length} components came to a graph of ${dimensions}.`);
        return { bytes: this.bytesOfVector, inverseLength: writeBytes(vector, this.bytesOfVector) };
    }
}
/** The highest level of a node: one in `m` of those of a level stands on the next. */
function levelOf(node, m) {
    let level = 0;
    for (let rest = scatter(node) * m; rest < 1; rest *= m)
        level++;
    return level;
}
/** A number in 0 … 1, never 0, that looks random: the finalizer of MurmurHash3 (Appleby). */
function scatter(node) {
    let bits = node + 1;
    bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
    bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
    return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32 + 2 ** -33;
}
