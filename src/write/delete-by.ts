// Deletes the records that pass a filter: reads the filter, and finds the records.

import type { Filter, FilterObject } from "../docvalues/filter.js";
import { readFilters } from "../input/filter-object.js";
import { copyParams } from "../input/read-params.js";
import { checkFilter, warnOfComparisons } from "../state/check-attributes.js";
import { attributesOf, ColumnReferences, ensureColumns, passFilter } from "../state/column-store.js";
import type { IndexVersion } from "../state/index-data.js";
import type { Deletions } from "../state/index-snapshot.js";
import type { MemoryBudget } from "../state/memory-budget.js";
import { type LocalDoc, toDoc } from "../util/doc-set.js";
import { SearchError, show } from "../util/errors.js";
import type { Warn } from "../util/extension-points.js";
import type { Limits } from "../util/limits.js";
import type { Task } from "../util/tasks.js";

/** Which records to delete. */
export interface DeleteByParams<R extends object> {
  /** A filter as text or as an object; not empty. */
  readonly filters: string | FilterObject<R>;
}

/** Reads the filter. Throws 400 if it is wrong, if every record passes it, or if there are other parameters. */
export function readDeletion(params: unknown, limits: Limits): Filter {
  const given = copyParams(params, limits);
  const filter = readFilters(given.filters, limits);
  for (const name of Object.keys(given))
    if (name !== "filters") {
      const msg = `parameter ${show(name)} is unknown here; deleteBy takes filters alone, and ignoring it might delete too much.`;
      throw new SearchError(400, "unknown_parameter", msg, { param: name });
    }
  if (!passesAll(filter)) return filter;
  throw new SearchError(
    400,
    "invalid_filter",
    "filters is empty and would delete all records; use clearIndex for that.",
    { param: "filters" },
  );
}

/** Whether every possible record passes a filter. */
function passesAll(filter: Filter): boolean {
  if (filter.kind === "and") return filter.filters.every(passesAll);
  if (filter.kind === "or") return filter.filters.some(passesAll);
  return filter.kind === "everything" || (filter.kind === "not" && passesNone(filter.filter));
}

/** Whether no possible record passes a filter. */
function passesNone(filter: Filter): boolean {
  if (filter.kind === "and") return filter.filters.some(passesNone);
  if (filter.kind === "or") return filter.filters.every(passesNone);
  if (filter.kind === "in") return filter.values.length === 0;
  return filter.kind === "not" ? passesAll(filter.filter) : filter.kind === "some" && passesNone(filter.filter);
}

/** The records that pass the filter. Throws 400 if it names an unknown attribute. */
export function* docsToDelete(
  filter: Filter,
  { snapshot, settings, attributes }: IndexVersion,
  memory: MemoryBudget,
  warn: Warn,
): Task<Deletions> {
  yield* checkFilter(filter, "filters", { settings: settings.effective, attributes });
  const references = new ColumnReferences();
  const found = new Map<number, LocalDoc[]>();
  try {
    yield* ensureColumns(snapshot, attributesOf(filter), references);
    yield* warnOfComparisons(filter, "filters", snapshot, warn);
    const passed = yield* passFilter(filter, snapshot);
    for (const { segment, base } of snapshot.segments) {
      const docs: LocalDoc[] = [];
      for (let doc = 0 as LocalDoc; doc < segment.size; doc++) if (passed.has(toDoc(base, doc))) docs.push(doc);
      if (docs.length > 0) found.set(segment.segmentId, docs);
    }
  } finally {
    references.release(memory.columnsToKeep());
  }
  return found;
}
