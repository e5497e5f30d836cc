// The real widgets of InstantSearch in front of an engine: what they show is what a look at the records says.

import { afterEach, describe, expect, it } from "vitest";
import { SearchEngine } from "../../src/index.js";
import { createInstantSearchClient, type InstantSearchOptions } from "../../src/instantsearch.js";
import { property, type Random } from "../support/random.js";
import { type List, SearchPage, type ShownItem, widget } from "../support/search-page.js";
import { seq } from "../support/seq.js";

interface Product {
  readonly id: number;
  readonly title: string;
  readonly brand: string;
  readonly tags: readonly string[];
  readonly price?: number;
  readonly freeShipping: boolean;
  readonly category: { readonly lvl0: string; readonly lvl1: string; readonly lvl2?: string };
}

/** Values that mean something in filters, in URLs, in HTML or as names of properties. */
const BRANDS = ["Forge", "-Hem", "A:B", "C.D", 'say "hi"', "O'Neil & Co", "<b>Volt</b>", "1,5 (x)", "constructor", "7"];
const TAGS = ["red", "-red", "new AND used", "ü", "__proto__", " blue"];
const PATHS = [
  "Tools > Drills > Cordless",
  "Tools > Drills",
  "Tools > -Saws",
  "Home: old > Lamps > 2.0",
  "Home > Lamps",
];
const WORDS = ["lamp", "drill", "oak", "steel", "garden"];
const REPLICAS = {
  products_price_asc: { indexName: "products", sort: ["price:asc"] },
  products_price_desc: { indexName: "products", sort: ["price:desc"] },
} as const;

function product(id: number, random: Random): Product {
  const [lvl0 = "", lvl1 = "", lvl2] = random.pick(PATHS).split(" > ");
  const path = { lvl0, lvl1: `${lvl0} > ${lvl1}` };
  return {
    id,
    title: random.list(1, 3, () => random.pick(WORDS)).join(" "),
    brand: random.pick(BRANDS),
    tags: random.some(TAGS, 0.4),
    ...(random.chance(0.9) ? { price: random.between(-5, 200) } : {}),
    freeShipping: random.chance(0.4),
    category: lvl2 === undefined ? path : { ...path, lvl2: `${lvl0} > ${lvl1} > ${lvl2}` },
  };
}

const pages: SearchPage[] = [];
afterEach(() => {
  for (const page of pages.splice(0)) page.close();
});

async function engineOf(records: readonly object[]): Promise<SearchEngine> {
  const engine = new SearchEngine({ embedder: false, strict: true });
  await engine.createIndex("products", {
    searchableAttributes: ["title"],
    ...{ matching: "all", queryType: "prefixNone", typoTolerance: false, builtInSynonyms: false },
  });
  await engine.addRecords("products", records);
  return engine;
}

async function openPage(
  records: readonly object[],
  widgets: readonly object[],
  options: InstantSearchOptions = { replicas: REPLICAS },
): Promise<SearchPage> {
  const page = new SearchPage(createInstantSearchClient(await engineOf(records), options), "products", widgets);
  pages.push(page);
  await page.start();
  return page;
}

const LEVELS = ["category.lvl0", "category.lvl1", "category.lvl2"];
const shopWidgets = (): object[] => [
  widget("Configure", { searchParameters: { hitsPerPage: 7 } }),
  ...["SearchBox", "Hits", "Stats", "CurrentRefinements", "ClearRefinements"].map((name) => widget(name)),
  widget("Pagination", { padding: 50 }),
  widget("RefinementList", { attribute: "brand", operator: "or", limit: 50 }),
  widget("RefinementList", { attribute: "tags", operator: "and", limit: 50 }),
  widget("Range", { attribute: "price" }),
  widget("HierarchicalMenu", { attributes: LEVELS, limit: 50 }),
  widget("ToggleRefinement", { attribute: "freeShipping" }),
  widget("SortBy", { items: ["products", ...Object.keys(REPLICAS)].map((value) => ({ value, label: value })) }),
];

const SORTS = { items: Object.keys(REPLICAS).map((value) => ({ value, label: value })) };

/** One of the conditions of a page, which a record meets or does not. */
type Conditions = Readonly<
  Record<"query" | "brand" | "tags" | "price" | "category" | "freeShipping", (one: Product) => boolean>
>;

const raw = (chosen: string): string => chosen.replace(/^\\-/, "-");
const levelsOf = ({ category }: Product): string[] =>
  [category.lvl0, category.lvl1, category.lvl2].filter((level) => level !== undefined);

/** What was chosen, read by its definition. */
function conditionsOf({
  query = "",
  refinementList = {},
  hierarchicalMenu = {},
  range = {},
  toggle = {},
}: SearchPage["chosen"]): Conditions {
  const { brand = [], tags = [] } = refinementList;
  const path = hierarchicalMenu["category.lvl0"]?.join(" > ");
  const [low = "", high = ""] = range.price?.split(":") ?? [];
  return {
    query: ({ title }) => query.split(" ").every((word) => word === "" || title.split(" ").includes(word)),
    brand: (one) => brand.length === 0 || brand.map(raw).includes(one.brand),
    tags: (one) => tags.every((tag) => one.tags.includes(raw(tag))),
    price: ({ price = Number.NaN }) => (low === "" || price >= Number(low)) && (high === "" || price <= Number(high)),
    category: (one) => path === undefined || levelsOf(one).includes(path),
    freeShipping: (one) => toggle.freeShipping !== true || one.freeShipping,
  };
}

function counts(records: readonly Product[], valuesOf: (one: Product) => readonly string[]): Record<string, number> {
  const found = new Map<string, number>();
  for (const record of records)
    for (const value of new Set(valuesOf(record))) found.set(value, (found.get(value) ?? 0) + 1);
  return Object.fromEntries([...found].sort());
}

/** The items of a list as they are shown; a chosen value stays when it has no hit. */
const listed = (items: readonly { readonly label: string; readonly count: number }[]): Record<string, number> =>
  Object.fromEntries(
    items
      .filter(({ count }) => count > 0)
      .map(({ label, count }) => [label, count])
      .sort(),
  );

const unfolded = (items: readonly ShownItem[]): ShownItem[] =>
  items.flatMap((item) => [item, ...unfolded(item.data ?? [])]);

/** Compares all that the widgets show with the records. */
function expectTruth(page: SearchPage, records: readonly Product[]): void {
  const { shown, chosen } = page;
  const conditions = conditionsOf(chosen);
  const passing = (left?: keyof Conditions): Product[] =>
    records.filter((record) => Object.entries(conditions).every(([name, holds]) => name === left || holds(record)));
  const all = passing();
  const { hits, stats, pagination, refinementList, hierarchicalMenu, range, toggleRefinement } = shown;
  expect(stats).toMatchObject({ nbHits: all.length, hitsPerPage: 7, nbPages: Math.ceil(all.length / 7) });
  expect(pagination).toMatchObject({ nbHits: all.length, nbPages: Math.ceil(all.length / 7) });
  const ids = new Set(all.map(({ id }) => String(id)));
  const { items } = hits;
  expect(items).toHaveLength(Math.max(0, Math.min(7, all.length - 7 * pagination.currentRefinement)));
  expect(items.filter(({ objectID }) => !ids.has(objectID))).toEqual([]);
  const prices = items.map(({ price }) => price as number | undefined);
  if (chosen.sortBy !== undefined) expect(prices).toEqual(inOrder(prices, chosen.sortBy.endsWith("desc") ? -1 : 1));
  expect(listed(refinementList.brand!.items)).toEqual(counts(passing("brand"), ({ brand }) => [brand]));
  expect(listed(refinementList.tags!.items)).toEqual(counts(all, ({ tags }) => tags));
  const numbers = passing("price").flatMap(({ price }) => price ?? []);
  if (numbers.length > 0) expect(range.price!.range).toEqual({ min: Math.min(...numbers), max: Math.max(...numbers) });
  const open = passing("category");
  const path = chosen.hierarchicalMenu?.["category.lvl0"] ?? [];
  const parents = path.map((_, i) => path.slice(0, i + 1).join(" > "));
  const isOpen = (level: string): boolean => {
    const end = level.lastIndexOf(" > ");
    return end < 0 || parents.includes(level.slice(0, end));
  };
  const tree = unfolded(hierarchicalMenu["category.lvl0"]!.items).filter(({ count }) => count > 0);
  expect(Object.fromEntries(tree.map(({ value, count }) => [value, count]).sort())).toEqual(
    counts(open, (one) => levelsOf(one).filter(isOpen)),
  );
  expect(toggleRefinement.freeShipping!.value.onFacetValue.count ?? 0).toBe(
    passing("freeShipping").filter((one) => one.freeShipping).length,
  );
}

const inOrder = (prices: readonly (number | undefined)[], sign: number): (number | undefined)[] =>
  [...prices].sort((a, b) => (a === undefined ? 1 : b === undefined ? -1 : sign * (a - b)));

/** Clicks somewhere. */
function click({ shown }: SearchPage, random: Random): (() => void) | undefined {
  const { searchBox, refinementList, hierarchicalMenu, range, toggleRefinement, sortBy, pagination } = shown;
  const { clearRefinements } = shown;
  const oneOf = <T>(items: readonly T[], act: (item: T) => void) =>
    items.length === 0 ? undefined : () => act(random.pick(items));
  const value = (): number => random.between(-10, 210);
  const ends = [value(), value()].sort((a, b) => a - b) as [number, number];
  return random.pick([
    () => () => searchBox.refine(random.list(0, 2, () => random.pick(WORDS)).join(" ")),
    () => oneOf(refinementList.brand!.items, (item) => refinementList.brand!.refine(item.value)),
    () => oneOf(refinementList.brand!.items, (item) => refinementList.brand!.refine(item.value)),
    () => oneOf(refinementList.tags!.items, (item) => refinementList.tags!.refine(item.value)),
    () => {
      const menu = hierarchicalMenu["category.lvl0"]!;
      return oneOf(unfolded(menu.items), (item) => menu.refine(item.value));
    },
    () => () => range.price!.refine(random.pick([ends, [ends[0], undefined], [undefined, ends[1]]])),
    () => () => toggleRefinement.freeShipping!.refine({ isRefined: toggleRefinement.freeShipping!.value.isRefined }),
    () => oneOf(["products", ...Object.keys(REPLICAS)], (name) => sortBy.refine(name)),
    () => oneOf(pagination.pages, (page) => pagination.refine(page)),
    () => (random.chance(0.3) && clearRefinements.canRefine ? () => clearRefinements.refine() : undefined),
  ])();
}

property("shows what a look at the records says, whatever is clicked", 40, async (random) => {
  const records = seq(60, (i) => product(i, random));
  const page = await openPage(records, shopWidgets());
  expectTruth(page, records);
  for (let i = 0; i < 12; i++) {
    const act = click(page, random);
    if (act === undefined) continue;
    await page.after(act);
    expectTruth(page, records);
  }
});

describe("a page", () => {
  const LAMPS = seq(25, (i) => ({ id: i, title: `lamp ${i}`, price: i, brand: i % 2 === 0 ? "Forge & Co" : "Seam" }));
  const numbersOf = (items: readonly { readonly objectID: string }[]): number[] =>
    items.map(({ objectID }) => Number(objectID));

  it("joins its pages to the whole list, one by one or without an end", async () => {
    const widgets = [widget("Pagination"), widget("Hits"), widget("InfiniteHits"), widget("SortBy", SORTS)];
    const page = await openPage(LAMPS, widgets);
    await page.after(() => page.shown.sortBy.refine("products_price_desc"));
    const joined: number[] = [];
    for (let i = 0; i < 2; i++) {
      if (i > 0) await page.after(() => page.shown.infiniteHits.showMore());
      joined.push(...numbersOf(page.shown.hits.items));
    }
    expect(joined).toEqual(seq(25, (i) => 24 - i));
    expect(numbersOf(page.shown.infiniteHits.items)).toEqual(joined);
    expect(page.shown.infiniteHits.isLastPage).toBe(true);
    expect(page.shown.hits.items[0]).toMatchObject({ objectID: "4", __position: 21, title: "lamp 4" });
  });

  it("searches the values of a facet, and chooses one of them", async () => {
    const brands = ["<i>Förge</i> & Co", "Seam", "Old Forge", "-Forge"];
    const records = seq(20, (id) => ({ id, title: id < 12 ? "lamp" : "drill", brand: brands[id % 4] }));
    let drawn = (_: List): void => {};
    const draw = (shown: List): void => {
      if (shown.isFromSearch) drawn(shown);
    };
    const list = widget("RefinementList", { attribute: "brand", limit: 3 }, draw);
    const page = await openPage(records, [widget("Hits"), widget("SearchBox"), list]);
    await page.after(() => page.shown.searchBox.refine("lamp"));
    const found = await new Promise<List>((resolve) => {
      drawn = resolve;
      page.shown.refinementList.brand!.searchForItems("forge");
    });
    expect(found.items.map(({ label, count, highlighted }) => [label, count, highlighted])).toEqual([
      ["-Forge", 3, "-<mark>Forge</mark>"],
      ["<i>Förge</i> & Co", 3, "&lt;i&gt;<mark>Förge</mark>&lt;/i&gt; &amp; Co"],
      ["Old Forge", 3, "Old <mark>Forge</mark>"],
    ]);
    await page.after(() => page.shown.refinementList.brand!.refine(found.items[0]!.value));
    expect(numbersOf(page.shown.hits.items).sort((a, b) => a - b)).toEqual([3, 7, 11]);
  });

  it("tells rules what was chosen, and shows what they say", async () => {
    const consequence = { userData: { banner: "Forge week" }, promote: [{ id: 23, position: 0 }] };
    const rules = [{ id: "forge", conditions: [{ context: "ais-brand-Seam" }], consequence }];
    const engine = await engineOf(LAMPS);
    await engine.updateSettings("products", { rules });
    const shown: unknown[] = [];
    const page = new SearchPage(createInstantSearchClient(engine), "products", [
      widget("Hits"),
      widget("RefinementList", { attribute: "brand" }),
      widget("QueryRules", { trackedFilters: { brand: (brands: string[]) => brands } }, ({ items }) =>
        shown.push(items),
      ),
    ]);
    pages.push(page);
    await page.start();
    expect(shown.at(-1)).toEqual([]);
    await page.after(() => page.shown.refinementList.brand!.refine("Seam"));
    expect(shown.at(-1)).toEqual([{ banner: "Forge week" }]);
    expect(numbersOf(page.shown.hits.items)).toEqual([23, ...seq(11, (i) => 2 * i + 1).sort()]);
  });

  it("recommends what is similar", async () => {
    const records = seq(9, (id) => ({ id, title: id % 3 === 0 ? `oak lamp ${id}` : `steel drill ${id}` }));
    const engine = await engineOf(records);
    let shown: readonly ShownItem[] = [];
    const related = widget("RelatedProducts", { objectIDs: ["3"], limit: 2 }, ({ items }) => {
      shown = items;
    });
    const page = new SearchPage(createInstantSearchClient(engine), "products", [widget("Hits"), related]);
    pages.push(page);
    await page.start();
    await expect.poll(() => shown).toHaveLength(2);
    const { hits } = (await engine.similar("products", "3", { hitsPerPage: 2 })).data;
    expect(shown).toMatchObject(hits.map(({ id, score }) => ({ objectID: id, _score: 100 * score })));
  });
});
