// All records of one state, in the order of their ids; what is written meanwhile does not show.

import { mergeRuns } from "../base/merge-runs.js";
import { runInSlices } from "../base/slices.js";
import { type IndexState, livingDocs } from "./index-state.js";

/** Fresh copies of all living records. */
export async function* browseRecords<R>(state: IndexState): AsyncGenerator<R, void, undefined> {
  const runs = state.segments.map(({ segment, dead, base }) => livingDocs({ segment, dead }).map((doc) => base + doc));
  const docs = await runInSlices(mergeRuns(runs, (a, b) => (state.idBefore(a, b) ? -1 : 1)));
  for (const doc of docs) yield state.recordOf(doc) as R;
}
