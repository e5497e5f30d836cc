import { expect } from "vitest";
import { runAtOnce } from "../../../src/base/slices.js";
import { WrittenTerms, writeDictionary } from "../../../src/text/names/term-dictionary.js";
import { TermAnswers } from "../../../src/text/title/term-answers.js";
import { property } from "../../support/random.js";

const PARTS = ["drill", "drills", "a", "b", "", "wh1000", "~"];

property("a term answers what it is, and what its stem is", 200, (random) => {
  const text = (): string => random.pick(PARTS) + random.pick(PARTS);
  const name = (): string => (random.chance(0.5) ? text() : `~${text()}~${text()}`);
  const distinct = (most: number): string[] => [...new Set(random.list(1, most, name))].filter((one) => one !== "");
  const names = distinct(40).sort();
  const written = new WrittenTerms();
  for (const one of names) written.numberOf(one, true);
  const table = runAtOnce(writeDictionary(written, Uint32Array.from(names.keys())));
  const asked = new Map(distinct(30).map((one, number) => [one, number]));
  const answers = new TermAnswers(table, asked);
  for (const [term, one] of names.entries()) {
    // A marked name is its stem, which may hold marks itself, and the word as it was written.
    const stem = one.startsWith("~") ? one.slice(1, one.lastIndexOf("~")) : one;
    const expected = [asked.get(one), stem === one ? undefined : asked.get(stem)];
    expect(answers.of(term)).toEqual(expected.filter((number) => number !== undefined));
  }
});
