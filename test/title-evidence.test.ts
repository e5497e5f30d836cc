// What titles add, worked out by hand: the records hold nothing else than what is said here.

import { describe, expect, it } from "vitest";
import { type IndexSettings, type JsonRecord, SearchEngine, type SearchParams } from "../src/index.js";
import { plainShop } from "./support/plain-shop.js";
import { property } from "./support/random.js";

const DIVISOR = 1.6;
/** Told by tests of their own. */
const SHARE = "the title has words of the query";
const LIFT = "a long title that names it lacks no words";

/** By id: each part of the title's evidence before the division, rounded, by its text, but for share and lift. */
async function titles(records: readonly JsonRecord[], params: SearchParams, settings: IndexSettings = {}) {
  const all = await allOfTitles(records, params, settings);
  return new Map(Array.from(all, ([id, { [SHARE]: _, [LIFT]: __, ...others }]) => [id, others]));
}

/** By id: each part of the title's evidence before the division, rounded, by its text. */
async function allOfTitles(records: readonly JsonRecord[], params: SearchParams, settings: IndexSettings = {}) {
  const index = await new SearchEngine({ onWarning() {} }).createIndex("a", { embedder: false, ...settings });
  await index.addRecords(records);
  const { hits } = (await index.query({ explain: true, matching: "any", ...params })).data;
  return new Map(
    hits.map(({ id, explanation }) => {
      const { contribution, parts } = explanation!.title!;
      expect(parts.reduce((sum, part) => sum + part.contribution, 0)).toBeCloseTo(contribution, 12);
      const byText: Record<string, number> = Object.fromEntries(
        parts.map((part) => [part.text, round(part.contribution * DIVISOR)]),
      );
      return [id, byText] as const;
    }),
  );
}

/** By place: the evidence of titles. */
async function ofTitles(query: string, ...given: readonly string[]) {
  const found = await titles(
    given.map((title, id) => ({ id, title })),
    { query },
  );
  return given.map((_, id) => found.get(String(id)));
}

function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

const ONE_PIECE = { "the title has the query in one piece": 0.05 };
const EQUAL = { "the title is the query": 0.1 };
const NAMES = (word: string) => ({ [`"${word}" is what the title names`]: 0.1 });
const MAY_NAME = (word: string) => ({ [`"${word}" may be what the title names`]: 0.05 });
const DESCRIBES = (word: string) => ({ [`"${word}" only describes what the title names`]: -0.03 });
const OTHER_FORM = (share: number) => ({ "a word has another form in the title": round(-0.12 * share) });

describe("the head of the query", () => {
  it("is what the title names, may be, or only describes it", async () => {
    expect(await ofTitles("phone", "Red phone", "Phone 13 case", "Phone case", "Case for phone")).toEqual([
      NAMES("phone"),
      MAY_NAME("phone"),
      DESCRIBES("phone"),
      DESCRIBES("phone"),
    ]);
  });

  it("is no word that describes, also where such a word is counted: men", async () => {
    expect(await ofTitles("men", "Shoes, men", "Men")).toEqual([{}, EQUAL]);
  });

  it("counts in its other number, but another form of its stem only describes", async () => {
    const [plural, other] = await ofTitles("organ", "Old organs", "Old organizer");
    expect(plural).toEqual({ ...NAMES("organ"), ...OTHER_FORM(0.2) });
    expect(other).toEqual({ ...DESCRIBES("organ"), ...OTHER_FORM(1) });
  });

  it("counts where it was corrected, and where a synonym stands for it", async () => {
    expect(await ofTitles("telefone", "Red telephone")).toEqual([NAMES("telefone")]);
    const synonyms = [{ type: "synonym", synonyms: ["couch", "davenport"] }] as const;
    const found = await titles([{ id: 1, title: "Red davenport" }], { query: "couch" }, { synonyms });
    expect(found.get("1")).toEqual({ ...NAMES("couch"), ...OTHER_FORM(0.21) });
  });

  it("is named as it was typed, also if it is a compound", async () => {
    expect(await ofTitles("t-shirt", "Red t-shirt")).toEqual([NAMES("t-shirt")]);
  });

  it("counts less where the record lacks terms, and in queries of at most three", async () => {
    const records = [
      { id: 1, title: "Red phone" },
      { id: 2, title: "Phone", note: "red" },
    ];
    const both = await titles(records, { query: "red phone" });
    expect(both.get("1")).toEqual({ ...NAMES("phone"), ...ONE_PIECE, ...EQUAL });
    expect(both.get("2")).toEqual(NAMES("phone"));
    const PARTLY = { '"phone" is what the title names': 0.06 };
    expect((await titles(records, { query: "blue phone" })).get("1")).toEqual(PARTLY);
    const MAYBE = { '"phone" may be what the title names': 0.03 };
    expect(await ofTitles("blue phone", "Phone 13 case", "Phone case")).toEqual([MAYBE, {}]);
    expect(await ofTitles("big red old phone", "big red old phone set")).toEqual([ONE_PIECE]);
    expect(await ofTitles("red old phone", "red old phone set")).toEqual([{ ...DESCRIBES("phone"), ...ONE_PIECE }]);
    // A number with its unit counts twice.
    expect(await ofTitles("phone 5 inch red", "5 inch red phone")).toEqual([{}]);
  });

  it("counts in longer queries that say what the thing belongs to", async () => {
    const given = ["Battery 36 V", "Cordless hedge trimmer 36 V, 55 cm"];
    const query = "battery for cordless hedge trimmer 36v 55 cm";
    expect(await ofTitles(query, ...given)).toEqual([{ '"battery" is what the title names': 0.06 }, {}]);
    const index = await new SearchEngine().createIndex("a", { embedder: false });
    await index.addRecords(given.map((title, id) => ({ id, title })));
    expect((await index.query({ query })).data.hits.map(({ id }) => id)).toEqual(["0", "1"]);
    // Of more words it is a sentence.
    expect(await ofTitles("one two three four battery for trimmer", "Battery")).toEqual([{}]);
    expect(
      await ofTitles(
        `battery for ${"abcdefgh"
          .split("")
          .map((one) => one.repeat(3))
          .join(" ")}`,
        "Battery",
      ),
    ).toEqual([{}]);
  });

  it("lifts a record of all terms by a share of what it lacks by words, also if its title is long", async () => {
    const titled = ["Phone", "Phone with a long text behind it", "Phone case"].map((title, id) => ({ id, title }));
    const index = await new SearchEngine().createIndex("a", { embedder: false });
    await index.addRecords(titled);
    const found = await allOfTitles(titled, { query: "phone" });
    for (const { id, explanation } of (await index.query({ query: "phone", explain: true })).data.hits) {
      const lacking = 1 - explanation!.lexical!.score;
      expect(found.get(id)![LIFT]).toEqual(id === "2" ? undefined : expect.closeTo(0.3 * lacking, 5));
    }
  });

  it("adds for the share of several terms that the title itself has", async () => {
    const given = [
      { id: 1, title: "Blanket for the sofa, merino wool" },
      { id: 2, title: "Blanket", note: "soft as wool" },
    ];
    const found = await allOfTitles(given, { query: "wool blanket" });
    expect([found.get("1")![SHARE], found.get("2")![SHARE]]).toEqual([0.15, 0.075]);
    expect((await allOfTitles(given, { query: "blanket" })).get("1")![SHARE]).toBeUndefined();
  });

  it.each([
    ["pt", "agência de viagens baratas", "Guia de viagens", "Agência de tradução"],
    ["fr", "sac de voyage rouge", "Guide de voyage", "Sac de couchage"],
  ])("that comes first counts only where the title has the whole query: %s", async (language, query, ...given) => {
    const [guide, begins] = await Promise.all(
      given.map(async (title) => (await titles([{ id: 1, title }], { query, matching: "any" }, { language })).get("1")),
    );
    expect([guide, begins]).toEqual([{}, {}]);
  });

  it("is none in languages whose titles have no such rule", async () => {
    const found = await titles([{ id: 1, title: "red phone" }], { query: "phone" }, { analyzer: "plain" });
    expect(found.get("1")).toEqual({});
  });
});

describe("a category", () => {
  const records = [
    { id: 1, title: "Galaxy", note: "phones", category: "Electronics > Rugged phones" },
    { id: 2, title: "Galaxy", note: "phones", product_type: ["Cases", "Phone"] },
    { id: 3, title: "Galaxy", note: "phones", category: "Phone cases" },
    { id: 4, title: "Galaxy", note: "phones", details: { "Product-Type": "Phone" } },
    { id: 5, title: "Galaxy", note: "phones", kind: "Phone" },
  ];
  const CATEGORY = { '"phone" is of its category': 0.15 };

  it("whose last word is the head of the query adds to a record", async () => {
    const found = await titles(records, { query: "phone" });
    expect([1, 2, 3, 4, 5].map((id) => found.get(String(id)))).toEqual([CATEGORY, CATEGORY, {}, CATEGORY, {}]);
  });

  it("counts only with all words of the query, and where all attributes are searched", async () => {
    expect((await titles(records, { query: "rugged phone" })).get("1")).toEqual(CATEGORY);
    expect((await titles(records, { query: "rugged phone" })).get("2")).toEqual({});
    const restricted = { query: "phone", restrictSearchableAttributes: ["note", "title", "category"] };
    expect((await titles(records, restricted)).get("1")).toEqual({});
    const searched = await titles(records, { query: "phone" }, { searchableAttributes: ["title", "note"] });
    expect(searched.get("1")).toEqual({});
  });

  it("of a record without a title counts, and does no harm where it does not", async () => {
    const untitled = [{ id: 1, note: "phones", category: "Phones" }];
    expect((await titles(untitled, { query: "phone" })).get("1")).toEqual(CATEGORY);
    const restricted = { query: "phone", restrictSearchableAttributes: ["note"] };
    expect((await titles(untitled, restricted)).get("1")).toEqual({});
    const exact = { disableTypoToleranceOnAttributes: ["title"] };
    expect((await titles(untitled, { query: "phomes" }, exact)).get("1")).toEqual({
      '"phomes" is of its category': 0.15,
    });
  });

  it("adds the share that it has among the records whose titles have the head, counted on live ones that may be seen", async () => {
    const lamps = [
      { id: 1, title: "Lamp oak", category: "Lighting", shop: "a" },
      { id: 2, title: "Desk lamp", category: "Lighting", shop: "a" },
      { id: 3, title: "Lamp shade", category: "Spare parts", shop: "a" },
      { id: 4, title: "Candle", category: "Lighting", shop: "a" },
      { id: 5, title: "Floor lamp", category: "Old > Lighting", shop: "b" },
    ];
    const OF = (share: number) => ({ '"lamp" is of its category': round(0.15 * share) });
    const index = await new SearchEngine().createIndex("a", { embedder: false });
    await index.addRecords(lamps);
    const sharesOf = async (filters?: string) => {
      const { hits } = (await index.query({ query: "lamp", explain: true, ...(filters && { filters }) })).data;
      return Object.fromEntries(
        hits.map(({ id, explanation }) => {
          const part = explanation!.title!.parts.find(({ text }) => text === '"lamp" is of its category');
          return [id, round((part?.contribution ?? 0) * DIVISOR)];
        }),
      );
    };
    // Of four records with lamp in the title, and two that are counted besides, three and one.
    const [lighting, parts] = [round((0.15 * 3) / 6), round((0.15 * 1) / 6)];
    expect(await sharesOf()).toEqual({ 1: lighting, 2: lighting, 3: parts, 5: lighting });
    expect(await sharesOf("shop:a")).toEqual({ 1: lighting, 2: lighting, 3: parts });
    await index.deleteRecords(["5"]);
    expect(await sharesOf()).toEqual({ 1: round((0.15 * 2) / 5), 2: round((0.15 * 2) / 5), 3: round(0.15 / 5) });
    // In a segment of its own, where no title has the word, a record has the share of the category all the same.
    await index.addRecords([{ id: 7, title: "Candela", note: "lamp", category: "Lighting", shop: "c" }]);
    expect((await sharesOf())[7]).toBe(round((0.15 * 2) / 5));
    await index.whenIdle();
    expect((await sharesOf())[7]).toBe(round((0.15 * 2) / 5));
    // A record without the word in its title has that of its category, too.
    const found = await titles([...lamps, { id: 6, title: "Glow", note: "lamp", category: "Lighting" }], {
      query: "lamp",
    });
    expect(found.get("6")).toEqual(OF(3 / 6));
    // The words of a category count among those that the title has.
    const shown = await allOfTitles([{ id: 1, title: "Vento", note: "ski boots", category: "Ski boots" }], {
      query: "ski boots",
    });
    expect(shown.get("1")).toEqual({ '"boots" is of its category': 0.15, [SHARE]: 0.15 });
  });

  it("makes no phrase with the title", async () => {
    const found = await titles([{ id: 1, title: "red", category: "wine glass" }], { query: "red wine" });
    expect(found.get("1")).toEqual({});
  });
});

describe("the query in one piece", () => {
  it("adds, and more if the title is nothing else, in either number", async () => {
    const given = ["Jute mat", "Jute mats", "Jute mat red", "Mat jute", "Jute block mat"];
    const [equal, plural, longer, turned, apart] = await ofTitles("jute mat", ...given);
    expect(equal).toEqual({ ...NAMES("mat"), ...ONE_PIECE, ...EQUAL });
    expect(plural).toEqual({ ...NAMES("mat"), ...ONE_PIECE, ...EQUAL, ...OTHER_FORM(0.1) });
    expect(longer).toEqual({ ...NAMES("mat"), ...ONE_PIECE });
    expect(turned).toEqual(DESCRIBES("mat"));
    expect(apart).toEqual(NAMES("mat"));
  });

  it("is found in every spelling of compounds, quantities and scripts without blanks", async () => {
    for (const [query, title] of [
      ["wi-fi router", "WiFi router"],
      ["wifi router", "Wi-Fi router"],
      ["hand bag", "Handbag"],
      ["kettle 1.7 l", "Kettle 1.7l"],
      ["電動工具", "電動工具"],
    ] as const)
      expect((await ofTitles(query, title))[0], title).toMatchObject(EQUAL);
  });

  it("is not looked for in queries of more than four words", async () => {
    expect(await ofTitles("one two three four five", "one two three four five")).toEqual([{}]);
  });

  it("is not found with another form of a word, or with a synonym", async () => {
    expect((await ofTitles("box", "Boxing"))[0]).toEqual({ ...DESCRIBES("box"), ...OTHER_FORM(1) });
  });
});

describe("small words", () => {
  const WORDS = (share: number) => ({ "the title has the small words": round(0.05 * share) });

  it("count where the title has them", async () => {
    const given = ["Soup with salt", "Salt soup with", "Soup without salt"];
    const [typed, turned, without] = await ofTitles("soup with salt", ...given);
    expect(typed).toEqual({ ...NAMES("soup"), ...ONE_PIECE, ...EQUAL, ...WORDS(1) });
    expect(turned).toEqual({ ...NAMES("soup"), ...WORDS(1) });
    expect(without).toEqual(NAMES("soup"));
  });

  it("that say nothing do not count", async () => {
    expect((await ofTitles("bag of tea", "Bag of green tea"))[0]).toEqual(NAMES("tea"));
  });

  it("alone are terms like others", async () => {
    expect((await ofTitles("it is", "It is"))[0]).toEqual({ ...ONE_PIECE, ...EQUAL });
  });
});

describe("another form than the typed one", () => {
  it("takes away a part, and the other number of the word a fifth of it, as a share of the terms", async () => {
    expect((await ofTitles("organ seat", "organizer"))[0]).toEqual(OTHER_FORM(0.5));
    expect((await ofTitles("organ seat", "organs"))[0]).toEqual(OTHER_FORM(0.1));
    const found = await titles([{ id: 1, title: "seat", note: "organizer" }], { query: "organ" });
    expect(found.get("1")).toEqual({});
  });

  it("comes after the typed one, also on a page of one hit", async () => {
    const index = await new SearchEngine().createIndex("a", { embedder: false });
    await index.addRecords([
      { id: 1, title: "Boxing gloves" },
      { id: 2, title: "Box oak red" },
    ]);
    const { data } = await index.query({ query: "box", hitsPerPage: 1 });
    expect(data.hits.map(({ id }) => id)).toEqual(["2"]);
  });

  it("makes no score negative, and the contributions add up", async () => {
    const many = Array.from({ length: 60 }, (_, id) => ({ id, title: "drilling" }));
    const { ids } = await plainShop({ matching: "any" }, many, [{ id: 60, title: "anvil" }]);
    expect(await ids({ query: "drill anvil" })).toHaveLength(61);
  });
});

it("a title that is not searched says nothing", async () => {
  const records = [{ id: 1, title: "red couch", note: "red couch" }];
  const found = await titles(records, { query: "red couch", restrictSearchableAttributes: ["note"] });
  expect(found.get("1")).toEqual({});
});

it("adds nothing to ranks, to meaning alone, and where it is switched off", async () => {
  const ask = async (settings: IndexSettings, params: SearchParams) => {
    const index = await new SearchEngine().createIndex("a", settings);
    await index.addRecords([{ id: 1, title: "red couch" }]);
    const { hits } = (await index.query({ explain: true, ...params })).data;
    return hits.map(({ explanation }) => explanation!.title);
  };
  for (const settings of [{ titleEvidence: false }, { fusion: { method: "rrf" } }] as const)
    expect(await ask(settings, { query: "red couch" })).toEqual([undefined]);
  expect(await ask({}, { query: "red couch", semanticWeight: 1 })).toEqual([undefined]);
});

it("adds after it was switched on what it adds where it was never off", async () => {
  const records = [
    { id: 1, title: "red couch" },
    { id: 2, title: "sofa", note: "red couch", category: "couch" },
    { id: 3, title: "red sofa" },
  ];
  const params = { query: "red couch", explain: true } as const;
  const index = await new SearchEngine().createIndex("a");
  await index.addRecords(records.slice(0, 1));
  const always = await index.estimate();
  await index.updateSettings({ titleEvidence: false });
  await index.addRecords(records.slice(1));
  await index.updateSettings({ titleEvidence: true });
  const afresh = await new SearchEngine().createIndex("a");
  await afresh.addRecords(records);
  expect((await index.query(params)).data.hits).toEqual((await afresh.query(params)).data.hits);
  expect(await index.digest()).toBe(await afresh.digest());

  const without = await new SearchEngine().createIndex("a", { titleEvidence: false });
  await without.addRecords(records.slice(0, 1));
  expect((await without.estimate()).text).toBeLessThan(always.text);
});

it("takes the first name for titles that is searched", async () => {
  const records = [{ id: 1, title: "Dr.", name: "red couch", label: "couch" }];
  const found = await titles(records, { query: "red couch" }, { searchableAttributes: ["label", "name"] });
  expect(found.get("1")).toMatchObject(EQUAL);
});

property("what always holds does for hits that their titles rank", 20, async (random) => {
  const word = (): string => random.pick(["red", "phone", "case", "for", "with", "the", "mat", "mats", "yoga", "13"]);
  const records = random.list(5, 60, () => random.list(1, 6, word).join(" ")).map((title, id) => ({ id, title }));
  const { ids } = await plainShop({}, records);
  await ids({ query: random.list(1, 4, word).join(" "), hitsPerPage: 1 });
});
