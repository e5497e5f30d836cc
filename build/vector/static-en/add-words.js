// What a text adds to a vector: each of its words the rows that it is found by, in the order of the text. Sums are doubles.
import { resolveWord } from "./resolve-word.js";
import { ROW_BYTES } from "./row-products.js";
import { STATIC_EN_DIMENSIONS } from "./word-table.js";
/** Adds the rows of a text's known words, each times `weight`, to `sum`; answers how many of them there are. */
export function addText(table, text, sum, weight = 1) {
    const folded = fold(text);
    const end = folded.length;
    let start = 0;
    let known = 0;
    for (let i = 0; i <= end; i++) {
        const code = i < end ? folded.charCodeAt(i) : 0;
        if ((code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39))
            continue;
        if (i > start)
            known += addWord(table, folded.slice(start, i), sum, weight);
        start = i + 1;
    }
    return known;
}
function addWord(table, word, sum, weight) {
    const { rows, factor } = resolveWord(table, word);
    for (let i = 0; i < rows.length; i++)
        addRow(table, rows[i], sum, table.scales[rows[i]] * factor * weight);
    return rows.length;
}
/** Adds a row's codes, each less 8, times `scale`. */
export function addRow({ codes }, row, sum, scale) {
    let at = row * ROW_BYTES;
    for (let i = 0; i < STATIC_EN_DIMENSIONS; i += 2) {
        const pair = codes[at++];
        sum[i] = sum[i] + scale * ((pair >> 4) - 8);
        sum[i + 1] = sum[i + 1] + scale * ((pair & 15) - 8);
    }
}
/** A new vector of length 1; null where there is no direction. */
export function atUnitLength(sum) {
    let squares = 0;
    for (let i = 0; i < STATIC_EN_DIMENSIONS; i++)
        squares += sum[i] * sum[i];
    if (squares === 0)
        return null;
    const length = Math.sqrt(squares);
    const vector = new Float32Array(STATIC_EN_DIMENSIONS);
    for (let i = 0; i < STATIC_EN_DIMENSIONS; i++)
        vector[i] = sum[i] / length;
    return vector;
}
/** Lower-cased, with accented letters as plain ones; most titles are ASCII and need no more than the first line. */
function fold(text) {
    const lower = text.toLowerCase();
    for (let i = 0; i < lower.length; i++)
        if (lower.charCodeAt(i) > 0x7f)
            return foldAccents(text);
    return lower;
}
/** The trade and service marks go first: their compatibility forms are letters, which would grow onto the word before. */
function foldAccents(text) {
    return text
        .replace(/[\u2120\u2122]/g, " ")
        .toLowerCase()
        .normalize("NFKD")
        .replace(/[\u0300-\u036f]/g, "");
}
