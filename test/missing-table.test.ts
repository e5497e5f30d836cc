// The built library without the word table of static-en: a copy of dist in a folder of its own, from which the file was taken.

import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROOT } from "./support/source-tree.js";

let folder: string;
let table: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "missing-table-"));
  cpSync(join(ROOT, "dist"), join(folder, "dist"), { recursive: true });
  cpSync(join(ROOT, "package.json"), join(folder, "package.json"));
  mkdirSync(join(folder, "node_modules"));
  // The packages that the library needs; it finds its own files beside its code.
  for (const name of ["wink-eng-lite-web-model", "fast-json-stable-stringify"])
    symlinkSync(join(ROOT, "node_modules", name), join(folder, "node_modules", name), "junction");
  const file = readdirSync(join(folder, "dist")).find((name) => name.startsWith("static-en"))!;
  table = join(folder, "dist", file);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Puts the table in its place, or takes it away. */
function putTable(isThere: boolean): void {
  const [from, to] = isThere ? [join(folder, "away.bin"), table] : [table, join(folder, "away.bin")];
  if (existsSync(from)) renameSync(from, to);
}

/** Runs a program in a process of its own. It has the library as `lib`, `warnings`, and `refusalOf`; it gives `out`. */
function run(code: string): unknown {
  const program = `
    import * as lib from "./dist/index.js";
    const warnings = [];
    const onWarning = ({ code, param }) => warnings.push(code + " " + param);
    const refusalOf = (work) => work.then(() => "done", (e) => e.code + " " + e.error + (e instanceof lib.SearchError ? "" : " raw"));
    const RECORDS = [{ id: 1, title: "sofa" }, { id: 2, title: "drill" }];
    const open = () => lib.SearchEngine.open({ dataDir: "./data", onWarning });
    const legs = async (index, query) => (await index.query({ query })).data.recallSource.join();
    let out;
    ${code}
    process.stdout.write(JSON.stringify(out));
  `;
  writeFileSync(join(folder, "program.mjs"), program);
  return JSON.parse(execFileSync(process.execPath, ["program.mjs"], { cwd: folder, encoding: "utf8" }));
}

const WORDS = "fullTextSearch";
const BOTH = "fullTextSearch,semanticSearch";

it("an index that is made without the table has no embedder but one's own, with one warning, and opens as it is", () => {
  putTable(false);
  const out = run(`
    const engine = new lib.SearchEngine({ onWarning });
    const index = await engine.createIndex("a");
    await index.addRecords(RECORDS);
    const { effective, settings } = await index.getSettings();
    await engine.createIndex("a", { embedder: "static-en" }, { ifExists: "open" });
    const embed = async (texts) => texts.map((text) => [text.length, 1]);
    const own = await engine.createIndex("own", { embedder: { id: "lengths-1", dimensions: 2, embed } });
    await own.addRecords(RECORDS);
    out = [effective.embedder, settings, await legs(index, "couch"), await legs(index, "sofa"), await legs(own, "couch"), warnings];
  `);
  expect(out).toEqual([false, {}, WORDS, WORDS, BOTH, ["embedder_missing embedder"]]);
});

it("what was decided stays so when the table is back, until updateSettings", () => {
  putTable(false);
  run(`
    const engine = await open();
    await engine.createIndex("default");
    await engine.createIndex("named", { embedder: "static-en" });
    for (const name of ["default", "named"]) await engine.addRecords(name, RECORDS);
    await engine.close();
    out = 0;
  `);
  putTable(true);
  const out = run(`
    const engine = await open();
    out = [];
    for (const [name, settings] of [["default", {}], ["named", { embedder: "static-en" }]]) {
      const index = await engine.createIndex(name, settings, { ifExists: "open" });
      await index.addRecords([{ id: 3, title: "lamp" }]);
      const before = [(await index.getSettings()).effective.embedder, await legs(index, "couch")];
      await index.updateSettings({});
      out.push([...before, typeof (await index.getSettings()).effective.embedder, await legs(index, "couch")]);
    }
    out.push(warnings);
    await engine.close();
  `);
  expect(out).toEqual([[false, WORDS, "string", BOTH], [false, WORDS, "string", BOTH], []]);
  // What updateSettings chose is in the folder.
  expect(
    run(`const engine = await open(); out = await legs(engine.index("named"), "couch"); await engine.close();`),
  ).toBe(BOTH);
  rmSync(join(folder, "data"), { recursive: true });
});

it("an index that has vectors answers in words and refuses writes, until it is told to do without", () => {
  putTable(true);
  run(`
    const engine = await open();
    const index = await engine.createIndex("a");
    await index.addRecords(RECORDS);
    await engine.writeSnapshot("a", "./a.snapshot");
    await engine.close();
    out = 0;
  `);
  putTable(false);
  const out = run(`
    const engine = await open();
    const index = await engine.createIndex("a", { embedder: "static-en" }, { ifExists: "open" });
    out = [await legs(index, "sofa"), warnings.splice(0)];
    const writes = [index.addRecords([{ id: 3, title: "lamp" }]), index.updateSettings({ embedder: "static-en" })];
    out.push(await Promise.all(writes.map(refusalOf)), (await index.getRecords([1, 3])).map((record) => record?.title ?? null));
    await engine.readSnapshot("b", "./a.snapshot");
    out.push(await refusalOf(engine.addRecords("b", RECORDS)), await legs(engine.index("b"), "sofa"));
    await index.updateSettings({ embedder: false });
    await index.addRecords([{ id: 3, title: "lamp" }]);
    warnings.length = 0;
    out.push((await index.getSettings()).effective.embedder, await legs(index, "lamp"), warnings);
    await engine.close();
  `);
  const refused = "409 embedder_missing";
  expect(out).toEqual([
    WORDS,
    ["embedder_failed embedder"],
    ...[[refused, refused], ["sofa", null], refused, WORDS],
    ...[false, WORDS, []],
  ]);
});

it("of static-de, too: the table that is missing is named, and static-en works without it", () => {
  putTable(true);
  const german = join(folder, "dist/static-de-32k-192-int4.bin");
  const out = (code: string) =>
    run(`
      const messages = [];
      const engine = await lib.SearchEngine.open({ dataDir: "./german", onWarning: ({ message }) => messages.push(message) });
      ${code}
      await engine.close();
    `);
  rmSync(german);
  const named = out(`
    const index = await engine.createIndex("de", { embedder: "static-de" });
    await index.addRecords(RECORDS);
    await (await engine.createIndex("en")).addRecords(RECORDS);
    out = [(await index.getSettings()).effective.embedder, await legs(engine.index("en"), "couch"), messages];
  `);
  const missing = /word table of static-de \(static-de-32k-192-int4\.bin\).*createStaticDeEmbedder/;
  expect(named).toEqual([false, BOTH, [expect.stringMatching(missing)]]);
  cpSync(join(ROOT, "dist/static-de-32k-192-int4.bin"), german);
  const back = `out = [await legs(engine.index("de"), "sofa")];`;
  expect(out(back)).toEqual([WORDS]);
  expect(out(`await engine.updateSettings("de", { embedder: "static-de" }); ${back}`)).toEqual([BOTH]);
  rmSync(german);
  expect(out(`${back} out.push(await refusalOf(engine.addRecords("de", [{ id: 3, title: "lampe" }])))`)).toEqual([
    WORDS,
    "409 embedder_missing",
  ]);
  cpSync(join(ROOT, "dist/static-de-32k-192-int4.bin"), german);
});

it("an import without the table is an index of words, with one warning", () => {
  putTable(true);
  run(`
    const { writeFileSync } = await import("node:fs");
    const engine = new lib.SearchEngine();
    await engine.createIndex("a");
    await engine.addRecords("a", RECORDS);
    let text = "";
    for await (const piece of engine.exportIndex("a")) text += piece;
    writeFileSync("export.jsonl", text);
    out = 0;
  `);
  putTable(false);
  const out = run(`
    const { readFileSync } = await import("node:fs");
    const engine = new lib.SearchEngine({ onWarning });
    await engine.importIndex("a", readFileSync("export.jsonl", "utf8"));
    out = [(await engine.getSettings("a")).effective.embedder, await legs(engine.index("a"), "sofa"), warnings];
  `);
  expect(out).toEqual([false, WORDS, ["embedder_missing embedder"]]);
});

it("an engine that is given the table is as one that finds it: snapshots, settings and answers", () => {
  const use = `
    const index = await engine.createIndex("small");
    await index.addRecords(RECORDS);
    const answer = await index.query({ query: "couch", explain: true });
    const all = [(await index.getSettings()).settings, answer.data.hits, await index.digest()];`;
  putTable(true);
  const there = run(`
    const engine = new lib.SearchEngine({ onWarning });
    ${use}
    await index.addRecords([{ id: 3, title: "kettle" }]);
    await engine.writeSnapshot("small", "./small.snapshot");
    out = [...all, await legs(index, "couch"), warnings];
  `);
  putTable(false);
  const given = run(`
    import { readFileSync } from "node:fs";
    const engine = new lib.SearchEngine({ onWarning, embedder: lib.createStaticEnEmbedder(readFileSync("./away.bin")) });
    ${use}
    await engine.readSnapshot("shipped", "./small.snapshot");
    await engine.addRecords("shipped", [{ id: 4, title: "lamp" }]);
    out = [...all, await legs(engine.index("shipped"), "couch"), warnings];
  `);
  expect(given).toEqual(there);
  expect(there).toEqual(expect.arrayContaining([{}, BOTH]));
});
