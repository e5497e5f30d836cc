// How many records of a set have each code of a column: of several ways the quickest.
import { countingSpeed } from "../../base/wasm/bit-counts.js";
import { hasOneEach } from "../column.js";
import { rowsOf } from "./value-rows.js";
/** Going through a record takes as long as so many words of the set of a code, by the plain kernel; through its values, so many. */
const RECORD_COST = 4;
const VALUES_COST = 10;
/** Adds to `counts`, by code, how many of the records have it; they are `size`. */
export function* countCodes(column, docs, size, counts) {
    const { docCount, codeSets, codeStarts, values, holders } = column;
    if (size === docCount) {
        for (let code = 0; code < values.length; code++)
            counts[code] += codeStarts[code + 1] - codeStarts[code];
        return;
    }
    const bySets = codeSets.size === values.length ? costOfSets(column, docs.words.length) : Number.POSITIVE_INFINITY;
    if (holders !== null)
        countHeld(column, holders, docs, counts);
    else if (bySets < RECORD_COST * size)
        countSets(column, docs, counts);
    else {
        const rows = yield* rowsOf(column);
        if (rows !== null)
            rows.count(docs, size, counts);
        else if (bySets < VALUES_COST * size)
            countSets(column, docs, counts);
        else
            countEach(column, docs, counts);
    }
}
function costOfSets({ codeSets }, words) {
    return (codeSets.size * words) / countingSpeed(words);
}
function countSets({ codeSets }, docs, counts) {
    for (const [code, set] of codeSets)
        counts[code] += docs.countIn(set);
}
/** The holders are few beside the segment's records. */
function countHeld({ starts, codes }, holders, docs, counts) {
    for (let slot = 0; slot < holders.length; slot++) {
        if (!docs.has(holders[slot]))
            continue;
        for (let at = starts[slot]; at < starts[slot + 1]; at++)
            counts[codes[at]]++;
    }
}
function countEach(column, { words }, counts) {
    const { starts, codes } = column;
    const isSingle = hasOneEach(column);
    for (let i = 0; i < words.length; i++)
        for (let word = words[i]; word !== 0; word &= word - 1) {
            const doc = i * 32 + 31 - Math.clz32(word & -word);
            if (isSingle)
                counts[codes[doc]]++;
            else
                for (let at = starts[doc]; at < starts[doc + 1]; at++)
                    counts[codes[at]]++;
        }
}
