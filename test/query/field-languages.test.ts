import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type IndexSettings, SearchEngine, type SearchIndex, type SearchParams } from "../../src/index.js";
import { createInstantSearchClient } from "../../src/instantsearch.js";
import { checkQuery } from "../support/check-query.js";
import { rejectionOf } from "../support/refusal.js";

const fieldsOf = (...languages: string[]) =>
  languages.map((language) => ({ attribute: `title_${language}`, language }));
const SETTINGS: IndexSettings = {
  ...{ language: "en", embedder: false },
  searchableAttributes: ["sku", ...fieldsOf("de", "fr"), "title"],
};

const TITLES: readonly (readonly [en: string, de: string, fr: string])[] = [
  ["Garden chair of teak", "Gartenstuhl aus Teakholz", "Chaise de jardin en teck"],
  ["Cushion for chairs", "Kissen für Stühle", "Coussin pour chaise"],
  ["Office chairs, set of 4", "Bürostühle, 4er Set", "Chaises de bureau, lot de 4"],
  ["Cordless screwdriver 12 V", "Akkuschrauber 12 V", "Visseuse sans fil 12 V"],
  ["Screwdriver bits", "Schrauber Bits", "Embouts de vissage"],
  ["Children's bicycle 16 inch", "Fahrrad für Kinder, 16 Zoll", "Vélo pour enfants 16 pouces"],
  ["Bicycle saddle", "Sattel für Fahrräder", "Selle de vélo"],
  ["Die grinder", "Stabschleifer", "Meuleuse droite"],
  ["Tea pot", "Teekanne", "Théière pour le thé"],
  ["Olive oil 1 litre", "Olivenöl 1 Liter", "Bouteille, l'huile d'olive"],
  ["Sofa bed", "Schlafsofa", "Canapé-lit"],
  ["Printer cartridge", "Druckerpatrone", "Cartouche d'encre"],
  ["Printer", "Drucker", "Imprimante"],
  ["The lamp", "Die Lampe", "La lampe"],
];

/** A quarter of the records has one language alone. */
const RECORDS = TITLES.map(([title, title_de, title_fr], i) => {
  const all = { title, title_de, title_fr };
  const names = Object.keys(all) as (keyof typeof all)[];
  const kept = i % 4 === 2 ? [names[i % 3]!] : names;
  return { id: i + 1, sku: `SKU-${100 + i}`, ...Object.fromEntries(kept.map((name) => [name, all[name]])) };
});

const GERMAN = ["stuhl", "gartenstühle", "schrauber", "kinderfahrrad", "fahrräder", "drucker", "die lampe", "16 zoll"];
const FRENCH = ["chaise", "chaises", "vélos", "huile", "lot de 4", "lampes", "le thé", "pour enfant", "l'huile"];
const ENGLISH = ["chair", "bicycles", "die grinder", "printers", "sku-101", "12 v", "the lamp", "sofa", "chiar"];

const FIELDS = [
  ["title_de", "de", GERMAN],
  ["title_fr", "fr", FRENCH],
  ["title", "en", ENGLISH],
] as const;

async function indexOf(
  settings: IndexSettings,
  records: readonly object[] = RECORDS,
  engine = new SearchEngine(),
): Promise<SearchIndex> {
  const index = await engine.createIndex("europe", settings);
  for (const record of records) await index.addRecords([record as { readonly id: number }]);
  return index;
}

async function idsOf(index: Pick<SearchIndex, "query">, params: SearchParams): Promise<string[]> {
  const { data } = await index.query({ hitsPerPage: 100, ...params });
  return data.hits.map(({ id }) => id);
}

function idOf(text: string): string {
  return String(TITLES.findIndex((titles) => titles.includes(text)) + 1);
}

describe("fields of several languages", () => {
  const engine = new SearchEngine();
  let index: SearchIndex;
  let folder: string;
  beforeAll(async () => {
    index = await indexOf(SETTINGS, RECORDS, engine);
    folder = await mkdtemp(join(tmpdir(), "field-languages-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it("are each searched as an index of this field alone", async () => {
    for (const [attribute, language, queries] of FIELDS) {
      const restrictSearchableAttributes = [attribute];
      const alone = await indexOf({ language, embedder: false, searchableAttributes: restrictSearchableAttributes });
      for (const query of queries) {
        const params = { query, restrictSearchableAttributes };
        expect([query, (await idsOf(index, params)).sort()]).toEqual([query, (await idsOf(alone, params)).sort()]);
        // All that finds one of them alone finds them together.
        const own = await idsOf(index, { ...params, matching: "all" });
        expect([query, await idsOf(index, { query, matching: "all" })]).toEqual([query, expect.arrayContaining(own)]);
      }
    }
  });

  it("have stems, compounds and heads of their own", async () => {
    expect(await idsOf(index, { query: "schrauber" })).toEqual([idOf("Schrauber Bits"), idOf("Akkuschrauber 12 V")]);
    expect(await idsOf(index, { query: "kinderfahrrad" })).toEqual([idOf("Fahrrad für Kinder, 16 Zoll")]);
    expect(await idsOf(index, { query: "chaises" })).toContain(idOf("Chaise de jardin en teck"));
    // German joins words, English does not.
    const [chair, sofa] = ["Office furniture", "Armchair"];
    const joined = await indexOf(SETTINGS, [
      { id: 1, title: sofa, title_de: sofa },
      { id: 2, title: sofa, title_de: chair },
    ]);
    expect(await idsOf(joined, { query: "chair", typoTolerance: false })).toEqual(["1"]);
    // The first noun is what French names, the last one what English does.
    const names = ["Coussin de chaise", "Chaise de salon coussin"];
    const titles = names.map((name, i) => ({ id: i + 1, title_fr: name }));
    expect(await idsOf(await indexOf(SETTINGS, titles), { query: "coussin" })).toEqual(["1", "2"]);
    const english = names.map((name, i) => ({ id: i + 1, title: name }));
    expect(await idsOf(await indexOf(SETTINGS, english), { query: "coussin" })).toEqual(["2", "1"]);
  });

  it("take a stop word of some languages as a word of the others, which a match need not have", async () => {
    const matching = "all";
    expect(await idsOf(index, { query: "die lampe", matching })).toEqual([idOf("Die Lampe")]);
    expect((await idsOf(index, { query: "die grinder", matching }))[0]).toEqual(idOf("Die grinder"));
    // Where the query is German, it is a stop word.
    expect(await idsOf(index, { query: "die lampe", queryLanguages: ["de"] })).toEqual([idOf("Die Lampe")]);
  });

  it("are searched as typed where the query is of another language", async () => {
    const of = (query: string, ...queryLanguages: string[]): Promise<string[]> =>
      idsOf(index, { query, queryLanguages });
    expect(await of("gartenstühle", "de")).toEqual([idOf("Gartenstuhl aus Teakholz")]);
    expect(await of("gartenstühle", "fr")).toEqual([]);
    expect(await of("stühle", "fr")).toEqual([idOf("Kissen für Stühle")]);
    expect(await of("stühlen", "fr")).toEqual([]);
    expect(await of("stühlen", "de")).toContain(idOf("Kissen für Stühle"));
    expect(await of("sku-101", "fr")).toEqual([idOf("Kissen für Stühle")]);
    expect(await of("fahrräder", "fr", "de-AT", "en")).toEqual(await of("fahrräder"));
    expect(await idsOf(index, { query: "stuhl", queryLanguages: [] })).toEqual(await idsOf(index, { query: "stuhl" }));
    const client = createInstantSearchClient(engine);
    const asked = [["fr"], ["de"], null].map((queryLanguages) => ({
      ...{ indexName: "europe", params: { query: "gartenstühle", queryLanguages } },
    }));
    expect((await client.search(asked)).results).toMatchObject([{ nbHits: 0 }, { nbHits: 1 }, { nbHits: 1 }]);
  });

  it("correct a word that none of them has, and no word that one has", async () => {
    const titles = [
      { id: 1, title: "Chase game", title_fr: "Chaise" },
      { id: 2, title: "Chase lounge" },
    ];
    const mixed = await indexOf(SETTINGS, titles);
    expect(await idsOf(mixed, { query: "chaise" })).toEqual(["1"]);
    const { data } = await index.query({ query: "gartenstuhk", getParsedQuery: true });
    expect(data.hits.map(({ id }) => id)).toEqual([idOf("Gartenstuhl aus Teakholz")]);
    expect(data.parsedQuery).toMatchObject({ corrected: [{ from: "gartenstuhk", to: ["gartenstuhl"] }], unknown: [] });
  });

  it("are told apart whatever their names are", async () => {
    const searchableAttributes = [...fieldsOf("de"), { attribute: "outside", language: "fr" }];
    const record = { id: 1, title_de: "Gartenstuhl", outside: "Chaise de jardin" };
    const index = await indexOf({ ...SETTINGS, searchableAttributes }, [record]);
    expect(await idsOf(index, { query: "gartenstühle" })).toEqual(["1"]);
    for (const restrictSearchableAttributes of [["outside", "title_de"], ["title_de"]])
      expect(await idsOf(index, { query: "gartenstühle", restrictSearchableAttributes })).toEqual(["1"]);
    expect(await idsOf(index, { query: "gartenstühle", restrictSearchableAttributes: ["outside"] })).toEqual([]);
  });

  it("answer as ever, whatever the order of insertion", async () => {
    const other = await indexOf(SETTINGS, [...RECORDS].reverse());
    for (const query of [...GERMAN, ...FRENCH, ...ENGLISH])
      expect((await checkQuery(other, { query })).hits).toEqual((await index.query({ query })).data.hits);
  });

  it("have phrases, exclusions, synonyms, stop words and optional words read in their language", async () => {
    const synonyms = [{ type: "synonym" as const, synonyms: ["stuhl", "sessel"] }];
    const own = await indexOf({ ...SETTINGS, synonyms, optionalWords: ["billige"] });
    const advancedSyntax = true;
    expect(await idsOf(own, { query: '"kissen für stühlen"', advancedSyntax })).toEqual([idOf("Kissen für Stühle")]);
    expect(await idsOf(own, { query: '"sku-101"', advancedSyntax })).toEqual([idOf("Kissen für Stühle")]);
    expect(await idsOf(own, { query: "chaise -coussins", advancedSyntax })).not.toContain(idOf("Coussin pour chaise"));
    expect(await idsOf(own, { query: "-drucker", advancedSyntax })).not.toContain(idOf("Drucker"));
    expect(await idsOf(own, { query: "sesseln" })).toContain(idOf("Kissen für Stühle"));
    expect(await idsOf(own, { query: "billige lampe", matching: "all" })).toEqual([idOf("La lampe")]);
    const stops = await indexOf({ ...SETTINGS, stopWords: ["lampe"] });
    expect(await idsOf(stops, { query: "lampe drucker", matching: "all" })).toContain(idOf("Drucker"));
  });

  it("are marked by the stems of their language, and explained", async () => {
    const { data } = await index.query({ query: "stuhl", attributesToHighlight: ["*"], explain: true });
    const hit = data.hits.find(({ id }) => id === idOf("Kissen für Stühle"))!;
    expect(hit._highlightResult).toMatchObject({
      title_de: { value: "Kissen für <em>Stühle</em>" },
      title_fr: { value: "Coussin pour chaise" },
    });
    expect(hit.explanation!.lexical!.terms.length).toBe(1);
    const french = await index.query({ query: "chaise", attributesToHighlight: ["title_fr"] });
    expect(JSON.stringify(french.data.hits[0])).toMatch(/<em>Chaises?<\/em>/);
  });

  it("survive in a folder and a snapshot", async () => {
    const dataDir = join(folder, "data");
    const writer = await SearchEngine.open({ dataDir });
    const kept = await writer.createIndex("europe", SETTINGS);
    await kept.addRecords(RECORDS);
    const queries = [...GERMAN, ...FRENCH, ...ENGLISH];
    const answers = async (some: Pick<SearchIndex, "query">): Promise<unknown> => {
      const asked = queries.map((query) => some.query({ query, queryLanguages: ["de", "fr"] }));
      return (await Promise.all(asked)).map(({ data }) => data.hits);
    };
    const expected = await answers(index);
    expect(await answers(kept)).toEqual(expected);
    await writer.writeSnapshot("europe", join(folder, "snapshot"));
    await writer.close();
    const reader = new SearchEngine();
    await reader.readSnapshot("copy", join(folder, "snapshot"));
    expect(await answers(reader.index("copy"))).toEqual(expected);
    const again = await SearchEngine.open({ dataDir });
    expect(await answers(again.index("europe"))).toEqual(expected);
    await again.close();
  });

  it("are read anew when their language changes", async () => {
    const { searchableAttributes } = SETTINGS;
    const changing = await indexOf({ ...SETTINGS, searchableAttributes: ["title_de", "title_fr"] });
    const { queries } = await changing.previewSettings({ searchableAttributes }, { queries: ["schrauber"] });
    expect(queries[0]!.after).toContain(idOf("Akkuschrauber 12 V"));
    expect(queries[0]!.before).not.toContain(idOf("Akkuschrauber 12 V"));
    await changing.updateSettings({ searchableAttributes });
    expect(await idsOf(changing, { query: "schrauber" })).toContain(idOf("Akkuschrauber 12 V"));
    expect((await changing.getSettings()).effective.searchableAttributes).toEqual(searchableAttributes);
  });

  it("are refused where there is no such language", async () => {
    const make = (settings: IndexSettings) => rejectionOf(engine.createIndex("wrong", settings));
    const unknown = await make({ searchableAttributes: [{ attribute: "title", language: "tlh" }] });
    expect(unknown.message).toMatch(/searchableAttributes\[0\]\.language is "tlh".* de .* fr /);
    const analyzer = { id: "own-1", analyze: (text: string) => text.split(" ") };
    const own = await make({ analyzer, searchableAttributes: fieldsOf("de") });
    for (const error of [unknown, own]) expect(error).toMatchObject({ code: 400, error: "invalid_setting" });
    for (const params of [
      { queryLanguages: ["es"] },
      { queryLanguages: ["fr"], restrictSearchableAttributes: ["title_de"] },
    ]) {
      const refused = await rejectionOf(index.query({ query: "x", ...params }));
      expect(refused).toMatchObject({ code: 400, error: "invalid_parameter", param: "queryLanguages" });
      expect(refused.message).toMatch(/searched are de/);
    }
    expect(await rejectionOf(index.query({ query: "x", queryLanguages: ["tlh"] }))).toMatchObject({ code: 400 });
    expect((await index.query({ query: "drucker", queryLanguages: ["de"] })).data.nbHits).toBe(1);
  });
});
