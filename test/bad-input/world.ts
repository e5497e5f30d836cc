// A small engine for each bad input: three indexes with known records, every warning kept, and a picture of everything that
// can be seen (the digest of each index with it), taken before and after. Parameters are `unknown`, because most of what comes in here is wrong.

import {
  type Embedder,
  type EngineOptions,
  type IndexSettings,
  SearchEngine,
  type SearchParams,
  type SearchWarning,
} from "../../src/index.js";

/** Stands in every record: no message may hold it. */
export const SECRET = "confidential";

/** A value as the type a call asks for. The only cast of these tests: they pass on purpose what the types forbid. */
export function anything<T>(value: unknown): T {
  return value as T;
}

/** A getter of an object that must not be read so. */
export function throwing(): never {
  throw new Error("from the getter");
}

/** A record of the tests; `own` wins. */
export function rec(own: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { id: "new", title: `Yellow lamp ${SECRET}`, ...own };
}

/** Eight components within -1 … 1 that depend on the seed; no two seeds point alike. */
export function vectorOf(seed: number): number[] {
  let state = seed + 1;
  return Array.from({ length: 8 }, () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
    state ^= state >>> 13;
    return (state >>> 0) / 2 ** 31 - 1;
  });
}

/** What an answer holds besides its times. */
export interface Seen {
  readonly query: string;
  readonly indexUse: string;
  readonly recallSource: readonly string[];
  readonly nbHits: number;
  readonly page: number;
  readonly hitsPerPage: number;
  readonly hits: readonly { readonly id: string; readonly score: number; readonly source: unknown }[];
  /** By attribute; where facets were asked for. */
  readonly facets?: Readonly<Record<string, readonly { readonly value: unknown; readonly count: number }[]>>;
}

/** An embedder that answers by length and first letter, or whatever a test wants it to. */
export class PlayEmbedder implements Embedder {
  id = "play-1";
  dimensions = 8;
  maxBatchSize?: number;
  retries = 0;
  /** Texts of all calls. */
  readonly asked: string[] = [];
  answer: ((texts: readonly string[]) => unknown) | undefined;

  async embed(texts: readonly string[]): Promise<readonly number[][]> {
    this.asked.push(...texts);
    if (this.answer !== undefined) return anything(await this.answer(texts));
    return texts.map((text) => vectorOf(text.length + text.charCodeAt(0)));
  }
}

const SEEDS: readonly Readonly<Record<string, unknown>>[] = [
  { id: 1, title: "Red kettle", brand: "Forge", price: 10, note: SECRET },
  { id: "two", title: "Blue drill", sku: "AB-123", specs: { volts: 18 }, note: SECRET },
  { id: 3, title: "Green drill", tags: ["garden", "tools"], note: SECRET },
];

/** The verbs of an engine that take an index's name. */
type Verb = Exclude<keyof SearchEngine, "createIndex" | "listIndexes" | "index" | "close" | "browseRecords">;

/** Index "shop" has words only, "near" the records' own vectors, "meant" those of `embedder`. */
export class World {
  readonly engine: SearchEngine;
  readonly warnings: SearchWarning[] = [];
  readonly embedder: PlayEmbedder = new PlayEmbedder();

  private constructor(options: EngineOptions) {
    this.engine = new SearchEngine({
      embedder: false,
      onWarning: (warning) => this.warnings.push(warning),
      ...options,
    });
  }

  /** A world with one empty index, "shop". */
  static async bare(options: EngineOptions = {}): Promise<World> {
    const world = new World(options);
    await world.create("shop");
    return world;
  }

  static async open(options: EngineOptions = {}): Promise<World> {
    const world = new World(options);
    await world.create("shop");
    await world.create("near", { vectorAttribute: "vector", dimensions: 8 });
    await world.create("meant", { embedder: world.embedder });
    for (const name of ["shop", "meant"]) await world.add(SEEDS, name);
    await world.add(
      SEEDS.map((seed, i) => ({ ...seed, vector: vectorOf(i) })),
      "near",
    );
    return world;
  }

  create(name: unknown, settings?: unknown, options?: unknown): Promise<unknown> {
    return this.engine.createIndex(anything(name), anything<IndexSettings>(settings), anything(options));
  }

  add(records: unknown, index: unknown = "shop", options?: unknown): Promise<unknown> {
    return this.engine.addRecords(anything(index), anything<object[]>(records), anything(options));
  }

  delete(ids: unknown, index: unknown = "shop"): Promise<unknown> {
    return this.engine.deleteRecords(anything(index), anything(ids));
  }

  get(ids: unknown, index: unknown = "shop"): Promise<unknown[]> {
    return this.engine.getRecords(anything(index), anything(ids));
  }

  /** Calls a verb with whatever it is given. */
  async call(verb: Verb, ...given: readonly unknown[]): Promise<unknown> {
    return Reflect.apply(this.engine[verb], this.engine, given);
  }

  /** What a query's answer holds besides its times. */
  async ask(params: unknown, index: unknown = "shop", options?: unknown): Promise<Seen> {
    const { data } = await this.engine.query(anything(index), anything<SearchParams>(params), anything(options));
    const { serverTimeMS: _server, processingTimeMS: _processing, ...seen } = data;
    return seen;
  }

  /** Ids of the records that hold every term. */
  async found(query: string, index: unknown = "shop"): Promise<string[]> {
    return idsOf(await this.ask({ query, matching: "all" }, index));
  }

  async records(index: string): Promise<unknown[]> {
    const records: unknown[] = [];
    for await (const record of this.engine.browseRecords(index)) records.push(record);
    return records;
  }

  /** Names, settings and digests of every index. */
  async outline(): Promise<unknown> {
    const indexes = [];
    for (const { name, records } of await this.engine.listIndexes()) {
      const { settings, effective } = await this.engine.getSettings(name);
      indexes.push({ name, records, settings: { ...settings }, effective, digest: await this.engine.digest(name) });
    }
    return indexes;
  }

  /** The outline, all records, and the answers of the probe queries, of every index. */
  async picture(): Promise<unknown> {
    const { answer } = this.embedder;
    this.embedder.answer = undefined;
    const seen = [];
    for (const { name } of await this.engine.listIndexes()) {
      const { effective } = await this.engine.getSettings(name);
      const probes: unknown[] = [
        { query: "drill" },
        { query: "", facets: ["*"] },
        { query: "red kettle", hitsPerPage: 1 },
      ];
      if (effective.dimensions === 8) probes.push({ query: "lamp", vector: vectorOf(1) });
      const answers = [];
      for (const probe of probes) answers.push(await this.ask(probe, name));
      seen.push({ name, records: await this.records(name), answers });
    }
    this.embedder.answer = answer;
    return { outline: await this.outline(), seen };
  }
}

/** The ids of an answer's hits, in order. */
export function idsOf(seen: Seen): string[] {
  return seen.hits.map((hit) => hit.id);
}
