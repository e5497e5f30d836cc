// Peers are installed in bench/node_modules at their first use, with their install scripts, which better-sqlite3 needs. LanceDB is not
// in bench/package.json: it is large, and its packages for other platforms are not in every registry, so no lock file can contain it.

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const BENCH = fileURLToPath(new URL("../", import.meta.url));
/** One file of each, to check whether it is installed; better-sqlite3's is made by its install script. */
const LOCKED = [
  "@orama/orama/package.json",
  "better-sqlite3/build/Release/better_sqlite3.node",
  "flexsearch/package.json",
  "minisearch/package.json",
];
/** tantivy has no package of its own in npm's registry; its Python package is installed here, if there is a Python. */
export const PYTHON_PACKAGES = `${BENCH}node_modules/.python`;
const TANTIVY = "tantivy==0.27.0";
const LANCEDB = ["@lancedb/lancedb@0.37.1", "apache-arrow@18.1.0"];
const INSTALL_MS = 900_000;

/** Installs missing peers; throws if that fails. */
export async function installPeers() {
  const isThere = (file) => existsSync(`${BENCH}node_modules/${file}`);
  if (!LOCKED.every(isThere)) {
    console.log("Installing the peers in bench/ (better-sqlite3 may be compiled) …");
    await npm("ci", "--no-audit");
  }
  if (!isThere("@lancedb/lancedb/package.json")) {
    console.log("Installing LanceDB in bench/ (some 200 MB) …");
    await npm("install", "--no-save", "--no-package-lock", "--no-audit", ...LANCEDB);
  }
  // npm deletes what it did not install, so Python's packages come last.
  if (!isThere(".python/tantivy"))
    await run("python3", ["-m", "pip", "install", "--quiet", "--target", PYTHON_PACKAGES, TANTIVY]);
}

async function npm(...args) {
  await run("npm", [...args, "--prefix", BENCH]);
}

const run = (program, args) => promisify(execFile)(program, args, { cwd: BENCH, timeout: INSTALL_MS });
