// The nodes of a graph by their vectors, so that equal vectors share one: many equal ones would make others unreachable. Open
// addressing in shelves, of which only one grows at a time.
const SHELVES = 64;
const FIRST_PLACES = 8;
/** Numbers of a place: the hash, and the node counted from 1. */
const PLACE = 2;
/** Places that a search looks at: vectors made to fall on one place must not slow down all others. What has none is not found. */
const MOST_STEPS = 64;
/** Nodes by vector. */
export class NodeTable {
    shelves = Array.from({ length: SHELVES }, () => new Int32Array(FIRST_PLACES * PLACE));
    sizes = new Uint32Array(SHELVES);
    /** The node with these bytes, as `holds` tells; -1: none is known. */
    find(vector, holds) {
        const hash = hashOf(vector.bytes);
        const places = this.shelves[shelfOf(hash)];
        const last = places.length - PLACE;
        let place = (hash << 1) & last;
        for (let steps = 0; steps < MOST_STEPS; steps++, place = (place + PLACE) & last) {
            const node = places[place + 1] - 1;
            if (node < 0)
                return -1;
            if (places[place] === hash && holds(node))
                return node;
        }
        return -1;
    }
    /** Notes the node of a vector that was not found. */
    add(vector, node) {
        const hash = hashOf(vector.bytes);
        const shelf = shelfOf(hash);
        if (2 * PLACE * this.sizes[shelf] >= this.shelves[shelf].length)
            this.grow(shelf);
        if (put(this.shelves[shelf], hash, node + 1))
            this.sizes[shelf]++;
    }
    /** The memory that it takes. */
    get bytes() {
        return this.shelves.reduce((total, { byteLength }) => total + byteLength, 0);
    }
    grow(shelf) {
        const places = this.shelves[shelf];
        const larger = new Int32Array(2 * places.length);
        for (let place = 0; place < places.length; place += PLACE)
            if (places[place + 1] !== 0)
                put(larger, places[place], places[place + 1]);
        this.shelves[shelf] = larger;
    }
}
/** False: all places where it would be looked for are taken. */
function put(places, hash, counted) {
    const last = places.length - PLACE;
    let place = (hash << 1) & last;
    for (let steps = 0; steps < MOST_STEPS; steps++, place = (place + PLACE) & last) {
        if (places[place + 1] !== 0)
            continue;
        places[place] = hash;
        places[place + 1] = counted;
        return true;
    }
    return false;
}
/** FNV-1a over bytes, with its high bits folded into the low ones. */
function hashOf(bytes) {
    let hash = 0x811c9dc5;
    for (let i = 0; i < bytes.length; i++)
        hash = Math.imul(hash ^ (bytes[i] & 0xff), 0x01000193);
    return hash ^ (hash >>> 15);
}
function shelfOf(hash) {
    return hash >>> 26;
}
