import { describe, expect, it } from "vitest";
import { SearchEngine } from "../src/index.js";
import { allOf } from "./support/all-of.js";
import { seq } from "./support/seq.js";

async function filled(records: readonly object[]) {
  const index = await new SearchEngine({ embedder: false }).createIndex<object>("a");
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
});

describe("browseRecords", () => {
  it("shows the state of the call, whatever is written meanwhile", async () => {
    const index = await filled(ABC);
    const browsing = index.browseRecords();
    await index.clearIndex();
    expect(await allOf(browsing)).toEqual([ABC[1], ABC[0], ABC[2]]);
  });
});

it("a Date is the same as its text", async () => {
  const when = new Date(5);
  const [date, text] = [await filled([{ id: 1, when }]), await filled([{ id: 1, when: when.toISOString() }])];
  expect(await date.digest()).toBe(await text.digest());
});
