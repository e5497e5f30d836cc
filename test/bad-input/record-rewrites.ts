// Rows of group A that updateRecords and replaceAllRecords share with addRecords.

import { type Refusal, type Row, refusedEach, shown } from "./row.js";
import { rec } from "./world.js";

const WRITERS = ["updateRecords", "replaceAllRecords"] as const;
const UNKNOWN_INDEX: Refusal = { code: 404, error: "index_not_found", param: "indexName" };
const NO_NAMES = ["shpo", "constructor", "__proto__", "", null, undefined, 5, {}, Symbol()];
const refusal = (param: string, error: string, code = 400): Refusal => ({ code, error, param });

function throwing(): never {
  throw new Error("from the getter");
}

/** Rows of group A for both. */
export const REWRITES: readonly Row[] = WRITERS.flatMap((verb): Row[] => [
  ...refusedEach(
    "A1",
    `${verb} in`,
    shown(...NO_NAMES),
    (world, name) => world.call(verb, name, [rec()]),
    UNKNOWN_INDEX,
  ),
  ...refusedEach(
    "A2",
    `${verb} with`,
    shown(undefined, null, 5, "x", true, new Map(), new Set(), Promise.resolve([]), () => []),
    (world, records) => world.call(verb, "shop", records),
    refusal("records", "invalid_records"),
  ),
  {
    row: "A3",
    what: `${verb} with one record`,
    run: (world) => world.call(verb, "shop", rec()),
    expect: { ...refusal("records", "invalid_records"), msg: /\[record\]/ },
  },
  ...refusedEach(
    "A6",
    `${verb} with the record`,
    shown(null, undefined, "x", [], 5, new Date(0), new Map()),
    (world, record) => world.call(verb, "shop", [rec({ id: 1 }), record]),
    refusal("records[1]", "invalid_record"),
  ),
  {
    row: "A7",
    what: `${verb} without an id`,
    run: (world) => world.call(verb, "shop", [rec(), { title: "x" }]),
    expect: refusal("records[1]", "missing_id"),
  },
  ...refusedEach(
    "A8",
    `${verb} with the id`,
    shown("", null, {}, true, 1.5, Number.NaN, 1n, Symbol(), "\ud800"),
    (world, id) => world.call(verb, "shop", [rec({ id })]),
    refusal("records[0]", "invalid_id"),
  ),
  {
    row: "A19",
    what: `${verb} with a getter that throws`,
    run: (world) =>
      world.call(verb, "shop", [
        rec({ id: 1 }),
        Object.defineProperty(rec(), "x", { get: throwing, enumerable: true }),
      ]),
    expect: { ...refusal("records[1]", "invalid_record"), cause: /from the getter/ },
  },
  ...refusedEach(
    "A23",
    `${verb} with the value`,
    shown(5n, Symbol(), () => 1, new Map(), Number.NaN),
    (world, value) => world.call(verb, "shop", [{ id: 1, value }]),
    refusal("records[0]", "invalid_field_value"),
  ),
  {
    row: "A43",
    what: `${verb} with a bad vector`,
    run: (world) => world.call(verb, "near", [{ id: 1, vector: [1, 2] }]),
    expect: refusal("records[0]", "invalid_vector"),
  },
  {
    row: "A56",
    what: `${verb}: all complaints come together`,
    run: (world) => world.call(verb, "shop", [rec({ id: 1 }), {}, rec({ id: 2 }), rec({ id: 1.5 })]),
    expect: { ...refusal("records[1]", "missing_id"), msg: /records\[1\].*records\[3\]/ },
  },
  ...refusedEach(
    "A58",
    `${verb} with the options`,
    shown(null, 5, "x", []),
    (world, options) => world.call(verb, "shop", [rec()], options),
    refusal("options", "invalid_options"),
  ),
  {
    row: "A58",
    what: `${verb} aborted before`,
    run: (world) => world.call(verb, "shop", [rec()], { signal: AbortSignal.abort() }),
    expect: refusal("signal", "aborted", 499),
  },
  {
    row: "A52",
    what: `${verb} with an embedder that fails`,
    prepare: (world) => (world.embedder.answer = throwing),
    run: (world) => world.call(verb, "meant", [rec({ id: 1, title: "Other" })]),
    expect: refusal("embedder", "embedder_failed", 502),
  },
  {
    row: "A62",
    what: `${verb} beyond what the index may hold`,
    options: { limits: { indexRecords: 4 } },
    run: (world) =>
      world.call(
        verb,
        "shop",
        [4, 5, 6, 7, 8].map((id) => rec({ id })),
      ),
    expect: refusal("records", "index_full", 507),
  },
  {
    row: "A63",
    what: `${verb} beyond what the memory may hold`,
    options: { limits: { maxMemory: 40_000 } },
    run: (world) =>
      world.call(
        verb,
        "shop",
        Array.from({ length: 200 }, (_, id) => rec({ id, text: `word${id} `.repeat(20) })),
      ),
    expect: refusal("records", "memory_limit", 507),
  },
]);
