// An embedder that answers texts of records and queries, but not the short texts from which the floor is learned, in an engine that
// is not closed. The first argument says what happens to them; the program prints the floor, and should then end by itself.

import { writeSync } from "node:fs";
import { SearchEngine } from "../../dist/index.js";

const [how] = process.argv.slice(2);
const vectors = (texts) => texts.map((text) => [text.length, 1]);
let tries = 0;
const never = new Promise(() => {});

const embedder = {
  id: "slow-1",
  dimensions: 2,
  queryTimeoutMs: 100,
  timeoutMs: how === "answered-late" ? 300 : 2 ** 31 - 1,
  retries: 5,
  embed: async (texts, { purpose }) => {
    if (purpose === "record" || texts.length === 1) return vectors(texts);
    tries++;
    if (how === "never-answered") return never;
    if (how === "refused") throw Object.assign(new Error("busy"), { retryAfter: 60_000 });
    return tries < 3 ? never : vectors(texts);
  },
};

const engine = new SearchEngine({ embedder, onWarning: () => {} });
const index = await engine.createIndex("a");
await index.addRecords(Array.from({ length: 40 }, (_, id) => ({ id, title: "lamp ".repeat(1 + id) })));
if (how !== "answered-late") await index.query({ query: "lamp" });
// Without a time limit, this waits as long as the embedder is tried.
else writeSync(1, `${(await index.getSettings()).effective.semanticFloor > 0} after ${tries} tries\n`);
writeSync(1, "the end\n");
