import { describe, expect, it } from "vitest";
import { readEngineOptions } from "../../src/input/engine-options.js";
import { checkSettings, copySettings, knownSettings } from "../../src/input/read-settings.js";
import { givenAlike, stableText, textInSteps } from "../../src/settings/fingerprint.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";
import { thrownBy } from "../support/refusal.js";

const take = (given: unknown) => runTaskAtOnce(copySettings(given));

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

/** How often a task pauses. */
function pausesOf(steps: Iterable<unknown>): number {
  let pauses = 0;
  for (const _ of steps) pauses++;
  return pauses;
}

describe("large settings", () => {
  const rules = [
    { id: "a", consequence: { hide: Array.from({ length: 50_000 }, (_, i) => i) } },
    { id: "b", conditions: Array.from({ length: 5000 }, (_, i) => ({ context: `c${i}` })), consequence: { hide: [1] } },
  ];

  it("are taken, checked, compared and written with pauses, counted by what is in them", () => {
    const taken = take({ rules });
    expect(pausesOf(copySettings({ rules }))).toBeGreaterThan(10);
    expect(pausesOf(checkSettings(taken, readEngineOptions({})))).toBeGreaterThan(200);
    expect(pausesOf(givenAlike(taken, take({ rules })))).toBeGreaterThan(50);
    expect(pausesOf(textInSteps(taken))).toBeGreaterThan(50);
  });

  it("are the same text in steps as at once", () => {
    const value = { b: [1, undefined, "\u2028", { z: null, a: undefined, c: true }], a: { "": -0 }, rules };
    expect(runTaskAtOnce(textInSteps(value))).toBe(stableText(value));
    expect(runTaskAtOnce(textInSteps(value, false))).toBe(JSON.stringify(value));
  });
});
