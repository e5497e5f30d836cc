// Rows C21, A57 and Q35: lists that say that they are 2^32 - 1 long. Each must be judged by its length before it is read:
// reading all of it would take the memory of the process.

import { expect } from "vitest";
import type { Row } from "./row.js";
import type { World } from "./world.js";

/** The longest list that any limit allows, or a little more, may be read. */
const MOST_READS = 20_000;

/** A list whose items are counted as they are read, and give out at last. */
function long(reads: { count: number }): unknown {
  return new Proxy([], {
    get: (_, name) => {
      if (name === "length") return 2 ** 32 - 1;
      if (++reads.count > MOST_READS) throw new Error("too many reads");
      return "brand";
    },
  });
}

function refusedUnread(
  row: string,
  what: string,
  error: string,
  run: (world: World, list: unknown) => Promise<unknown>,
): Row {
  return {
    row,
    what: `${what} with a length of 2^32 - 1`,
    run: async (world) => {
      const reads = { count: 0 };
      const thrown: unknown = await run(world, long(reads)).catch((reason: unknown) => reason);
      return [thrown, reads.count <= MOST_READS];
    },
    expect: (result) => expect(result).toEqual([expect.objectContaining({ error }), true]),
  };
}

const PARAMS = ["facets", "sort", "attributesToRetrieve", "attributesToHighlight", "attributesToSnippet"];
const SETTINGS = ["searchableAttributes", "identifierAttributes", "embeddedAttributes", "attributesForFaceting"];
const MORE_SETTINGS = ["customRanking", "synonyms", "stopWords", "optionalWords", "disableTypoToleranceOnWords"];

/** Row Q35 of lists. */
export const LONG_PARAMS: readonly Row[] = [
  ...[...PARAMS, "restrictSearchableAttributes", "optionalWords"].map((name) =>
    refusedUnread("Q35", name, "invalid_parameter", (world, list) => world.ask({ query: "", [name]: list })),
  ),
  refusedUnread("Q35", "filters: in", "filter_too_complex", (world, list) =>
    world.ask({ query: "", filters: { brand: list } }),
  ),
  refusedUnread("Q35", "facetFilters", "filter_too_complex", (world, list) =>
    world.ask({ query: "", facetFilters: list }),
  ),
  refusedUnread("Q35", "vector", "invalid_vector", (world, list) => world.ask({ query: "", vector: list }, "near")),
];

/** Row C21 of lists. */
export const LONG_SETTINGS: readonly Row[] = [
  ...[...SETTINGS, ...MORE_SETTINGS, "disableTypoToleranceOnAttributes"].map((name) =>
    refusedUnread("C21", name, "invalid_setting", (world, list) => world.create("new", { [name]: list })),
  ),
  refusedUnread("C21", "the synonyms of one", "invalid_setting", (world, synonyms) =>
    world.create("new", { synonyms: [{ type: "synonym", synonyms }] }),
  ),
];

/** Row A57 of lists. */
export const LONG_IDS: readonly Row[] = [
  refusedUnread("A57", "records to add", "batch_too_large", (world, list) => world.add(list)),
  refusedUnread("A57", "records to update", "batch_too_large", (world, list) =>
    world.call("updateRecords", "shop", list),
  ),
  refusedUnread("A57", "ids to delete", "batch_too_large", (world, list) => world.delete(list)),
  refusedUnread("A57", "ids to get", "batch_too_large", (world, list) => world.get(list)),
];
