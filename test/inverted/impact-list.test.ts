import { expect } from "vitest";
import { ImpactList, intersectLists, uniteLists } from "../../src/inverted/impact-list.js";
import { property, type Random } from "../support/random.js";

const MAX_DOC = 5000;

function randomList(random: Random): ImpactList {
  const share = random.pick([0.0005, 0.02, 0.9]);
  const docs = [...Array(MAX_DOC).keys()].filter(() => random.chance(share));
  if (docs.length === 0) docs.push(random.pick([0, MAX_DOC - 1]));
  return new ImpactList(
    Uint16Array.from(docs),
    Uint16Array.from(docs, () => random.between(1, 65_535)),
  );
}

/** By record: its impacts in all lists. */
function impactsOf(lists: readonly ImpactList[]): Map<number, number[]> {
  const byDoc = new Map<number, number[]>();
  for (const { docs, impacts } of lists)
    for (const [i, doc] of docs.entries()) byDoc.set(doc, [...(byDoc.get(doc) ?? []), impacts[i]!]);
  return new Map([...byDoc].sort(([a], [b]) => a - b));
}

function entriesOf(list: ImpactList | null): [number, number][] {
  return list === null ? [] : Array.from(list.docs, (doc, i) => [doc, list.impacts[i]!]);
}

property(
  "a union has each record with its greatest impact, an intersection those of all lists with the least",
  60,
  (random) => {
    const lists = random.list(1, 4, () => randomList(random));
    // A query may have one list twice.
    if (random.chance(0.2)) lists.push(lists[0]!);
    const byDoc = [...impactsOf(lists)];
    const united = uniteLists(lists, MAX_DOC);
    expect(entriesOf(united)).toEqual(byDoc.map(([doc, impacts]) => [doc, Math.max(...impacts)]));
    const inAll = byDoc.filter(([, impacts]) => impacts.length === lists.length);
    expect(entriesOf(intersectLists(lists))).toEqual(inAll.map(([doc, impacts]) => [doc, Math.min(...impacts)]));
    const greatest = Math.max(...united.impacts);
    expect([united.maxImpact, united.impactAt(united.bestDoc)]).toEqual([greatest, greatest]);
    expect(united.minImpact).toBeLessThanOrEqual(Math.min(...united.impacts));
  },
);
