// Queries as static-en reads them, against sums of unpacked rows in floating point.

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { resolveEnglishWord } from "../../src/embedding/resolve-english-word.js";
import { parseWordTable } from "../../src/embedding/word-table.js";
import { createStaticEnEmbedder, embedPartsSteps, STATIC_EN } from "../../src/embedding/word-table-embedder.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";

const bytes = readFileSync(new URL("../../src/embedding/static-en-2-65k-192-int4.bin", import.meta.url));
const table = parseWordTable(bytes, STATIC_EN);

type Vector = readonly number[];
const NOTHING = { outOfVocabulary: [], isHeld: () => false };

/** What the words of a text add, each whole word with one row. */
function row(text: string): Vector {
  return plus(
    ...text.split(" ").map((word) => {
      const [found] = resolveEnglishWord(table, word).rows;
      return Array.from({ length: 192 }, (_, i) => {
        const pair = table.codes[96 * found! + (i >> 1)]!;
        return table.scales[found!]! * ((i % 2 === 0 ? pair >> 4 : pair & 15) - 8);
      });
    }),
  );
}

const plus = (...vectors: readonly Vector[]): Vector =>
  vectors[0]!.map((_, i) => vectors.reduce((sum, v) => sum + v[i]!, 0));
const times = (vector: Vector, factor: number): Vector => vector.map((component) => component * factor);
const lengthOf = (vector: Vector): number => Math.sqrt(vector.reduce((sum, component) => sum + component ** 2, 0));
const unit = (vector: Vector): Vector => times(vector, 1 / lengthOf(vector));
const dot = (a: Vector, b: Vector): number => a.reduce((sum, one, i) => sum + one * b[i]!, 0);
const cosine = (a: Vector, b: Vector): number => dot(unit(a), unit(b));

function embed(
  parts: readonly (readonly string[])[],
  outOfVocabulary: readonly string[] = [],
  held: readonly string[] = [],
) {
  const vector = runTaskAtOnce(
    embedPartsSteps(table, parts, { outOfVocabulary, isHeld: (word) => held.includes(word) }),
  );
  return vector === null ? null : [...vector];
}

function expectSame(given: Vector | null, expected: Vector): void {
  expect(cosine(given!, expected)).toBeCloseTo(1, 12);
  expect(lengthOf(given!)).toBeCloseTo(1, 6);
}

describe("a part with synonyms", () => {
  it("means by half its own text, and by half the mean of the others", () => {
    const one = times(plus(row("hoover"), row("vacuum cleaner")), 0.5);
    expectSame(embed([["hoover", "vacuum cleaner"], ["bags"]]), plus(one, row("bags")));
    const more = plus(times(row("couch"), 0.5), times(plus(row("sofa"), row("settee")), 0.25));
    expectSame(embed([["couch", "sofa", "settee", "xqzt"], ["leather"]]), plus(more, row("leather")));
  });

  it("means those that are known alone", () => {
    expectSame(embed([["xqzt", "sofa", "wqrt"], ["leather"]]), row("sofa leather"));
    expectSame(embed([["xqzt", "sofa", "couch"], ["leather"]]), plus(times(row("sofa couch"), 0.5), row("leather")));
    expectSame(embed([["sofa", "wqrt"], ["leather"]]), row("sofa leather"));
    expect(embed([["xqzt", "wqrt"]])).toBeNull();
  });

  it("means without synonyms what its text means", async () => {
    const embedder = createStaticEnEmbedder(bytes);
    const [whole] = await embedder.embed(["Leather sofa, grey"], { purpose: "query" });
    expect(await embedder.embedParts!([["Leather sofa, grey"]], NOTHING)).toEqual(whole);
  });
});

describe("a word that no record holds", () => {
  it("leans on the held ones near it, which together count as much as itself", () => {
    const [settee, sofa, bench] = [row("settee"), row("sofa"), row("bench")];
    const near = times(plus(unit(sofa), unit(bench)), lengthOf(settee) / 2);
    expectSame(embed([["settee for two"]], ["settee"], ["sofa", "bench"]), plus(row("settee for two"), near));
  });

  it("leans on the nearest five, and on none with a cosine below .4", () => {
    const pram = row("pram");
    const words = Array.from({ length: table.words.size }, (_, row) => table.words.at(row));
    const others = words.filter((word) => word !== "pram" && /^[a-z]+$/.test(word)).slice(0, 20_000);
    const near = others
      .map((word) => ({ word, nearness: cosine(pram, row(word)) }))
      .sort((a, b) => b.nearness - a.nearness);
    const five = near.slice(0, 5).map(({ word }) => unit(row(word)));
    const expected = plus(pram, times(plus(...five), lengthOf(pram) / 5));
    const held = near.slice(0, 40).map(({ word }) => word);
    expectSame(embed([["pram"]], ["pram"], [...held, "pram"]), expected);
    const far = near.filter(({ nearness }) => nearness < 0.4).map(({ word }) => word);
    expectSame(embed([["pram"]], ["pram"], far), pram);
    const least = near.filter(({ nearness }) => nearness >= 0.4).at(-1)!;
    expect(cosine(embed([["pram"]], ["pram"], [least.word])!, pram)).toBeLessThan(0.99);
  });

  it("leans on nothing where the table does not know it", () => {
    expectSame(embed([["sofa xqzt"]], ["xqzt"], ["sofa"]), row("sofa"));
  });

  it("leans the same way whatever was asked before", () => {
    const first = embed([["stroller"]], ["stroller"], ["buggy", "wagon"]);
    embed([["stroller"]], ["stroller"], ["wheels"]);
    expect(embed([["stroller"]], ["stroller"], ["buggy", "wagon"])).toEqual(first);
  });
});

it("pauses, and can be aborted", async () => {
  const signal = AbortSignal.abort();
  await expect(createStaticEnEmbedder(bytes).embedParts!([["sofa"]], { ...NOTHING, signal })).rejects.toMatchObject({
    code: 499,
  });
  const steps = embedPartsSteps(parseWordTable(bytes, STATIC_EN), [["lorry"]], {
    outOfVocabulary: ["lorry"],
    isHeld: () => false,
  });
  let pauses = 0;
  while (!steps.next().done) pauses++;
  expect(pauses).toBeGreaterThan(100);
});
