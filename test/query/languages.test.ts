// Indexes of other languages, as their shoppers meet them: each expectation is one that a speaker of the language would have.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type IndexSettings, SearchEngine } from "../../src/index.js";
import { foundTitles } from "../support/found-titles.js";
import { plainShop } from "../support/plain-shop.js";
import { rejectionOf } from "../support/refusal.js";
import { seq } from "../support/seq.js";

const base = mkdtempSync(join(tmpdir(), "tandem-languages-"));
afterAll(() => rmSync(base, { recursive: true }));

/** An index of these titles, searched by words alone. */
async function shopOf(language: string, titles: readonly string[], settings: IndexSettings = {}) {
  const index = await new SearchEngine().createIndex("shop", { language, embedder: false, ...settings });
  await index.addRecords(titles.map((title, id) => ({ id, title })));
  return index;
}

/** The titles that a query finds in an index of these titles, by words alone. */
const found = (language: string, titles: readonly string[], query: string): Promise<string[]> =>
  foundTitles(titles, query, { language });

it.each([
  ["genders before other words", "de", "Blaue Schuhe; Rote Schuhe", "roter schuh", "Rote Schuhe"],
  ["the end of a compound", "de", "Gartenschere; Garten; Astschere", "schere", "Gartenschere; Astschere"],
  ["the end of a compound", "sv", "Köksbord; Kök; Bordslampa", "bord", "Köksbord"],
  ["the word before what ends so", "nl", "Bureaustoel zwart; Bureau; Stoel zwart", "stoel", "Stoel zwart"],
  ["beginnings after ends", "de", "Tischdecke; Couchtisch; Decke", "tisch", "Couchtisch; Tischdecke"],
  ["the beginning of a compound", "sv", "Chokladkaka; Kaka; Stol", "choklad", "Chokladkaka"],
  ["the beginning of a compound", "nl", "Schooltas; Tas; Schoolbel", "school", "Schooltas"],
  ["no end behind what is no word", "nl", "Anijs 50 g; Vanille-ijs", "ijs", "Vanille-ijs"],
  ["a joined word apart", "de", "Brett zum Schneiden; Brett", "schneidbrett", "Brett zum Schneiden"],
  ["the end of a joined word", "de", "Leiter aus Holz; Eimer", "stehleiter", "Leiter aus Holz"],
  ["what shares the end of it", "nl", "Keukenstoel hout; Stoel; Kast", "bureaustoel", "Stoel; Keukenstoel hout"],
  ["what shares its front", "sv", "Cykelhjälm svart; Pump; Hink", "cykelpump", "Pump; Cykelhjälm svart"],
  ["the known parts of a joined word", "de", "Wanduhr Eiche; Besen", "küchenuhr", "Wanduhr Eiche"],
  ["a short end behind a known word", "de", "Vorderrad 28 Zoll; Grad Celsius", "rad", "Vorderrad 28 Zoll"],
  ["an adjective that is a noun", "es", "Cargador para portátil; Portátil 14", "portátil", "Portátil 14"],
  ["units", "de", "Kabel 5 m; Kabel 3 m", "kabel 3 metern", "Kabel 3 m"],
  ["adjectives with й", "ru", "Чёрные туфли; Красные туфли", "красный туфли", "Красные туфли"],
  ["what stands behind 用", "ja", "コピー用紙 A4; 業務用コピー機", "コピー機", "業務用コピー機"],
])("%s (%s): of %s, %s finds %s first", async (_, language, titles, query, expected) => {
  const first = expected.split("; ");
  const hits = await found(language, titles.split("; "), query);
  expect(hits.slice(0, first.length).sort()).toEqual(first.sort());
});

it.each([
  ["a longer end", "de", "Herdplatte; Herd; Platte; Dachlatte; Dach", "latte", "Dachlatte"],
  ["a longer end", "nl", "Muurverf; Muur; Verf; Speelgoederf; Speelgoed", "erf", "Speelgoederf"],
  ["no longer end behind a linking sound", "de", "Lieblingstier; Liebling; Stier", "tier", "Lieblingstier"],
  ["a short word within", "nl", "Speltpastas; Spelt; Pas op; Leren tas", "tas", "Leren tas"],
  ["a front of two words", "de", "Armbanduhr; Arm; Band; Fuhre", "uhr", "Armbanduhr"],
  ["a front with the stem of another", "sv", "Internat; Visas inte; Fisknät; Fisk", "nät", "Fisknät"],
])("compounds by %s (%s): of %s, %s finds %s alone", async (_, language, titles, query, expected) => {
  expect(await found(language, titles.split("; "), query)).toEqual([expected]);
});

describe("docs/languages.md", () => {
  const page = readFileSync(new URL("../../docs/languages.md", import.meta.url), "utf8");
  const rows = [...page.matchAll(/^\| \S+ `([a-z]{2})` \|(.*)\|$/gm)].map(([, language, cells]) => {
    const examples = [...cells!.matchAll(/`([^`]+)`: ([^|]+?)(?:, not ([^|]+?))? \|/g)];
    return { language: language!, examples: examples.map(([, query, title, other]) => ({ query, title, other })) };
  });

  it("has a row for each language with rules", () => {
    expect(rows.map(({ language }) => language).sort()).toEqual(
      "ar cs da de el es fi fr hu it ja nb nl pl pt ro ru sv tr".split(" "),
    );
  });

  it.each(rows)("holds in $language", async ({ language, examples }) => {
    // Those that are not meant come first, so that they would stand first among equals.
    const titles = [...examples.flatMap(({ other }) => other ?? []), ...examples.map(({ title }) => title!)];
    expect(examples.length).toBeGreaterThan(0);
    for (const { query, title } of examples) expect((await found(language, titles, query!))[0], query).toBe(title);
  });
});

it.each(["da", "nb"])("reads å and aa, ø and oe alike, and corrects nothing for it (%s)", async (language) => {
  const shown = (query: string) =>
    foundTitles(["Gård", "Gaardskov", "Køkkenbord"], query, { language, typoTolerance: false });
  expect((await shown("gaard"))[0]).toBe("Gård");
  expect(await shown("gårdskov")).toContain("Gaardskov");
  expect(await shown("koekkenbord")).toEqual(["Køkkenbord"]);
});

it.each<[string, string, string, string, string, boolean]>([
  ["de", "schrauber", "Akkuschrauber 12 V", "Akku<em>schrauber</em> 12 V", "full", false],
  ["de", "schrauber", "Akku-Schrauber", "Akku-<em>Schrauber</em>", "full", false],
  ["de", "regal", "Bücherregale", "<em>Bücherregale</em>", "full", true],
  ["de", "türe", "Schranktüre", "Schrank<em>türe</em>", "full", false],
  ["de", "schuss straße", "Weißstraße", "Weiß<em>straße</em>", "partial", false],
  ["de", "kinderfahrrad", "Fahrrad für Kinder", "<em>Fahrrad</em> für <em>Kinder</em>", "full", false],
  ["de", "stehleiter", "Leiter aus Holz", "<em>Leiter</em> aus Holz", "full", false],
  ["nl", "stoel", "Bureaustoel", "Bureau<em>stoel</em>", "full", false],
])("highlights what compounds are found by (%s): %s in %s", async (language, query, title, value, level, isWhole) => {
  const index = await shopOf(language, [title, "Bücher", "Akku", "Weiß"]);
  const { hits } = (await index.query({ query, attributesToHighlight: ["title"] })).data;
  const found = hits.find(({ id }) => id === "0")?._highlightResult;
  expect(found).toMatchObject({ title: { value, matchLevel: level, fullyHighlighted: isWhole } });
  expect(found).toHaveProperty("title.matchedWords.length", 1);
});

it("counts the memory of what compounds are found by", async () => {
  const words = seq(676, (i) => String.fromCharCode(97 + Math.floor(i / 26), 97 + (i % 26)));
  const titles = words.map((front) => `${front}schrauber`);
  const index = await shopOf("de", titles);
  const before = await index.estimate();
  await index.query({ query: "schrauber", hitsPerPage: 0 });
  const { text, total } = await index.estimate();
  expect(text - before.text).toBeGreaterThan(2 * Uint32Array.BYTES_PER_ELEMENT * words.length);
  expect(total - before.total).toBe(text - before.text);
});

it("tells of no correction where a word is found in a compound, or a compound by its end", async () => {
  const index = await shopOf("de", ["Leiter aus Holz", "Grellpfosten", "Eimer"]);
  for (const [i, query] of ["stehleiter", "pfosten"].entries()) {
    const { data } = await index.query({ query, getParsedQuery: true });
    expect(data.hits.map((hit) => hit.id)).toEqual([String(i)]);
    expect(data.parsedQuery).toMatchObject({ text: query, corrected: [], completed: [], unknown: [] });
  }
});

it("reads English alike, whichever index of the process is asked first", async () => {
  const engine = new SearchEngine({ embedder: false });
  for (const analyzer of ["plain", "english"] as const) {
    const index = await engine.createIndex(analyzer, { analyzer });
    await index.addRecords([{ id: 1, title: "Beer 6 pack" }]);
    const { hits } = (await index.query({ query: "beer six-pack", explain: true })).data;
    expect(hits[0]?.explanation?.lexical?.terms.flatMap(({ heldAs }) => heldAs)).toContain("#packs:6");
  }
});

it("knows tags with regions and scripts, and refuses others with a list", async () => {
  const engine = new SearchEngine();
  for (const [i, language] of ["de-AT", "no", "nn", "pt-BR", "zh-Hant", "ja"].entries())
    await engine.createIndex(`index-${i}`, { language });
  for (const language of ["xx", "tlh", "", 3]) {
    const error = await rejectionOf(engine.createIndex("wrong", { language: language as string }));
    expect(error).toMatchObject({ code: 400, error: "invalid_setting", param: "language" });
    expect(error.msg).toContain(" de ");
  }
});

it("embeds English and German by itself, and says of other languages once what they lack", async () => {
  const warned: string[] = [];
  const engine = new SearchEngine({ onWarning: ({ code, message }) => warned.push(`${code}: ${message}`) });
  const embedders: Record<string, string | false> = {};
  for (const language of ["en", "de-CH", "fr", "ko"]) {
    const index = await engine.createIndex(`shop-${language}`, { language });
    await index.addRecords([{ id: 1, title: "Radio" }]);
    embedders[language] = (await index.getSettings()).effective.embedder;
  }
  expect(embedders).toEqual({
    en: expect.stringMatching(/^static-en-/) as string,
    "de-CH": expect.stringMatching(/^static-de-/) as string,
    fr: false,
    ko: false,
  });
  expect(warned.map((text) => text.split(";")[0])).toEqual([
    'language_limited: No built-in embedder knows the language "fr", so the index searches by words alone',
    'language_limited: There are no rules for the language "ko": its words are taken as they are',
  ]);
  // What is meant is not warned of, and an engine's own embedder is that of all languages.
  await engine.createIndex("words", { language: "fr", embedder: false });
  await engine.createIndex("plain", { language: "ko", embedder: false, analyzer: "plain" });
  const english = await new SearchEngine({ embedder: "static-en" }).createIndex("shop", { language: "fr" });
  expect((await english.getSettings()).effective.embedder).toMatch(/^static-en-/);
  expect(warned).toHaveLength(2);
  const changed = engine.index("shop-en");
  await changed.updateSettings({ language: "it" });
  expect((await changed.getSettings()).effective.embedder).toBe(false);
  expect(warned[2]).toContain('"it"');
});

it("gives an analyzer of the user's the last word", async () => {
  const index = await shopOf("de", ["Gartenschere"], { analyzer: "english" });
  expect((await index.query({ query: "schere" })).data.nbHits).toBe(0);
  expect((await index.getSettings()).effective).toMatchObject({ analyzer: "english", language: "de" });
});

it("keeps the language in a data folder, a snapshot and an export, and reads all records again where it changes", async () => {
  const dataDir = join(base, "data");
  const ask = async (from: SearchEngine, name: string) => {
    const found = ["schere", "küchenuhr"].map((query) => from.query(name, { query }));
    return (await Promise.all(found)).flatMap(({ data }) => data.hits.map(({ id }) => id));
  };
  let engine = await SearchEngine.open({ dataDir });
  const shop = await engine.createIndex("shop", { language: "de", embedder: false });
  await shop.addRecords(["Gartenschere", "Garten", "Wanduhr"].map((title, id) => ({ id, title })));
  const digest = await engine.digest("shop");
  await engine.writeSnapshot("shop", join(base, "shop.snapshot"));
  let text = "";
  for await (const line of engine.exportIndex("shop")) text += line;
  await engine.close();
  engine = await SearchEngine.open({ dataDir });
  expect([await ask(engine, "shop"), await engine.digest("shop")]).toEqual([["0", "2"], digest]);
  await engine.readSnapshot("read", new Uint8Array(readFileSync(join(base, "shop.snapshot"))));
  await engine.importIndex("imported", text);
  for (const name of ["read", "imported"]) expect(await ask(engine, name), name).toEqual(["0", "2"]);
  await engine.updateSettings("shop", { language: "en" });
  expect(await ask(engine, "shop")).toEqual([]);
  await engine.updateSettings("shop", { language: "de" });
  expect(await ask(engine, "shop")).toEqual(["0", "2"]);
  await engine.close();
});

it("finds the same in any order of insertion and any number of segments", async () => {
  const titles = "Gartenschere Astschere Schere Garten Ast Scherenset Papierschere Papier".split(" ");
  const records = titles.map((title, id) => ({ id, title }));
  const answers = [records, [...records].reverse()].flatMap((order) =>
    [[order], order.map((record) => [record])].map(async (batches) => {
      const { index } = await plainShop({ language: "de" }, ...batches);
      return (await index.query({ query: "schere" })).data.hits.map(({ id, score }) => [id, score]);
    }),
  );
  for (const answer of answers) expect(await answer).toEqual(await answers[0]);
});

describe("without settings, the usual names of attributes in the language", () => {
  const parts = [
    { id: 1, Bezeichnung: "Patrone für Drucker", "Art.-Nr.": "DR-4711-X", text: "Drucker Drucker" },
    { id: 2, Bezeichnung: "Drucker A4", "Art.-Nr.": "DR-4712-X", text: "" },
    { id: 3, Bezeichnung: "Papier 500 Blatt", "Art.-Nr.": "PA-4711-X", text: "Für Drucker" },
  ];
  async function shopOf(settings: { readonly language: string; readonly analyzer?: string }) {
    const index = await new SearchEngine().createIndex("shop", { ...settings, embedder: false });
    await index.addRecords(parts);
    return index;
  }

  it("say what a title names, and what it is worth", async () => {
    const { data } = await (await shopOf({ language: "de-AT" })).query({ query: "drucker", explain: true });
    expect(data.hits.map(({ id }) => id)).toEqual(["2", "1", "3"]);
    expect(data.hits[0]!.explanation?.title?.contribution).toBeGreaterThan(0);
  });

  it("say what is a code, which is found whole, however it is typed, and corrected to no other", async () => {
    const index = await shopOf({ language: "de" });
    for (const query of ["DR-4711-X", "dr4711x", "dr 4711 x"])
      expect((await index.query({ query })).data.hits[0]!.id, query).toBe("1");
    expect((await index.query({ query: "dr4711y" })).data.hits).toEqual([]);
    expect((await index.getSettings()).effective.identifierAttributes).toContain("artikelnummer");
  });

  it("say nothing where English or another analyzer reads the texts, nor what is a code where the settings do", async () => {
    for (const settings of [{ language: "en" }, { language: "de", analyzer: "plain" }]) {
      const { data } = await (await shopOf(settings)).query({ query: "drucker", explain: true });
      for (const { explanation } of data.hits) expect(explanation?.title?.contribution ?? 0).toBeLessThanOrEqual(0);
    }
    const own = await new SearchEngine().createIndex("own", { language: "de", identifierAttributes: ["Größe"] });
    expect((await own.getSettings()).effective.identifierAttributes).toEqual(["Größe"]);
  });

  it.each([
    ["fr", "Désignation", "Housse de canapé", "Canapé d'angle", "canapé"],
    ["nl", "Productnaam", "Inkt voor printer", "Printer zwart", "printer"],
    ["ru", "Название товара", "Чехол для телефона", "Телефон синий", "телефон"],
    ["sv", "benämning", "Väska till dator", "Dator 15 tum", "dator"],
    ["pl", "nazwa_produktu", "Pokrowiec na krzesło", "Krzesło biurowe", "krzesło"],
  ])("are known in %s: %s", async (language, name, first, second, query) => {
    const index = await new SearchEngine().createIndex("shop", { language, embedder: false });
    await index.addRecords([
      { id: 1, [name]: first },
      { id: 2, [name]: second },
    ]);
    const { hits } = (await index.query({ query, explain: true })).data;
    expect(hits.map(({ id }) => id)).toEqual(["2", "1"]);
    expect(hits[0]!.explanation?.title?.contribution).toBeGreaterThan(0);
  });

  it("stand behind the English ones", async () => {
    const index = await new SearchEngine().createIndex("shop", { language: "de", embedder: false });
    await index.addRecords([{ id: 1, bezeichnung: "Sehr gut", name: "Drucker" }]);
    const { hits } = (await index.query({ query: "drucker", explain: true })).data;
    expect(hits[0]!.explanation?.title?.contribution).toBeGreaterThan(0);
  });
});

it.each([
  ["sv", "Ada Aelius Bo Zoo Ål Ärla Ærö Öl"],
  ["da", "Aelius Bo Zoo Æble Øl Ål"],
  ["nb", "Aelius Bo Zoo Æble Øl Ål"],
  ["es", "nube nuez nylon ñandú ñu oca"],
  ["pl", "cyna ćma dom emu ęsi lyon łata nuta ńa zupa źle żaba"],
  ["cs", "cyp čaj hyena chléb chyba Inka rys řada syn šál zima žák"],
  ["de", "Aal Äpfel Arm Öl Ost über Ufer Zoo"],
  ["fr", "cote côtes écran été zoo"],
  ["tr", "cam cuma çam han hz ılık İzmir"],
  ["ro", "ac az ăsta âzi baz şal tun ţap"],
  ["hu", "oz ök őr öz pók"],
  ["ru", "ива изба йод кот"],
  ["en", "Ål Åre ask Öl Ost Zoo"],
])("texts sort by the alphabet (%s): %s", async (language, ordered) => {
  const words = ordered.split(" ");
  const shuffled = words.map((_, i) => words[(i * 5 + 3) % words.length]!).concat(words);
  for (const form of ["NFC", "NFD"]) {
    const records = shuffled.map((word, i) => ({ id: word.normalize(form), name: word.normalize(form), i }));
    const { index } = await plainShop({ language }, ...records.map((record) => [record]));
    const facets = [{ attribute: "name", sort: "alpha", limit: 50 }] as const;
    for (const direction of ["asc", "desc"] as const) {
      const { data } = await index.query({ query: "", sort: [`name:${direction}`], hitsPerPage: 50, facets });
      const names = data.hits.map(({ source }) => String(source.name).normalize("NFC"));
      expect(names).toEqual(direction === "asc" ? words : [...words].reverse());
      expect(data.facets!.name!.map(({ value }) => String(value).normalize("NFC"))).toEqual(words);
    }
  }
});

it("reads the letters of Arabic alike that people write in two ways, and digits, and corrects nothing for it", async () => {
  for (const [one, other] of [
    ["مكتبة خشب", "مكتبه خشب"],
    ["السيارة", "السياره"],
    ["كرسي أطفال", "كرسى اطفال"],
    ["هدية", "هديه"],
    ["إبريق", "ابريق"],
    ["آلة قهوة", "اله قهوه"],
    ["ٱلكتاب", "الكتاب"],
    ["ســـاعة", "ساعه"],
    ["مَكْتَب", "مكتب"],
    ["بطارية ١٢ فولت", "بطاريه 12 فولت"],
    ["ساعة", "ساعات"],
  ] as const) {
    const index = await shopOf("ar", [one, other, "طاولة"], { typoTolerance: false });
    for (const query of [one, other]) {
      const { data } = await index.query({ query, attributesToHighlight: ["title"] });
      expect(data.hits.map(({ id }) => id).sort(), query).toEqual(["0", "1"]);
      expect(JSON.stringify(data.hits[0]!._highlightResult)).toContain("<em>");
    }
  }
});

it("lets meaning decide where a word is held by its end alone, with an embedder of the caller's", async () => {
  const near: Readonly<Record<string, readonly number[]>> = { Stadstuin: [1, 0], Binnenplaats: [0.98, 0.199] };
  const embed = async (texts: readonly string[]) => texts.map((text) => near[text] ?? [0, 1]);
  const embedder = { id: "two", dimensions: 2, embed };
  const index = await new SearchEngine().createIndex("shop", {
    ...{ language: "nl", embedder, semanticFloor: 0.5, embeddedAttributes: ["title"] },
  });
  await index.addRecords([{ title: "Botanische tuin" }, { title: "Binnenplaats" }].map((one, id) => ({ id, ...one })));
  const { hits } = (await index.query({ query: "Stadstuin" })).data;
  expect(hits.map(({ source }) => source.title)).toEqual(["Binnenplaats", "Botanische tuin"]);
});
