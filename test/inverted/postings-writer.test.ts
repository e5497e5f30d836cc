import { describe, expect, it } from "vitest";
import { FIELD_MASK, fieldAt, lengthAt, type Postings, TITLE_BIT } from "../../src/inverted/postings.js";
import { PostingsWriter } from "../../src/inverted/postings-writer.js";
import { offsetAt } from "../../src/util/offset-table.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";
import { placesOf, postingsOf } from "../support/word-index.js";

/** Where a term stands, as "record field frequency/length", titles with "!". */
function readPlaces(postings: Postings, text: string): string[] {
  const term = postings.dictionary.ordinalOf(text);
  if (term === undefined) return [];
  return placesOf(postings, term).map(({ doc, docField, frequency }) => {
    const field = fieldAt(postings, docField);
    const name = `${(field & TITLE_BIT) === 0 ? "" : "!"}${postings.fields[field & FIELD_MASK]}`;
    return `${doc} ${name} ${frequency}/${lengthAt(postings, docField)}`;
  });
}

describe("PostingsWriter", () => {
  const postings = postingsOf([
    { "!title": "red drill", body: "drill and drill" },
    { body: "red" },
    {},
    { "!name": "drill", title: "drill drill drill" },
  ]);

  it("knows each term's records, fields, frequencies and lengths", () => {
    expect(readPlaces(postings, "drill")).toEqual(["0 body 2/3", "0 !title 1/2", "3 !name 1/1", "3 title 3/3"]);
    expect(readPlaces(postings, "red")).toEqual(["0 !title 1/2", "1 body 1/1"]);
    expect(readPlaces(postings, "saw")).toEqual([]);
  });

  it("has one norm for all fields of one name and one length, numbered as they come", () => {
    const { fields, normFields, normLengths, fieldNorms } = postingsOf([
      { a: "red", b: "red drill" },
      { a: "blue", b: "saw" },
      { "!a": "saw", b: "two words" },
      { a: "red saw", b: "" },
      { a: "blue" },
    ]);
    const norms = Array.from(normFields, (field, norm) => {
      const title = (field & TITLE_BIT) === 0 ? "" : "!";
      return `${title}${fields[field & FIELD_MASK]} ${normLengths[norm]}`;
    });
    expect(norms).toEqual(["a 1", "b 2", "b 1", "!a 1", "a 2", "b 0"]);
    expect([...fieldNorms]).toEqual([0, 1, 0, 2, 3, 1, 4, 5, 0]);
  });

  it("knows each record's fields, of those without any too", () => {
    const ranges = [0, 1, 2, 3].map((doc) => [doc, doc + 1].map((end) => offsetAt(postings.docFields, end)));
    expect(ranges).toEqual([
      [0, 2],
      [2, 3],
      [3, 3],
      [3, 5],
    ]);
    expect(postings.maxDoc).toBe(4);
  });

  it("keeps posting lists in the order of the records", () => {
    for (let term = 0; term < postings.dictionary.size; term++) {
      const list = placesOf(postings, term).map(({ docField }) => docField);
      expect(list).toEqual([...new Set(list)].sort((a, b) => a - b));
    }
  });

  it("orders terms by code unit, whatever order they come in", () => {
    const terms = [
      "~",
      "a",
      "\u4e01",
      "\ud83d\ude00",
      "ab",
      "\u0100",
      "\0",
      "b",
      "\uffff",
      "\u4e00",
      "0",
      "\u00ff",
      "a~",
    ];
    for (const given of [terms, [...terms].reverse()]) {
      const writer = new PostingsWriter();
      writer.beginRecord();
      writer.beginField("body", false);
      for (const term of given) writer.add(term);
      writer.endField(given.length);
      const { dictionary } = runTaskAtOnce(writer.finish());
      expect(terms.map((_, ordinal) => dictionary.textAt(ordinal))).toEqual([...terms].sort());
    }
  });

  it("is empty when nothing was written", () => {
    const empty = runTaskAtOnce(new PostingsWriter().finish());
    expect([empty.maxDoc, empty.dictionary.size, empty.size, [...empty.starts]]).toEqual([0, 0, 0, [0]]);
  });

  it("counts up to 65,535 occurrences, and no further", () => {
    const writer = new PostingsWriter();
    writer.beginRecord();
    writer.beginField("body", false);
    for (let time = 0; time < 65_535; time++) writer.add("often");
    for (let time = 0; time < 70_000; time++) writer.add("more often");
    writer.endField(65_535);
    const postings = runTaskAtOnce(writer.finish());
    expect(postings.size).toBe(2);
    expect([0, 1].map((term) => placesOf(postings, term)[0]?.frequency)).toEqual([65_535, 65_535]);
  });

  it("takes terms that are names of JavaScript's own", () => {
    expect(readPlaces(postingsOf([{ a: "__proto__ constructor __proto__" }]), "__proto__")).toEqual(["0 a 2/3"]);
  });
});
