// Breaks the guards, checks and parsers on purpose, one small change at a time, and says which changes no test notices.
// A mutant stands before the unit tests of its folder; one that survives stands before the tables of bad input as well.
//
//   npm run mutation                    all folders: scores by file, then the survivors
//   npm run mutation -- util settings   these folders alone
//   npm run mutation -- --units         without the tables
//   npm run mutation -- --again         only what survived last time; for new tests, while src stays as it is
//
// A survivor may be a change that no test could notice: read the list and judge.

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { FOLDERS } from "./folders.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = dirname(dirname(HERE));
const REPORTS = join(HERE, "reports");
const STRYKER = join(HERE, "node_modules", "@stryker-mutator", "core", "bin", "stryker.js");

const given = process.argv.slice(2);
const unknown = given.filter((word) => !(word in FOLDERS) && !["--units", "--again"].includes(word));
if (unknown.length > 0)
  throw new Error(`${unknown.join(", ")} is unknown; folders are ${Object.keys(FOLDERS).join(", ")}.`);
if (!existsSync(STRYKER)) execFileSync("npm", ["ci"], { cwd: HERE, stdio: "inherit" });
mkdirSync(REPORTS, { recursive: true });

const named = given.filter((word) => word in FOLDERS);
for (const folder of named.length > 0 ? named : Object.keys(FOLDERS)) report(judgeFolder(folder, FOLDERS[folder]));

/** The verdict on each mutant of a folder, by what it is. */
function judgeFolder(folder, { mutate, tests, tables }) {
  const kept = join(REPORTS, `${folder}.json`);
  const verdicts = new Map(given.includes("--again") ? JSON.parse(readFileSync(kept, "utf8")) : []);
  const left = () => [...verdicts.values()].filter(({ killed }) => !killed);
  const judge = (patterns, files) => {
    for (const [key, verdict] of runStryker(patterns, files))
      if (!verdicts.get(key)?.killed) verdicts.set(key, verdict);
    writeFileSync(kept, JSON.stringify([...verdicts]));
  };
  if (verdicts.size === 0) judge(mutate, tests);
  else if (left().length > 0) judge(left().map(rangeOf), tests);
  if (!given.includes("--units") && left().length > 0) judge(left().map(rangeOf), tables);
  return [...verdicts.values()];
}

function runStryker(mutate, tests) {
  const file = join(REPORTS, "stryker.json");
  const env = {
    ...process.env,
    MUTATION_MUTATE: JSON.stringify(mutate),
    MUTATION_TESTS: JSON.stringify(tests),
    MUTATION: "1",
  };
  const { status } = spawnSync(process.execPath, [STRYKER, "run", "test/mutation/stryker.config.mjs"], {
    cwd: ROOT,
    env,
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (status !== 0) process.exit(1);
  return Object.entries(JSON.parse(readFileSync(file, "utf8")).files).flatMap(([path, { source, mutants }]) =>
    mutants.map((each) => {
      const { location, mutatorName } = each;
      const found = textAt(source, location).replace(/\s+/g, " ");
      const mutant = { path, location, mutatorName, found, replacement: each.replacement.replace(/\s+/g, " ") };
      const killed = each.status === "Killed" || each.status === "Timeout" || isUnloadable(each, mutants);
      return [JSON.stringify(mutant), { ...mutant, killed }];
    }),
  );
}

/** A mutant that breaks its module at its loading fails whole test files; the runner sees fewer tests, and no failure. */
function isUnloadable({ static: isStatic, status, testsCompleted }, mutants) {
  if (!isStatic || status !== "Survived") return false;
  const most = Math.max(...mutants.filter((other) => other.static).map((other) => other.testsCompleted ?? 0));
  return testsCompleted === 0 || testsCompleted < most;
}

/** Stryker counts columns from 1 in reports, and from 0 in patterns. */
function rangeOf({ path, location: { start, end } }) {
  return `${path}:${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`;
}

function textAt(source, { start, end }) {
  const lines = source.split("\n").slice(start.line - 1, end.line);
  lines[lines.length - 1] = lines.at(-1).slice(0, end.column - 1);
  lines[0] = lines[0].slice(start.column - 1);
  return lines.join("\n");
}

function report(verdicts) {
  for (const path of [...new Set(verdicts.map((verdict) => verdict.path))].sort()) {
    const own = verdicts.filter((verdict) => verdict.path === path);
    const left = own.filter(({ killed }) => !killed);
    const share = ((100 * (own.length - left.length)) / own.length).toFixed(1);
    console.log(`${path}: ${own.length} mutants, ${share} % killed, ${left.length} survived`);
    for (const { location, found, replacement } of left)
      console.log(`  line ${location.start.line}: ${found.slice(0, 80)}  =>  ${replacement.slice(0, 80)}`);
  }
}
