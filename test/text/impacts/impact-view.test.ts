import { describe, expect, it } from "vitest";
import { runTaskAtOnce } from "../../../src/base/tasks.js";
import { impactsOf } from "../../../src/text/impacts/impact-view.js";
import { alternativesKey, type QueryTerm, type TermAlternative } from "../../../src/text/query-term.js";
import { property, type Random } from "../../support/random.js";
import { segmentOf, termOf } from "../../support/word-index.js";

/** With b = 0 lengths do not count, so that frequencies are plain to see. */
const segment = segmentOf(
  [
    { "!title": "wi fi", body: "wi fi fi" },
    { body: "wifi wifi wifi" },
    { body: "wi router" },
    { body: "wifi wi fi fi" },
    { body: "cable" },
  ],
  0,
);

function matched(term: QueryTerm, of = segment): Record<number, number> {
  const view = impactsOf(of, 1.2);
  const made = runTaskAtOnce(view.makeList(term, alternativesKey(term)));
  if (made === null) return {};
  const list = view.weigh(term, made.kinds);
  const docs = [...list.holders.docs];
  expect(docs).toEqual([...docs].sort((a, b) => a - b));
  return Object.fromEntries(docs.map((doc, i) => [doc, list.frequencies[list.kinds[i]!]!]));
}

describe("a term of a query", () => {
  it("counts its occurrences in all fields, those in a title twice", () => {
    expect(matched(termOf("wi"))).toEqual({ 0: 3, 2: 1, 3: 1 });
    expect(matched(termOf("cable"))).toEqual({ 4: 1 });
  });

  it("is held by nobody when no record has it", () => {
    expect(matched(termOf("sofa"))).toEqual({});
    expect(matched(termOf("wi+sofa"))).toEqual({});
    expect(matched(termOf("sofa+wi"))).toEqual({});
  });

  it("of several parts is held where all are, and counts as often as the rarest", () => {
    expect(matched(termOf("wi+fi"))).toEqual({ 0: 3, 3: 1 });
    expect(matched(termOf("fi+router"))).toEqual({});
  });

  it("of several alternatives counts as the best of them", () => {
    expect(matched(termOf("wifi", "wi+fi"))).toEqual({ 0: 3, 1: 3, 3: 1 });
    expect(matched(termOf("fi", "wifi"))).toEqual({ 0: 4, 1: 3, 3: 2 });
    expect(matched(termOf("sofa", "cable"))).toEqual({ 4: 1 });
  });

  it("weighs each alternative", () => {
    expect(matched(termOf("wifi", ["wi+fi", 0.5]))).toEqual({ 0: 1.5, 1: 3, 3: 1 });
    expect(matched(termOf(["fi", 0.5], "wifi"))).toEqual({ 0: 2, 1: 3, 3: 1 });
  });

  it("counts less in a field longer than the mean, more in a shorter one", () => {
    const found = matched(termOf("a"), segmentOf([{ body: "a" }, { body: "a b c" }], 0.5));
    // mean length 2; by hand 1 / (0.5 + 0.5 * 1 / 2) and 1 / (0.5 + 0.5 * 3 / 2)
    expect(Object.values(found)).toEqual([1 / 0.75, 1 / 1.25]);
  });
});

const WORDS = ["a", "b", "c", "d", "e", "f"];

function randomTerm(random: Random): QueryTerm {
  const alternatives = random.list(1, 5, (): TermAlternative => {
    const alternative = { terms: random.list(1, 3, () => random.pick(WORDS)), weight: random.pick([1, 1, 0.5, 0.3]) };
    return random.chance(0.6) ? alternative : { ...alternative, notIn: new Set(random.some(["title", "body"], 0.4)) };
  });
  return { key: "term", alternatives };
}

/** What a record earns, from the lists of single index terms. */
function earned(term: QueryTerm, single: (text: string, notIn?: ReadonlySet<string>) => Record<number, number>) {
  const found: Record<number, number> = {};
  for (const { terms, weight, notIn } of term.alternatives) {
    const [first, ...others] = terms.map((text) => single(text, notIn));
    for (const doc of Object.keys(first!).map(Number)) {
      const least = others.reduce((frequency, other) => Math.min(frequency, other[doc] ?? 0), first![doc]!);
      if (least > 0) found[doc] = Math.max(found[doc] ?? 0, weight * least);
    }
  }
  return found;
}

property("joined lists say of each record what its single terms say, also when mean lengths change", 60, (random) => {
  const text = () => random.list(1, 9, () => random.pick([...WORDS, "x", "y"])).join(" ");
  const records = random.list(1, random.pick([5, 200]), () =>
    random.chance(0.5) ? { "!title": text(), body: text() } : { body: text() },
  );
  const first = segmentOf(records);
  const terms = random.list(1, 6, () => randomTerm(random));
  for (let turn = 0; turn < 3; turn++) {
    const averages = first.fields.averages.map((average) => average * (0.5 + random.next()));
    const now = turn === 0 ? first : { ...first, fields: { ...first.fields, averages } };
    const single = (text: string, notIn?: ReadonlySet<string>) =>
      matched({ key: text, alternatives: [{ terms: [text], weight: 1, ...(notIn && { notIn }) }] }, now);
    for (const term of random.shuffle(terms)) expect(matched(term, now)).toEqual(earned(term, single));
  }
});
