// Where a graph lies: a WebAssembly memory that grows, laid out for assembly/neighbour-graph.ts. What a search needs comes
// first, then a place for the vector that is asked about, then the nodes, one behind the other: a node's head, its vector in
// bytes, and its links, level after level. A node is its address.
import { totalmem } from "node:os";
import { PAGE_BYTES } from "../../base/wasm/web-assembly.js";
import { createGraphMemory, instantiateGraph, releaseGraphMemory } from "./web-assembly.js";
/** The most candidates that a search may keep. */
export const MOST_CANDIDATES = 10_000;
/** Addresses have 32 bits. */
export const MOST_BYTES = 2 ** 32;
/** Fields of a node's head, as assembly/neighbour-graph.ts names them: 32-bit words. */
const NUMBER = 1;
const FACTOR = 2;
const DEAD = 3;
const HEAD_BYTES = 16;
/** Components of a step. */
const LANES = 8;
/** Four nodes are rated at a time, so that up to three more ratings are written than there are nodes. */
const SPARE = 3;
/** The memory grows by an eighth, and so much at least. */
const LEAST_GROWTH = 4 * PAGE_BYTES;
const GROWTH_SHARE = 8;
/** The memory of one graph. */
export class GraphMemory {
    /** The graph's own functions. */
    nodes;
    /** Bytes of a vector: its dimensions, rounded up. */
    stride;
    memory;
    m;
    most;
    pool;
    query;
    end;
    words;
    floats;
    bytes;
    constructor(memory, shape, most) {
        const { stride, listed, nearness, chosen, pool, query, end } = layout(shape);
        this.memory = memory;
        this.stride = stride;
        this.m = shape.m;
        this.most = most;
        this.pool = pool;
        this.query = query;
        this.end = end;
        this.words = new Uint32Array(memory.buffer);
        this.floats = new Float32Array(memory.buffer);
        this.bytes = new Int8Array(memory.buffer);
        this.nodes = instantiateGraph(memory);
        this.nodes.open(stride, shape.m, shape.efConstruction, listed, nearness, pool, chosen);
    }
    /** An empty memory that takes at most so many bytes; undefined where there is none to be had. */
    static create(shape, mostBytes) {
        const most = Math.min(mostBytes, MOST_BYTES, process.constrainedMemory() || MOST_BYTES, totalmem());
        const { end } = layout(shape);
        const memory = end > most ? undefined : createGraphMemory(end, most);
        return memory === undefined ? undefined : new GraphMemory(memory, shape, most);
    }
    /** Bytes that are used. */
    get used() {
        return this.end;
    }
    /** Bytes by which the memory grows for one more node; 0: there is room. */
    get growth() {
        const missing = this.end + this.nodeBytes(0) - this.memory.buffer.byteLength;
        return missing <= 0 ? 0 : this.growthFor(missing);
    }
    /** The address of a new node that takes part in the levels from 0 to `level`; undefined: there is no memory for it. */
    place(vector, number, level) {
        const at = this.end;
        const end = at + this.nodeBytes(level);
        if (!this.reach(end))
            return undefined;
        this.end = end;
        this.write(at, vector);
        this.words[(at >>> 2) + NUMBER] = number;
        return at;
    }
    /** Makes a vector the one that is asked about, and gives its address. */
    ask(vector) {
        this.write(this.query, vector);
        return this.query;
    }
    /** The numbers of the nodes that the last search found, nearest first. */
    found(count) {
        const first = this.pool >> 2;
        return Array.from(this.words.subarray(first, first + count));
    }
    /** It is not used any more. */
    release() {
        releaseGraphMemory(this.memory);
    }
    isDead(node) {
        return this.words[(node >>> 2) + DEAD] === 1;
    }
    setDead(node, isDead) {
        this.words[(node >>> 2) + DEAD] = isDead ? 1 : 0;
    }
    /** Whether a node has this vector. */
    holds(node, { bytes }) {
        const start = node + HEAD_BYTES;
        for (let i = 0; i < bytes.length; i++)
            if (this.bytes[start + i] !== bytes[i])
                return false;
        return true;
    }
    write(at, { bytes, inverseLength }) {
        this.floats[(at >>> 2) + FACTOR] = inverseLength;
        this.bytes.set(bytes, at + HEAD_BYTES);
    }
    nodeBytes(level) {
        return aligned(HEAD_BYTES + this.stride + linkBytes(2 * this.m) + level * linkBytes(this.m));
    }
    growthFor(missing) {
        const { byteLength } = this.memory.buffer;
        const wanted = Math.max(missing, LEAST_GROWTH, byteLength / GROWTH_SHARE);
        const room = this.most - byteLength;
        return Math.ceil(Math.max(missing, Math.min(wanted, room)) / PAGE_BYTES) * PAGE_BYTES;
    }
    /** False: the memory cannot become so large. */
    reach(end) {
        const { byteLength } = this.memory.buffer;
        if (end <= byteLength)
            return true;
        if (end > this.most)
            return false;
        try {
            this.memory.grow(this.growthFor(end - byteLength) / PAGE_BYTES);
        }
        catch {
            return false;
        }
        this.words = new Uint32Array(this.memory.buffer);
        this.floats = new Float32Array(this.memory.buffer);
        this.bytes = new Int8Array(this.memory.buffer);
        return true;
    }
}
/** Places before the first node, which itself begins behind 0: that is no node. */
function layout({ dimensions, m }) {
    const stride = Math.ceil(dimensions / LANES) * LANES;
    // The links of a node, and one more that is new.
    const most = 2 * m + 1;
    const listed = HEAD_BYTES;
    const nearness = listed + 4 * most;
    const chosen = aligned(nearness + 4 * (most + SPARE));
    const pool = aligned(chosen + 4 * most);
    const query = aligned(pool + 8 * (Math.max(MOST_CANDIDATES, most) + 1));
    const end = aligned(query + HEAD_BYTES + stride);
    return { stride, listed, nearness, chosen, pool, query, end };
}
function linkBytes(links) {
    return 4 + 4 * links;
}
function aligned(at) {
    return Math.ceil(at / HEAD_BYTES) * HEAD_BYTES;
}
