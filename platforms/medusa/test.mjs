// `node scripts/platforms.mjs medusa` runs this: checks types, runs the application, and measures the judged catalogue in JUDGED_CATALOGUE where
// it is at hand. Needs initdb and postgres in PATH.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const HERE = import.meta.dirname;
const ROOT = join(HERE, "../..");
const { JUDGED_CATALOGUE = join(ROOT, "../shared/datasets/icecat-chorus") } = process.env;
const run = (command, args, cwd = HERE) =>
  execFileSync(command, args, { cwd, stdio: ["ignore", "inherit", "inherit"] });

const temp = mkdtempSync(join(tmpdir(), "tandem-medusa-"));
try {
  // A copy, as users have it: what a link leads to would look for Medusa where it is itself.
  run("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", temp], ROOT);
  run("npm", ["install", "--no-save", "--loglevel=error", join(temp, readdirSync(temp)[0])]);
} finally {
  rmSync(temp, { recursive: true, force: true });
}
run(process.execPath, ["application.mjs"]);
if (existsSync(JUDGED_CATALOGUE)) run(process.execPath, ["measure.mjs", JUDGED_CATALOGUE]);
else console.log("No judged catalogue is at hand.");
