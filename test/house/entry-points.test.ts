// A program loads the code of the entry points that it imports, and of no other.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { ROOT } from "../support/source-tree.js";

const DIST = join(ROOT, "dist");
const USE = `.then(async ({ SearchEngine }) => {
  if (SearchEngine === undefined) return;
  const engine = new SearchEngine();
  await engine.createIndex("shop");
  await engine.addRecords("shop", [{ id: 1, title: "red lamp" }]);
  await engine.query("shop", { query: "lamps" });
});`;

/** The files of `dist` that a program loads, as Node's own record of what ran in it says. */
function loaded(program: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), "tandem-search-loaded-"));
  try {
    const env = { ...process.env, NODE_V8_COVERAGE: folder };
    execFileSync(process.execPath, ["--eval", program], { cwd: ROOT, env });
    const urls = readdirSync(folder).flatMap((name) => {
      const { result } = JSON.parse(readFileSync(join(folder, name), "utf8")) as { result: { url: string }[] };
      return result.map(({ url }) => url);
    });
    const paths = urls.filter((url) => url.startsWith("file:")).map((url) => fileURLToPath(url));
    const names = paths.filter((path) => dirname(path) === DIST).map((path) => path.slice(DIST.length + 1));
    return [...new Set(names)].sort();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const ENTRIES = {
  index: ["engine", "index"],
  evaluation: ["engine", "evaluation"],
  // What answers interfaces made for Algolia is in a file of its own, which both need.
  service: ["credentials", "engine", "search-client", "service"],
  contract: ["contract"],
  instantsearch: ["engine", "instantsearch", "search-client"],
  opensearch: ["engine", "opensearch"],
  medusa: ["engine", "medusa"],
  tools: ["credentials", "engine", "tools"],
};

it.each(Object.entries(ENTRIES))("%s loads its own file, and the engine where it has to", (entry, files) => {
  const both = `import("./dist/${entry}.js")${USE} Promise.resolve(require("./dist/${entry}.cjs"))${USE}`;
  expect(loaded(both)).toEqual(files.flatMap((name) => [`${name}.cjs`, `${name}.js`]));
});

it("the engine has nothing that only a cluster needs, and no browser gets it", () => {
  const having = readdirSync(DIST).filter(
    (name) => /\.c?js$/.test(name) && readFileSync(join(DIST, name), "utf8").includes("cluster_unavailable"),
  );
  expect(having.sort()).toEqual(["opensearch.cjs", "opensearch.js"]);
});
