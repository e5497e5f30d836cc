// Engines that keep an index in a folder, with one interface: `open({ folder })` opens what is there or begins anew; then `fill` in
// batches, `finish`, `ask`, and where the engine can write to what is there, `write`, in its safest mode.
// All keep whole records and return those of the best 12.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FIELDS, plainWords } from "../speed/corpus.mjs";

const PAGE = 12;
const TITLE_WEIGHT = 2;
const BUILD = new URL("../../dist/index.js", import.meta.url).href;

const tandem = (label, settings, note) => ({
  label,
  note,
  isOurs: true,
  canWrite: true,
  /** Without a folder: in memory. */
  async open({ folder, durability }) {
    const { SearchEngine } = await import(BUILD);
    const engine = folder === undefined ? new SearchEngine() : await SearchEngine.open({ dataDir: folder, durability });
    const index = await engine.createIndex("bench", settings, { ifExists: "open" });
    return {
      fill: (records) => index.addRecords(records),
      async finish() {
        await index.whenIdle();
        await engine.flush();
      },
      ask: async (query) => (await index.query({ query, hitsPerPage: PAGE })).data.hits.length,
      write: (records) => index.addRecords(records),
      estimate: () => index.estimate(),
      close: () => engine.close(),
    };
  },
});

/** `synchronous`: FULL syncs each commit, as tandem-search does; NORMAL syncs none, and a power cut may take the last ones. */
const fts5 = (label, synchronous) => ({
  label,
  package: "better-sqlite3",
  canWrite: true,
  note: `a table of JSON and a contentless FTS5 table, write-ahead log, synchronous=${synchronous}`,
  async open({ folder }) {
    const { default: Database } = await import("better-sqlite3");
    const db = new Database(join(folder, "records.db"));
    db.pragma("journal_mode = wal");
    db.pragma(`synchronous = ${synchronous}`);
    db.exec("create table if not exists records(id integer primary key, json text)");
    db.exec(`create virtual table if not exists words using fts5(${FIELDS.join(", ")}, content='')`);
    const insert = db.prepare("insert into records values (?, ?)");
    const insertWords = db.prepare(`insert into words(rowid, ${FIELDS.join(", ")}) values (?, ?, ?, ?, ?)`);
    const write = db.transaction((records) => {
      for (const record of records) {
        insert.run(Number(record.id), JSON.stringify(record));
        insertWords.run(Number(record.id), ...FIELDS.map((name) => record[name]));
      }
    });
    const rank = `bm25(words, ${TITLE_WEIGHT}.0, 1.0, 1.0, 1.0)`;
    const best = `select rowid from words where words match ? order by ${rank} limit ${PAGE}`;
    const select = db.prepare(`select json from records where id in (${best})`);
    return {
      fill: async (records) => write(records),
      finish: async () => {
        db.exec("insert into words(words) values('optimize')");
        db.pragma("wal_checkpoint(truncate)");
      },
      ask: async (query) => {
        const words = [...new Set(plainWords(query))];
        const match = words.map((word) => `"${word}"`).join(" OR ");
        return words.length === 0 ? 0 : select.all(match).map(({ json }) => JSON.parse(json)).length;
      },
      write: async (records) => write(records),
      close: async () => db.close(),
    };
  },
});

const lancedb = {
  label: "LanceDB",
  canWrite: true,
  package: "@lancedb/lancedb",
  note: "one text of all fields with an FTS index, no positions; what is written later is searched without the index; it calls no fsync",
  async open({ folder }) {
    const { connect, Index } = await import("@lancedb/lancedb");
    const db = await connect(folder);
    const rowOf = (record) => ({
      id: Number(record.id),
      text: FIELDS.map((name) => record[name]).join(" "),
      json: JSON.stringify(record),
    });
    let table = (await db.tableNames()).length > 0 ? await db.openTable("records") : undefined;
    const add = async (records) => {
      const rows = records.map(rowOf);
      if (table === undefined) table = await db.createTable("records", rows);
      else await table.add(rows);
    };
    const config = Index.fts({ stem: false, removeStopWords: false, asciiFolding: false, withPosition: false });
    return {
      fill: add,
      finish: () => table.createIndex("text", { config }),
      ask: async (query) => {
        const found = table.query().fullTextSearch(query, { columns: ["text"] });
        return (await found.select(["json", "_score"]).limit(PAGE).toArray()).map(({ json }) => JSON.parse(json))
          .length;
      },
      write: add,
      close: async () => db.close(),
    };
  },
};

/** One file of JSON, which is written as a whole. */
const jsonFile = (folder) => join(folder, "index.json");
const readText = (folder) => (existsSync(jsonFile(folder)) ? readFileSync(jsonFile(folder), "utf8") : undefined);
const writeText = (folder, text) => writeFileSync(jsonFile(folder), text, { flush: true });

const minisearch = {
  label: "MiniSearch, JSON",
  package: "minisearch",
  note: "its JSON in one file, records stored in it",
  async open({ folder }) {
    const { default: MiniSearch } = await import("minisearch");
    const storeFields = [...FIELDS, "category", "stock", "colors"];
    const options = { fields: FIELDS, storeFields, processTerm: (term) => term.toLowerCase() };
    const text = readText(folder);
    const index = text === undefined ? new MiniSearch(options) : MiniSearch.loadJSON(text, options);
    const shared = { boost: { title: TITLE_WEIGHT }, combineWith: "OR" };
    return {
      fill: async (records) => index.addAll(records),
      finish: async () => writeText(folder, JSON.stringify(index)),
      ask: async (query) => index.search(query, shared).slice(0, PAGE).length,
      close: async () => {},
    };
  },
};

const orama = {
  label: "Orama, JSON",
  package: "@orama/orama",
  note: "its JSON in one file, records stored in it",
  async open({ folder }) {
    const { create, insertMultiple, load, save, search } = await import("@orama/orama");
    const schema = Object.fromEntries(FIELDS.map((name) => [name, "string"]));
    const db = create({ schema, sort: { enabled: false } });
    const text = readText(folder);
    if (text !== undefined) load(db, JSON.parse(text));
    const shared = { properties: FIELDS, boost: { title: TITLE_WEIGHT }, threshold: 1, limit: PAGE };
    return {
      fill: async (records) => void (await insertMultiple(db, records, 1000)),
      finish: async () => writeText(folder, JSON.stringify(save(db))),
      ask: async (term) => (await search(db, { ...shared, term })).hits.length,
      close: async () => {},
    };
  },
};

/** By the name that --only takes. Above `mostRecords` an engine is left out. */
export const ENGINES = {
  words: tandem("tandem words", { embedder: false }, "default settings without an embedder"),
  hybrid: {
    ...tandem("tandem by default", {}, "words and static-en's vectors"),
    mostRecords: 200_000,
  },
  fts5: fts5("SQLite FTS5", "FULL"),
  fts5normal: fts5("SQLite FTS5, NORMAL", "NORMAL"),
  lancedb,
  minisearch,
  orama,
};

/** A new folder in another. */
export function newFolder(parent, name) {
  const folder = join(parent, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}
