// The neighbour graph against the naive twin: the graph may miss a member, but all else is exact: no ghost, no double, every
// score, and the whole answer given the members it found. Without WebAssembly the answers are the exact ones, and without hnswlib-node
// its kind is refused.

import { expect } from "vitest";
import {
  type IndexSettings,
  type JsonRecord,
  SearchEngine,
  type SearchIndex,
  type SearchParams,
} from "../../src/index.js";
import type { GraphKind } from "../../src/vectors/hnsw/node-graph.js";
import { NaiveEngine, type NaiveHit } from "../support/naive-engine.js";
import { property, type Random } from "../support/random.js";
import { randomCentres, randomText, randomVector } from "../support/random-shop.js";
import { rejectionOf } from "../support/refusal.js";
import { GRAPH_KINDS, USABLE_KINDS } from "../support/vectors.js";
import { expectPage } from "./same-answer.js";

interface Pair {
  readonly index: SearchIndex;
  readonly naive: NaiveEngine;
  readonly centres: readonly (readonly number[])[];
  readonly rrf: boolean;
  readonly kind: GraphKind;
  /** Links and candidates enough that a record is found by its own vector. */
  readonly wide: boolean;
}

/** The size of a page; no answer here has more hits than two. */
const HITS_PER_PAGE = 1000;

async function everyHit(index: SearchIndex, params: SearchParams): Promise<NaiveHit[]> {
  const hits: NaiveHit[] = [];
  for (let page = 1, nbHits = 1; hits.length < nbHits; page++) {
    const { data } = await index.query({ ...params, page, hitsPerPage: HITS_PER_PAGE });
    nbHits = data.nbHits;
    if (data.hits.length === 0) break;
    for (const { id, score } of data.hits) hits.push({ id, score });
  }
  return hits;
}

function randomSettings(
  random: Random,
  dimensions: number,
  { rrf, kind }: Pick<Pair, "rrf" | "kind">,
): Omit<IndexSettings, "embedder" | "analyzer"> {
  const narrow = { m: random.between(2, 4), efConstruction: random.between(4, 20), efSearch: random.between(1, 30) };
  return {
    vectorAttribute: "vec",
    dimensions,
    vectorIndex: { kind, ...(random.chance(0.5) ? narrow : {}) },
    ...(rrf ? { fusion: { method: "rrf" } } : {}),
    ...(random.chance(0.5) ? { semanticFloor: random.pick([-1, 0.5]) } : {}),
  };
}

function randomRecord(random: Random, id: number, centres: Pair["centres"]): JsonRecord {
  const vec = random.chance(0.95) ? randomVector(random, centres, 0.4) : null;
  return { id, title: randomText(random, 1, 4), vec };
}

async function churn({ index, naive, centres }: Pair, random: Random, count: number): Promise<void> {
  for (let done = 0; done < count; ) {
    const ids = random.list(1, 200, () => random.between(1, count));
    done += ids.length;
    if (done > ids.length && random.chance(0.3)) {
      for (const id of ids) naive.delete(id);
      await index.deleteRecords(ids);
    } else {
      const records = ids.map((id) => randomRecord(random, id, centres));
      for (const record of records) naive.add(record);
      await index.addRecords(records);
    }
    if (random.chance(0.2)) await index.whenIdle();
  }
}

function randomQuery(random: Random, centres: Pair["centres"]): SearchParams & { vector: readonly number[] } {
  return {
    query: randomText(random, 1, 3),
    vector: randomVector(random, centres, 0.4),
    semanticWeight: random.pick([0.1, 0.5, 1]),
    ...(random.chance(0.5) ? { semanticDepth: random.pick([1, 10, 500]) } : {}),
    ...(random.chance(0.3) ? { semanticFloor: random.pick([-1, 0.2, 0.9]) } : {}),
  };
}

/** Records with vectors of their own are found by them: at once, when idle, and after they went and came back as they were. */
async function expectFoundByThemselves({ index, naive, centres, wide }: Pair, random: Random): Promise<void> {
  const strangers = random.list(1, 10, (i) => ({ id: `new-${i}`, vec: centres[0]!.map(() => random.normal() || 1) }));
  const ids = strangers.map(({ id }) => id);
  for (const step of ["come", "stay", "go", "come"]) {
    if (step === "come") await index.addRecords(strangers);
    else if (step === "stay") await index.whenIdle();
    else await index.deleteRecords(ids);
    for (const { id, vec } of strangers) {
      const { data } = await index.query({ query: "", vector: vec, hitsPerPage: 1 });
      if (step === "go") expect(data.hits[0]?.id).not.toBe(id);
      else if (wide) expect(data.hits[0]?.id).toBe(id);
    }
  }
  for (const record of strangers) naive.add(record);
}

/** While nothing works in the background: the members by meaning are living, distinct and near, and the rest follows from them. */
async function expectExactBut(
  { index, naive, centres, kind }: Pair,
  random: Random,
): Promise<[found: number, due: number]> {
  const params = randomQuery(random, centres);
  const byMeaning = await everyHit(index, { ...params, query: "" });
  const members = byMeaning.map((hit) => hit.id);
  const due = naive.query({ ...params, query: "" });
  expect(new Set(members).size).toBe(members.length);
  expect(byMeaning).toEqual(naive.query({ ...params, query: "" }, members).hits);
  expect(byMeaning.length).toBeLessThanOrEqual(due.nbHits);
  if (!USABLE_KINDS.includes(kind)) expect(byMeaning).toEqual(due.hits);
  const nearEnough = naive.query({ ...params, query: "", semanticDepth: 10_000 }).hits.map((hit) => hit.id);
  expect(members.filter((id) => !nearEnough.includes(id))).toEqual([]);
  const expected = naive.query(params, members);
  expect(await everyHit(index, params)).toEqual(expected.hits);
  // A short page is found without scoring all members.
  await expectPage(index, expected, { ...params, page: random.between(1, 3), hitsPerPage: random.between(1, 12) });
  const isDue = new Set(due.hits.map((hit) => hit.id));
  return [members.filter((id) => isDue.has(id)).length, due.nbHits];
}

/** While the graph grows: members may change from one query to the next, scores may not (those of ranks depend on members). */
async function expectTrueScores({ index, naive, centres, rrf }: Pair, random: Random): Promise<void> {
  const params = randomQuery(random, centres);
  const { hits } = (await index.query({ ...params, hitsPerPage: HITS_PER_PAGE })).data;
  const ids = hits.map((hit) => hit.id);
  expect(new Set(ids).size).toBe(ids.length);
  const all = naive.query({ ...params, matching: "any", semanticDepth: 10_000, semanticFloor: -1 }).hits;
  const scores = new Map(all.map((hit) => [hit.id, hit.score]));
  for (const { id, score } of hits) expect(rrf ? scores.has(id) : scores.get(id)).toBe(rrf ? true : score);
}

property("finds through the graph what the naive engine finds among the same members", 6, async (random) => {
  const dimensions = random.between(8, 32);
  const centres = randomCentres(random, random.between(3, 30), dimensions);
  const rrf = random.chance(0.3);
  const kind = random.pick(GRAPH_KINDS);
  const settings = randomSettings(random, dimensions, { rrf, kind });
  const engine = new SearchEngine({ strict: true });
  if (kind === "hnswlib" && !USABLE_KINDS.includes(kind)) {
    expect(await rejectionOf(engine.createIndex("shop", settings))).toMatchObject({ error: "invalid_setting" });
    return;
  }
  const pair: Pair = {
    index: await engine.createIndex("shop", settings),
    naive: new NaiveEngine(settings),
    centres,
    rrf,
    kind,
    wide: settings.vectorIndex?.m === undefined,
  };
  for (let round = 0; round < 3; round++) {
    await churn(pair, random, random.pick([300, 700, 2000]));
    await expectFoundByThemselves(pair, random);
    for (let i = 0; i < 5; i++) await expectTrueScores(pair, random);
    await pair.index.whenIdle();
    let [found, due] = [0, 0];
    for (let i = 0; i < 8; i++) {
      const [foundNow, dueNow] = await expectExactBut(pair, random);
      found += foundNow;
      due += dueNow;
    }
    if (pair.wide) expect(found / due).toBeGreaterThan(0.95);
  }
  await engine.close();
});
