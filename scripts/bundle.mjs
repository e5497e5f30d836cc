// Compiles the changed kernels, and bundles the sources into one file per entry point and one with their common code, because two
// hundred small modules take three times as long to load: once as ES modules, once as CommonJS, for `require` where Node cannot
// load ES modules by it, and once for browsers, with the packages and with what stands for Node. bundle-types.mjs makes the types.

import { chmodSync, copyFileSync, writeFileSync } from "node:fs";
import { rolldown } from "rolldown";
import "./build-kernels.mjs";
import { FOR_BROWSER, noMoods } from "./for-browser.mjs";

/** What reads sentences is asked for by names that `imports` of package.json explains, so that a bundle can leave it out. */
const WINK = { "wink-nlp": "#wink-nlp", "wink-eng-lite-web-model": "#wink-eng-lite-web-model" };
/** All of the engine in one file, whichever entry points share it: calls between files are slower. A language is loaded when it is asked for. */
const ENGINE = {
  name: "engine",
  test: (id) =>
    !/src\/(contract|evaluation|instantsearch|medusa|opensearch|service|tools)\b|analysis\/languages\/|@orama\//.test(
      id,
    ),
};
const SETTINGS = {
  input: {
    index: "src/index.ts",
    evaluation: "src/evaluation.ts",
    service: "src/service.ts",
    contract: "src/contract.ts",
    instantsearch: "src/instantsearch.ts",
    tools: "src/tools.ts",
  },
  transform: { target: "es2023" },
  onLog(level, log) {
    if (level === "warn") throw new Error(log.message);
  },
};

await bundle(
  {
    ...SETTINGS,
    // A page asks no cluster, and runs no Medusa.
    input: { ...SETTINGS.input, opensearch: "src/opensearch.ts", medusa: "src/medusa.ts" },
    ...{ platform: "node", external: /^[^./]/, tsconfig: "tsconfig.json" },
  },
  { esm: ".js", cjs: ".cjs" },
);

// The command has its packages within it, and the engine beside it. They are no dependencies of those who import the engine.
const command = await rolldown({
  ...SETTINGS,
  input: { command: "src/command.ts" },
  ...{ platform: "node", external: /^node:/, tsconfig: "tsconfig.json" },
  plugins: [
    {
      name: "engine-beside",
      resolveId: (name) => {
        const [, entry] = /^\.\.?\/(index|evaluation|opensearch)\.js$/.exec(name) ?? [];
        return entry === undefined ? undefined : { id: `./${entry}.js`, external: true };
      },
    },
  ],
});
await command.write({ dir: "dist", format: "esm", comments: false, minify: true });
await command.close();
chmodSync("dist/command.js", 0o755);

await bundle(
  {
    ...SETTINGS,
    ...{ platform: "browser", external: Object.keys(WINK) },
    tsconfig: "tsconfig.browser.json",
    ...FOR_BROWSER,
    transform: { ...SETTINGS.transform, ...FOR_BROWSER.transform },
  },
  { esm: ".browser.js" },
);

// For bundlers and browsers: wink-nlp and its model without files of JSON, which rollup cannot read.
await bundle(
  {
    input: { "wink-nlp": "wink-nlp", "wink-eng-lite-web-model": "wink-eng-lite-web-model" },
    ...{ platform: "browser", onLog: SETTINGS.onLog },
    plugins: [noMoods],
  },
  { esm: ".js" },
  { minify: true, chunkFileNames: "wink-runtime.js" },
);
writeFileSync("dist/no-sentences.js", "export default undefined;\n");

async function bundle(settings, formats, output = { codeSplitting: { groups: [ENGINE] }, comments: false }) {
  const joined = await rolldown(settings);
  for (const [format, end] of Object.entries(formats))
    await joined.write({
      dir: "dist",
      format,
      entryFileNames: `[name]${end}`,
      chunkFileNames: `[name]${end}`,
      paths: WINK,
      exports: "named",
      ...output,
    });
  await joined.close();
}

// The bundle reads these files from its own folder.
for (const table of ["static-en-2-65k-192-int4.bin", "static-de-32k-192-int4.bin"])
  copyFileSync(`src/embedding/${table}`, `dist/${table}`);

await import("./bundle-playground.mjs");
