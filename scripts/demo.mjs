// `npm start`: imports the demo catalogue by the command, and asks it the queries of docs/demo/tour.txt; `npm start -- --opensearch URL`: on
// the cluster of that node, from which the index is removed at the end.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const CATALOGUE = "docs/demo/catalogue";
const data = mkdtempSync(join(tmpdir(), "tandem-search-demo-"));
const [flag, node = ""] = process.argv.slice(2);
const isInCluster = flag === "--opensearch";
const place = isInCluster ? ["--opensearch", node, "--index", "demo"] : ["--data", data];
let isMade = false;

/**
 * Runs the command, and prints it as one would type it.
 * @param {readonly string[]} args
 * @param {string} [typed]
 */
function run(args, typed = args.join(" ")) {
  process.stdout.write(`$ tandem-search ${typed}\n`);
  const line = [join(ROOT, "dist/command.js"), ...args, ...place];
  const { status } = spawnSync(process.execPath, line, { cwd: ROOT, stdio: "inherit" });
  if (status !== 0) throw new Error(`tandem-search ${args[0]} ended with ${status}.`);
  process.stdout.write("\n");
}

try {
  const files = readdirSync(join(ROOT, CATALOGUE)).filter((name) => name.endsWith(".jsonl"));
  const paths = files.sort().map((name) => `${CATALOGUE}/${name}`);
  run(["import", ...paths, "--index", "demo"], `import ${CATALOGUE}/*.jsonl --index demo`);
  isMade = true;
  for (const line of readFileSync(join(ROOT, "docs/demo/tour.txt"), "utf8").trim().split("\n")) {
    if (line.startsWith("#")) process.stdout.write(`${line}\n`);
    else {
      const args = [...line.matchAll(/"((?:\\"|[^"])*)"|(\S+)/g)];
      run(["query", ...args.map(([, quoted, word]) => quoted?.replaceAll('\\"', '"') ?? word ?? "")], `query ${line}`);
    }
  }
  process.stdout.write(
    "Now your own products: node dist/command.js import products.csv --data ./search-data, or --help\n",
  );
} finally {
  if (isInCluster && isMade) run(["delete"]);
  rmSync(data, { recursive: true, force: true });
}
