import { describe, expect, it } from "vitest";
import { FieldRules } from "../../src/settings/field-rules.js";
import { embeddedText, readFields } from "../../src/state/read-fields.js";
import type { JsonRecord } from "../../src/util/json.js";
import { settingsFrom } from "../support/states.js";

function textOf(record: JsonRecord, embeddedAttributes: readonly string[] | null = null): string {
  const rules = new FieldRules({ ...settingsFrom().shown, embeddedAttributes });
  return embeddedText(record, readFields(record, "AB-1", rules), rules);
}

describe("by default, the embedded text", () => {
  it("is the title twice, then the other fields, without identifiers", () => {
    const record = { id: "AB-1", title: "Drill", brand: "Forge", specs: { sku: "M-1", motor: "brushless" }, price: 5 };
    expect(textOf(record)).toBe("Drill Drill Forge brushless");
  });

  it("has no markup", () => {
    const record = { title: "<b>Drill</b>", text: "<ul><li>18&nbsp;V</li><li>brush&shy;less</li></ul>" };
    expect(textOf(record)).toBe("Drill Drill 18\u00a0V brush\u00adless");
    expect(textOf(record, ["text"])).toBe("18\u00a0V brush\u00adless");
  });

  it("is what there is where there is no title, and empty where there is nothing", () => {
    expect(textOf({ brand: "Forge" })).toBe("Forge");
    expect(textOf({ sku: "M-1", price: 5 })).toBe("");
  });
});

describe("embeddedAttributes", () => {
  const record = { title: "Drill", specs: { motor: "brushless", volts: 18, list: ["a", { b: "c" }, null, true] } };

  it("are embedded in the order named, texts and numbers at any depth", () => {
    expect(textOf(record, ["specs", "title"])).toBe("brushless 18 a c Drill");
    expect(textOf(record, ["specs.volts", "missing"])).toBe("18");
  });

  it("give nothing where the record has none of them", () => {
    expect(textOf(record, ["missing"])).toBe("");
    expect(textOf({ title: "  " }, ["title"])).toBe("");
  });
});
