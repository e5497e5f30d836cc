// Limits the memory that all indexes of an engine take together. Writers claim memory before they build, and fail with nothing
// changed when it does not fit. Columns that can be rebuilt are dropped first.
import { SearchError } from "../base/errors.js";
import { dropColumns, KEPT_COLUMNS } from "./column-store.js";
import { estimateMemory } from "./estimate-memory.js";
/** The memory budget of an engine. */
export class MemoryBudget {
    most;
    holders = new Set();
    claimed = 0;
    /** `most` bytes; `Number.MAX_SAFE_INTEGER`: no limit, and nothing is counted. */
    constructor(most) {
        this.most = most;
    }
    add(holder) {
        this.holders.add(holder);
    }
    remove(holder) {
        this.holders.delete(holder);
    }
    /** Opens a claim of 0 bytes. */
    open() {
        let own = 0;
        return {
            counts: this.most !== Number.MAX_SAFE_INTEGER,
            claim: (bytes) => {
                if (!this.fits(bytes - own))
                    throw this.full(bytes);
                this.claimed += bytes - own;
                own = bytes;
            },
            end: () => {
                this.claimed -= own;
                own = 0;
            },
        };
    }
    /** Whether this many more bytes fit; drops columns that no query uses if necessary. */
    fits(bytes) {
        if (this.most === Number.MAX_SAFE_INTEGER)
            return true;
        const isOver = () => this.used() + this.claimed + bytes > this.most;
        if (!isOver())
            return true;
        for (const segment of this.segments())
            dropColumns(segment, 0);
        return !isOver();
    }
    /** The number of undeclared columns that a segment may keep. */
    columnsToKeep() {
        return this.most === Number.MAX_SAFE_INTEGER || this.used() + this.claimed <= this.most ? KEPT_COLUMNS : 0;
    }
    /** The bytes of all indexes; shared segments count once. */
    used() {
        let total = estimateMemory({ segments: this.segments(), graphBytes: 0 }).total;
        for (const { data } of this.holders)
            total += data.graph.bytes;
        return total;
    }
    segments() {
        const segments = new Set();
        for (const { data } of this.holders)
            for (const { segment } of data.snapshot.segments)
                segments.add(segment);
        return segments;
    }
    full(bytes) {
        const msg = `About ${this.used() + bytes} bytes would be held, more than limits.maxMemory (${this.most}); delete records or indexes, or raise it.`;
        return new SearchError(507, "memory_limit", msg, { param: "records" });
    }
}
