// `npm start`: without options it indexes the demo catalogue and runs the demo queries; --records takes your file, --query your query,
// --data keeps your index, and --opensearch has it in a cluster.

import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { SearchEngine, SearchError } from "tandem-search";
import { openCluster, removeIndex } from "./cluster.mjs";
import { readCommandLine, USAGE } from "./command-line.mjs";
import { DemoError } from "./demo-error.mjs";
import { DEMO_QUERIES, RAW_QUERY } from "./demo-queries.mjs";
import { fillIndex } from "./fill-index.mjs";
import { explainStorage, keepIndex, openFolder } from "./kept-index.mjs";
import { painterFor, plain } from "./paint.mjs";
import { printAnswer } from "./print-answer.mjs";

const CATALOGUE = fileURLToPath(new URL("catalogue/", import.meta.url));
const DEMO_COLUMNS = ["brand", "price"];
const DEMO_HITS = 4;

const write = (/** @type {string} */ text) => process.stdout.write(text);
const sayAside = (/** @type {string} */ text) => process.stderr.write(text);
const paint = painterFor(process.stdout);

/** @type {Map<string, { message: string, times: number }>} */
const warnings = new Map();

/** Warnings are counted and printed at the end, because a large file can cause thousands of one kind. */
function noteWarning(/** @type {import("tandem-search").SearchWarning} */ { code, message }) {
  warnings.set(code, { message, times: (warnings.get(code)?.times ?? 0) + 1 });
}

function tellWarnings() {
  for (const [code, { message, times }] of warnings)
    sayAside(`warning: ${code}${times > 1 ? ` (${times} times)` : ""}: ${plain(message)}\n`);
}

async function main() {
  const command = readCommandLine(process.argv.slice(2));
  if (command.help) {
    write(USAGE);
    return;
  }
  try {
    await runCommand(command);
  } catch (error) {
    throw command.data === undefined ? error : explainStorage(error, command.data);
  }
}

/** @param {import("./command-line.mjs").Command} command */
async function runCommand(command) {
  const { data, opensearch } = command;
  if (opensearch !== undefined) return runOnCluster(command, opensearch);
  const started = performance.now();
  const engine =
    data === undefined ? new SearchEngine({ onWarning: noteWarning }) : await openFolder(data, noteWarning);
  const openMs = performance.now() - started;
  try {
    if (command.records === undefined && command.queries.length === 0) await showDemo(engine);
    else await search(engine, command, { openMs });
  } finally {
    // Otherwise the process would wait for background work that is no longer needed.
    await engine.close();
    tellWarnings();
  }
}

/**
 * @param {import("./command-line.mjs").Command} command
 * @param {string} url
 */
async function runOnCluster(command, url) {
  const { records, queries, kept } = command;
  const engine = await openCluster(url, noteWarning);
  const name = kept ?? `demo-${randomUUID()}`;
  const remove = () => (kept === undefined ? removeIndex(engine, name, sayAside) : Promise.resolve());
  // An interrupted run leaves nothing behind either.
  process.once("SIGINT", () => remove().finally(() => process.exit(130)));
  try {
    if (kept === undefined && records === undefined && queries.length === 0) await showDemo(engine, name);
    else await search(engine, command, { name });
  } finally {
    await remove();
    await engine.close();
    tellWarnings();
  }
}

/**
 * @param {import("tandem-search").Engine} engine
 * @param {string} [name]
 */
async function showDemo(engine, name = "demo") {
  const index = await engine.createIndex(name);
  const report = await fillIndex(index, catalogueFiles());
  write(`The demo catalogue, an invented shop: ${describe(report)}\n`);
  for (const { params, shows } of DEMO_QUERIES)
    printAnswer(params, await index.query(params), { write, paint, shows, most: DEMO_HITS, columns: DEMO_COLUMNS });
  write(`\n${paint("bold", `The whole answer to ${JSON.stringify(RAW_QUERY)}`)}\n`);
  write(`${JSON.stringify(await index.query(RAW_QUERY), null, 2)}\n`);
  write("\nNow with your own records: npm start -- --records FILE --query TEXT, or --help\n");
}

/**
 * @param {import("tandem-search").Engine} engine
 * @param {import("./command-line.mjs").Command} command
 * @param {{ openMs?: number, name?: string }} [more] how long it took to open the data folder, if there is one; the name of the index
 */
async function search(engine, command, { openMs = 0, name = "records" } = {}) {
  const { records, idAttribute, data, kept, queries, params: common, json } = command;
  const isDemo = records === undefined && kept === undefined;
  const say = json ? sayAside : write;
  const index =
    isDemo || data === undefined
      ? await fillIn(engine, { records, idAttribute, kept, name }, say)
      : await openKept(engine, { records, idAttribute, data, openMs }, say);
  if (queries.length === 0) say("Ask it something with --query TEXT.\n");
  const indent = process.stdout.isTTY === true && queries.length === 1 ? 2 : 0;
  for (const text of queries) {
    const params = { query: text, ...common };
    const answer = await index.query(params);
    if (json) write(`${JSON.stringify(answer, null, indent)}\n`);
    else printAnswer(params, answer, { write, paint, columns: isDemo ? DEMO_COLUMNS : [] });
  }
}

/**
 * An index with the records of the file, or of the catalogue; one that is kept is asked as it is where no file is named.
 * @param {import("tandem-search").Engine} engine
 * @param {Pick<import("./command-line.mjs").Command, "records" | "idAttribute" | "kept"> & { name: string }} command
 * @param {(text: string) => void} say
 */
async function fillIn(engine, { records, idAttribute, kept, name }, say) {
  if (records === undefined && kept !== undefined) return engine.index(kept);
  const settings = idAttribute === undefined ? {} : { idAttribute };
  const index = await engine.createIndex(name, settings, kept === undefined ? {} : { ifExists: "open" });
  const report = await fillIndex(index, records === undefined ? catalogueFiles() : [records], { idAttribute });
  const where = kept === undefined ? "" : `, kept in the cluster as ${plain(kept)}`;
  say(`${records === undefined ? "The demo catalogue" : plain(records)}: ${describe(report)}${where}\n`);
  return index;
}

/**
 * @param {SearchEngine} engine
 * @param {{ records: string, idAttribute?: string, data: string, openMs: number }} command
 * @param {(text: string) => void} say
 */
async function openKept(engine, { records, idAttribute, data, openMs }, say) {
  const { index, filled, isChange } = await keepIndex(engine, records, idAttribute);
  if (filled === undefined) {
    const kept = (await engine.listIndexes()).find(({ name }) => name === index.name)?.records ?? 0;
    say(
      `${plain(records)}: ${kept.toLocaleString("en")} records, kept in ${plain(data)}, open in ${openMs.toFixed(0)} ms\n`,
    );
  } else
    say(
      `${plain(records)}: ${isChange ? "changed; " : ""}${describe(filled)}, kept in ${plain(data)} for the next run\n`,
    );
  return index;
}

const catalogueFiles = () =>
  readdirSync(CATALOGUE)
    .filter((name) => name.endsWith(".jsonl"))
    .sort()
    .map((name) => CATALOGUE + name);

/** @param {import("./fill-index.mjs").FillReport} report */
function describe({ records, replaced, seconds }) {
  const whole = (/** @type {number} */ number) => Math.round(number).toLocaleString("en");
  const again = replaced === 0 ? "" : ` (${whole(replaced)} of them replaced an earlier one with the same id)`;
  const memory = whole(process.resourceUsage().maxRSS / 1024);
  return `${whole(records)} records${again} in ${seconds.toFixed(2)} s, ${whole(records / seconds)} records/s, peak memory ${memory} MiB`;
}

/** @param {unknown} error */
function explain(error) {
  if (error instanceof DemoError) return error.message;
  return error instanceof SearchError ? `${error.error} (${error.code}): ${error.msg}` : undefined;
}

// The reader of the output may stop reading, as `head` does.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (/** @type {NodeJS.ErrnoException} */ error) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(0);
  });

try {
  await main();
} catch (error) {
  const message = explain(error);
  if (message === undefined) throw error;
  sayAside(`${painterFor(process.stderr)("red", "error")}: ${plain(message)}\n`);
  process.exitCode = 1;
}
