// Clicks and counts in segments so large that the records of a value are kept as sets: against plain loops over the records.

import { expect, it } from "vitest";
import { SearchEngine } from "../../src/index.js";
import { property } from "../support/random.js";
import { seq } from "../support/seq.js";

const COLORS = ["red", "green", "blue", "grey"];
const WORDS = ["drill", "saw", "lamp"];

property("counts over thousands of records are those of a plain count", 4, async (random) => {
  const records = Array.from({ length: random.between(9000, 11_000) }, (_, id) => ({
    id,
    note: random.some(WORDS, random.pick([0.02, 0.5])).join(" "),
    colors: [...random.some(COLORS, 0.4), ...(random.chance(0.01) ? [`shade ${id}`] : [])],
    aisle: random.between(1, 6),
    rare: random.between(1, 400),
  }));
  const engine = new SearchEngine();
  const index = await engine.createIndex("shop", { embedder: false });
  const border = random.between(4100, 4900);
  await index.addRecords(records.slice(0, border));
  await index.addRecords(records.slice(border));
  const gone = new Set(random.some([...records.keys()], 0.05));
  await index.deleteRecords([...gone]);
  const living = records.filter(({ id }) => !gone.has(id));
  for (let asked = 0; asked < 12; asked++) {
    const words = random.some(WORDS, 0.6);
    const refinements = { colors: random.some(COLORS, 0.4), aisle: random.some([1, 2, 3, 4, 5, 6], 0.3) };
    const isFree = (name: "colors" | "aisle", without?: string) => without === name || refinements[name].length === 0;
    const passes = ({ colors, aisle }: (typeof records)[number], without?: string): boolean =>
      (isFree("colors", without) || colors.some((one) => refinements.colors.includes(one))) &&
      (isFree("aisle", without) || refinements.aisle.includes(aisle));
    const isMember = ({ note }: { note: string }): boolean =>
      words.length === 0 || words.some((word) => note.split(" ").includes(word));
    const [low, high] = [random.between(1, 3), random.between(3, 6)];
    const members = living.filter((record) => isMember(record) && record.aisle >= low && record.aisle <= high);
    const { data } = await index.query({
      query: words.join(" "),
      matching: "any",
      hitsPerPage: random.pick([0, 12]),
      facets: ["colors", "aisle", "rare"],
      maxValuesPerFacet: 1000,
      facetFilters: refinements,
      filters: { aisle: { gte: low, lte: high } },
    });
    expect(data.nbHits).toBe(members.filter((record) => passes(record)).length);
    for (const attribute of ["colors", "aisle", "rare"] as const) {
      const counted = new Map<string | number, number>();
      const kept = members.filter((record) => passes(record, attribute));
      for (const value of kept.flatMap((record) => [record[attribute]].flat()))
        counted.set(value, (counted.get(value) ?? 0) + 1);
      const found = new Map(data.facets![attribute]!.map(({ value, count }) => [value, count]));
      expect(found, JSON.stringify({ words, refinements, attribute })).toEqual(counted);
    }
  }
  await engine.close();
});

it("counts groups, not records, where hits are grouped", async () => {
  const engine = new SearchEngine();
  const index = await engine.createIndex("shop", { embedder: false, attributeForDistinct: "group", distinct: true });
  await index.addRecords(seq(5000, (id) => ({ id, note: "drill", group: id % 7, aisle: id % 2 })));
  const { data } = await index.query({ query: "drill", facets: ["aisle"] });
  expect(data.facets!.aisle).toEqual([0, 1].map((value) => ({ value, count: 7 })));
  await engine.close();
});
