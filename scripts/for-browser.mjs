// What bundles for browsers have in common: what stands for Node, and wink-nlp without what nobody asks for.

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const inBrowser = (path) => join(ROOT, "src/browser", path);

/** In a browser, a file with a twin `*.browser.ts` is that twin, and a module of Node is the file that tsconfig.browser.json names. */
function forBrowser(name, importer) {
  if (name.startsWith("node:")) {
    const { paths } = JSON.parse(readFileSync("tsconfig.browser.json", "utf8")).compilerOptions;
    if (paths[name] === undefined)
      throw new Error(`${importer} imports ${name}, which nothing stands for in a browser.`);
    return join(ROOT, paths[name][0]);
  }
  const twin = name.startsWith(".") ? join(dirname(importer ?? ""), name.replace(/\.js$/, ".browser.ts")) : "";
  return existsSync(twin) ? twin : undefined;
}

/** Settings of rolldown. */
export const FOR_BROWSER = {
  transform: {
    // Read for the path of native code alone; older bundlers fail at it.
    define: { "import.meta.url": '""', "import.meta.filename": '""' },
    inject: {
      Buffer: [inBrowser("buffer.ts"), "Buffer"],
      process: [inBrowser("platform.ts"), "process"],
      setImmediate: [inBrowser("platform.ts"), "setImmediate"],
    },
  },
  plugins: [{ name: "twins", resolveId: forBrowser }],
};

/** An automaton of wink that knows nothing; it stands for the one of moods, which wink loads, and nobody asks for. */
const NO_MOODS = '["[100,0,{},{},{},{}]"]';
export const noMoods = {
  name: "no-moods",
  load: (id) => (id.endsWith("eng-sa-model.json") ? NO_MOODS : undefined),
};
