// An embedder that is slow, fails or takes short texts only, behind the verbs of an index.

import { describe, expect, it } from "vitest";
import { type Embedder, type Progress, SearchEngine, type SearchWarning } from "../src/index.js";
import { AxisEmbedder } from "./support/axis-embedder.js";
import { rejectionOf } from "./support/refusal.js";

const titles = ["drill", "sofa", "lamp"];
const records = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ id: String(i).padStart(3, "0"), title: `${titles[i % 3]} number ${i}` }));

/** An error that is not worth another try. */
const refused = () => Object.assign(new Error("over quota"), { status: 403 });

async function shop(own: Embedder) {
  const warnings: SearchWarning[] = [];
  const engine = new SearchEngine({ onWarning: (warning) => warnings.push(warning) });
  return { engine, warnings, index: await engine.createIndex("a", { embedder: own, embeddedAttributes: ["title"] }) };
}

/** What an index answers and holds, made of these records at once. */
async function twinOf(all: ReturnType<typeof records>): Promise<string> {
  const { index } = await shop(new AxisEmbedder());
  await index.addRecords(all);
  return index.digest();
}

describe("a write that fails", () => {
  it("changes nothing, and asks for the rest when it is called again", async () => {
    const own = new AxisEmbedder(10);
    const { index } = await shop(own);
    own.wait = async () => {
      if (own.batches.length === 4) throw refused();
    };
    const error = await rejectionOf(index.addRecords(records(60)));
    expect(error.msg).toBe('The embedder "axes-1" threw "over quota"; nothing was changed.');
    expect([own.takeTexts().length, index.recordCount]).toEqual([40, 0]);
    own.wait = async () => {};
    const told: Progress[] = [];
    await index.addRecords(records(60), { onProgress: (progress) => told.push(progress) });
    expect(own.takeTexts()).toEqual(
      records(60)
        .slice(30)
        .map(({ title }) => title),
    );
    const done = told.filter(({ phase }) => phase === "embedding").map((progress) => progress.done);
    expect(done).toEqual([30, 40, 50, 60]);
    expect(await index.digest()).toBe(await twinOf(records(60)));
  });

  it("for another reason than the embedder has its vectors waiting, too", async () => {
    const own = new AxisEmbedder(10);
    const engine = new SearchEngine({ limits: { indexRecords: 10 } });
    const index = await engine.createIndex("a", { embedder: own, embeddedAttributes: ["title"] });
    const controller = new AbortController();
    const onProgress = ({ phase, done }: Progress) => {
      if (phase === "embedding" && done === 10) controller.abort();
    };
    const call = index.addRecords(records(10), { signal: controller.signal, onProgress });
    expect((await rejectionOf(call)).code).toBe(499);
    await index.addRecords(records(10));
    expect(own.takeTexts()).toHaveLength(10);
  });

  it("in an import, after earlier pieces were embedded, asks for none of them again", async () => {
    const own = new AxisEmbedder(100);
    const source = await shop(new AxisEmbedder());
    // More than one piece of an import.
    const long = records(300).map((record) => ({ ...record, note: "x".repeat(20_000) }));
    await source.index.addRecords(long);
    let text = "";
    for await (const piece of source.engine.exportIndex("a")) text += piece;
    const engine = new SearchEngine({ embedders: { "axes-1": own } });
    own.wait = async () => {
      if (own.batches.flat().length === 300) throw refused();
    };
    await rejectionOf(engine.importIndex("b", text));
    const first = own.batches.slice(0, -1).flat();
    expect(first.length).toBeGreaterThan(0);
    own.batches.length = 0;
    own.wait = async () => {};
    await engine.importIndex("b", text);
    expect(own.takeTexts().filter((asked) => first.includes(asked))).toEqual([]);
    expect((await engine.query("b", { query: "drill", hitsPerPage: 0 })).data.nbHits).toBeGreaterThan(0);
  });
});

describe("a query", () => {
  it("is answered in words alone after queryTimeoutMs, with a warning, and by meaning when the embedder is back", async () => {
    const own: AxisEmbedder = Object.assign(new AxisEmbedder(), { queryTimeoutMs: 30 });
    const { index, warnings } = await shop(own);
    await index.addRecords(records(6));
    const signals: (AbortSignal | undefined)[] = [];
    own.wait = ({ signal }) => {
      signals.push(signal);
      return new Promise(() => {});
    };
    expect((await index.query({ query: "drill" })).data.recallSource).toEqual(["fullTextSearch"]);
    expect(warnings.map(({ code, message }) => [code, message])).toEqual([
      [
        "embedder_failed",
        'The query was answered in words alone: The embedder "axes-1" gave no answer in 30 ms (queryTimeoutMs).',
      ],
    ]);
    expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
    own.wait = async () => {};
    expect((await index.query({ query: "drill" })).data.recallSource).toContain("semanticSearch");
    own.takeTexts();
    await index.query({ query: "drill", page: 2 });
    expect(own.takeTexts()).toEqual([]);
  });

  it("does not wait longer for the floor, which is learned meanwhile", async () => {
    const own: AxisEmbedder = Object.assign(new AxisEmbedder(), { queryTimeoutMs: 30 });
    const { index, warnings } = await shop(own);
    await index.addRecords(records(60));
    let go = (): void => {};
    let signal: AbortSignal | undefined;
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    own.wait = (options) => {
      if (own.batches.at(-1)!.length === 1) return Promise.resolve();
      signal = options.signal;
      return gate;
    };
    for (let i = 0; i < 3; i++)
      expect((await index.query({ query: "drill" })).data.recallSource).toContain("semanticSearch");
    expect(warnings.map(({ param }) => param)).toEqual(["semanticFloor", "semanticFloor", "semanticFloor"]);
    expect([signal?.aborted, own.batches.filter((batch) => batch.length > 1 && batch.length !== 60).length]).toEqual([
      false,
      1,
    ]);
    go();
    await gate;
    await new Promise((resolve) => setImmediate(resolve));
    await index.query({ query: "drill" });
    expect(warnings).toHaveLength(3);
  });

  it("leaves nothing running for the floor when the index ends", async () => {
    const own: AxisEmbedder = Object.assign(new AxisEmbedder(), { queryTimeoutMs: 5 });
    const { engine, index } = await shop(own);
    await index.addRecords(records(60));
    let signal: AbortSignal | undefined;
    own.wait = (options) => {
      if (own.batches.at(-1)!.length === 1) return Promise.resolve();
      signal = options.signal;
      return new Promise(() => {});
    };
    await index.query({ query: "drill" });
    expect(signal?.aborted).toBe(false);
    await engine.close();
    expect(signal?.aborted).toBe(true);
  });
});

describe("maxTextLength", () => {
  const cutting = () => Object.assign(new AxisEmbedder(), { maxTextLength: 10 });

  it("cuts the texts of records, with one warning that names the first, and of queries", async () => {
    const own = cutting();
    const { index, warnings } = await shop(own);
    await index.addRecords([
      { id: "z", title: "drill" },
      { id: "b", title: "a lamp and a sofa" },
      { id: "c", title: "a lamp and a drill" },
    ]);
    expect(own.takeTexts().sort()).toEqual(["a lamp and", "a lamp and", "drill"]);
    await index.query({ query: "lamp and sofa too" });
    expect(own.takeTexts()).toEqual(["lamp and s"]);
    expect(warnings.map(({ code, param, message }) => [code, param, message])).toEqual([
      [
        "text_truncated",
        "embedder",
        'records[1] (id "b") and 1 more have texts to embed of more than 10 UTF-16 units (maxTextLength); the rest is searched by words alone.',
      ],
      [
        "text_truncated",
        "query",
        "The query has 17 UTF-16 units, and the embedder takes 10 (maxTextLength); the rest is searched by words alone.",
      ],
    ]);
  });

  it("asks for nothing where only what is cut off has changed", async () => {
    const own = cutting();
    const { index } = await shop(own);
    await index.addRecords([{ id: "b", title: "a lamp and a sofa" }]);
    own.takeTexts();
    await index.addRecords([{ id: "b", title: "a lamp and a drill" }]);
    expect(own.takeTexts()).toEqual([]);
  });
});

it("refuses what is no time and no number", async () => {
  const wrong = {
    concurrency: 0,
    retries: 11,
    timeoutMs: "60",
    queryTimeoutMs: Number.POSITIVE_INFINITY,
    maxTextLength: -1,
  };
  const own = { id: "own", dimensions: 2, embed: async () => [], ...wrong };
  const error = await rejectionOf(new SearchEngine().createIndex("a", { embedder: own as never }));
  expect(error).toMatchObject({ code: 400, error: "invalid_embedder", param: "embedder.concurrency" });
  expect((error.details!.complaints as { readonly msg: string }[]).map(({ msg }) => msg)).toEqual([
    "settings.embedder.concurrency is 0; expected an integer from 1 to 1000.",
    "settings.embedder.retries is 11; expected an integer from 0 to 10.",
    'settings.embedder.timeoutMs is "60"; expected an integer from 1 to 2147483647.',
    "settings.embedder.queryTimeoutMs is Infinity; expected an integer from 1 to 2147483647.",
    "settings.embedder.maxTextLength is -1; expected an integer from 1 to 100000000.",
  ]);
});
