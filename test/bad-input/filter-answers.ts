// Rows F28 to F30 and F32: filters that pass nothing or everything, and filters over records that come and go.

import { expect } from "vitest";
import { quoteFilterValue } from "../../src/index.js";
import type { Row } from "./row.js";
import { idsOf, vectorOf, type World } from "./world.js";

async function twentyThousand(world: World): Promise<void> {
  const handle = await world.engine.createIndex("many", {
    vectorAttribute: "v",
    dimensions: 8,
    vectorIndex: { kind: "hnsw" },
  });
  await handle.addRecords(Array.from({ length: 20_000 }, (_, id) => ({ id, kind: "nut", t: "nut", v: vectorOf(id) })));
  await handle.whenIdle();
}

const NOTHING: readonly unknown[] = ["kind:bolt", { kind: "bolt" }, "kind:nut AND NOT kind:nut", { kind: [] }];

const EXTREMES: readonly Row[] = [
  {
    row: "F28",
    what: "filters that none of 20,000 vectors passes find nothing",
    prepare: twentyThousand,
    run: async (world) => {
      const answers: unknown[] = [];
      for (const filters of NOTHING)
        for (const query of ["", "nut"]) {
          const { nbHits, hits } = await world.ask({ query, filters, vector: vectorOf(5) }, "many");
          answers.push([nbHits, hits.length]);
        }
      return answers;
    },
    expect: (result) => expect(result).toEqual(new Array(NOTHING.length * 2).fill([0, 0])),
  },
  {
    row: "F28",
    what: "a filter that one of 20,000 vectors passes finds that one",
    prepare: twentyThousand,
    run: async (world) => {
      await world.add([{ id: "one", kind: "bolt", v: vectorOf(70_000) }], "many");
      return idsOf(
        await world.ask({ query: "", filters: "kind:bolt", vector: vectorOf(5), semanticFloor: -1 }, "many"),
      );
    },
    expect: (result) => expect(result).toEqual(["one"]),
  },
  {
    row: "F29",
    what: "a filter that all pass changes nothing",
    run: async (world) => {
      const alike: boolean[] = [];
      for (const index of ["shop", "near", "meant"])
        for (const query of ["", "drill", "red kettle", "unicycle"])
          for (const filters of ["note EXISTS", { note: { exists: true } }, "title EXISTS OR price < 0", " "]) {
            const vector = index === "near" ? { vector: vectorOf(1) } : {};
            const [plain, passing] = [
              await world.ask({ query, facets: ["*"], ...vector }, index),
              await world.ask({ query, facets: ["*"], filters, ...vector }, index),
            ];
            alike.push(JSON.stringify(plain) === JSON.stringify(passing));
          }
      return [...new Set(alike)];
    },
    expect: (result) => expect(result).toEqual([true]),
  },
];

const CONDITIONS = ["brand:Forge", "price < 20", "tags:garden", "brand EXISTS", "price:5 TO 15", "brand:nobody"];

const CONTRADICTIONS: readonly Row[] = CONDITIONS.flatMap((condition): Row[] => [
  {
    row: "F30",
    what: `${condition} AND NOT ${condition}`,
    run: async (world) => [
      (await world.ask({ query: "", filters: `${condition} AND NOT ${condition}` })).nbHits,
      (await world.ask({ query: "", filters: `NOT (${condition} OR NOT (${condition}))` })).nbHits,
    ],
    expect: (result) => expect(result).toEqual([0, 0]),
  },
  {
    row: "F30",
    what: `${condition} OR NOT ${condition}`,
    run: async (world) => [
      (await world.ask({ query: "", filters: `${condition} OR NOT ${condition}` })).nbHits,
      (await world.ask({ query: "", filters: `NOT (${condition} AND NOT ${condition})` })).nbHits,
    ],
    expect: (result) => expect(result).toEqual([3, 3]),
  },
]);

/** Rounds of changes after which a filter or a count disagreed with a Map. */
async function ghosts(world: World): Promise<unknown> {
  await world.create("new");
  const kinds = ["a", "b", "c", "__proto__"];
  const model = new Map<string, string>();
  let state = 3;
  const random = (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const wrong: unknown[] = [];
  for (let round = 0; round < 40; round++) {
    const batch = Array.from({ length: 20 }, () => ({ id: `r${random(60)}`, kind: kinds[random(4)]! }));
    if (round % 10 === 9) await world.call("replaceAllRecords", "new", batch);
    else await world.call("updateRecords", "new", batch);
    model.clear();
    for (const record of (await world.records("new")) as typeof batch) model.set(record.id, record.kind);
    const gone = kinds[random(4)]!;
    await world.call("deleteBy", "new", { filters: { kind: gone, NOT: { id: ["r1", "r2"] } } });
    for (const [id, kind] of [...model]) if (kind === gone && id !== "r1" && id !== "r2") model.delete(id);
    for (const kind of kinds) {
      const expected = [...model]
        .filter(([, each]) => each === kind)
        .map(([id]) => id)
        .sort();
      const seen = await world.ask(
        { query: "", filters: `kind:${quoteFilterValue(kind)}`, facets: ["kind"], hitsPerPage: 1000 },
        "new",
      );
      const count = seen.facets?.kind?.find(({ value }) => value === kind)?.count ?? 0;
      if (idsOf(seen).sort().join() !== expected.join() || count !== expected.length) wrong.push([round, kind]);
    }
  }
  return wrong;
}

const CHANGES: readonly Row[] = [
  {
    row: "F32",
    what: "40 rounds of adding, updating, replacing and deleting leave no ghost in filters or counts",
    run: ghosts,
    expect: (result) => expect(result).toEqual([]),
  },
  {
    row: "F32",
    what: "a value that no record holds any more is known, and found nowhere",
    run: async (world) => {
      await world.add([{ id: 1, title: "Red kettle", brand: "Volt" }]);
      await world.delete(["two", 3]);
      return [
        (await world.ask({ query: "", filters: "brand:Forge" })).nbHits,
        (await world.ask({ query: "", filters: "price < 100" })).nbHits,
        (await world.ask({ query: "", filters: "tags:garden OR specs.volts = 18" })).nbHits,
        (await world.ask({ query: "", facets: ["brand", "tags"] })).facets,
      ];
    },
    expect: (result) => expect(result).toEqual([0, 0, 0, { brand: [{ value: "Volt", count: 1 }], tags: [] }]),
  },
  {
    row: "F32",
    what: "after clearIndex the old attributes are forgotten",
    run: async (world) => {
      await world.engine.clearIndex("shop");
      await world.add([{ id: 1, kind: "a" }]);
      return world.ask({ query: "", filters: "brand:Forge" }).catch((error: unknown) => error);
    },
    expect: (result) => expect(result).toMatchObject({ code: 400, error: "unknown_filter_field" }),
  },
];

/** Rows F28 to F30, F32. */
export const ANSWERS: readonly Row[] = [...EXTREMES, ...CONTRADICTIONS, ...CHANGES];
