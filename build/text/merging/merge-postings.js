// Several segments' words become one segment's: the living records in their new order, with nothing analysed again. What comes
// out is, bit by bit, what writing these records would have given. Records stand in the order of their ids everywhere, so lists
// are merged as they are, term by term.
import { GrowableUint32 } from "../../base/growable.js";
import { numberAt } from "../ascending.js";
import { NameWriter } from "../names/name-writer.js";
import { FIELD_MASK, TITLE_BIT } from "../postings.js";
import { SlotWriter } from "../slot-writer.js";
import { writeSpelling } from "../spelling-dictionary.js";
import { isFirstOfPart, readTitle, TitleWriter, titleNumber } from "../title/title-table.js";
import { ListMerger } from "./list-merger.js";
import { TermWalk } from "./term-walk.js";
/** Postings read and written between two pauses: a fraction of a millisecond, or ten while the code is new. */
const PAUSE_EVERY = 1 << 12;
/** Records copied between two pauses. */
const PAUSE_EVERY_RECORD = 1 << 10;
/** The postings of the records of `source`. */
export function* mergePostings(segments, source) {
    const places = segments.map(({ docCount }) => new Uint32Array(docCount));
    for (let doc = 0; doc < source.docs.length; doc++)
        places[source.segments[doc]][source.docs[doc]] = doc + 1;
    yield;
    const { names, lists, numbers } = yield* mergeTerms(segments, places, source.docs.length);
    const slots = yield* mergeSlots(segments, source);
    const titles = yield* mergeTitles(segments, source, { numbers, size: names.size });
    const spelling = yield* writeSpelling({ names, ...lists, ...slots });
    return { names, ...lists, ...slots, titles, spelling };
}
function* mergeTerms(segments, places, docCount) {
    const titled = [];
    for (const [i, postings] of segments.entries())
        titled.push(yield* inTitles(postings, places[i]));
    const tables = segments.map(({ names }) => names);
    const most = tables.reduce((total, { size }) => total + size, 0);
    const names = new NameWriter(most, tables.reduce((total, { parts }) => total + parts.characters.length, 0));
    const starts = new Uint32Array(most + 1);
    const numbers = tables.map(({ size }) => new Uint32Array(size));
    const merger = new ListMerger(segments, places, docCount);
    const walk = new TermWalk(tables);
    yield;
    for (let read = 0; walk.next();) {
        const count = merger.merge(walk.segments, walk.terms, walk.size);
        let isLeft = count > 0;
        for (let i = 0; i < walk.size; i++) {
            numbers[walk.segments[i]][walk.terms[i]] = names.size;
            // A term may stand in a title but in no field that is indexed.
            isLeft ||= titled[walk.segments[i]][walk.terms[i]] === 1;
        }
        if (isLeft) {
            walk.write(names);
            starts[names.size] = merger.coder.bits.length;
        }
        read += walk.size + count;
        if (read > PAUSE_EVERY) {
            read = 0;
            yield;
        }
    }
    yield;
    const lists = { ...merger.coder.finish(), starts: starts.slice(0, names.size + 1) };
    return { names: yield* names.finish(), lists, numbers };
}
/** By term: 1 where it stands in the title of a record that is left. */
function* inTitles({ names, titles, docCount }, places) {
    const titled = new Uint8Array(names.size);
    if (!places.includes(0)) {
        for (const term of titles.terms)
            titled[term] = 1;
        yield;
        return titled;
    }
    const title = new GrowableUint32();
    for (let doc = 0; doc < docCount; doc++) {
        if (doc % PAUSE_EVERY_RECORD === 0)
            yield;
        if (places[doc] === 0)
            continue;
        readTitle(titles, doc, title);
        for (let at = 0; at < title.length; at++)
            titled[titles.terms[titleNumber(title.array[at])]] = 1;
    }
    return titled;
}
function* mergeSlots(segments, { segments: sources, docs }) {
    const writer = new SlotWriter();
    /** Of each segment its shapes' new numbers, counted from 1; 0: not met yet. */
    const shapes = segments.map(({ shapeFields }) => new Uint32Array(shapeFields.length));
    for (let i = 0; i < docs.length; i++) {
        if (i % PAUSE_EVERY_RECORD === 0)
            yield;
        const { docSlots, slotShape, shapeFields, shapeLengths, fields } = segments[sources[i]];
        const known = shapes[sources[i]];
        writer.beginRecord();
        const end = numberAt(docSlots, docs[i] + 1);
        for (let slot = numberAt(docSlots, docs[i]); slot < end; slot++) {
            const shape = slotShape[slot];
            if (known[shape] === 0) {
                const field = shapeFields[shape];
                const own = writer.fieldOf(fields[field & FIELD_MASK]) | (field & TITLE_BIT);
                known[shape] = writer.shapeOf(own, shapeLengths[shape]) + 1;
            }
            writer.add(known[shape] - 1);
        }
    }
    return yield* writer.finish();
}
function* mergeTitles(segments, { segments: sources, docs }, { numbers, size }) {
    const writer = new TitleWriter();
    const named = segments.map(({ titles }, i) => titles.terms.map((term) => numbers[i][term]));
    const title = new GrowableUint32();
    for (let i = 0; i < docs.length; i++) {
        if (i % PAUSE_EVERY_RECORD === 0)
            yield;
        const terms = named[sources[i]];
        writer.beginRecord();
        readTitle(segments[sources[i]].titles, docs[i], title);
        for (let at = 0; at < title.length; at++) {
            const entry = title.array[at];
            writer.add(terms[titleNumber(entry)], isFirstOfPart(entry));
        }
    }
    return yield* writer.finish(size);
}
