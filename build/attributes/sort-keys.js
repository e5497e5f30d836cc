// The order of records by their attributes. A record without the attribute comes last in both directions. Of several values
// of a record, the one that ranks it highest counts.
import { compareValues } from "./attribute-values.js";
import { rowOf } from "./doc-values.js";
/** The value that a record of a segment is sorted by: its least for ascending, its greatest for descending order. */
export function sortValue(column, doc, direction) {
    const row = column === undefined ? -1 : rowOf(column, doc);
    if (column === undefined || row < 0)
        return undefined;
    const { starts, ordinals, values } = column;
    const [from, to] = [starts[row], starts[row + 1]];
    return from === to ? undefined : values[ordinals[direction === "asc" ? from : to - 1]];
}
/** Compares documents by the first key on which they differ; 0 when there is none. */
export function compareByKeys(keys) {
    return (a, b) => {
        for (const key of keys) {
            const order = compareKeys(key.keyOf(a), key.keyOf(b), key.direction);
            if (order !== 0)
                return order;
        }
        return 0;
    };
}
function compareKeys(a, b, direction) {
    if (a === undefined || b === undefined)
        return Number(a === undefined) - Number(b === undefined);
    return direction === "asc" ? compareValues(a, b) : compareValues(b, a);
}
