import { expect, it } from "vitest";
import { runTaskAtOnce } from "../../../src/base/tasks.js";
import { TitleEvidence } from "../../../src/text/title/title-evidence.js";
import { titleWordsOf } from "../../../src/text/title/title-words.js";
import { weighQuery } from "../../../src/text/weighted-query.js";
import { segmentOf, termOf } from "../../support/word-index.js";

it("a score and its title's part are divided by the numbers that are documented, to the last bit", () => {
  const corpus = { segments: [segmentOf([{ "!title": "a b" }])], docSpan: 1, docCount: 1, k1: 1.2 };
  const query = runTaskAtOnce(weighQuery(corpus, [termOf("a"), termOf("b")]));
  const divisorWith = (speaker: Parameters<typeof titleWordsOf>[1]): number =>
    new TitleEvidence(query, runTaskAtOnce(titleWordsOf(corpus, speaker))).divisor;
  expect(divisorWith(null)).toBe(1.1);
  expect(divisorWith({ meaningOf: () => null })).toBe(1.15);
});
