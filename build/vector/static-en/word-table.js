// The table of known words and their quantised vectors, read from the SEV1 format: magic, JSON header, scales, codes, words.
// Every length is checked against the bytes at hand before it is used. The codes are copied to where a kernel
// multiplies them, or stay in the given bytes, which are only read; parsing costs about 20 ms and 10 MB for 60,000 words.
import { types } from "node:util";
import { SearchError } from "../../base/errors.js";
import { show } from "../../base/show.js";
import { placeCodes } from "./row-codes.js";
import { ROW_BYTES } from "./row-products.js";
/** Components of every vector of the default embedder. */
export const STATIC_EN_DIMENSIONS = 192;
const MAGIC = 0x53455631; // "SEV1", read big-endian
const PREFIX_BYTES = 8;
const MAX_HEADER_BYTES = 65_536;
const BITS = 4;
/**
 * Parses the bytes of a word table. The bytes are never changed, and must not be changed by the caller afterwards.
 *
 * @throws SearchError 400 `invalid_embedder` when the bytes are no whole and consistent table.
 */
export function parseWordTable(bytes) {
    if (!types.isUint8Array(bytes))
        throw malformed(show(bytes), "a Uint8Array");
    if (bytes.length < PREFIX_BYTES)
        throw malformed(`${bytes.length} bytes`, "at least 8");
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (view.getUint32(0) !== MAGIC)
        throw malformed(`magic ${hex(view.getUint32(0))}`, `${hex(MAGIC)} ("SEV1")`);
    const scalesAt = PREFIX_BYTES + headerLength(view);
    const { rows, vocabBytes } = readHeader(text(bytes, PREFIX_BYTES, scalesAt, "utf8"));
    const codesAt = scalesAt + rows * 4;
    const wordsAt = codesAt + rows * ROW_BYTES;
    if (wordsAt + vocabBytes !== bytes.length)
        throw malformed(`${bytes.length} bytes`, `${wordsAt + vocabBytes}, as the header says`);
    const { words, rowOf, longestWord } = readWords(text(bytes, wordsAt, bytes.length, "latin1"), rows);
    const scales = readScales(view, scalesAt, rows);
    const placed = placeCodes(bytes.subarray(codesAt, wordsAt));
    return {
        words,
        rowOf,
        scales,
        codes: placed.codes,
        placed,
        longestWord,
        resolved: new Map(),
    };
}
/** The error for a table that cannot be used: what was found, what was expected, what to do. */
export function malformed(found, expected, cause) {
    const msg = `The word table of the static-en embedder has ${found}; expected ${expected}. ` +
        "Pass the unchanged bytes of static-en-60k-192-int4.bin, or reinstall the package.";
    return new SearchError(400, "invalid_embedder", msg, {
        param: "embedder",
        ...(cause === undefined ? {} : { cause }),
    });
}
function headerLength(view) {
    const length = view.getUint32(4, true);
    const most = Math.min(view.byteLength - PREFIX_BYTES, MAX_HEADER_BYTES);
    if (length > most)
        throw malformed(`a header of ${length} bytes`, `at most ${most}`);
    if (length % 4 !== 0)
        throw malformed(`a header of ${length} bytes`, "a multiple of 4");
    return length;
}
function readHeader(json) {
    let parsed;
    try {
        parsed = JSON.parse(json);
    }
    catch (cause) {
        throw malformed("a header that is no JSON", "a JSON object", cause);
    }
    if (typeof parsed !== "object" || parsed === null)
        throw malformed(`the header ${show(parsed)}`, "a JSON object");
    const header = parsed;
    if (header.dim !== STATIC_EN_DIMENSIONS)
        throw malformed(`dim ${show(header.dim)}`, `${STATIC_EN_DIMENSIONS}`);
    if (header.bits !== BITS)
        throw malformed(`bits ${show(header.bits)}`, `${BITS}`);
    return { rows: count(header, "rows"), vocabBytes: count(header, "vocabBytes") };
}
/** Counts stay below 2^32, so that no sum of lengths loses a digit. */
function count(header, name) {
    const value = header[name];
    if (typeof value !== "number" || !Number.isInteger(value) || value < 1 || value > 0xffff_ffff)
        throw malformed(`${name} ${show(value)}`, "an integer from 1 to 4,294,967,295");
    return value;
}
/** Copied out value by value, because the bytes may lie unaligned in their buffer, and machines may be big-endian. */
function readScales(view, at, rows) {
    const scales = new Float32Array(rows);
    for (let row = 0; row < rows; row++) {
        const scale = view.getFloat32(at + row * 4, true);
        if (!Number.isFinite(scale))
            throw malformed(`the scale ${scale} in row ${row}`, "a finite number");
        scales[row] = scale;
    }
    return scales;
}
function readWords(joined, rows) {
    const words = joined.split("\n");
    if (words.length !== rows)
        throw malformed(`${words.length} words`, `${rows}, one a row`);
    const rowOf = new Map();
    let longestWord = 0;
    for (let row = 0; row < rows; row++) {
        const word = words[row];
        if (word === "" || rowOf.has(word))
            throw malformed(`the word ${show(word)} in row ${row}`, "one not empty and not met before");
        rowOf.set(word, row);
        if (word.length > longestWord)
            longestWord = word.length;
    }
    return { words, rowOf, longestWord };
}
function text(bytes, from, to, encoding) {
    return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString(encoding);
}
function hex(value) {
    return `0x${value.toString(16).padStart(8, "0")}`;
}
