// Packs the package, installs it in an empty folder as a user does, and bundles a small program there by five bundlers, minified, each
// with what reads sentences and without it. Moves each bundle to another folder, runs it, and prints a line of JSON: the bundler, whether
// it has sentences, its bytes without the word table, those after gzip, and what it printed. `--write`: puts the bytes into
// docs/bundling.md.

import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PAGE = join(ROOT, "docs/bundling.md");
const run = promisify(execFile);

/** Installs the package from its tarball in a folder, without what is optional; `npm run build` comes first. */
export async function installPackage(folder) {
  const pack = ["pack", ROOT, "--ignore-scripts", "--json", "--pack-destination", folder];
  const [{ filename }] = JSON.parse((await run("npm", pack, { cwd: folder, maxBuffer: 1 << 26 })).stdout);
  const manifest = join(folder, "package.json");
  if (!existsSync(manifest)) writeFileSync(manifest, '{ "private": true, "type": "module" }');
  const options = ["--omit=optional", "--prefer-offline", "--no-audit", "--no-fund"];
  await run("npm", ["install", `./${filename}`, ...options], { cwd: folder, maxBuffer: 1 << 26 });
  rmSync(join(folder, filename));
}

const PROGRAM = `import { SearchEngine, SearchError } from "tandem-search";
const engine = new SearchEngine({ embedder: false });
const shop = await engine.createIndex("shop");
await shop.addRecords([{ id: 1, title: "red lamp", price: 20 }, { id: 2, title: "green lamp", price: 60 }]);
const ask = (understand) => shop.query({ query: "lamps under $50", understand }).then(
  ({ data }) => data.hits.map(({ id, score }) => [id, score]),
  (error) => (error instanceof SearchError ? error.toEnvelope() : String(error.stack)),
);
console.log(JSON.stringify([await ask(false), await ask(true)]));
process.exit(); // A channel of the build for browsers would keep Node running.
`;

/** Each bundles `main.mjs` of a folder into `out`, with conditions that are asked for besides the usual ones. */
const BUNDLERS = {
  esbuild: (folder, conditions) => esbuild(folder, conditions, "node"),
  "esbuild, for a browser": (folder, conditions) => esbuild(folder, conditions, "browser"),
  rollup: async (folder, exportConditions) => {
    const { rollup } = await import("rollup");
    const { default: commonjs } = await import("@rollup/plugin-commonjs");
    const { default: resolve } = await import("@rollup/plugin-node-resolve");
    const plugins = [resolve({ exportConditions, preferBuiltins: true }), commonjs()];
    const bundle = await rollup({ input: join(folder, "main.mjs"), plugins, external: /^node:/, onLog: stop });
    await bundle.write({ dir: join(folder, "out"), format: "esm", compact: true });
    await bundle.close();
    const { transform } = await import("esbuild");
    for (const path of filesOf(join(folder, "out"))) {
      const { code } = await transform(readFileSync(path, "utf8"), { minify: true, target: "node20" });
      writeFileSync(path, code);
    }
  },
  webpack: async (folder, conditionNames) => {
    const { default: webpack } = await import("webpack");
    const output = { path: join(folder, "out"), filename: "main.js", module: true };
    const settings = { mode: "production", target: "node20", entry: "./main.mjs", performance: false };
    const resolve = { conditionNames: [...conditionNames, "..."] };
    const compiler = webpack({ context: folder, ...settings, experiments: { outputModule: true }, output, resolve });
    const stats = await promisify(compiler.run.bind(compiler))();
    if (stats.hasErrors() || stats.hasWarnings()) throw new Error(stats.toString("errors-warnings"));
  },
  rolldown: async (folder, conditionNames) => {
    const { build } = await import("rolldown");
    const output = { dir: join(folder, "out"), format: "esm", minify: true };
    const resolve = { conditionNames };
    await build({ input: join(folder, "main.mjs"), platform: "node", output, resolve, onLog: stop });
  },
  Vite: async (folder, conditions) => {
    const { build, defaultServerConditions } = await import("vite");
    const ssr = { noExternal: true, resolve: { conditions: [...conditions, ...defaultServerConditions] } };
    const output = { ssr: "main.mjs", outDir: "out", minify: true };
    await build({ root: folder, logLevel: "error", configFile: false, ssr, build: output });
  },
};

async function esbuild(folder, own, platform) {
  const { build } = await import("esbuild");
  // An empty list takes the condition "module" away.
  const conditions = own.length > 0 ? own : undefined;
  const target = { bundle: true, platform, format: "esm", splitting: true, minify: true, outdir: "out" };
  await build({ absWorkingDir: folder, entryPoints: ["main.mjs"], ...target, conditions, logLevel: "error" });
}

function stop(level, log) {
  if (level === "warn") throw new Error(log.message);
}

function filesOf(folder) {
  const names = readdirSync(folder, { recursive: true }).filter((name) => /\.m?js$/.test(name));
  return names.map((name) => join(folder, name));
}

/** Bundles by one bundler, and runs the bundle where nothing of the package is in reach. */
async function tryBundler(name, folder, hasSentences) {
  const elsewhere = mkdtempSync(join(tmpdir(), "tandem-search-moved-"));
  try {
    await BUNDLERS[name](folder, hasSentences ? [] : ["tandem-no-sentences"]);
    cpSync(join(folder, "out"), elsewhere, { recursive: true });
    writeFileSync(join(elsewhere, "package.json"), '{ "type": "module" }');
    const files = filesOf(elsewhere);
    const main = files.find((path) => /^main\.m?js$/.test(basename(path)));
    const { stdout, stderr } = await run(process.execPath, [main], { cwd: elsewhere, timeout: 60_000 });
    if (stderr !== "") throw new Error(stderr);
    const texts = files.map((path) => readFileSync(path));
    const sum = (count) => texts.reduce((bytes, text) => bytes + count(text), 0);
    const bytes = sum((text) => text.length);
    return { name, hasSentences, bytes, gzip: sum((text) => gzipSync(text).length), answers: JSON.parse(stdout) };
  } finally {
    for (const path of [elsewhere, join(folder, "out")]) rmSync(path, { recursive: true, force: true });
  }
}

const kB = (bytes) => Math.round(bytes / 1000).toLocaleString("en");

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = mkdtempSync(join(tmpdir(), "tandem-search-sizes-"));
  await installPackage(folder);
  writeFileSync(join(folder, "main.mjs"), PROGRAM);
  const rows = [];
  for (const name of Object.keys(BUNDLERS)) {
    const found = [await tryBundler(name, folder, true), await tryBundler(name, folder, false)];
    for (const one of found) console.log(JSON.stringify(one));
    rows.push(`| ${[name, ...found.flatMap(({ bytes, gzip }) => [kB(bytes), kB(gzip)])].join(" | ")} |`);
  }
  rmSync(folder, { recursive: true });
  if (process.argv.includes("--write")) {
    const [before, rest] = readFileSync(PAGE, "utf8").split(/(?<=<!-- sizes: .* -->\n)/);
    const after = rest.slice(rest.indexOf("<!-- /sizes -->"));
    const head = "| kB, minified | with sentences | gzip | without | gzip |\n| --- | ---: | ---: | ---: | ---: |";
    writeFileSync(PAGE, `${before}\n${head}\n${rows.join("\n")}\n\n${after}`);
  }
}
