// Whole lives of indexes against their twins: records come, are replaced, updated, deleted by id and by filter, all replaced;
// settings change; indexes are copied over others. After each step the twins agree. In a data folder they agree after reopenings too.
// PROPERTY_SEED=n lives one life; a life that fails is shrunk.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  type EncodedParams,
  type JsonRecord,
  SearchEngine,
  type SearchError,
  type SearchParams,
} from "../../src/index.js";
import { nodeDisk } from "../../src/storage/store.js";
import {
  type Call,
  type Goods,
  type Shares,
  shown,
  take,
  type Write,
  withoutSentences,
  writeOf,
} from "../lives/calls.js";
import { type Life, live, seedOf } from "../lives/live.js";
import { Model } from "../lives/model.js";
import { type FuzzShop, fuzzShop, goodParams, goodsOf } from "../lives/shop.js";
import { TINY_SIZES } from "../support/data-folder.js";
import type { NaiveEngine } from "../support/naive-engine.js";
import { PATIENCE } from "../support/patience.js";
import type { Random } from "../support/random.js";
import { SCALE, scaled } from "../support/size.js";
import { idOf } from "./build-index.js";
import { ATTRIBUTES } from "./random-attributes.js";
import { intentOf, sentenceParams } from "./random-sentences.js";
import { expectAnswer } from "./same-answer.js";

const LIVES = scaled(14);
/** The first seed; the three lives of the fast size take as long as others, and lose records of many segments. */
const FIRST = 4;
const TIMEOUT = PATIENCE * 60_000 * Math.max(1, SCALE);

const SHARES: Shares = {
  addRecords: 3,
  updateRecords: 2,
  replaceAllRecords: 1,
  deleteRecords: 1,
  deleteBy: 1,
  clearIndex: 0,
  updateSettings: 2,
};

class History implements Life {
  readonly random: Random;
  readonly story: string[] = [];
  private readonly model = new Model();
  private readonly shop: FuzzShop;
  /** Undefined: it is in memory. */
  private readonly dataDir: string | undefined;
  private engine!: SearchEngine;

  constructor(random: Random, isStored: boolean) {
    this.random = random;
    this.shop = fuzzShop(random, true);
    this.dataDir = isStored ? mkdtempSync(join(tmpdir(), "histories-")) : undefined;
  }

  async begin(): Promise<void> {
    const { settings, records } = this.shop.shop;
    this.engine = await this.open();
    for (const name of ["shop", "other"]) {
      await this.engine.createIndex(name, settings);
      this.model.create(name, this.shop);
    }
    await this.make({ verb: "addRecords", args: ["shop", records] });
  }

  /** A write; of records that are added some come one by one. */
  async write(): Promise<void> {
    const { random } = this;
    const call = writeOf(random, "shop", this.goods, SHARES);
    const isToSplit = call.verb === "addRecords" && random.chance(0.3);
    const records = call.args[1] as readonly JsonRecord[];
    const calls = isToSplit ? records.map((record): Write => ({ ...call, args: ["shop", [record]] })) : [call];
    for (const each of calls) await this.make(each);
    await this.agree();
  }

  async addToOther(): Promise<void> {
    await this.make({ verb: "addRecords", args: ["other", this.goods.records()] });
    await this.agree();
  }

  async copy(from: string, to: string): Promise<void> {
    await this.make({ verb: "copyIndex", args: [from, to] });
    await this.agree();
  }

  async end(): Promise<void> {
    if (this.dataDir !== undefined) expect(await this.engine.checkStorage()).toEqual({ ok: true, problems: [] });
  }

  async leave(): Promise<void> {
    await this.engine.close();
    if (this.dataDir !== undefined) rmSync(this.dataDir, { recursive: true, force: true });
  }

  /** Those of the shop, but so many at once that most segments lose some. */
  private get goods(): Goods {
    const { random, shop } = this;
    const known = [...shop.shop.records, ...shop.shop.strangers].map(idOf);
    const ids = () => random.some(known, random.pick([0.05, 0.3]));
    const records = () => ids().map((id) => ({ ...shop.shop.other(id), id }));
    return { ...goodsOf(random, shop, ATTRIBUTES), ids, records };
  }

  private async open(): Promise<SearchEngine> {
    const { random, dataDir } = this;
    const { embedder } = this.shop;
    if (dataDir === undefined) return new SearchEngine({ strict: true, onWarning: () => {} });
    const embedders = embedder === undefined ? {} : { [embedder.id]: embedder };
    // With tiny sizes, segments are files, which are read when a query needs them; else they are in the log.
    return SearchEngine.openOn(
      { ...nodeDisk, sizes: random.pick([nodeDisk.sizes, TINY_SIZES]) },
      { dataDir, strict: true, onWarning: () => {}, embedders, durability: random.pick(["sync", "interval"]) },
    );
  }

  private async make(call: Write | Call<"copyIndex">): Promise<void> {
    this.story.push(shown(call));
    const expected = this.model.take(call);
    const given = take(this.engine, call).then(
      (result) => ({ result: withoutSentences(result) }),
      ({ code, error }: SearchError) => ({ refusal: `${code} ${error}` }),
    );
    expect(await given).toEqual(expected);
  }

  private async expectSimilar(name: string, naive: NaiveEngine): Promise<void> {
    const { random } = this;
    const some = () => random.list(1, 3, () => idOf(random.pick(naive.records)));
    const of = { like: some(), unlike: random.chance(0.5) ? some() : [] };
    const { page: _page, hitsPerPage: _hits, ...others } = goodParams(random, this.shop, ATTRIBUTES);
    const params = { ...others, query: "" };
    const similar = (asked: SearchParams | EncodedParams) => this.engine.similar(name, of, asked);
    await expectAnswer({ query: similar }, naive.similar(of, params), params, random);
  }

  private async expectUnderstood(name: string, naive: NaiveEngine): Promise<void> {
    const { random } = this;
    const { page: _page, hitsPerPage: _hits, ...others } = goodParams(random, this.shop, ATTRIBUTES);
    const params = sentenceParams(random, others);
    const index = this.engine.index(name);
    const intent = await intentOf((asked) => index.query(asked), params);
    await expectAnswer(index, naive.query(params, undefined, intent), params, random);
  }

  /** Sometimes waits for the merges, or opens the folder again; then the twins agree. */
  private async agree(): Promise<void> {
    const { random } = this;
    if (random.chance(0.2)) {
      this.story.push("whenIdle");
      await this.engine.index("shop").whenIdle();
    }
    if (this.dataDir !== undefined && random.chance(0.4)) {
      this.story.push("close and open");
      await this.engine.close();
      this.engine = await this.open();
      expect(this.engine.recovery()).toEqual({ recovered: false, droppedBytes: 0 });
    }
    for (const [name, { last }] of this.model.indexes) {
      const records: JsonRecord[] = [];
      for await (const record of this.engine.browseRecords(name)) records.push(record);
      expect(records).toEqual(last.naive.records);
      for (let queries = 0; queries < 2; queries++) {
        const { page: _page, hitsPerPage: _hits, ...params } = goodParams(random, this.shop, ATTRIBUTES);
        await expectAnswer(this.engine.index(name), last.naive.query(params), params, random);
      }
      if (records.length > 0 && random.chance(0.4)) await this.expectUnderstood(name, last.naive);
      if (records.length > 0 && random.chance(0.25)) await this.expectSimilar(name, last.naive);
      await this.agreeOnSuggestions(name, last.naive);
    }
  }

  /** Each suggestion has as many hits as its query. */
  private async agreeOnSuggestions(name: string, naive: NaiveEngine): Promise<void> {
    const { random } = this;
    const { query, filters } = goodParams(random, this.shop, ATTRIBUTES);
    const narrow = filters === undefined ? {} : { filters };
    const typed = query.slice(0, random.between(1, 12));
    const { suggestions } = (await this.engine.suggest(name, { query: typed, ...narrow })).data;
    for (const { text, nbHits } of suggestions)
      expect(naive.query({ query: text, matching: "all", ...narrow }).nbHits, `${typed}: ${text}`).toBe(nbHits);
  }
}

it.each([
  ["through whole lives", false],
  ["in a data folder that is closed and opened between the steps", true],
])("stays the naive engine's twin %s", { timeout: TIMEOUT }, async (_, isStored) => {
  const only = seedOf("PROPERTY");
  const seeds = only === undefined ? Array.from({ length: LIVES }, (_, i) => FIRST + i) : [only];
  for (const seed of seeds)
    await live("PROPERTY", seed, {
      make: (random) => new History(random, isStored),
      begin: (life) => life.begin(),
      steps: [
        [10, (life) => life.write()],
        [1, (life) => life.addToOther()],
        [1, (life) => life.copy("shop", "other")],
        [1, (life) => life.copy("other", "shop")],
      ],
      length: [5, 15],
      end: (life) => life.end(),
      leave: (life) => life.leave(),
    });
});
