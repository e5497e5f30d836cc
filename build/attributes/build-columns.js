// Writes columns: from the records of a segment, all attributes in one walk through each record, or from the columns of
// segments that become one. Either way the pairs of record and code come by record and are turned around by counting.
import { DocSet } from "../base/doc-set.js";
import { GrowableUint32 } from "../base/growable.js";
import { mergeRuns, sortInSteps } from "../base/merge-runs.js";
import { compareValues, PathReader } from "./attribute-values.js";
import { slotOf } from "./column.js";
/** With fewer holders than this share of the records, a column keeps their numbers. */
const SPARSE_SHARE = 1 / 16;
const PAUSE_EVERY = 1 << 14;
/** In smaller segments the objects of a set would take more than what is in it. */
const LEAST_WITH_SETS = 4096;
/** Reading many attributes of 16 records takes about half a millisecond. */
const PAUSE_EVERY_RECORDS = 16;
/** The columns of the paths that any record has a value at. Calls `recordAt` once for each record, in order. */
export function* buildColumns(docCount, recordAt, paths) {
    const reader = new PathReader(paths);
    const open = paths.map(() => undefined);
    for (let doc = 0; doc < docCount; doc++) {
        reader.read(recordAt(doc), (path, value) => {
            open[path] ??= openColumn();
            addPair(open[path], doc, value);
        });
        if (doc % PAUSE_EVERY_RECORDS === 0)
            yield;
    }
    const columns = new Map();
    for (const [path, column] of open.entries()) {
        if (column === undefined)
            continue;
        columns.set(paths[path], yield* closeColumn(docCount, column));
        open[path] = undefined;
    }
    return columns;
}
function openColumn() {
    return { codes: new Map(), lastDoc: [], pairDocs: new GrowableUint32(), pairCodes: new GrowableUint32() };
}
function addPair({ codes, lastDoc, pairDocs, pairCodes }, doc, value) {
    let code = codes.get(value);
    if (code === undefined) {
        code = codes.size;
        codes.set(value, code);
    }
    else if (lastDoc[code] === doc)
        return;
    lastDoc[code] = doc;
    pairDocs.push(doc);
    pairCodes.push(code);
}
function* closeColumn(docCount, { codes, pairDocs, pairCodes }) {
    const values = yield* sortInSteps([...codes.keys()], compareValues);
    const ranks = new Uint32Array(values.length);
    for (let rank = 0; rank < values.length; rank++) {
        ranks[codes.get(values[rank])] = rank;
        if (rank % 1024 === 0)
            yield;
    }
    const ranked = pairCodes.toArray();
    for (let at = 0; at < ranked.length; at++)
        ranked[at] = ranks[ranked[at]];
    return yield* layOut(docCount, values, pairDocs.toArray(), ranked);
}
/** A column from its pairs of record and code: each once, records ascending. `codes` becomes the column's. */
function* layOut(docCount, values, docs, codes) {
    const distinct = docs.filter((doc, at) => at === 0 || doc !== docs[at - 1]);
    const holders = distinct.length < docCount * SPARSE_SHARE ? distinct : null;
    const starts = new Uint32Array((holders?.length ?? docCount) + 1);
    const codeStarts = new Uint32Array(values.length + 1);
    for (let at = 0, slot = -1; at < docs.length; at++) {
        if (at === 0 || docs[at] !== docs[at - 1])
            slot++;
        starts[(holders === null ? docs[at] : slot) + 1]++;
        codeStarts[codes[at] + 1]++;
        if (at % PAUSE_EVERY === 0)
            yield;
    }
    for (let slot = 1; slot < starts.length; slot++)
        starts[slot] += starts[slot - 1];
    for (let code = 1; code < codeStarts.length; code++)
        codeStarts[code] += codeStarts[code - 1];
    const next = codeStarts.slice();
    const codeDocs = new Uint32Array(docs.length);
    for (let at = 0; at < docs.length; at++) {
        codeDocs[next[codes[at]]++] = docs[at];
        if (at % PAUSE_EVERY === 0)
            yield;
    }
    for (let slot = 0; slot + 1 < starts.length; slot++) {
        sortRow(codes, starts[slot], starts[slot + 1]);
        if (slot % PAUSE_EVERY === 0)
            yield;
    }
    const codeSets = yield* setsOf(docCount, codeStarts, codeDocs);
    return { docCount, values, holders, starts, codes, codeStarts, codeDocs, codeSets };
}
/** The records of codes that take no more room as a set than as a list. */
function* setsOf(docCount, codeStarts, codeDocs) {
    const sets = new Map();
    if (docCount < LEAST_WITH_SETS)
        return sets;
    for (let code = 0; code + 1 < codeStarts.length; code++) {
        const [from, to] = [codeStarts[code], codeStarts[code + 1]];
        if (32 * (to - from) < docCount)
            continue;
        sets.set(code, new DocSet(docCount).addAll(codeDocs.subarray(from, to)));
        yield;
    }
    return sets;
}
function sortRow(codes, from, to) {
    for (let at = from + 1; at < to; at++) {
        if (codes[at - 1] < codes[at])
            continue;
        codes.subarray(from, to).sort();
        return;
    }
}
/**
 * Of each source the new numbers of its records plus one, 0 for those left behind: what `mergeColumns` of all the attributes
 * of a segment share.
 */
export function newNumbers(sizes, origin, docs) {
    const numbers = sizes.map((size) => new Uint32Array(size));
    for (let doc = 0; doc < docs.length; doc++)
        numbers[origin[doc]][docs[doc]] = doc + 1;
    return numbers;
}
/**
 * The column of merged records: record i comes from record `docs[i]` of `columns[origin[i]]`. undefined: nobody there has the
 * attribute. Holds no values when no record has one any more.
 */
export function* mergeColumns(columns, origin, docs, numbers = newNumbers(columns.map((column) => column?.docCount ?? 0), origin, docs)) {
    const pairs = columns.reduce((total, column) => total + (column?.codes.length ?? 0), 0);
    const pairDocs = new GrowableUint32(pairs);
    const pairCodes = new GrowableUint32(pairs);
    const used = columns.map((column) => new Uint8Array(column?.values.length ?? 0));
    const held = yield* heldDocs(columns, numbers);
    const count = held?.length ?? docs.length;
    for (let i = 0; i < count; i++) {
        if (i % PAUSE_EVERY === 0)
            yield;
        const doc = held === null ? i : held[i];
        const source = origin[doc];
        const column = columns[source];
        const slot = column === undefined ? -1 : slotOf(column, docs[doc]);
        if (column === undefined || slot < 0)
            continue;
        for (let at = column.starts[slot]; at < column.starts[slot + 1]; at++) {
            used[source][column.codes[at]] = 1;
            pairDocs.push(doc);
            pairCodes.push(column.codes[at]);
        }
    }
    const { values, newCodes } = yield* mergeDictionaries(columns, used);
    const mergedDocs = pairDocs.toArray();
    const codes = pairCodes.toArray();
    yield;
    for (let at = 0; at < codes.length; at++)
        codes[at] = newCodes[origin[mergedDocs[at]]][codes[at]];
    yield;
    return yield* layOut(docs.length, values, mergedDocs, codes);
}
/** The new numbers of the records that hold the attribute, ascending; null: look at all. */
function* heldDocs(columns, numbers) {
    const held = new GrowableUint32();
    for (const [source, column] of columns.entries()) {
        if (column === undefined)
            continue;
        if (column.holders === null)
            return null;
        for (const doc of column.holders)
            if (numbers[source][doc] > 0)
                held.push(numbers[source][doc] - 1);
        yield;
    }
    return held.toArray().sort();
}
function* mergeDictionaries(columns, used) {
    const runs = [];
    for (const [source, column] of columns.entries()) {
        runs.push(column?.values.filter((_, code) => used[source][code] === 1) ?? []);
        yield;
    }
    const merged = yield* mergeRuns(runs, compareValues);
    const values = merged.filter((value, i) => i === 0 || value !== merged[i - 1]);
    yield;
    const newCodes = [];
    for (const [source, column] of columns.entries()) {
        const codes = new Uint32Array(column?.values.length ?? 0);
        let to = 0;
        for (let code = 0; code < codes.length; code++) {
            if (used[source][code] === 0)
                continue;
            while (values[to] !== column.values[code])
                to++;
            codes[code] = to;
        }
        newCodes.push(codes);
        yield;
    }
    return { values, newCodes };
}
