// What deletes everything, or might: refused before anything is looked at.

import { describe, expect, it } from "vitest";
import { readDeletion } from "../../src/index/delete-by.js";
import { DEFAULT_LIMITS } from "../../src/util/limits.js";
import { thrownBy } from "../support/refusal.js";

const read = (filters: unknown) => readDeletion({ filters }, DEFAULT_LIMITS);

const ALL = {};
const NONE = { NOT: {} };
const SOME = { a: 1 };

describe("a filter that every record passes is refused", () => {
  for (const filters of [
    "",
    ALL,
    { AND: [ALL, ALL] },
    { OR: [SOME, ALL] },
    { NOT: NONE },
    { NOT: { OR: [NONE, NONE] } },
    { NOT: { AND: [SOME, NONE] } },
    { NOT: { a: [] } },
    { NOT: { OR: [{ a: [] }, { b: { in: [] } }] } },
    { NOT: { OR: [] } },
    { OR: [{ AND: [SOME, SOME] }, { NOT: { a: [] } }] },
  ])
    it(JSON.stringify(filters), () => {
      expect(thrownBy(() => read(filters))).toMatchObject({
        code: 400,
        error: "invalid_filter",
        param: "filters",
        msg: "filters is empty and would delete all records; use clearIndex for that.",
      });
    });
});

describe("a filter that some records may fail is taken", () => {
  for (const filters of [
    "a:1",
    SOME,
    NONE,
    { OR: [] },
    { a: [] },
    { AND: [ALL, SOME] },
    { AND: [SOME, ALL] },
    { OR: [SOME, { b: 2 }] },
    { NOT: SOME },
    { NOT: { OR: [NONE, SOME] } },
    { NOT: { AND: [SOME, { b: 2 }] } },
    { NOT: { AND: [SOME, ALL] } },
    { NOT: { a: ["x"] } },
    { NOT: { a: { exists: true } } },
    { NOT: { NOT: SOME } },
  ])
    it(JSON.stringify(filters), () => expect(read(filters)).toHaveProperty("kind"));
});

describe("a deletion is refused", () => {
  for (const [params, error, param, msg] of [
    [5, "invalid_request", "params", "params is 5; pass an object."],
    [{}, "invalid_filter", "filters", "filters is undefined; pass a plain object."],
    [{ filters: 5 }, "invalid_filter", "filters", "filters is 5; pass a plain object."],
    [
      { filters: "a:1", query: "x" },
      "unknown_parameter",
      "query",
      'parameter "query" is unknown here; deleteBy takes filters alone, and ignoring it might delete too much.',
    ],
  ] as const)
    it(msg, () =>
      expect(thrownBy(() => readDeletion(params, DEFAULT_LIMITS))).toMatchObject({ code: 400, error, param, msg }),
    );
});
