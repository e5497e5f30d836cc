import { describe, expect, it } from "vitest";
import { FIELD_MASK, TITLE_BIT } from "../../src/inverted/postings.js";
import { PostingsWriter } from "../../src/inverted/postings-writer.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";
import { placesOf, postingsOf } from "../support/word-index.js";

describe("PostingsWriter", () => {
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
});
