// Reading stored records of one state; what is written meanwhile does not show.

import type { JsonRecord } from "../base/json.js";
import { runInSlices } from "../base/slices.js";
import { docsInIdOrder, type IndexState } from "./index-state.js";

/** Fresh copies of all living records, in the order of their ids. */
export async function* browseRecords<R>(state: IndexState): AsyncGenerator<R, void, undefined> {
  for (const doc of await runInSlices(docsInIdOrder(state))) yield state.recordOf(doc) as R;
}

/** A fresh copy of each of these records, null where there is none. */
export function recordsById(state: IndexState, ids: readonly string[]): (JsonRecord | null)[] {
  return ids.map((id) => {
    const doc = state.find(id);
    return doc < 0 ? null : state.recordOf(doc);
  });
}
