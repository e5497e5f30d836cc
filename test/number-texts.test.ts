import { describe, expect, it } from "vitest";
import { type IndexSettings, type JsonRecord, SearchEngine, type SearchParams } from "../src/index.js";
import { Random } from "./support/random.js";
import { seq } from "./support/seq.js";

const REMEDY = "so no range finds them and facetStats leave them out. Pass numbers, such as Number(text) gives";
const CODES = "; name what are codes in identifierAttributes.";

/** An index and the warnings about numbers as texts. */
async function shopOf(settings: IndexSettings = {}) {
  const warnings: { readonly message: string; readonly param: string | undefined }[] = [];
  const engine = new SearchEngine({
    embedder: false,
    onWarning: ({ code, message, param }) => code === "numbers_as_text" && warnings.push({ message, param }),
  });
  return { index: await engine.createIndex("shop", settings), taken: () => warnings.splice(0) };
}

/** What a batch is warned of. */
async function warnedOf(records: readonly JsonRecord[], settings: IndexSettings = {}) {
  const { index, taken } = await shopOf(settings);
  await index.addRecords(records);
  return taken();
}
const namesOf = async (...given: Parameters<typeof warnedOf>) => (await warnedOf(...given)).map(({ param }) => param);

const PRICES = ["19.99", "5.00", "100.00"].map((price, id) => ({ id, title: "Lamp", price }));

describe("numbers as texts", () => {
  it("are warned of once, in the batch and in each query by a range", async () => {
    const { index, taken } = await shopOf();
    await index.addRecords(PRICES);
    const holds = 'The attribute "price" holds only texts that read as numbers, such as "19.99"';
    expect(taken()).toEqual([{ param: "price", message: `${holds}, ${REMEDY}${CODES}` }]);
    await index.addRecords(PRICES);
    await index.replaceAllRecords(PRICES);
    await index.updateRecords(PRICES);
    await index.updateSettings({ searchableAttributes: ["title"] });
    expect(taken()).toEqual([]);
    const asked: readonly Partial<SearchParams>[] = [
      { filters: "price < 50" },
      { filters: "NOT (title:Lamp AND price:1 TO 20)" },
      { filters: { price: { lte: 50 } } },
      { facetFilters: { price: { between: [1, 20] } } },
    ];
    for (const params of asked) {
      await index.query({ query: "lamp", ...params });
      const [param] = Object.keys(params);
      const held = 'but the attribute holds only texts that read as numbers, such as "100.00"';
      const message = `${param} compares "price" with a number, ${held}. Pass numbers, such as Number(text) gives.`;
      expect(taken()).toEqual([{ param, message }]);
    }
    expect(await index.deleteBy({ filters: "price < 50" })).toEqual({ deleted: 0 });
    expect(taken()).toHaveLength(1);
    for (const filters of ["price:5.00", "price EXISTS", "id < 5"]) await index.query({ query: "lamp", filters });
    await index.updateRecords([{ id: 1, price: 5 }]);
    expect((await index.query({ query: "", filters: "price < 50" })).data.nbHits).toBe(1);
    expect(taken()).toEqual([]);
  });

  it.each(["0", "7", "999999", "0.5", "-3", "-1.25", "12345678.9", " 19.99 "])("are such as %j", async (text) => {
    expect(await namesOf([{ id: 1, value: text }, { id: 2 }, { id: 3, value: ["", null, "  "] }])).toEqual(["value"]);
  });

  it.each([
    ..."007 1234567 1.2.3 5,00 1e3 19.99EUR . - 1. .5 00.5 NaN ٣ 11111111111111111111.5".split(" "),
    ...["", "19.99 EUR", "red", 5, true],
  ])("are not such as %j", async (text) => {
    expect(await warnedOf([{ id: 1, value: text }])).toEqual([]);
    if (text !== "") expect(await warnedOf([...PRICES, { id: 9, price: text }])).toEqual([]);
  });

  it("are no ids, no identifiers and nothing that shall be searched, and may be nested", async () => {
    const record = { sku: "1", specs: { Part_No: "12", watts: "5.5" }, year: "2024" };
    const records = seq(3, (i) => ({ key: String(i), ...record }));
    const settings = { idAttribute: "key" };
    const hold = 'The attributes "specs.watts", "year" hold only texts that read as numbers, such as "5.5"';
    expect(await warnedOf(records, settings)).toEqual([
      { param: "specs.watts", message: `${hold}, ${REMEDY}${CODES}` },
    ]);
    for (const [more, names] of [
      [{ searchableAttributes: ["specs"] }, ["year"]],
      [{ searchableAttributes: ["specs.watts", "year"] }, []],
      [{ identifierAttributes: ["Watts", "year"] }, ["sku"]],
    ] as const)
      expect(await namesOf(records, { ...settings, ...more })).toEqual(names);
    expect(await namesOf([{ id: 1, price: { eur: "5.00" }, "a.b": "3", sizes: [{ cm: ["1", "2"] }] }])).toEqual([
      "a.b",
    ]);
    const [many] = await warnedOf([Object.fromEntries([["id", 1], ...seq(9, (i) => [`a${i}`, "1"])])]);
    expect(many!.message).toMatch(/^The attributes "a0", "a1", "a2" and 6 more hold only/);
  });

  it("give the same warning in every order of a batch", async () => {
    const random = new Random(7);
    const records = seq(40, (id) => ({ id, price: `${id}.50`, size: random.pick(["S", "42"]), n: { a: String(id) } }));
    const [first] = await warnedOf(records);
    expect(first!.message).toContain('"n.a", "price" hold');
    for (let round = 0; round < 4; round++) expect(await warnedOf(random.shuffle(records))).toEqual([first]);
  });

  it("are none where the index holds words, however many single updates come later", async () => {
    const { index, taken } = await shopOf();
    await index.addRecords(["XL", "42"].map((size, id) => ({ id, size, price: 3 })));
    await index.updateRecords([{ id: 1, size: "43" }]);
    await index.query({ query: "", filters: "size < 50" });
    expect(taken()).toEqual([]);
    await index.updateRecords([{ id: 1, price: "4.50" }]);
    await index.updateRecords([{ id: 1, price: "4.40" }]);
    expect(taken().map(({ param }) => param)).toEqual(["price"]);
  });
});
