// The program of a browser in a context that has what the web has and nothing of Node, and the same program in Node; prints the lines
// of both, first those of Node, with a line "--" between them. `--chromium=PATH`: in that browser instead.

import { readFileSync, rmSync, writeSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import vm from "node:vm";
import { build } from "esbuild";
import * as library from "../../dist/index.js";
import * as instantsearch from "../../dist/instantsearch.js";
import * as service from "../../dist/service.js";
import { pageOf, runInChromium } from "../../scripts/chromium.mjs";
import { useInBrowser } from "./browser-program.mjs";
import { products } from "./scenario-products.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const TABLE = join(ROOT, "dist/static-en-2-65k-192-int4.bin");

/** Globals of the web that Node has as well; the language's own are in every context. */
const WEB = [
  ..."AbortController AbortSignal DOMException Event EventTarget MessageChannel TextDecoder TextEncoder URL".split(" "),
  ..."URLSearchParams atob clearTimeout crypto performance setTimeout structuredClone".split(" "),
];

/** A snapshot of products, as bytes. */
async function writeSnapshot() {
  const folder = await mkdtemp(join(tmpdir(), "tandem-search-browser-"));
  try {
    const engine = new library.SearchEngine();
    await engine.createIndex("shop");
    await engine.addRecords("shop", products(120));
    await engine.writeSnapshot("shop", join(folder, "snapshot"));
    await engine.close();
    return new Uint8Array(readFileSync(join(folder, "snapshot")));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The program as one script, made by a bundler for browsers, which finds the package by its condition. */
async function bundle() {
  const { outputFiles } = await build({
    stdin: {
      contents: `import * as library from "tandem-search";
        import * as service from "tandem-search/service";
        import * as instantsearch from "tandem-search/instantsearch";
        import * as evaluation from "tandem-search/evaluation";
        import * as contract from "tandem-search/service/contract";
        import { useInBrowser } from "./browser-program.mjs";
        globalThis.names = [evaluation, contract].flatMap((entry) => Object.keys(entry)).sort();
        globalThis.use = (given) => useInBrowser({ library, service, instantsearch, ...given, isBrowser: true });`,
      resolveDir: fileURLToPath(new URL(".", import.meta.url)),
    },
    bundle: true,
    platform: "browser",
    format: "iife",
    write: false,
    logLevel: "error",
  });
  return outputFiles[0].text;
}

const snapshot = await writeSnapshot();
const inNode = await useInBrowser({
  library,
  service,
  instantsearch,
  table: pathToFileURL(TABLE),
  snapshot,
  isBrowser: false,
});

const chromium = process.argv.find((one) => one.startsWith("--chromium="))?.slice("--chromium=".length);
const inBrowser = await (chromium === undefined ? useInContext() : useInPage(chromium));
for (const line of [...inNode, "--", ...inBrowser]) writeSync(1, `${line}\n`);
// In a context, the channel that gives turns stays open.
process.exit();

async function useInContext() {
  const warned = [];
  const context = vm.createContext({
    ...Object.fromEntries(WEB.map((name) => [name, globalThis[name]])),
    console: { warn: (text) => warned.push(text) },
    fetch: async (href) => {
      if (href !== "https://shop.test/table.bin") throw new TypeError(`Failed to fetch ${href}`);
      return new Response(readFileSync(TABLE));
    },
  });
  vm.runInContext(await bundle(), context);
  return [...(await context.use({ table: new URL("https://shop.test/table.bin"), snapshot })), ...warned];
}

async function useInPage(browser) {
  const main = `${await bundle()}
    const warned = [];
    console.warn = (text) => warned.push(text);
    const snapshot = new Uint8Array(await (await fetch("/snapshot")).arrayBuffer());
    const lines = await use({ table: new URL("/table.bin", location.href), snapshot });
    await fetch("/answers", { method: "POST", body: [...lines, ...warned].join("\\n") });`;
  const files = { "page.html": pageOf("main.js"), "main.js": main, "table.bin": pathToFileURL(TABLE), snapshot };
  return (await runInChromium(browser, files)).split("\n");
}
