// Titles looked at before they are read: nothing that could reach what is needed may be passed over.

import { expect, it } from "vitest";
import { runTaskAtOnce } from "../../../src/base/tasks.js";
import { planText } from "../../../src/text/impacts/text-plan.js";
import type { QueryTerm } from "../../../src/text/query-term.js";
import { TitlesBySegment } from "../../../src/text/title/segment-titles.js";
import { TitleEvidence } from "../../../src/text/title/title-evidence.js";
import { TitleGlance } from "../../../src/text/title/title-glance.js";
import { TitleQuestion } from "../../../src/text/title/title-question.js";
import { TitleReading } from "../../../src/text/title/title-reading.js";
import { titleWordsOf } from "../../../src/text/title/title-words.js";
import { property, type Random } from "../../support/random.js";
import { corpusOf, type PlainRecord } from "../../support/word-index.js";

const WORDS = "ant bee cat dog eel fox gnu hen".split(" ");

/** Words that are known, by how near they are to each other. */
type Nearness = ReadonlyMap<string, ReadonlyMap<string, number>>;

const speakerOf = (nearness: Nearness) => ({
  meaningOf: (word: string) =>
    nearness.has(word)
      ? { word, nearnessTo: (other: object) => nearness.get(word)!.get((other as { readonly word: string }).word)! }
      : null,
});

function plan(parts: readonly (readonly PlainRecord[])[], terms: readonly QueryTerm[]) {
  return runTaskAtOnce(planText(corpusOf(parts), terms));
}

const word = (text: string): QueryTerm => ({ key: text, word: text, alternatives: [{ terms: [text], weight: 1 }] });

/** Held by both words together, too, and as another than in some field. */
const several = (text: string, parts: readonly string[], notIn?: ReadonlySet<string>): QueryTerm => ({
  ...word(text),
  alternatives: [
    { terms: [text], weight: 1, ...(notIn === undefined ? {} : { notIn }) },
    { terms: parts, weight: 0.5 },
  ],
});

function randomTerm(random: Random, text: string, i: number): QueryTerm {
  if (random.chance(0.7)) return word(text);
  const parts = [WORDS[(i + 3) % 8]!, WORDS[(i + 5) % 8]!];
  return several(text, parts, random.chance(0.3) ? new Set(["title"]) : undefined);
}

const textOf = (random: Random) => random.list(0, 5, () => random.pick(WORDS)).join(" ");

property("what reaches the least asked for is told as if none were, and nothing else reaches it", 60, (random) => {
  const known = WORDS.filter(() => random.chance(0.7));
  const nearness = new Map(known.map((one) => [one, new Map(known.map((other) => [other, random.next()]))]));
  const parts = random.list(1, 3, () =>
    random.list(1, 20, (): PlainRecord => ({ "!title": textOf(random), body: textOf(random) })),
  );
  const asked = random.shuffle(WORDS).slice(0, random.between(1, 5));
  const laid = plan(
    parts,
    asked.map((text, i) => randomTerm(random, text, i)),
  );
  const words = runTaskAtOnce(titleWordsOf(laid.corpus, speakerOf(nearness)));
  const exact = Array.from({ length: laid.corpus.docSpan }, (_, doc) => new TitleEvidence(laid, words).sumOf(doc));
  const titles = new TitleEvidence(laid, words);
  // Last bits do not count.
  for (const least of [...exact.flatMap((sum) => [sum - 1e-9, sum + 1e-9]), 0, 0.05, 0.1, titles.most])
    for (const [doc, sum] of exact.entries()) {
      const told = titles.sumOf(doc, least);
      if (sum >= least) expect(told).toBe(sum);
      else expect(told).toBeLessThan(least);
    }
});

/** A glance at the title of a record. */
function glanceAt(records: readonly PlainRecord[], terms: readonly QueryTerm[], nearness: Nearness) {
  const laid = plan([records], terms);
  const words = runTaskAtOnce(titleWordsOf(laid.corpus, speakerOf(nearness)));
  const question = new TitleQuestion(laid);
  const glance = new TitleGlance(question, words);
  const titles = new TitlesBySegment(laid, question).of(laid.segments[0]!);
  const rows = new TitleReading(question, words).nearnessRows();
  return (doc: number) => {
    glance.look(titles, doc, rows);
    const before = [...glance.nearest];
    glance.compare(titles, rows);
    return { held: glance.held, before, nearest: [...glance.nearest] };
  };
}

it("tells the terms that a title holds, and of the others how near its nearest word is", () => {
  const nearness = new Map([
    [
      "bee",
      new Map([
        ["fox", 0.25],
        ["hen", 0.75],
        ["bee", 1],
      ]),
    ],
    [
      "cat",
      new Map([
        ["fox", 0.5],
        ["hen", 0.125],
        ["bee", 0],
      ]),
    ],
    ["fox", new Map()],
    ["hen", new Map()],
  ]);
  const records = [{ "!title": "fox hen" }, { "!title": "bee fox", body: "cat ant" }, { body: "cat" }];
  const glance = glanceAt(records, ["ant", "bee", "cat"].map(word), nearness);
  expect(glance(0)).toEqual({ held: 0b000, before: [0, 1, 1], nearest: [0, 0.75, 0.5] });
  expect(glance(1)).toEqual({ held: 0b010, before: [0, 1, 1], nearest: [0, 1, 0.5] });
  expect(glance(2)).toEqual({ held: 0b000, before: [0, 1, 1], nearest: [0, 0, 0] });
});

it("takes a term for held where a part of it stands in the title", () => {
  const glance = glanceAt(
    [{ "!title": "fox" }, { "!title": "hen" }],
    [word("bee"), several("cat", ["fox", "dog"])],
    new Map(),
  );
  expect([glance(0).held, glance(1).held]).toEqual([0b10, 0]);
});

it("is possible for 31 terms that count in every field", () => {
  const possible = (terms: readonly QueryTerm[]) => {
    const laid = plan([[{ "!title": "ant" }]], terms);
    return new TitleGlance(new TitleQuestion(laid), runTaskAtOnce(titleWordsOf(laid.corpus, null))).isPossible;
  };
  const many = Array.from({ length: 32 }, (_, i) => word(`w${i}`));
  expect([possible(many), possible(many.slice(1))]).toEqual([false, true]);
  expect([possible([several("cat", ["ant"], new Set(["title"]))]), possible([several("cat", ["ant"])])]).toEqual([
    false,
    true,
  ]);
});
