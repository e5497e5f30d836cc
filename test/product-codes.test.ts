import { describe, expect, it } from "vitest";
import { type IndexSettings, type JsonRecord, SearchEngine } from "../src/index.js";

/** The ids of the hits, in their order. */
async function found(records: readonly JsonRecord[], query: string, settings: IndexSettings = {}): Promise<string[]> {
  const index = await new SearchEngine().createIndex("codes", { embedder: false, ...settings });
  await index.addRecords(records);
  return (await index.query({ query })).data.hits.map(({ id }) => String(id));
}

describe("a code in a title", () => {
  const records = [
    { id: 1, title: "Bookcase 602.754.41 white" },
    { id: 2, title: "Bookcase 602.745.41 white" },
    { id: 3, title: "Filter 81.50.310" },
    { id: 4, title: "Coil 06A-905-115" },
    { id: 5, title: "Pump WP/1180-K" },
  ];
  for (const query of ["602.754.41", "60275441", "602-754-41", "602 754 41", "602/754/41", "bookcase 602 754 41"])
    it(`is found as ${query}`, async () => expect((await found(records, query))[0]).toBe("1"));

  for (const query of ["8150310", "81-50-310", "81 50 310", "filter 81 50 310"])
    it(`of few digits is found as ${query}`, async () => expect((await found(records, query))[0]).toBe("3"));

  for (const query of ["06a905115", "06A 905 115", "06a-905115", "06A.905.115"])
    it(`of digits and letters is found as ${query}`, async () => expect(await found(records, query)).toEqual(["4"]));

  it("is no other code", async () => {
    expect(await found(records, "60275442")).toEqual([]);
    expect(await found([{ id: 1, title: "Version 1.2.3" }], "123")).toEqual([]);
  });

  it("is found by its beginning", async () => {
    const bolts = [
      { id: 1, title: "Bolt QXDB002" },
      { id: 2, title: "Bolt QXDB011" },
      { id: 3, title: "Bolt QXML843" },
      { id: 4, title: "Bolt 60275441" },
    ];
    expect(await found(bolts, "QXDB0")).toEqual(["1", "2"]);
    expect(await found(bolts, "602754")).toEqual(["4"]);
  });
});

describe("an attribute of codes", () => {
  for (const name of [
    "barcode",
    "gtin13",
    "EAN13",
    "article_number",
    "part-number",
    "ModelNumber",
    "product_code",
    "Item Number",
    "oemNumber",
  ])
    it(`is ${name}`, async () => {
      const records = [
        { id: 1, title: "Milk", details: { [name]: "81-50.310 K" } },
        { id: 2, title: "Milk", details: { [name]: "81-50.311 K" } },
      ];
      expect(await found(records, "8150 310k")).toEqual(["1"]);
    });

  it("is named with or without hyphens and underscores in the settings too", async () => {
    const records = [{ id: 1, lieferNr: "Z-77/12" }];
    expect(await found(records, "z7712", { identifierAttributes: ["liefer_nr"] })).toEqual(["1"]);
  });

  it("may hold a barcode as a number, which has lost its zeros", async () => {
    expect(await found([{ id: 1, upc: 60383998622 }], "060383998622")).toEqual(["1"]);
    expect(await found([{ id: 1, upc: "060383998622" }], "60383998622")).toEqual(["1"]);
    expect(await found([{ id: 1, barcode: "0025293001220" }], "025293001220")).toEqual(["1"]);
    expect(await found([{ id: 1, barcode: 5901234123457 }], "5 901234 123457")).toEqual(["1"]);
  });

  it("keeps other numbers apart that differ in zeros", async () => {
    expect(await found([{ id: 1, partNumber: "0012345671" }], "12345671")).toEqual([]);
  });

  it("is found with blanks beside words", async () => {
    const records = [
      { id: 1, title: "Milk", barcode: "5901234123457" },
      { id: 2, title: "Milk", barcode: "5901234123464" },
    ];
    expect((await found(records, "milk 5 901234 123464"))[0]).toBe("2");
  });
});
