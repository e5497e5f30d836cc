// The verb suggest: which completions it finds, in which order, and that each count is what the query finds.

import { beforeAll, describe, expect, it } from "vitest";
import { normalizeText } from "../src/analysis/normalize-text.js";
import { type Embedder, SearchEngine, type SearchIndex, type Suggestion } from "../src/index.js";
import { property, type Random } from "./support/random.js";

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

describe("completions", () => {
  let tools: SearchIndex;
  beforeAll(async () => {
    tools = await shopOf(TOOLS);
  });

  it("are words of titles, those of most records first, then words of other texts", async () => {
    expect(await textsFor(tools, "d")).toEqual(["drill", "driver", "dishwasher", "dry"]);
    expect(await textsFor(tools, "dis")).toEqual(["dishwasher"]);
  });

  it("go on with what stands behind the word in titles", async () => {
    expect(await textsFor(tools, "electric ")).toEqual(["electric kettle", "electric"]);
    expect((await textsFor(tools, "cordless d")).slice(0, 2)).toEqual(["cordless drill", "cordless driver"]);
    expect(await textsFor(tools, "drill ")).toEqual(["drill set", "drill stand", "drill bit", "drill"]);
    expect((await textsFor(tools, "dril")).slice(0, 4)).toEqual(["drill", "drill set", "drill stand", "drill bit"]);
  });

  it("never join what a comma or a quantity parts", async () => {
    expect(await textsFor(tools, "drill c")).toEqual(["drill cordless", "drill compact"]);
    expect(await textsFor(tools, "drill ")).not.toContain("drill compact");
    expect(await textsFor(tools, "kettle ")).toEqual(["kettle"]);
  });

  it("end in what a person would write there: a thing, no colour, measure or code, unless nothing else goes on so", async () => {
    const routers = Array.from({ length: 6 }, (_, i) => [`Router cable XR${i} black`] as const);
    const index = await shopOf([...routers, ["Router black"], ["Router blue"], ["Router, metal"], ["Printer black"]]);
    expect(await textsFor(index, "rou")).toEqual(["router", "router cable"]);
    expect(await textsFor(index, "router ")).toEqual(["router cable", "router"]);
    expect((await textsFor(index, "router xr")).length).toBeGreaterThan(0);
    expect(await textsFor(index, "printer b")).toEqual(["printer black"]);
  });

  it("are written as the records write them, in lower case", async () => {
    expect(await textsFor(tools, "caf")).toEqual(["café", "café mug"]);
    for (const typed of ["t-s", "T-Sh", "tsh", "blue t"]) expect((await textsFor(tools, typed))[0]).toMatch(/t-shirt$/);
  });

  it("mend typing errors, also in the words before, where nothing begins as was typed", async () => {
    expect((await textsFor(tools, "kettel"))[0]).toBe("kettle");
    expect((await textsFor(tools, "kettl"))[0]).toBe("kettle");
    expect((await textsFor(tools, "elctr"))[0]).toBe("electric");
    expect((await textsFor(tools, "cordles dirl"))[0]).toBe("cordless drill");
    expect((await textsFor(tools, "elcetric ket"))[0]).toBe("electric kettle");
    const strict = await shopOf(TOOLS, { typoTolerance: false });
    expect([await textsFor(strict, "kettel"), await textsFor(strict, "elcetric ket")]).toEqual([[], []]);
    const exact = await shopOf(TOOLS, { disableTypoToleranceOnWords: ["kettel"] });
    expect([await textsFor(exact, "kettel"), (await textsFor(exact, "kettl"))[0]]).toEqual([[], "kettle"]);
  });

  it("mend words that were joined, or come out of other errors, where nothing completes them", async () => {
    expect((await textsFor(tools, "cordlessdrill"))[0]).toMatch(/^cordless drill/);
    expect((await textsFor(tools, "electrickettle"))[0]).toBe("electric kettle");
  });

  it("mend to a word that the passing records hold", async () => {
    const index = await shopOf([
      ["Lamb roast", { brand: "Hem" }],
      ["Lamp retro", { brand: "Volt" }],
    ]);
    expect(await textsFor(index, "lamq r", { filters: "brand:Volt" })).toEqual(["lamp retro"]);
    expect(await textsFor(index, "lamq r", { filters: "brand:Hem" })).toEqual(["lamb roast"]);
    for (const query of ["lamq", "lamq ", "lamq re"])
      expect((await textsFor(index, query, { filters: "brand:Volt" })).join()).not.toContain("lamb");
  });

  it("count only records that pass the filters, and come from them alone", async () => {
    const { data } = await tools.suggest({ query: "cordless d", filters: { brand: "Volt" } });
    expect(data.suggestions.slice(0, 2)).toEqual([
      { text: "cordless drill", nbHits: 1 },
      { text: "cordless driver", nbHits: 1 },
    ]);
    expect(await textsFor(tools, "caf", { filters: "brand:Forge" })).toEqual([]);
    expect(await textsFor(tools, "dishw", { filters: "brand:Forge" })).toEqual([]);
    expect(await textsFor(tools, "kettel", { filters: "brand:Forge" })).toEqual([]);
  });

  it("of other texts have the form that the passing records have", async () => {
    const index = await shopOf([
      ["Lamp", { brand: "Forge", text: "for drills and for drilling" }],
      ["Lamp", { brand: "Volt", text: "a drill" }],
    ]);
    expect(await textsFor(index, "dr", { filters: "brand:Volt" })).toEqual(["drill"]);
    expect(await textsFor(index, "drilli", { filters: "brand:Forge" })).toEqual(["drilling"]);
    expect(await textsFor(index, "drillin", { filters: "brand:Volt" })).toEqual([]);
    expect(await textsFor(index, "drils", { filters: "brand:Volt" })).toEqual(["drill"]);
  });

  it("are none of blank texts, of signs, and of what nothing begins with", async () => {
    for (const query of ["", "   ", "\u200b", "!!", "(", "zzzqq", "drill zzzqq"])
      expect((await tools.suggest({ query })).data).toEqual({ query, suggestions: [] });
    expect((await textsFor(tools, "(dri"))[0]).toBe("drill");
  });

  it("follow a change of the records", async () => {
    const index = await shopOf(TOOLS);
    expect((await textsFor(index, "c"))[0]).toBe("cordless");
    await index.deleteRecords([0, 1, 2, 3]);
    expect(await textsFor(index, "c")).toEqual(["café", "ceramic"]);
    await index.addRecords([
      { id: 100, title: "Chisel" },
      { id: 101, title: "Chisel, small" },
    ]);
    expect((await textsFor(index, "c"))[0]).toBe("chisel");
  });

  it("need no titles: words of texts do", async () => {
    const index = await shopOf(TOOLS, { titleEvidence: false });
    expect((await textsFor(index, "cord"))[0]).toBe("cordless");
    expect((await textsFor(index, "cordless d"))[0]).toBe("cordless drill");
    expect((await textsFor(index, "caf"))[0]).toBe("café");
  });

  it("follow an analyzer of the user's", async () => {
    const stem = (word: string): string => word.replace(/(?:le|les|ing|s)$/, "");
    const analyze = (text: string): string[] => (normalizeText(text).match(/[a-z]+/g) ?? []).map(stem);
    const index = await shopOf(TOOLS, { analyzer: { id: "own-1", analyze } });
    expect((await textsFor(index, "ket"))[0]).toBe("kettle");
    expect((await textsFor(index, "kettle"))[0]).toBe("kettle");
    expect((await textsFor(index, "electric ket"))[0]).toBe("electric kettle");
    expect((await textsFor(index, "kektt"))[0]).toBe("kettle");
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

const BRANDS = ["Forge", "Volt"];
const PARTS = [
  ["cordless", "electric", "silent", "Blue", "steel", "süß", "dual-band"],
  ["drill", "Drills", "driver", "dish", "kettle", "kettles", "lamp", "ladder", "T-shirt"],
  ["", "for garden", "18 V", ", compact", "set", "with stand"],
];

function randomShop(random: Random): object[] {
  return Array.from({ length: 5 + random.between(0, 59) }, (_, id) => ({
    id: `r${id}`,
    title: PARTS.map((words) => random.pick(words)).join(" "),
    brand: random.pick(BRANDS),
    text: random.pick(["", "a dimmer", "deep drawer"]),
  }));
}

describe("on random shops", () => {
  const TYPED = [
    "d",
    "dr",
    "dri",
    "drills",
    "e",
    "electric d",
    "cordless ",
    "silent kettle",
    "sus",
    "ketle",
    "t-s",
    "la",
    "dual",
    "de",
  ];

  property("suggests the same in any order of insertion, whatever was there before", 60, async (random) => {
    const records = randomShop(random);
    const engine = new SearchEngine(WORDS);
    const at = await engine.createIndex("at");
    await at.addRecords(records as { id: string }[]);
    const by = await engine.createIndex("by");
    await by.addRecords([{ id: "gone", title: "drill driver dragon electric dragon", brand: "Forge" }]);
    for (const record of random.shuffle(records)) await by.addRecords([record as { id: string }]);
    await by.deleteRecords(["gone"]);
    for (const query of TYPED)
      for (const filters of [undefined, "brand:Forge"]) {
        const params = {
          query,
          hitsPerPage: random.pick([1, 5, 50]),
          ...(filters && { filters }),
          facet: "brand",
        } as const;
        expect(await by.suggest(params), query).toEqual(await at.suggest(params));
      }
  });

  property(
    "suggests only what passing records hold, each with its hits, as long a list as asked",
    60,
    async (random) => {
      const records = randomShop(random) as { id: string; title: string; brand: string; text: string }[];
      const index = await new SearchEngine(WORDS).createIndex("a");
      await index.addRecords(records);
      const held = new Set(
        records
          .filter(({ brand }) => brand === "Forge")
          .flatMap(({ title, text }) => `${title} ${text}`.toLowerCase().match(/[\p{L}-]+/gu)),
      );
      for (const query of TYPED) {
        const filters = "brand:Forge";
        const { suggestions } = (await index.suggest({ query, filters, hitsPerPage: 100 })).data;
        for (const { text, nbHits } of suggestions) {
          expect((await index.query({ query: text, matching: "all", filters })).data.nbHits).toBe(nbHits);
          expect(nbHits).toBeGreaterThan(0);
          for (const word of text.match(/[\p{L}-]+/gu) ?? []) expect([...held], `${query}: ${text}`).toContain(word);
        }
        expect(new Set(suggestions.map(({ text }) => normalizeText(text))).size).toBe(suggestions.length);
        for (const hitsPerPage of [0, 1, 3])
          expect((await index.suggest({ query, filters, hitsPerPage })).data.suggestions).toEqual(
            suggestions.slice(0, hitsPerPage),
          );
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
  const compare = (text: string): string =>
    text
      .toLowerCase()
      .normalize("NFD")
      .replace(/[\u0300-\u036f]/g, "")
      .trimStart()
      .replace(/\s+/g, " ");

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
  let tools: SearchIndex;
  beforeAll(async () => {
    tools = await shopOf(TOOLS);
  });

  it("facet tells where the first one leads to, within the filters", async () => {
    const { data } = await tools.suggest({ query: "cordless", facet: "brand", filters: "price < 95", hitsPerPage: 2 });
    expect(data.suggestions).toEqual([
      {
        text: "cordless",
        nbHits: 3,
        in: [
          { value: "Forge", nbHits: 2 },
          { value: "Volt", nbHits: 1 },
        ],
      },
      { text: "cordless drill", nbHits: 2 },
    ]);
  });

  it("are refused together, also with a blank text", async () => {
    const refused = async (params: object): Promise<unknown> => {
      const error = await tools.suggest(params as { query: string }).catch((thrown: unknown) => thrown);
      const { details } = error as { details?: { complaints: { param: string; error: string }[] } };
      return (details?.complaints ?? [error as { param: string; error: string }]).map(
        ({ param, error: name }) => `${param} ${name}`,
      );
    };
    expect(await refused({ hitsPerPage: -1, facet: 5, filters: "brand:" })).toEqual([
      "query missing_query",
      "filters invalid_filter",
      "hitsPerPage invalid_hits_per_page",
      "facet invalid_parameter",
    ]);
    for (const name of ["facetFilters", "numericFilters", "insideBoundingBox", "filter", "where"])
      expect(await refused({ query: "d", [name]: [] })).toEqual([`${name} unknown_parameter`]);
    expect(await refused({ query: " ", facet: "nowhere" })).toEqual(["facet unknown_field"]);
    expect(await refused({ query: " ", filters: "nowhere:1" })).toEqual(["filters unknown_filter_field"]);
  });

  it("that a query has but suggest has not are ignored with a warning", async () => {
    const warnings: string[] = [];
    const index = await new SearchEngine({ ...WORDS, onWarning: ({ message }) => warnings.push(message) }).createIndex(
      "a",
    );
    await index.addRecords([{ id: 1, title: "drill" }]);
    await index.suggest({ query: "d", sort: ["price:asc"] } as { query: string });
    expect(warnings).toEqual([
      'parameter "sort" is unknown; known are facet, filters, hitsPerPage, query. It was ignored.',
    ]);
  });

  it("may be aborted", async () => {
    const signal = AbortSignal.abort();
    await expect(tools.suggest({ query: "d" }, { signal })).rejects.toMatchObject({ code: 499 });
  });
});
