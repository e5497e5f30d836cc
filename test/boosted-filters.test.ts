// Which records pass the filter of a boost is remembered with a version of the index: a write, or more filters than are remembered,
// must not be answered from what was remembered before.

import { expect, it } from "vitest";
import { SearchEngine } from "../src/index.js";
import { seq } from "./support/seq.js";

it("a boost raises what passes its filter now, whatever was asked before", async () => {
  const index = await new SearchEngine({ embedder: false }).createIndex("shop");
  const raised = async (filters: string): Promise<string[]> => {
    const params = { query: "kettle", boosts: [{ filters, weight: 1 }], explain: true, hitsPerPage: 100 };
    const { hits } = (await index.query(params)).data;
    return hits.filter(({ explanation }) => explanation?.boosts?.[0]?.signal === 1).map(({ id }) => id);
  };
  await index.addRecords(seq(40, (id) => ({ id: String(id), title: "Steel kettle", place: id })));
  for (const i of seq(80, (asked) => asked % 40)) expect(await raised(`place = ${i}`)).toEqual([String(i)]);
  await index.updateRecords([{ id: "7", place: 8 }]);
  expect([await raised("place = 7"), await raised("place = 8")]).toEqual([[], ["7", "8"]]);
  await index.deleteRecords(["8"]);
  expect(await raised("place = 8")).toEqual(["7"]);
  // A value in quotes is a text.
  await index.updateRecords([{ id: "9", place: "8" }]);
  expect([await raised("place:8"), await raised('place:"8"')]).toEqual([["7", "9"], ["9"]]);
});
