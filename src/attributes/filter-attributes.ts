import type { Condition, Filter } from "./filter.js";

/** All conditions of a filter, from left to right; those of one attribute may come again. */
export function conditionsOf(filter: Filter): Condition[] {
  const conditions: Condition[] = [];
  collect(filter, conditions);
  return conditions;
}

function collect(filter: Filter, into: Condition[]): void {
  switch (filter.kind) {
    case "everything":
      return;
    case "and":
    case "or":
      for (const part of filter.filters) collect(part, into);
      return;
    case "not":
      collect(filter.filter, into);
      return;
    default:
      into.push(filter);
  }
}
