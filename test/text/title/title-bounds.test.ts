import { expect, it } from "vitest";
import { runTaskAtOnce } from "../../../src/base/tasks.js";
import { planText } from "../../../src/text/impacts/text-plan.js";
import { TitleBounds } from "../../../src/text/title/title-bounds.js";
import { TitleEvidence } from "../../../src/text/title/title-evidence.js";
import { titleWordsOf } from "../../../src/text/title/title-words.js";
import { property, type Random } from "../../support/random.js";
import { corpusOf, type PlainRecord, termOf } from "../../support/word-index.js";

const WORDS = "a b c d e f g h i j k l m n o".split(" ");

function plan(parts: readonly (readonly PlainRecord[])[], words: readonly string[]) {
  return runTaskAtOnce(
    planText(
      corpusOf(parts),
      words.map((word) => termOf(word)),
    ),
  );
}

const textOf = (random: Random, words: readonly string[]) => random.list(0, 6, () => random.pick(words)).join(" ");

property(
  "what titles add lies between the bounds, and is the least where no pair of neighbours is held",
  40,
  (random) => {
    const words = WORDS.slice(0, random.between(2, 6));
    const parts = random.list(1, 3, () =>
      random.list(1, 30, (): PlainRecord => ({ "!title": textOf(random, words), body: textOf(random, words) })),
    );
    const asked = random.shuffle(WORDS.slice(0, random.between(1, 6)));
    const laid = plan(parts, asked);
    const titles = new TitleEvidence(laid, runTaskAtOnce(titleWordsOf(laid.corpus, null)));
    const bounds = titles.bounds();
    for (const [i, records] of parts.entries()) {
      const held = bounds.heldIn(laid.segments[i]!);
      for (const [doc, record] of records.entries()) {
        const own = Object.values(record).join(" ").split(" ");
        const holds = asked.map((word) => own.includes(word));
        expect(held[doc]).toBe(holds.reduce((set, has, term) => set + (has ? 2 ** term : 0), 0));
        const [least, most] = [bounds.least[held[doc]!]!, bounds.most[held[doc]!]!];
        const sum = titles.sumOf(laid.segments[i]!.segment.base + doc);
        expect(sum).toBeGreaterThanOrEqual(least);
        expect(sum).toBeLessThanOrEqual(most + 1e-12);
        if (!holds.some((has, term) => has && holds[term + 1])) expect([sum, most]).toEqual([least, least]);
      }
    }
  },
);

it("a title with all neighbours together reaches what is the most", () => {
  const laid = plan([[{ "!title": "a b" }, { body: "b a" }, { body: "a" }, { body: "x" }]], ["a", "b"]);
  const titles = new TitleEvidence(laid, runTaskAtOnce(titleWordsOf(laid.corpus, null)));
  const { least, most } = titles.bounds();
  // Three hold "a", two "b", of four: idfs ln(1 + 1.5 / 3.5) and ln(1 + 2.5 / 2.5); the share that is held counts .075.
  const [a, b] = [Math.log(1 + 1.5 / 3.5), Math.log(2)];
  const shares = [0, (0.075 * a) / (a + b), (0.075 * b) / (a + b), 0.075];
  for (const [set, share] of shares.entries()) expect(least[set]).toBeCloseTo(share, 12);
  expect([...most].slice(0, 3)).toEqual([...least].slice(0, 3));
  expect(most[3]).toBeCloseTo(0.1, 12);
  expect(titles.sumOf(0)).toBeCloseTo(0.1, 12);
});

it("of more than twelve terms no set is told apart", () => {
  for (const [terms, sets] of [
    [12, 4096],
    [13, 1],
  ] as const) {
    const laid = plan([[{ body: WORDS.join(" ") }]], WORDS.slice(0, terms));
    const titles = new TitleEvidence(laid, runTaskAtOnce(titleWordsOf(laid.corpus, null)));
    const bounds = titles.bounds();
    expect(bounds.least).toHaveLength(sets);
    expect(bounds.heldIn(laid.segments[0]!)[0]).toBe(sets - 1);
    if (sets === 1) expect([bounds.least[0], bounds.most[0]]).toEqual([0, titles.most]);
  }
});

it("where words are known, all titles have the same bounds", () => {
  const laid = plan([[{ "!title": "a b" }]], ["a", "b"]);
  const speaker = { meaningOf: () => ({ nearnessTo: () => 0 }) };
  const titles = new TitleEvidence(laid, runTaskAtOnce(titleWordsOf(laid.corpus, speaker)));
  const { least, most } = titles.bounds();
  expect([[...least], [...most]]).toEqual([[0], [titles.most]]);
});

it("the sets of a segment are its own, though another came before", () => {
  const laid = plan([[{ body: "a" }, { body: "a b" }], [{ body: "b" }]], ["a", "b"]);
  const bounds = new TitleBounds(2, () => ({ least: 0, most: 0 }));
  expect([...bounds.heldIn(laid.segments[0]!).slice(0, 2)]).toEqual([1, 3]);
  expect(bounds.heldIn(laid.segments[1]!)[0]).toBe(2);
});
