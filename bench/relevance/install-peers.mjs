// Peers live in bench/node_modules; installed at their first use, with their install scripts: better-sqlite3 needs them.

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const BENCH = fileURLToPath(new URL("../", import.meta.url));
const NAMES = ["@lancedb/lancedb", "@orama/orama", "better-sqlite3", "flexsearch", "minisearch"];
const INSTALL_MS = 900_000;

/** True when all peers are there. */
export async function installPeers() {
  if (NAMES.every((name) => existsSync(`${BENCH}node_modules/${name}/package.json`))) return true;
  console.log("Installing the peers in bench/ (some 250 MB; better-sqlite3 may be compiled) …");
  try {
    await promisify(execFile)("npm", ["ci", "--prefix", BENCH, "--no-audit"], { cwd: BENCH, timeout: INSTALL_MS });
    return true;
  } catch {
    return false;
  }
}
