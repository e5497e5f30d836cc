// Bundles the playground into dist/playground: a page, its worker, what reads sentences, and the demo catalogue. The command
// `tandem-search playground` makes a folder of them that opens by a double click.

import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { FOR_BROWSER, noMoods } from "./for-browser.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const OUT = join(ROOT, "dist/playground");
/** What reads sentences is a script of its own, which sets these when it is asked for. */
const LATER = { "wink-nlp": "winkNlp", "wink-eng-lite-web-model": "winkModel" };

async function bundle(input, plugins = []) {
  const bundled = await rolldown({
    input: join(ROOT, "playground", input),
    platform: "browser",
    tsconfig: join(ROOT, "playground/tsconfig.json"),
    transform: { ...FOR_BROWSER.transform, target: "es2023" },
    plugins: [{ name: "csv", resolveId: forPage }, ...FOR_BROWSER.plugins, ...plugins],
    onLog(level, log) {
      if (level === "warn") throw new Error(log.message);
    },
  });
  const { output } = await bundled.generate({ format: "iife", minify: true, comments: false, codeSplitting: false });
  await bundled.close();
  return output[0].code;
}

/** The reader of CSV for browsers, which has what it needs of Node within it. */
function forPage(name) {
  return name === "csv-parse" ? join(ROOT, "node_modules/csv-parse/dist/esm/index.js") : undefined;
}

const later = {
  name: "sentences-later",
  resolveId: (name) => (name in LATER ? `\0${name}` : undefined),
  load: (id) => (id.slice(1) in LATER ? `export default globalThis.${LATER[id.slice(1)]};` : undefined),
};

rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });
const demo = join(ROOT, "docs/demo/catalogue");
const records = readdirSync(demo).filter((name) => name.endsWith(".jsonl"));
const files = {
  "page.js": await bundle("app.tsx"),
  "worker.js": await bundle("worker.ts", [later]),
  "sentences.js": await bundle("sentences.ts", [noMoods]),
  "demo.jsonl": records
    .sort()
    .map((name) => readFileSync(join(demo, name), "utf8"))
    .join(""),
};
for (const [name, text] of Object.entries(files)) writeFileSync(join(OUT, name), text);
for (const name of ["index.html", "style.css"]) copyFileSync(join(ROOT, "playground", name), join(OUT, name));
