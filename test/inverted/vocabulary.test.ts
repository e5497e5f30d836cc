import { expect, it } from "vitest";
import { Vocabulary } from "../../src/inverted/vocabulary.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";
import { segmentOf } from "../support/word-index.js";

it("words and terms that begin with a prefix are the shortest, at most as many as asked for", () => {
  const first = segmentOf([{ title: "vacuum ~vaccin~vaccine", sku: "=wh1000" }, { title: "vacuum ~vacuum~vacuums" }]);
  const vocabulary = new Vocabulary([first, segmentOf([{ title: "vacant", sku: "=wh2" }])]);
  const words = (most: number) => runTaskAtOnce(vocabulary.wordsFrom("vac", most));
  expect(words(9)).toEqual(["vacant", "vacuum", "~vaccin~vaccine", "~vacuum~vacuums"]);
  expect([words(2), words(0)]).toEqual([["vacant", "vacuum"], []]);
  const terms = (most: number) => runTaskAtOnce(vocabulary.termsFrom("=wh", most));
  expect([terms(9), terms(1)]).toEqual([["=wh2", "=wh1000"], ["=wh2"]]);
});
