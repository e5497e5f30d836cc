import { describe, expect, it } from "vitest";
import { type JsonRecord, SearchEngine } from "../src/index.js";
import { allOf } from "./support/all-of.js";
import { rejectionOf } from "./support/refusal.js";
import { seq } from "./support/seq.js";

async function filled(records: readonly JsonRecord[], limits = {}) {
  const index = await new SearchEngine({ embedder: false, limits }).createIndex("a");
  await index.addRecords(records);
  return index;
}

const ABC = ["b", "a", "c"].map((id) => ({ id, title: `drill ${id}` }));

describe("getRecords", () => {
  it("gives records in the order asked, null where there is none, an id twice twice", async () => {
    const index = await filled(ABC);
    expect(await index.getRecords(["c", "x", "a", "c"])).toEqual([ABC[2], null, ABC[1], ABC[2]]);
    expect(await index.getRecords([])).toEqual([]);
  });

  it("takes an integer for its digits", async () => {
    const index = await filled([{ id: 7 }, { id: "8" }]);
    expect(await index.getRecords(["7", 8])).toEqual([{ id: 7 }, { id: "8" }]);
  });

  it("refuses what is no list of ids, with all complaints, and more than a call may name", async () => {
    const index = await filled([], { batchRecords: 2 });
    expect((await rejectionOf(index.getRecords("a" as never))).error).toBe("invalid_ids");
    const error = await rejectionOf(index.getRecords(["a", null as never]));
    expect(error).toMatchObject({ code: 400, error: "invalid_id", param: "ids[1]" });
    expect((await rejectionOf(index.getRecords([1, 2, 3]))).error).toBe("batch_too_large");
  });
});

describe("deleteRecords", () => {
  it("deletes each id once, and passes over those that no record has", async () => {
    // So many that no segment is written anew for one of them.
    const index = await filled([...ABC, ...seq(50, (i) => ({ id: `x${i}` }))]);
    expect(await index.deleteRecords(["a", "a", "x"])).toEqual({ deleted: 1 });
    expect(await index.deleteRecords(["a"])).toEqual({ deleted: 0 });
    expect(await index.getRecords(["a", "b"])).toEqual([null, ABC[0]]);
    expect((await index.query({ query: "drill" })).data.hits.map(({ id }) => id)).toEqual(["b", "c"]);
    expect(await index.addRecords([ABC[1]!])).toEqual({ added: 1, replaced: 0 });
  });

  it("leaves nothing in memory of a batch of which no record is left", async () => {
    const index = await filled(ABC);
    const { records, text } = await index.estimate();
    await index.addRecords(["x", "y"].map((id) => ({ id, title: `saw ${id}`, text: "of which nothing stays" })));
    await index.deleteRecords(["x", "y"]);
    expect(await index.estimate()).toMatchObject({ records, text });
  });

  it("leaves scores as if the record had never been", async () => {
    const index = await filled([...ABC, { id: "z", title: "drill saw hammer and much more", extra: "drill" }]);
    await index.addRecords([{ id: "z", title: "another drill", extra: "of more words ".repeat(40) }]);
    await index.deleteRecords(["z"]);
    const fresh = await filled(ABC);
    const params = { query: "drill c", matching: "any" as const };
    expect((await index.query(params)).data.hits).toEqual((await fresh.query(params)).data.hits);
  });
});

describe("browseRecords", () => {
  it("gives all records in the code unit order of their ids", async () => {
    const index = await filled(["b", "é", "B", "10", "9"].map((id) => ({ id })));
    await index.addRecords([{ id: "a" }]);
    expect((await allOf(index.browseRecords())).map(({ id }) => id)).toEqual(["10", "9", "B", "a", "b", "é"]);
  });

  it("shows the state of the call, whatever is written meanwhile", async () => {
    const index = await filled(ABC);
    const browsing = index.browseRecords();
    await index.clearIndex();
    expect((await allOf(browsing)).map(({ title }) => title)).toEqual(["drill a", "drill b", "drill c"]);
  });
});

describe("clearIndex", () => {
  it("removes all records and keeps the settings", async () => {
    const index = await new SearchEngine({ embedder: false }).createIndex("a", { matching: "all" });
    await index.addRecords(ABC);
    await index.clearIndex();
    expect([index.recordCount, (await index.query({ query: "" })).data.nbHits]).toEqual([0, 0]);
    expect((await index.getSettings()).effective.matching).toBe("all");
    expect(await index.addRecords(ABC)).toEqual({ added: 3, replaced: 0 });
  });

  it("leaves no trace in later scores", async () => {
    const index = await filled([{ id: 1, title: "a drill of quite another length altogether" }]);
    await index.clearIndex();
    await index.addRecords(ABC);
    const fresh = await filled(ABC);
    expect((await index.query({ query: "drill a" })).data.hits).toEqual(
      (await fresh.query({ query: "drill a" })).data.hits,
    );
  });
});
