// How much of the truth the neighbour graph finds: measured against the exact scan of the same records, on static-en's vectors
// of made-up product titles, fresh and worn, and among ten thousand equal vectors.

import { expect, it } from "vitest";
import { type IndexSettings, SearchEngine, type SearchIndex } from "../../src/index.js";
import { CATALOGUE } from "../support/catalogue.js";
import { Random } from "../support/random.js";
import { USABLE_KINDS } from "../support/vectors.js";

const RECORDS = 20_000;
const QUERIES = 300;
const NEAREST = 10;
const LEAST_RECALL = 0.98;
const MILLISECONDS = 240_000;
const TITLES = CATALOGUE.map(({ title }) => title);

/** A title of some words each of two to four titles of the catalogue. */
function madeUpTitle(random: Random): string {
  const words = () => random.shuffle(random.pick(TITLES).split(" ")).slice(0, random.between(1, 3));
  return random.list(2, 4, words).join(" ").replaceAll(",", " ");
}

type Titled = { readonly id: string; readonly title: string };

/** The share of the truly nearest that the graph finds, over random queries. */
async function recall(graph: SearchIndex<Titled>, exact: SearchIndex<Titled>, random: Random): Promise<number> {
  let found = 0;
  let due = 0;
  for (let i = 0; i < QUERIES; i++) {
    const query = random.chance(0.5) ? madeUpTitle(random) : random.pick(TITLES);
    const asked = { query, semanticWeight: 1, hitsPerPage: NEAREST };
    const answers = await Promise.all([graph.query(asked), exact.query(asked)]);
    const [ours, theirs] = answers.map(({ data }) => data.hits.map((hit) => hit.id));
    due += theirs!.length;
    found += theirs!.filter((id) => ours!.includes(id)).length;
  }
  expect(due).toBeGreaterThan(0.95 * QUERIES * NEAREST);
  return found / due;
}

it.each(USABLE_KINDS)("finds nearly all of the ten nearest of 20,000 with %s, fresh, worn and built anew", {
  timeout: MILLISECONDS,
}, async (kind) => {
  const random = new Random(1);
  const title = (id: number): Titled => ({ id: String(id), title: madeUpTitle(random) });
  const engine = new SearchEngine();
  const create = (name: string, vectorIndex: IndexSettings["vectorIndex"]): Promise<SearchIndex<Titled>> =>
    engine.createIndex<Titled>(name, { vectorIndex: vectorIndex!, semanticFloor: -1 });
  const both = [await create("graph", { kind }), await create("exact", { kind: "exact" })] as const;
  const inBoth = async (write: (index: SearchIndex<Titled>) => Promise<unknown>): Promise<number> => {
    for (const index of both) await write(index);
    await both[0].whenIdle();
    return recall(...both, random);
  };
  const records = Array.from({ length: RECORDS }, (_, id) => title(id));
  expect(await inBoth((index) => index.addRecords(records))).toBeGreaterThanOrEqual(LEAST_RECALL);
  const touched = random.shuffle(records).slice(0, 0.3 * RECORDS);
  const replaced = touched.slice(touched.length / 3).map(({ id }) => title(Number(id)));
  const gone = touched.slice(0, touched.length / 3).map(({ id }) => id);
  expect(await inBoth((index) => index.addRecords(replaced))).toBeGreaterThanOrEqual(LEAST_RECALL);
  expect(await inBoth((index) => index.deleteRecords(gone))).toBeGreaterThanOrEqual(LEAST_RECALL);
  // A graph that was built anew is put in place together with the next write.
  expect(await inBoth((index) => index.addRecords([title(RECORDS)]))).toBeGreaterThanOrEqual(LEAST_RECALL);
  await engine.close();
});

it.each(USABLE_KINDS)("loses no record among ten thousand with one vector, with %s", {
  timeout: MILLISECONDS,
}, async (kind) => {
  const random = new Random(2);
  const vector = (): number[] => Array.from({ length: 32 }, () => random.normal());
  const one = vector();
  const distinct = Array.from({ length: 1000 }, (_, i) => ({ id: `distinct-${i}`, vec: vector() }));
  const same = Array.from({ length: 10_000 }, (_, i) => ({ id: `same-${i}`, vec: one }));
  const engine = new SearchEngine();
  const settings = { vectorAttribute: "vec", dimensions: 32, vectorIndex: { kind } } as const;
  const index = await engine.createIndex("same", settings);
  for (const batch of [distinct.slice(0, 500), same, distinct.slice(500)]) await index.addRecords(batch);
  await index.whenIdle();
  const lost: string[] = [];
  for (const { id, vec } of distinct) {
    const { data } = await index.query({ query: "", vector: vec, hitsPerPage: 1 });
    if (data.hits[0]?.id !== id) lost.push(id);
  }
  expect(lost).toEqual([]);
  const near = { semanticDepth: 10_000, semanticFloor: 1 };
  const { data } = await index.query({ query: "", vector: one, hitsPerPage: 0, ...near });
  expect(data.nbHits).toBe(same.length);
  await engine.close();
});
