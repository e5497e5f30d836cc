// Places: in records, and in what a query asks for.

import { bad, gives, type Rows, refuses, resembles, testRows } from "./row.js";
import { idsOf, rec, type World } from "./world.js";

const WRONG =
  '{"lat":91,"lng":0} | {"lat":0,"lng":180.5} | {"lat":"1","lng":2} | {"lat":1} | {"lng":1} | {"lat":1,"lng":null}';

testRows("places of records", [
  refuses(
    "a place",
    { ...bad("invalid_record", "records[1]"), msg: /_geoloc/ },
    (world, _geoloc) => world.add([rec({ id: "good" }), rec({ id: "bad", _geoloc })]),
    `${WRONG} | "1,2" | 5 | true | {} | [1,2] | [{"lat":1,"lng":2},{"lat":1,"lng":-181}] | [[{"lat":1,"lng":2}]] | [null] |
    {"lat":1,"lng":2,"height":3} | {"lat":[1],"lng":[2]} | {"latitude":1,"longitude":2}`,
  ),
  refuses(
    "a patch",
    bad("invalid_record", "records[0]"),
    (world, _geoloc) => world.call("updateRecords", "shop", [{ id: "1", _geoloc }]),
    WRONG,
  ),
  refuses("all records", bad("invalid_record", "records[0]"), (world) =>
    world.call("replaceAllRecords", "shop", [rec({ _geoloc: "1,2" })]),
  ),
  gives(
    "a place",
    { added: 1, replaced: 0 },
    (world, _geoloc) => world.add([rec({ id: "good", _geoloc })]),
    `{"lat":-90,"lng":-180} | {"lng":180,"lat":90} | [{"lat":1e-7,"lng":-0.5},{"lat":1,"lng":2}] | [] | null`,
  ),
  gives("other attributes with a name of two steps are none", [["a"], []], async (world) => {
    await world.create("new");
    await world.add([{ id: "a", "_geoloc.lat": 48, "_geoloc.lng": 11 }], "new");
    const near = { query: "", aroundLatLng: "48,11", aroundRadius: 1e6 };
    return [idsOf(await world.ask({ query: "" }, "new")), idsOf(await world.ask(near, "new"))];
  }),
]);

const wrongly = (param: string) => bad("invalid_parameter", param);
const asking =
  (param: string, more: object = {}) =>
  (world: World, value: unknown): unknown =>
    world.ask({ query: "drill", ...more, [param]: value });
const encoded = (world: World, params: unknown): unknown => world.ask({ params: `query=&${params}` });

const NO_PLACES =
  '"" | "here" | "48" | "48," | ",11" | "48,11,5" | "91,0" | "-90.5,0" | "0,180.1" | "0,-181" | "NaN,0" | "1e999,0" | "+4,5" | "0x1,2"';

const PARAMETERS: Rows = [
  refuses("aroundLatLng", wrongly("aroundLatLng"), asking("aroundLatLng"), NO_PLACES),
  refuses(
    "aroundLatLng",
    wrongly("aroundLatLng"),
    asking("aroundLatLng"),
    '[48,11] | {"lat":48,"lng":11} | 48 | null | true',
  ),
  refuses(
    "aroundRadius",
    wrongly("aroundRadius"),
    asking("aroundRadius", { aroundLatLng: "48,11" }),
    '-1 | "5" | NaN | Infinity | null | [] | true',
  ),
  refuses("aroundRadius alone", wrongly("aroundRadius"), asking("aroundRadius"), "5 | 0"),
  refuses(
    "insideBoundingBox",
    wrongly("insideBoundingBox"),
    asking("insideBoundingBox"),
    `5 | null | "48,11,49,12" | [] | {} | [1,2,3,4] | [[1,2,3]] | [[1,2,3,4,5]] | [["1",2,3,4]] | [[91,0,0,0]] | [[0,181,0,0]] |
    [[0,0,0,0],[0,0,-90.1,0]] | [[0,0,0,0],5] | [null]`,
  ),
  refuses("insideBoundingBox", wrongly("insideBoundingBox"), asking("insideBoundingBox"), {
    "101 boxes": new Array(101).fill([0, 0, 1, 1]),
    "no number": [[0, 0, Number.NaN, 0]],
    "a hole": [new Array(4)],
    "a length alone": Object.assign([], { length: 2 ** 32 - 1 }),
  }),
  refuses(
    "sort",
    wrongly("sort"),
    (world, key) => world.ask({ query: "drill", sort: [key] }),
    `"_geoPoint(91,0):asc" | "_geoPoint(1):asc" | "_geoPoint(1,2)" | "_geoPoint(1,2):up" | "_geoPoint():asc" | "_geoPoint(1,2:asc" |
    "_geoPoint(1,2))x:asc" | "_geoPoint((1,2)):asc"`,
  ),
  refuses("encoded", wrongly("aroundLatLng"), encoded, ["aroundLatLng=48", "aroundLatLng=[48,11]"]),
  refuses("encoded", wrongly("insideBoundingBox"), encoded, [
    "insideBoundingBox=[[1,2,3]]",
    "insideBoundingBox=1,2,3,4",
  ]),
  refuses("misspelt", bad("unknown_parameter"), (world, name) => world.ask({ query: "drill", [String(name)]: 5 }), [
    "aroundRadus",
    "arroundRadius",
    "insideBoundingBoxes",
  ]),
  resembles("odd but right:", { nbHits: 0 }, (world, params) => world.ask({ query: "", ...(params as object) }), {
    "a radius of nothing": { aroundLatLng: "48,11", aroundRadius: 0 },
    "blanks, signs and powers": { aroundLatLng: " -4.8e1 , 1E1", aroundRadius: 1e300 },
    "a hundred boxes": { insideBoundingBox: new Array(100).fill([0, 0, 0, 0]) },
    "the whole earth": { insideBoundingBox: [[-90, -180, 90, 180]] },
  }),
];
testRows("places of queries", PARAMETERS);

testRows("places of queries", [
  gives("a sort by distance among texts with commas", ["near", "far", "none"], async (world) => {
    await world.create("new");
    await world.add(
      [
        { id: "none", n: 1 },
        { id: "far", n: 2, _geoloc: { lat: 50, lng: 5 } },
        {
          id: "near",
          n: 3,
          _geoloc: [
            { lat: -50, lng: 5 },
            { lat: 1, lng: 2 },
          ],
        },
      ],
      "new",
    );
    return idsOf(await world.ask({ params: "query=&sort=_geoPoint(1,2):asc,n:desc" }, "new"));
  }),
]);
