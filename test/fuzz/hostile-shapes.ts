// Calls of shapes that are dear: many names, many values, long values, characters that expand, and many calls at once. Each is
// answered or refused with a SearchError, and the index still tells the truth after it.

import { writeSync } from "node:fs";
import { expect } from "vitest";
import { type JsonRecord, SearchEngine, SearchError, type SearchIndex, type Synonym } from "../../src/index.js";
import type { Random } from "../support/random.js";

/** What was seen of a life. */
export interface ShapesReport {
  readonly calls: number;
  readonly refused: number;
  /** The longest time between two turns of the event loop, in milliseconds of the processor, and what was called then. */
  readonly longest: Gap;
}

/** A time between two turns of the event loop. */
export interface Gap {
  readonly cpuMs: number;
  readonly call: string;
}

/** One call. */
interface Shape {
  readonly name: string;
  readonly run: () => Promise<unknown>;
  /** How many calls it makes. */
  readonly calls: number;
}

const seq = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const EXPANDING = ["\ufdfa", "½", "㍿", "ﬃ", "İ", "e\u0301", "가", "漢", "ß", "𝔘"];
const WORDS = ["cordless", "drill", "kettle", "lamp", "18v", "USB-C", "größe", "red", "steel", "x"];

/** Lives one life of random calls. */
export async function liveShapes(random: Random): Promise<ShapesReport> {
  const engine = new SearchEngine({
    embedder: random.chance(0.1) ? "static-en" : false,
    limits: { maxMemory: 300e6 },
    onWarning: () => {},
  });
  const settings = random.chance(0.3) ? { attributesForFaceting: ["v", "n"], attributeForDistinct: "n" } : {};
  const index = await engine.createIndex("shapes", settings);
  await index.addRecords(records(random));
  const watch = new LoopWatch();
  let calls = 0;
  let refused = 0;
  try {
    for (let steps = random.between(5, 25); steps > 0; steps--) {
      const shape = random.chance(0.15) ? manyAtOnce(random, index) : oneShape(random, index);
      watch.call = shape.name;
      calls += shape.calls;
      await shape.run().catch((error: unknown) => {
        expect(error, shape.name).toBeInstanceOf(SearchError);
        expect((error as SearchError).msg, shape.name).toMatch(/^[\x20-\x7e…]{1,400}$/);
        refused++;
      });
      if (random.chance(0.1)) await checkTruth(index);
    }
  } finally {
    watch.end();
  }
  await checkTruth(index);
  await engine.close();
  return { calls, refused, longest: watch.longest };
}

/** `nbHits` is the number of records, pages join to all of them, and a facet count is the `nbHits` of choosing the value. */
async function checkTruth(index: SearchIndex): Promise<void> {
  const { data } = await index.query({ query: "", hitsPerPage: 1000, attributesToRetrieve: [] });
  expect(data.nbHits).toBe(index.recordCount);
  expect(new Set(data.hits.map(({ id }) => id)).size).toBe(Math.min(1000, index.recordCount));
  const { data: counted } = await index.query({ query: "", hitsPerPage: 0, facets: ["*"], maxValuesPerFacet: 2 });
  for (const [attribute, values] of Object.entries(counted.facets ?? {}).slice(0, 2))
    for (const { value, count } of values.slice(0, 1)) {
      if (attribute.length > 200 || String(value).length > 200) continue;
      const filters: Record<string, unknown> = { [attribute]: { eq: value } };
      const chosen = await index.query({ query: "", hitsPerPage: 0, filters: filters as never });
      expect(chosen.data.nbHits, `${attribute} ${String(value)}`).toBe(count);
    }
}

/** Watches how long the event loop does not turn. */
class LoopWatch {
  call = "";
  longest: Gap = { cpuMs: 0, call: "" };
  private last = cpuMs();
  private ended = false;

  constructor() {
    setImmediate(() => this.turn());
  }

  end(): void {
    this.ended = true;
  }

  private turn(): void {
    const now = cpuMs();
    if (now - this.last > this.longest.cpuMs) this.longest = { cpuMs: now - this.last, call: this.call };
    this.last = now;
    if (!this.ended) setImmediate(() => this.turn());
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Prints a line of figures. */
export function tell(line: string): void {
  writeSync(1, `${line}\n`);
}

function manyAtOnce(random: Random, index: SearchIndex): Shape {
  const shapes = seq(random.pick([5, 20, 60]), () => oneShape(random, index));
  const run = async (): Promise<void> => {
    for (const { status, reason } of (await Promise.allSettled(shapes.map((shape) => shape.run()))) as {
      status: string;
      reason?: unknown;
    }[])
      if (status === "rejected" && !(reason instanceof SearchError)) throw reason;
  };
  return {
    name: `${shapes.length} at once: ${[...new Set(shapes.map(({ name }) => name))].join(", ")}`,
    run,
    calls: shapes.length,
  };
}

function oneShape(random: Random, index: SearchIndex): Shape {
  const make = random.pick(SHAPES);
  const [name, run] = make(random, index);
  return { name, run, calls: 1 };
}

type MakeShape = (random: Random, index: SearchIndex) => readonly [string, Shape["run"]];

const ask: MakeShape = (random, index) => {
  const asked = params(random);
  return ["query", () => index.query(asked as never)];
};

/** The arguments are made before the call, so that their making is no part of it. */
const SHAPES: readonly MakeShape[] = [
  ask,
  ask,
  ask,
  (random, index) => {
    const batch = records(random);
    return ["addRecords", () => index.addRecords(batch)];
  },
  (random, index) => {
    const batch = badRecords(random);
    return ["addRecords of bad records", () => index.addRecords(batch)];
  },
  (random, index) => {
    const batch = records(random).slice(0, 5);
    return ["updateRecords", () => index.updateRecords(batch)];
  },
  (random, index) => {
    const ids = seq(random.between(1, 2000), (i) => i);
    return ["deleteRecords", () => index.deleteRecords(ids)];
  },
  (random, index) => {
    const deletion = { filters: filters(random, 20) };
    return ["deleteBy", () => index.deleteBy(deletion)];
  },
  (random, index) => {
    const ids = seq(random.between(1, 3000), (i) => i);
    return ["getRecords", () => index.getRecords(ids)];
  },
  (random, index) => {
    const facet = { facetName: attributeName(random), facetQuery: text(random, 4000) };
    return ["searchForFacetValues", () => index.searchForFacetValues(facet)];
  },
  (random, index) => {
    const asked = { query: text(random, 200), filters: filters(random, 50) };
    const id = random.between(0, 50);
    return ["whyNot", () => index.whyNot(asked, id)];
  },
  (random, index) => {
    const ids = (): readonly number[] => seq(random.between(1, 100), (i) => i);
    const of = { like: ids(), unlike: ids() };
    const asked = { filters: filters(random, 50) };
    return ["similar", () => index.similar(of, asked)];
  },
  (random, index) => {
    const settings = { synonyms: synonyms(random) };
    return ["updateSettings", () => index.updateSettings(settings)];
  },
];

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
