// The tools beside a naive shop that reads all of its records, their schemas beside a naive validator, and by hand what the key, the size of
// a catalogue and the length of a text decide.

import { describe, expect, it } from "vitest";
import { SearchEngine } from "../../src/index.js";
import { hashKey } from "../../src/service.js";
import {
  type CatalogProduct,
  type SearchToolsOptions,
  searchTools,
  type ToolResult,
  type ToolSchema,
} from "../../src/tools.js";
import { property, type Random } from "../support/random.js";

interface Ware {
  readonly id: string;
  readonly title: string;
  readonly tenant: "a" | "b";
  readonly brand?: string;
  readonly weight?: number;
  readonly sale: boolean;
  readonly tags: readonly string[];
  readonly variants: readonly Variant[];
}

interface Variant {
  readonly id: string;
  readonly sku: string;
  readonly size: string;
  readonly color: string;
  readonly price?: number;
  readonly stock: number;
}

const CURRENCIES = { EUR: 100, JPY: 1, KWD: 1000 };
const KEY = { applicationId: "assistant", keyHash: hashKey("a-random-key-of-16-characters"), permissions: ["search"] };
const MAPPING = { currency: "EUR", variants: { path: "variants", available: "stock", options: ["size", "color"] } };
const FACETS = ["brand", "weight", "sale", "tags"] as const;

/** Prices lie beside the middle between two amounts, on either side. */
const wares = (random: Random): Ware[] =>
  random.list(1, 30, (i) => ({
    id: `p${i}`,
    title: `${random.pick(["Red", "Soft"])} ${random.pick(["cup", "hat"])}`,
    tenant: random.chance(0.8) ? "a" : "b",
    ...(random.chance(0.8) && { brand: random.pick(["Acme", "Borg", "Côté", "Dunn"]) }),
    ...(random.chance(0.8) && { weight: random.between(1, 9) / 2 }),
    sale: random.chance(0.5),
    tags: random.some(["new", "old", "38"], 0.4),
    variants: random.list(0, 4, (j) => ({
      ...{ id: `p${i}-${j}`, sku: `S${random.between(0, 40)}` },
      ...{ size: random.pick(["S", "M"]), color: random.pick(["red", "blue", "grey"]), stock: random.between(0, 1) },
      ...(random.chance(0.9) && { price: random.between(0, 60) * 0.0005 + random.pick([0, 1, 1.005, 4.35, 64.1]) }),
    })),
  }));

async function shopOf(records: readonly object[], more: Partial<SearchToolsOptions> = {}) {
  const engine = new SearchEngine({ embedder: false });
  await engine.createIndex("shop");
  await engine.addRecords("shop", records);
  const [search, lookup, get] = await searchTools(engine, { indexName: "shop", mapping: MAPPING, ...more });
  return { engine, search, lookup, get };
}

const good = <D>(result: ToolResult<D>): D => {
  if (result.isError) throw new Error(result.text);
  return result.data;
};

const mistakes = ({ data, isError }: ToolResult<object>) =>
  isError ? data.messages.map(({ code, path, suggestion }) => [code, path, suggestion]) : [];

/** The products of the naive shop, with the amounts of their variants. */
const productsOf = (records: readonly Ware[], factor: number) =>
  records
    .map((ware) => ({
      ...ware,
      priced: ware.variants
        .filter(({ price }) => price !== undefined)
        .map((each) => ({ ...each, amount: Math.round(each.price! * factor) })),
    }))
    .filter(({ tenant, priced }) => tenant === "a" && priced.length > 0);

type NaiveProduct = ReturnType<typeof productsOf>[number];
interface Bounds {
  readonly min?: number;
  readonly max?: number;
}
const within = (value: number, { min = value, max = value }: Bounds) => value >= min && value <= max;

interface NaiveFilters {
  readonly price?: Bounds;
  readonly weight?: Bounds;
  readonly sale?: boolean;
  readonly brand?: readonly string[];
  readonly tags?: readonly string[];
}

const passes = (ware: NaiveProduct, { price, weight, sale, brand, tags }: NaiveFilters) =>
  (price === undefined || ware.priced.some(({ amount }) => within(amount, price))) &&
  (weight === undefined ||
    Object.keys(weight).length === 0 ||
    (ware.weight !== undefined && within(ware.weight, weight))) &&
  (sale === undefined || ware.sale === sale) &&
  (brand === undefined || brand.length === 0 || brand.includes(ware.brand!)) &&
  (tags === undefined || tags.length === 0 || ware.tags.some((tag) => tags.includes(tag)));

/** Whether a schema allows a value: the keywords that the tools use. */
function allows(schema: ToolSchema, value: unknown): boolean {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  const types: Partial<Record<string, boolean>> = {
    ...{ object: isObject, array: Array.isArray(value), integer: Number.isInteger(value) },
  };
  if (!(types[schema.type] ?? typeof value === schema.type)) return false;
  if (Array.isArray(value)) {
    const { minItems = 0, maxItems = 1e9, items } = schema;
    return value.length >= minItems && value.length <= maxItems && value.every((item) => allows(items!, item));
  }
  if (isObject) {
    const { properties = {}, required = [], additionalProperties } = schema;
    const own = Object.entries(value);
    return (
      required.every((name) => Object.hasOwn(value, name)) &&
      own.every(([name, each]) =>
        Object.hasOwn(properties, name) ? allows(properties[name]!, each) : additionalProperties !== false,
      )
    );
  }
  const { minimum = -Infinity, maximum = Infinity } = schema;
  if (typeof value === "number") return value >= minimum && value <= maximum;
  return schema.enum === undefined || schema.enum.includes(value as string);
}

describe("beside a naive shop", () => {
  const filters = (random: Random, products: readonly NaiveProduct[]): NaiveFilters => {
    const amounts = products.flatMap(({ priced }) => priced.map(({ amount }) => amount));
    const weights = products.flatMap(({ weight }) => (weight === undefined ? [] : [weight]));
    const bounds = (values: readonly number[]): Bounds => {
      const [min, max] = [random.pick(values), random.pick(values)].sort((a, b) => a - b);
      return { ...(random.chance(0.6) && { min: min! }), ...(random.chance(0.6) && { max: max! }) };
    };
    const brands = new Set(products.flatMap(({ brand }) => (brand === undefined ? [] : [brand])));
    const tags = new Set(products.flatMap((product) => product.tags));
    return {
      ...(random.chance(0.5) && { price: bounds(amounts) }),
      ...(weights.length > 0 && random.chance(0.3) && { weight: bounds(weights) }),
      ...(random.chance(0.3) && { sale: random.chance(0.5) }),
      ...(brands.size > 0 && random.chance(0.3) && { brand: random.some([...brands], 0.5) }),
      ...(tags.size > 0 && random.chance(0.3) && { tags: random.some([...tags], 0.5) }),
    };
  };

  property("the same products, variants and values, page by page", 120, async (random) => {
    const records = wares(random);
    const [currency, factor] = random.pick(Object.entries(CURRENCIES));
    const products = productsOf(records, factor);
    const { engine, search } = await shopOf(records, {
      ...{
        mapping: { ...MAPPING, currency },
        facets: FACETS.filter((name) => records.some((ware) => [ware[name] ?? []].flat().length > 0)),
      },
      credential: { ...KEY, filters: { tenant: "a" } },
    });
    const schemas = search.inputSchema.properties!.filters!.properties!;
    const amounts = products.flatMap(({ priced }) => priced.map(({ amount }) => amount));
    expect(schemas.price!.properties!.min!.maximum).toBe(amounts.length === 0 ? undefined : Math.max(...amounts));
    expect(schemas.price!.properties!.max!.minimum).toBe(amounts.length === 0 ? 0 : Math.min(...amounts));
    const brands = new Set(products.flatMap(({ brand }) => brand ?? []));
    expect(new Set(schemas.brand?.items?.enum)).toEqual(brands);
    for (let i = 0; products.length > 0 && i < 6; i++) {
      const asked = filters(random, products);
      const wanted = products.filter((product) => passes(product, asked));
      const found: CatalogProduct[] = [];
      let cursor: string | undefined;
      do {
        const pagination = { limit: random.between(1, 4), ...(cursor !== undefined && { cursor }) };
        const page = good(await search.execute({ query: "", filters: asked, pagination }));
        expect(page.pagination.total_count).toBe(wanted.length);
        found.push(...page.products);
        cursor = page.pagination.cursor;
        expect(page.pagination.has_next_page).toBe(cursor !== undefined);
      } while (cursor !== undefined);
      expect(found.map(({ id }) => id).sort()).toEqual(wanted.map(({ id }) => id).sort());
      for (const { id, variants, price_range } of found) {
        const { priced } = wanted.find((ware) => ware.id === id)!;
        const shown = priced.filter(({ amount }) => within(amount, asked.price ?? {}));
        expect(variants.map((each) => [each.id, each.price.amount])).toEqual(
          shown.map((each) => [each.id, each.amount]),
        );
        expect(price_range.min.amount).toBe(Math.min(...priced.map(({ amount }) => amount)));
      }
    }
    await engine.close();
  });

  property("ids name products, variants and SKUs, and selections are relaxed", 120, async (random) => {
    const records = wares(random);
    const products = productsOf(records, 100);
    const { engine, lookup, get } = await shopOf(records, { credential: { ...KEY, filters: { tenant: "a" } } });
    const ids = random.list(1, 8, () => random.pick(["p0", "p1-0", "p2-1", "S1", "S2", "S3", "p4", "none"]));
    const { products: found, messages = [] } = good(await lookup.execute({ ids }));
    const inputs = found.flatMap(({ id, variants }) =>
      variants.flatMap((variant) => variant.inputs!.map(({ id: input, match }) => [input, id, variant.id, match])),
    );
    const naive = [...new Set(ids)].flatMap((input) =>
      products.flatMap(({ id, priced }) => {
        const first = priced.find(({ stock }) => stock > 0) ?? priced[0]!;
        if (id === input) return [[input, id, first.id, "featured"]];
        return priced
          .filter((each) => [each.id, each.sku].includes(input))
          .map((each) => [input, id, each.id, "exact"]);
      }),
    );
    expect(inputs.map(String).sort()).toEqual(naive.map(String).sort());
    const absent = [...new Set(ids)].filter((id) => !naive.some(([input]) => input === id));
    expect(messages).toEqual(absent.map((content) => ({ type: "info", code: "not_found", content })));
    for (const { id, priced } of products) {
      const chosen = { size: random.pick(["S", "M", "L"]), color: random.pick(["red", "blue", "grey", "gold"]) };
      const options = random.shuffle(["size", "color"] as const).filter((name) => priced.some((each) => each[name]));
      const asked = options.slice(0, random.between(0, 2));
      const preferences = random.shuffle(["size", "color"]).slice(0, random.between(0, 2));
      const dropped = [
        ...asked.filter((name) => !preferences.includes(name)).reverse(),
        ...preferences.filter((name) => asked.includes(name as "size")).reverse(),
      ];
      const kept = (k: number) => asked.filter((name) => !dropped.slice(0, k).includes(name));
      const matching = (k: number) => priced.filter((each) => kept(k).every((name) => each[name] === chosen[name]));
      const k = [0, 1, 2].find((count) => matching(count).length > 0)!;
      const selected = asked.map((name) => ({ name, label: chosen[name] }));
      const { product } = good(await get.execute({ id, selected, preferences }));
      expect(product.selected).toEqual(kept(k).map((name) => ({ name, label: chosen[name] })));
      expect(product.variants.map((each) => each.id).sort()).toEqual(
        matching(k)
          .map((each) => each.id)
          .sort(),
      );
      const first = matching(k).find(({ stock }) => stock > 0) ?? matching(k)[0]!;
      expect(product.variants[0]!.id).toBe(first.id);
      for (const { name, values } of product.options!)
        for (const { label, exists, available } of values) {
          const others = kept(k).filter((other) => other !== name);
          const there = priced.filter(
            (each) => each[name as "size"] === label && others.every((other) => each[other] === chosen[other]),
          );
          expect([exists, available]).toEqual([there.length > 0, there.some(({ stock }) => stock > 0)]);
        }
    }
    await engine.close();
  });

  property("refuses what the schemas refuse, and nothing else", 60, async (random) => {
    const { engine, search, lookup, get } = await shopOf(
      [...wares(random), { ...wares(random)[0]!, id: "q", brand: "Acme" }],
      {
        facets: ["brand", "sale", "tags"],
      },
    );
    const value = (): unknown =>
      random.pick([
        ...["Acme", "acme", "new", "", 0, 5, 2.5, -1, 1e9, true, null, ["Acme"], ["new", "nwe"], [5], [], {}],
        ...[{ min: random.between(-1, 7000) }, { max: random.between(-1, 7000) }, { min: "5" }, { least: 5 }],
      ]);
    const object = (names: readonly string[]) =>
      Object.fromEntries(random.some(names, 0.5).map((name) => [name, value()]));
    for (let i = 0; i < 20; i++) {
      const filters = random.chance(0.7) ? object(["brand", "sale", "tags", "price", "categories"]) : value();
      const [tool, args] = random.pick([
        [search, { query: random.pick(["cup", "", 5]), ...(random.chance(0.5) && { filters }) }],
        [search, { query: "", pagination: object(["limit", "size"]), context: value() }],
        [lookup, { ids: random.pick([["q"], ["q", 5], [], "q"]), filters, ...object(["query"]) }],
        [get, { ...(random.chance(0.9) && { id: random.pick(["q", 5]) }), filters, preferences: value() }],
      ] as const);
      const result = await tool.execute(args);
      const codes = mistakes(result).map(([code]) => code);
      const isRefused = result.isError && !codes.every((code) => code === "not_found");
      expect(isRefused, JSON.stringify([args, result.data])).toBe(!allows(tool.inputSchema, args));
    }
    await engine.close();
  });
});

describe("by hand", () => {
  it("takes any of very many values, and suggests the nearest", async () => {
    const records = Array.from({ length: 2400 }, (_, i) => ({
      id: i,
      title: "Cup",
      price: 1,
      brand: `Maker ${i % 1200}`,
    }));
    const { engine, search } = await shopOf(records, { mapping: { currency: "EUR" }, facets: ["brand"] });
    const { items } = search.inputSchema.properties!.filters!.properties!.brand!;
    expect([items!.enum, items!.examples!.length]).toEqual([undefined, 20]);
    const rare = "Maker 999";
    expect(good(await search.execute({ filters: { brand: [rare] } })).pagination.total_count).toBe(2);
    expect(mistakes(await search.execute({ filters: { brand: ["Maker 0", "Makr 999"] } }))).toEqual([
      ["unknown_value", "$.filters.brand[1]", rare],
    ]);
    await engine.close();
  });

  it("lists no values where the engine may count fewer than there are, and takes the others all the same", async () => {
    const engine = new SearchEngine({ embedder: false, limits: { facetValues: 50 } });
    await engine.createIndex("shop");
    const makers = (i: number) => ({ brand: `Brand ${i % 80}`, maker: `Maker ${i % 50}`, kind: `Kind ${i % 49}` });
    await engine.addRecords(
      "shop",
      Array.from({ length: 400 }, (_, id) => ({ id, title: "Cup", price: 1, ...makers(id) })),
    );
    const facets = ["brand", "maker", "kind"];
    const [search] = await searchTools(engine, { indexName: "shop", mapping: { currency: "EUR" }, facets });
    const { brand, maker, kind } = search.inputSchema.properties!.filters!.properties!;
    expect([brand, maker, kind].map((schema) => schema!.items!.enum?.length)).toEqual([undefined, undefined, 49]);
    expect(good(await search.execute({ filters: { brand: ["Brand 79"] } })).pagination.total_count).toBe(5);
    expect(mistakes(await search.execute({ filters: { brand: ["brand 79"] } }))).toEqual([
      ["unknown_value", "$.filters.brand[0]", "Brand 79"],
    ]);
    await engine.close();
  });

  it("warns of a price that no record has, and finds nothing", async () => {
    const warnings: unknown[] = [];
    const engine = new SearchEngine({
      embedder: false,
      onWarning: ({ code, message }) => warnings.push([code, message]),
    });
    await engine.createIndex("shop");
    await engine.addRecords("shop", [{ id: 1, title: "Cup", cost: 5 }]);
    const [search] = await searchTools(engine, { indexName: "shop", mapping: { currency: "EUR", price: "costs" } });
    expect(good(await search.execute({ query: "cup" })).products).toEqual([]);
    expect(warnings).toEqual([["unknown_attribute", expect.stringContaining('"costs", which no record has')]]);
    await engine.close();
  });

  it("finds ids and values of other types by how they are written", async () => {
    const records = [
      { id: 7, title: "Cup", price: "9.99", code: 5 },
      { id: 8, title: "Cup", price: 4, code: 5, sku: 77, category: [12, true] },
      { id: 9, title: "Cup", price: 1e300, code: "5" },
      { id: 10, title: "Cup", price: -1, code: "x" },
      { id: 11, title: "Cup", price: 0, code: "true" },
    ];
    const { engine, search, lookup } = await shopOf(records, { mapping: { currency: "EUR" }, facets: ["code"] });
    expect(search.inputSchema.properties!.filters!.properties!.code!.items!.enum).toEqual(["5", "true"]);
    const found = async (code: string) =>
      good(await search.execute({ filters: { code: [code] } })).products.map(({ id }) => id);
    expect([await found("5"), await found("true")]).toEqual([["8"], ["11"]]);
    const inCategory = await search.execute({ filters: { categories: ["12"] } });
    expect(good(inCategory).products[0]!.categories).toEqual([{ value: "12" }, { value: "true" }]);
    const { products } = good(await lookup.execute({ ids: ["77", "7", "11"] }));
    expect(products.map(({ id, variants }) => [id, variants[0]!.inputs])).toEqual([
      ["8", [{ id: "77", match: "exact" }]],
      ["11", [{ id: "11", match: "featured" }]],
    ]);
    await engine.close();
  });

  it("shows nothing beyond the bounds of a key, also where it sees no product", async () => {
    const records = [
      { id: 1, title: "Cup", price: 1, brand: "Acme", tenant: "a" },
      { id: 2, title: "Cup", price: 2, brand: "Borg", tenant: "b" },
    ];
    const engine = new SearchEngine({ embedder: false });
    await engine.createIndex("shop");
    await engine.addRecords("shop", records);
    const toolsFor = (key: object) =>
      searchTools(engine, {
        indexName: "shop",
        mapping: { currency: "EUR" },
        facets: ["brand"],
        credential: { ...KEY, ...key },
      });
    const [none, , absent] = await toolsFor({ filters: { tenant: "c" } });
    expect(Object.keys(none.inputSchema.properties!.filters!.properties!)).toEqual(["price"]);
    for (const price of [{ min: 5 }, { min: 1e300 }, { max: 0 }, { max: 1e300 }])
      expect(good(await none.execute({ filters: { price } })).pagination.total_count).toBe(0);
    expect(mistakes(await none.execute({ filters: { price: { max: -5 } } }))).toEqual([
      ["out_of_range", "$.filters.price.max", 0],
    ]);
    expect(mistakes(await absent.execute({ id: "1" }))).toEqual([["not_found", undefined, undefined]]);
    const filters = { tenant: "a" };
    const [own] = await toolsFor({ filters });
    filters.tenant = "b";
    expect(good(await own.execute({ query: "" })).products.map(({ id }) => id)).toEqual(["1"]);
    const [silent, ids, get] = await toolsFor({ maxHitsPerPage: 0 });
    expect(good(await silent.execute({ query: "" }))).toEqual({
      products: [],
      pagination: { has_next_page: false, total_count: 2 },
    });
    expect(mistakes(await ids.execute({ ids: ["1"] }))).toEqual([["request_too_large", "$.ids", undefined]]);
    expect(mistakes(await get.execute({ id: "1" }))).toEqual([["not_found", undefined, undefined]]);
    await expect(toolsFor({ filters: { tenat: "a" } })).rejects.toMatchObject({
      error: "invalid_option",
      param: "credential",
    });
    await engine.close();
  });

  it("refuses attributes by which the settings do not filter, and leaves out those that nobody named", async () => {
    const engine = new SearchEngine({ embedder: false });
    await engine.createIndex("shop", { attributesForFaceting: ["brand", "filterOnly(id)", "price"] });
    await engine.addRecords("shop", [
      { id: 1, title: "Cup", brand: "Acme", price: 3, category: "Cups", size: "L", sku: "C" },
    ]);
    const tools = (more: Partial<SearchToolsOptions>) =>
      searchTools(engine, { indexName: "shop", mapping: { currency: "EUR" }, ...more });
    const [search, lookup] = await tools({ facets: ["brand"] });
    expect(Object.keys(search.inputSchema.properties!.filters!.properties!)).toEqual(["price", "brand"]);
    expect(good(await lookup.execute({ ids: ["1", "C"] })).products).toHaveLength(1);
    await expect(tools({ facets: ["size"] })).rejects.toMatchObject({ error: "not_filterable" });
    await engine.close();
    const undeclared = new SearchEngine({ embedder: false });
    await undeclared.createIndex("shop", { attributesForFaceting: ["id"] });
    await undeclared.addRecords("shop", [{ id: 1, title: "Cup", price: 3 }]);
    const made = searchTools(undeclared, { indexName: "shop", mapping: { currency: "EUR" } });
    await expect(made).rejects.toMatchObject({ error: "not_filterable" });
    await undeclared.close();
  });

  it.each([
    ["mapping", {}],
    ["mapping", { mapping: { currency: "eur" } }],
    ["mapping", { mapping: { currency: "EUR", titel: "name" } }],
    ["mapping", { mapping: { currency: "EUR", price: () => 5 } }],
    ["mapping", { mapping: { currency: "EUR", variants: { id: "id" } } }],
    ["facets", { facets: ["price"] }],
    ["facets", { facets: ["*"] }],
    ["maxCharacters", { maxCharacters: 499 }],
    ["credential", { credential: { ...KEY, keyHash: "sha256:0" } }],
    ["credential", { credential: { ...KEY, filter: "tenant:a" } }],
    ["maxCharacter", { maxCharacter: 500 }],
  ])("refuses the option %s: %j", async (param, more) => {
    const engine = new SearchEngine({ embedder: false });
    await engine.createIndex("shop");
    const mapping = param === "mapping" ? undefined : { currency: "EUR" };
    const made = searchTools(engine, { indexName: "shop", mapping, ...more } as SearchToolsOptions);
    await expect(made).rejects.toMatchObject({ code: 400, error: "invalid_option", param });
    await engine.close();
  });

  it("names each mistake in a text of any length, and takes hostile arguments", async () => {
    const { engine, search } = await shopOf([{ id: 1, title: "T".repeat(5000), price: 3 }], {
      ...{ mapping: { currency: "EUR" }, maxCharacters: 500 },
    });
    expect((await search.execute({ query: "" })).text).toContain(`${"T".repeat(119)}…, 3.00 EUR`);
    const names = Object.fromEntries(Array.from({ length: 999 }, (_, i) => [`'"\u2028${i}`, i]));
    const many = await search.execute({ query: "", ...names });
    expect([mistakes(many).length, many.text.length <= 500]).toEqual([999, true]);
    expect(mistakes(many)[0]![1]).toBe(`$['\\'"\u20280']`);
    const circle: Record<string, unknown> = { query: "" };
    circle.context = circle;
    const hostile = [
      ...[{ query: "x".repeat(2e6) }, Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [i, i]))],
      ...[
        { query: "", filters: new Map() },
        {
          get query(): string {
            throw new Error("no");
          },
        },
        { filters: { price: [] } },
      ],
    ];
    for (const args of hostile) expect((await search.execute(args)).isError).toBe(true);
    expect((await search.execute(circle)).isError).toBe(false);
    await engine.close();
  });
});
