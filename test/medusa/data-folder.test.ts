// The built entry point on a data folder: what was acknowledged survives a kill between two writes, documents and definition together; and
// it takes an engine that was made by `require` as well as one that was made by `import`.

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import { ROOT } from "../support/source-tree.js";
import { tempPaths } from "../support/temp-folder.js";

const path = tempPaths();
const url = (file: string) => JSON.stringify(new URL(`dist/${file}`, `file://${ROOT}/`).href);
const DEFINITIONS = `
  const fields = { id: { type: "keyword", filterable: true }, title: { type: "text", searchable: true }, price: { type: "float", sortable: true } };
  const definition = (name, more = {}) => ({ physical_name: name, primary_key: "id", settings: {}, fields: { ...fields, ...more } });
  const write = (on, index, ids) => on.upsertDocuments({ index: index.physical_name, definition: index, documents: ids.map((id) => ({ id, title: "boot " + id, price: 2 })) });
  const search = (on, index, more) => on.search({ index, attributes_to_retrieve: ["id", "price"], ...more });
`;
const PROVIDER = (folder: string) => `
  import { createMedusaSearchProvider } from ${url("medusa.js")};
  const provider = createMedusaSearchProvider({ dataDir: ${JSON.stringify(folder)} });
  const say = (what) => console.log(JSON.stringify(what));
`;

/** Runs a program to its end, and gives what it says. */
function said(program: string): unknown {
  const args = ["--input-type=module", "--eval", program];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: ROOT, encoding: "utf8" }));
}

/** Runs a program until it has said something that fits, and kills it then. */
async function killedAfter(program: string, fits: (line: string) => boolean): Promise<string[]> {
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    if (fits(line)) child.kill("SIGKILL");
  }
  await ended;
  return lines;
}

it("keeps documents and definition through a kill between two writes", async () => {
  const folder = path("killed");
  const lines = await killedAfter(
    `${PROVIDER(folder)}${DEFINITIONS}
    const index = definition("shop_v1");
    await provider.upsertIndex({ index });
    await write(provider, index, ["a", "b"]);
    const changed = definition("shop_v2", { size: { type: "keyword", filterable: true } });
    await provider.upsertIndex({ index: changed });
    for (let i = 0; ; i++) {
      await write(provider, changed, ["n" + i, "m" + i]);
      say(i);
    }`,
    (line) => Number(line) >= 5,
  );
  const acknowledged = 2 * lines.length;
  const found = said(`${PROVIDER(folder)}${DEFINITIONS}
    const counts = (await provider.listIndexes()).map(({ name, document_count }) => [name, document_count]);
    const old = definition("shop_v1"), changed = definition("shop_v2", { size: { type: "keyword", filterable: true } });
    await provider.upsertIndex({ index: changed });
    const { hits } = await search(provider, old, { q: "boots", pagination: { order: { price: "ASC" } } });
    const kept = await search(provider, changed, { filters: { size: null } });
    await provider.upsertIndex({ index: { ...changed, primary_key: "title" } });
    say([counts, hits, kept.metadata.count, (await search(provider, changed, {})).metadata.count]);
    await provider.close();`) as [[string, number][], unknown, number, number];
  const [[[, old], [, count]], hits, kept, remade] = found as [
    [[string, number], [string, number]],
    unknown,
    number,
    number,
  ];
  expect(old).toBe(2);
  // The call that had begun is there as a whole, or not at all.
  expect([acknowledged, acknowledged + 2]).toContain(count);
  expect(hits).toEqual(["a", "b"].map((id) => ({ id, document: { id, price: 2 } })));
  expect([kept, remade]).toEqual([count, 0]);
});

it("works on engines of either copy, by either copy", () => {
  const program = `
    import { createRequire } from "node:module";
    import * as imported from ${url("medusa.js")};
    import * as engineImported from ${url("index.js")};
    const require = createRequire(${JSON.stringify(join(ROOT, "package.json"))});
    const required = require("./dist/medusa.cjs"), engineRequired = require("./dist/index.cjs");
    ${DEFINITIONS}
    const told = [];
    for (const { SearchEngine } of [engineImported, engineRequired]) {
      const engine = new SearchEngine({ onWarning() {} });
      const [one, other] = [imported, required].map(({ createMedusaSearchProvider }) => createMedusaSearchProvider({ engine }));
      const index = definition("shop_v1");
      const missing = await search(one, index, {}).catch(({ type, __isMedusaError }) => [type, __isMedusaError]);
      await one.upsertIndex({ index });
      await write(other, index, ["a", "b"]);
      await other.deleteDocuments({ index: "shop_v1", filters: { id: ["a"] } });
      told.push([missing, (await search(one, index, { q: "boot" })).hits.map(({ id }) => id), (await other.listIndexes()).length]);
      await one.close();
      await other.close();
      await engine.close();
    }
    console.log(JSON.stringify(told));`;
  expect(said(program)).toEqual([1, 2].map(() => [["not_found", true], ["b"], 1]));
});
