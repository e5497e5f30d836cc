// Places of records, and the order by them; wrong ones are rows of wrong-arguments.ts and of parameters.test.ts.

import { gives, testRows } from "./row.js";
import { idsOf, rec } from "./world.js";

testRows("places of records", [
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
  gives("a sort by distance among texts with commas", ["near", "far", "none"], async (world) => {
    const [far, near] = [
      { lat: 50, lng: 5 },
      [
        { lat: -50, lng: 5 },
        { lat: 1, lng: 2 },
      ],
    ];
    await world.create("new");
    await world.add([{ id: "none" }, { id: "far", _geoloc: far }, { id: "near", _geoloc: near }], "new");
    return idsOf(await world.ask({ params: "query=&sort=_geoPoint(1,2):asc,id:desc" }, "new"));
  }),
]);
