// The peers with one interface: open, fill in batches, finish, query. Each has its fastest settings for this task: any word of the
// query, whole words, no stems, the best 12, and the number of matches if it has one; records are not stored.

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { PYTHON_PACKAGES } from "../relevance/install-peers.mjs";
import { FIELDS, plainWords } from "./corpus.mjs";

const PAGE = 12;
const TITLE_WEIGHT = 2;
const require = createRequire(import.meta.url);

const minisearch = {
  label: "MiniSearch",
  package: "minisearch",
  count: "exact",
  note: "4 fields, title x 2, addAll, lower case its only processing",
  async open() {
    const { default: MiniSearch } = await import("minisearch");
    const index = new MiniSearch({ fields: FIELDS, processTerm: (term) => term.toLowerCase() });
    const options = { boost: { title: TITLE_WEIGHT }, combineWith: "OR" };
    return {
      fill: async (records) => index.addAll(records),
      finish: async () => {},
      ask: async ({ query }) => {
        const hits = index.search(query, options);
        hits.slice(0, PAGE);
        return hits.length;
      },
    };
  },
};

const orama = {
  label: "Orama",
  package: "@orama/orama",
  count: "exact",
  note: "4 fields, title x 2, threshold 1, sorting off; completes every word and stores the fields, by its design",
  async open() {
    const { create, insertMultiple, search } = await import("@orama/orama");
    const schema = Object.fromEntries(FIELDS.map((name) => [name, "string"]));
    const db = create({ schema, sort: { enabled: false } });
    const shared = { properties: FIELDS, boost: { title: TITLE_WEIGHT }, threshold: 1, limit: PAGE };
    return {
      prepare: (records) => records.map(onlyTexts),
      fill: async (records) => void (await insertMultiple(db, records, 1000)),
      finish: async () => {},
      ask: async ({ query: term }) => (await search(db, { ...shared, term })).count,
    };
  },
};

const flexsearch = {
  label: "FlexSearch",
  package: "flexsearch",
  count: "none",
  note: "one text of all fields, no weights and no BM25 (it has none), suggest for any word",
  async open() {
    const { default: FlexSearch } = await import("flexsearch");
    const index = new FlexSearch.Index({ tokenize: "strict" });
    return {
      prepare: (records) => records.map((record) => [Number(record.id), oneText(record)]),
      fill: async (records) => {
        for (const [id, text] of records) index.add(id, text);
      },
      finish: async () => {},
      ask: async ({ query }) => index.search(query, { limit: PAGE, suggest: true }).length,
    };
  },
};

const fts5 = (label, detail) => ({
  label,
  package: "better-sqlite3",
  count: "exact",
  note: `in memory, no content, 4 columns, detail=${detail}, unicode61, bm25 by rank${detail === "full" ? ", title x 2" : ""}, a second statement counts`,
  async open() {
    const { default: Database } = await import("better-sqlite3");
    const db = new Database(":memory:");
    db.exec(`create virtual table records using fts5(${FIELDS.join(", ")}, content='', detail=${detail})`);
    const weights = detail === "full" ? `${TITLE_WEIGHT}.0, 1.0, 1.0, 1.0` : "";
    db.exec(`insert into records(records, rank) values('rank', 'bm25(${weights})')`);
    const insert = db.prepare(`insert into records(rowid, ${FIELDS.join(", ")}) values (?, ?, ?, ?, ?)`);
    const insertAll = db.transaction((records) => {
      for (const record of records) insert.run(Number(record.id), ...FIELDS.map((name) => record[name]));
    });
    const select = db.prepare(`select rowid from records where records match ? order by rank limit ${PAGE}`);
    const count = db.prepare("select count(*) as n from records where records match ?");
    return {
      fill: async (records) => insertAll(records),
      finish: async () => db.exec("insert into records(records) values('optimize')"),
      ask: async ({ query }) => {
        const words = [...new Set(plainWords(query))];
        if (words.length === 0) return 0;
        const match = words.map((word) => `"${word}"`).join(" OR ");
        select.all(match);
        return count.get(match).n;
      },
    };
  },
});

const lancedb = {
  label: "LanceDB",
  package: "@lancedb/lancedb",
  count: "none",
  note: "in a folder, one text of all fields with an FTS index, no positions, no stems, no stop words; its threads are all cores",
  async open() {
    const table = await openTable();
    return {
      prepare: (records) => records.map((record) => ({ id: Number(record.id), text: oneText(record) })),
      fill: table.fill,
      finish: table.indexText,
      ask: async ({ query }) =>
        (await table.ask((rows) => rows.fullTextSearch(query, TEXT).select(["id", "_score"]))).length,
    };
  },
};

const lancedbHybrid = {
  label: "LanceDB, words and meaning",
  package: "@lancedb/lancedb",
  count: "none",
  note: "the same, and an HNSW-SQ index by cosine of static-en's vectors, which are made before the clock runs, a query's within its time; ranks fused by RRF",
  async open() {
    const { Index, rerankers } = await import("@lancedb/lancedb");
    const { createStaticEnEmbedder } = await import("../../dist/index.js");
    const embedder = createStaticEnEmbedder();
    const embed = (texts, purpose) => embedder.embed(texts, { purpose });
    const table = await openTable();
    const reranker = await rerankers.RRFReranker.create();
    return {
      async prepare(records) {
        const vectors = await embed(records.map(oneText), "record");
        return records.map((record, i) => ({
          id: Number(record.id),
          text: oneText(record),
          vector: Array.from(vectors[i] ?? new Float32Array(embedder.dimensions).fill(1)),
        }));
      },
      fill: table.fill,
      async finish() {
        await table.indexText();
        if ((await table.countRows()) >= LEAST_INDEXED)
          await table.index("vector", { config: Index.hnswSq({ distanceType: "cosine" }) });
      },
      async ask({ query }) {
        const [vector] = await embed([query], "query");
        const hits = await table.ask((rows) => {
          const byWords = rows.fullTextSearch(query, TEXT).select(["id"]);
          return vector === null ? byWords : byWords.nearestTo(vector).distanceType("cosine").rerank(reranker);
        });
        return hits.length;
      },
    };
  },
};

const tantivy = {
  label: "tantivy",
  package: "tantivy",
  count: "exact",
  note: "its Python package in a process of its own, one text of all fields, no positions, no stems; one thread indexes, one searches; timed in Python",
  async open() {
    const program = fileURLToPath(new URL("tantivy-peer.py", import.meta.url));
    const child = spawn("python3", [program], { stdio: ["pipe", "pipe", "inherit"], env: PYTHON_ENV });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const run = async (task) => {
      child.stdin.write(`${JSON.stringify(task)}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error("The process of tantivy ended.");
      return JSON.parse(value);
    };
    return {
      prepare: (records) => records.map((record) => [Number(record.id), oneText(record)]),
      fill: (rows) => run({ fill: rows }),
      finish: () => run({ finish: true }),
      memory: () => run({ memory: true }),
      askOnce: (requests, mostMs = 1e9) =>
        run({ ask: requests.map(({ query }) => [...new Set(plainWords(query))]), mostMs }),
      close: async () => child.kill(),
    };
  },
};

const PYTHON_ENV = { ...process.env, PYTHONPATH: PYTHON_PACKAGES };

/** An index cannot be trained with fewer vectors. */
const LEAST_INDEXED = 300;
const TEXT = { columns: ["text"] };

/** A table in a folder of its own, which is deleted when the process exits. */
async function openTable() {
  const { connect, Index } = await import("@lancedb/lancedb");
  const folder = mkdtempSync(join(tmpdir(), "speed-lancedb-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const db = await connect(folder);
  let table;
  const config = Index.fts({ stem: false, removeStopWords: false, asciiFolding: false, withPosition: false });
  return {
    async fill(rows) {
      if (table === undefined) table = await db.createTable("records", rows);
      else await table.add(rows);
    },
    indexText: () => table.createIndex("text", { config }),
    index: (column, options) => table.createIndex(column, options),
    ask: (restrict) => restrict(table.query()).limit(PAGE).toArray(),
    countRows: () => table.countRows(),
  };
}

const onlyTexts = (record) => Object.fromEntries(["id", ...FIELDS].map((name) => [name, record[name]]));
const oneText = (record) => FIELDS.map((name) => record[name]).join(" ");

const peer = (engine) => ({
  ...engine,
  isOurs: false,
  group: "text",
  main: "any",
  rows: { any: { label: "any word", paramsAt: (query) => ({ query }) } },
  version: () => packageVersion(engine.package),
});

/** The installed version; throws if there is none. */
function packageVersion(name) {
  const paths = require.resolve.paths(name) ?? [];
  for (const path of paths) {
    try {
      return require(join(path, name, "package.json")).version;
    } catch {}
  }
  throw new Error(`${name} is not installed.`);
}

/** The version of tantivy's Python package; throws if there is none. */
function pythonVersion() {
  const program = "from importlib.metadata import version; print(version('tantivy'))";
  return execFileSync("python3", ["-c", program], { env: PYTHON_ENV, encoding: "utf8", stdio: "pipe" }).trim();
}

/** By the name that --only takes. */
export const PEERS = {
  minisearch: peer(minisearch),
  orama: peer(orama),
  flexsearch: peer(flexsearch),
  fts5: peer(fts5("SQLite FTS5", "full")),
  fts5none: peer(fts5("SQLite FTS5, detail none", "none")),
  lancedb: peer(lancedb),
  tantivy: { ...peer(tantivy), version: pythonVersion },
  lancedbHybrid: {
    ...peer(lancedbHybrid),
    group: "hybrid",
    main: "hybrid",
    mostRecords: 50_000,
    rows: { hybrid: { label: "words and meaning", paramsAt: (query) => ({ query }) } },
  },
};
