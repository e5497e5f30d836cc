import { describe, expect, it } from "vitest";
import {
  type IndexSettings,
  type JsonRecord,
  SearchEngine,
  type SearchParams,
  type SearchWarning,
} from "../src/index.js";
import { Random } from "./support/random.js";
import { seq } from "./support/seq.js";

const REMEDY = "so no range finds them and facetStats leave them out. Pass numbers, such as Number(text) gives";
const CODES = "; name what are codes in identifierAttributes.";

/** An index and the warnings about numbers as texts. */
async function shopOf(settings: IndexSettings = {}) {
  const warnings: SearchWarning[] = [];
  const onWarning = (warning: SearchWarning) => {
    if (warning.code === "numbers_as_text") warnings.push(warning);
  };
  const engine = new SearchEngine({ embedder: false, onWarning });
  const index = await engine.createIndex("shop", settings);
  const taken = () => warnings.splice(0).map(({ message, param }) => ({ message, param }));
  return { engine, index, taken };
}

/** The names of the attributes that a batch is warned of. */
async function warnedOf(records: readonly JsonRecord[], settings: IndexSettings = {}): Promise<string[]> {
  const { index, taken } = await shopOf(settings);
  await index.addRecords(records);
  return taken().map(({ param }) => param!);
}

const PRICES = ["19.99", "5.00", "100.00"].map((price, id) => ({ id, title: "Lamp", price }));
const HOLDS = 'The attribute "price" holds only texts that read as numbers, such as "19.99"';

describe("numbers as texts", () => {
  it("are warned of once, in the batch and in each query by a range (R7)", async () => {
    const { index, taken } = await shopOf();
    await index.addRecords(PRICES);
    expect(taken()).toEqual([{ param: "price", message: `${HOLDS}, ${REMEDY}${CODES}` }]);
    await index.addRecords(PRICES);
    await index.replaceAllRecords(PRICES);
    await index.updateRecords(PRICES);
    await index.updateSettings({ searchableAttributes: ["title"] });
    expect(taken()).toEqual([]);
    for (const [params, param] of [
      [{ filters: "price < 50" }, "filters"],
      [{ filters: "NOT (title:Lamp AND price:1 TO 20)" }, "filters"],
      [{ filters: { price: { lte: 50 } } }, "filters"],
      [{ facetFilters: { price: { between: [1, 20] } } }, "facetFilters"],
    ] as const) {
      await index.query({ query: "lamp", ...(params as Partial<SearchParams>) });
      const message = `${param} compares "price" with a number, but the attribute holds only texts that read as numbers, such as "100.00". Pass numbers, such as Number(text) gives.`;
      expect(taken()).toEqual([{ param, message }]);
    }
    expect(await index.deleteBy({ filters: "price < 50" })).toEqual({ deleted: 0 });
    expect(taken()).toHaveLength(1);
    for (const filters of ["price:5.00", "price EXISTS", "id < 5", { price: ["5.00"] }] as const)
      await index.query({ query: "lamp", filters: filters as string });
    expect(taken()).toEqual([]);
    await index.updateRecords([{ id: 1, price: 5 }]);
    expect((await index.query({ query: "", filters: "price < 50" })).data.nbHits).toBe(1);
    expect(taken()).toEqual([]);
  });

  it("are what reads as a number with a point, or as a short integer", async () => {
    for (const text of ["0", "7", "999999", "0.5", "-3", "-1.25", "12345678.9", " 19.99 "])
      expect(await warnedOf([{ id: 1, value: text }, { id: 2 }, { id: 3, value: ["", null, "  "] }]), text).toEqual([
        "value",
      ]);
    for (const text of [
      "007",
      "1234567",
      "1.2.3",
      "5,00",
      "1e3",
      "19.99 EUR",
      ".",
      "-",
      "1.",
      ".5",
      "00.5",
      "",
      "NaN",
      "٣",
      `${"1".repeat(20)}.5`,
    ])
      expect(await warnedOf([{ id: 1, value: text }]), text).toEqual([]);
    for (const other of ["red", 5, true, "007"] as const)
      expect(await warnedOf([...PRICES, { id: 9, price: other }]), String(other)).toEqual([]);
    expect(await warnedOf([{ id: 1, price: { eur: "5.00" }, "a.b": "3", sizes: [{ cm: ["1", "2"] }] }])).toEqual([
      "a.b",
    ]);
  });

  it("are no ids, no identifiers and nothing that shall be searched", async () => {
    const records = seq(3, (i) => ({
      key: String(i),
      sku: `${i}`,
      specs: { Part_No: "12", watts: "5.5" },
      year: "2024",
    }));
    const settings = { idAttribute: "key" };
    const all = await shopOf(settings);
    await all.index.addRecords(records);
    expect(all.taken()[0]).toEqual({
      param: "specs.watts",
      message: `The attributes "specs.watts", "year" hold only texts that read as numbers, such as "5.5", ${REMEDY}${CODES}`,
    });
    expect(await warnedOf(records, { ...settings, searchableAttributes: ["specs"] })).toEqual(["year"]);
    expect(await warnedOf(records, { ...settings, searchableAttributes: ["specs.watts", "year"] })).toEqual([]);
    expect(await warnedOf(records, { ...settings, identifierAttributes: ["Watts", "year"] })).toEqual(["sku"]);
  });

  it("are counted where they are very many", async () => {
    const { index, taken } = await shopOf();
    await index.addRecords([Object.fromEntries([["id", 1], ...seq(9, (i) => [`a${i}`, "1"])])]);
    expect(taken()[0]!.message).toMatch(/^The attributes "a0", "a1", "a2" and 6 more hold only/);
  });

  it("give the same warning in every order of a batch", async () => {
    const random = new Random(7);
    const records = seq(40, (id) => ({ id, price: `${id}.50`, size: random.pick(["S", "42"]), n: { a: String(id) } }));
    const warnings = new Set<string>();
    for (let round = 0; round < 5; round++) {
      const { index, taken } = await shopOf();
      await index.addRecords(random.shuffle(records));
      warnings.add(JSON.stringify(taken()));
    }
    expect([...warnings]).toHaveLength(1);
    expect(JSON.parse([...warnings][0]!)[0].message).toContain('"n.a", "price" hold');
  });

  it("are none where the index holds words, however many single updates come later", async () => {
    const { index, taken } = await shopOf();
    await index.addRecords([
      { id: 1, size: "XL", price: 3 },
      { id: 2, size: "42", price: 4 },
    ]);
    await index.updateRecords([{ id: 2, size: "43" }]);
    expect(taken()).toEqual([]);
    await index.query({ query: "", filters: "size < 50" });
    expect(taken()).toEqual([]);
    await index.updateRecords([{ id: 2, price: "4.50" }]);
    expect(taken().map(({ param }) => param)).toEqual(["price"]);
    await index.updateRecords([{ id: 2, price: "4.40" }]);
    expect(taken()).toEqual([]);
  });
});
