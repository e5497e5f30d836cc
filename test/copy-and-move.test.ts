import { describe, expect, it } from "vitest";
import { type JsonRecord, SearchEngine, type SearchIndex } from "../src/index.js";
import { AxisEmbedder } from "./support/axis-embedder.js";
import { rejectionOf } from "./support/refusal.js";

const RECORDS: readonly JsonRecord[] = [
  { id: 1, title: "drill", price: 3 },
  { id: 2, title: "sofa and drill", price: 1 },
];

async function made() {
  const embedder = new AxisEmbedder();
  const engine = new SearchEngine({ embedder });
  const source = await engine.createIndex("a", { customRanking: ["asc(price)"] });
  await source.addRecords(RECORDS);
  embedder.batches.length = 0;
  return { engine, embedder, source };
}

/** What an index answers, its name aside. */
async function answersOf(index: SearchIndex): Promise<unknown> {
  const asked = ["", "drill", "sofa"].map(async (query) => (await index.query({ query, facets: ["price"] })).data);
  const shown = (await Promise.all(asked)).map(({ hits, nbHits, facets }) => ({ hits, nbHits, facets }));
  return [shown, await index.getSettings()];
}

describe("a copy of an index", () => {
  it("answers as the other, without embedding anything", async () => {
    const { engine, embedder, source } = await made();
    await engine.copyIndex("a", "b");
    expect(embedder.takeTexts()).toEqual([]);
    expect(await answersOf(engine.index("b"))).toEqual(await answersOf(source));
  });

  it("lives a life of its own, and outlives the other", async () => {
    const { engine, source } = await made();
    await engine.copyIndex("a", "b");
    const before = await answersOf(source);
    const copy = engine.index("b");
    await copy.addRecords([{ id: 3, title: "lamp" }]);
    await copy.updateRecords([{ id: 1, title: "lamp" }]);
    await copy.updateSettings({ analyzer: "plain" });
    await copy.deleteRecords([2]);
    expect(await answersOf(source)).toEqual(before);
    await engine.deleteIndex("a");
    expect((await copy.query({ query: "lamp" })).data.hits.map(({ id }) => id)).toEqual(["1", "3"]);
  });
});

describe("an index that is copied or moved", () => {
  it("replaces the index of that name, whose handles see the new records; handles of what was moved answer 404", async () => {
    const { engine, source } = await made();
    const before = await answersOf(source);
    const [copy, moved] = [await engine.createIndex("b"), await engine.createIndex("c")];
    await engine.copyIndex("a", "b");
    await engine.moveIndex("a", "c");
    expect([await answersOf(copy), await answersOf(moved)]).toEqual([before, before]);
    await copy.addRecords([{ id: 8, title: "lamp" }]);
    expect([copy.recordCount, engine.index("b").recordCount, moved.recordCount]).toEqual([3, 3, 2]);
    expect((await engine.listIndexes()).map(({ name }) => name)).toEqual(["b", "c"]);
    expect((await rejectionOf(source.query({ query: "" }))).code).toBe(404);
  });

  it.each(["after the move", "before the move"])("loses no record whose writing was confirmed: %s", async (when) => {
    for (let turns = 0; turns < 40; turns++) {
      const { engine, source } = await made();
      const write = () =>
        source.addRecords([{ id: "late" }]).then(
          () => true,
          () => false,
        );
      const move = () => engine.moveIndex("a", "b");
      const [first, second] = when === "after the move" ? [move, write] : [write, move];
      const begun = first();
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      const ended = [await second(), await begun];
      expect((await engine.getRecords("b", ["late"]))[0] !== null, `after ${turns} turns`).toBe(ended.includes(true));
    }
  });
});

describe("calls that are made together", () => {
  it("take effect in their order: what comes after a copy is not overwritten by it", async () => {
    const { engine, source } = await made();
    const copy = engine.copyIndex("a", "b");
    const [later, elsewhere] = [8, 9].map((id) => [{ id, title: "lamp" }]);
    await Promise.all([copy, engine.addRecords("b", later!), engine.addRecords("a", elsewhere!)]);
    const has = async (index: SearchIndex) => (await index.getRecords([8, 9])).map((record) => record !== null);
    expect([await has(source), await has(engine.index("b"))]).toEqual([
      [false, true],
      [true, false],
    ]);
  });

  it("are refused where a copy with other settings came before them, and nothing is lost", async () => {
    const { engine } = await made();
    await engine.createIndex("b");
    const copy = engine.copyIndex("a", "b");
    const late = rejectionOf(engine.addRecords("b", [{ id: 8, title: "lamp" }]));
    await copy;
    expect(await late).toMatchObject({ code: 409, error: "settings_changed" });
    expect(engine.index("b").recordCount).toBe(2);
  });

  it("may copy two indexes onto each other, the first one first", async () => {
    const { engine } = await made();
    await engine.createIndex("b");
    await Promise.all([engine.copyIndex("a", "b"), engine.copyIndex("b", "a"), engine.copyIndex("a", "b")]);
    expect((await engine.listIndexes()).map(({ records }) => records)).toEqual([2, 2]);
  });

  it("never see an index that is still to be copied", async () => {
    const { engine, source } = await made();
    const slow = source.addRecords(Array.from({ length: 3000 }, (_, id) => ({ id: `s${id}`, title: "lamp" })) as never);
    const copying = engine.copyIndex("a", "c");
    const late = engine.addRecords("c", [{ id: 8, title: "lamp" }]);
    expect((await engine.listIndexes()).map(({ name }) => name)).toEqual(["a"]);
    await expect(engine.query("c", { query: "" })).rejects.toMatchObject({ code: 404 });
    await expect(engine.createIndex("c")).rejects.toMatchObject({ code: 409 });
    await Promise.all([slow, copying, late]);
    expect((await engine.query("c", { query: "" })).data.nbHits).toBe(3003);
  });
});
