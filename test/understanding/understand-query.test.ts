import { describe, expect, it } from "vitest";
import {
  type Analyzer,
  type IndexSettings,
  type Intent,
  type JsonRecord,
  loadUnderstanding,
  SearchEngine,
  type SearchIndex,
  understandQuery,
} from "../../src/index.js";
import { property } from "../support/random.js";

const LAPTOPS = [
  { id: "1", title: "Lenovo laptop", brand: "Lenovo", color: "grey", price: 449, rating: 4.1, ram: 8, year: 2021 },
  { id: "2", title: "Pavilion laptop", brand: "HP", color: "black", price: 899, rating: 4.5, ram: 16, year: 2023 },
  { id: "3", title: "Headset with microphone", brand: "Jabra", color: "black", price: 69, rating: 4, year: 2022 },
  { id: "4", title: "Wireless keyboard", brand: "Logitech", color: "white", price: 39.9, rating: 4.6, year: 2020 },
];

async function shop(
  settings: IndexSettings = {},
  records: readonly JsonRecord[] = LAPTOPS,
  engine: SearchEngine = new SearchEngine({ embedder: false }),
): Promise<SearchIndex> {
  const index = await engine.createIndex("shop", settings);
  await index.addRecords(records);
  return index;
}

/** What was understood, in short. */
const became = ({ query, parts }: Intent): readonly string[] => [query, ...parts.map((part) => part.became)];

describe("what a text is understood to ask for", () => {
  it("is its parts, and the lists that they make", async () => {
    const index = await shop();
    const original = "Cheapest black laptop without microphone under $1,000 not from Lenovo";
    expect(await index.understandQuery(original)).toEqual({
      original,
      query: "black laptop",
      filters: "price < 1000 AND NOT brand:Lenovo",
      preferred: ["color:black"],
      excluded: ["microphone"],
      order: { sort: ["price:asc"], within: "named" },
      parts: [
        { from: 0, to: 8, text: "Cheapest", kind: "order", became: "price:asc" },
        { from: 9, to: 14, text: "black", kind: "value", became: "color:black" },
        { from: 22, to: 40, text: "without microphone", kind: "exclusion", became: "microphone" },
        { from: 41, to: 53, text: "under $1,000", kind: "price", became: "price < 1000" },
        { from: 54, to: 69, text: "not from Lenovo", kind: "exclusion", became: "NOT brand:Lenovo" },
      ],
    });
  });

  it("is the text itself where nothing is understood", async () => {
    const index = await shop();
    for (const original of ["", "  ", "Wireless  keyboard ", "?!", "under", "50", "constructor __proto__ toString"])
      expect(await index.understandQuery(original)).toEqual({
        ...{ original, query: original, preferred: [], excluded: [], parts: [] },
      });
  });

  it.each([
    // Least prices without a currency, where some cost less and some more, and nobody has that age.
    ["laptop over 400|laptop above 400|laptop more than 400", ["laptop", "price > 400"]],
    ["laptop at least 400|laptop 400 and up|laptop 400+", ["laptop", "price >= 400"]],
    ["laptop over 2000", ["laptop over 2000"]],
    ["laptop over 20", ["laptop over 20"]],
    ["laptop for over 400", ["laptop for over 400"]],
    ["men over 50", ["men over 50"]],
    ["laptop over 400 pieces", ["laptop over 400 pieces"]],
    // Ranges only of one unit, and pounds in any place.
    [
      "laptop between 500 pounds and 900|laptop from 500 pounds to 900|laptop 500 pounds to 900",
      ["laptop", "price:500 TO 900"],
    ],
    ["laptop that has no microphone|laptop no microphone|laptop with no microphone", ["laptop", "microphone"]],
  ])("of %s is %j", async (texts, expected) => {
    const index = await shop();
    for (const text of texts.split("|")) expect(became(await index.understandQuery(text)), text).toEqual(expected);
  });

  it("is no range of two units, and excludes nothing where a sentence states something", async () => {
    const index = await shop();
    expect((await index.understandQuery("laptop with between 8 gb and 16000 mb ram")).filters).toBeUndefined();
    for (const text of ["the laptop has no", "laptop shows no", "the laptop did not get a"])
      expect((await index.understandQuery(`${text} microphone`)).excluded).toEqual([]);
  });

  it("is asked of the engine, and of the default engine, too", async () => {
    const engine = new SearchEngine({ embedder: false });
    const index = await shop({}, LAPTOPS, engine);
    await engine.loadUnderstanding();
    await loadUnderstanding();
    const intent = await index.understandQuery("laptop under 500");
    expect(await engine.understandQuery("shop", "laptop under 500")).toEqual(intent);
    await expect(understandQuery("no such index", "laptop")).rejects.toMatchObject({ error: "index_not_found" });
  });

  it("is a filter that the index takes, whatever its names and values are", async () => {
    const records = [
      { id: 1, title: "Drill", brand: "O'Neil & (Sons)", price: 10 },
      { id: 2, title: "Saw", brand: "NOT", price: 20 },
      { id: 3, title: "File", brand: "o'neil & sons", price: 30 },
    ];
    const index = await shop({}, records);
    const { filters } = await index.understandQuery("tool not from o'neil & sons under $25");
    expect((await index.query({ query: "", filters: filters! })).data.hits).toMatchObject([{ id: "2" }]);
  });

  it("speaks of the attributes that the settings name, or of those of usual names", async () => {
    const records = [{ id: 1, title: "Laptop", net: 90, cost: 100, stars: 4, seen: 1, createdAt: "2024-01-01" }];
    const usual = await shop({}, records);
    const named = await shop({ understanding: { price: "net", newest: "seen" } }, records);
    const text = "newest laptop under $95 with at least 3 stars";
    expect(became(await usual.understandQuery(text))).toEqual(["laptop", "createdAt:desc", "cost < 95", "stars >= 3"]);
    expect(became(await named.understandQuery(text))).toEqual(["laptop", "seen:desc", "net < 95", "stars >= 3"]);
  });

  it("speaks of no attribute that filters do not take, or whose prices are no numbers", async () => {
    const declared = await shop({ attributesForFaceting: ["brand"] });
    expect(became(await declared.understandQuery("cheapest hp laptop under 500"))).toEqual([
      "cheapest hp laptop under 500",
      "brand:HP",
    ]);
    const texts = await shop({}, [{ id: 1, title: "Laptop", price: "449.00" }]);
    expect(became(await texts.understandQuery("laptop under $500"))).toEqual(["laptop under $500"]);
  });

  it("depends on the live records alone", async () => {
    const one = await shop();
    const other = await shop({}, [{ id: 9, title: "Lamp under 500", brand: "Laptop", price: 1 }, ...LAPTOPS].reverse());
    await other.deleteRecords(["9"]);
    for (const text of ["laptop under 500", "laptop not from hp", "cheapest jabra headset", "laptop no microphone"])
      expect(await other.understandQuery(text)).toEqual(await one.understandQuery(text));
    await one.deleteRecords(["2"]);
    expect(became(await one.understandQuery("laptop not from hp"))).toEqual(["laptop not from hp"]);
  });
});

describe("the language of an index", () => {
  it.each(["de", "fr-CA", "ja"])("refuses to understand %s", async (language) => {
    const index = await shop({ language });
    const refused = { code: 400, error: "invalid_parameter", message: expect.stringMatching(/English only.*language/) };
    await expect(index.understandQuery("laptop under 500")).rejects.toMatchObject(refused);
    await expect(index.query({ query: "", understand: true })).rejects.toMatchObject({
      ...refused,
      param: "understand",
    });
    await expect(index.query({ query: "", understand: false })).resolves.toMatchObject({ code: 200 });
  });

  it.each<IndexSettings>([
    { language: "en" },
    { language: "en-GB" },
    { language: "EN-us" },
    { analyzer: "plain" },
  ])("is understood with %j", async (settings) => {
    expect(became(await (await shop(settings)).understandQuery("laptop under 500"))).toEqual(["laptop", "price < 500"]);
  });

  it("is none for an analyzer of one's own unless it is set", async () => {
    const own: Analyzer = { id: "own", analyze: (text) => text.split(" ") };
    const index = await shop({ analyzer: own });
    await expect(index.understandQuery("laptop under 500")).rejects.toThrow("has none as its language");
    await index.updateSettings({ language: "en" });
    expect(became(await index.understandQuery("laptop under 500"))).toEqual(["laptop", "price < 500"]);
  });
});

describe("a text that nobody would write", () => {
  it("is refused where a query is", async () => {
    const index = await shop();
    for (const text of [undefined, null, 5, {}, ["laptop"]])
      await expect(index.understandQuery(text as string)).rejects.toMatchObject({ code: 400, error: "invalid_query" });
    await expect(index.understandQuery("a".repeat(4097))).rejects.toMatchObject({ error: "query_too_long" });
  });

  it("is left alone where it is longer than a sentence", async () => {
    const index = await shop({}, LAPTOPS, new SearchEngine({ embedder: false, limits: { queryBytes: 100_000 } }));
    for (const piece of ["a", "/", "1", "not ", "under 5 ", "$", "1/1/", "no a-", "\u{10ffff}", "\ud800", "é"]) {
      const text = `laptop under 500 ${piece.repeat(10_000)}`;
      expect((await index.understandQuery(text)).query).toBe(text);
    }
  });

  const PIECES =
    "laptop;headset;pounds;kg;under;not;no;without;that;does;need;between;and;to;for;with;from;the;a;cheapest;newest;first;4;stars;$;50;1,000;16;gb;ram;black;hp;Lenovo;brand;:;-;,;.;\u20ac;\n;or;best;rated;more;than;at;least;k;%;\";';\\;(;\u0000;\u{1f600};\ud800;constructor;__proto__;I\u0307;ß".split(
      ";",
    );
  property("has parts that do not overlap and are filters that the index takes", 300, async (random) => {
    const index = await shop();
    const text = random.list(1, 14, () => random.pick(PIECES)).join(random.pick([" ", " ", ""]));
    const intent = await index.understandQuery(text);
    const { original, query, filters, preferred, parts, order } = intent;
    const except = random.list(0, 3, () => random.between(0, 4));
    const params = { query: text, facets: ["*"], explain: true, advancedSyntax: random.chance(0.5) };
    const { understood } = (await index.query({ ...params, understand: true })).data;
    if (!params.advancedSyntax) expect(understood).toEqual(intent);
    const taken = (await index.query({ ...params, understand: { except } })).data.understood!;
    expect(taken.parts).toEqual(
      understood!.parts.map((part, i) => (except.includes(i) ? { ...part, became: "" } : part)),
    );
    expect(original).toBe(text);
    let end = 0;
    for (const part of parts) {
      expect(part.from).toBeGreaterThanOrEqual(end);
      expect(part.text).toBe(text.slice(part.from, part.to));
      end = part.to;
    }
    await index.query({ query, ...(filters && { filters }), ...(order && { sort: order.sort as ["price:asc"] }) });
    for (const filter of preferred) await index.query({ query: "", filters: filter });
  });
});
