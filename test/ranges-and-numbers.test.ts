import { expect, it } from "vitest";
import { SearchEngine } from "../src/index.js";

/** Each line: the query, what is meant, the others. */
it.each([
  ["bike rack 2 bikes", "Bike rack, two bikes", "Bike rack, 3 bikes"],
  ["4 season tent", "Four-season tent", "3-season tent"],
  ["five star guide", "5 star guide", "4-star guide"],
  ["two tier cake stand", "2-tier cake stand", "3-tier cake stand"],
  ["tent 3 persons", "Tent 2-3 persons", "Tent 4 persons"],
  ["a 2 easel", "Easel A2", "Easel A3"],
  ["c 4 envelopes", "Envelopes C4", "Envelopes C5"],
  ["i 7 laptop", "Laptop i7", "Laptop i5"],
  ["blinds 120 cm", "Blinds, 60-120 cm", "Curtain 120 cm", "Blinds 90 cm"],
  ["blinds 60 cm", "Blinds, 60-120 cm", "Curtain 60 cm", "Blinds 90 cm"],
  ["tripod 1.5 m", "Tripod, 0.5-1.5 m", "Rope 1.5 m", "Tripod 1 m"],
  ["shoe rack 60 cm", "Shoe rack 60 to 90 cm", "Shoe rack 80 cm"],
])("%s: first %s", async (query, ...titles) => {
  const index = await new SearchEngine({ embedder: false }).createIndex("shop");
  await index.addRecords([...titles].reverse().map((title, id) => ({ id, title })));
  expect((await index.query({ query })).data.hits[0]!.source.title).toBe(titles[0]);
});
