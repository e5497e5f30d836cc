// Compiles the changed kernels, and bundles the sources into one file per entry point and one with their common code, because two
// hundred small modules take three times as long to load: once as ES modules and once as CommonJS, for `require` where Node cannot
// load ES modules by it. The types come from tsc.

import { copyFileSync, writeFileSync } from "node:fs";
import { rolldown } from "rolldown";
import "./build-kernels.mjs";

await bundle({
  index: "src/index.ts",
  evaluation: "src/evaluation.ts",
  service: "src/service.ts",
  contract: "src/contract.ts",
});

async function bundle(input) {
  const joined = await rolldown({
    input,
    platform: "node",
    external: /^[^./]/,
    tsconfig: "tsconfig.json",
    transform: { target: "es2023" },
    onLog(level, log) {
      if (level === "warn") throw new Error(log.message);
    },
  });
  // All of the engine in one file, whichever entry points share it: calls between files are slower.
  const groups = [{ name: "engine", test: /src\/(?!(contract|evaluation|service)\b)/ }];
  const outputs = [];
  for (const [format, end] of [
    ["esm", "js"],
    ["cjs", "cjs"],
  ])
    outputs.push(
      await joined.write({
        dir: "dist",
        format,
        entryFileNames: `[name].${end}`,
        chunkFileNames: `[name].${end}`,
        comments: false,
        codeSplitting: { groups },
      }),
    );
  await joined.close();
  writeRefusals(outputs[0].output);
}

/** For browsers, entry points with the same names that only say why they cannot be used. */
function writeRefusals(output) {
  const sentence =
    "tandem-search runs in Node, Bun and Deno, not in a browser: call it on a server and send the answers, or bundle it for Node.";
  for (const { name, exports } of output.filter(({ isEntry }) => isEntry)) {
    const names = exports.map((each) => `export const ${each} = undefined;\n`).join("");
    writeFileSync(`dist/${name}.browser.js`, `${names}throw new Error(${JSON.stringify(sentence)});\n`);
  }
}

// The bundle reads this file from its own folder.
copyFileSync("src/embedding/static-en-60k-192-int4.bin", "dist/static-en-60k-192-int4.bin");
