// Pages far down, where words alone rank: what lies between two bounds is all that is looked at, and has to be the slice of
// the whole order that the naive twin makes.

import { type IndexSettings, type JsonRecord, SearchEngine, type SearchParams } from "../../src/index.js";
import { NaiveEngine } from "../support/naive-engine.js";
import { property, type Random } from "../support/random.js";
import { expectPage } from "./same-answer.js";

const WORDS = "red drill cordless saw battery metal wood blade".split(" ");
const COLORS = ["black", "white", "green"];

/** Few words, so that many records stand level and hold neighbours, and many of one word, so that some do not. */
function records(random: Random, words: readonly string[]): JsonRecord[] {
  const text = (most: number) => random.list(1, most, () => random.pick(words)).join(" ");
  return random.list(400, 700, (i) => ({
    id: i,
    ...(random.chance(0.8) ? { title: text(5) } : {}),
    ...(random.chance(0.6) ? { note: `${text(12)} `.repeat(random.pick([1, 1, 1, 9])) } : {}),
    ...(random.chance(0.02) ? { sku: random.pick(["drill", "cordless saw"]) } : {}),
    color: random.pick(COLORS),
    price: random.between(1, 5),
  }));
}

function paramsOf(random: Random, known: readonly string[]): SearchParams {
  const words = random.list(1, 4, () => random.pick(known));
  return {
    query: random.chance(0.2) ? random.pick(["drill", "cordless saw"]) : words.join(" "),
    matching: random.pick(["any", "any", "auto", "all"]),
    ...(random.chance(0.3) ? { filters: "price < 5" } : {}),
    ...(random.chance(0.3) ? { facetFilters: [random.some(COLORS, 0.7).map((color) => `color:${color}`)] } : {}),
    ...(random.chance(0.3) ? { facets: ["color", "price"] } : {}),
    ...(random.chance(0.3) ? { enableRules: false } : {}),
  };
}

property("pages far down are the slices of the naive engine's whole order", 12, async (random) => {
  const promote = random.list(0, 6, () => ({ id: random.between(0, 700), position: random.pick([0, 1, 9, 30, 400]) }));
  const hide = random.list(0, 30, () => random.between(0, 700));
  const settings: Pick<IndexSettings, "customRanking" | "titleEvidence" | "rankWindow" | "rules"> = {
    ...(random.chance(0.5) ? { rules: [{ id: "r", consequence: { promote, hide } }] } : {}),
    ...(random.chance(0.4) ? { customRanking: ["desc(price)"] } : {}),
    ...(random.chance(0.2) ? { titleEvidence: false } : {}),
    ...(random.chance(0.7) ? { rankWindow: random.pick([1, 20, 100]) } : {}),
  };
  const engine = new SearchEngine();
  const index = await engine.createIndex("shop", { embedder: false, ...settings });
  const words = WORDS.slice(0, random.pick([3, 8]));
  const given = records(random, words);
  for (let at = 0; at < given.length; ) {
    const batch = given.slice(at, at + random.between(50, 400));
    await index.addRecords(batch);
    at += batch.length;
  }
  const gone = new Set(random.some([...given.keys()], 0.1));
  await index.deleteRecords([...gone]);
  const naive = new NaiveEngine(
    settings,
    given.filter((_, i) => !gone.has(i)),
  );
  for (let asked = 0; asked < 8; asked++) {
    const params = paramsOf(random, words);
    const expected = naive.query(params);
    const hitsPerPage = random.pick([1, 3, 12, 50, 200]);
    const last = Math.ceil(expected.nbHits / hitsPerPage);
    const pages = random.shuffle(Array.from({ length: last + 1 }, (_, page) => page + 1)).slice(0, 25);
    for (const page of pages) await expectPage(index, expected, { ...params, page, hitsPerPage });
  }
  await engine.close();
});
