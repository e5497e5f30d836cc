// First pages by words, meaning and titles: of many records that hold little of the query, bounds tell who can be among the few
// that are shown. The truth is a page that holds all, for which no bound is asked.

import { expect } from "vitest";
import { type Boost, type IndexSettings, type JsonRecord, SearchEngine, type SearchParams } from "../../src/index.js";
import { CATALOGUE } from "../support/catalogue.js";
import { property, type Random } from "../support/random.js";
import { USABLE_KINDS } from "../support/vectors.js";

const texts = CATALOGUE.map(({ title }) => title.split(" "));
const CODES = ["kx200", "zz-91", "ab 12"];
const MOST_SHOWN = 1000;

/** Of few titles, so that many records hold a word: words of two, and here and there a code, which has no meaning. */
function records(random: Random, titles: readonly (readonly string[])[]): JsonRecord[] {
  return random.list(700, 1000, (id) => {
    const words = [...random.pick(titles), ...random.pick(titles)];
    const title = random.shuffle(words).slice(0, random.between(2, 6));
    if (random.chance(0.5)) title.push(random.pick(CODES));
    const sales = random.pick([0, 1, 5, 5, 40, 9000]);
    return { id, title: title.join(" "), note: random.pick(titles).join(" "), sales };
  });
}

function paramsOf(random: Random, titles: readonly (readonly string[])[]): SearchParams {
  const words = random.list(0, 3, () => random.pick(random.pick(titles)));
  if (words.length === 0 || random.chance(0.5)) words.push(random.pick([...CODES, "qwrtz"]));
  return {
    query: random.shuffle(words).join(" "),
    matching: random.pick(["any", "any", "auto", "all"]),
    ...(random.chance(0.5) ? { boosts: randomBoosts(random) } : {}),
    ...(random.chance(0.4) ? { semanticWeight: random.pick([0, 0.5, 0.9]) } : {}),
    ...(random.chance(0.3) ? { semanticDepth: random.pick([1, 10]) } : {}),
  };
}

function randomBoosts(random: Random): Boost[] {
  return random.list(1, 2, () => {
    const weight = random.pick([-0.5, -0.1, 0.02, 0.1, 0.5]);
    return random.chance(0.7) ? { attribute: "sales", weight } : { filters: "sales >= 5", weight };
  });
}

property("are the beginning of the whole order", 6, async (random) => {
  const promote = random.list(0, 6, () => ({ id: random.between(0, 900), position: random.pick([0, 1, 9, 30]) }));
  const hide = random.list(0, 30, () => random.between(0, 900));
  const settings: IndexSettings = {
    ...(random.chance(0.5) ? { rules: [{ id: "r", consequence: { promote, hide } }] } : {}),
    vectorIndex: { kind: random.pick(["exact", ...USABLE_KINDS]) },
    ...(random.chance(0.3) ? { embedder: false } : {}),
  };
  const engine = new SearchEngine();
  const index = await engine.createIndex("shop", settings);
  const titles = random.shuffle(texts).slice(0, random.pick([2, 4, 12]));
  const given = records(random, titles);
  for (let at = 0; at < given.length; at += 300) await index.addRecords(given.slice(at, at + 300));
  for (let asked = 0; asked < 25; asked++) {
    const params = paramsOf(random, titles);
    const { data: all } = await index.query({ ...params, hitsPerPage: MOST_SHOWN });
    expect(all.hits.length).toBe(all.nbHits);
    for (const hitsPerPage of [1, 2, 12]) {
      const page = random.pick([1, 1, 2]);
      const { data } = await index.query({ ...params, hitsPerPage, page });
      const message = JSON.stringify({ ...params, hitsPerPage, page });
      expect(data.nbHits, message).toBe(all.nbHits);
      expect(data.hits, message).toEqual(all.hits.slice((page - 1) * hitsPerPage, page * hitsPerPage));
    }
  }
  await engine.close();
});
