// Queries between writes of single records: mean lengths change a little each time, and what was calculated for a term before
// is only near to what its holders earn now. No answer may show it.

import { type IndexSettings, type JsonRecord, SearchEngine, type SearchParams } from "../../src/index.js";
import { NaiveEngine } from "../support/naive-engine.js";
import { property, type Random } from "../support/random.js";
import { expectPage } from "./same-answer.js";

const WORDS = "red drill cordless saw battery metal wood blade".split(" ");
const FILLER = "x y z".split(" ");
const DIMENSIONS = 8;

/** Fields of many lengths, so that scores lie close together. */
function recordOf(random: Random, id: number): JsonRecord {
  const text = (most: number): string =>
    random.list(1, most, () => random.pick(random.chance(0.3) ? WORDS : FILLER)).join(" ");
  return {
    id,
    ...(random.chance(0.9) ? { title: text(9) } : {}),
    note: text(60),
    ...(random.chance(0.5) ? { tag: random.pick(WORDS) } : {}),
    vector: random.list(DIMENSIONS, DIMENSIONS, () => random.normal()),
    price: random.between(1, 5),
  };
}

function paramsOf(random: Random, byMeaning: boolean): SearchParams {
  const deep = random.chance(0.3);
  return {
    query: random.list(1, 4, () => random.pick(WORDS)).join(" "),
    matching: random.pick(["any", "auto", "auto", "all"]),
    ...(byMeaning ? { vector: random.list(DIMENSIONS, DIMENSIONS, () => random.normal()), semanticFloor: 0.5 } : {}),
    ...(random.chance(0.2) ? { filters: "price < 5" } : {}),
    ...(random.chance(0.2) ? { facets: ["price"] } : {}),
    ...(random.chance(0.2) ? { sort: ["price:desc" as const] } : {}),
    hitsPerPage: random.pick([1, 5, 12]),
    page: deep ? random.between(2, 60) : 1,
  };
}

/** Pages so far down that bounds of scores tell who comes before them. */
const DEEP = { from: 260, hitsPerPage: 5 };

property("pages far down are the naive engine's", 6, async (random) => {
  const engine = new SearchEngine();
  const settings = { titleEvidence: false, bm25: { k1: 2, b: 1 } };
  const index = await engine.createIndex("shop", { embedder: false, ...settings });
  // A word in each, and so many lengths that hardly two earn the same.
  const textOf = (most: number): string => `${random.pick(WORDS)}${" x".repeat(random.between(0, most))}`;
  const given = random.list(1000, 1200, (id) => ({ id, note: textOf(60), tag: textOf(20), more: textOf(30) }));
  await index.addRecords(given);
  const naive = new NaiveEngine(settings, given);
  const params = { query: "red drill saw", matching: "any" } as const;
  for (let write = 0; write < 6; write++) {
    const expected = naive.query(params);
    const { from, hitsPerPage } = DEEP;
    // Few, so that what was calculated before is not calculated anew on their account.
    for (let asked = 0; asked < 8; asked++) {
      const page = random.between(from / hitsPerPage, Math.floor(expected.nbHits / hitsPerPage));
      await expectPage(index, expected, { ...params, hitsPerPage, page });
    }
    // Mean lengths of fields go to and fro, each its own way, by less than a thousandth.
    const [note, tag] = write % 2 === 0 ? [48, 4] : [12, 18];
    const record = { id: given.length + write, note: "x ".repeat(note), tag: "x ".repeat(tag) };
    await index.addRecords([record]);
    naive.add(record);
  }
  await engine.close();
});

property("the answers are the naive engine's", 8, async (random) => {
  const byMeaning = random.chance(0.5);
  const settings = {
    ...(random.chance(0.3) ? { titleEvidence: false } : {}),
    ...(byMeaning ? ({ vectorAttribute: "vector", dimensions: DIMENSIONS } as const) : {}),
  } satisfies IndexSettings;
  const engine = new SearchEngine();
  const index = await engine.createIndex("shop", { embedder: false, ...settings });
  const given = random.list(1200, 1500, (id) => recordOf(random, id));
  await index.addRecords(given);
  const naive = new NaiveEngine(settings, given);
  const asked = random.list(3, 5, () => paramsOf(random, byMeaning));
  for (let write = 0; write < 4; write++) {
    for (const params of asked) await expectPage(index, naive.query(params), params);
    const record = recordOf(random, random.pick([given.length + write, random.between(0, given.length - 1)]));
    await index.addRecords([record]);
    naive.add(record);
  }
  await engine.close();
});
