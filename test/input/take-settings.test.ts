import { describe, expect, it } from "vitest";
import { knownSettings, takeSettings } from "../../src/input/read-settings.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";
import { thrownBy } from "../support/refusal.js";

const take = (given: unknown) => runTaskAtOnce(takeSettings(given));

describe("a copy of settings", () => {
  it("holds what was given, and what the caller changes later does not reach it", () => {
    const given = { bm25: { k1: 1 }, optionalWords: ["a"], unknown: [1] };
    const copy = take(given);
    given.bm25.k1 = 2;
    given.optionalWords.push("b");
    expect(copy).toEqual({ bm25: { k1: 1 }, optionalWords: ["a"], unknown: [1] });
    expect(take(undefined)).toEqual({});
  });

  it("keeps analyzer and embedder as they are, and what cannot be copied for the checks to refuse", () => {
    class Own {
      readonly id = "own";
      analyze(text: string): string[] {
        return [text];
      }
    }
    const analyzer = new Own();
    const embedder = { id: "own", dimensions: 1 };
    const copy = take({ analyzer, embedder, matching: analyzer.analyze });
    expect(copy).toEqual({ analyzer, embedder, matching: expect.any(Function) });
    expect([copy.analyzer === analyzer, Object.is(copy.embedder, embedder)]).toEqual([true, true]);
  });

  it("is made of objects alone", () => {
    expect(thrownBy(() => take(5))).toMatchObject({
      code: 400,
      error: "invalid_settings",
      param: "settings",
      msg: "settings is 5; pass an object.",
    });
  });
});

it("known settings are those that have a name we know", () => {
  const given = take({ matching: "all", unknown: 1, distinct: false });
  expect(knownSettings(given)).toEqual({ matching: "all", distinct: false });
  expect(Object.keys(knownSettings({}))).toEqual([]);
});
