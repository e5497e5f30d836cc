// The options of a call.

import { describe, expect, it } from "vitest";
import type { Progress } from "../../src/input/call-options.js";
import { readOptions } from "../../src/input/call-options.js";

describe("the options of a call", () => {
  it("may all be left out", () => {
    expect(readOptions("call", {})).toEqual({
      signal: undefined,
      onProgress: undefined,
      createIfNotExists: true,
      onInvalid: undefined,
      isFromOutside: false,
    });
    expect(readOptions("call", { createIfNotExists: undefined }).createIfNotExists).toBe(true);
  });

  it("are taken as they are given", () => {
    const { signal } = new AbortController();
    expect(readOptions("call", { signal, createIfNotExists: false, onInvalid: "skip" })).toMatchObject({
      signal,
      createIfNotExists: false,
      onInvalid: "skip",
    });
  });

  it("tell of progress, and do not mind a handler that throws", () => {
    const told: Progress[] = [];
    const progress: Progress = { done: 1, total: 2, phase: "indexing" };
    readOptions("call", { onProgress: (each: Progress) => told.push(each) }).onProgress?.(progress);
    expect(told).toEqual([progress]);
    const { onProgress } = readOptions("call", {
      onProgress: () => {
        throw new Error("theirs");
      },
    });
    expect(onProgress?.(progress)).toBeUndefined();
  });
});
