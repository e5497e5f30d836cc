// Snapshots from strangers: their checksums are right, and what they say is not. Each is refused with 500 `storage_corrupt`, or makes
// an index whose verbs work or are refused: no other error, no hang, no memory beyond that of the file.

import { mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type JsonRecord, SearchEngine, SearchError } from "../../src/index.js";
import {
  type Bytes,
  fileOf,
  HEAD_BYTES,
  LazyArray,
  layOut,
  readBody,
  readFileBytes,
  type Structure,
} from "../../src/storage/sections.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";
import { property, type Random } from "../support/random.js";
import { rejectionOf } from "../support/refusal.js";
import { seq } from "../support/seq.js";

const RECORDS = 700;
const BRANDS = ["Volt", "Hem", "Kant", "Ülm", "東京"];

function product(id: number): JsonRecord {
  return {
    id: `p${id}`,
    sku: `KV-${id % 90}`,
    title: `lamp ${BRANDS[id % 5]} drills ${id % 17}`,
    text: `a drill for drilling ${id % 7 === 0 ? "wood" : "walls and lamps"} ${seq(id % 9, (i) => `word${i}`).join(" ")}`,
    brand: BRANDS[id % 5]!,
    price: id % 50,
    tags: seq(id % 3, (i) => `t${i}`),
    deep: [{ size: { cm: id % 11 } }],
    ...(id % 4 === 0 ? { rare: id % 60 === 0 } : {}),
    ...(id % 6 === 0 ? {} : { vector: seq(5, (i) => ((id * (i + 3)) % 13) - 6.5) }),
  };
}

const SETTINGS = {
  vectorAttribute: "vector",
  dimensions: 5,
  attributesForFaceting: ["brand", "price", "tags", "rare", "deep.size.cm", "nowhere"],
  customRanking: ["desc(price)"],
};

let folder: string;
let parts: { readonly kind: "snapshot" | "segment"; readonly bytes: Uint8Array }[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "shapes-"));
  const engine = new SearchEngine();
  const index = await engine.createIndex("shop", SETTINGS);
  await index.addRecords(seq(RECORDS, product));
  await index.addRecords(seq(30, (i) => product(RECORDS + i)));
  await index.deleteRecords(seq(40, (i) => `p${9 * i}`));
  await index.query({ query: "lamp", facets: ["brand"] });
  await engine.writeSnapshot("shop", join(folder, "whole"));
  const bytes = await readFile(join(folder, "whole"));
  parts = [];
  for (let at = 0; at < bytes.length; at += parts.at(-1)!.bytes.length)
    parts.push({
      kind: at === 0 ? "snapshot" : "segment",
      bytes: new Uint8Array(bytes.subarray(at, at + bytes.readDoubleLE(at + 40))),
    });
});
afterAll(() => rm(folder, { recursive: true }));

type Open = { [name: string]: Open } | Open[] | Bytes | LazyArray | string | number | boolean | null;

/** The structure of a part, whose arrays are copies; `storeId`: what its file says. */
function structureOf(part: number): { readonly structure: Open; readonly storeId: Uint8Array } {
  const { kind, bytes } = parts[part]!;
  const { structure, storeId } = runTaskAtOnce(readFileBytes(bytes.slice(), { name: "part", kind }));
  return { structure: structure as Open, storeId };
}

/** A snapshot with one part in place of the right one. */
function withPart(part: number, bytes: Uint8Array): Uint8Array {
  return Buffer.concat(parts.map((each, i) => (i === part ? bytes : each.bytes)));
}

/** A snapshot with a changed structure in one part, and the right checksums. */
function withStructure(part: number, change: (structure: Open) => void): Uint8Array {
  const { structure, storeId } = structureOf(part);
  change(structure);
  const file = runTaskAtOnce(fileOf(parts[part]!.kind, storeId, structure as Structure));
  return withPart(part, Buffer.concat([...file.pieces]));
}

/** A snapshot with other JSON in one part, and the right checksums. */
function withJson(part: number, change: (json: string) => string): Uint8Array {
  const before = Buffer.from(parts[part]!.bytes);
  const length = before.readUInt32LE(HEAD_BYTES);
  const start = HEAD_BYTES + 8;
  const json = Buffer.from(change(before.toString("utf8", start, start + length)));
  const sections = before.subarray(start + length + (-length & 7));
  const bytes = Buffer.concat([before.subarray(0, start), json, Buffer.alloc(-json.length & 7), sections]);
  bytes.writeUInt32LE(json.length, HEAD_BYTES);
  bytes.writeDoubleLE(bytes.length, 40);
  const head = bytes.subarray(HEAD_BYTES, start + json.length + (-json.length & 7));
  bytes.writeUInt32LE(crc32(head, crc32(bytes.subarray(0, 60))), 60);
  return withPart(part, bytes);
}

/** Where a value stands in a structure. */
interface Place {
  readonly path: string;
  readonly value: Open;
  readonly put: (value: Open) => void;
  readonly drop: () => void;
}

/** All places of a structure, those within its columns too. */
function placesIn(structure: Open): Place[] {
  const places: Place[] = [];
  const visit = (value: Open, path: string, put: Place["put"], drop: Place["drop"]): void => {
    places.push({ path, value, put, drop });
    if (value instanceof LazyArray) {
      if (!path.endsWith(".body")) return;
      const bytes = (value.array as Uint8Array).slice();
      const inner = runTaskAtOnce(readBody(bytes, () => new Error("It is damaged."))) as Open;
      const again = (): void => {
        const { pieces } = runTaskAtOnce(layOut(inner as Structure, false));
        put(new LazyArray(new Uint8Array(Buffer.concat([...pieces]))) as Open);
      };
      for (const { path: within, ...place } of placesIn(inner))
        places.push({
          path: path + within,
          value: place.value,
          put: (other) => {
            place.put(other);
            again();
          },
          drop: () => {
            place.drop();
            again();
          },
        });
    } else if (Array.isArray(value))
      for (const [i, item] of value.slice(0, 3).entries())
        visit(
          item,
          `${path}[${i}]`,
          (other) => void value.splice(i, 1, other),
          () => void value.splice(i, 1),
        );
    else if (typeof value === "object" && value !== null && !ArrayBuffer.isView(value)) {
      const names = value as { [name: string]: Open };
      for (const name of Object.keys(names))
        visit(
          names[name]!,
          `${path}.${name}`,
          (other) => void Object.assign(names, { [name]: other }),
          () => delete names[name],
        );
    }
  };
  visit(
    structure,
    "",
    () => {},
    () => {},
  );
  return places.slice(1);
}

const NUMBERS = [0, 1, -1, 0.5, 1e9, 2 ** 31, 2 ** 32, 2 ** 53, -(2 ** 53), 1e300];
const TYPES = [Uint8Array, Int8Array, Uint16Array, Int16Array, Uint32Array, Int32Array, Float32Array, Float64Array];
const ANY: readonly Open[] = [null, true, "", "text", 0, -1, 1e9, [], [[]], ["a", []], {}, { a: 1 }, new Uint8Array(9)];

/** An array of numbers, changed at random. */
function otherArray(array: Bytes, random: Random): Bytes {
  const copy = array.slice();
  const at = random.between(0, Math.max(0, copy.length - 1));
  const value = random.pick([
    0,
    1,
    -1,
    2,
    255,
    65_535,
    2 ** 31,
    2 ** 32 - 1,
    Number.NaN,
    1e300,
    copy[at]! + 1,
    copy[at]! - 1,
  ]);
  const ways: (() => Bytes)[] = [
    () => copy.slice(0, random.between(0, copy.length)),
    () => copy.slice(1),
    () => {
      const longer = new (copy.constructor as typeof Uint8Array)(copy.length + random.between(1, 40));
      longer.set(copy as Uint8Array);
      return longer;
    },
    () => new (random.pick(TYPES))(copy),
    () => copy.fill(value),
    () => copy.reverse(),
    () => copy.map(() => random.between(0, 2 ** 32)) as Bytes,
  ];
  if (random.chance(0.4)) return random.pick(ways)();
  for (let times = random.pick([1, 1, 1, 5]); times > 0; times--)
    copy[random.between(0, Math.max(0, copy.length - 1))] = value;
  return copy;
}

function change({ value, put, drop }: Place, random: Random): void {
  if (random.chance(0.05)) drop();
  else if (random.chance(0.08)) put(random.pick(ANY));
  else if (value instanceof LazyArray) put(new LazyArray(otherArray(value.array!, random)) as Open);
  else if (ArrayBuffer.isView(value)) put(otherArray(value as Bytes, random));
  else if (typeof value === "number") put(random.pick([...NUMBERS, value + 1, value - 1, 2 * value]));
  else if (typeof value === "string")
    put(random.pick(["", `${value}x`, "__proto__", "{}", '{"settings":{}}', "x".repeat(999)]));
  else if (Array.isArray(value)) put(random.pick<Open>([[], [...value, ...value], value.slice(1), [...value, 5]]));
  else put(random.pick(ANY));
}

/** What a call gives; fails if it throws anything but a SearchError. */
async function settled(what: string, call: () => Promise<unknown>): Promise<SearchError | undefined> {
  try {
    await call();
    return undefined;
  } catch (error) {
    if (error instanceof SearchError) return error;
    throw new Error(`${what} threw ${String(error)}`, { cause: error });
  }
}

/** Reads a snapshot; if it is accepted, uses all of it. True if it was refused. */
async function tried(bytes: Uint8Array, what: string): Promise<boolean> {
  const engine = new SearchEngine({ onWarning: () => {} });
  const refusal = await settled(what, () => engine.readSnapshot("shop", bytes));
  if (refusal !== undefined) {
    expect([what, refusal.error]).toEqual([what, "storage_corrupt"]);
    expect(await engine.listIndexes()).toEqual([]);
    return true;
  }
  const index = engine.index("shop");
  const vector = [1, 2, 3, -4, 5];
  const uses: [string, () => Promise<unknown>][] = [
    ["query", () => index.query({ query: "drill lamps", explain: true, facets: ["*"], highlightPreTag: "<b>" })],
    ["typos", () => index.query({ query: "dril lmap wrod1", filters: "price > 5 AND brand:Volt" })],
    ["prefix", () => index.query({ query: "wor", sort: ["price:desc"], facets: ["tags", "rare", "deep.size.cm"] })],
    ["phrase", () => index.query({ query: '"drill for" -walls', advancedSyntax: true, page: 3 })],
    ["vector", () => index.query({ query: "lamp", vector, semanticWeight: 0.5, facetFilters: ["brand:Hem"] })],
    ["identifier", () => index.query({ query: "kv-7", distinct: true })],
    ["whyNot", () => index.whyNot({ query: "drill" }, "p1")],
    ["getRecords", () => index.getRecords(["p1", "p2", "p9", "p699"])],
    ["digest", () => index.digest()],
    [
      "browse",
      async () => {
        for await (const _ of index.browseRecords());
      },
    ],
    [
      "export",
      async () => {
        for await (const _ of engine.exportIndex("shop"));
      },
    ],
    ["snapshot", () => engine.writeSnapshot("shop", join(folder, "again"))],
    ["estimate", async () => index.estimate()],
    ["update", () => index.updateRecords([{ id: "p3", price: 4 }])],
    ["delete", () => index.deleteRecords(seq(300, (i) => `p${2 * i}`))],
    ["add", () => index.addRecords([product(5), product(9000)])],
    ["merge", () => index.whenIdle()],
    ["query again", () => index.query({ query: "drill lamps", facets: ["*"], sort: ["price:asc"] })],
    ["settings", () => index.updateSettings({ searchableAttributes: ["text", "title"] })],
    ["close", () => engine.close()],
  ];
  for (const [name, use] of uses) await settled(`${what}: ${name}`, use);
  return false;
}

describe("a snapshot whose checksums are right", () => {
  it("is accepted as it was written, and laid out again", async () => {
    expect(await tried(withPart(0, parts[0]!.bytes), "whole")).toBe(false);
    expect(
      await tried(
        withStructure(1, () => {}),
        "again",
      ),
    ).toBe(false);
    expect(
      await tried(
        withJson(1, (json) => json),
        "stamped",
      ),
    ).toBe(false);
  });

  property("is refused, or works, whatever one of its parts says", 60, async (random) => {
    for (let i = 0; i < 5; i++) {
      const part = random.between(0, parts.length - 1);
      let what = "";
      const bytes = withStructure(part, (structure) => {
        const places = placesIn(structure);
        const place = random.pick(places);
        what = `part ${part}${place.path}`;
        change(place, random);
      });
      await tried(bytes, what);
    }
  });

  const huge: Readonly<Record<string, [number, string, Open]>> = {
    "vectors of 1,000,000,000 components": [1, "parts.vectors.dimensions", 1e9],
    "vectors of 2,000,000,000 components": [1, "parts.vectors.dimensions", 2e9],
    "1,000,000,000 ids": [1, "parts.records.ids.size", 1e9],
    "4,000,000,000 terms": [1, "parts.postings.dictionary.size", 4e9],
    "1,000,000,000 records in a segment": [1, "parts.postings.maxDoc", 1e9],
    "1,000,000,000 attributes": [1, "parts.attributes.counts.paths.size", 1e9],
    "1,000,000,000 segments": [0, "segments", 1e9],
    "fewer segments than follow": [0, "segments", 1],
    "no records": [0, "records", 0],
    "deleted records that are not there": [1, "deleted", new Uint32Array(22).fill(2 ** 32 - 1)],
    "10,001 deleted ids": [0, "deletedIds", seq(10_001, String)],
    "a part too many": [1, "parts.more", 1],
    "a part with the name of a prototype": [1, "parts.constructor", 1],
  };
  for (const [what, [part, path, value]] of Object.entries(huge))
    it(`is refused if it says that it has ${what}`, async () => {
      const bytes = withStructure(part, (structure) => {
        const names = path.split(".");
        const last = names.pop()!;
        const parent = names.reduce<Open>((open, name) => (open as { [name: string]: Open })[name]!, structure);
        (parent as { [name: string]: Open })[last] = value;
      });
      expect(await tried(bytes, what)).toBe(true);
    });

  const written: Readonly<Record<string, [number, (json: string) => string]>> = {
    "is no JSON": [1, (json) => json.slice(1)],
    "has something behind it": [1, (json) => `${json}x`],
    "is nested 100,000 deep": [1, () => "[".repeat(100_000) + "]".repeat(100_000)],
    "has a list nested 100,000 deep": [
      0,
      (json) => json.replace('"deletedIds":[', `"deletedIds":[${"[".repeat(100_000)}${"]".repeat(100_000)},`),
    ],
    "has millions of empty objects": [
      0,
      (json) => json.replace('"deletedIds":[', `"deletedIds":[${"{},".repeat(3e6)}`),
    ],
    "has millions of texts": [0, (json) => json.replace('"deletedIds":[', `"deletedIds":[${'"",'.repeat(3e6)}`)],
    "has a number for the whole": [1, () => "5"],
    "has null for the whole": [0, () => "null"],
    "names an unknown kind of array": [1, (json) => json.replace('"$":"u32"', '"$":"u33"')],
    "names a kind of array that prototypes have": [1, (json) => json.replace('"$":"u32"', '"$":"toString"')],
    "has a number in place of a kind": [1, (json) => json.replace('"$":"u32"', '"$":5')],
    "has an array at an odd byte": [1, (json) => json.replace(/"at":([1-9]\d*)/, '"at":$11')],
    "has an array before the first": [1, (json) => json.replace(/"at":0\b/, '"at":-8')],
    "has an array of negative length": [1, (json) => json.replace(/"length":(\d+)/, '"length":-$1')],
    "has an array of half a length": [1, (json) => json.replace(/"length":(\d+)/, '"length":$1.5')],
    "has an array of a great length": [1, (json) => json.replace(/"length":(\d+)/, '"length":9007199254740991')],
    "has the same array twice": [
      1,
      (json) => json.replace(/"rowDoc":\{[^}]*\}/, (entry) => `${entry},"again":${entry.slice(9)}`),
    ],
  };
  for (const [what, [part, change]] of Object.entries(written))
    it(`is refused if its JSON ${what}`, async () => {
      expect(await tried(withJson(part, change), what)).toBe(true);
    });

  it("changes no prototype", async () => {
    const polluted = '"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},';
    for (const part of [0, 1])
      expect(
        await tried(
          withJson(part, (json) => json.replace("{", `{${polluted}`)),
          "polluted",
        ),
      ).toBe(true);
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });

  const settings: Readonly<Record<string, unknown>> = {
    "no JSON": undefined,
    null: null,
    "a number": 5,
    "a list": [],
    "without settings": { dimensions: 5, embedderId: false },
    "with a number for settings": { settings: 5 },
    "with a list for settings": { settings: [] },
    "with an unknown setting": { settings: { ...SETTINGS, unknown: 1 } },
    "with a wrong setting": { settings: { ...SETTINGS, matching: 5 } },
    "with other dimensions": { settings: { ...SETTINGS, dimensions: 6 } },
    "without vectors": { settings: { embedder: false } },
    "with a text for dimensions": { settings: SETTINGS, dimensions: "5" },
    "with huge dimensions": { settings: { ...SETTINGS, dimensions: 1e9 }, dimensions: 1e9 },
    "with a number for the embedder": { settings: SETTINGS, embedderId: 5 },
    "nested deep": { settings: JSON.parse(`${'{"a":'.repeat(500)}1${"}".repeat(500)}`) },
    "of too many values": { settings: { ...SETTINGS, synonyms: seq(1_200_000, () => 0) } },
  };
  for (const [what, value] of Object.entries(settings))
    it(`is refused if its settings are ${what}`, async () => {
      const own = { dimensions: 5, embedderId: false };
      const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
      const text = value === undefined ? "{" : JSON.stringify(isObject ? { ...own, ...value } : value);
      const bytes = withStructure(0, (structure) => Object.assign(structure as object, { settings: text }));
      expect(await tried(bytes, what)).toBe(true);
    });

  it("gives the engine nothing but settings", async () => {
    const text = JSON.stringify({
      ...{ settings: SETTINGS, dimensions: 5, embedderId: false },
      ...{ warn: 5, strict: true, limits: { queryBytes: 1, hitsPerPage: 1 }, tables: null, embedders: [] },
    });
    const bytes = withStructure(0, (structure) => Object.assign(structure as object, { settings: text }));
    const warnings: string[] = [];
    const engine = new SearchEngine({ onWarning: ({ code }) => warnings.push(code) });
    await engine.readSnapshot("shop", bytes);
    const { data } = await engine.query("shop", { query: "lamp", hitsPerPage: 5, ...{ nonsense: 1 } });
    expect([data.hits.length, warnings]).toEqual([5, ["unknown_parameter"]]);
  });

  const records: Readonly<Record<string, string>> = {
    "no JSON": '{"id":',
    null: "null",
    "a list": "[]",
    "a text": '"p1"',
    "nested 5,000 deep": `{"id":"p1","deep":${"[".repeat(5000)}${"]".repeat(5000)}}`,
    "nested deep with texts": `{"id":"p1","t":"\\"]]","deep":${'[{"a":'.repeat(500)}1${"}]".repeat(500)}}`,
  };
  for (const [what, json] of Object.entries(records))
    it(`may have a record that is ${what}, and reading it is refused`, async () => {
      const engine = new SearchEngine({ embedder: false });
      const index = await engine.createIndex("shop");
      await index.addRecords([
        { id: "p1", text: "x".repeat(json.length) },
        { id: "p2", n: 1 },
      ]);
      await engine.writeSnapshot("shop", join(folder, "small"));
      const small = await readFile(join(folder, "small"));
      const at = small.readDoubleLE(40);
      const part = new Uint8Array(small.subarray(at));
      const { structure, storeId } = runTaskAtOnce(readFileBytes(part, { name: "part", kind: "segment" }));
      const { bytes } = (structure as unknown as { parts: { records: { bytes: LazyArray<Uint8Array> } } }).parts
        .records;
      const { offsets } = (structure as unknown as { parts: { records: { offsets: { distances: Uint16Array } } } })
        .parts.records;
      bytes.array!.fill(32, 0, offsets.distances[1]);
      bytes.array!.set(new TextEncoder().encode(json));
      const file = runTaskAtOnce(fileOf("segment", storeId, structure));
      await engine.readSnapshot("crafted", Buffer.concat([small.subarray(0, at), ...file.pieces]));
      const crafted = engine.index("crafted");
      for (const read of [
        () => crafted.getRecords(["p1"]),
        () => crafted.query({ query: "", facets: ["n"] }),
        () => crafted.updateRecords([{ id: "p1", price: 1 }]),
        () => crafted.updateSettings({ idAttribute: "text" }),
      ])
        expect(await rejectionOf(read())).toMatchObject({ code: 500, error: "storage_corrupt" });
      expect(await crafted.getRecords(["p2"])).toEqual([{ id: "p2", n: 1 }]);
    });

  it("whose posting lists are wrong is refused by a data folder, and by a query elsewhere", async () => {
    const bytes = withStructure(1, (structure) => {
      const { lists } = (structure as { [name: string]: { [name: string]: { [name: string]: Open } } }).parts!
        .postings!;
      ((lists as LazyArray).array as Uint32Array).fill(0);
    });
    const engine = await SearchEngine.open({ dataDir: join(folder, "data") });
    expect((await rejectionOf(engine.readSnapshot("shop", bytes))).error).toBe("storage_corrupt");
    expect(await engine.listIndexes()).toEqual([]);
    await engine.close();
    const inMemory = new SearchEngine();
    await inMemory.readSnapshot("shop", bytes);
    expect((await rejectionOf(inMemory.query("shop", { query: "lamp" }))).error).toBe("storage_corrupt");
  });

  it("is read from a file with a hole of any size", async () => {
    const path = join(folder, "hole");
    const head = Buffer.from(parts[0]!.bytes.slice());
    head.writeDoubleLE(2 ** 40, 40);
    await writeFile(path, head);
    await truncate(path, 2 ** 40);
    expect((await rejectionOf(new SearchEngine().readSnapshot("shop", path))).error).toBe("storage_corrupt");
  });
});
