// The user's own analyzer and embedder: what is taken of them, and what they may do.

import { describe, expect, it } from "vitest";
import { checkEmbedder, readAnalyzer } from "../../src/input/extensions.js";
import { Checker } from "../../src/input/kinds.js";
import type { Analyzer, Embedder } from "../../src/util/extension-points.js";
import { DEFAULT_LIMITS } from "../../src/util/limits.js";
import { thrownBy } from "../support/refusal.js";

const own = (more: object = {}) => ({ id: "own", dimensions: 3, embed: async () => [[1, 2, 3]], ...more });

/** What is read of an embedder, or the parameters that are complained about. */
function embedder(value: unknown): Embedder | readonly string[] {
  const check = new Checker("invalid_setting", "settings");
  const read = checkEmbedder("embedder", value, check, DEFAULT_LIMITS);
  return read ?? check.complaints.map(({ param }) => param);
}

function taken(value: unknown): Embedder {
  const read = embedder(value);
  if ("id" in read) return read;
  throw new Error(`refused: ${read.join()}`);
}

function analyzer(value: unknown): string | Analyzer | readonly string[] {
  const check = new Checker("invalid_setting", "settings");
  const read = readAnalyzer(value, undefined, check);
  return check.complaints.length === 0 ? read : check.complaints.map(({ param }) => param);
}

function analyzed(value: unknown, text: string): readonly string[] {
  const read = analyzer(value);
  return typeof read === "object" && "analyze" in read ? read.analyze(text) : [];
}

describe("an embedder", () => {
  it("is taken with its defaults", () => {
    expect(taken(own())).toMatchObject({ id: "own", dimensions: 3, maxBatchSize: 256, wordsOnly: false });
    expect(taken(own({ maxBatchSize: 1_000_000 })).maxBatchSize).toBe(1_000_000);
    expect(taken(own({ id: "x".repeat(256) })).id).toHaveLength(256);
  });

  it("knows words only where it says so with true", () => {
    const wordsOnly = (given: unknown) => taken(own({ wordsOnly: given })).wordsOnly;
    expect([true, false, 1, "true", undefined].map(wordsOnly)).toEqual([true, false, false, false, false]);
  });

  it("knows the words it says it knows, and none where it cannot say", () => {
    const knows = (given: unknown) => taken(own({ knows: given })).knows?.("couch");
    const throwing = () => {
      throw new Error("theirs");
    };
    expect([(word: string) => word === "couch", () => false, () => "yes"].map(knows)).toEqual([true, false, false]);
    expect([throwing, undefined, true, "couch"].map(knows)).toEqual([false, undefined, undefined, undefined]);
    const forgetful: { id: string; knows?: unknown } = own({ knows: () => true });
    const read = taken(forgetful);
    delete forgetful.knows;
    expect(read.knows?.("couch")).toBe(false);
    const late: { id: string; knows?: unknown } = own();
    const early = taken(late);
    late.knows = () => true;
    expect(early.knows).toBe(undefined);
  });

  it("gets its texts and options, and keeps what it is", async () => {
    const seen: unknown[] = [];
    const given = {
      ...own(),
      async embed(...args: unknown[]) {
        seen.push(this.id, ...args);
        return [[1, 2, 3]];
      },
    };
    const { embed } = taken(given);
    expect(await embed(["a"], { purpose: "query" })).toEqual([[1, 2, 3]]);
    expect(seen).toEqual(["own", ["a"], { purpose: "query" }]);
  });

  it("is the same while it says the same of itself, and another one afterwards", () => {
    const given = own();
    const first = taken(given);
    expect([taken(given) === first, taken(own()) === first, Object.isFrozen(first)]).toEqual([true, false, true]);
    given.dimensions = 4;
    const second = taken(given);
    expect([second.dimensions, first.dimensions, taken(given) === second]).toEqual([4, 3, true]);
  });
});

describe("an analyzer", () => {
  const analyze = (text: string) => text.split(" ");

  it("is taken by its shape, which may be inherited", () => {
    class Own {
      readonly id = "own";
      analyze(text: string): string[] {
        return [text, this.id];
      }
    }
    expect(analyzed(new Own(), "a")).toEqual(["a", "own"]);
    expect([analyzer(undefined), analyzer("english"), analyzer("plain")]).toEqual(["en", "en", "plain"]);
  });

  it("is the same while it says the same of itself", () => {
    const given = { id: "own", analyze };
    expect(analyzer(given)).toBe(analyzer(given));
  });

  it("that fails says how, and keeps the cause", () => {
    const cause = new Error("theirs");
    const fails = () => {
      throw cause;
    };
    expect(thrownBy(() => analyzed({ id: "own", analyze: fails }, "a"))).toMatchObject({
      code: 502,
      error: "analyzer_failed",
      msg: "The analyzer threw an error (see cause); nothing was changed.",
      cause,
    });
    for (const answer of ["a", null, undefined, ["a", 5]])
      expect(thrownBy(() => analyzed({ id: "own", analyze: () => answer }, "a"))).toMatchObject({
        code: 502,
        error: "analyzer_failed",
        param: "analyzer",
        msg: "The analyzer did not return a list of strings; nothing was changed.",
      });
  });
});
