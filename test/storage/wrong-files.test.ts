// Files that are not as they were written. Damage has wrong checksums: it is 500 `storage_corrupt`. What has right ones is trusted, so
// it may be refused, answer wrongly or fail, but every call ends, and none takes memory by a number in a file.

import { mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type JsonRecord, SearchEngine } from "../../src/index.js";
import { MANIFEST } from "../../src/storage/folder-content.js";
import { type Bytes, fileOf, LazyArray, readFileBytes, type Structure } from "../../src/storage/sections.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";
import { contentOf, FOLDER, openFolder } from "../support/data-folder.js";
import { FakeDisk } from "../support/fake-disk.js";
import { property, type Random } from "../support/random.js";
import { rejectionOf } from "../support/refusal.js";
import { seq } from "../support/seq.js";
import { FAST } from "../support/size.js";

const BRANDS = ["Volt", "Hem", "Kant", "Ülm", "東京"];
const SETTINGS = { vectorAttribute: "vector", dimensions: 5, attributesForFaceting: ["brand", "price", "tags"] };

function product(id: number): JsonRecord {
  return {
    id: `p${id}`,
    sku: `KV-${id % 90}`,
    title: `lamp ${BRANDS[id % 5]} drills ${id % 17}`,
    text: `a drill for ${id % 7 === 0 ? "wood" : "walls"} ${seq(id % 9, (i) => `word${i}`).join(" ")}`,
    brand: BRANDS[id % 5]!,
    price: id % 50,
    tags: seq(id % 3, (i) => `t${i}`),
    ...(id % 6 === 0 ? {} : { vector: seq(5, (i) => ((id * (i + 3)) % 13) - 6.5) }),
  };
}

let folder: string;
let whole: Buffer;
let parts: { readonly kind: "snapshot" | "segment"; readonly bytes: Uint8Array }[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "wrong-files-"));
  const engine = new SearchEngine();
  const index = await engine.createIndex("shop", SETTINGS);
  await index.addRecords(seq(300, product));
  await index.addRecords(seq(30, (i) => product(300 + i)));
  await index.deleteRecords(seq(20, (i) => `p${9 * i}`));
  await engine.writeSnapshot("shop", join(folder, "whole"));
  whole = await readFile(join(folder, "whole"));
  parts = [];
  for (let at = 0; at < whole.length; at += parts.at(-1)!.bytes.length)
    parts.push({
      kind: at === 0 ? "snapshot" : "segment",
      bytes: new Uint8Array(whole.subarray(at, at + whole.readDoubleLE(at + 40))),
    });
});
afterAll(() => rm(folder, { recursive: true }));

type Open = { [name: string]: Open } | Open[] | Bytes | LazyArray | string | number | boolean | null;

/** A file with a changed structure, and right checksums. */
function withStructure(kind: "snapshot" | "segment" | "manifest", bytes: Uint8Array, change: (value: Open) => void) {
  const { structure, storeId } = runTaskAtOnce(readFileBytes(bytes.slice(), { name: "file", kind }));
  change(structure as Open);
  return Buffer.concat([...runTaskAtOnce(fileOf(kind, storeId, structure as Structure)).pieces]);
}

/** A snapshot with a changed structure in one part. */
function withPart(part: number, change: (value: Open) => void): Uint8Array {
  const { kind, bytes } = parts[part]!;
  const changed = withStructure(kind, bytes, change);
  return Buffer.concat(parts.map((each, i) => (i === part ? changed : each.bytes)));
}

interface Leaf {
  readonly value: Open;
  readonly put: (value: Open) => void;
}

/** The values of a structure that are neither lists nor objects, and the first items of lists. */
function leavesOf(value: Open, put: Leaf["put"] = () => {}): Leaf[] {
  const isParent = typeof value === "object" && value !== null && !(value instanceof LazyArray);
  if (!isParent || ArrayBuffer.isView(value)) return [{ value, put }];
  const names = value as { [name: string]: Open };
  const first = Object.keys(names).slice(0, Array.isArray(value) ? 3 : undefined);
  return first.flatMap((name) => leavesOf(names[name]!, (other) => void Object.assign(names, { [name]: other })));
}

const NUMBERS = [0, 1, -1, 0.5, 255, 65_535, 2 ** 31, 2 ** 32 - 1, 2 ** 53, 1e300, Number.NaN];
const ANY: readonly Open[] = [null, true, "", "text", -1, 1e9, [], [[]], {}, { a: 1 }, new Uint8Array(9)];

/** An array of numbers, changed at random. */
function otherArray(array: Bytes, random: Random): Bytes {
  const copy = array.slice();
  const place = (): number => random.between(0, Math.max(0, copy.length - 1));
  if (random.chance(0.1)) return copy.slice(0, place());
  if (random.chance(0.1)) return copy.fill(random.pick(NUMBERS));
  for (let times = random.pick([1, 1, 20]); times > 0; times--) copy[place()] = random.pick(NUMBERS);
  return copy;
}

function changeOne(structure: Open, random: Random): void {
  const { value, put } = random.pick(leavesOf(structure));
  if (random.chance(0.1)) put(random.pick(ANY));
  else if (value instanceof LazyArray) put(new LazyArray(otherArray(value.array!, random)));
  else if (ArrayBuffer.isView(value)) put(otherArray(value as Bytes, random));
  else put(random.pick(typeof value === "number" ? NUMBERS : ANY));
}

/** Uses all of an index; whatever it answers, it answers. */
async function use(engine: SearchEngine): Promise<void> {
  const index = engine.index("shop");
  const uses: (() => Promise<unknown>)[] = [
    () => index.query({ query: "drill lamps", explain: true, facets: ["*"] }),
    () => index.query({ query: "dril lmap wrod1", filters: "price > 5 AND brand:Volt", sort: ["price:desc"] }),
    () => index.query({ query: '"drill for" -walls', advancedSyntax: true, page: 3 }),
    () => index.query({ query: "lamp", vector: [1, 2, 3, -4, 5], semanticWeight: 0.5 }),
    () => index.getRecords(["p1", "p2", "p299"]),
    () => index.digest(),
    () => engine.writeSnapshot("shop", join(folder, "again")),
    () => index.updateRecords([{ id: "p3", price: 4 }]),
    () => index.deleteRecords(seq(200, (i) => `p${2 * i}`)),
    () => index.updateSettings({ searchableAttributes: ["text", "title"] }),
    () => index.whenIdle(),
  ];
  for (const call of uses) await Promise.allSettled([call()]);
}

describe("a snapshot", () => {
  it("is refused wherever a byte of it is changed, and wherever it is cut", async () => {
    const engine = new SearchEngine();
    const step = Math.ceil(whole.length / (FAST ? 150 : 1500));
    for (let at = 0; at < whole.length; at += step) {
      const changed = Buffer.from(whole);
      changed[at]! ^= 1 << (at % 8);
      for (const bytes of [changed, whole.subarray(0, at)]) {
        const { error, details } = await rejectionOf(engine.readSnapshot("shop", bytes));
        expect([at, error, details?.file]).toEqual([
          at,
          expect.stringMatching(/^storage_(corrupt|version)$/),
          "snapshot",
        ]);
      }
    }
    expect(await engine.listIndexes()).toEqual([]);
    await engine.readSnapshot("shop", whole);
  });

  property("with right checksums is refused, answers or fails, and every call ends", 60, async (random) => {
    for (let i = 0; i < 3; i++) {
      const engine = new SearchEngine({ onWarning: () => {} });
      const bytes = withPart(random.between(0, parts.length - 1), (structure) => changeOne(structure, random));
      const [read] = await Promise.allSettled([engine.readSnapshot("shop", bytes)]);
      if (read.status === "fulfilled") await use(engine);
      else expect(await engine.listIndexes()).toEqual([]);
      await engine.close();
    }
  });

  const absurd: Readonly<Record<string, [number, string, Open]>> = {
    "vectors of 1,000,000,000 components": [1, "parts.vectors.dimensions", 1e9],
    "1,000,000,000 ids": [1, "parts.records.ids.size", 1e9],
    "4,000,000,000 terms": [1, "parts.postings.dictionary.size", 4e9],
    "1,000,000,000 records in a segment": [1, "parts.postings.maxDoc", 1e9],
    "titles of 4,000,000,000 words": [1, "parts.postings.titles.starts.blockStarts", new Uint32Array(19).fill(4e9)],
    "4,000,000,000 words of one length": [1, "parts.postings.spelling.starts", Uint32Array.of(0, 4e9)],
    "1,000,000,000 segments": [0, "segments", 1e9],
    "a text for its settings that is no JSON": [0, "settings", "{"],
    "a setting that there is not": [0, "settings", '{"settings":{"unknown":1},"dimensions":5,"embedderId":false}'],
    "no part where one belongs": [1, "parts", null],
  };
  for (const [what, [part, path, value]] of Object.entries(absurd))
    it(`is refused if it says that it has ${what}`, async () => {
      const bytes = withPart(part, (structure) => {
        const names = path.split(".");
        const last = names.pop()!;
        const parent = names.reduce((open, name) => (open as { [name: string]: Open })[name]!, structure);
        (parent as { [name: string]: Open })[last] = value;
      });
      const engine = new SearchEngine();
      expect(await rejectionOf(engine.readSnapshot("shop", bytes))).toMatchObject({ error: "storage_corrupt" });
      expect(await engine.listIndexes()).toEqual([]);
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

describe("a manifest", () => {
  let disk: FakeDisk;
  let manifest: Uint8Array;
  beforeAll(async () => {
    disk = new FakeDisk();
    // So small that the manifest has what the log had.
    const engine = await openFolder(disk, { sizes: { inlineBytes: 2 ** 18, logBytes: 2 ** 10, graphNodes: 0 } });
    const index = await engine.createIndex("shop", {
      ...SETTINGS,
      synonyms: [{ type: "synonym", synonyms: ["a", "b"] }],
    });
    for (let i = 0; i < 4; i++) await index.addRecords(seq(30, (n) => product(30 * i + n)));
    await index.deleteRecords(["p1", "p40"]);
    await engine.close();
    manifest = disk.files(FOLDER).get(join(FOLDER, MANIFEST))!;
  });

  /** Opens a folder with this manifest, and uses it. */
  async function tried(bytes: Uint8Array): Promise<unknown> {
    const copy = disk.copy();
    copy.put(join(FOLDER, MANIFEST), bytes);
    const engine = await openFolder(copy).catch((error: unknown) => error);
    if (!(engine instanceof SearchEngine)) return engine;
    await Promise.allSettled([contentOf(engine), use(engine)]);
    await engine.close().catch(() => {});
    return undefined;
  }

  property("with right checksums is refused, answers or fails, and every call ends", 60, async (random) => {
    await tried(withStructure("manifest", manifest, (structure) => changeOne(structure, random)));
  });

  it("of nonsense is 500 `storage_corrupt`", async () => {
    for (const change of [{ files: null }, { indexes: 5 }, { indexes: [new Uint8Array(3)] }]) {
      const bytes = withStructure("manifest", manifest, (structure) => Object.assign(structure as object, change));
      expect(await tried(bytes)).toMatchObject({ code: 500, error: "storage_corrupt", details: { file: MANIFEST } });
    }
  });
});
