// Indexes of more records than are read or written at once are moved whole, in both directions, or not at all.

import { beforeAll, describe, expect, it } from "vitest";
import type { JsonRecord } from "../../src/index.js";
import { allOf } from "../support/all-of.js";
import { clusterEngines, type EnginePair, physicalsOf } from "../support/cluster-engines.js";
import { Random } from "../support/random.js";
import { rejectionOf } from "../support/refusal.js";
import { WordEmbedder } from "../support/word-embedder.js";

const { pair, prefix } = clusterEngines();

/** Characters that a cluster orders otherwise than code units are ordered. */
const ODD = ["", "（", "\ue000", "￿", "😀", "𠮷", "a"];
const WORDS = ["drill", "saw", "hammer", "lamp", "sofa", "chair", "table", "kettle"];
const COUNT = 2500;
/** An import writes at every four million characters. */
const FILLER = "x".repeat(2000);
const random = new Random(1);
const RECORDS: readonly JsonRecord[] = Array.from({ length: COUNT }, (_, i) => ({
  id: `${random.pick(ODD)}${random.pick(ODD)}${i}`,
  title: `${random.pick(WORDS)} ${random.pick(WORDS)} ${i}`,
  stock: random.between(0, 9),
  note: FILLER,
}));
const SETTINGS = { searchableAttributes: ["title"] };

const physicalOf = (name: string): Promise<string[]> => physicalsOf(`${prefix.slice(0, -1)}*`, name);

describe("an index of several batches", () => {
  let engines: EnginePair;
  let lines: string[];
  beforeAll(async () => {
    engines = await pair();
    const { embedded } = engines;
    await embedded.createIndex("moved", SETTINGS);
    await embedded.addRecords("moved", RECORDS);
    lines = await allOf(embedded.exportIndex("moved"));
  });

  it("goes into the cluster and back, with the same digests, in the order of ids", async () => {
    const { embedded, cluster } = engines;
    const seen: number[] = [];
    const options = { onProgress: ({ done }: { done: number }) => void seen.push(done) };
    expect(await cluster.importIndex("moved", embedded.exportIndex("moved"), options)).toEqual({ records: COUNT });
    expect(seen.length).toBeGreaterThan(1);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(seen.at(-1)).toBe(COUNT);
    const progress: unknown[] = [];
    const back = await allOf(cluster.exportIndex("moved", { onProgress: (done) => void progress.push(done) }));
    expect(back.join("") === lines.join("")).toBe(true);
    expect(progress.at(-1)).toEqual({ done: COUNT, total: COUNT });
    expect(back.length).toBeGreaterThan(2);
    await embedded.importIndex("back", back);
    const digests = [embedded.digest("moved"), cluster.digest("moved"), embedded.digest("back")];
    expect(new Set(await Promise.all(digests)).size).toBe(1);
  });

  it("is copied", async () => {
    const { cluster } = engines;
    await cluster.copyIndex("moved", "copied");
    expect(await cluster.digest("copied")).toBe(await cluster.digest("moved"));
    expect(await physicalOf("copied")).toHaveLength(1);
  });

  it("leaves nothing where a later line is wrong, and says which", async () => {
    const text = lines.join("");
    const wrong = [`${text}{"title":"without an id"}\n`, text.slice(0, -100), `${text}[]`];
    for (const source of wrong) {
      const [embedded, cluster] = await engines.both((engine) => engine.importIndex("wrong", source));
      expect(cluster).toEqual(embedded);
    }
    expect(await physicalOf("wrong")).toEqual([]);
  });

  it("leaves nothing, and what was there, when it is aborted in the middle", async () => {
    const { cluster } = engines;
    await cluster.createIndex("stays");
    await cluster.addRecords("stays", [{ id: 1 }]);
    const stopping = new AbortController();
    const error = await rejectionOf(
      cluster.importIndex("stays", lines, {
        ...{ ifExists: "replace", signal: stopping.signal },
        onProgress: () => stopping.abort(),
      }),
    );
    expect([error.code, error.error]).toEqual([499, "aborted"]);
    expect(await cluster.getRecords("stays", [1])).toEqual([{ id: 1 }]);
    expect(await physicalOf("stays")).toHaveLength(1);
  });

  it("has no more records than an index may", async () => {
    const small = await pair({ limits: { indexRecords: COUNT - 1 } });
    const [embedded, cluster] = await small.both((engine) => engine.importIndex("full", lines));
    expect(cluster).toEqual(embedded);
    expect(await physicalOf("full")).toEqual([]);
  });
});

describe("an index with vectors", () => {
  it("is copied without embedding anything", async () => {
    const embedder = new WordEmbedder();
    const { cluster } = await pair({ embedder: embedder });
    await cluster.createIndex("meant", SETTINGS);
    await cluster.addRecords("meant", RECORDS.slice(0, 300));
    const { length } = embedder.calls;
    expect(length).toBeGreaterThan(0);
    await cluster.copyIndex("meant", "copied-vectors");
    expect(embedder.calls).toHaveLength(length);
    expect(await cluster.digest("copied-vectors")).toBe(await cluster.digest("meant"));
  });
});
