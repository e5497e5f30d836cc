import { expect, it } from "vitest";
import { TitleEvidence } from "../../../src/inverted/title/title-evidence.js";
import { weighQuery } from "../../../src/inverted/weigh-terms.js";
import { Kept } from "../../../src/util/kept.js";
import { runTaskAtOnce } from "../../../src/util/tasks.js";
import { segmentOf, termOf } from "../../support/word-index.js";

it("a score and its title's part are divided by the number that is documented, to the last bit", () => {
  const segments = [segmentOf([{ "!title": "a b" }])];
  const corpus = { segments, maxDoc: 1, docCount: 1, k1: 1.2, kept: new Kept() };
  const query = runTaskAtOnce(weighQuery(corpus, [termOf("a"), termOf("b")]));
  expect(
    new TitleEvidence(
      query,
      {
        tokens: [],
        head: -1,
        headNeedsAll: false,
        isSameWord: () => false,
        belonging: new Set(),
        unwanted: [],
        size: 2,
      },
      true,
    ).divisor,
  ).toBe(1.6);
});
