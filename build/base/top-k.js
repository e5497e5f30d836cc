// The k best of many, or those at some ranks, without sorting all: a binary heap whose root is the worst that is kept, or
// selection by partition (Hoare, "Algorithm 65: Find", 1961).
/** The first `k` of `docs` in the order of `before`, in that order. O(n log k) time, O(k) space; `docs` is left alone. */
export function topK(docs, k, before) {
    const heap = [];
    if (k <= 0)
        return heap;
    for (let i = 0; i < docs.length; i++) {
        const doc = docs[i];
        if (heap.length < k)
            pushUp(heap, doc, before);
        else if (before(doc, heap[0])) {
            heap[0] = doc;
            sinkDown(heap, before);
        }
    }
    return heap.sort((a, b) => (before(a, b) ? -1 : 1));
}
/** A heap of more than this share of all costs more than selection. */
const HEAP_SHARE = 1 / 32;
/** Those at the ranks `from` … `to - 1` of `docs` in the order of `before`, in that order. `docs` is left alone. */
export function atRanks(docs, from, to, before) {
    const last = Math.min(to, docs.length);
    if (from >= last)
        return [];
    if (last <= docs.length * HEAP_SHARE)
        return topK(docs, last, before).slice(from);
    const placed = docs.slice();
    if (from > 0)
        settleRank(placed, from, 0, before);
    if (last < placed.length)
        settleRank(placed, last, from, before);
    return [...placed.subarray(from, last)].sort((a, b) => (before(a, b) ? -1 : 1));
}
/** Moves what belongs before a rank before it, and all else after it; what stands before `low` is in place. */
function settleRank(docs, rank, low, before) {
    let high = docs.length - 1;
    // Orders made for it could take a step for each document: then what is left is sorted.
    for (let steps = 4 * Math.log2(docs.length) + 8; low < high; steps--) {
        if (steps < 0) {
            docs.subarray(low, high + 1).sort((a, b) => (before(a, b) ? -1 : 1));
            return;
        }
        const pivot = middleOf(docs, low, high, before);
        let i = low;
        let j = high;
        while (i <= j) {
            while (before(docs[i], pivot))
                i++;
            while (before(pivot, docs[j]))
                j--;
            if (i > j)
                break;
            const doc = docs[i];
            docs[i++] = docs[j];
            docs[j--] = doc;
        }
        if (rank <= j)
            high = j;
        else if (rank >= i)
            low = i;
        else
            return;
    }
}
/** The middle one of three: the ends of sorted runs, which often stand in the middle, would make bad pivots. */
function middleOf(docs, low, high, before) {
    const quarter = (high - low) >>> 2;
    const [a, b, c] = [docs[low + quarter], docs[(low + high) >>> 1], docs[high - quarter]];
    const [less, more] = before(a, b) ? [a, b] : [b, a];
    return before(c, less) ? less : before(more, c) ? more : c;
}
function pushUp(heap, doc, before) {
    let at = heap.length;
    heap.push(doc);
    while (at > 0) {
        const parent = (at - 1) >> 1;
        if (!before(heap[parent], doc))
            break;
        heap[at] = heap[parent];
        at = parent;
    }
    heap[at] = doc;
}
function sinkDown(heap, before) {
    const doc = heap[0];
    const size = heap.length;
    let at = 0;
    for (;;) {
        let child = 2 * at + 1;
        if (child >= size)
            break;
        if (child + 1 < size && before(heap[child], heap[child + 1]))
            child++;
        if (!before(doc, heap[child]))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = doc;
}
/** Keeps the `room` greatest numbers it is given: a heap whose root is the least that is kept. */
export class GreatestNumbers {
    heap;
    size = 0;
    constructor(room) {
        this.heap = new Float64Array(room);
    }
    /** The least of them; minus infinity as long as there is room. */
    get least() {
        return this.size < this.heap.length || this.size === 0 ? Number.NEGATIVE_INFINITY : this.heap[0];
    }
    add(value) {
        const { heap } = this;
        if (this.size === heap.length) {
            if (this.size > 0 && value > heap[0])
                this.sink(value);
            return;
        }
        let at = this.size++;
        while (at > 0) {
            const parent = (at - 1) >> 1;
            if (heap[parent] <= value)
                break;
            heap[at] = heap[parent];
            at = parent;
        }
        heap[at] = value;
    }
    sink(value) {
        const { heap, size } = this;
        let at = 0;
        for (;;) {
            let child = 2 * at + 1;
            if (child >= size)
                break;
            if (child + 1 < size && heap[child + 1] < heap[child])
                child++;
            if (heap[child] >= value)
                break;
            heap[at] = heap[child];
            at = child;
        }
        heap[at] = value;
    }
}
