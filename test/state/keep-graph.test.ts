import { afterEach, describe, expect, it, vi } from "vitest";
import {
  type JsonRecord,
  SearchEngine,
  type SearchIndex,
  type SearchParams,
  type SearchWarning,
} from "../../src/index.js";
import { IndexSnapshot, type MergedSegment } from "../../src/state/index-snapshot.js";
import { EXACT_SCAN_LIMIT, GraphKeeper } from "../../src/state/keep-graph.js";
import type { Segment } from "../../src/state/segment.js";
import type { LocalDoc } from "../../src/util/doc-set.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";
import { liveHnswlibGraphs } from "../../src/vectors/hnsw/hnswlib-graph.js";
import type { GraphKind } from "../../src/vectors/hnsw/node-graph.js";
import { mergeSegments } from "../../src/write/merge-segments.js";
import { AxisEmbedder } from "../support/axis-embedder.js";
import { Random } from "../support/random.js";
import { rejectionOf } from "../support/refusal.js";
import { segmentFrom, settingsFrom } from "../support/states.js";
import { randomNumbers, USABLE_KINDS } from "../support/vectors.js";

const DIMENSIONS = 16;
/** Quicker to build than the default, and good enough for so few dimensions. */
const QUICK = { efConstruction: 64 };

afterEach(() => {
  vi.restoreAllMocks();
});

/** Records with vectors of their own. */
function vectors(from: number, count: number): { id: string; v: number[] }[] {
  const random = new Random(from + 1);
  return Array.from({ length: count }, (_, i) => ({ id: `r${from + i}`, v: randomNumbers(random, DIMENSIONS) }));
}

async function indexes(kinds: readonly ("exact" | "auto" | GraphKind)[], warnings: SearchWarning[] = [], more = {}) {
  const engine = new SearchEngine({ onWarning: (warning) => warnings.push(warning) });
  const made = kinds.map((kind, i) =>
    engine.createIndex(`i${i}`, { vectorAttribute: "v", dimensions: DIMENSIONS, vectorIndex: { kind, ...more } }),
  );
  return { engine, made: await Promise.all(made) };
}

/** What an index answers to ten vectors. */
async function answersOf(index: SearchIndex): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (let seed = 1; seed <= 10; seed++) {
    const vector = randomNumbers(new Random(seed), DIMENSIONS);
    const { data } = await index.query({ query: "", vector, semanticDepth: 20, hitsPerPage: 20 });
    answers.push(data.hits.map(({ id, score }) => [id, score]));
  }
  return answers;
}

describe.each(USABLE_KINDS)("an index with a graph of kind %s", (kind) => {
  it("finds nearly all of the nearest, exactly rated, through writes, filters and pages", async () => {
    const { engine, made } = await indexes(["exact", kind], [], QUICK);
    const [exact, graph] = made as [SearchIndex, SearchIndex];
    const both = async (write: (index: SearchIndex) => Promise<unknown>) => {
      await Promise.all(made.map(write));
      // While the graph grows, what it lacks is scanned.
      const growing = await hitsOf(graph, { semanticDepth: 10 });
      expect(growing.length).toBe(10);
      await graph.whenIdle();
      expect((await graph.estimate()).graph).toBeGreaterThan(0);
      for (const more of [{}, { filters: "group = 1" }]) {
        const [found, due] = await Promise.all([graph, exact].map((index) => hitsOf(index, more)));
        const scores = new Map(due!.map(({ id, score }) => [id, score]));
        const right = found!.filter(({ id }) => scores.has(id));
        expect(right.length / due!.length).toBeGreaterThanOrEqual(0.98);
        for (const { id, score } of right) expect(score).toBe(scores.get(id));
      }
      const all = await pageOf(graph, 1, 50);
      const pages = [await pageOf(graph, 1, 10), await pageOf(graph, 2, 10), await pageOf(graph, 5, 10)];
      expect(pages.map(({ nbHits }) => nbHits)).toEqual([50, 50, 50]);
      expect(pages.map(({ hits }) => hits)).toEqual([0, 10, 40].map((from) => all.hits.slice(from, from + 10)));
    };
    await both((index) => index.addRecords(grouped(vectors(0, 12_000))));
    await both((index) => index.updateRecords(grouped(vectors(100, 50)).map(({ v }, i) => ({ id: `r${i}`, v }))));
    await both((index) => index.deleteRecords(Array.from({ length: 600 }, (_, i) => `r${3 * i}`)));
    // The digest contains the settings.
    await graph.updateSettings({ vectorIndex: { kind: "exact", ...QUICK } });
    expect(await graph.digest()).toBe(await exact.digest());
    await engine.close();
  });
});

/** The ten nearest to each of thirty vectors. */
async function hitsOf(index: SearchIndex, params: Omit<SearchParams, "query">) {
  const hits: { readonly id: string; readonly score: number }[] = [];
  const vectorsAsked = params.semanticDepth === undefined ? 30 : 1;
  for (let seed = 1; seed <= vectorsAsked; seed++) {
    const vector = randomNumbers(new Random(seed), DIMENSIONS);
    const { data } = await index.query({ semanticDepth: 10, hitsPerPage: 10, ...params, query: "", vector });
    hits.push(...data.hits.map(({ id, score }) => ({ id: `${seed} ${id}`, score })));
  }
  return hits;
}

async function pageOf(index: SearchIndex, page: number, hitsPerPage: number) {
  const vector = randomNumbers(new Random(7), DIMENSIONS);
  const { data } = await index.query({ query: "", vector, semanticDepth: 50, page, hitsPerPage });
  return { nbHits: data.nbHits, hits: data.hits.map(({ id, score }) => [id, score]) };
}

/** Most of the records pass `group = 1`, more than are scanned, so that the graph answers queries with this filter. */
const grouped = (records: readonly { readonly id: string; readonly v: number[] }[]) =>
  records.map((record, i) => ({ ...record, group: i % 10 === 0 ? 2 : 1 }));

describe("an index whose graph cannot be used", () => {
  it("says so once where there is no WebAssembly, and scans", async () => {
    const warnings: SearchWarning[] = [];
    const { engine, made } = await indexes(["hnsw"], warnings);
    for (const from of [0, 20, 40]) await made[0]!.addRecords(vectors(from, 20));
    await made[0]!.whenIdle();
    const { hnsw, unavailable } = engine.capabilities();
    expect([hnsw, unavailable.hnsw === undefined]).toEqual(Array(2).fill(USABLE_KINDS.includes("hnsw")));
    const told = warnings.filter(({ code, param }) => code === "graph_unavailable" && param === "vectorIndex");
    expect(told).toHaveLength(hnsw ? 0 : 1);
    expect((await answersOf(made[0]!))[0]).toHaveLength(20);
    await engine.close();
  });

  it("is refused where hnswlib-node is missing, when it is created and when its settings change", async () => {
    const { engine, made } = await indexes(["exact"]);
    const { hnswlib, unavailable } = engine.capabilities();
    const vectorIndex = { kind: "hnswlib" } as const;
    if (!hnswlib) {
      for (const call of [engine.createIndex("other", { vectorIndex }), made[0]!.updateSettings({ vectorIndex })])
        expect(await rejectionOf(call)).toMatchObject({
          code: 400,
          error: "invalid_setting",
          param: "vectorIndex.kind",
        });
      expect(unavailable.hnswlib).toMatch(/hnswlib-node|native code/);
    } else {
      await made[0]!.updateSettings({ vectorIndex });
      await made[0]!.addRecords(vectors(0, 20));
      await made[0]!.whenIdle();
      expect((await made[0]!.estimate()).graph).toBeGreaterThan(0);
      expect(unavailable.hnswlib).toBeUndefined();
    }
    await engine.close();
  });
});

it.each([
  ["while it grows for the first time", 2_500_000, 1000],
  ["after a later write", 4_300_000, 20_000],
])(
  "auto goes on with hnswlib-node where our own graph runs out of memory %s",
  { timeout: 60_000 },
  async (_, bytes, later) => {
    const warnings: string[] = [];
    const engine = new SearchEngine({ onWarning: ({ code }) => void warnings.push(code) });
    const { hnsw, hnswlib } = engine.capabilities();
    const vectorIndex = { m: 4, efConstruction: 20 };
    const index = await engine.createIndex("many", { vectorAttribute: "v", dimensions: 4, vectorIndex });
    // Only our own graph finds so little memory, when it is created.
    if (hnsw) vi.spyOn(process, "constrainedMemory").mockReturnValueOnce(bytes);
    const random = new Random(1);
    for (const [from, count] of [
      [0, EXACT_SCAN_LIMIT + 1000],
      [EXACT_SCAN_LIMIT + 1000, later],
    ] as const) {
      const added = Array.from({ length: count }, (_, i) => ({ id: from + i, v: randomNumbers(random, 4) }));
      await index.addRecords(added);
      const ask = async () => (await index.query({ query: "", vector: added[0]!.v, hitsPerPage: 1 })).data.hits[0];
      expect(await ask()).toMatchObject({ id: String(from), score: 1 });
      await index.whenIdle();
      expect(await ask()).toMatchObject({ score: 1 });
    }
    expect([liveHnswlibGraphs(), warnings]).toEqual(hnswlib ? [1, []] : [0, ["graph_unavailable"]]);
    await engine.close();
    expect(liveHnswlibGraphs()).toBe(0);
  },
);

/** A keeper with the states it follows. */
class Shelf {
  readonly warnings: SearchWarning[] = [];
  readonly stop = new AbortController();
  readonly keeper: GraphKeeper;
  hasRoom = true;
  snapshot = IndexSnapshot.empty();

  constructor(vectorIndex: object, dimensions = 3) {
    const embedder = { ...new AxisEmbedder(), dimensions, embed: async () => [] };
    const { effective } = settingsFrom({ vectorIndex, embedder });
    const { signal: stop } = this.stop;
    this.keeper = new GraphKeeper(effective, this.snapshot, {
      warn: (warning) => void this.warnings.push(warning),
      stop,
      fits: () => this.hasRoom,
      changed: () => {},
    });
  }

  get graph() {
    return this.keeper.graphFor(this.snapshot);
  }

  add(...added: Segment[]): void {
    this.snapshot = this.snapshot.with({ added });
    this.keeper.follow(this.snapshot, { added });
  }

  deleteDocs(at: number, docs: readonly number[]): void {
    const deletions = new Map([[this.snapshot.segments[at]!.segment.segmentId, docs as readonly LocalDoc[]]]);
    this.snapshot = this.snapshot.with({ deletions });
    this.keeper.follow(this.snapshot, { deletions });
  }

  merge(): MergedSegment {
    const merged = runTaskAtOnce(mergeSegments(this.snapshot.segments));
    this.snapshot = this.snapshot.withMerged(merged);
    this.keeper.followMerge(this.snapshot, merged);
    return merged;
  }
}

/** Records whose vectors all differ, as a graph sees them, too: the more drills, the fewer sofas. */
const drills = (from: number, count: number): JsonRecord[] =>
  Array.from({ length: count }, (_, i) => ({
    id: `r${1000 + from + i}`,
    body: "drill ".repeat(from + i + 1) + "sofa ".repeat(80 - from - i),
  }));
const segment = (from: number, count: number) => segmentFrom(drills(from, count));

for (const kind of USABLE_KINDS)
  describe(`the keeper of a graph of kind ${kind}`, () => {
    it("has none for few vectors, unless it is told to, and never when told not to", async () => {
      for (const [asked, has] of [
        ["auto", false],
        ["exact", false],
        [kind, true],
      ] as const) {
        const shelf = new Shelf({ kind: asked });
        shelf.add(await segment(0, 20));
        await shelf.keeper.idle();
        expect(shelf.graph?.kind, asked).toBe(has ? kind : undefined);
      }
      expect(EXACT_SCAN_LIMIT).toBe(50_000);
    });

    it("gives the first graph once it holds everything, and takes it away with the last record", async () => {
      const shelf = new Shelf({ kind });
      shelf.add(await segment(0, 20));
      expect(shelf.graph).toBeUndefined();
      await shelf.keeper.idle();
      expect(shelf.graph?.records.count).toBe(20);
      shelf.deleteDocs(0, [...Array(20).keys()]);
      expect(shelf.graph).toBeUndefined();
    });

    it("builds a worn graph anew, and puts the new one in place together with a write only", async () => {
      const shelf = new Shelf({ kind });
      shelf.add(await segment(0, 40));
      await shelf.keeper.idle();
      const worn = shelf.graph;
      shelf.deleteDocs(0, [...Array(20).keys()]);
      await shelf.keeper.idle();
      expect([shelf.graph === worn, shelf.graph?.index.size]).toEqual([true, 40]);
      shelf.add(await segment(40, 1));
      await shelf.keeper.idle();
      expect([shelf.graph === worn, shelf.graph?.index.size, shelf.graph?.records.count]).toEqual([false, 21, 21]);
    });

    it("lets the new graph follow what is deleted and merged while it waits", async () => {
      const shelf = new Shelf({ kind });
      shelf.add(await segment(0, 30), await segment(30, 10));
      await shelf.keeper.idle();
      shelf.deleteDocs(0, [...Array(20).keys()]);
      await shelf.keeper.idle();
      const { segment: merged } = shelf.merge();
      shelf.deleteDocs(0, [0, 1]);
      await shelf.keeper.idle();
      expect([shelf.graph?.records.count, shelf.graph?.records.nodesOf(merged.segmentId)?.length]).toEqual([18, 20]);
    });

    it("grows by what comes while it grows", async () => {
      const shelf = new Shelf({ kind });
      shelf.add(await segment(0, 30));
      shelf.add(await segment(30, 30));
      shelf.merge();
      shelf.deleteDocs(0, [5]);
      await shelf.keeper.idle();
      expect(shelf.graph?.records.count).toBe(59);
    });

    it("goes on where a write puts the new graph in place while the worn one grows, too", async () => {
      for (let turns = 0; turns < 6; turns++) {
        const shelf = new Shelf({ kind });
        shelf.add(await segment(0, 30));
        await shelf.keeper.idle();
        const added = await Promise.all(Array.from({ length: 20 }, (_, i) => segment(30 + i, 1)));
        shelf.deleteDocs(0, [...Array(15).keys()]);
        for (const one of added) {
          for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
          shelf.add(one);
        }
        await shelf.keeper.idle();
        expect([shelf.graph?.records.count, shelf.warnings], `${turns} turns`).toEqual([35, []]);
        shelf.keeper.dispose();
      }
    });

    it("stops growing when the index ends, without a word", async () => {
      const shelf = new Shelf({ kind });
      shelf.add(await segment(0, 30));
      shelf.stop.abort();
      await shelf.keeper.idle();
      shelf.add(await segment(30, 5));
      await shelf.keeper.idle();
      shelf.keeper.dispose();
      expect([shelf.graph, shelf.warnings]).toEqual([undefined, []]);
    });

    it("lets its graphs' memory go when it ends", async () => {
      const shelf = new Shelf({ kind });
      shelf.add(await segment(0, 30));
      await shelf.keeper.idle();
      const { graph } = shelf;
      shelf.keeper.end();
      expect([graph === undefined, shelf.graph, shelf.keeper.bytes]).toEqual([false, undefined, 0]);
      expect(() => graph!.index.growth).toThrow(expect.objectContaining({ error: "closed" }));
    });

    it("opens no stored graph for which there is no memory", async () => {
      const shelf = new Shelf({ kind });
      let asked = 0;
      shelf.hasRoom = false;
      shelf.keeper.found(IndexSnapshot.empty(), { bytes: 1, open: async () => void asked++ });
      shelf.add(await segment(0, 30));
      await shelf.keeper.idle();
      expect([asked, shelf.graph, shelf.warnings.map(({ code }) => code)]).toEqual([
        0,
        undefined,
        ["graph_unavailable"],
      ]);
    });

    it("gives up with one warning when a graph cannot hold the vectors", async () => {
      const shelf = new Shelf({ kind }, 5);
      shelf.add(await segment(0, 10));
      await shelf.keeper.idle();
      shelf.add(await segment(10, 10));
      await shelf.keeper.idle();
      expect(shelf.warnings.map(({ code }) => code)).toEqual(["graph_unavailable"]);
      expect([shelf.graph, shelf.keeper.bytes]).toEqual([undefined, 0]);
    });
  });
