// Rows Q48, Q50, Q52 and Q54 to Q56: queries of an index that is empty, huge, busy or closed.

import { expect } from "vitest";
import type { Row } from "./row.js";
import { idsOf, rec, type Seen, World } from "./world.js";

/** Rows Q48, Q50, Q52, Q54 to Q56. */
export const STATES: readonly Row[] = [
  {
    row: "Q48",
    what: "an empty index",
    run: async (world) => {
      await world.create("new");
      return [await world.ask({ query: "drill" }, "new"), await world.ask({ query: "" }, "new")];
    },
    expect: (result) =>
      expect(result).toMatchObject([
        { nbHits: 0, hits: [] },
        { nbHits: 0, hits: [] },
      ]),
  },
  {
    row: "Q50",
    what: "a hit changed by the caller",
    run: async (world) => {
      const first = await world.ask({ query: "blue drill" });
      const source = first.hits[0]!.source as { title: string; specs: { volts: number } };
      source.title = "changed";
      source.specs.volts = 0;
      Reflect.set(first.hits, "length", 0);
      return [await world.ask({ query: "blue drill" }), await world.get(["two"])];
    },
    expect: (result) => {
      const [seen, records] = result as [Seen, { specs: unknown }[]];
      expect(seen.hits[0]?.source).toMatchObject({ title: "Blue drill", specs: { volts: 18 } });
      expect(records[0]?.specs).toEqual({ volts: 18 });
    },
  },
  {
    row: "Q52",
    what: "200,000 matching records",
    run: async (world) => {
      await world.create("new");
      await world.add(
        Array.from({ length: 200_000 }, (_, id) => ({ id, t: "nut" })),
        "new",
      );
      const seen = await world.ask({ query: "nut", page: 200, hitsPerPage: 1000 }, "new");
      const blank = await world.ask({ query: "", hitsPerPage: 1 }, "new");
      return [seen.nbHits, seen.hits.length, blank.nbHits];
    },
    expect: (result) => expect(result).toEqual([200_000, 1000, 200_000]),
  },
  {
    row: "Q54",
    what: "1,000 queries in one tick",
    run: async (world) => {
      const answers = await Promise.all(
        Array.from({ length: 1000 }, (_, i) => world.ask({ query: "drill" }, i % 2 ? "shop" : "meant")),
      );
      return new Set(answers.map((seen) => idsOf(seen).join())).size;
    },
    expect: (result) => expect(result).toBeLessThanOrEqual(2),
  },
  ...(
    [
      "query",
      "addRecords",
      "deleteRecords",
      "getRecords",
      "createIndex",
      "listIndexes",
      "getSettings",
      "clearIndex",
      "deleteIndex",
    ] as const
  ).map(
    (verb): Row => ({
      row: "Q55",
      what: `${verb} after close`,
      run: async () => {
        const other = await World.open();
        await other.engine.close();
        await other.engine.close();
        const second: unknown = {
          query: { query: "drill" },
          addRecords: [rec()],
          deleteRecords: [1],
          getRecords: [1],
          createIndex: {},
        }[verb as "query"];
        return Reflect.apply(other.engine[verb], other.engine, [verb === "createIndex" ? "new" : "shop", second]);
      },
      expect: { code: 503, error: "closed" },
    }),
  ),
  ...(["close", "deleteIndex"] as const).map(
    (verb): Row => ({
      row: "Q55",
      what: `${verb} ends a write whose embedder hangs`,
      run: async () => {
        const other = await World.open();
        other.embedder.answer = () => new Promise(() => {});
        const write = other.add([rec()], "meant").catch((error: unknown) => error);
        await new Promise((resolve) => setTimeout(resolve, 20));
        const late = new Promise((resolve) => setTimeout(() => resolve("late"), 1000));
        return Promise.race([late, Promise.resolve(other.engine[verb]("meant")).then(() => write)]);
      },
      expect: (result) => expect(result).toMatchObject(verb === "close" ? { code: 503 } : { code: 404 }),
    }),
  ),
  {
    row: "Q56",
    what: "queries while segments are merged and the graph grows",
    run: async (world) => {
      const handle = await world.engine.createIndex("new", {
        vectorAttribute: "v",
        dimensions: 2,
        vectorIndex: { kind: "hnsw" },
      });
      const counts: number[] = [];
      for (let i = 0; i < 120; i++) {
        await handle.addRecords([{ id: i, t: "nut", v: [1, i] }]);
        counts.push((await world.ask({ query: "nut", vector: [1, 1], hitsPerPage: 0 }, "new")).nbHits - i);
      }
      await handle.whenIdle();
      return [...new Set(counts), (await world.ask({ query: "nut" }, "new")).nbHits];
    },
    expect: (result) => expect(result).toEqual([1, 120]),
  },
];
