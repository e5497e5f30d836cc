// The terms of several segments, in their order: each once, with where it stands.
import { RunHeads } from "../../base/merge-runs.js";
import { NameCursor } from "./name-cursor.js";
/** Goes through the terms of all tables. */
export class TermWalk {
    /** The tables that have the present term, and its number in each; `size` of them, what is behind is of no meaning. */
    segments = [];
    terms = [];
    size = 0;
    cursors;
    /** The keys of the cursors, side by side: most are told apart by nothing else. */
    keys;
    heads;
    present;
    constructor(tables) {
        this.cursors = tables.map((table) => new NameCursor(table));
        this.keys = new Float64Array(tables.length);
        const filled = [...this.cursors.keys()].filter((table) => this.advance(table));
        const { cursors, keys } = this;
        this.heads = new RunHeads(filled, (a, b) => {
            const difference = keys[a] - keys[b];
            return difference === 0 ? cursors[a].compare(cursors[b]) < 0 : difference < 0;
        });
        this.present = new NameCursor(tables[0]);
    }
    /** Goes to the next term; false: there is none. */
    next() {
        const { cursors, keys, present } = this;
        this.size = 0;
        for (let table = this.heads.least; table !== undefined; table = this.heads.least) {
            const cursor = cursors[table];
            if (this.size === 0)
                present.follow(cursor);
            else if (present.key !== keys[table] || present.compare(cursor) !== 0)
                break;
            this.segments[this.size] = table;
            this.terms[this.size++] = cursor.number;
            this.heads.taken(this.advance(table));
        }
        return this.size > 0;
    }
    advance(table) {
        const cursor = this.cursors[table];
        const hasMore = cursor.next();
        this.keys[table] = cursor.key;
        return hasMore;
    }
    /** Adds the present term to names. */
    write(names) {
        this.present.write(names);
    }
}
