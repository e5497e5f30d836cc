// The commands that ask and manage indexes: in a process of their own, on a folder that the library made, and compared with it.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SearchEngine } from "../../src/index.js";
import { ROOT } from "../support/source-tree.js";

const PROGRAM = join(ROOT, "dist/command.js");
const RECORDS = [
  { id: 1, title: "Cordless drill driver, 18 V", brand: "Volt", price: 89 },
  { id: 2, title: "Three-seat sofa, grey fabric", brand: "Hem", price: 899 },
  { id: 3, title: "Cordless jigsaw, 12 V", brand: "Volt", price: 119.5 },
  { id: 4, title: "Desk \u001b[31mlamp\u001b[0m\u0007", brand: "Hem", price: 20 },
];

const folder = mkdtempSync(join(tmpdir(), "command-"));
const at = (name: string) => join(folder, name);
const data = at("data");

/** Runs the command on the folder, unless another is named. */
function run(...args: readonly string[]) {
  const place = args.includes("--data") ? [] : ["--data", data];
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args, ...place], { encoding: "utf8" });
  return { status, stdout, stderr };
}
const lines = (text: string) => text.trimEnd().split("\n");
const json = (...args: readonly string[]) => JSON.parse(run(...args, "--json").stdout);

/** Asks the library of a folder. */
async function asked<T>(ask: (engine: SearchEngine) => Promise<T>, dataDir = data): Promise<T> {
  const engine = await SearchEngine.open({ dataDir, readOnly: true });
  try {
    return await ask(engine);
  } finally {
    await engine.close();
  }
}

beforeAll(async () => {
  const engine = await SearchEngine.open({ dataDir: data });
  await (await engine.createIndex("shop")).addRecords(RECORDS);
  await engine.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("a question", () => {
  it("with --json is answered as the library answers it", async () => {
    const params = { query: "cordless", filters: "price < 100", facets: ["brand"], hitsPerPage: 1 };
    const own = json("query", "cordless", "--filters", "price < 100", "--facets=brand", "--hitsPerPage", "1");
    const { serverTimeMS, processingTimeMS, ...answer } = (await asked((engine) => engine.query("shop", params))).data;
    expect([serverTimeMS, processingTimeMS].every(Number.isInteger)).toBe(true);
    expect(own).toMatchObject({ msg: "success", code: 200, data: answer });
    expect(json("similar", "1").data.hits).toEqual((await asked((engine) => engine.similar("shop", "1"))).data.hits);
    expect(json("suggest", "cord")).toEqual(await asked((engine) => engine.suggest("shop", { query: "cord" })));
    const absence = await asked((engine) => engine.whyNot("shop", { query: "drill" }, "2"));
    expect(json("why-not", "2", "drill")).toEqual(absence);
  });

  it("is answered in a table for people, with counts as bars", () => {
    const { status, stdout, stderr } = run("query", "cordles", "jigsaw", "--facets", "brand");
    expect([status, stderr]).toEqual([0, ""]);
    const [head, columns, first] = lines(stdout);
    expect(head).toMatch(/^\d hits by words and meaning, [\d.]+ ms$/);
    expect(columns).toMatch(/^score +id +title +brand +price$/);
    expect(first).toMatch(/^0\.\d{3} +3 +Cordless jigsaw, 12 V +Volt +119\.5$/);
    expect(stdout).toMatch(/\nbrand +hits\nVolt +2 +█{24}\n/);
    expect(lines(run("query", "zzzzz").stdout)[0]).toMatch(/^0 hits/);
  });

  it("takes a parameter without a value for true, and tells what was understood", () => {
    for (const place of [["--understand"], ["--understand", "--hitsPerPage", "2"], ["--understand", "true"]]) {
      const { stdout } = run("query", "cordless tools under 100 dollars", ...place);
      expect(lines(stdout)[1], place.join(" ")).toBe('understood: "under 100 dollars" is price price < 100');
    }
  });

  it("prints no control characters of records", () => {
    const { stdout } = run("query", "desk lamp");
    expect(stdout).toMatch(/ 4 +Desk \[31mlamp ?\[0m/);
    expect([...stdout].filter((character) => character < " " && character !== "\n")).toEqual([]);
  });

  it("is explained part by part, and so is what is missing", () => {
    const { stdout } = run("explain", "cordless drill");
    expect(lines(stdout)[0]).toBe("1. 1 Cordless drill driver, 18 V");
    const numbers = lines(stdout.slice(0, stdout.indexOf("\n\n"))).flatMap((line) => line.match(/^-?\d\.\d{4}/) ?? []);
    const [score, ...parts] = numbers.map(Number);
    expect(parts.length).toBeGreaterThan(2);
    expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(score!, 3);
    expect(run("why-not", "2", "drill").stdout).toMatch(/^2 is not among the hits: membership\n {2}words\n/);
    expect(run("why-not", "1", "drill").stdout).toBe("1 is among the hits.\n");
  });

  it("that is wrong says what is meant, with its exit code", () => {
    const misspelt = run("query", "x", "--filtrs", "price < 1");
    expect(misspelt).toMatchObject({ status: 1, stdout: "" });
    expect(misspelt.stderr).toMatch(/did you mean "filters"/);
    expect(run("query", "x", "--filters", "price <").status).toBe(1);
    expect(run("query", "x", "--index", "none").stderr).toMatch(/^error: index_not_found \(404\)/);
    expect(run("query", "x", "--data", at("nowhere")).status).toBe(1);
    for (const absent of [
      ["settings", "set", at("none.json")],
      ["evaluate", at("none")],
      ["export", at("none/x")],
    ])
      expect(run(...absent).stderr, absent.join(" ")).toMatch(
        /^error: ENOENT: no such file or directory, open '.+'\n$/,
      );
    for (const wrong of [["serch"], ["why-not"], ["similar"], ["settings", "put"], ["delete"], ["restore", "x"]])
      expect(run(...wrong), wrong.join(" ")).toMatchObject({ status: 2, stdout: "" });
  });

  it("has a help with an example", () => {
    const all = run("--help").stdout;
    for (const name of [
      "import",
      "query",
      "explain",
      "why-not",
      "similar",
      "suggest",
      "settings",
      "evaluate",
      "stats",
    ]) {
      expect(all).toMatch(new RegExp(`^ {2}${name} `, "m"));
      expect(run(name, "--help").stdout).toMatch(/\n\nExample:\n {2}tandem-search \S/);
    }
  });
});

describe("an index", () => {
  it("is told with its records and attributes", () => {
    expect(run("stats").stdout).toMatch(/^shop: 4 records\n[\s\S]*\n {4}title: text\n/);
    expect(json("stats")).toMatchObject([{ index: "shop", records: 4 }]);
  });

  it("is exported and imported, written as a snapshot and restored, and deleted", async () => {
    const digest = (dataDir: string, name: string) => asked((engine) => engine.digest(name), dataDir);
    const before = await digest(data, "shop");
    expect(run("export", at("shop.jsonl")).status).toBe(0);
    expect(readFileSync(at("shop.jsonl"), "utf8")).toBe(run("export").stdout);
    const other = ["--data", at("other")];
    expect(run("import", at("shop.jsonl"), ...other).status).toBe(0);
    expect(await digest(at("other"), "shop")).toEqual(before);
    expect(run("snapshot", at("shop.snapshot")).stdout).toMatch(/: 4 records, [\d,]+ bytes\n$/);
    const restore = ["restore", at("shop.snapshot"), "--index", "again", ...other];
    expect(run(...restore).stdout).toBe("again: 4 records\n");
    expect(run(...restore)).toMatchObject({ status: 1 });
    expect(run(...restore, "--replace").status).toBe(0);
    expect(await digest(at("other"), "again")).toEqual(before);
    const unnamed = run("query", "drill", ...other);
    expect(unnamed.stderr).toMatch(/has several indexes: again, shop\. Name one with --index\.\n$/);
    expect(run("delete", "--index", "shop", ...other).status).toBe(0);
    expect(run("query", "drill", ...other).status).toBe(0);
  });

  it("has settings to read, to change, and to try", () => {
    writeFileSync(at("settings.json"), '{"synonyms":[{"type":"synonym","synonyms":["couch","jigsaw"]}]}');
    writeFileSync(at("queries.txt"), "couch\n\ndrill\n");
    const preview = run("settings", "preview", at("settings.json"), "--queries", at("queries.txt"));
    expect(preview.stdout).toMatch(/^1 of 2 queries change\nquery +hits +moved +entered +left\ncouch +\d → \d/);
    expect(json("settings", "get").settings).toEqual({});
    const other = ["--data", at("settled")];
    run("import", at("shop.jsonl"), ...other);
    expect(run("settings", "set", at("settings.json"), ...other).status).toBe(0);
    expect(json("settings", "get", ...other).settings).toEqual({
      synonyms: [{ type: "synonym", synonyms: ["couch", "jigsaw"] }],
    });
    writeFileSync(at("broken.json"), "{");
    expect(run("settings", "set", at("broken.json"), ...other)).toMatchObject({ status: 1 });
  });

  it("is measured by a folder of judgements", () => {
    mkdirSync(at("judged"));
    writeFileSync(at("judged/queries.jsonl"), '{"id":"a","query":"cordless drill"}\n{"id":"b","query":"couch"}\n');
    writeFileSync(at("judged/qrels.tsv"), "a\t1\t1\nb\t2\t1\nb\t99\t1\n");
    const { stdout } = run("evaluate", at("judged"));
    expect(stdout).toMatch(/^ +ndcg/);
    expect(stdout).toMatch(
      /\nwords +0\.\d{3} [\s\S]*\nboth +[01]\.\d{3} [\s\S]*1 judged record not in the index: 99\n$/,
    );
    expect(json("evaluate", at("judged")).runs.both.means.ndcg).toBeGreaterThan(0.5);
  });

  it("is read beside a process that writes, which others are told of", async () => {
    const engine = await SearchEngine.open({ dataDir: data });
    try {
      expect(run("query", "drill").status).toBe(0);
      const { status, stderr } = run("delete", "--index", "shop");
      expect([status, stderr.slice(0, 28)]).toEqual([1, "error: storage_locked (409):"]);
    } finally {
      await engine.close();
    }
  });

  it("is checked byte by byte", async () => {
    const checked = at("checked");
    const engine = await SearchEngine.open({ dataDir: checked });
    const index = await engine.createIndex("many", {
      ...{ embedder: false, vectorAttribute: "at", dimensions: 64, vectorIndex: { kind: "hnsw" } },
    });
    const vectorOf = (id: number) => Array.from({ length: 64 }, (_, i) => Math.cos(id * (i + 1)));
    await index.addRecords(
      Array.from({ length: 6000 }, (_, id) => ({ id, title: `drill ${id % 97}`, at: vectorOf(id) })),
    );
    while (!readdirSync(checked).some((name) => name.startsWith("graph-"))) await pause(20);
    await engine.close();
    expect(run("check", "--data", checked)).toMatchObject({ status: 0, stdout: "many: 6,000 records, all right\n" });
    const segment = join(checked, readdirSync(checked).find((name) => name.startsWith("segment-"))!);
    const bytes = readFileSync(segment);
    for (const share of [0.02, 0.6, 0.999]) {
      const place = Math.floor(share * bytes.length);
      const damaged = Buffer.from(bytes);
      damaged[place]! ^= 1;
      writeFileSync(segment, damaged);
      const { status, stderr } = run("check", "--data", checked);
      expect([status, /^error: .*segment-\d/.test(stderr)], `byte ${place}: ${stderr}`).toEqual([1, true]);
    }
    writeFileSync(segment, bytes);
    expect(run("check", "--data", checked).status).toBe(0);
    const graph = join(checked, readdirSync(checked).find((name) => name.startsWith("graph-"))!);
    const whole = readFileSync(graph);
    for (const share of [0.3, 0.999]) {
      const damaged = Buffer.from(whole);
      damaged[Math.floor(share * whole.length)]! ^= 1;
      writeFileSync(graph, damaged);
      expect(run("check", "--data", checked)).toMatchObject({
        status: 1,
        stderr: expect.stringMatching(/^error: graph-\d/),
      });
    }
  });
});
