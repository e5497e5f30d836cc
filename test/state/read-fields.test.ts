import { describe, expect, it } from "vitest";
import { FieldRules } from "../../src/settings/field-rules.js";
import type { ShownSettings } from "../../src/settings/settings.js";
import { readFields, titleName, valueAt } from "../../src/state/read-fields.js";
import type { JsonRecord } from "../../src/util/json.js";
import { settingsFrom } from "../support/states.js";

const SETTINGS = settingsFrom({ identifierAttributes: ["sku", "ean"] }).shown;
const titleOf = (record: JsonRecord): string | undefined => titleName(record, new FieldRules(SETTINGS));

/** Fields as "name: texts | identifiers", the title with "!". */
function fieldsOf(record: JsonRecord, settings: Partial<ShownSettings> = {}, id = "1"): string[] {
  return readFields(record, id, new FieldRules({ ...SETTINGS, ...settings })).map(
    ({ name, isTitle, texts, identifiers }) =>
      `${isTitle ? "!" : ""}${name}: ${texts.join(", ")}${identifiers.length > 0 ? ` | ${identifiers.join(", ")}` : ""}`,
  );
}

describe("by default, the fields of a record", () => {
  it("stand in code unit order, however many they are", () => {
    const names = Array.from({ length: 300 }, (_, at) => `a${(at * 7919) % 300}`);
    const record = Object.fromEntries(names.map((name) => [name, "blue"]));
    expect(fieldsOf(record)).toEqual(names.sort().map((name) => `${name}: blue`));
  });

  it("are its text attributes in code unit order, without id, numbers and booleans", () => {
    expect(
      fieldsOf({ id: "1", title: "Drill", brand: "Forge", Color: "red", price: 9, sold: true, none: null }),
    ).toEqual(["Color: red", "brand: Forge", "!title: Drill"]);
  });

  it("gather nested texts under the top-level name", () => {
    const record = { specs: { motor: "brushless", list: ["18V", { chuck: "13 mm", n: 5 }] }, tags: ["a", "b"] };
    expect(fieldsOf(record)).toEqual(["specs: brushless, 18V, 13 mm", "tags: a, b"]);
  });

  it("leave out addresses, UUIDs, dates and blanks", () => {
    const record = {
      link: "https://example.org",
      uuid: "3f2504e0-4f89-11d3-9a0c-0305e82c3301",
      date: "2024-05-06",
      blank: "  ",
      text: "made 2024-05-06",
      images: ["data:image/png;base64,AA==", "a nice picture"],
    };
    expect(fieldsOf(record)).toEqual(["images: a nice picture", "text: made 2024-05-06"]);
  });

  it("leave out the vector", () => {
    expect(fieldsOf({ v: "text", t: "x" }, { vectorAttribute: "v" })).toEqual(["t: x"]);
  });
});

describe("identifiers", () => {
  it("are found in any case and at any depth, under the top-level name, numbers too", () => {
    const record = { SKU: "AB-1", variants: [{ Sku: "AB-2", ean: 4006381333931 }, { ean: ["123", 4] }], title: "x" };
    expect(fieldsOf(record)).toEqual(["SKU:  | AB-1", "!title: x", "variants:  | AB-2, 4006381333931, 123, 4"]);
  });

  it("stand beside the texts of their field", () => {
    expect(fieldsOf({ variant: { color: "red", sku: "R-1" } })).toEqual(["variant: red | R-1"]);
  });

  it("are not blank, no booleans and no objects", () => {
    expect(fieldsOf({ sku: " ", variants: { ean: [true, null, { x: "y" }] } })).toEqual([]);
  });

  it("include the id when it is not digits alone", () => {
    expect(fieldsOf({ id: "AB-1" }, {}, "AB-1")).toEqual(["id:  | AB-1"]);
    expect(fieldsOf({ id: "0012" }, {}, "0012")).toEqual([]);
    expect(fieldsOf({ ref: "x1" }, { idAttribute: "ref" }, "x1")).toEqual(["ref:  | x1"]);
  });
});

describe("markup", () => {
  it("is no text: what is nothing else is no field, no title and no URL", () => {
    const record = {
      title: "<b> </b>",
      name: "<b>Lamp</b>",
      text: "<p>red</p><p>caf&eacute; &amp; tea</p>",
      link: "<br>",
    };
    expect(fieldsOf(record)).toEqual(["!name: Lamp", "text: red caf\u00e9 & tea"]);
    expect(fieldsOf({ source: "<p>https://example.com/lamp</p>" })).toEqual([]);
  });

  it("stays in identifiers, which are codes", () => {
    expect(fieldsOf({ sku: "A&amp;<b>1" })).toEqual(["sku:  | A&amp;<b>1"]);
  });
});

describe("the title", () => {
  it("is the first name of the list that the record has as text", () => {
    const names = [
      "Title",
      "product_title",
      "Product Name",
      "g:item_title",
      "itemName",
      "displayName",
      "NAME",
      "headline",
      "label",
    ];
    for (const [i, name] of names.entries())
      expect(
        titleOf(
          Object.fromEntries(
            names
              .slice(i)
              .map((each) => [each, "x"])
              .reverse(),
          ),
        ),
      ).toBe(name);
  });

  it("is neither blank nor anything but text nor nested", () => {
    expect(titleOf({ title: " ", name: "x" })).toBe("name");
    expect(titleOf({ title: 5, product_title: ["x"], label: "y" })).toBe("label");
    expect(titleOf({ nested: { title: "x" }, "a.title": "x" })).toBeUndefined();
    for (const name of ["Brand Name", "vendorName", "fileName", "First name", "subtitle", "title_id", "!"])
      expect(titleOf({ [name]: "x" }), name).toBeUndefined();
    // Of names that compare alike, the first by code unit.
    expect(titleOf({ title: "x", TITLE: "y", Title: " " })).toBe("TITLE");
    expect(titleOf(Object.create({ title: "inherited" }) as JsonRecord)).toBeUndefined();
  });
});

describe("named attributes", () => {
  const record = {
    id: "AB-1",
    title: "Drill",
    specs: { motor: "brushless", weight: 2.5, sku: "M-1" },
    "a.b": "dotted",
    a: { b: "nested" },
    link: "https://example.org",
    note: "x",
  };

  it("alone are searched, each path its own field, with numbers and addresses", () => {
    const searchable = ["specs.motor", "specs.weight", "link", "missing.path"];
    expect(fieldsOf(record, { searchableAttributes: searchable })).toEqual([
      "link: https://example.org",
      "specs:  | M-1",
      "specs.motor: brushless",
      "specs.weight: 2.5",
    ]);
  });

  it("keep their title", () => {
    expect(fieldsOf(record, { searchableAttributes: ["title"] })).toContain("!title: Drill");
  });

  it("that are identifiers are read as such", () => {
    expect(fieldsOf({ specs: { sku: "M-1" } }, { searchableAttributes: ["specs.sku"] })).toEqual(["specs:  | M-1"]);
  });

  it("may be the id", () => {
    expect(fieldsOf({ id: "AB-1" }, { searchableAttributes: ["id"] }, "AB-1")).toEqual(["id: AB-1 | AB-1"]);
  });

  it("are found by own properties only; a name with a dot of its own wins", () => {
    expect([valueAt(record, "a.b"), valueAt({ a: { b: 1 } }, "a.b"), valueAt(record, "specs.motor")]).toEqual([
      "dotted",
      1,
      "brushless",
    ]);
    for (const path of ["constructor", "specs.toString", "title.length", "a.b.c", "specs.motor.0", "", "."])
      expect(valueAt(record, path), path).toBeUndefined();
    expect(valueAt({ list: [1] }, "list.0")).toBeUndefined();
  });
});
