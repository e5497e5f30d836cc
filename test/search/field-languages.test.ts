import { beforeAll, describe, expect, it } from "vitest";
import { type IndexSettings, type QueryParameters, SearchEngine, type SearchIndex } from "../../src/index.js";

const SETTINGS: IndexSettings = {
  language: "en",
  embedder: false,
  searchableAttributes: [
    "sku",
    { attribute: "title_de", language: "de" },
    { attribute: "title_fr", language: "fr" },
    "title",
  ],
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
  ["Olive oil 1 litre", "Olivenöl 1 Liter", "Huile d'olive 1 litre, l'huile extra"],
  ["Sofa bed", "Schlafsofa", "Canapé-lit"],
  ["Printer cartridge", "Druckerpatrone", "Cartouche d'encre"],
  ["Printer", "Drucker", "Imprimante"],
  ["The lamp", "Die Lampe", "La lampe"],
];

/** A third of the records has one language alone. */
const RECORDS = TITLES.map(([title, title_de, title_fr], i) => {
  const all = { title, title_de, title_fr };
  const names = Object.keys(all) as (keyof typeof all)[];
  const kept = i % 3 === 2 ? [names[i % 2]!] : names;
  return { id: i + 1, sku: `SKU-${100 + i}`, ...Object.fromEntries(kept.map((name) => [name, all[name]])) };
});

const GERMAN = ["stuhl", "gartenstühle", "schrauber", "kinderfahrrad", "fahrräder", "drucker", "die lampe", "16 zoll"];
const FRENCH = ["chaise", "chaises", "vélos", "huile", "lot de 4", "lampes", "le the", "pour enfant"];
const ENGLISH = ["chair", "bicycles", "die grinder", "printers", "sku-101", "12 v", "the lamp", "sofa"];

async function indexOf(settings: IndexSettings, records: readonly object[] = RECORDS): Promise<SearchIndex> {
  const index = await new SearchEngine({ warn: () => {} }).createIndex("europe", settings);
  await index.addRecords(records as never);
  return index;
}

async function idsOf(index: SearchIndex, params: QueryParameters): Promise<string[]> {
  const { data } = await index.query({ hitsPerPage: 100, ...params });
  return data.hits.map(({ id }) => id);
}

describe("fields of several languages", () => {
  let index: SearchIndex;
  beforeAll(async () => {
    index = await indexOf(SETTINGS);
  });

  it("are each searched as an index of this field alone", async () => {
    for (const [attribute, language, queries] of [
      ["title_de", "de", GERMAN],
      ["title_fr", "fr", FRENCH],
      ["title", "en", ENGLISH],
    ] as const) {
      const alone = await indexOf({ language, embedder: false, searchableAttributes: [attribute] });
      for (const query of queries) {
        const found = await idsOf(index, { query, restrictSearchableAttributes: [attribute] });
        expect([query, found.sort()]).toEqual([
          query,
          (await idsOf(alone, { query, restrictSearchableAttributes: [attribute] })).sort(),
        ]);
      }
    }
  });

  it("are found by each query that finds one of them alone", async () => {
    for (const [attribute, queries] of [
      ["title_de", GERMAN],
      ["title_fr", FRENCH],
      ["title", ENGLISH],
    ] as const)
      for (const query of queries) {
        const matching = "all";
        const all = await idsOf(index, { query, matching });
        for (const id of await idsOf(index, { query, matching, restrictSearchableAttributes: [attribute] }))
          expect([query, all]).toEqual([query, expect.arrayContaining([id])]);
      }
  });
  it("prints", async () => {
    for (const query of [...GERMAN, ...FRENCH, ...ENGLISH])
      console.log(
        query,
        (await idsOf(index, { query })).map((id) => TITLES[Number(id) - 1]!.join(" | ")),
      );
  });
});
