// Rows C31 and C34: embedders and analyzers that are not what they should be, or change after they were given.

import { expect } from "vitest";
import { type Refusal, type Row, refusedEach, shown } from "./row.js";
import { PlayEmbedder, rec, vectorOf, type World } from "./world.js";

const embed = async (): Promise<unknown[]> => [];
const analyze = (text: string): string[] => text.split(" ");
const INVALID_EMBEDDER: Refusal = { code: 400, error: "invalid_embedder" };
const INVALID_ANALYZER: Refusal = { code: 400, error: "invalid_analyzer", param: "analyzer" };

function throwing(): never {
  throw new Error("from the getter");
}

const SHAPES: readonly Row[] = [
  ...refusedEach(
    "C34",
    "embedder",
    [
      ...shown(null, true, 5, "static-de", [], {}, embed),
      ["without an id", { dimensions: 8, embed }],
      ["with an empty id", { id: "", dimensions: 8, embed }],
      ["with a long id", { id: "i".repeat(257), dimensions: 8, embed }],
      ["without embed", { id: "x", dimensions: 8 }],
      ["whose embed is no function", { id: "x", dimensions: 8, embed: "embed" }],
      ["without dimensions", { id: "x", embed }],
      ...[0, -1, 1.5, Number.NaN, "8", 4097, null].map(
        (dimensions) => [`with dimensions ${dimensions}`, { id: "x", dimensions, embed }] as const,
      ),
      ...[0, -1, 1.5, Number.NaN, "8", null].map(
        (maxBatchSize) =>
          [`with maxBatchSize ${maxBatchSize}`, { id: "x", dimensions: 8, maxBatchSize, embed }] as const,
      ),
      ["with a getter that throws", Object.defineProperty({ id: "x", embed }, "dimensions", { get: throwing })],
    ],
    (world, embedder) => world.create("new", { embedder }),
    INVALID_EMBEDDER,
  ),
  ...refusedEach(
    "C34",
    "analyzer",
    [
      ...shown(null, true, 5, "german", [], {}, analyze),
      ["without an id", { analyze }],
      ["with an empty id", { id: "", analyze }],
      ["whose analyze is no function", { id: "x", analyze: [] }],
      ["with a getter that throws", Object.defineProperty({ id: "x" }, "analyze", { get: throwing })],
    ],
    (world, analyzer) => world.create("new", { analyzer }),
    INVALID_ANALYZER,
  ),
];

/** Adds after `change` was done to the embedder; gives up after a while, because a batch size of 0 might never end. */
function changed(change: (embedder: PlayEmbedder) => void): Row["run"] {
  return async (world: World) => {
    const embedder = new PlayEmbedder();
    await world.create("new", { embedder });
    change(embedder);
    embedder.answer = (texts) => texts.map((_, i) => vectorOf(i));
    return world.add([rec({ id: 1 }), rec({ id: 2 })], "new", { signal: AbortSignal.timeout(1000) });
  };
}

const CHANGED: readonly Row[] = [
  ["its dimensions to 4", (embedder: PlayEmbedder) => (embedder.dimensions = 4)],
  ["its maxBatchSize to 0", (embedder: PlayEmbedder) => (embedder.maxBatchSize = 0)],
  ["its maxBatchSize to NaN", (embedder: PlayEmbedder) => (embedder.maxBatchSize = Number.NaN)],
].map(
  ([what, change]): Row => ({
    row: "C31",
    what: `an embedder that changes ${what} afterwards`,
    run: changed(change as (embedder: PlayEmbedder) => void),
    expect: async (result, world) => {
      expect(result).toEqual({ added: 2, replaced: 0 });
      expect((await world.ask({ query: "lamp", vector: vectorOf(1), semanticWeight: 1 }, "new")).hits[0]).toMatchObject(
        {
          id: "2",
          score: 1,
        },
      );
    },
  }),
);

/** An embedder that later says, and gives, another length. */
const LONGER: Row = {
  row: "C31",
  what: "an embedder whose vectors get longer afterwards",
  run: async (world) => {
    const embedder = new PlayEmbedder();
    await world.create("new", { embedder });
    embedder.dimensions = 16;
    embedder.answer = (texts) => texts.map((_, i) => [...vectorOf(i), ...vectorOf(i)]);
    const error: unknown = await world.add([rec({ id: 1 })], "new").catch((thrown: unknown) => thrown);
    return [error, (await world.records("new")).length];
  },
  expect: (result) => expect(result).toEqual([expect.objectContaining({ code: 502, error: "embedder_failed" }), 0]),
};

/** Rows C31 and C34 of the seams. */
export const SEAMS: readonly Row[] = [...SHAPES, ...CHANGED, LONGER];
