// The commands that ask and manage indexes: on a folder that the library made, and compared with it.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { SearchEngine } from "../../src/index.js";
import { commands } from "../support/command.js";
import { tempPaths } from "../support/temp-folder.js";

const RECORDS = [
  { id: 1, title: "Cordless drill driver, 18 V", brand: "Volt", price: 89 },
  { id: 2, title: "Three-seat sofa, grey fabric", brand: "Hem", price: 899 },
  { id: 3, title: "Cordless jigsaw, 12 V", brand: "Volt", price: 119.5 },
  { id: 4, title: "Desk \u001b[31mlamp\u001b[0m\u0007", brand: "Hem", price: 20 },
];

const folder = tempPaths()("command");
const at = (name: string) => join(folder, name);
const data = at("data");
const command = commands();

/** Runs the command on the folder, unless another is named. */
const run = (...args: readonly string[]) => command(...args, ...(args.includes("--data") ? [] : ["--data", data]));
/** What it prints; it must be done. */
async function printed(...args: readonly string[]): Promise<string> {
  const { code, out, err } = await run(...args);
  expect([code, err]).toEqual([0, ""]);
  return out;
}
const lines = async (...args: readonly string[]) => (await printed(...args)).trimEnd().split("\n");
const json = async (...args: readonly string[]) => JSON.parse(await printed(...args, "--json"));

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
  mkdirSync(folder);
  const engine = await SearchEngine.open({ dataDir: data });
  await (await engine.createIndex("shop")).addRecords(RECORDS);
  await engine.close();
});

describe("a question", () => {
  it("with --json is answered as the library answers it", async () => {
    const params = { query: "cordless", filters: "price < 100", facets: ["brand"], hitsPerPage: 1 };
    const own = await json("query", "cordless", "--filters", "price < 100", "--facets=brand", "--hitsPerPage", "1");
    const { serverTimeMS, processingTimeMS, ...answer } = (await asked((engine) => engine.query("shop", params))).data;
    expect([serverTimeMS, processingTimeMS].every(Number.isInteger)).toBe(true);
    expect(own).toMatchObject({ msg: "success", code: 200, data: answer });
    const { hits } = (await asked((engine) => engine.similar("shop", "1"))).data;
    expect((await json("similar", "1")).data.hits).toEqual(hits);
    expect(await json("suggest", "cord")).toEqual(await asked((engine) => engine.suggest("shop", { query: "cord" })));
    const absence = await asked((engine) => engine.whyNot("shop", { query: "drill" }, "2"));
    expect(await json("why-not", "2", "drill")).toEqual(absence);
  });

  it("is answered in a table for people, with counts as bars", async () => {
    const [head, columns, first, ...rest] = await lines("query", "cordles", "jigsaw", "--facets", "brand");
    expect(head).toMatch(/^\d hits by words and meaning, [\d.]+ ms$/);
    expect(columns).toMatch(/^score +id +title +brand +price$/);
    expect(first).toMatch(/^0\.\d{3} +3 +Cordless jigsaw, 12 V +Volt +119\.5$/);
    expect(rest.join("\n")).toMatch(/\nbrand +hits\nVolt +2 +█{24}$/);
    expect((await lines("query", "zzzzz"))[0]).toMatch(/^0 hits/);
  });

  it("takes a parameter without a value for true, and tells what was understood", async () => {
    for (const place of [["--understand"], ["--understand", "--hitsPerPage", "2"], ["--understand", "true"]]) {
      const [, understood] = await lines("query", "cordless tools under 100 dollars", ...place);
      expect(understood, place.join(" ")).toBe('understood: "under 100 dollars" is price price < 100');
    }
  });

  it("prints no control characters of records", async () => {
    const out = await printed("query", "desk lamp");
    expect(out).toMatch(/ 4 +Desk \[31mlamp ?\[0m/);
    expect([...out].filter((character) => character < " " && character !== "\n")).toEqual([]);
  });

  it("is explained part by part, and so is what is missing", async () => {
    const all = await lines("explain", "cordless drill");
    expect(all[0]).toBe("1. 1 Cordless drill driver, 18 V");
    const numbers = all.slice(0, all.indexOf("")).flatMap((line) => line.match(/^-?\d\.\d{4}/) ?? []);
    const [score, ...parts] = numbers.map(Number);
    expect(parts.length).toBeGreaterThan(2);
    expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(score!, 3);
    expect(await printed("why-not", "2", "drill")).toMatch(/^2 is not among the hits: membership\n {2}words\n/);
    expect(await printed("why-not", "1", "drill")).toBe("1 is among the hits.\n");
  });

  const ABSENT = /^error: ENOENT: no such file or directory, open '.+'\n$/;
  it.each<[number, RegExp, string[]]>([
    [1, /did you mean "filters"/, ["query", "x", "--filtrs", "price < 1"]],
    [1, /^error: /, ["query", "x", "--filters", "price <"]],
    [1, /^error: index_not_found \(404\)/, ["query", "x", "--index", "none"]],
    [1, /^error: /, ["query", "x", "--data", at("nowhere")]],
    [1, ABSENT, ["settings", "set", at("none.json")]],
    [1, ABSENT, ["evaluate", at("none")]],
    [1, ABSENT, ["export", at("none/x")]],
    ...[["serch"], ["why-not"], ["similar"], ["settings", "put"], ["delete"], ["restore", "x"]].map(
      (wrong): [number, RegExp, string[]] => [2, /^error: /, wrong],
    ),
  ])("that is wrong says what is meant, with its exit code: %i %s %j", async (code, err, args) => {
    expect(await run(...args)).toEqual({ code, out: "", err: expect.stringMatching(err) });
  });

  it.each(
    "import query explain why-not similar suggest settings evaluate stats".split(" "),
  )("has a help with an example: %s", async (name) => {
    expect((await command("--help")).out).toMatch(new RegExp(`^ {2}${name} `, "m"));
    expect((await command(name, "--help")).out).toMatch(/\n\nExample:\n {2}tandem-search \S/);
  });
});

describe("an index", () => {
  it("is told with its records and attributes", async () => {
    expect(await printed("stats")).toMatch(/^shop: 4 records\n[\s\S]*\n {4}title: text\n/);
    expect(await json("stats")).toMatchObject([{ index: "shop", records: 4 }]);
  });

  it("is exported and imported, written as a snapshot and restored, and deleted", async () => {
    const digest = (dataDir: string, name: string) => asked((engine) => engine.digest(name), dataDir);
    const before = await digest(data, "shop");
    await printed("export", at("shop.jsonl"));
    expect(readFileSync(at("shop.jsonl"), "utf8")).toBe(await printed("export"));
    const other = ["--data", at("other")];
    await printed("import", at("shop.jsonl"), ...other);
    expect(await digest(at("other"), "shop")).toEqual(before);
    expect(await printed("snapshot", at("shop.snapshot"))).toMatch(/: 4 records, [\d,]+ bytes\n$/);
    const restore = ["restore", at("shop.snapshot"), "--index", "again", ...other];
    expect(await printed(...restore)).toBe("again: 4 records\n");
    expect(await run(...restore)).toMatchObject({ code: 1 });
    await printed(...restore, "--replace");
    expect(await digest(at("other"), "again")).toEqual(before);
    const unnamed = await run("query", "drill", ...other);
    expect(unnamed.err).toMatch(/has several indexes: again, shop\. Name one with --index\.\n$/);
    await printed("delete", "--index", "shop", ...other);
    await printed("query", "drill", ...other);

    writeFileSync(at("settings.json"), '{"synonyms":[{"type":"synonym","synonyms":["couch","jigsaw"]}]}');
    writeFileSync(at("queries.txt"), "couch\n\ndrill\n");
    const preview = await printed("settings", "preview", at("settings.json"), "--queries", at("queries.txt"));
    expect(preview).toMatch(/^1 of 2 queries change\nquery +hits +moved +entered +left\ncouch +\d → \d/);
    expect((await json("settings", "get")).settings).toEqual({});
    await printed("settings", "set", at("settings.json"), ...other);
    expect((await json("settings", "get", ...other)).settings).toEqual({
      synonyms: [{ type: "synonym", synonyms: ["couch", "jigsaw"] }],
    });
    writeFileSync(at("broken.json"), "{");
    expect(await run("settings", "set", at("broken.json"), ...other)).toMatchObject({ code: 1 });
    writeFileSync(at("unknown.json"), '{"synonym":[]}');
    expect(await run("settings", "set", at("unknown.json"), ...other)).toMatchObject({
      code: 1,
      err: expect.stringContaining("unknown_setting"),
    });
  });

  it("is measured by a folder of judgements", async () => {
    mkdirSync(at("judged"));
    writeFileSync(at("judged/queries.jsonl"), '{"id":"a","query":"cordless drill"}\n{"id":"b","query":"couch"}\n');
    writeFileSync(at("judged/qrels.tsv"), "a\t1\t1\nb\t2\t1\nb\t99\t1\n");
    expect(await printed("evaluate", at("judged"))).toMatch(
      /^ +ndcg[\s\S]*\nwords +0\.\d{3} [\s\S]*\nboth +[01]\.\d{3} [\s\S]*1 judged record not in the index: 99\n$/,
    );
    expect((await json("evaluate", at("judged"))).runs.both.means.ndcg).toBeGreaterThan(0.5);
  });

  it("is read beside a process that writes, which others are told of", async () => {
    const engine = await SearchEngine.open({ dataDir: data });
    try {
      await printed("query", "drill");
      const { code, err } = await run("delete", "--index", "shop");
      expect([code, err.slice(0, 28)]).toEqual([1, "error: storage_locked (409):"]);
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
    await expect.poll(() => readdirSync(checked).join(), { timeout: 60_000 }).toMatch(/graph-/);
    await engine.close();
    expect(await printed("check", "--data", checked)).toBe("many: 6,000 records, all right\n");
    for (const [kind, shares] of [
      ["segment", [0.02, 0.6, 0.999]],
      ["graph", [0.3, 0.999]],
    ] as const) {
      const path = join(checked, readdirSync(checked).find((name) => name.startsWith(kind))!);
      const bytes = readFileSync(path);
      for (const share of shares) {
        const damaged = Buffer.from(bytes);
        damaged[Math.floor(share * bytes.length)]! ^= 1;
        writeFileSync(path, damaged);
        const { code, err } = await run("check", "--data", checked);
        expect(code, err).toBe(1);
        expect(err).toMatch(new RegExp(`^error: .*${kind}-\\d`));
      }
      writeFileSync(path, bytes);
    }
  });
});
