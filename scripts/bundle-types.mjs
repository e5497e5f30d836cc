// Bundles the types into one file per entry point and one with what they share: for `import`, and the same for `require`.

import { writeFileSync } from "node:fs";
import { rollup } from "rollup";
import { dts } from "rollup-plugin-dts";

// A program without the types of Node or of browsers knows no AbortSignal; elsewhere this adds nothing to it.
const GLOBALS = "declare global {\n  interface AbortSignal {}\n}\n";

const bundle = await rollup({
  input: {
    index: "src/index.ts",
    evaluation: "src/evaluation.ts",
    service: "src/service.ts",
    contract: "src/contract.ts",
  },
  plugins: [dts({ tsconfig: "tsconfig.build.json" })],
  external: /^[^./]/,
  onLog(_, log) {
    throw new Error(log.message);
  },
});
const { output } = await bundle.generate({
  entryFileNames: "[name].d.ts",
  chunkFileNames: "shared.d.ts",
  minifyInternalExports: false,
  intro: GLOBALS,
});
await bundle.close();
for (const { fileName, code } of output) {
  writeFileSync(`dist/${fileName}`, code);
  writeFileSync(`dist/${fileName.replace(".d.ts", ".d.cts")}`, code.replaceAll(/\.js(?=['"];)/g, ".cjs"));
}
