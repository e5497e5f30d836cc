// The verb suggest: which completions it finds, in which order, and that each count is what the query finds.

import { beforeAll, describe, expect, it } from "vitest";
import { normalizeText } from "../src/analysis/normalize-text.js";
import { type Embedder, SearchEngine, type SearchIndex, type Suggestion } from "../src/index.js";
import { property } from "./support/random.js";
import { rejectionOf } from "./support/refusal.js";

const WORDS = { embedder: false } as const;

type Shop = readonly (readonly [title: string, more?: object])[];

async function shopOf(shop: Shop, settings: object = {}): Promise<SearchIndex> {
  const index = await new SearchEngine(WORDS).createIndex("shop", settings);
  await index.addRecords(shop.map(([title, more], i) => ({ id: i, title, ...more })));
  return index;
}

const textsFor = async (index: SearchIndex, query: string, more: object = {}): Promise<string[]> =>
  (await index.suggest({ query, hitsPerPage: 20, ...more })).data.suggestions.map(({ text }) => text);

const TOOLS: Shop = [
  ["Cordless drill 18 V", { brand: "Forge", price: 89 }],
  ["Cordless drill, compact", { brand: "Forge", price: 59 }],
  ["Cordless drill set", { brand: "Volt", price: 99 }],
  ["Cordless impact driver", { brand: "Volt", price: 79 }],
  ["Drill bit set", { brand: "Forge", price: 15, text: "for drilling into dry walls" }],
  ["Drill stand", { brand: "Volt", price: 40 }],
  ["Café mug", { brand: "Hem", price: 9, text: "Ceramic, for the dishwasher" }],
  ["Electric kettle 1.5 l", { brand: "Hem", price: 29 }],
  ["Blue T-Shirt", { brand: "Seam", price: 12 }],
];

/** The first texts where the expected end in "…", else all. */
async function expectTexts(index: SearchIndex, query: string, expected: string, more: object = {}): Promise<void> {
  const texts = (await textsFor(index, query, more)).join(", ");
  expect(expected.endsWith("…") ? `${texts}, `.slice(0, expected.length - 1) : texts).toBe(expected.replace("…", ""));
}

describe("completions", () => {
  let tools: SearchIndex;
  beforeAll(async () => {
    tools = await shopOf(TOOLS);
  });

  it.each<[typed: string, texts: string, params?: object]>([
    // Words of titles, those of most records first, then words of other texts.
    ["d", "drill, driver, dishwasher, dry"],
    ["dis", "dishwasher"],
    // What stands behind the word in titles.
    ["electric ", "electric kettle, electric"],
    ["cordless d", "cordless drill, cordless driver, …"],
    ["drill ", "drill set, drill stand, drill bit, drill"],
    ["dril", "drill, drill set, drill stand, drill bit, …"],
    // A comma or a quantity parts.
    ["drill c", "drill cordless, drill compact"],
    ["kettle ", "kettle"],
    // As the records write them, in lower case.
    ["caf", "café, café mug"],
    ["t-s", "t-shirt, …"],
    ["T-Sh", "t-shirt, …"],
    ["tsh", "t-shirt, …"],
    ["blue t", "blue t-shirt, …"],
    ["(dri", "drill, …"],
    // Typing errors are mended, also in the words before and in joined ones, where nothing begins as was typed.
    ["kettel", "kettle, …"],
    ["kettl", "kettle, …"],
    ["elctr", "electric, …"],
    ["cordles dirl", "cordless drill, …"],
    ["elcetric ket", "electric kettle, …"],
    ["cordlessdrill", "cordless drill…"],
    ["electrickettle", "electric kettle, …"],
    // Only records that pass the filters have a say.
    ["caf", "", { filters: "brand:Forge" }],
    ["dishw", "", { filters: "brand:Forge" }],
    ["kettel", "", { filters: "brand:Forge" }],
    // Blank texts, signs, and what nothing begins with.
    ...["", "   ", "\u200b", "!!", "(", "zzzqq", "drill zzzqq"].map((typed): [string, string] => [typed, ""]),
  ])('of "%s" are %s', async (typed, texts, params) => expectTexts(tools, typed, texts, params));

  it("end in what a person would write there: a thing, no colour, measure or code, unless nothing else goes on so", async () => {
    const routers = Array.from({ length: 6 }, (_, i) => [`Router cable XR${i} black`] as const);
    const index = await shopOf([...routers, ["Router black"], ["Router blue"], ["Router, metal"], ["Printer black"]]);
    await expectTexts(index, "rou", "router, router cable");
    await expectTexts(index, "router ", "router cable, router");
    await expectTexts(index, "printer b", "printer black");
    expect(await textsFor(index, "router xr")).not.toEqual([]);
  });

  it("mend nothing where the settings mend nothing", async () => {
    const strict = await shopOf(TOOLS, { typoTolerance: false });
    await expectTexts(strict, "kettel", "");
    await expectTexts(strict, "elcetric ket", "");
    const exact = await shopOf(TOOLS, { disableTypoToleranceOnWords: ["kettel"] });
    await expectTexts(exact, "kettel", "");
    await expectTexts(exact, "kettl", "kettle, …");
  });

  it("mend to a word that the passing records hold", async () => {
    const index = await shopOf([
      ["Lamb roast", { brand: "Hem" }],
      ["Lamp retro", { brand: "Volt" }],
    ]);
    await expectTexts(index, "lamq r", "lamb roast", { filters: "brand:Hem" });
    for (const query of ["lamq", "lamq ", "lamq r", "lamq re"])
      expect((await textsFor(index, query, { filters: "brand:Volt" })).join()).toMatch(/^(?!.*lamb).*lamp/);
  });

  it("mend to the same word whatever the records hold that do not pass", async () => {
    const passing: Shop = [
      ["Lamb roast", { brand: "Hem" }],
      ["Lamp retro", { brand: "Hem" }],
    ];
    const hidden: Shop = ["Lamp retro", "Lamp, red", "Lamp roast"].map((title) => [title, { brand: "Volt" }]);
    const [index, alone] = [await shopOf([...passing, ...hidden]), await shopOf(passing)];
    for (const query of ["lamq ", "lamq r", "lamq re", "lamq ro"]) {
      const texts = await textsFor(alone, query);
      expect(texts).not.toEqual([]);
      expect(await textsFor(index, query, { filters: "brand:Hem" })).toEqual(texts);
    }
  });

  it("of other texts have the form that the passing records have", async () => {
    const index = await shopOf([
      ["Lamp", { brand: "Forge", text: "for drills and for drilling" }],
      ["Lamp", { brand: "Volt", text: "a drill" }],
    ]);
    await expectTexts(index, "dr", "drill", { filters: "brand:Volt" });
    await expectTexts(index, "drilli", "drilling", { filters: "brand:Forge" });
    await expectTexts(index, "drillin", "", { filters: "brand:Volt" });
    await expectTexts(index, "drils", "drill", { filters: "brand:Volt" });
  });

  it("follow a change of the records", async () => {
    const index = await shopOf(TOOLS);
    await expectTexts(index, "c", "cordless, …");
    await index.deleteRecords([0, 1, 2, 3]);
    await expectTexts(index, "c", "café, ceramic");
    await index.addRecords(["Chisel", "Chisel, small"].map((title, i) => ({ id: 100 + i, title })));
    await expectTexts(index, "c", "chisel, …");
  });

  it("need no titles: words of texts do", async () => {
    const index = await shopOf(TOOLS, { titleEvidence: false });
    await expectTexts(index, "cord", "cordless, …");
    await expectTexts(index, "cordless d", "cordless drill, …");
    await expectTexts(index, "caf", "café, …");
  });

  it("follow an analyzer of the user's", async () => {
    const stem = (word: string): string => word.replace(/(?:le|les|ing|s)$/, "");
    const analyze = (text: string): string[] => (normalizeText(text).match(/[a-z]+/g) ?? []).map(stem);
    const index = await shopOf(TOOLS, { analyzer: { id: "own-1", analyze } });
    await expectTexts(index, "ket", "kettle, …");
    await expectTexts(index, "kettle", "kettle, …");
    await expectTexts(index, "electric ket", "electric kettle, …");
    await expectTexts(index, "kektt", "kettle, …");
    expect(await textsFor(index, "dril")).toContain("drill stand");
  });

  it("are counted on the records as they were at the call, in values too", async () => {
    let arrives = async (): Promise<unknown> => undefined;
    const embedder: Embedder = {
      ...{ id: "slow", dimensions: 2 },
      embed: async (texts) => {
        const arrival = arrives();
        arrives = async () => undefined;
        await arrival;
        return texts.map(() => [1, 0]);
      },
    };
    const index = await new SearchEngine({ embedder }).createIndex("live");
    const later = { id: 3, title: "Cordless", brand: "Hem" };
    await index.addRecords([
      { id: 1, title: "Cordless drill", brand: "Forge" },
      { id: 2, title: "Cordless saw", brand: "Volt" },
    ]);
    arrives = () => index.addRecords([later]);
    const { data } = await index.suggest({ query: "cordle", facet: "brand", hitsPerPage: 1 });
    const [first] = data.suggestions;
    expect([first?.nbHits, first?.in?.map(({ value }) => value)]).toEqual([2, ["Forge", "Volt"]]);
    expect(index.recordCount).toBe(3);
  });

  it("stay within what a query takes", async () => {
    const index = await shopOf([["Lamp"], ["Lampshade"]]);
    const long = `${"lamp ".repeat(818)}lamps`;
    expect(long.length).toBe(4095);
    for (const text of await textsFor(index, long)) expect(text.length).toBeLessThanOrEqual(4096);
    const small = await new SearchEngine({ ...WORDS, limits: { queryBytes: 5 } }).createIndex("a");
    await small.addRecords([{ id: 1, title: "lamp lampshade" }]);
    expect(await textsFor(small, "la")).toEqual(["lamp"]);
  });
});

describe("the count of each suggestion", () => {
  it("is that of its query, with meaning, groups and rules of the settings too", async () => {
    for (const settings of [
      {},
      { attributeForDistinct: "brand", distinct: true },
      { relevancyStrictness: 60 },
      { synonyms: [{ type: "synonym" as const, synonyms: ["kettle", "drill"] }] },
      { matching: "any" as const, optionalWords: ["cordless"] },
    ]) {
      const index = await new SearchEngine().createIndex("a", settings);
      await index.addRecords(TOOLS.map(([title, more], id) => ({ id, title, ...more })));
      for (const query of ["c", "cordless d", "kettel", "dril", "electric ", "blue t"])
        for (const filters of [undefined, "price < 60"]) {
          const narrow = filters === undefined ? {} : { filters };
          const { data } = await index.suggest({ query, ...narrow });
          for (const { text, nbHits } of data.suggestions)
            expect((await index.query({ query: text, matching: "all", ...narrow })).data.nbHits, text).toBe(nbHits);
        }
    }
  });
});

describe("on random shops", () => {
  const PARTS = [
    ["cordless", "electric", "silent", "Blue", "süß", "dual-band"],
    ["drill", "Drills", "driver", "dish", "kettle", "kettles", "lamp", "T-shirt"],
    ["", "for garden", "18 V", ", compact", "set", "with stand"],
  ];
  const TYPED = "d|dr|drills|electric d|cordless |silent kettle|sus|ketle|t-s|la|dual|de".split("|");

  property(
    "suggests the same in any order of insertion, as long a list as asked, what records hold",
    60,
    async (random) => {
      const records = random.list(5, 60, (id) => ({
        ...{ id: `r${id}`, title: PARTS.map((words) => random.pick(words)).join(" ") },
        ...{ brand: random.pick(["Forge", "Volt"]), text: random.pick(["", "a dimmer", "deep drawer"]) },
      }));
      const engine = new SearchEngine(WORDS);
      const at = await engine.createIndex("at");
      await at.addRecords(records);
      const by = await engine.createIndex("by");
      await by.addRecords([{ id: "gone", title: "drill driver dragon electric dragon", brand: "Forge" }]);
      for (const record of random.shuffle(records)) await by.addRecords([record]);
      await by.deleteRecords(["gone"]);
      const passing = records.filter(({ brand }) => brand === "Forge");
      const texts = passing.map(({ title, text }) => `${title} ${text}`.toLowerCase());
      const held = new Set(texts.flatMap((text) => text.match(/[\p{L}-]+/gu)));
      for (const query of TYPED) {
        const params = { query, facet: "brand", filters: "brand:Forge" };
        const { suggestions } = (await by.suggest({ ...params, hitsPerPage: 100 })).data;
        for (const { text } of suggestions)
          for (const word of text.match(/[\p{L}-]+/gu) ?? []) expect([...held], `${query}: ${text}`).toContain(word);
        expect(new Set(suggestions.map(({ text }) => normalizeText(text))).size).toBe(suggestions.length);
        expect((await at.suggest({ ...params, hitsPerPage: 100 })).data.suggestions).toEqual(suggestions);
        const few = (await at.suggest({ ...params, hitsPerPage: 2 })).data.suggestions;
        expect(few.map(({ text }) => text)).toEqual(suggestions.slice(0, 2).map(({ text }) => text));
      }
    },
  );

  property("ranks the words of titles by the records that have them", 60, async (random) => {
    const words = ["da", "de", "di", "do", "du", "dy"];
    const titles = Array.from({ length: 40 }, () =>
      Array.from({ length: 1 + random.between(0, 2) }, () => random.pick(words)),
    );
    const index = await shopOf(
      titles.map((title) => [title.map((word) => `the ${word}x`).join(" with ")] as const),
      { analyzer: "plain" },
    );
    // A word in front of "with" is what the title names, the ones behind are not.
    const use = (word: string): number =>
      titles.reduce((sum, title) => sum + (title.includes(word) ? 1 : 0) + (title[0] === word ? 1 : 0), 0);
    const naive = words.filter((word) => use(word) > 0).sort((a, b) => use(b) - use(a) || (a < b ? -1 : 1));
    expect(await textsFor(index, "d")).toEqual(naive.map((word) => `${word}x`));
  });
});

describe("the shop's own suggestions", () => {
  const compare = (text: string): string => normalizeText(text).trimStart().replace(/\s+/g, " ");

  property("are those that begin with what was typed, by weight, then by code unit, each once", 60, async (random) => {
    const pieces = ["drill", "Drill", "drill ", " drill", "dri", "Café", "cafe", "kettle", "é", "  mug", "zzz"];
    const texts = new Set(
      Array.from({ length: 30 }, () =>
        Array.from({ length: 1 + random.between(0, 2) }, () => random.pick(pieces)).join(random.pick([" ", "  "])),
      ),
    );
    const suggestions: Suggestion[] = [...texts].map((text) => ({
      text,
      ...(random.chance(0.7) && { weight: random.pick([0.5, 1, 2, 3]) }),
    }));
    const index = await shopOf([["drill dri café kettle mug é"], ["drill"]], {
      suggestions: random.shuffle(suggestions),
    });
    for (const query of ["d", "dri", "drill", "DRILL ", "drill  k", "  drill", "caf", "café ", "É", "k", "m"]) {
      const seen = new Set<string>();
      const naive = [...suggestions]
        .sort((a, b) => (b.weight ?? 1) - (a.weight ?? 1) || (a.text < b.text ? -1 : 1))
        .filter(({ text }) => compare(text).startsWith(compare(query)) && !text.includes("zzz"))
        .filter(({ text }) => !seen.has(compare(text)) && seen.add(compare(text)))
        .map(({ text }) => text);
      expect((await textsFor(index, query, { hitsPerPage: 1000 })).slice(0, naive.length), query).toEqual(naive);
    }
  });

  it("are offered where some record holds their words, not where one is only near in meaning", async () => {
    const index = await new SearchEngine().createIndex("shop", {
      suggestions: [{ text: "couch" }, { text: "corner sofa" }],
      builtInSynonyms: false,
    });
    await index.addRecords(["Black leather sofa", "Corner sofa", "Wooden chair"].map((title, id) => ({ id, title })));
    expect((await index.query({ query: "couch" })).data.nbHits).toBeGreaterThan(0);
    expect(await textsFor(index, "co")).toEqual(["corner sofa", "corner"]);
  });

  it("pass over 200 without hits, and then the engine's own follow", async () => {
    const dead = (count: number): Suggestion[] =>
      Array.from({ length: count }, (_, i) => ({ text: `drill zzz${i}`, weight: 9 }));
    const index = await shopOf(TOOLS, { suggestions: [...dead(199), { text: "Drill stand" }] });
    expect(await textsFor(index, "dri", { hitsPerPage: 2 })).toEqual(["Drill stand", "drill"]);
    await index.updateSettings({ suggestions: [...dead(200), { text: "Drill stand" }] });
    expect(await textsFor(index, "dri", { hitsPerPage: 2 })).toEqual(["drill", "driver"]);
  });

  it("may be 100,000, and stay with a copy, an export and a snapshot", async () => {
    const suggestions = Array.from({ length: 100_000 }, (_, i) => ({
      text: `cordless drill number ${i}`,
      weight: 1 + (i % 1000),
    }));
    const engine = new SearchEngine(WORDS);
    const index = await engine.createIndex("a", { suggestions });
    await index.addRecords(TOOLS.map(([title], id) => ({ id, title: `${title} number 42999 41999` })));
    expect(await textsFor(index, "cordless drill number 4", { hitsPerPage: 2 })).toEqual([
      "cordless drill number 41999",
      "cordless drill number 42999",
    ]);
    await engine.copyIndex("a", "b");
    expect(await engine.digest("b")).toBe(await index.digest());
    expect((await engine.suggest("b", { query: "cord" })).data).toEqual((await index.suggest({ query: "cord" })).data);
  });
});

describe("the parameters of suggest", () => {
  it("facet tells where the first one leads to, within the filters", async () => {
    const tools = await shopOf(TOOLS);
    const { data } = await tools.suggest({ query: "cordless", facet: "brand", filters: "price < 95", hitsPerPage: 2 });
    const values = [
      { value: "Forge", nbHits: 2 },
      { value: "Volt", nbHits: 1 },
    ];
    expect(data.suggestions).toEqual([
      { text: "cordless", nbHits: 3, in: values },
      { text: "cordless drill", nbHits: 2 },
    ]);
  });

  it.each<[params: object, ...refusals: string[]]>([
    [
      { hitsPerPage: -1, facet: 5, filters: "brand:" },
      ...[
        "query missing_query",
        "filters invalid_filter",
        "hitsPerPage invalid_hits_per_page",
        "facet invalid_parameter",
      ],
    ],
    ...["facetFilters", "numericFilters", "insideBoundingBox", "filter", "where"].map((name): [object, string] => [
      { query: "d", [name]: [] },
      `${name} unknown_parameter`,
    ]),
    [{ query: " ", facet: "nowhere" }, "facet unknown_field"],
    [{ query: " ", filters: "nowhere:1" }, "filters unknown_filter_field"],
  ])("are refused together, also with a blank text: %j", async (params, ...refusals) => {
    const error = await rejectionOf((await shopOf(TOOLS)).suggest(params as { query: string }));
    const complaints = (error.details?.complaints ?? [error]) as readonly { param: string; error: string }[];
    expect(complaints.map((one) => `${one.param} ${one.error}`)).toEqual(refusals);
  });

  it("that a query has but suggest has not are ignored with a warning", async () => {
    const warnings: string[] = [];
    const engine = new SearchEngine({ ...WORDS, onWarning: ({ message }) => warnings.push(message) });
    const index = await engine.createIndex("a");
    await index.suggest({ query: "d", sort: ["price:asc"] } as { query: string });
    expect(warnings).toEqual([
      'parameter "sort" is unknown; known are facet, filters, hitsPerPage, query. It was ignored.',
    ]);
  });

  it("may be aborted", async () => {
    const options = { signal: AbortSignal.abort() };
    await expect((await shopOf(TOOLS)).suggest({ query: "d" }, options)).rejects.toMatchObject({ code: 499 });
  });
});
