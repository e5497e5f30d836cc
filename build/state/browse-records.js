// Reading stored records of one state; what is written meanwhile does not show.
import { pauseIfLong, runInSlices } from "../base/slices.js";
import { docsInIdOrder } from "./index-state.js";
const PAUSE_EVERY = 64;
/** Fresh copies of all living records, in the order of their ids. */
export async function* browseRecords(state) {
    for (const doc of await runInSlices(docsInIdOrder(state))) {
        yield state.recordOf(doc);
        // A consumer that waits for nothing else would never let the event loop turn.
        await pauseIfLong();
    }
}
/** A fresh copy of each of these records, null where there is none. */
export function* recordsById(state, ids) {
    const records = [];
    for (const id of ids) {
        const doc = state.find(id);
        if (records.push(doc < 0 ? null : state.recordOf(doc)) % PAUSE_EVERY === 0)
            yield;
    }
    return records;
}
