// What other engines have and this one has not (a schema, types of fields, a choice of metrics, places on a map) is an
// unknown name like any other, and never half understood. And lists that say that they are 2^32 - 1 long: each must be
// judged by its length before it is read.

import { expect } from "vitest";
import { bad, gives, type Rows, refuses, testRows } from "./row.js";
import { anything, idsOf, type World } from "./world.js";

// Names that mean nothing here.

const UNKNOWN = bad("unknown_setting");

async function warnedOf(world: World, param: string): Promise<void> {
  expect(world.warnings.map(({ code }) => code)).toContain("unknown_setting");
  expect(world.warnings.map((warning) => warning.message).join(" ")).toContain(param);
  await world.add([{ id: 1, title: "hammer" }], "fresh");
  expect(await world.found("hammer", "fresh")).toEqual(["1"]);
}

/** Settings that are warned of and ignored, and refused by a strict engine. */
function unknownSettings(name: string, value: unknown): Rows {
  return [
    {
      what: `a setting ${name}`,
      run: (world) => world.create("fresh", { [name]: value }),
      expect: (_, world) => warnedOf(world, name),
    },
    {
      what: `a setting ${name}, strictly`,
      options: { strict: true },
      run: (world) => world.create("fresh", { [name]: value }),
      expect: { ...UNKNOWN, msg: new RegExp(name) },
    },
  ];
}

/** Indexes without a schema. */
testRows("names that mean nothing here", [
  {
    what: "no schema",
    run: (world) => world.create("fresh"),
    expect: async (_, world) => {
      await world.add([{ id: 1, title: "hammer" }], "fresh");
      expect(await world.found("hammer", "fresh")).toEqual(["1"]);
    },
  },
  unknownSettings("schema", { title: "txt" }),
  unknownSettings("fields", [{ name: "title", type: "txt" }]),
  unknownSettings("metric", "euclid"),
  unknownSettings("metric", null),
  {
    what: "a dotted name beside a nested attribute of the same path",
    run: (world) => world.add([{ id: "both", "a.b": "first lamp", a: { b: "second lamp" } }]),
    expect: async (_, world) => {
      expect(await world.get(["both"])).toEqual([{ id: "both", "a.b": "first lamp", a: { b: "second lamp" } }]);
      const passing = async (value: string): Promise<string[]> =>
        idsOf(await world.ask({ query: "lamp", filters: anything({ "a.b": value }) }));
      expect(await passing("first lamp")).toEqual(["both"]);
      expect(await passing("second lamp")).toEqual([]);
    },
  },
]);

/** Filters by places on a map, which are parameters, and no filters. */
testRows("names that mean nothing here", [
  refuses("a text that names a parameter for places", bad("unknown_filter_field", "filters"), (world) =>
    world.ask({ query: "drill", filters: "aroundLatLng: 45.4" }),
  ),
  refuses("a text", bad("invalid_filter", "filters"), (world, filters) => world.ask({ query: "drill", filters }), {
    radius: "_geoRadius(45.4, 9.1, -1)",
    box: "_geoBoundingBox([91, 181], [0, 0])",
  }),
  refuses("an object", bad("invalid_filter", "filters"), (world, filters) => world.ask({ query: "drill", filters }), {
    radius: { place: { radius: -1 } },
    latitude: { place: { lat: 91, lng: 181 } },
    polygon: { place: { polygon: [[0, 0]] } },
  }),
  refuses(
    "a parameter",
    bad("unknown_parameter"),
    (world, value) => world.ask({ query: "drill", _geoRadius: value, filter: "x:1" }),
    { radius: "45.4,9.1" },
  ),
]);

// Lists that say that they are 2^32 - 1 long.

const long = (): unknown => Object.assign([], { length: 2 ** 32 - 1 });

function refusedLong(what: string, error: string, run: (world: World, list: unknown) => Promise<unknown>): Rows {
  return gives(`${what} with a length of 2^32 - 1`, expect.objectContaining({ error }), async (world) =>
    run(world, long()).catch((reason: unknown) => reason),
  );
}

const PARAMS = ["facets", "sort", "attributesToRetrieve", "attributesToHighlight", "attributesToSnippet"];
const SETTINGS = ["searchableAttributes", "identifierAttributes", "embeddedAttributes", "attributesForFaceting"];
const MORE_SETTINGS = ["customRanking", "synonyms", "stopWords", "optionalWords", "disableTypoToleranceOnWords"];

testRows("lists that say that they are 2^32 - 1 long", [
  ...[...PARAMS, "restrictSearchableAttributes", "optionalWords"].map((name) =>
    refusedLong(name, "invalid_parameter", (world, list) => world.ask({ query: "", [name]: list })),
  ),
  refusedLong("filters: in", "filter_too_complex", (world, list) => world.ask({ query: "", filters: { brand: list } })),
  refusedLong("facetFilters", "filter_too_complex", (world, list) => world.ask({ query: "", facetFilters: list })),
  refusedLong("vector", "invalid_vector", (world, list) => world.ask({ query: "", vector: list }, "near")),
]);

testRows("lists that say that they are 2^32 - 1 long", [
  ...[...SETTINGS, ...MORE_SETTINGS, "disableTypoToleranceOnAttributes"].map((name) =>
    refusedLong(name, "invalid_setting", (world, list) => world.create("new", { [name]: list })),
  ),
  refusedLong("the synonyms of one", "invalid_setting", (world, synonyms) =>
    world.create("new", { synonyms: [{ type: "synonym", synonyms }] }),
  ),
]);

testRows("lists that say that they are 2^32 - 1 long", [
  refusedLong("records to add", "batch_too_large", (world, list) => world.add(list)),
  refusedLong("records to update", "batch_too_large", (world, list) => world.call("updateRecords", "shop", list)),
  refusedLong("ids to delete", "batch_too_large", (world, list) => world.delete(list)),
  refusedLong("ids to get", "batch_too_large", (world, list) => world.get(list)),
]);
