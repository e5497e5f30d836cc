import { describe, expect, it } from "vitest";
import type { SearchError } from "../../src/index.js";
import type { IndexSettings } from "../../src/settings/settings.js";
import { MAX_SEGMENT_BYTES, MAX_SEGMENT_RECORDS } from "../../src/state/segment.js";
import { DEFAULT_LIMITS } from "../../src/util/limits.js";
import { runTaskAtOnce, type Task } from "../../src/util/tasks.js";
import { cutIntoSegments } from "../../src/write/build-segment.js";
import { readBatch, readPatches } from "../../src/write/read-batch.js";
import { bareEntry } from "../support/bare-entry.js";
import { thrownBy } from "../support/refusal.js";
import { settingsFrom } from "../support/states.js";

function contextOf(settings: IndexSettings = {}, batchRecords = 1000) {
  const { effective } = settingsFrom({ embedder: false, ...settings });
  return { limits: { ...DEFAULT_LIMITS, batchRecords }, settings: effective, skipsInvalid: false };
}

const CONTEXT = contextOf();

/** What steps come to, and how often they pause. */
function run<T>(steps: Task<T>): { readonly result: T; readonly pauses: number } {
  for (let pauses = 0; ; pauses++) {
    const { done, value } = steps.next();
    if (done === true) return { result: value, pauses };
  }
}

const refused = (records: unknown, context = CONTEXT) => thrownBy(() => run(readBatch(records, context)));

describe("a batch", () => {
  const given = [
    { id: "b", n: 1 },
    { id: 1, n: 2 },
    { id: "b", n: 3 },
    { id: "a", n: 4 },
  ];

  it("is sorted by id, of equal ids the last", () => {
    expect(run(readBatch(given, CONTEXT)).result.entries).toEqual([
      { id: "1", json: '{"id":1,"n":2}', position: 1 },
      { id: "a", json: '{"id":"a","n":4}', position: 3 },
      { id: "b", json: '{"id":"b","n":3}', position: 2 },
    ]);
  });

  it("of patches keeps all of one id, in the order given", () => {
    expect(run(readPatches(given, CONTEXT)).result.entries.map(({ position }) => position)).toEqual([1, 3, 0, 2]);
  });

  it("of a few records is read in one go, of many or of long ones with pauses", async () => {
    const records = (count: number, text = "") => Array.from({ length: count }, (_, id) => ({ id, text }));
    const pauses = (batch: readonly object[]) => run(readBatch(batch, CONTEXT)).pauses;
    const sorting = (count: number) => pauses(records(count));
    expect(sorting(256)).toBeLessThan(sorting(257));
    expect(pauses(records(40, "x".repeat(50_000)))).toBeGreaterThan(sorting(40));
    // In a turn of its own, because the calls of one turn share what is read at once.
    await new Promise((resolve) => setImmediate(resolve));
    expect(pauses(records(17, "x".repeat(15_000)))).toBe(sorting(17));
    expect(pauses(records(17, "x".repeat(15_000)))).toBeGreaterThan(sorting(17));
  });
});

it("a batch that is refused was read with a pause every sixteen records after the first 256", () => {
  const steps = readBatch([...Array.from({ length: 300 }, (_, id) => ({ id })), {}], CONTEXT);
  let pauses = 0;
  expect(
    thrownBy(() => {
      while (steps.next().done !== true) pauses++;
    }).error,
  ).toBe("missing_id");
  expect(pauses).toBe(3);
});

it("a long batch keeps the patches of one id in the order given", () => {
  const given = Array.from({ length: 20_000 }, (_, i) => ({ id: i % 7, n: i }));
  const { result } = run(readPatches(given, contextOf({}, 20_000)));
  const expected = [...given.keys()].sort((a, b) => (a % 7) - (b % 7) || a - b);
  expect(result.entries.map(({ position }) => position)).toEqual(expected);
});

it("a record with a good vector of its own is taken", () => {
  const context = contextOf({ vectorAttribute: "v", dimensions: 2 });
  expect(run(readBatch([{ id: 1, v: [1, 0] }, { id: 2, v: null }, { id: 3 }], context)).result.entries).toHaveLength(3);
});

describe("a batch is refused", () => {
  it("for all its records at once, under the first one's code", () => {
    const large = { id: 1, a: Array(10_001) };
    expect(refused([{ a: 1 }, { id: 2 }, large])).toMatchObject({
      code: 400,
      error: "missing_id",
      details: { total: 2 },
    });
    expect(refused([large, { a: 1 }])).toMatchObject({ code: 413, param: "records[0]", details: { total: 2 } });
  });

  it("with the cause of the first that could not be read", () => {
    const throwing = (message: string) => ({
      get id(): number {
        throw new Error(message);
      },
    });
    expect(refused([{ a: 1 }, throwing("first"), throwing("second")]).cause).toEqual(new Error("first"));
  });
});

const entries = (count: number, json = "{}") => Array.from({ length: count }, (_, i) => bareEntry(String(i), json));

it("a batch is cut at 65,536 records a segment, in order", () => {
  const given = entries(MAX_SEGMENT_RECORDS + 1);
  const groups = runTaskAtOnce(cutIntoSegments(given));
  expect(groups.map((group) => group.length)).toEqual([MAX_SEGMENT_RECORDS, 1]);
  expect(groups.flat()).toEqual(given);
  expect(runTaskAtOnce(cutIntoSegments([]))).toEqual([]);
});

const vector = { attribute: "v", numbers: new Float64Array(MAX_SEGMENT_BYTES / 16), at: 0 };
it.each([
  ["half", entries(3, "x".repeat(MAX_SEGMENT_BYTES / 2)), [2, 1]],
  ["a third", entries(7, "x".repeat(MAX_SEGMENT_BYTES / 3)), [3, 3, 1]],
  ["more than all", entries(2, "x".repeat(MAX_SEGMENT_BYTES + 1)), [1, 1]],
  ["vectors of half, and a little more", entries(3, "null").map((entry) => ({ ...entry, vector })), [1, 1, 1]],
])("a batch is cut at 64 MB a segment: %s each", (_, given, sizes) => {
  expect(runTaskAtOnce(cutIntoSegments(given)).map((group) => group.length)).toEqual(sizes);
});

describe("the details of a refused batch", () => {
  const detailsOf = (records: readonly unknown[]) =>
    (refused(records) as SearchError).details as { readonly complaints: readonly { readonly details?: object }[] };

  it.each([
    [[{ id: 1 }, { id: "x", bad: 1n }], { index: 1, id: "x" }],
    [[{ id: 7, bad: new Map() }], { index: 0, id: "7" }],
    [[{ bad: 1n, id: "x" }], { index: 0 }],
    [[{ title: "no id" }], { index: 0 }],
  ])("are the place of the record and its id, as far as it was read: %o", (records, place) => {
    const { index, id } = detailsOf(records) as { readonly index?: number; readonly id?: string };
    expect({ index, id }).toEqual({ id: undefined, ...place });
  });

  it("are of the first complaint, and of each", () => {
    const { complaints, ...first } = detailsOf([{ id: "a", bad: 1n }, {}, { id: "c", bad: () => 1 }]);
    expect(first).toMatchObject({ index: 0, id: "a" });
    expect(complaints.map(({ details }) => details)).toEqual([
      { index: 0, id: "a" },
      { index: 1 },
      { index: 2, id: "c" },
    ]);
  });
});
