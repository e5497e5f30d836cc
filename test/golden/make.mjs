// Writes what later versions must read: `node test/golden/make.mjs VERSION` makes test/golden/VERSION with a data folder, a snapshot and
// an export by the built library. It is run once for each release that changes a format; what it wrote is never written again.

import { createWriteStream, existsSync, readdirSync, rmSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { SearchEngine } from "../../dist/index.js";

const folder = fileURLToPath(new URL(`${process.argv[2]}/`, import.meta.url));
if (process.argv[2] === undefined || existsSync(folder))
  throw new Error(`${process.argv[2]} is no version, or is there already; name a new one, such as 0.1.0.`);

const RECORDS = [
  { id: 1, title: "Cordless drill, 18 V", brand: "Volt", price: 89.9, stock: 3, tags: ["tool", "battery"] },
  {
    id: 2,
    title: "Three-seat sofa, grey",
    brand: "Hem",
    price: 899,
    variants: [{ size: "L", blue: true }, { size: "M" }],
  },
  { id: "kettle-3", title: "Electric kettle", brand: "Luma", price: 40, isNew: true, added: "2026-01-31T12:00:00Z" },
  { id: "kettle-4", title: "Kettle, used", price: 10, isNew: false, note: null },
  { id: 5, title: "Teapot", price: 25, _geoloc: { lat: 52.52, lng: 13.405 } },
  { id: 6, title: "Café crème 日本 😀", price: -0.5, deep: { a: { b: [1, "two", false, null, [3]] } } },
  { id: 7, title: "", sku: "KV-1307", price: 1e21 },
  { id: 8, title: "Deleted lamp", price: 8 },
  { id: 9, title: "Deleted again lamp", price: 9 },
  { id: 10, title: "Floor lamp", price: 0, empty: {}, none: [] },
];
const SETTINGS = {
  attributesForFaceting: ["brand", "price", "variants.size", "variants.blue"],
  synonyms: [{ type: "synonym", synonyms: ["lamp", "torchlet"] }],
  rules: [
    {
      id: "kettle-of-the-month",
      conditions: [{ pattern: "kettle", anchoring: "contains" }],
      consequence: { promote: [{ id: 5, position: 0 }], hide: ["kettle-4"], userData: { banner: "month.png" } },
    },
  ],
};
const SHAPES = [
  { id: "a", title: "circle", place: [1, 0, 0] },
  { id: "b", title: "square", place: [0, 1, 0.25] },
  { id: "c", title: "without a place" },
  { id: "d", title: "deleted", place: [0, 0, 1] },
];

// Two openings. A log of more than a megabyte is given up when the folder is closed, so that small segments get files of their own; the
// changes of the second opening stay in its log.
let engine = await SearchEngine.open({ dataDir: `${folder}data` });
const made = await engine.createIndex("shop", SETTINGS);
await made.addRecords(RECORDS.slice(0, 8));
const shapes = await engine.createIndex("shapes", {
  embedder: false,
  vectorAttribute: "place",
  dimensions: 3,
});
await shapes.addRecords(SHAPES);
const large = await engine.createIndex("large", { embedder: false });
await large.addRecords(Array.from({ length: 500 }, (_, id) => ({ id, title: "x", text: "word ".repeat(1000) })));
await engine.deleteIndex("large");
await engine.close();
engine = await SearchEngine.open({ dataDir: `${folder}data` });
const shop = engine.index("shop");
await shop.addRecords(RECORDS.slice(8));
await shop.deleteRecords([8, 9]);
await shop.updateRecords([{ id: 1, stock: { _operation: "Decrement", value: 1 } }]);
await engine.deleteRecords("shapes", ["d"]);
await engine.writeSnapshot("shop", `${folder}shop.snapshot`);
await engine.writeSnapshot("shapes", `${folder}shapes.snapshot`);
for (const name of ["shop", "shapes"])
  await pipeline(Readable.from(engine.exportIndex(name)), createWriteStream(`${folder}${name}.jsonl`));
await engine.close();
for (const name of readdirSync(`${folder}data`)) if (name.startsWith("lock")) rmSync(`${folder}data/${name}`);
