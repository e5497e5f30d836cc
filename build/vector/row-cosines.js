// The exact cosines of single records: one fixed formula over integer sums, so the same bits wherever and in whatever order
// they are asked for.
import { kernelOf } from "./kernel/choose-kernel.js";
import { BLOCK_ROWS } from "./kernel/row-memory.js";
/** The record has no vector. No cosine is below -1. */
export const NO_COSINE = -2;
/** Writes the cosine of each row to `cosines`. */
export function cosinesOfRows(rows, list, query, cosines) {
    const kernel = kernelOf(rows);
    kernel.ask(query);
    for (let from = 0; from < list.length; from += BLOCK_ROWS) {
        const count = Math.min(BLOCK_ROWS, list.length - from);
        for (let i = 0; i < count; i++)
            kernel.list[i] = list[from + i];
        kernel.dots(count);
        for (let i = 0; i < count; i++)
            cosines[from + i] = toCosine(kernel.sums[i], rows.inverseLengths[list[from + i]], query.inverseLength);
    }
}
/** Writes the cosine of each record that has a vector. */
export function cosinesOfRun({ rows, base }, run, query) {
    const { docs, cosines } = run;
    const { docRow, inverseLengths } = rows;
    const kernel = kernelOf(rows);
    kernel.ask(query);
    for (let from = run.from; from < run.to; from += BLOCK_ROWS) {
        const to = Math.min(run.to, from + BLOCK_ROWS);
        let listed = 0;
        for (let at = from; at < to; at++) {
            const row = docRow[docs[at] - base];
            if (row >= 0)
                kernel.list[listed++] = row;
        }
        kernel.dots(listed);
        listed = 0;
        for (let at = from; at < to; at++) {
            const row = docRow[docs[at] - base];
            if (row >= 0)
                cosines[at] = toCosine(kernel.sums[listed++], inverseLengths[row], query.inverseLength);
        }
    }
}
/** The cosine of one record, or NO_COSINE. */
export function cosineOf(rows, doc, query) {
    const row = rows.docRow[doc];
    if (row < 0)
        return NO_COSINE;
    const kernel = kernelOf(rows);
    kernel.ask(query);
    kernel.list[0] = row;
    kernel.dots(1);
    return toCosine(kernel.sums[0], rows.inverseLengths[row], query.inverseLength);
}
/** dot / (|a| |b|), where a and b are counted in 1/SCALE; kept within -1 … 1 against the last bit. */
function toCosine(sum, inverseA, inverseB) {
    return Math.max(-1, Math.min(1, sum * inverseA * inverseB));
}
