// Which records pass the filter of a boost is remembered with a version of the index: a write, or more filters than are remembered,
// must not be answered from what was remembered before.

import { expect, it } from "vitest";
import { SearchEngine, type SearchIndex } from "../src/index.js";

/** The records that a boost by a filter raises. */
async function raised(index: SearchIndex, filters: string): Promise<string[]> {
  const params = { query: "kettle", boosts: [{ filters, weight: 1 }], explain: true, hitsPerPage: 100 };
  const { hits } = (await index.query(params)).data;
  return hits.filter(({ explanation }) => explanation?.boosts?.[0]?.signal === 1).map(({ id }) => id);
}

it("raises what passes now, whatever was asked before", async () => {
  const index = await new SearchEngine({ embedder: false }).createIndex("shop");
  const kettles = Array.from({ length: 40 }, (_, id) => ({ id: String(id), title: "Steel kettle", place: id }));
  await index.addRecords(kettles);
  const places = [...kettles.keys(), ...kettles.keys()];
  for (const place of places) expect(await raised(index, `place = ${place}`)).toEqual([String(place)]);
  await index.updateRecords([{ id: "7", place: 8 }]);
  expect(await raised(index, "place = 7")).toEqual([]);
  expect(await raised(index, "place = 8")).toEqual(["7", "8"]);
  await index.deleteRecords(["8"]);
  expect(await raised(index, "place = 8")).toEqual(["7"]);
});

it("tells a value in quotes from one without", async () => {
  const index = await new SearchEngine({ embedder: false }).createIndex("shop");
  await index.addRecords([
    { id: "number", title: "Steel kettle", size: 38 },
    { id: "text", title: "Steel kettle", size: "38" },
  ]);
  expect(await raised(index, "size:38")).toEqual(["number", "text"]);
  expect(await raised(index, 'size:"38"')).toEqual(["text"]);
});
