import { describe, expect, it } from "vitest";
import {
  highlightRecord as highlightRecordTask,
  snippetRecord as snippetRecordTask,
} from "../../src/query/shape/highlight.js";
import type { JsonRecord } from "../../src/util/json.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";
import { matcherOf } from "../support/query-matcher.js";

const highlightRecord = (...args: Parameters<typeof highlightRecordTask>) =>
  runTaskAtOnce(highlightRecordTask(...args));
const snippetRecord = (...args: Parameters<typeof snippetRecordTask>) => runTaskAtOnce(snippetRecordTask(...args));

const RECORD: JsonRecord = {
  id: 7,
  title: "Red mug",
  colors: ["red", "blue", null, 3],
  category: { main: "mugs", deep: { path: "red things", flag: true } },
  variants: [{ color: "red", size: 1 }, { size: 2 }, "loose"],
  "brand.name": "Mug & Co",
  brand: { name: "not this" },
  sold: false,
  none: null,
  empty: {},
};
const TAGS = { highlightPreTag: "[", highlightPostTag: "]", escapeHTML: true, matchedPositions: false };
const values = (shaped: unknown): unknown =>
  JSON.parse(JSON.stringify(shaped), (_key, value) => (typeof value?.value === "string" ? value.value : value));
const highlighted = (...paths: string[]) => values(highlightRecord(RECORD, paths, () => matcherOf("red mug 7"), TAGS));
const cut = (...paths: string[]) => {
  const record = { a: "one two three four red five six seven eight nine ten eleven", b: { c: "one red two three" } };
  return values(snippetRecord(record, paths, () => matcherOf("red"), { ...TAGS, snippetEllipsisText: "…" }));
};

describe("highlightRecord", () => {
  it("is nested as the record is", () => {
    expect(highlighted("*")).toEqual({
      id: "[7]",
      title: "[Red] [mug]",
      colors: ["[red]", "blue", {}, "3"],
      category: { main: "[mugs]", deep: { path: "[red] things" } },
      variants: [{ color: "[red]", size: "1" }, { size: "2" }, "loose"],
      "brand.name": "[Mug] &amp; Co",
      brand: { name: "not this" },
    });
  });

  it("takes names and dotted paths, also into arrays", () => {
    expect(highlighted("title", "category.deep", "variants.color")).toEqual({
      title: "[Red] [mug]",
      category: { deep: { path: "[red] things" } },
      variants: [{ color: "[red]" }, {}, {}],
    });
    expect(highlighted("brand.name")).toEqual({ "brand.name": "[Mug] &amp; Co" });
    expect(highlighted("category.*")).toEqual({ category: { main: "[mugs]", deep: { path: "[red] things" } } });
  });

  it("leaves out what is missing or neither text nor number", () => {
    expect(highlighted("nope", "sold", "none", "empty", "title.length", "colors.0", "toString", "__proto__.x")).toEqual(
      {},
    );
  });

  it("does not mind names such as __proto__", () => {
    const record = JSON.parse('{"__proto__": {"constructor": "red"}}') as JsonRecord;
    const shaped = highlightRecord(record, ["*"], () => matcherOf("red"), TAGS);
    expect(Object.keys(shaped)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(shaped)).toBe(Object.prototype);
  });
});

describe("snippetRecord", () => {
  it("cuts to the words asked for, or to ten", () => {
    expect(cut("a:3", "b.c:2")).toEqual({ a: "…four [red] five…", b: { c: "one [red]…" } });
    expect(cut("a")).toEqual({ a: "one two three four [red] five six seven eight nine…" });
  });

  it("takes all, with exceptions", () => {
    expect(cut("*:2", "a:1")).toEqual({ a: "…[red]…", b: { c: "one [red]…" } });
  });
});
