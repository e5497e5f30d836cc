// Closing an engine with a data folder while something else runs. It always ends, what was acknowledged is safe, the folder is free,
// and what comes later, or could not be ended, is 503.

import fs from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type Embedder,
  type SearchEngine,
  SearchError,
  type SearchIndex,
  type SearchWarning,
} from "../../src/index.js";
import { asText, contentOf, openFolder, TINY_SIZES } from "../support/data-folder.js";
import { FakeDisk } from "../support/fake-disk.js";
import { Random } from "../support/random.js";
import { rejectionOf } from "../support/refusal.js";
import { seq } from "../support/seq.js";
import { scaled } from "../support/size.js";
import { openAt, tempPaths } from "../support/temp-folder.js";

const pathOf = tempPaths();
const rejections: unknown[] = [];
const note = (error: unknown) => void rejections.push(error);
beforeEach(() => void process.on("unhandledRejection", note));
afterEach(async () => {
  await pause(0);
  process.off("unhandledRejection", note);
  expect(rejections.splice(0)).toEqual([]);
});

/** What a call became: its result, or the name of its error. */
const outcomeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "done",
    (error: unknown) => {
      if (!(error instanceof SearchError)) throw error;
      return error.error;
    },
  );

describe("reads that run while the engine is closed", () => {
  let path: string;
  beforeAll(async () => {
    path = pathOf();
    const engine = await openAt(path);
    const index = await engine.createIndex("a", { attributesForFaceting: ["step"] });
    await index.addRecords(seq(6000, (i) => ({ id: i, title: `lamp ${i}`, step: i % 7, text: "x".repeat(300) })));
    await engine.close();
  });

  const READS: readonly [string, (engine: SearchEngine, index: SearchIndex) => Promise<unknown>][] = [
    ["digest", (_, index) => index.digest()],
    ["query", (_, index) => index.query({ query: "lamp 7", facets: ["step"], explain: true })],
    ["getRecords", (_, index) => index.getRecords([1, 5999, 3000])],
    ["whyNot", (_, index) => index.whyNot({ query: "lamp" }, 17)],
    ["similar", (_, index) => index.similar(17, { facets: ["step"], explain: true })],
    ["searchForFacetValues", (_, index) => index.searchForFacetValues({ facetName: "step", facetQuery: "" })],
    ["suggest", (_, index) => index.suggest({ query: "lamp 7", facet: "step" })],
    ["understandQuery", (_, index) => index.understandQuery("lamp under 5")],
    ["writeSnapshot", (engine) => engine.writeSnapshot("a", pathOf("snapshot"))],
    ["checkStorage", (engine) => engine.checkStorage()],
    [
      "browseRecords",
      async (_, index) => {
        for await (const _record of index.browseRecords());
      },
    ],
    [
      "exportIndex",
      async (engine) => {
        for await (const _piece of engine.exportIndex("a"));
      },
    ],
  ];

  it.each(READS)("%s is answered or 503, never an alarm of damage", async (_, read) => {
    for (const ms of [0, 1, 3, 10]) {
      const engine = await openAt(path);
      const reading = outcomeOf(read(engine, engine.index("a")));
      if (ms > 0) await pause(ms);
      await engine.close();
      // They take the numbers of the files that were closed.
      const others = seq(30, () => fs.openSync(join(path, "manifest"), "r"));
      expect(["done", "closed"]).toContain(await reading);
      for (const fd of others) fs.closeSync(fd);
    }
    const again = await openAt(path);
    expect(await again.checkStorage()).toEqual({ ok: true, problems: [] });
    await again.close();
  });

  it("queries that had begun are answered", async () => {
    const engine = await openAt(path);
    const queries = seq(5, (i) => engine.query("a", { query: `lamp ${i}` }));
    await engine.close();
    for (const { data } of await Promise.all(queries)) expect(data.hits.length).toBeGreaterThan(0);
  });

  it("an export or a browsing that nobody reads on holds up nothing, and its next piece is 503", async () => {
    const engine = await openAt(path);
    const pieces = engine.exportIndex("a");
    const records = engine.index("a").browseRecords();
    await pieces.next();
    await pieces.next();
    await records.next();
    await engine.close();
    expect(await rejectionOf(pieces.next())).toMatchObject({ code: 503, error: "closed" });
    expect(await rejectionOf(records.next())).toMatchObject({ code: 503, error: "closed" });
    expect((await pieces.next()).done).toBe(true);
  });

  it("leave no file open", async () => {
    const disk = new FakeDisk();
    const engine = await openFolder(disk, { sizes: TINY_SIZES });
    const index = await engine.createIndex("a", { embedder: false });
    for (let step = 0; step < 5; step++)
      await index.addRecords(seq(5, (i) => ({ id: `${step} ${i}`, title: "lamp", filler: "-".repeat(900) })));
    const reads = [index.digest(), index.query({ query: "lamp" }), index.getRecords(["0 1", "4 4"])].map(outcomeOf);
    await engine.close();
    for (const read of await Promise.all(reads)) expect(["done", "closed"]).toContain(read);
    expect(disk.openFiles).toBe(0);
  });
});

describe("closing with an embedder that never answers", () => {
  const hanging = (answersFor = 0): Embedder & { calls: number; aborted: number } => {
    const embedder = {
      ...{ id: "hanging", dimensions: 2, timeoutMs: 60_000, calls: 0, aborted: 0 },
      embed: (texts: readonly string[], options: { readonly signal?: AbortSignal }) => {
        embedder.calls++;
        if (embedder.calls <= answersFor) return Promise.resolve(texts.map(() => [1, 0]));
        options.signal?.addEventListener("abort", () => void embedder.aborted++);
        return new Promise<number[][]>(() => {});
      },
    };
    return embedder;
  };

  it("ends the wait of writes and queries with 503, and keeps what was acknowledged", async () => {
    const path = pathOf();
    const embedder = hanging(1);
    const engine = await openAt(path, { embedder });
    const index = await engine.createIndex("a");
    await index.addRecords([{ id: 1, title: "lamp" }]);
    const waiting = [
      index.addRecords([{ id: 2, title: "oak" }]),
      index.addRecords([{ id: 3, title: "sofa" }]),
      index.updateRecords([{ id: 1, title: "red lamp" }]),
      index.replaceAllRecords([{ id: 9, title: "drill" }]),
      index.query({ query: "chair" }),
    ].map(outcomeOf);
    await pause(20);
    await engine.close();
    expect(await Promise.all(waiting)).toEqual(seq(5, () => "closed"));
    expect(embedder.aborted).toBeGreaterThan(0);
    const again = await openAt(path, { embedder: hanging() });
    expect((await again.getRecords("a", [1, 2]))[0]).toEqual({ id: 1, title: "lamp" });
    expect((await again.listIndexes())[0]).toEqual({ name: "a", records: 1 });
    await again.close();
  });

  it("waits for one that answers soon", async () => {
    const path = pathOf();
    const embed = async (texts: readonly string[]) => {
      await pause(50);
      return texts.map(() => [1, 0]);
    };
    const embedder = { id: "slow", dimensions: 2, embed };
    const engine = await openAt(path, { embedder });
    const index = await engine.createIndex("a");
    const adding = index.addRecords([{ id: 1, title: "lamp" }]);
    await pause(5);
    await engine.close();
    expect(await adding).toEqual({ added: 1, replaced: 0 });
    const again = await openAt(path, { embedder });
    expect((await again.listIndexes())[0]?.records).toBe(1);
    await again.close();
  });
});

describe("closing a folder that cannot be changed any more", () => {
  it.runIf(process.platform === "linux")("tells so by a SearchError, and frees the lock", async () => {
    const path = pathOf();
    const engine = await openAt(path);
    await (await engine.createIndex("a")).addRecords([{ id: 1 }]);
    // The name of the lock cannot be removed: as root, rights do not prevent that, but a folder in its place does.
    const lock = fs.readdirSync(path).find((name) => /^lock-\d+$/.test(name))!;
    const { rmSync } = fs;
    fs.rmSync = ((target: string, options: object) => {
      if (String(target).endsWith(lock))
        throw Object.assign(new Error("EACCES: permission denied"), { code: "EACCES" });
      rmSync(target, options);
    }) as typeof fs.rmSync;
    try {
      await engine.close();
    } finally {
      fs.rmSync = rmSync;
    }
    const again = await openAt(path);
    expect((await again.listIndexes())[0]?.records).toBe(1);
    await again.close();
  });
});

describe("an opening that fails", () => {
  it("leaves no file open", async () => {
    const disk = new FakeDisk();
    const engine = await openFolder(disk, { sizes: TINY_SIZES });
    for (const name of seq(12, (i) => `i${i}`)) {
      await engine.createIndex(name, { embedder: false });
      await engine.addRecords(name, [{ id: 1, title: "lamp", filler: "-".repeat(1500) }]);
    }
    await engine.close();
    for (const readOnly of [false, true])
      for (let after = 0; after < 60; after++) {
        const copy = disk.copy();
        copy.fail({ code: "EMFILE", after, forEver: true });
        const opened = await openFolder(copy, { readOnly }).catch((error: unknown) => error);
        if (opened instanceof SearchError) expect(opened.error).toBe("storage_failed");
        else await (opened as SearchEngine).close().catch(() => {});
        expect(copy.openFiles).toBe(0);
      }
  });
});

describe("closing beside work in the background", () => {
  const SETTINGS = { embedder: false, vectorAttribute: "vec", dimensions: 2, vectorIndex: { kind: "hnsw" } } as const;
  const records = seq(8, (i) => ({ id: i, title: "lamp", vec: [i, 1] }));

  it("waits for the checkpoint that the graph of replaced records asked for", async () => {
    const disk = new FakeDisk();
    const warnings: SearchWarning[] = [];
    const engine = await openFolder(disk, { warnings });
    let letGo = (): void => {};
    const gate = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let lists = 0;
    let isClosed = false;
    const late: string[] = [];
    const segments: string[] = [];
    disk.onOperation = async (kind, path) => {
      if (isClosed) late.push(`${kind} of ${path}`);
      if (kind === "create" && path.includes("/segment-")) segments.push(path);
      // The last that a checkpoint does.
      if (kind === "list") await [gate, pause(80)][lists++];
    };
    const until = async (done: () => boolean): Promise<void> => {
      while (!done()) await pause(1);
    };
    const graphs = (): number => [...disk.files().keys()].filter((path) => path.includes("/graph-")).length;
    await (await engine.createIndex("a", SETTINGS)).addRecords(records);
    await until(() => lists === 1);
    await (await engine.createIndex("b", SETTINGS)).addRecords(records);
    await until(() => graphs() === 2);
    await pause(20);
    for (const name of ["a", "b"]) await engine.replaceAllRecords(name, [{ id: 1 }]);
    const closing = engine.close();
    await pause(20);
    letGo();
    await closing;
    isClosed = true;
    await pause(100);
    expect([late, warnings, disk.openFiles]).toEqual([[], [], 0]);
    // None is written twice, by two checkpoints at once.
    expect(segments).toEqual([...new Set(segments)]);
    const again = await openFolder(disk);
    expect(again.recovery()).toEqual({ recovered: false, droppedBytes: 0 });
    const indexes = await again.listIndexes();
    expect(indexes.map((index) => index.records)).toEqual([1, 1]);
    await again.close();
  });
});

describe("closing in the middle of random calls", () => {
  it("ends, keeps what was acknowledged, and every call is done or refused", { timeout: 600_000 }, async () => {
    for (let seed = 1; seed <= scaled(20); seed++) {
      const random = new Random(seed);
      const disk = new FakeDisk();
      const engine = await openFolder(disk, { sizes: TINY_SIZES });
      const names = ["a", "b"];
      for (const name of names) await engine.createIndex(name, { embedder: false });
      const kept = new Map<string, boolean>();
      const calls: Promise<string>[] = [];
      const iterations: AsyncIterator<unknown>[] = [];
      const make = (): Promise<unknown> => {
        const name = random.pick(names);
        const id = `${name} ${calls.length}`;
        return random.pick<() => Promise<unknown>>([
          () =>
            engine
              .addRecords(name, [{ id, title: "lamp", filler: "-".repeat(random.between(0, 900)) }])
              .then(() => kept.set(id, true)),
          () => engine.addRecords(name, [{ id, title: "lamp" }]).then(() => kept.set(id, true)),
          () => engine.query(name, { query: "lamp", facets: ["*"] }),
          () => engine.digest(name),
          () => engine.flush(),
          () => engine.checkStorage(),
          () => engine.createIndex(`new-${calls.length}`, { embedder: false }),
          () => engine.copyIndex(name, "copy"),
          () => engine.deleteIndex("copy"),
          () => engine.moveIndex("copy", "moved"),
          () => {
            const pieces = engine.exportIndex(name);
            iterations.push(pieces);
            return pieces.next();
          },
        ])();
      };
      for (let count = random.between(1, 25); count > 0; count--) {
        calls.push(outcomeOf(make()));
        for (let turns = random.between(0, 12); turns > 0; turns--) await undefined;
        if (random.chance(0.1)) await pause(0);
      }
      await engine.close();
      for (const outcome of await Promise.all(calls)) expect(outcome).toMatch(/^(done|closed|index_not_found)$/);
      for (const iteration of iterations) await iteration.return?.();
      expect(await rejectionOf(engine.query("a", { query: "" }))).toMatchObject({ code: 503 });
      expect(disk.openFiles).toBe(0);
      const again = await openFolder(disk, { sizes: TINY_SIZES });
      expect(again.recovery()).toEqual({ recovered: false, droppedBytes: 0 });
      for (const id of kept.keys()) expect(await again.getRecords(id[0]!, [id])).not.toContain(null);
      expect(await again.checkStorage()).toEqual({ ok: true, problems: [] });
      expect(asText(await contentOf(again))).not.toBe("");
      await again.close();
    }
  });
});
