import type { Filter } from "../attributes/filter.js";
import { readFilters } from "../attributes/filter-object.js";
import { ownEntries } from "../base/checks.js";
import { refuse, SearchError } from "../base/errors.js";
import type { Limits } from "../base/limits.js";
import type { Steps } from "../base/slices.js";
import type { FilterObject } from "../query/filter-types.js";
import { filterComplaints } from "../state/check-attributes.js";
import { ensureColumns } from "../state/column-store.js";
import type { IndexVersion } from "../state/index-content.js";
import { attributesOf, passFilter } from "../state/pass-filter.js";

/** Which records to delete. */
export interface DeleteByParams<R extends object> {
  /** Filter text, or the equal object; not empty. */
  readonly filters: string | FilterObject<R>;
}

/** The filter of a deletion; 400 for a wrong or an empty one. */
export function readDeletion(params: unknown, limits: Limits): Filter {
  const filter = readFilters(ownEntries(params, "params", "invalid_request").get("filters"), limits);
  if (filter.kind !== "everything") return filter;
  throw new SearchError(
    400,
    "invalid_filter",
    "filters is empty and would delete all records; use clearIndex for that.",
    {
      param: "filters",
    },
  );
}

/** The records that pass the filter: by segment uid, ascending record numbers. */
export function* docsToDelete(
  filter: Filter,
  { state, settings, catalog }: IndexVersion,
): Steps<Map<number, number[]>> {
  refuse(filterComplaints(filter, "filters", { settings: settings.effective, catalog }));
  yield* ensureColumns(state, attributesOf(filter));
  const passed = yield* passFilter(filter, state);
  const found = new Map<number, number[]>();
  for (const { segment, base } of state.segments) {
    const docs: number[] = [];
    for (let doc = 0; doc < segment.size; doc++) if (passed.has(base + doc)) docs.push(doc);
    if (docs.length > 0) found.set(segment.uid, docs);
  }
  return found;
}
