// Peers live in bench/node_modules; installed at their first use, with their install scripts: better-sqlite3 needs them.

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const BENCH = fileURLToPath(new URL("../", import.meta.url));
/** One file of each; better-sqlite3's is made by its install script, which other benches do without. */
const FILES = [
  "@lancedb/lancedb/package.json",
  "@orama/orama/package.json",
  "better-sqlite3/build/Release/better_sqlite3.node",
  "flexsearch/package.json",
  "minisearch/package.json",
];
const INSTALL_MS = 900_000;

/** True when all peers are there. */
export async function installPeers() {
  if (FILES.every((file) => existsSync(`${BENCH}node_modules/${file}`))) return true;
  console.log("Installing the peers in bench/ (some 250 MB; better-sqlite3 may be compiled) …");
  try {
    await promisify(execFile)("npm", ["ci", "--prefix", BENCH, "--no-audit"], { cwd: BENCH, timeout: INSTALL_MS });
    return true;
  } catch {
    return false;
  }
}
