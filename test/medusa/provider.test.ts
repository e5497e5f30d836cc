// The provider of Medusa's Search Module against an evaluator that goes through the documents one by one: filters, orders, pages, facets;
// what is refused, and as what; and that each answer is of one state of the index.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SearchEngine } from "../../src/index.js";
import medusa, {
  createMedusaSearchProvider,
  type MedusaFacetResult,
  type MedusaIndex,
  type MedusaSearch,
} from "../../src/medusa.js";
import { Random } from "../support/random.js";
import { tempPaths } from "../support/temp-folder.js";

type Doc = { readonly id: string } & Readonly<Record<string, unknown>>;
type Filters = Readonly<Record<string, unknown>>;

const path = tempPaths();
const random = new Random(59);
const DAY = 86_400_000;
const FIELDS: Readonly<Record<string, object>> = {
  id: { type: "keyword", filterable: true },
  name: { type: "text", searchable: { weight: 2 }, sortable: true },
  brand: { type: "keyword", filterable: true, sortable: true, facetable: true },
  stock: { type: "integer", filterable: true, sortable: true, facetable: { types: ["value", "range", "stats"] } },
  isNew: { type: "boolean", filterable: true, facetable: true },
  "on.sale": { type: "date", array: true, filterable: true, facetable: { types: ["value", "range", "stats"] } },
  ["__proto__"]: { type: "keyword", filterable: true, facetable: true },
  sizes: {
    type: "object",
    array: true,
    fields: {
      label: { type: "keyword", filterable: true, facetable: true, searchable: true },
      prices: { type: "float", array: true, filterable: true, facetable: { types: ["value", "range", "stats"] } },
    },
  },
};
const made = (i: number): Doc =>
  Object.fromEntries([
    ["id", `d${String(i).padStart(2, "0")}`],
    ["name", `${random.pick(["Red", "Blue"])} ${random.pick(["boot", "sandal", "sock"])}`],
    ["brand", random.pick(["Fjord", "alm", "Ödland", null])],
    ...(random.chance(0.8) ? [["stock", random.between(0, 6)]] : []),
    ...(random.chance(0.7) ? [["isNew", random.pick([true, "false"])]] : []),
    ["on.sale", Array.from({ length: random.between(0, 2) }, () => dateOf(random.between(0, 9)))],
    ["__proto__", random.pick(["toString", "constructor"])],
    ["sizes", Array.from({ length: random.between(0, 3) }, sizeOf)],
  ]) as Doc;
const dateOf = (day: number) => random.pick([new Date(1.7e12 + day * DAY), new Date(1.7e12 + day * DAY).toISOString()]);
const sizeOf = () => ({
  label: random.pick(["S", "M", "L"]),
  prices: Array.from({ length: random.between(0, 2) }, () => random.between(0, 40) / 2),
});
const DOCUMENTS = Array.from({ length: 60 }, (_, i) => made(i));

/** All values of a field in a document: dates as milliseconds. */
function valuesOf(doc: unknown, path: string): (string | number | boolean)[] {
  const steps = path === "on.sale" ? [path] : path.split(".");
  let here: unknown[] = [doc];
  for (const step of steps)
    here = here.flatMap((one) => (Object.hasOwn(one as object, step) ? (one as Doc)[step] : [])).flat() as unknown[];
  const plain = (value: unknown) =>
    path === "on.sale" ? new Date(value as string).getTime() : value === "false" ? false : value;
  return here.filter((value) => value !== null && value !== undefined).map((value) => plain(value) as string);
}

const same = (path: string, value: unknown) =>
  path === "on.sale" && value !== null ? new Date(value as string).getTime() : value;

function passes(doc: Doc, filters: Filters): boolean {
  return Object.entries(filters).every(([name, asked]): boolean => {
    if (name === "$and") return (asked as Filters[]).every((one) => passes(doc, one));
    if (name === "$or") return (asked as Filters[]).some((one) => passes(doc, one));
    if (name === "$not") return !passes(doc, asked as Filters);
    const values = valuesOf(doc, name);
    const has = (value: unknown) =>
      value === null ? values.length === 0 : values.includes(same(name, value) as string);
    if (asked === null || typeof asked !== "object" || asked instanceof Date) return has(asked);
    if (Array.isArray(asked)) return asked.some(has);
    const { $gt, $gte, $lt, $lte, ...others } = asked as Filters;
    const bounds = [$gt, $gte, $lt, $lte].map((bound) =>
      bound === undefined ? undefined : (same(name, bound) as number),
    );
    const isWithin = (value: unknown) =>
      [
        (v: number, b: number) => v > b,
        (v: number, b: number) => v >= b,
        (v: number, b: number) => v < b,
        (v: number, b: number) => v <= b,
      ].every((holds, i) => bounds[i] === undefined || holds(value as number, bounds[i]));
    if (bounds.some((bound) => bound !== undefined) && !values.some(isWithin)) return false;
    return Object.entries(others).every(([operator, operand]): boolean => {
      if (operator === "$exists") return values.length > 0 === operand;
      if (operator === "$eq") return has(operand);
      if (operator === "$ne") return !has(operand);
      if (operator === "$nin") return !(operand as unknown[]).some(has);
      return operator === "$contains" ? [operand].flat().every(has) : (operand as unknown[]).some(has);
    });
  });
}

function randomFilter(depth: number): Filters {
  if (depth > 0 && random.chance(0.6)) {
    const inner = () => randomFilter(depth - 1);
    return random.pick([
      { $and: [inner(), inner()] },
      { $or: [inner(), inner()] },
      { $not: inner() },
      { ...inner(), $not: inner() },
    ]);
  }
  const price = () => random.between(0, 40) / 2;
  return random.pick<Filters>([
    { brand: random.pick(["Fjord", "fjord", null]) },
    { brand: { $nin: ["alm", random.pick([null, "Ödland"])] } },
    { stock: { $ne: random.between(0, 6) } },
    { stock: [random.between(0, 6), null] },
    { isNew: random.chance(0.5) },
    { "on.sale": { [random.pick(["$gt", "$gte"])]: dateOf(random.between(0, 9)), $lt: dateOf(random.between(0, 9)) } },
    { "on.sale": { $contains: dateOf(random.between(0, 9)) } },
    { ["__proto__"]: "constructor" },
    { "sizes.label": { $contains: ["S", random.pick(["M", "L"])] } },
    { "sizes.label": { $overlaps: random.pick([["M"], [], ["S", "L"]]) } },
    { "sizes.prices": { $gte: price(), [random.pick(["$lt", "$lte"])]: price() } },
    { "sizes.prices": { $exists: random.chance(0.5) } },
    { id: { $in: ["d01", "d02", "d03", "none"] } },
  ]);
}

const indexOf = (physical_name: string, more: Partial<MedusaIndex> = {}): MedusaIndex => ({
  ...{ physical_name, primary_key: "id", fields: FIELDS, settings: {}, ...more },
});
const engine = new SearchEngine({ onWarning: () => {} });
const provider = createMedusaSearchProvider({ engine });
const INDEX = indexOf("shop_v1");
const GROUPED = indexOf("groups_v1", { settings: { distinct_attribute: "brand" } });
const search = (more: Partial<MedusaSearch>, index = INDEX) =>
  provider.search({ index, attributes_to_retrieve: [], ...more });
const idsOf = async (more: Partial<MedusaSearch>, index = INDEX) =>
  (await search({ ...more, pagination: { take: 1000, ...more.pagination } }, index)).hits.map(({ id }) => id);

async function fill(index: MedusaIndex, documents: readonly Doc[]): Promise<void> {
  await provider.upsertIndex({ index });
  await provider.upsertDocuments({ index: index.physical_name, definition: index, documents });
}

beforeAll(async () => {
  for (const index of [INDEX, GROUPED]) await fill(index, DOCUMENTS);
});
afterAll(() => engine.close());

it("is what Medusa's ModuleProvider makes of a class", () => {
  expect(medusa.module).toBe("search");
  const [service] = medusa.services;
  expect([service?.identifier, new service!({}, { engine }).identifier]).toEqual(["tandem-search", "tandem-search"]);
});

it("answers filters, pages and orders as one by one", async () => {
  const compare = (path: string, sign: number) => (a: Doc, b: Doc) => {
    const [[x], [y]] = [valuesOf(a, path), valuesOf(b, path)];
    const folded = (value: unknown) =>
      typeof value === "string" ? value.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase() : value;
    if (x === undefined || y === undefined) return Number(x === undefined) - Number(y === undefined);
    const [p, q] = [folded(x) as string, folded(y) as string];
    return p === q ? 0 : sign * (p < q ? -1 : 1);
  };
  for (let i = 0; i < 120; i++) {
    const filters = randomFilter(3);
    const [first, second] = random.pick([
      ["brand", "stock"],
      ["stock", "name"],
      ["name", "brand"],
    ]) as [string, string];
    const order = { [first]: random.pick(["ASC", "DESC"] as const), [second]: random.pick(["ASC", "DESC"] as const) };
    const ways = Object.entries(order).map(([path, way]) => compare(path, way === "ASC" ? 1 : -1));
    const wanted = DOCUMENTS.filter((doc) => passes(doc, filters)).toSorted(
      (a, b) => ways[0]!(a, b) || ways[1]!(a, b) || (a.id < b.id ? -1 : 1),
    );
    const label = JSON.stringify([filters, order]);
    const ids = wanted.map(({ id }) => id);
    expect(await idsOf({ filters, pagination: { order } }), label).toEqual(ids);
    const paged: string[] = [];
    for (let cursor: string | undefined, page = 0; page === 0 || cursor !== undefined; page++) {
      const { hits, metadata } = await search({
        filters,
        pagination: { order, take: 9, skip: 0, ...(cursor && { cursor }) },
      });
      expect(metadata.count, label).toBe(ids.length);
      paged.push(...hits.map(({ id }) => id));
      cursor = metadata.next_cursor;
    }
    expect(paged, label).toEqual(ids);
    expect(await idsOf({ filters, pagination: { order, skip: 4, take: 3 } }), label).toEqual(ids.slice(4, 7));
  }
});

/** A facet of documents, counted one by one. */
function counted(
  docs: readonly Doc[],
  { field, type = "value", ...request }: Record<string, unknown>,
): MedusaFacetResult {
  const path = field as string;
  const all = docs.map((doc) => [...new Set(valuesOf(doc, path))]).filter(({ length }) => length > 0);
  const numbers = all.flat() as number[];
  if (type === "stats") {
    if (numbers.length === 0) return { type, min: 0, max: 0, count: 0 };
    const sum = numbers.reduce((a, b) => a + b, 0);
    return {
      type,
      min: Math.min(...numbers),
      max: Math.max(...numbers),
      avg: sum / numbers.length,
      sum,
      count: all.length,
    };
  }
  if (type === "range") {
    const ranges = (request.ranges as { from?: number; to?: number }[]).map(({ from, to }) => {
      const isIn = (v: unknown) =>
        (from === undefined || (v as number) >= Number(same(path, from))) &&
        (to === undefined || (v as number) < Number(same(path, to)));
      const bounds = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
      return { key: `${from ?? "*"}-${to ?? "*"}`, ...bounds, count: all.filter((values) => values.some(isIn)).length };
    });
    return { type, ranges };
  }
  const textOf = (value: unknown) => (path === "on.sale" ? new Date(value as number).toISOString() : String(value));
  const counts = new Map<string, number>();
  for (const values of all) for (const value of values) counts.set(textOf(value), (counts.get(textOf(value)) ?? 0) + 1);
  const { limit = 100, sort, query = "" } = request as { limit?: number; sort?: string; query?: string };
  const values = [...counts]
    .map(([value, count]) => ({ value, count }))
    .filter(({ value }) => value.toLowerCase().startsWith(query))
    .toSorted((a, b) => (sort === "alpha" ? 0 : b.count - a.count) || (a.value < b.value ? -1 : 1))
    .slice(0, limit);
  const isOther = (of: unknown[]) => !of.some((value) => values.some((one) => one.value === textOf(value)));
  return { type: "value", values, other_count: all.filter(isOther).length };
}

it("counts facets as one by one, of groups too", async () => {
  const dates = [2, 5].map((day) => new Date(1.7e12 + day * DAY).toISOString());
  const requests: ({ readonly field: string } & Readonly<Record<string, unknown>>)[] = [
    ...["brand", "isNew", "__proto__", "sizes.label"].map((field) => ({ field })),
    ...["stock", "sizes.prices", "on.sale"].flatMap((field) => [
      { field, type: "value" },
      { field, type: "stats" },
    ]),
    ...["brand", "sizes.label", "on.sale"].flatMap((field) => [
      { field, limit: 2 },
      { field, sort: "alpha", limit: 3 },
    ]),
    { field: "brand", query: "f" },
    { field: "sizes.label", query: "m", limit: 1 },
    {
      field: "sizes.prices",
      type: "range",
      ranges: [{ to: 5 }, { from: 5, to: 12.5 }, { from: 9, to: 9 }, { from: 19 }, {}],
    },
    {
      field: "on.sale",
      type: "range",
      ranges: [{ to: dates[0] }, { from: dates[0], to: dates[1] }, { from: dates[1] }],
    },
  ];
  for (const request of requests)
    for (const index of [INDEX, GROUPED]) {
      const filters = randomFilter(1);
      const found = DOCUMENTS.filter((doc) => passes(doc, filters));
      const { facets, hits } = await search({ filters, search_options: { facets: [request] } }, index);
      expect(Object.keys(facets!)).toEqual([request.field]);
      const { [request.field as string]: told } = Object.fromEntries(Object.entries(facets!));
      expect(told, JSON.stringify([request, filters])).toEqual(counted(found, { ...request }));
      if (index === GROUPED) expect(new Set(hits.map(({ id }) => id)).size).toBe(hits.length);
    }
});

it("orders and chooses among more values than the engine lists", async () => {
  const fields: Readonly<Record<string, object>> = {
    id: { type: "keyword" },
    handles: { type: "keyword", array: true, facetable: true },
  };
  const index = indexOf("handles_v1", { fields });
  const documents = Array.from({ length: 1100 }, (_, i) => ({ id: `d${i}`, handles: [`h${i}`, "all"] }));
  await fill(index, documents);
  const ask = async (facet: object) =>
    (await search({ search_options: { facets: [{ field: "handles", ...facet }] } }, index)).facets!.handles;
  const handles = documents
    .map(({ handles: [handle] }) => ({ value: handle!, count: 1 }))
    .toSorted((a, b) => (a.value < b.value ? -1 : 1));
  const all = { value: "all", count: 1100 };
  expect(await ask({ sort: "alpha", limit: 3 })).toEqual({
    type: "value",
    values: [all, ...handles.slice(0, 2)],
    other_count: 0,
  });
  expect(await ask({ query: "h", limit: 1000 })).toEqual({
    type: "value",
    values: handles.slice(0, 1000),
    other_count: 100,
  });
});

it("asks the engine once where it has told all values", async () => {
  let queries = 0;
  const counting = new Proxy(engine, {
    get(target, name: keyof SearchEngine) {
      if (typeof target[name] !== "function") return target[name];
      return (...args: never[]) => {
        if (name === "query") queries++;
        return (target[name] as (...args: never[]) => unknown)(...args);
      };
    },
  });
  const asking = createMedusaSearchProvider({ engine: counting });
  const ask = async (facet: object) => {
    const facets = [{ field: "stock", type: "value", ...facet }];
    const found = await asking.search({ index: INDEX, attributes_to_retrieve: [], search_options: { facets } });
    return found.facets!.stock;
  };
  await ask({});
  for (const facet of [{ limit: 2 }, { limit: 1, sort: "alpha" }, { query: "3" }]) {
    queries = 0;
    const request = { field: "stock", ...facet };
    expect([await ask(facet), queries]).toEqual([counted(DOCUMENTS, request), 1]);
  }
});

it("answers each search from one state, whatever is written meanwhile", async () => {
  const index = indexOf("states_v1", { settings: { distinct_attribute: "brand" } });
  const states = ["Fjord", "alm"].map((brand, i) =>
    DOCUMENTS.map((doc, at) => ({ ...doc, brand: at % 3 ? brand : `${brand}${at % 7}`, stock: i })),
  );
  const ask = async () => {
    const facets = [
      { field: "brand", limit: 1 },
      { field: "sizes.label", limit: 1 },
      { field: "stock", type: "stats" as const },
    ];
    const { metadata, ...rest } = await search(
      { attributes_to_retrieve: ["brand"], search_options: { facets } },
      index,
    );
    return JSON.stringify([rest, metadata.count]);
  };
  const write = (i: number) =>
    provider.upsertDocuments({ index: "states_v1", definition: index, documents: states[i % 2]! });
  await fill(index, states[1]!);
  const possible: string[] = [];
  for (const i of [0, 1]) {
    await write(i);
    possible.push(await ask());
  }
  expect(new Set(possible).size).toBe(2);
  const writing = Array.from({ length: 12 }, (_, i) => write(i));
  for (let i = 0; i < 20; i++) expect(possible).toContain(await ask());
  await Promise.all(writing);
});

it("reads by the definition that the index has when it answers", async () => {
  const [plain, searched] = [{ type: "keyword" }, { type: "keyword", searchable: true }].map((brand) =>
    indexOf("changing_v1", { fields: { ...FIELDS, brand } }),
  ) as [MedusaIndex, MedusaIndex];
  await fill(plain, DOCUMENTS);
  const other = createMedusaSearchProvider({ engine });
  const fjords = DOCUMENTS.filter(({ brand }) => brand === "Fjord").map(({ id }) => id);
  expect(await idsOf({ q: "fjord" }, plain)).toEqual([]);
  await other.upsertIndex({ index: searched });
  await other.upsertDocuments({ index: "changing_v1", definition: searched, documents: DOCUMENTS });
  expect((await idsOf({ q: "fjord" }, plain)).toSorted()).toEqual(fjords);
  await expect(idsOf({ filters: { brand: "Fjord" } }, plain)).rejects.toMatchObject({ type: "invalid_data" });
  await engine.deleteIndex("changing_v1");
  await expect(idsOf({ q: "fjord" }, plain)).rejects.toMatchObject({ type: "not_found" });
  await engine.createIndex("changing_v1");
  await expect(idsOf({ q: "fjord" }, plain)).rejects.toMatchObject({ type: "not_found" });
  await expect(provider.upsertIndex({ index: plain })).rejects.toMatchObject({ type: "not_allowed" });
});

it("takes the engines of a server and a worker as promises", async () => {
  const dataDir = path("shared");
  const writing = SearchEngine.open({ dataDir });
  const worker = createMedusaSearchProvider({ engine: writing });
  await worker.upsertIndex({ index: INDEX });
  await worker.upsertDocuments({ index: "shop_v1", definition: INDEX, documents: DOCUMENTS });
  const reading = SearchEngine.open({ dataDir, readOnly: true, follow: true });
  const server = createMedusaSearchProvider({ engine: reading });
  const { metadata } = await server.search({ index: INDEX, attributes_to_retrieve: [] });
  expect(metadata.count).toBe(DOCUMENTS.length);
  await server.upsertIndex({ index: INDEX });
  await expect(server.clearIndex({ index: "shop_v1" })).rejects.toMatchObject({ type: "not_allowed" });
  await expect(server.upsertIndex({ index: GROUPED })).rejects.toMatchObject({ type: "not_allowed" });
  for (const [one, promised] of [[worker, writing] as const, [server, reading] as const]) {
    await one.close();
    await (await promised).close();
  }
  const rejected = createMedusaSearchProvider({ engine: SearchEngine.open({ dataDir: "" }) });
  // By then the process knows of a rejection that nobody handles.
  await new Promise(setImmediate);
  await expect(rejected.listIndexes()).rejects.toMatchObject({ type: "unexpected_state", cause: { code: 400 } });
});

it("reads the engine's own settings of an index, with fields that have no filters of Medusa's", async () => {
  const ranked = { filters: { name: "Red boot" }, weight: 1 };
  const own = { boosts: [ranked, { filters: "sizes.label:S", weight: 0.5 }], customRanking: ["desc(stock)"] };
  const index = indexOf("own_v1", { settings: { provider_options: { "tandem-search": own } } });
  await fill(index, DOCUMENTS);
  const weigh = (doc: Doc) =>
    Number(doc.name === "Red boot") + 0.5 * Number(valuesOf(doc, "sizes.label").includes("S"));
  const stock = (doc: Doc) => (doc.stock as number | undefined) ?? -1;
  const wanted = DOCUMENTS.toSorted((a, b) => weigh(b) - weigh(a) || stock(b) - stock(a) || (a.id < b.id ? -1 : 1));
  expect(await idsOf({}, index)).toEqual(wanted.map(({ id }) => id));
});

describe("refuses, as the type that Medusa knows", () => {
  const document = (more: object) =>
    provider.upsertDocuments({ index: "shop_v1", definition: INDEX, documents: [{ id: "new", ...more }] });
  const define = (more: Partial<MedusaIndex>) => provider.upsertIndex({ index: indexOf("refused_v1", more) });
  const field = (given: object) => define({ fields: { id: { type: "keyword" }, x: given } });
  const options = (given: object) => search({ q: "boot", search_options: given });
  const rows: Readonly<Record<string, readonly (readonly [string, () => Promise<unknown>])[]>> = {
    invalid_data: [
      ["a fraction as an integer", () => document({ stock: 1.5 })],
      ["a list where one value is declared", () => document({ brand: ["a", "b"] })],
      ["a time without a zone", () => document({ "on.sale": ["2026-01-31T10:00:00"] })],
      ["an object where a list of objects has texts", () => document({ sizes: ["S"] })],
      ["what has no form in JSON", () => document({ other: 1n })],
      ["a filter that holds an object", () => search({ filters: { brand: { $eq: {} } } })],
      ["a filter within a list", () => search({ filters: { $or: [5] } })],
      ["bounds that are no dates", () => search({ filters: { "on.sale": { $gt: "soon" } } })],
      ["a snippet without words", () => options({ highlight: { fields: ["name"], snippet: { length: 0 } } })],
      ["options of ours that are unknown", () => options({ provider_options: { "tandem-search": { limit: 3 } } })],
      [
        "a field twice",
        () =>
          define({
            fields: {
              id: { type: "keyword" },
              "a.b": { type: "text" },
              a: { type: "object", fields: { b: { type: "text" } } },
            },
          }),
      ],
      ["a weight of 0", () => field({ type: "text", searchable: { weight: 0 } })],
      [
        "a ranking by what is no field",
        () => define({ settings: { provider_options: { "tandem-search": { customRanking: ["asc(nowhere)"] } } } }),
      ],
      [
        "a rule with an id of ours",
        () =>
          define({
            settings: {
              provider_options: {
                "tandem-search": { rules: [{ id: "tandem-search/medusa", consequence: { hide: ["a"] } }] },
              },
            },
          }),
      ],
      ["a name that no index may have", () => provider.upsertIndex({ index: indexOf("a/b") })],
    ],
    not_allowed: [
      [
        "a name that filters of the engine reserve",
        () => define({ fields: { id: { type: "keyword" }, OR: { type: "text" } } }),
      ],
      ["a list as the key", () => define({ fields: { id: { type: "keyword", array: true } } })],
      ["a place within a list", () => field({ type: "object", array: true, fields: { at: { type: "geo" } } })],
      ["a setting that is not known", () => define({ settings: { ranking: 1 } as object })],
      ["an operator that is not known", () => search({ filters: { brand: { $regex: "x" } } })],
      [
        "more values in filters than the engine takes",
        () => search({ filters: { id: Array.from({ length: 1001 }, (_, i) => `d${i}`) } }),
      ],
      [
        "more ranges than the engine counts",
        () =>
          search({
            search_options: {
              facets: [{ field: "stock", type: "range", ranges: Array.from({ length: 101 }, (_, to) => ({ to })) }],
            },
          }),
      ],
      ["longer tags than the engine's", () => options({ highlight: { fields: ["name"], pre_tag: "x".repeat(65) } })],
      ["a document that is too large", () => document({ text: "x".repeat(200_000) })],
      ["a text that is too long", () => search({ q: "boot ".repeat(1000) })],
    ],
  };
  it.each(
    Object.entries(rows).flatMap(([type, list]) => list.map(([what, call]) => [what, type, call] as const)),
  )("%s: %s", async (_, type, call) => {
    const error = await call().then(
      () => undefined,
      (thrown: Error) => thrown,
    );
    expect(error).toMatchObject({ type, __isMedusaError: true });
    expect(error!.message.length).toBeLessThanOrEqual(400);
    expect((await provider.listIndexes()).map(({ name }) => name)).not.toContain("refused_v1");
    expect((await search({})).metadata.count).toBe(DOCUMENTS.length);
  });
});
