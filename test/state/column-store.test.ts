import { describe, expect, it } from "vitest";
import type { JsonRecord } from "../../src/index.js";
import { readFilters } from "../../src/input/filter-object.js";
import {
  attributesOf,
  ColumnReferences,
  columnBytes,
  columnOf,
  columnsToStore,
  dropColumns,
  ensureColumns,
  inheritColumns,
  itemTableOf,
  KEPT_COLUMNS,
  passFilter,
} from "../../src/state/column-store.js";
import { IndexSnapshot } from "../../src/state/index-snapshot.js";
import type { LocalDoc } from "../../src/util/doc-set.js";
import { DEFAULT_LIMITS } from "../../src/util/limits.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";
import { mergeSegments } from "../../src/write/merge-segments.js";
import { Random } from "../support/random.js";
import { randomRecords } from "../support/random-values.js";
import { segmentFrom, settingsFrom } from "../support/states.js";

const SETTINGS = settingsFrom().effective;
const ATTRIBUTES = ["brand", "price", "colors", "new", "kind.main", "nobody"];

/** A state of several segments with some records dead, all ids different. */
async function randomState(random: Random): Promise<IndexSnapshot> {
  let snapshot = IndexSnapshot.empty();
  for (let batch = 0; batch < 3; batch++) {
    const records = randomRecords(random, 25).map((record): JsonRecord => ({ ...record, id: `${batch}-${record.id}` }));
    snapshot = snapshot.with({ added: [await segmentFrom(records)] });
  }
  const some = (size: number) => random.some([...Array(size).keys()], 0.3).slice(0, size - 1) as LocalDoc[];
  return snapshot.with({
    deletions: new Map(snapshot.segments.map(({ segment }) => [segment.segmentId, some(segment.size)])),
  });
}

/** Builds columns as a query does that has ended. */
function use(snapshot: IndexSnapshot, attributes: readonly string[]): void {
  const references = new ColumnReferences();
  runTaskAtOnce(ensureColumns(snapshot, attributes, references));
  references.release();
}

describe("columns", () => {
  for (const seed of [1, 2, 3, 4, 5, 6])
    it(`that are merged are those that would be built (seed ${seed})`, async () => {
      const snapshot = await randomState(new Random(seed));
      use(snapshot, ATTRIBUTES);
      const [merged, fresh] = [1, 2].map(() => runTaskAtOnce(mergeSegments(snapshot.segments)));
      runTaskAtOnce(inheritColumns(merged!, SETTINGS));
      use(IndexSnapshot.empty().with({ added: [fresh!.segment] }), ATTRIBUTES);
      for (const attribute of ATTRIBUTES)
        expect(columnOf(merged!.segment, attribute), attribute).toEqual(columnOf(fresh!.segment, attribute));
    });
});

describe("columns of declared attributes", () => {
  it("are in a merged segment whatever its sources had, as the settings declare now", async () => {
    const [first, second] = [
      await segmentFrom([{ id: "a", brand: "x", price: 1, step: 1 }], { attributesForFaceting: ["brand", "step"] }),
      await segmentFrom([{ id: "b", brand: "y", price: 2 }], { customRanking: ["asc(price)"] }),
    ];
    const both = IndexSnapshot.empty().with({ added: [first, second] });
    const merged = runTaskAtOnce(mergeSegments(both.segments));
    const { effective } = settingsFrom({ attributesForFaceting: ["brand"], attributeForDistinct: "price" });
    runTaskAtOnce(inheritColumns(merged, effective));
    const stored = runTaskAtOnce(columnsToStore(merged.segment));
    expect(stored.map(([attribute, column]) => [attribute, column?.values])).toEqual([
      ["brand", ["x", "y"]],
      ["price", [1, 2]],
    ]);
  });
});

describe("columns that were not declared", () => {
  const names = (from: number, count: number) => Array.from({ length: count }, (_, i) => `a${from + i}`);

  it("are kept in a limited number, the last used ones", async () => {
    const segment = await segmentFrom([
      { id: 1, ...Object.fromEntries(names(0, KEPT_COLUMNS + 10).map((name) => [name, "x"])) },
    ]);
    const snapshot = IndexSnapshot.empty().with({ added: [segment] });
    use(snapshot, names(0, KEPT_COLUMNS));
    use(snapshot, ["a0"]);
    const bytes = columnBytes(segment);
    use(snapshot, names(KEPT_COLUMNS, 2));
    const kept = names(0, KEPT_COLUMNS + 2).filter((name) => columnOf(segment, name) !== undefined);
    expect(kept).toEqual(["a0", ...names(3, KEPT_COLUMNS - 1)]);
    expect(columnBytes(segment)).toBe(bytes);
  });

  it("stay while a query uses them", async () => {
    const segment = await segmentFrom([{ id: 1, a: "x", b: "y" }]);
    const snapshot = IndexSnapshot.empty().with({ added: [segment] });
    const [first, second] = [new ColumnReferences(), new ColumnReferences()];
    runTaskAtOnce(ensureColumns(snapshot, ["a"], first));
    runTaskAtOnce(ensureColumns(snapshot, ["a", "b"], second));
    second.release(0);
    expect([columnOf(segment, "a")?.values, columnOf(segment, "b")]).toEqual([["x"], undefined]);
    dropColumns(segment, 0);
    expect(columnOf(segment, "a")?.values).toEqual(["x"]);
    first.release(0);
    expect([columnOf(segment, "a"), columnBytes(segment)]).toEqual([undefined, 0]);
  });
});

describe("items of lists", () => {
  it("are kept as columns are, counted and dropped", async () => {
    const segment = await segmentFrom([{ id: 1, a: [{ b: "x" }, { b: "y", c: [{ d: 1 }] }] }, { id: 2 }]);
    const snapshot = IndexSnapshot.empty().with({ added: [segment] });
    const filter = readFilters("a{b:y AND c{d > 0}}", DEFAULT_LIMITS);
    const pass = (): number[] => {
      const references = new ColumnReferences();
      runTaskAtOnce(ensureColumns(snapshot, attributesOf(filter), references));
      const passed = [...runTaskAtOnce(passFilter(filter, snapshot)).toArray()];
      references.release();
      return passed;
    };
    expect([pass(), pass()]).toEqual([[0], [0]]);
    expect([itemTableOf(segment, "a")?.size, itemTableOf(segment, "a.c", "a")?.holders]).toEqual([
      2,
      Uint32Array.of(1),
    ]);
    expect(columnBytes(segment)).toBeGreaterThan(100);
    dropColumns(segment, 0);
    expect([itemTableOf(segment, "a"), columnBytes(segment)]).toEqual([undefined, 0]);
    expect(pass()).toEqual([0]);
    const merged = runTaskAtOnce(mergeSegments(snapshot.segments));
    runTaskAtOnce(inheritColumns(merged, SETTINGS));
    expect(columnBytes(merged.segment)).toBe(0);
  });
});
