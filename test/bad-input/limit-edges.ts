// Limits that refuse, at n and at n + 1: a table for limits.test.ts.

import type { Limits } from "../../src/index.js";
import type { Refusal } from "./row.js";
import type { World } from "./world.js";

/** What passes at the limit and is refused beyond it. */
export interface Edge {
  readonly limit: number;
  readonly at: readonly unknown[];
  readonly over: readonly unknown[];
  readonly run: (world: World, input: unknown) => Promise<unknown>;
  readonly refusal: Refusal;
}

const refusal = (code: number, error: string, param: string): Refusal => ({ code, error, param });
const add = (world: World, record: unknown): Promise<unknown> => world.add([record]);
const e = "\u00e9";

/** Limits that refuse what is over them, each with what is at the limit and what is over it by one. */
export const EDGES: { readonly [name in keyof Limits]?: readonly Edge[] } = {
  queryBytes: [
    {
      limit: 10,
      at: ["red kettle", e.repeat(5)],
      over: ["red kettles", `${e.repeat(5)}a`],
      run: (world, query) => world.ask({ query }),
      refusal: refusal(400, "query_too_long", "query"),
    },
  ],
  paramsBytes: [
    {
      limit: 10,
      at: ["query=abcd", `query=${e}${e}`],
      over: ["query=abcde", `query=${e}${e}a`],
      run: (world, params) => world.ask({ params }),
      refusal: refusal(400, "params_too_long", "params"),
    },
  ],
  paramsPairs: [
    {
      limit: 2,
      at: ["query=a&page=1", "query=a&query=b"],
      over: ["query=a&page=1&x=1", "query=a&query=b&query=c", "query=a&&&x=1&y"],
      run: (world, params) => world.ask({ params }),
      refusal: refusal(400, "params_too_long", "params"),
    },
    {
      limit: 2,
      at: [{ query: "a", page: 1 }],
      over: [{ query: "a", page: 1, x: 1 }],
      run: (world, params) => world.ask(params),
      refusal: refusal(400, "invalid_request", "params"),
    },
  ],
  page: [
    {
      limit: 5,
      at: [5],
      over: [6],
      run: (world, page) => world.ask({ query: "a", page }),
      refusal: refusal(400, "invalid_page", "page"),
    },
  ],
  semanticDepth: [
    {
      limit: 7,
      at: [7],
      over: [8],
      run: (world, semanticDepth) => world.ask({ query: "a", semanticDepth }),
      refusal: refusal(400, "invalid_parameter", "semanticDepth"),
    },
    {
      limit: 7,
      at: [7],
      over: [8],
      run: (world, semanticDepth) => world.create("new", { semanticDepth }),
      refusal: refusal(400, "invalid_setting", "semanticDepth"),
    },
  ],
  recordBytes: [
    {
      limit: 40,
      at: [bytes(40, {}), bytes(40, { a: [1, "x", null, true] }), bytes(40, { b: { c: {} } }), bytes(40, { d: e })],
      over: [bytes(41, {}), bytes(41, { a: [1, "x", null, true] }), bytes(41, { b: { c: {} } }), bytes(41, { d: e })],
      run: add,
      refusal: refusal(413, "record_too_large", "records[0]"),
    },
  ],
  recordDepth: [
    {
      limit: 3,
      at: [
        { id: 1, a: { b: {} } },
        { id: 1, a: [[]] },
        { id: 1, a: [{ b: 1 }] },
      ],
      over: [
        { id: 1, a: { b: { c: {} } } },
        { id: 1, a: [[[]]] },
        { id: 1, a: [{ b: [] }] },
      ],
      run: add,
      refusal: refusal(413, "record_too_large", "records[0]"),
    },
  ],
  recordAttributes: [
    {
      limit: 3,
      at: [
        { id: 1, a: 1, b: 1 },
        { id: 1, a: { b: 1 } },
        { id: 1, a: 1, b: 1, c: undefined },
      ],
      over: [
        { id: 1, a: 1, b: 1, c: 1 },
        { id: 1, a: { b: 1, c: 1 } },
        { id: 1, a: [{ b: 1 }, { b: 1 }] },
      ],
      run: add,
      refusal: refusal(413, "record_too_large", "records[0]"),
    },
  ],
  arrayItems: [
    {
      limit: 3,
      at: [{ id: 1, a: [1, 2, 3], b: [1, 2, 3] }],
      over: [
        { id: 1, a: [1, 2, 3, 4] },
        { id: 1, a: [[1, 2, 3, 4]] },
      ],
      run: add,
      refusal: refusal(413, "record_too_large", "records[0]"),
    },
  ],
  idBytes: [
    {
      limit: 4,
      at: ["abcd", e + e, 1234],
      over: ["abcde", `${e}${e}a`, 12_345],
      run: (world, id) => world.add([{ id }]),
      refusal: refusal(400, "invalid_id", "records[0]"),
    },
    {
      limit: 4,
      at: ["abcd"],
      over: ["abcde"],
      run: (world, id) => world.get([id]),
      refusal: refusal(400, "invalid_id", "ids[0]"),
    },
  ],
  attributeName: [
    {
      limit: 5,
      at: [
        { id: 1, title: 1 },
        { id: 1, a: [{ title: 1 }] },
      ],
      over: [
        { id: 1, titles: 1 },
        { id: 1, a: [{ titles: 1 }] },
      ],
      run: add,
      refusal: refusal(400, "invalid_record", "records[0]"),
    },
    {
      limit: 5,
      at: ["title"],
      over: ["titles"],
      run: (world, idAttribute) => world.create("new", { idAttribute }),
      refusal: refusal(400, "invalid_setting", "idAttribute"),
    },
  ],
  batchRecords: [
    {
      limit: 2,
      at: [[{ id: 1 }, { id: 2 }]],
      over: [
        [{ id: 1 }, { id: 2 }, { id: 3 }],
        [{ id: 1 }, { id: 1 }, { id: 1 }],
      ],
      run: (world, records) => world.add(records),
      refusal: refusal(413, "batch_too_large", "records"),
    },
    ...(["delete", "get"] as const).map((verb) => ({
      limit: 2,
      at: [[1, 2]],
      over: [[1, 2, 3]],
      run: (world: World, ids: unknown) => world[verb](ids),
      refusal: refusal(413, "batch_too_large", "ids"),
    })),
  ],
  indexRecords: [
    {
      limit: 2,
      at: [
        [{ id: 1 }, { id: 2 }],
        [{ id: 1 }, { id: 1 }, { id: 1 }],
      ],
      over: [[{ id: 1 }, { id: 2 }, { id: 3 }]],
      run: (world, records) => world.add(records),
      refusal: refusal(507, "index_full", "records"),
    },
  ],
  indexName: [
    {
      limit: 4,
      at: ["abcd"],
      over: ["abcde"],
      run: (world, name) => world.create(name),
      refusal: refusal(400, "invalid_index_name", "indexName"),
    },
  ],
  dimensions: [
    {
      limit: 4,
      at: [4],
      over: [5],
      run: (world, dimensions) => world.create("new", { vectorAttribute: "v", dimensions }),
      refusal: refusal(400, "invalid_dimensions", "dimensions"),
    },
    {
      limit: 4,
      at: [4],
      over: [5],
      run: (world, dimensions) => world.create("new", { embedder: { id: "x", dimensions, embed: async () => [] } }),
      refusal: refusal(400, "invalid_embedder", "embedder.dimensions"),
    },
  ],
};

/** A record of so many bytes as JSON. */
function bytes(count: number, own: object): object {
  const frame = Buffer.byteLength(JSON.stringify({ id: 1, ...own, t: "" }));
  return { id: 1, ...own, t: "x".repeat(count - frame) };
}
