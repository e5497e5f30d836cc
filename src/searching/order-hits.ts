// The order of hits: sort attributes where a query names some, then the score, then custom ranking, then the id. Grouping
// keeps the best of each group in that order.

import type { AttributeValue } from "../attributes/filter.js";
import { compareByKeys, type SortKey, sortValue } from "../attributes/sort-keys.js";
import type { Before } from "../base/top-k.js";
import type { FusedRanking } from "../query/fusion/fused-ranking.js";
import { columnOf } from "../state/column-store.js";
import type { IndexSnapshot } from "../state/index-snapshot.js";

/** An attribute to order by. */
export interface OrderAttribute {
  readonly attribute: string;
  readonly direction: "asc" | "desc";
}

/** The order of places in a ranking. */
export function orderOf(
  hits: FusedRanking,
  sort: readonly OrderAttribute[],
  ranking: readonly OrderAttribute[],
  snapshot: IndexSnapshot,
): Before {
  const { members } = hits;
  const bySort = compareByKeys(sort.map((key) => sortKey(key, members, snapshot)));
  const byRanking = compareByKeys(ranking.map((key) => sortKey(key, members, snapshot)));
  return (a, b) => {
    const order = bySort(a, b) || hits.compare(a, b) || byRanking(a, b);
    return order !== 0 ? order < 0 : snapshot.idBefore(members[a]!, members[b]!);
  };
}

/** The values of an attribute by place: looked up once, compared often. Members ascend, so segments come one by one. */
function sortKey({ attribute, direction }: OrderAttribute, members: Uint32Array, snapshot: IndexSnapshot): SortKey {
  const values: (AttributeValue | undefined)[] = [];
  for (const { segment, base } of snapshot.segments) {
    const column = columnOf(segment, attribute);
    const end = base + segment.size;
    while (values.length < members.length && members[values.length]! < end)
      values.push(sortValue(column, members[values.length]! - base, direction));
  }
  return { direction, keyOf: (place) => values[place] };
}

/** The group of each record: a small number; records without the attribute are groups of their own. */
export function groupsOf(snapshot: IndexSnapshot, attribute: string): (doc: number) => number {
  const numbers = new Map<AttributeValue, number>();
  const alone = new Map<number, number>();
  let count = 0;
  return (doc) => {
    const { segment, base } = snapshot.segmentOf(doc);
    const value = sortValue(columnOf(segment, attribute), doc - base, "asc");
    const known = value === undefined ? alone.get(doc) : numbers.get(value);
    if (known !== undefined) return known;
    if (value === undefined) alone.set(doc, count);
    else numbers.set(value, count);
    return count++;
  };
}

/** The best place of each group, in any order. */
export function bestOfGroups({ members }: FusedRanking, groupOf: (doc: number) => number, before: Before): Uint32Array {
  const best = new Map<number, number>();
  for (let place = 0; place < members.length; place++) {
    const group = groupOf(members[place]!);
    const leader = best.get(group);
    if (leader === undefined || before(place, leader)) best.set(group, place);
  }
  return Uint32Array.from(best.values());
}
