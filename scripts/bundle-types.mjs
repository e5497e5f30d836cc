// Bundles the types into one file per entry point, for `require`; the file for `import` exports the same. What the other entry points
// have of the engine they import from `index`, and what they have of each other from the other. A class in two files would be two types,
// and no function would take one for the other.

import { writeFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { rollup } from "rollup";
import { dts } from "rollup-plugin-dts";

// A program without the types of Node or of browsers knows no AbortSignal; elsewhere this adds nothing to it.
const GLOBALS = "declare global {\n  interface AbortSignal {}\n}\n";

const ENTRIES = ["index", "evaluation", "service", "contract", "instantsearch", "opensearch", "medusa", "tools"];

for (const name of ENTRIES) {
  const bundle = await rollup({
    input: { [name]: `src/${name}.ts` },
    plugins: [...(name === "index" ? [] : [engineOutside(name)]), dts({ tsconfig: "tsconfig.build.json" })],
    external: /^[^./]/,
    onLog(_, log) {
      throw new Error(log.message);
    },
  });
  const { output } = await bundle.generate({ entryFileNames: "[name].d.ts", intro: GLOBALS });
  await bundle.close();
  for (const { code, exports } of output) {
    writeFileSync(`dist/${name}.d.cts`, code.replaceAll(/\.js(?=['"];)/g, ".cjs"));
    const more = exports.includes("default") ? defaultOf(name, code) : "";
    writeFileSync(`dist/${name}.d.ts`, `export * from "./${name}.cjs";\n${more}`);
  }
}

/** A default export of its own: what an ES module imports of CommonJS as the default is all of that, or its default, as the compiler is set. */
function defaultOf(name, code) {
  const [, own] = /(\w+) as default\b/.exec(code);
  const [, type] = new RegExp(`declare const ${own}: (\\w+);`).exec(code);
  return `import type { ${type} } from "./${name}.cjs";\ndeclare const ${own}: ${type};\nexport default ${own};\n`;
}

/** Leaves all that is not in the folder of an entry point to the entry point of its folder, or to `index`. */
function engineOutside(entry) {
  return {
    name: "engine-outside",
    resolveId(source, importer) {
      if (importer === undefined || !source.startsWith(".")) return null;
      const path = relative("src", resolve(dirname(importer), source)).replaceAll("\\", "/");
      const owner = ENTRIES.find((name) => path.startsWith(`${name}/`)) ?? "index";
      return owner === entry ? null : { id: `./${owner}.js`, external: "absolute" };
    },
  };
}
