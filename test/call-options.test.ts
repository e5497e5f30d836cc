// The options of a call: what is taken, and what is said of the rest.

import { describe, expect, it } from "vitest";
import type { Progress } from "../src/index/call-options.js";
import { readOptions } from "../src/index/call-options.js";
import { thrownBy } from "./support/refusal.js";

describe("the options of a call", () => {
  it("may all be left out", () => {
    expect(readOptions({})).toEqual({ signal: undefined, onProgress: undefined, createIfNotExists: true });
    expect(readOptions({ createIfNotExists: undefined }).createIfNotExists).toBe(true);
  });

  it("are taken as they are given", () => {
    const { signal } = new AbortController();
    expect(readOptions({ signal, createIfNotExists: false })).toMatchObject({ signal, createIfNotExists: false });
  });

  it("tell of progress, and do not mind a handler that throws", () => {
    const told: Progress[] = [];
    const progress: Progress = { done: 1, total: 2, phase: "indexing" };
    readOptions({ onProgress: (each: Progress) => told.push(each) }).onProgress?.(progress);
    expect(told).toEqual([progress]);
    const { onProgress } = readOptions({
      onProgress: () => {
        throw new Error("theirs");
      },
    });
    expect(onProgress?.(progress)).toBeUndefined();
  });

  it("are refused when the signal has been aborted already", () => {
    expect(thrownBy(() => readOptions({ signal: AbortSignal.abort() }))).toMatchObject({ code: 499, param: "signal" });
  });

  for (const [given, error, param, msg] of [
    [null, "invalid_options", "options", "options is null; pass an object."],
    [{ signal: 5 }, "invalid_signal", "signal", "signal is 5; pass an AbortSignal."],
    [{ onProgress: null }, "invalid_options", "onProgress", "options.onProgress is null; pass a function."],
    [
      { createIfNotExists: null },
      "invalid_options",
      "createIfNotExists",
      "options.createIfNotExists is null; pass true or false.",
    ],
  ] as const)
    it(`are refused: ${msg}`, () => {
      expect(thrownBy(() => readOptions(given))).toMatchObject({ code: 400, error, param, msg });
    });
});
