// Rows C15, C17, C20, C23 and F33: what other engines have and this one has not (a schema, types of fields, a choice of
// metrics, places on a map) is an unknown name like any other, and never half understood.

import { expect } from "vitest";
import { type Row, refusedEach } from "./row.js";
import { anything, idsOf, type World } from "./world.js";

const UNKNOWN = { code: 400, error: "unknown_setting" };

async function warnedOf(world: World, param: string): Promise<void> {
  expect(world.warnings.map(({ code }) => code)).toContain("unknown_setting");
  expect(world.warnings.map((warning) => warning.message).join(" ")).toContain(param);
  await world.add([{ id: 1, title: "hammer" }], "fresh");
  expect(await world.found("hammer", "fresh")).toEqual(["1"]);
}

/** Settings that are warned of and ignored, and refused by a strict engine. */
function unknownSettings(row: string, name: string, value: unknown): Row[] {
  return [
    {
      row,
      what: `a setting ${name}`,
      run: (world) => world.create("fresh", { [name]: value }),
      expect: (_, world) => warnedOf(world, name),
    },
    {
      row,
      what: `a setting ${name}, strictly`,
      options: { strict: true },
      run: (world) => world.create("fresh", { [name]: value }),
      expect: { ...UNKNOWN, msg: new RegExp(name) },
    },
  ];
}

/** Indexes without a schema. */
export const NO_SCHEMA: readonly Row[] = [
  {
    row: "C15",
    what: "no schema",
    run: (world) => world.create("fresh"),
    expect: async (_, world) => {
      await world.add([{ id: 1, title: "hammer" }], "fresh");
      expect(await world.found("hammer", "fresh")).toEqual(["1"]);
    },
  },
  ...unknownSettings("C17", "schema", { title: "txt" }),
  ...unknownSettings("C17", "fields", [{ name: "title", type: "txt" }]),
  ...unknownSettings("C23", "metric", "euclid"),
  ...unknownSettings("C23", "metric", null),
  {
    row: "C20",
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
];

/** Filters by places on a map, which there are not. */
export const NO_PLACES: readonly Row[] = [
  {
    row: "F33",
    what: "a text that names a parameter for places",
    run: (world) => world.ask({ query: "drill", filters: "aroundLatLng: 45.4" }),
    expect: { code: 400, error: "unknown_filter_field", param: "filters" },
  },
  ...refusedEach(
    "F33",
    "a text",
    [
      ["radius", "_geoRadius(45.4, 9.1, -1)"],
      ["box", "_geoBoundingBox([91, 181], [0, 0])"],
    ],
    (world, filters) => world.ask({ query: "drill", filters }),
    { code: 400, error: "invalid_filter", param: "filters" },
  ),
  ...refusedEach(
    "F33",
    "an object",
    [
      ["radius", { place: { radius: -1 } }],
      ["latitude", { place: { lat: 91, lng: 181 } }],
      ["polygon", { place: { polygon: [[0, 0]] } }],
    ],
    (world, filters) => world.ask({ query: "drill", filters }),
    { code: 400, error: "invalid_filter", param: "filters" },
  ),
  ...refusedEach(
    "F33",
    "a parameter",
    [["aroundLatLng", "45.4,9.1"]],
    (world, value) => world.ask({ query: "drill", aroundLatLng: value, filter: "x:1" }),
    { code: 400, error: "unknown_parameter" },
  ),
];
