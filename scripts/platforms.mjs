// Tries the guides for shop platforms, part of `npm run test:long`: for each folder of platforms/, or those that are named, installs its
// packages as they are locked, puts the package under test among them, saves the files of docs/NAME.md in its folder `guide`, and runs its
// tests. It wants a built package, and npm's registry.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const FILE = /^```\w+(?: no-run)? file=(\S+)\n([\s\S]*?)^```$/gm;

const all = readdirSync(join(ROOT, "platforms"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
const names = process.argv.length > 2 ? process.argv.slice(2) : all.map(({ name }) => name);

for (const name of names) {
  console.log(`== ${name}`);
  const cwd = join(ROOT, "platforms", name);
  const npm = (...args) => execFileSync("npm", args, { cwd, stdio: "inherit" });
  npm("ci", "--no-audit", "--no-fund", "--loglevel=error");
  symlinkSync(ROOT, join(cwd, "node_modules", "tandem-search"), "junction");

  const guide = join(cwd, "guide");
  rmSync(guide, { recursive: true, force: true });
  const page = join(ROOT, "docs", `${name}.md`);
  for (const [, file, code] of existsSync(page) ? readFileSync(page, "utf8").matchAll(FILE) : []) {
    mkdirSync(dirname(join(guide, file)), { recursive: true });
    writeFileSync(join(guide, file), code);
  }
  npm("test");
}
