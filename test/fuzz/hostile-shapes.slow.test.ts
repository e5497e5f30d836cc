// Random calls of dear shapes: many names, many values, long values, characters that expand, and many calls at once; 4,000 of them, in
// the long size twenty times as many. Each is answered or refused with a SearchError, and the index still tells the truth after it. And a
// soak: the same calls for a while, after which the process holds no more memory than before. SHAPES_SEED=n lives one life.

import { setTimeout as pause } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { type JsonRecord, SearchEngine, SearchError, type SearchIndex, type Synonym } from "../../src/index.js";
import { Random } from "../support/random.js";
import { seq } from "../support/seq.js";
import { scaled } from "../support/size.js";

const CALLS = scaled(4000);
/** Five minutes in the long size. */
const SOAK_MS = scaled(15_000);
const { SHAPES_SEED } = process.env;
const HOUR_MS = 3_600_000;
const EXPANDING = ["\ufdfa", "½", "㍿", "ﬃ", "İ", "e\u0301", "가", "漢", "ß", "𝔘"];
const WORDS = ["cordless", "drill", "kettle", "lamp", "18v", "USB-C", "größe", "red", "steel", "x"];

it("answers or refuses calls of dear shapes, and tells the truth after them", { timeout: HOUR_MS }, async () => {
  if (SHAPES_SEED !== undefined) return void (await live(Number(SHAPES_SEED)));
  let calls = 0;
  let refused = 0;
  for (let seed = 1; calls < CALLS; seed++) {
    const life = await live(seed);
    calls += life.calls;
    refused += life.refused;
  }
  expect(refused).toBeGreaterThan(calls / 100);
  expect(refused).toBeLessThan(calls);
});

it("holds no more memory after many calls", { timeout: HOUR_MS }, async () => {
  const held: number[] = [];
  const until = performance.now() + SOAK_MS;
  let seed = 1_000_000;
  for (let part = 0; part < 5; part++) {
    const end = until - (SOAK_MS * (4 - part)) / 5;
    while (performance.now() < end) await live(seed++);
    await pause(10);
    held.push(await heldBytes());
  }
  // The first part warms caches of fixed size; from then on nothing grows but noise.
  expect(held.at(-1)! - held[1]!).toBeLessThan(64 * 2 ** 20);
});

/** Heap and array buffers, after the garbage was collected. */
async function heldBytes(): Promise<number> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  for (let i = 0; i < 4; i++) {
    collect();
    await pause(20);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Lives one life of random calls, and tells how many there were, and how many steps were refused. */
async function live(seed: number): Promise<{ readonly calls: number; readonly refused: number }> {
  const random = new Random(seed);
  const embedder = random.chance(0.1) ? "static-en" : false;
  const engine = new SearchEngine({ embedder, limits: { maxMemory: 300e6 }, onWarning: () => {} });
  const settings = random.chance(0.3) ? { attributesForFaceting: ["v", "n"], attributeForDistinct: "n" } : {};
  const index = await engine.createIndex("shapes", settings);
  await index.addRecords(records(random));
  let calls = 0;
  let refused = 0;
  for (let steps = random.between(5, 25); steps > 0; steps--) {
    const shapes = seq(random.chance(0.15) ? random.pick([5, 20, 60]) : 1, () => shape(random));
    calls += shapes.length;
    const outcomes = await Promise.allSettled(shapes.map(([verb, ...args]) => run(index, verb, args)));
    for (const [i, outcome] of outcomes.entries()) {
      if (outcome.status === "fulfilled") continue;
      const what = `SHAPES_SEED=${seed}: ${shapes[i]![0]}`;
      expect(outcome.reason, what).toBeInstanceOf(SearchError);
      expect((outcome.reason as SearchError).msg, what).toMatch(/^[\x20-\x7e…]{1,400}$/);
      if (shapes.length === 1) refused++;
    }
    if (random.chance(0.1)) await checkTruth(index, seed);
  }
  await checkTruth(index, seed);
  await engine.close();
  return { calls, refused };
}

async function run(index: SearchIndex, verb: keyof SearchIndex, args: readonly unknown[]): Promise<unknown> {
  return Reflect.apply(index[verb] as () => unknown, index, args);
}

/** `nbHits` is the number of records, pages join to all of them, and a facet count is the `nbHits` of choosing the value. */
async function checkTruth(index: SearchIndex, seed: number): Promise<void> {
  const { data } = await index.query({ query: "", hitsPerPage: 1000, attributesToRetrieve: [] });
  expect(data.nbHits, `SHAPES_SEED=${seed}`).toBe(index.recordCount);
  expect(new Set(data.hits.map(({ id }) => id)).size).toBe(Math.min(1000, index.recordCount));
  const { data: counted } = await index.query({ query: "", hitsPerPage: 0, facets: ["*"], maxValuesPerFacet: 2 });
  for (const [attribute, values] of Object.entries(counted.facets ?? {}).slice(0, 2))
    for (const { value, count } of values.slice(0, 1)) {
      if (attribute.length > 200 || String(value).length > 200) continue;
      const filters: Record<string, unknown> = { [attribute]: { eq: value } };
      const chosen = await index.query({ query: "", hitsPerPage: 0, filters: filters as never });
      expect(chosen.data.nbHits, `SHAPES_SEED=${seed}: ${attribute} ${String(value)}`).toBe(count);
    }
}

type Shape = readonly [verb: keyof SearchIndex, ...args: unknown[]];

/** One call of a verb. */
function shape(random: Random): Shape {
  const ids = (most: number): number[] => seq(random.between(1, most), (i) => i);
  return random.pick<() => Shape>([
    () => ["query", params(random)],
    () => ["query", params(random)],
    () => ["query", params(random)],
    () => ["addRecords", records(random)],
    () => ["addRecords", badRecords(random)],
    () => ["updateRecords", records(random).slice(0, 5)],
    () => ["deleteRecords", ids(2000)],
    () => ["deleteBy", { filters: filters(random, 20) }],
    () => ["getRecords", ids(3000)],
    () => ["searchForFacetValues", { facetName: attributeName(random), facetQuery: text(random, 4000) }],
    () => ["whyNot", { query: text(random, 200), filters: filters(random, 50) }, random.between(0, 50)],
    () => ["similar", { like: ids(100), unlike: ids(100) }, { filters: filters(random, 50) }],
    () => ["updateSettings", { synonyms: synonyms(random) }],
  ])();
}

function records(random: Random): JsonRecord[] {
  const kind = random.between(0, 5);
  const ids = (count: number, make: (id: number) => object): JsonRecord[] =>
    seq(count, (id) => ({ id: random.chance(0.5) ? id : random.between(0, 5000), ...make(id) }));
  if (kind === 0) {
    const length = random.pick([4, 60, 220]);
    return ids(random.between(1, 10), () =>
      Object.fromEntries(seq(random.pick([10, 100, 380]), () => [attributeName(random).padEnd(length, "n"), 1])),
    );
  }
  if (kind === 1) return ids(random.between(10, 500), () => ({ n: seq(random.pick([2, 20, 200]), (j) => j) }));
  if (kind === 2) return ids(random.between(1, 20), () => ({ v: text(random, 50_000) }));
  if (kind === 3)
    return ids(random.between(1, 4), () => ({ t: random.pick(EXPANDING).repeat(random.between(1, 12_000)) }));
  if (kind === 4)
    return ids(random.between(1, 2000), (id) => ({ v: `Größe ${id} 한국어`, n: id % 7, title: words(random) }));
  return ids(random.between(1, 200), () => ({ title: words(random), n: random.between(0, 9), v: random.pick(WORDS) }));
}

function badRecords(random: Random): JsonRecord[] {
  const late = random.pick<unknown>([new Date(Number.NaN), Number.NaN, 1n, () => 1]);
  return seq(random.between(1, 300), () => ({ id: 1, a: seq(3, () => Array(3000).fill(0)), z: late }) as JsonRecord);
}

function words(random: Random): string {
  return random.list(1, 8, () => random.pick(WORDS)).join(" ");
}

function attributeName(random: Random): string {
  return random.pick(["v", "n", "t", "title", "spec.at", `attribute${random.between(0, 3000)}`, "*", "__proto__"]);
}

function text(random: Random, most: number): string {
  const unit = random.pick(["a", "ab ", "-", "9", ...EXPANDING, "x1 ", '"', "a".repeat(40)]);
  const times = random.between(1, Math.max(1, Math.floor(most / unit.length / 3)));
  return random.chance(0.3) ? words(random) : unit.repeat(times) + (random.chance(0.3) ? "b" : "");
}

function filters(random: Random, most: number): string {
  const condition = (i: number): string =>
    random.pick([
      `n > ${i % 50}`,
      `v:"${random.pick(WORDS)}"`,
      `spek.at${i} > 1`,
      `NOT n:${i}`,
      `${attributeName(random)}:1`,
    ]);
  return seq(random.between(1, most), condition).join(random.pick([" OR ", " AND "]));
}

function synonyms(random: Random): Synonym[] {
  return seq(random.between(1, 300), (i) => ({
    type: "synonym" as const,
    synonyms: seq(random.pick([2, 20]), (j) => `s${i} ${random.pick(WORDS)} ${j}`),
  }));
}

function params(random: Random): object {
  const more: object[] = [
    { filters: filters(random, 490) },
    { facetFilters: seq(random.between(1, 500), (i) => `${attributeName(random)}${i}:1`) },
    { numericFilters: seq(random.between(1, 500), (i) => `${attributeName(random)}${i % 9}>=${i}`) },
    { facets: ["*"], maxValuesPerFacet: 1000 },
    { facets: [attributeName(random)] },
    { attributesToRetrieve: seq(random.between(1, 1000), (k) => `-attribute${k}`) },
    { attributesToHighlight: ["*"], attributesToSnippet: ["*:5"], hitsPerPage: 50 },
    { attributesToHighlight: seq(1000, (k) => `a.b${k}`) },
    { optionalWords: seq(random.between(1, 1000), () => text(random, 60)) },
    { sort: [`${attributeName(random)}:desc`] },
    { distinct: true },
    { page: random.between(1, 1e9), hitsPerPage: 1000 },
    { advancedSyntax: true, query: `"${words(random)}" -${random.pick(WORDS)}` },
    { explain: true, hitsPerPage: 100 },
    { queryType: "prefixAll" },
    { [random.pick(["numericFilter", "where", "fq", "oops"])]: "x" },
  ];
  return Object.assign({ query: text(random, 4000) }, ...random.some(more, 0.2));
}
