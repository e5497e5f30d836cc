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

function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

const ONE_PIECE = { "the title has the query in one piece": 0.05 };
const EQUAL = { "the title is the query": 0.1 };
const NAMES = (word: string) => ({ [`"${word}" is what the title names`]: 0.1 });
const MAY_NAME = (word: string) => ({ [`"${word}" may be what the title names`]: 0.05 });
const DESCRIBES = (word: string) => ({ [`"${word}" only describes what the title names`]: -0.03 });
const OTHER_FORM = (share: number) => ({ "a word has another form in the title": round(-0.12 * share) });
const SMALL_WORDS = { "the title has the small words": 0.05 };
const CATEGORY = (word: string) => ({ [`"${word}" is of its category`]: 0.15 });
const PARTLY = (parts: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(parts).map(([text, part]) => [text, round(0.6 * part)]));
const WITHIN = (...names: string[]) => ({ restrictSearchableAttributes: names });
const SYNONYMS: IndexSettings = { synonyms: [{ type: "synonym", synonyms: ["couch", "davenport"] }] };
const BATTERY = "battery for cordless hedge trimmer 36v 55 cm";

/** Of a title alone, or of a title and a note. */
it.each<[query: string, title: string, parts: object, settings?: IndexSettings]>([
  // The head of the query is what the title names, may be, or only describes it.
  ["phone", "Red phone", NAMES("phone")],
  ["phone", "Phone 13 case", MAY_NAME("phone")],
  ["phone", "Phone case", DESCRIBES("phone")],
  ["phone", "Case for phone", DESCRIBES("phone")],
  ["men", "Shoes, men", {}],
  ["men", "Men", EQUAL],
  ["t-shirt", "Red t-shirt", NAMES("t-shirt")],
  ["red phone", "Red phone", { ...NAMES("phone"), ...ONE_PIECE, ...EQUAL }],
  ["phone", "red phone", {}, { analyzer: "plain" }],
  // It counts in its other number, corrected, and where a synonym stands for it; another form of its stem only describes.
  ["organ", "Old organs", { ...NAMES("organ"), ...OTHER_FORM(0.2) }],
  ["organ", "Old organizer", { ...DESCRIBES("organ"), ...OTHER_FORM(1) }],
  ["telefone", "Red telephone", NAMES("telefone")],
  ["couch", "Red davenport", { ...NAMES("couch"), ...OTHER_FORM(0.21) }, SYNONYMS],
  // It counts less where the record lacks terms, and in queries of at most three.
  ["blue phone", "Red phone", PARTLY(NAMES("phone"))],
  ["blue phone", "Phone 13 case", PARTLY(MAY_NAME("phone"))],
  ["blue phone", "Phone case", {}],
  ["big red old phone", "big red old phone set", ONE_PIECE],
  ["red old phone", "red old phone set", { ...DESCRIBES("phone"), ...ONE_PIECE }],
  // A number with its unit counts twice.
  ["phone 5 inch red", "5 inch red phone", {}],
  // It counts in longer queries that say what the thing belongs to; of more words they are sentences.
  [BATTERY, "Battery 36 V", PARTLY(NAMES("battery"))],
  [BATTERY, "Cordless hedge trimmer 36 V, 55 cm", {}],
  ["one two three four battery for trimmer", "Battery", {}],
  ["battery for aaa bbb ccc ddd eee fff ggg hhh", "Battery", {}],
  // Where it comes first, it counts only where the title has the whole query.
  ["agência de viagens baratas", "Guia de viagens", {}, { language: "pt" }],
  ["agência de viagens baratas", "Agência de tradução", {}, { language: "pt" }],
  ["sac de voyage rouge", "Guide de voyage", {}, { language: "fr" }],
  ["sac de voyage rouge", "Sac de couchage", {}, { language: "fr" }],
  // The query in one piece adds, and more if the title is nothing else, in either number.
  ["jute mat", "Jute mat", { ...NAMES("mat"), ...ONE_PIECE, ...EQUAL }],
  ["jute mat", "Jute mats", { ...NAMES("mat"), ...ONE_PIECE, ...EQUAL, ...OTHER_FORM(0.1) }],
  ["jute mat", "Jute mat red", { ...NAMES("mat"), ...ONE_PIECE }],
  ["jute mat", "Mat jute", DESCRIBES("mat")],
  ["jute mat", "Jute block mat", NAMES("mat")],
  ["one two three four five", "one two three four five", {}],
  ["box", "Boxing", { ...DESCRIBES("box"), ...OTHER_FORM(1) }],
  // In every spelling of compounds, quantities and scripts without blanks.
  ["wi-fi router", "WiFi router", { ...NAMES("router"), ...ONE_PIECE, ...EQUAL }],
  ["wifi router", "Wi-Fi router", { ...NAMES("router"), ...ONE_PIECE, ...EQUAL }],
  ["hand bag", "Handbag", { ...NAMES("hand bag"), ...EQUAL }],
  ["kettle 1.7 l", "Kettle 1.7l", { ...NAMES("kettle"), ...ONE_PIECE, ...EQUAL }],
  ["電動工具", "電動工具", { ...ONE_PIECE, ...EQUAL }],
  // Small words count where the title has them, if they say something; alone they are terms like others.
  ["soup with salt", "Soup with salt", { ...NAMES("soup"), ...ONE_PIECE, ...EQUAL, ...SMALL_WORDS }],
  ["soup with salt", "Salt soup with", { ...NAMES("soup"), ...SMALL_WORDS }],
  ["soup with salt", "Soup without salt", NAMES("soup")],
  ["bag of tea", "Bag of green tea", NAMES("tea")],
  ["it is", "It is", { ...ONE_PIECE, ...EQUAL }],
  // Another form takes away a part, and the other number of the word a fifth of it, as a share of the terms.
  ["organ seat", "organizer", OTHER_FORM(0.5)],
  ["organ seat", "organs", OTHER_FORM(0.1)],
])("the query %s gets of the title %s %j", async (query, title, parts, settings) => {
  expect((await titles([{ id: 1, title }], { query }, settings)).get("1")).toEqual(parts);
});

it.each<[record: JsonRecord, params: SearchParams, parts: object, settings?: IndexSettings]>([
  [{ title: "Phone", note: "red" }, { query: "red phone" }, NAMES("phone")],
  [{ title: "seat", note: "organizer" }, { query: "organ" }, {}],
  [{ title: "Galaxy", note: "phones", category: "Electronics > Rugged phones" }, { query: "phone" }, CATEGORY("phone")],
  [{ title: "Galaxy", note: "phones", product_type: ["Cases", "Phone"] }, { query: "phone" }, CATEGORY("phone")],
  [{ title: "Galaxy", note: "phones", details: { "Product-Type": "Phone" } }, { query: "phone" }, CATEGORY("phone")],
  [{ title: "Galaxy", note: "phones", category: "Phone cases" }, { query: "phone" }, {}],
  [{ title: "Galaxy", note: "phones", kind: "Phone" }, { query: "phone" }, {}],
  // A category counts only with all words of the query, where all attributes are searched, and without a title, too.
  [{ title: "Galaxy", note: "phones", category: "Rugged phones" }, { query: "rugged phone" }, CATEGORY("phone")],
  [{ title: "Galaxy", note: "phones", category: "Phone" }, { query: "rugged phone" }, {}],
  [
    { title: "Galaxy", note: "phones", category: "Phone" },
    { query: "phone", ...WITHIN("note", "title", "category") },
    {},
  ],
  [
    { title: "Galaxy", note: "phones", category: "Phone" },
    { query: "phone" },
    {},
    { searchableAttributes: ["title", "note"] },
  ],
  [{ note: "phones", category: "Phones" }, { query: "phone" }, CATEGORY("phone")],
  [{ note: "phones", category: "Phones" }, { query: "phone", ...WITHIN("note") }, {}],
  [
    { note: "phones", category: "Phones" },
    { query: "phomes" },
    CATEGORY("phomes"),
    { disableTypoToleranceOnAttributes: ["title"] },
  ],
  // It makes no phrase with the title.
  [{ title: "red", category: "wine glass" }, { query: "red wine" }, {}],
  // A title that is not searched says nothing; the first name for titles that is searched is taken.
  [{ title: "red couch", note: "red couch" }, { query: "red couch", ...WITHIN("note") }, {}],
  [
    { title: "Dr.", name: "red couch", label: "couch" },
    { query: "red couch" },
    { ...NAMES("couch"), ...ONE_PIECE, ...EQUAL },
    { searchableAttributes: ["label", "name"] },
  ],
])("the record %j gets of %j the parts %j", async (record, params, parts, settings) => {
  expect((await titles([{ id: 1, ...record }], params, settings)).get("1")).toEqual(parts);
});

describe("evidence", () => {
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

property("what always holds does for hits that their titles rank", 20, async (random) => {
  const word = (): string => random.pick(["red", "phone", "case", "for", "with", "the", "mat", "mats", "yoga", "13"]);
  const records = random.list(5, 60, () => random.list(1, 6, word).join(" ")).map((title, id) => ({ id, title }));
  const { ids } = await plainShop({}, records);
  await ids({ query: random.list(1, 4, word).join(" "), hitsPerPage: 1 });
});
