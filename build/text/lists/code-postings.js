// Writes posting lists: occurrences that stand record after record are laid out term after term, and each term's become one list.
import { ListCoder } from "./list-coder.js";
import { Pairs } from "./pairs.js";
import { NO_PLACES, PatternTree } from "./pattern-tree.js";
/** Occurrences between two pauses. */
const PAUSE_EVERY = 1 << 15;
/** Bits of an occurrence, about. */
const EXPECTED_BITS = 9;
/** Of each term its last record, and where the next one is put; side by side, because both are asked for. */
const HEAD = 2;
const LAST = 0;
const PLACE = 1;
const NONE = 0xffff_ffff;
/** The lists in the order of `order`, which has the terms that occur in their new order. */
export function* codePostings(given, order) {
    const patterns = new PatternTree();
    const { heads, pairs } = yield* byTerm(given, order, patterns);
    const coder = new ListCoder(given.docCount, patterns, EXPECTED_BITS * given.size);
    const { bits } = coder;
    const starts = new Uint32Array(order.length + 1);
    for (let term = 0, from = 0, written = 0; term < order.length; term++) {
        starts[term] = bits.length;
        const to = heads[HEAD * order[term] + PLACE];
        // A term may stand in a title but in no field that is indexed.
        if (from < to)
            coder.write(pairs, from, to);
        written += 1 + to - from;
        from = to;
        if (written > PAUSE_EVERY) {
            written = 0;
            yield;
        }
    }
    starts[order.length] = bits.length;
    yield;
    return { starts, ...coder.finish() };
}
/** The records of each term with their patterns, term after term; `heads` by the number that the term has among the occurrences. */
function* byTerm(given, order, patterns) {
    const heads = new Uint32Array(HEAD * order.length);
    for (let head = 0; head < heads.length; head += HEAD)
        heads[head + LAST] = NONE;
    yield;
    for (let doc = 0, seen = 0; doc < given.docCount; doc++) {
        seen += countRecord(doc, given, heads);
        if (seen > PAUSE_EVERY) {
            seen = 0;
            yield;
        }
    }
    let size = 0;
    for (let number = 0; number < order.length; number++) {
        const head = HEAD * order[number];
        const count = heads[head + PLACE];
        heads[head + LAST] = NONE;
        heads[head + PLACE] = size;
        size += count;
        if (number % PAUSE_EVERY === 0)
            yield;
    }
    const pairs = new Pairs(size);
    yield;
    for (let doc = 0, seen = 0; doc < given.docCount; doc++) {
        seen += layRecord(doc, given, heads, pairs, patterns);
        if (seen > PAUSE_EVERY) {
            seen = 0;
            yield;
        }
    }
    return { heads, pairs };
}
/** Counts a record for each of its terms, where their places will be; how many occurrences it has. */
function countRecord(doc, { terms, docSlots, slotStarts }, heads) {
    const first = slotStarts[docSlots[doc]];
    const end = slotStarts[docSlots[doc + 1]];
    for (let at = first; at < end; at++) {
        const head = HEAD * terms[at];
        if (heads[head + LAST] === doc)
            continue;
        heads[head + LAST] = doc;
        heads[head + PLACE]++;
    }
    return end - first;
}
/** Puts a record behind those before it in the lists of its terms; how many occurrences it has. */
function layRecord(doc, { terms, docSlots, slotStarts }, heads, pairs, patterns) {
    const [firstSlot, endSlot] = [docSlots[doc], docSlots[doc + 1]];
    const first = slotStarts[firstSlot];
    let at = first;
    for (let slot = firstSlot; slot < endSlot; slot++) {
        const once = patterns.withOneMore(NO_PLACES, slot - firstSlot);
        for (const end = slotStarts[slot + 1]; at < end; at++) {
            const head = HEAD * terms[at];
            if (heads[head + LAST] === doc) {
                const last = heads[head + PLACE] - 1;
                pairs.set(last, doc, patterns.withOneMore(pairs.patternAt(last), slot - firstSlot));
            }
            else {
                heads[head + LAST] = doc;
                pairs.set(heads[head + PLACE]++, doc, once);
            }
        }
    }
    return at - first;
}
