// An index written down as lines, and read again: what comes back, what is refused, and what a source may do.

import { Readable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import {
  type Embedder,
  type ImportOptions,
  type ImportSkipResult,
  type ImportSource,
  type IndexSettings,
  type JsonRecord,
  SearchEngine,
} from "../src/index.js";
import { hnswAvailable } from "../src/vectors/hnsw/graph-memory.js";
import { allOf } from "./support/all-of.js";
import { AxisEmbedder } from "./support/axis-embedder.js";
import { pictureOf } from "./support/engine-picture.js";
import { heapInUse } from "./support/heap.js";
import { rejectionOf } from "./support/refusal.js";
import { slicesOf } from "./support/slices.js";

const WORDS = { embedder: false } as const;
const HEAD = '{"tandem-search":1,"settings":{}}';
const RECORDS: readonly JsonRecord[] = [
  { id: 10, title: "Lamp\u2028 ß 💥 \ud800", deep: [{ "": null }], price: 0.1 },
  JSON.parse('{"id":"9","__proto__":{"x":1},"10":1,"9":2}') as JsonRecord,
  { id: "東京", title: "drill\nand\r\nsaw", price: 1e21 },
];

/** An engine for words, with an index of these records. */
async function shop(records: readonly JsonRecord[] = RECORDS, settings: IndexSettings = {}) {
  const engine = new SearchEngine(WORDS);
  const index = await engine.createIndex("shop", settings);
  await index.addRecords(records);
  return { engine, index };
}

const textOf = async (engine: SearchEngine, name = "shop") => (await allOf(engine.exportIndex(name))).join("");
/** The text of an export of the records. */
const exported = async (records?: readonly JsonRecord[]) => textOf((await shop(records)).engine);
const lines = (...texts: readonly string[]) => texts.map((text) => `${text}\n`).join("");
const recordLine = (id: number) => JSON.stringify({ id, title: `lamp ${id}` });
/** Lines of which some fifty make a batch. */
const largeLines = (count: number) => [
  HEAD,
  ...Array.from({ length: count }, (_, id) => JSON.stringify({ id, filler: "-".repeat(90_000) })),
];
const manyLines = (count: number) => [HEAD, ...Array.from({ length: count }, (_, i) => recordLine(i))];

/** The error of an import that must change nothing. */
async function refused(source: unknown, options: ImportOptions = { ifExists: "replace" }, engine?: SearchEngine) {
  const target = engine ?? (await shop()).engine;
  const before = await pictureOf(target);
  const error = await rejectionOf(target.importIndex("shop", source as ImportSource, options));
  expect(await pictureOf(target)).toEqual(before);
  return error;
}

/** A source that remembers whether it was let go. */
function watched(pieces: Iterable<string | Uint8Array>, act: (at: number) => unknown = () => {}) {
  const seen = { given: 0, closed: false };
  const source = (async function* () {
    try {
      for (const piece of pieces) {
        await act(seen.given++);
        yield piece;
        await turn();
      }
    } finally {
      seen.closed = true;
    }
  })();
  return { source, seen };
}

describe("an export", () => {
  it("has a line of settings, then a line for each record as it is stored, by id", async () => {
    const { engine } = await shop(RECORDS, { synonyms: [{ type: "synonym", synonyms: ["saw", "cutter"] }] });
    const [first, ...others] = (await textOf(engine)).split("\n");
    expect(JSON.parse(first!)).toEqual({
      "tandem-search": 1,
      settings: { embedder: false, synonyms: [{ type: "synonym", synonyms: ["saw", "cutter"] }] },
    });
    expect(others).toEqual([
      '{"id":10,"title":"Lamp\u2028 ß 💥 \\ud800","deep":[{"":null}],"price":0.1}',
      '{"9":2,"10":1,"id":"9","__proto__":{"x":1}}',
      '{"id":"東京","title":"drill\\nand\\r\\nsaw","price":1e+21}',
      "",
    ]);
  });

  it("shows the state at the call, in pieces, whatever is written meanwhile", async () => {
    const records = Array.from({ length: 3000 }, (_, id) => ({ id, title: `lamp ${id}`, text: "x".repeat(100) }));
    const { engine, index } = await shop(records);
    const before = await textOf(engine);
    const iteration = engine.exportIndex("shop");
    await index.deleteRecords([5]);
    const pieces = [(await iteration.next()).value as string];
    await index.replaceAllRecords([{ id: 1 }]);
    pieces.push(...(await allOf(iteration)));
    expect(pieces.join("")).toBe(before);
    expect(pieces.length).toBeGreaterThan(3);
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(70_000);
  });

  it("of an index that does not exist throws when it is iterated", async () => {
    const { engine } = await shop();
    const iteration = engine.exportIndex("none");
    expect(await rejectionOf(iteration.next())).toMatchObject({ code: 404, error: "index_not_found" });
    await engine.close();
    expect((await rejectionOf(textOf(engine))).code).toBe(503);
  });
});

describe("an import", () => {
  it("takes text, bytes, lists, streams and other iterables, with line ends of Windows, a byte order mark, blank lines", async () => {
    const { engine, index } = await shop();
    const text = await textOf(engine);
    const bytes = Buffer.from(text);
    const digest = await index.digest();
    const shared = Buffer.alloc(4);
    const ways: Record<string, ImportSource> = {
      "a text": text,
      "a text without a last line end": text.trimEnd(),
      bytes: new Uint8Array(bytes),
      "a list": [text.slice(0, 50), text.slice(50)],
      "characters, some of which are half of one": text.split(""),
      "a stream": Readable.from([bytes.subarray(0, 99), bytes.subarray(99)]),
      "a web stream": new Blob([bytes]).stream() as AsyncIterable<Uint8Array>,
      "an export": engine.exportIndex("shop"),
      promises: [Promise.resolve(text)] as Iterable<unknown> as Iterable<string>,
      "text and bytes in one line": [text.slice(0, 9), bytes.subarray(9, 40), bytes.subarray(40).toString()],
      "line ends of Windows": text.replaceAll("\n", "\r\n"),
      "a byte order mark": `\ufeff${text}`,
      "blank lines": `${text.replaceAll("\n", "\n\n")} \r\n\n`,
      "a buffer that is filled again": (function* () {
        for (let at = 0; at < bytes.length; at += shared.length)
          yield shared.subarray(0, bytes.copy(shared, 0, at, at + shared.length));
      })(),
    };
    for (const [way, source] of Object.entries(ways)) {
      const target = new SearchEngine(WORDS);
      expect([way, await target.importIndex("shop", source)]).toEqual([way, { records: 3 }]);
      expect([way, await target.digest("shop")]).toEqual([way, digest]);
    }
  });

  it("leads to a neighbour graph where there would be one", async () => {
    const engine = new SearchEngine(WORDS);
    const settings = { vectorAttribute: "v", dimensions: 2, vectorIndex: { kind: "hnsw" } };
    const records = Array.from({ length: 50 }, (_, id) => JSON.stringify({ id, v: [id, 1] }));
    await engine.importIndex("shop", lines(JSON.stringify({ "tandem-search": 1, settings }), ...records));
    const index = engine.index("shop");
    await index.whenIdle();
    expect((await index.estimate()).graph > 0).toBe(hnswAvailable());
    expect((await index.query({ query: "zzz", vector: [0, 1], hitsPerPage: 1 })).data.hits[0]!.id).toBe("0");
  });

  it("counts the last record of an id that occurs twice", async () => {
    const engine = new SearchEngine(WORDS);
    const done: number[] = [];
    const text = lines(...manyLines(3), '{"id":"1","title":"last"}');
    const options = { onProgress: (progress: { done: number }) => done.push(progress.done) };
    expect(await engine.importIndex("shop", text, options)).toEqual({ records: 3 });
    expect(await engine.getRecords("shop", [1])).toEqual([{ id: "1", title: "last" }]);
    expect(done.at(-1)).toBe(3);
    // Far apart, they are in different batches.
    const many = [...largeLines(60), '{"id":7,"title":"last"}'];
    expect(await engine.importIndex("other", many.join("\n"), options)).toEqual({ records: 60 });
    expect(await engine.getRecords("other", [7])).toEqual([{ id: 7, title: "last" }]);
  });

  it("reports progress that never falls, to a handler that may throw", async () => {
    const engine = new SearchEngine(WORDS);
    const done: number[] = [];
    const onProgress = (progress: { done: number }) => {
      done.push(progress.done);
      throw new Error("theirs");
    };
    await engine.importIndex("shop", largeLines(140).join("\n"), { onProgress });
    expect(done.length).toBeGreaterThan(2);
    expect(done).toEqual(done.toSorted((a, b) => a - b));
    expect(done.at(-1)).toBe(140);
    await engine.importIndex("empty", HEAD, { onProgress });
    expect([done.at(-1), engine.index("empty").recordCount]).toEqual([0, 0]);
  });

  it("replaces an index at once: a query sees the old records or the new, and handles stay", async () => {
    const { engine, index } = await shop(Array.from({ length: 50 }, (_, id) => ({ id, title: "old" })));
    let running = true;
    const seen = new Set<string>();
    const asking = (async () => {
      while (running) {
        const { hits, nbHits } = (await index.query({ query: "" })).data;
        seen.add(`${nbHits} ${hits[0]!.source.title === "old" ? "old" : "new"}`);
        await turn();
      }
    })();
    const slow = watched(lines(...manyLines(500)).match(/[^\n]*\n/g)!);
    await engine.importIndex("shop", slow.source, { ifExists: "replace" });
    await turn();
    running = false;
    await asking;
    expect(seen).toEqual(new Set(["50 old", "500 new"]));
    expect(slow.seen.closed).toBe(true);
    expect((await index.query({ query: "499" })).data.nbHits).toBe(1);
  });

  it("is refused where the name exists, at the beginning and at the end", async () => {
    const text = await exported();
    expect(await refused(text, {})).toMatchObject({ code: 409, error: "index_exists", param: "indexName" });
    const engine = new SearchEngine(WORDS);
    const slow = watched([text], async () => void (await engine.createIndex("shop", { matching: "all" })));
    expect((await rejectionOf(engine.importIndex("shop", slow.source))).error).toBe("index_exists");
    expect(engine.index("shop").recordCount).toBe(0);
    const both = await Promise.allSettled([engine.importIndex("new", text), engine.importIndex("new", text)]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  it("keeps the limits of the engine", async () => {
    const limited = new SearchEngine({ ...WORDS, limits: { indexRecords: 2, recordBytes: 60 } });
    const add = (text: string) => rejectionOf(limited.importIndex("shop", text));
    expect((await add(lines(...manyLines(3)))).error).toBe("index_full");
    expect(await add(lines(HEAD, recordLine(1), JSON.stringify({ id: 2, t: "x".repeat(60) })))).toMatchObject({
      ...{ code: 413, error: "record_too_large", details: { line: 3 } },
    });
    const small = new SearchEngine({ ...WORDS, limits: { maxMemory: 100_000 } });
    expect((await rejectionOf(small.importIndex("shop", lines(...manyLines(9000))))).error).toBe("memory_limit");
    expect([await limited.listIndexes(), await small.listIndexes()]).toEqual([[], []]);
  });
});

describe("an import of plain JSON Lines", () => {
  const feed = RECORDS.map((record) => JSON.stringify(record));
  const importFeed = (text: string, options: ImportOptions = {}) => {
    const engine = new SearchEngine(WORDS);
    return { engine, done: engine.importIndex("shop", text, { format: "records", ...options }) };
  };

  it("makes the index that createIndex and addRecords make of the same settings and records", async () => {
    const settings = { idAttribute: "sku", searchableAttributes: ["title"] };
    const records = [
      { sku: "b", title: "lamp" },
      { sku: "a", title: "drill" },
    ];
    const { engine, done } = importFeed(`\ufeff${lines(...records.map((one) => JSON.stringify(one)))}`, { settings });
    expect(await done).toEqual({ records: 2 });
    expect(await textOf(engine)).toBe(await textOf((await shop(records, settings)).engine));
    const byDefault = importFeed(lines(...feed));
    expect(await byDefault.done).toEqual({ records: 3 });
    expect(await textOf(byDefault.engine)).toBe(await exported());
  });

  it("is an empty index where there are no lines", async () => {
    const { engine, done } = importFeed("\n\n");
    expect([await done, await engine.listIndexes()]).toEqual([{ records: 0 }, [{ name: "shop", records: 0 }]]);
  });

  it("names a line that is wrong, the head of an export also, and imports nothing", async () => {
    for (const [text, expected, line] of [
      [lines(HEAD, ...feed), "missing_id", 1],
      [lines(...feed, "nonsense"), "invalid_line", 4],
    ] as const) {
      const { engine, done } = importFeed(text);
      expect(await rejectionOf(done)).toMatchObject({ error: expected, details: { line } });
      expect(await engine.listIndexes()).toEqual([]);
    }
  });

  it("leaves wrong lines out where it is asked to, and names the first hundred", async () => {
    const { engine, done } = importFeed(lines(feed[0]!, "[1]", '{"id":1', ...feed.slice(1)), { onInvalid: "skip" });
    const { skipped, ...counts } = (await done) as ImportSkipResult;
    expect(counts).toEqual({ records: 3, nbSkipped: 2 });
    expect(skipped.map(({ line, error }) => [line, error])).toEqual([
      [2, "invalid_record"],
      [3, "invalid_line"],
    ]);
    expect(skipped[1]!.msg).toBe("Line 3: it is not JSON.");
    expect(await textOf(engine)).toBe(await exported());
    const many = await importFeed("no\n".repeat(250), { onInvalid: "skip" }).done;
    expect(many).toMatchObject({ records: 0, nbSkipped: 250, skipped: { length: 100 } });
  });

  it("leaves wrong lines of an export out, but not a wrong first one", async () => {
    const engine = new SearchEngine(WORDS);
    const skip = { onInvalid: "skip" } as const;
    expect(await engine.importIndex("shop", lines(HEAD, "no", ...feed), skip)).toMatchObject({
      records: 3,
      nbSkipped: 1,
    });
    expect((await rejectionOf(engine.importIndex("new", lines("no", ...feed), skip))).error).toBe("invalid_line");
  });

  it("refuses wrong settings before the source is read, and settings beside an export", async () => {
    const source = watched(feed);
    const asked = { format: "records", settings: { matching: "most" } } as unknown as ImportOptions;
    expect((await refused(source.source, { ...asked, ifExists: "replace" })).error).toBe("invalid_setting");
    expect(source.seen.given).toBe(0);
    expect(await refused(await exported(), { settings: {}, ifExists: "replace" })).toMatchObject({
      ...{ code: 400, error: "invalid_option", param: "options.settings" },
    });
  });
});

describe("the functions of an import", () => {
  it("are found by their ids, or missed", async () => {
    const analyzer = { id: "letters-1", analyze: (text: string) => text.toLowerCase().split(/\W+/) };
    const embedder = new AxisEmbedder();
    const source = new SearchEngine({ embedder });
    await (await source.createIndex("shop", { analyzer })).addRecords([{ id: 1, title: "Sofa" }]);
    const text = await textOf(source);
    expect(JSON.parse(text.split("\n")[0]!).settings).toEqual({ analyzer: "letters-1", embedder: "axes-1" });
    const other: Embedder = { id: "axes-1", dimensions: 2, embed: async (texts) => texts.map(() => [1, 1]) };
    const analyzers = { "letters-1": analyzer };
    for (const embedders of [{ "axes-1": embedder }, { "axes-1": other }]) {
      const target = new SearchEngine({ embedders, analyzers });
      await target.importIndex("shop", text);
      expect((await target.getSettings("shop")).effective).toMatchObject({
        ...{ embedder: "axes-1", dimensions: embedders["axes-1"].dimensions, analyzer: "letters-1" },
      });
    }
    const missing = await refused(text, { ifExists: "replace" }, new SearchEngine({ analyzers }));
    expect(missing).toMatchObject({ code: 409, error: "embedder_missing" });
    expect(missing.msg).toContain('"axes-1"');
    expect((await refused(text, {}, new SearchEngine({ embedder }))).error).toBe("analyzer_missing");
  });

  it("that fail are the error of the import", async () => {
    const embedder = new AxisEmbedder();
    embedder.wait = () => Promise.reject(new Error("theirs"));
    const engine = new SearchEngine({ embedder });
    const text = lines('{"tandem-search":1,"settings":{"embedder":"axes-1"}}', recordLine(1));
    expect((await refused(text, {}, engine)).error).toBe("embedder_failed");
  });
});

describe("a line that is wrong is named, and nothing is imported", () => {
  const good = manyLines(30);
  const wrong: readonly (readonly [number, string | Uint8Array, string])[] = [
    [2, "nonsense", "invalid_line"],
    [7, '{"id":3,"title":', "invalid_line"],
    [31, '{"id":3} {}', "invalid_line"],
    [12, "[1,2]", "invalid_record"],
    [12, "null", "invalid_record"],
    [20, '{"title":"no id"}', "missing_id"],
    [20, '{"id":""}', "invalid_id"],
    [21, '{"id":1.5}', "invalid_id"],
    [9, JSON.stringify({ id: "x", filler: "x".repeat(100_001) }), "record_too_large"],
    [9, `${"[".repeat(100_000)}`, "invalid_line"],
    [9, `{"id":1,"a":${"[".repeat(1000)}${"]".repeat(1000)}}`, "record_too_large"],
    [5, Uint8Array.of(0x7b, 0xff, 0x7d), "invalid_line"],
    [1, '{"id":1}', "invalid_line"],
    [1, "{}", "invalid_line"],
    [1, "[]", "invalid_line"],
    [1, "null", "invalid_line"],
    [1, "", "invalid_line"],
    [1, '{"tandem-search":"1","settings":{}}', "invalid_line"],
    [1, '{"tandem-search":0,"settings":{}}', "invalid_line"],
    [1, '{"tandem-search":1,"settings":5}', "invalid_settings"],
    [1, '{"tandem-search":1}', "invalid_settings"],
    [1, '{"tandem-search":1,"settings":{"matching":"most"}}', "invalid_setting"],
    [1, '{"tandem-search":1,"settings":{"embedder":{"id":"x","dimensions":2}}}', "invalid_embedder"],
    [1, `{"tandem-search":1,"settings":{"vectorIndex":${'{"m":'.repeat(40)}1${"}".repeat(40)}}}`, "invalid_setting"],
  ];
  for (const [line, text, expected] of wrong)
    it(`line ${line}: ${String(text).slice(0, 60)}`, async () => {
      const pieces = good.flatMap((each, i) => [i === line - 1 ? text : each, "\n"]);
      const error = await refused(pieces);
      expect(error).toMatchObject({
        error: expected,
        code: expected === "record_too_large" ? 413 : 400,
        details: { line },
      });
      expect(error.msg).toMatch(new RegExp(`^Line ${line}: `));
      expect(error.msg).toMatch(/^[ -~…]{1,400}$/);
    });

  it("where there is no line at all, that is the first", async () => {
    for (const nothing of ["", [], [""], Uint8Array.of()])
      expect((await refused(nothing)).details).toEqual({ line: 1 });
  });

  it("a line that never ends is refused before it fills the memory", async () => {
    let given = 0;
    const endless = (function* () {
      for (;;) {
        given++;
        yield "x".repeat(1 << 20);
      }
    })();
    expect(await refused(endless)).toMatchObject({ code: 413, details: { line: 1 } });
    expect(given).toBeLessThan(80);
    expect(await refused([`${HEAD}\n`, endless])).toMatchObject({ code: 400, error: "invalid_source" });
    const long = [`${HEAD}\n`, ...Array.from({ length: 9 }, () => " ".repeat(100_000))];
    expect(await refused(long)).toMatchObject({ code: 413, details: { line: 2 } });
  });

  it("a first line of many values is read in steps, and refused where there are too many", async () => {
    const engine = new SearchEngine(WORDS);
    const flood = (piece: string, count: number) => `{"tandem-search":1,"settings":{"x":[${piece.repeat(count)}0]}}\n`;
    const wrong: readonly (readonly [string, string, number])[] = [
      [flood("[],", 1_100_000), "settings_too_large", 400],
      [flood('"",', 1_100_000), "settings_too_large", 400],
      [`{"tandem-search":1,"settings":{"x":"${"x".repeat(32_000_001)}"}}`, "settings_too_large", 400],
      [flood("[],", 400_000), "invalid_setting", 400],
      [`${flood("[],", 300_000).trim()}]`, "invalid_line", 400],
    ];
    for (const [text, error, code] of wrong) {
      const { looks, result } = await slicesOf(() => engine.importIndex("a", text));
      expect(result).toMatchObject({ error, code, details: { line: 1 } });
      expect(looks).toBeGreaterThan(8);
    }
    const deep = `${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}`;
    expect(await rejectionOf(engine.importIndex("a", deep))).toMatchObject({ error: "settings_too_large", code: 400 });
    expect(await engine.listIndexes()).toEqual([]);
  });

  it("a record of many values is read in steps, and refused where no record has so many", async () => {
    const engine = new SearchEngine({ ...WORDS, limits: { recordBytes: 1_000_000 } });
    const filled = (piece: string, count: number) => `${HEAD}\n{"id":1,"x":[${piece.repeat(count)}0]}\n`;
    for (const text of [filled("[],", 1_200_000), filled('"",', 400_000)]) {
      const { looks, result } = await slicesOf(() => engine.importIndex("a", text));
      expect(result).toMatchObject({ error: "record_too_large", code: 413, details: { line: 2 } });
      expect(looks).toBeGreaterThan(8);
    }
    expect(await engine.importIndex("a", filled("1,", 9_000))).toEqual({ records: 1 });
    const long = `${HEAD}\n${JSON.stringify({ id: 1, x: "é\u0001".repeat(70_000) })}`;
    expect(await engine.importIndex("b", long)).toEqual({ records: 1 });
  });

  it("settings that several calls added up to are read back", async () => {
    const { engine, index } = await shop();
    const words = (rule: number) => Array.from({ length: 1000 }, (_, i) => `w${rule}_${i}`);
    const synonyms = Array.from({ length: 245 }, (_, i) => ({ type: "synonym" as const, synonyms: words(i) }));
    await index.updateSettings({ synonyms });
    await index.updateSettings({ optionalWords: Array.from({ length: 9_000 }, (_, i) => `o${i}`) });
    await engine.importIndex("copy", engine.exportIndex("shop"));
    expect(await engine.getSettings("copy")).toEqual(await index.getSettings());
  });

  it("a newer version is refused before anything else is judged", async () => {
    const text = '{"tandem-search":2,"settings":"of another kind"}';
    expect(await refused(text)).toMatchObject({ code: 500, error: "storage_version" });
  });
});

describe("a source", () => {
  const bad: Readonly<Record<string, unknown>> = {
    undefined: undefined,
    null: null,
    "a number": 5,
    "an object": {},
    "a list of numbers": [1, 2],
    "a list of objects": [{}],
    "an iterator that is none": { [Symbol.iterator]: () => 5 },
    "a method that is none": { [Symbol.asyncIterator]: 5 },
    "a getter that throws": Object.defineProperty({}, Symbol.iterator, {
      get: () => {
        throw new Error("theirs");
      },
    }),
    "a function": () => {},
    floats: [new Float64Array(2)],
  };
  for (const [what, source] of Object.entries(bad))
    it(`${what} is refused`, async () => {
      expect(await refused(source)).toMatchObject({ code: 400, error: "invalid_source", param: "source" });
    });

  it("that fails gives its error as the cause", async () => {
    const own = new Error("theirs");
    const throwing = () => {
      throw own;
    };
    for (const source of [
      watched(manyLines(30), (at) => (at === 20 ? throwing() : undefined)).source,
      { [Symbol.iterator]: () => ({ next: throwing }) },
      { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(own) }) },
      { [Symbol.asyncIterator]: () => ({ next: () => Object.defineProperty({}, "done", { get: throwing }) }) },
      new Readable({ read: () => void throwing() }),
    ])
      expect(await refused(source)).toMatchObject({ code: 502, error: "source_failed", cause: own });
    const answers = { [Symbol.iterator]: () => ({ next: () => JSON.parse("5") as IteratorResult<string> }) };
    expect((await refused(answers)).code).toBeGreaterThanOrEqual(400);
  });

  it("is let go when its text is wrong, even if that fails", async () => {
    const { source, seen } = watched(["nonsense\n", "more\n"]);
    await refused(source);
    expect(seen).toEqual({ given: 1, closed: true });
    let closed = 0;
    const stubborn = {
      [Symbol.iterator]: () => ({
        next: () => ({ done: false, value: "nonsense\n" }),
        return: () => {
          closed++;
          throw new Error("theirs");
        },
      }),
    };
    expect((await refused(stubborn)).error).toBe("invalid_line");
    expect(closed).toBe(1);
  });

  it("that never closes does not keep the error of a line", async () => {
    const never = new Promise<never>(() => {});
    const stuck = {
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ done: false, value: "nonsense\n" }),
        return: () => never,
      }),
    };
    expect((await refused(stuck)).error).toBe("invalid_line");
  });

  it("may come byte by byte, and takes little more memory than its text", async () => {
    const { engine } = await shop();
    const record = JSON.stringify({ id: 1, text: "x".repeat(90_000) });
    const bytes = new TextEncoder().encode(lines(HEAD, record, '{"id":2,"title":"東京 💥"}'));
    const seen: number[] = [];
    const single = (function* () {
      const piece = new Uint8Array(1);
      for (const [i, byte] of bytes.entries()) {
        piece[0] = byte;
        if (i === 1000 || i === 90_000) seen.push(heapInUse());
        yield piece;
      }
    })();
    expect(await engine.importIndex("bytes", single)).toEqual({ records: 2 });
    expect(seen[1]! - seen[0]!).toBeLessThan(4e6);
    const letters = lines(HEAD, record, '{"id":2,"title":"東京 💥"}').split("");
    expect(await engine.importIndex("letters", letters)).toEqual({ records: 2 });
    expect(await engine.digest("letters")).toBe(await engine.digest("bytes"));
  });

  it("may use the engine meanwhile", async () => {
    const { engine } = await shop();
    const { source } = watched(lines(...manyLines(9)).match(/[^\n]*\n/g)!, () =>
      engine.addRecords("shop", [{ id: "x" }]),
    );
    expect(await engine.importIndex("shop", source, { ifExists: "replace" })).toEqual({ records: 9 });
    expect(await engine.getRecords("shop", ["x"])).toEqual([null]);
    expect(await engine.importIndex("copy", engine.exportIndex("shop"))).toEqual({ records: 9 });
  });
});

describe("an import is stopped", () => {
  /** A source that never gives its second piece; `asked` is called when it is asked for it. */
  const hanging = (asked = () => {}) => {
    const seen = { closed: false };
    const source: AsyncIterable<string> = {
      [Symbol.asyncIterator]: () => {
        let given = false;
        return {
          next: async () => {
            if (given) {
              asked();
              await new Promise(() => {});
            }
            given = true;
            return { done: false, value: `${HEAD}\n` };
          },
          return: () => {
            seen.closed = true;
            return new Promise(() => {});
          },
        };
      },
    };
    return { source, seen };
  };

  it("by its signal, at once, whatever the source does", async () => {
    const stop = new AbortController();
    const { source, seen } = hanging(() => setImmediate(() => stop.abort("enough")));
    expect(await refused(source, { ifExists: "replace", signal: stop.signal })).toMatchObject({
      ...{ code: 499, error: "aborted", cause: "enough" },
    });
    expect(seen.closed).toBe(true);
    const unread = watched(manyLines(3));
    expect((await refused(unread.source, { signal: AbortSignal.abort() })).code).toBe(499);
    expect(unread.seen.given).toBe(0);
  });

  it("by its signal while it reads a source that never waits", async () => {
    const endless = (function* () {
      yield `${HEAD}\n`;
      for (;;) yield "\n";
    })();
    expect((await refused(endless, { ifExists: "replace", signal: AbortSignal.timeout(30) })).code).toBe(499);
  });

  it("by its signal while it waits for a write of the index that it replaces", async () => {
    const embedder = new AxisEmbedder();
    const engine = new SearchEngine({ embedder });
    const index = await engine.createIndex("shop");
    let release = () => {};
    embedder.wait = () => new Promise((resolve) => (release = resolve));
    const write = index.addRecords([{ id: "x", title: "sofa" }]);
    const text = lines('{"tandem-search":1,"settings":{"embedder":false}}', recordLine(1));
    const options = { ifExists: "replace", signal: AbortSignal.timeout(50) } as const;
    expect((await rejectionOf(engine.importIndex("shop", text, options))).code).toBe(499);
    release();
    expect(await write).toEqual({ added: 1, replaced: 0 });
    expect(await index.getRecords(["x", 1])).toEqual([{ id: "x", title: "sofa" }, null]);
  });

  it("by closing the engine, which waits for it", async () => {
    const { engine } = await shop();
    const { source, seen } = hanging();
    const running = rejectionOf(engine.importIndex("new", source));
    await turn();
    await engine.close();
    expect(seen.closed).toBe(true);
    expect((await running).code).toBe(503);
    expect((await rejectionOf(engine.importIndex("new", HEAD))).code).toBe(503);
  });
});

describe("the arguments of importIndex", () => {
  it("are checked", async () => {
    const { engine } = await shop();
    const error = async (name: unknown, options: unknown) =>
      (await rejectionOf(engine.importIndex(name as string, HEAD, options as ImportOptions))).error;
    expect(await error("../up", {})).toBe("invalid_index_name");
    expect(await error("a", null)).toBe("invalid_options");
    expect(await error("a", { ifExists: "open" })).toBe("invalid_option");
    expect(await error("a", { format: "csv" })).toBe("invalid_option");
    expect(await error("a", { onInvalid: true })).toBe("invalid_options");
    expect(await error("a", { onProgress: 5 })).toBe("invalid_options");
    expect(await error("a", { signal: 5 })).toBe("invalid_signal");
    expect((await engine.listIndexes()).length).toBe(1);
  });
});
