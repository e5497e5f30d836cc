// The life of a record: prepare builds private segments and may wait or fail, changing nothing; commit publishes them by
// swapping one reference. Deleting shares the second half.
import { AttributeCatalog } from "./attributes/attribute-values.js";
import { SearchError } from "./base/errors.js";
import { runTask } from "./base/tasks.js";
import { parseRanking } from "./settings/check-settings.js";
import { buildDeclaredColumns } from "./state/column-store.js";
import { estimateMemory } from "./state/estimate-memory.js";
import { vectorOf } from "./vector/vector-rows.js";
import { startSegment } from "./writing/build-segment.js";
import { cutIntoSegments } from "./writing/read-batch.js";
/** Builds the segments of a batch against a state; entries are sorted by id and distinct. Touches nothing. */
export async function prepareBatch(snapshot, entries, context) {
    const { limits, signal, claim } = context;
    const most = context.threads?.recordsOfJob(entries.length);
    const groups = await runTask(cutIntoSegments(entries, most), signal);
    // The stored JSON alone is the least that the records will take: what cannot fit is refused before anything is built.
    let ahead = claim === undefined ? 0 : await runTask(jsonLength(groups), signal);
    claim?.(ahead);
    const deletions = await runTask(findLiving(snapshot, entries.length, (i) => entries[i].id), signal);
    const replaced = countDeleted(deletions);
    if (snapshot.liveCount + entries.length - replaced > limits.indexRecords)
        throw new SearchError(507, "index_full", `The index would hold more than ${limits.indexRecords} records; delete some or raise limits.indexRecords.`, { param: "records" });
    const attributes = new AttributeCatalog();
    const declared = declaredAttributes(context.settings.effective);
    const segments = [];
    let built = 0;
    const previous = previousRecords(context.vectorsFrom ?? (deletions.size > 0 ? snapshot : undefined));
    const started = startSegments(groups, entries.length, { ...context, attributes, previous });
    for (const [i, group] of groups.entries()) {
        const segment = await started[i]();
        await runTask(buildDeclaredColumns(segment, declared), signal);
        if (claim !== undefined) {
            built += estimateMemory({ segments: [segment], graphBytes: 0 }).total;
            for (const { json } of group)
                ahead -= json.length;
            claim(built + ahead);
        }
        segments.push(segment);
    }
    return { change: { added: segments, deletions }, attributes, added: entries.length - replaced, replaced };
}
/** All are begun before the first is finished: other threads may do several at once. */
function startSegments(groups, total, context) {
    const report = context.onProgress;
    let begun = 0;
    return groups.map((group) => {
        const before = begun;
        begun += group.length;
        const onProgress = (phase, done) => report?.({ done: before + done, total, phase });
        return startSegment(group, { ...context, onProgress });
    });
}
function* jsonLength(groups) {
    let total = 0;
    for (const group of groups) {
        for (const { json } of group)
            total += json.length;
        yield;
    }
    return total;
}
/** Attributes whose columns are built at once, because the settings name them. */
function declaredAttributes({ attributesForFaceting, customRanking, attributeForDistinct }) {
    const ranking = customRanking.map((text) => parseRanking(text).attribute);
    return [
        ...(attributesForFaceting ?? []),
        ...ranking,
        ...(attributeForDistinct === null ? [] : [attributeForDistinct]),
    ];
}
/**
 * The living records among `count` sorted, distinct ids: by segment uid, ascending record numbers. Walks ids and segments
 * side by side, leaping where one is far ahead, so that few ids cost a few searches and many cost one pass.
 */
export function* findLiving(snapshot, count, idAt) {
    const found = new Map();
    for (const live of snapshot.segments) {
        const docs = yield* findInSegment(live, count, idAt);
        if (docs.length > 0)
            found.set(live.segment.segmentId, docs);
    }
    return found;
}
function* findInSegment({ segment, deletedDocs }, count, idAt) {
    const theirs = segment.records.ids;
    const docs = [];
    let doc = 0;
    for (let i = 0; i < count && doc < theirs.length; i++) {
        const id = idAt(i);
        doc = leapTo(theirs, doc, id);
        if (theirs[doc] === id && !deletedDocs?.has(doc))
            docs.push(doc);
        if (i % 512 === 0)
            yield;
    }
    return docs;
}
/** The first place at or after `from` whose id is not before `id`: doubling steps, then halving (galloping search). */
function leapTo(ids, from, id) {
    let step = 1;
    let low = from;
    while (low + step < ids.length && ids[low + step] < id) {
        low += step;
        step *= 2;
    }
    let high = Math.min(low + step, ids.length);
    while (low < high) {
        const middle = (low + high) >>> 1;
        if (ids[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
/** How many records a retirement names. */
export function countDeleted(deletions) {
    let count = 0;
    for (const docs of deletions.values())
        count += docs.length;
    return count;
}
/** Looks up the record that an id has before the change. */
function previousRecords(snapshot) {
    if (snapshot === undefined)
        return () => undefined;
    return (id) => {
        const doc = snapshot.find(id);
        if (doc < 0)
            return undefined;
        const { segment, base } = snapshot.segmentOf(doc);
        return {
            record: snapshot.recordOf(doc),
            vector: segment.vectors === null ? null : vectorOf(segment.vectors, doc - base),
        };
    };
}
