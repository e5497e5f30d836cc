// What columns are taken for, and what their cells become: cases computed by hand.

import { describe, expect, it } from "vitest";
import { Columns } from "../../src/command/columns.js";

/** What the cells of a column become, with what the report says of it. */
function read(cells: readonly unknown[], name = "x", decimal?: string) {
  const columns = new Columns(decimal);
  for (const [i, cell] of cells.entries()) columns.see({ key: `k${i}`, [name]: cell }, i + 2);
  columns.decide("key");
  const values = cells.map((cell) => ({ ...columns.read({ [name]: cell }) }));
  for (const value of values) columns.count(value);
  const { role, unclear } = columns.facts("key").find((one) => one.name === name)!;
  return { values: values.map((value) => value[name]), all: values, role, unclear, wrong: columns.wrong };
}

type Case = readonly [why: string, cells: readonly unknown[], values: readonly unknown[], role: string, name?: string];
const READ: readonly Case[] = [
  ["plain numbers", ["1", "-2.5", " 30 "], [1, -2.5, 30], "number"],
  ["decimal commas", ["89,90", "1.299,00", "5"], [89.9, 1299, 5], "number"],
  ["decimal points with thousands", ["1,299.00", "12", "1,000,000"], [1299, 12, 1000000], "number"],
  ["thousands with blanks and apostrophes", ["1 299,5", "1’000,25"], [1299.5, 1000.25], "number"],
  ["fifteen digits", ["123456789012345"], [123456789012345], "number"],
  ["sixteen digits", ["1234567890123456"], ["1234567890123456"], "code"],
  ["a leading zero", ["007", "120"], ["007", "120"], "code"],
  ["numbers of JSON beside texts", [5, "6.5"], [5, 6.5], "number"],
  ["words that are true or false", ["true", "No", "JA"], [true, false, true], "true/false"],
  ["0 and 1 where the name says so", ["1", "0"], [true, false], "true/false", "In stock?"],
  ["0 and 1 elsewhere", ["1", "0"], [1, 0], "number", "pieces"],
  ["Norway", ["NO", "NO"], ["NO", "NO"], "text", "country"],
  ["titles with a French name, also where all are numbers", ["1984", "22"], ["1984", "22"], "title", "Désignation"],
  ["prices with a Czech name", ["10,50", "7"], [10.5, 7], "price", "Cena s DPH"],
  ["brands with a Portuguese name", ["7", "4711"], ["7", "4711"], "brand", "Fabricante"],
  ["ISO dates", ["2024-05-01", "2023-12-31"], ["2024-05-01", "2023-12-31"], "date"],
  [
    "times without a zone",
    ["2024-05-01 10:00:00", "2024-05-01T10:00"],
    ["2024-05-01T10:00:00Z", "2024-05-01T10:00Z"],
    "date",
  ],
  ["times with a zone", ["2024-05-01 10:00:00 +0200"], ["2024-05-01T10:00:00+02:00"], "date"],
  ["dates with dots", ["01.05.2024", "31.12.2023 18:30"], ["2024-05-01", "2023-12-31T18:30Z"], "date"],
  ["dates with dots beside those of ISO", ["01.05.2024", "2023-12-31"], ["2024-05-01", "2023-12-31"], "date"],
  ["dates with the day first", ["31/12/2023", "01/05/2024"], ["2023-12-31", "2024-05-01"], "date"],
  ["dates with the month first", ["12/31/2023", "01/05/2024"], ["2023-12-31", "2024-01-05"], "date"],
  ["a day that there is not", ["2024-02-30"], ["2024-02-30"], "code"],
  ["codes, whatever they look like", ["12", "13"], ["12", "13"], "code", "Variant SKU"],
  ["titles, whatever they look like", ["1984", "2001"], ["1984", "2001"], "title", "Title"],
  ["brands, whatever they look like", ["4711"], ["4711"], "brand", "brand"],
  ["items of lists", [["38", "39"], "40"], [[38, 39], 40], "number"],
  ["prices", ["5", "6"], [5, 6], "price", "sale_price"],
  ["links", ["https://a.example/1", "http://b.example"], ["https://a.example/1", "http://b.example"], "link"],
];

describe("cells", () => {
  for (const [why, cells, values, role, name = "x"] of READ)
    it(why, () => expect(read(cells, name)).toMatchObject({ values, role, unclear: undefined }));

  it("of money are numbers, with the currency beside them", () => {
    const { all, role } = read(["19.99 EUR", "€ 5", "$5", "7"], "price");
    expect(role).toBe("price");
    expect(all).toEqual([
      { price: 19.99, priceCurrency: "EUR" },
      { price: 5, priceCurrency: "EUR" },
      { price: 5, priceCurrency: "USD" },
      { price: 7 },
    ]);
    expect(read(["1.299,00 €", "5,00 €"]).values).toEqual([1299, 5]);
    expect(read(["500 MAH", "20 GBX"]).values).toEqual(["500 MAH", "20 GBX"]); // no currencies
  });

  it("that can be read in two ways stay texts, unless it is said which", () => {
    const { values, unclear } = read(["1,299", "2,500"]);
    expect(values).toEqual(["1,299", "2,500"]);
    expect(unclear).toContain("--decimal");
    expect(read(["1,299", "2,500"], "x", ".").values).toEqual([1299, 2500]);
    expect(read(["1,299", "2,500"], "x", ",").values).toEqual([1.299, 2.5]);
    expect(read(["1.250", "2.125"]).unclear).toContain("--decimal");
    expect(read(["01/05/2024", "02/03/2024"]).unclear).toContain("month first");
  });

  it("of nearly one kind stay texts, and the others are named", () => {
    const cells = [...Array(98).fill("5"), "ask us", "on request"];
    const { values, wrong } = read(cells);
    expect(values[0]).toBe("5");
    expect(wrong).toMatchObject([
      {
        count: 2,
        expected: "numbers with a decimal point",
        first: [{ value: "ask us", place: 100 }, { value: "on request" }],
      },
    ]);
    expect(read([...cells, "one more"]).wrong).toEqual([]); // three of 101 are more than two of a hundred
    expect(read(["1", "2", "3", "4", "x"]).wrong).toMatchObject([{ count: 1, first: [{ value: "x", place: 6 }] }]);
  });
});

describe("the column of the ids", () => {
  const idOf = (rows: readonly Record<string, string>[]) => {
    const columns = new Columns(undefined);
    for (const [i, row] of rows.entries()) columns.see(row, i);
    return columns.idColumn();
  };
  const many = (make: (i: number) => Record<string, string>) => Array.from({ length: 20_000 }, (_, i) => make(i));

  it("is the first by name that tells rows apart", () => {
    expect(idOf(many((i) => ({ sku: `s${i}`, id: `${i}` })))).toBe("id");
    expect(idOf(many((i) => ({ sku: `s${i}`, id: `${i % 5000}` })))).toBe("sku");
    expect(idOf(many((i) => ({ sku: `s${i}`, ...(i % 9 && { id: `${i}` }) })))).toBe("sku"); // the other lacks in rows
    expect(idOf(many((i) => ({ ...(i % 9 && { id: `${i}` }) })))).toBe("id");
    expect(idOf(many((i) => ({ "Product ID": `s${i}`, name: `${i}` })))).toBe("Product ID");
    expect(idOf(many((i) => ({ id: `${i >> 2}`, name: `${i}` })))).toBe("id"); // equal ones follow each other
  });

  it("is none where it is not filled, or has another name", () => {
    expect(idOf(many((i) => (i % 3 ? { name: "x" } : { sku: `s${i}` })))).toBeUndefined();
    expect(idOf(many((i) => ({ number: `${i}` })))).toBeUndefined();
  });
});
