// Estimates the memory of the parts of an index: typed arrays to the byte, strings and maps on V8's heap by their usual size.
import { tableBytes } from "../records/record-table.js";
import { postingsBytes } from "../text/postings.js";
import { titleWordBytes } from "../text/title/title-words.js";
import { rowsBytes } from "../vector/vector-rows.js";
import { columnBytes } from "./column-store.js";
const known = new WeakMap();
/** The bytes that a segment always takes; what queries build comes on top. */
export function segmentBytes(segment) {
    const { records, text, vectors } = fixedParts(segment);
    return records + text + vectors;
}
/** Estimates the memory of segments and a graph, by part. */
export function estimateMemory({ segments, graphBytes }) {
    let [records, text, vectors, columns] = [0, 0, 0, 0];
    for (const segment of segments) {
        const parts = fixedParts(segment);
        records += parts.records;
        text += parts.text + titleWordBytes(segment.postings);
        vectors += parts.vectors;
        columns += columnBytes(segment);
    }
    const total = records + text + vectors + columns + graphBytes;
    return { records, text, vectors, columns, graph: graphBytes, total };
}
function fixedParts(segment) {
    let parts = known.get(segment);
    if (parts === undefined) {
        const { records, postings, vectors } = segment;
        parts = {
            records: tableBytes(records),
            text: postingsBytes(postings),
            vectors: vectors === null ? 0 : rowsBytes(vectors),
        };
        known.set(segment, parts);
    }
    return parts;
}
