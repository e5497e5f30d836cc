// static-de: its vectors against those of an independent reader of the same file (test/golden/static-de.json), and the rules by which
// German words find their rows.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { resolveGermanWord } from "../../src/embedding/resolve-german-word.js";
import { parseWordTable } from "../../src/embedding/word-table.js";
import {
  createStaticDeEmbedder,
  createStaticEnEmbedder,
  embedWords,
  STATIC_DE,
} from "../../src/embedding/word-table-embedder.js";
import { SearchEngine, type SearchIndex, type SearchWarning } from "../../src/index.js";
import { rejectionOf, thrownBy } from "../support/refusal.js";
import { tempPaths } from "../support/temp-folder.js";
import { type GoldenTexts, itAgreesWith, makeTable, vectorIn } from "../support/word-table.js";

const golden = JSON.parse(readFileSync(new URL("../golden/static-de.json", import.meta.url), "utf8")) as GoldenTexts<
  readonly [row: number, factor: number]
>;
const file = readFileSync(new URL("../../src/embedding/static-de-32k-192-int4.bin", import.meta.url));
const table = parseWordTable(file, STATIC_DE);
const record = { purpose: "record" } as const;
const newPath = tempPaths();

const vectorOf = (text: string): Float32Array => vectorIn(table, text);

/** The words of a made table that a word resolves to. */
function resolved(words: string, word: string): string {
  const made = parseWordTable(makeTable(words.split(" ")), STATIC_DE);
  return resolveGermanWord(made, word)
    .rows.map((row) => words.split(" ")[row])
    .join(" ");
}

describe("golden file", () => {
  itAgreesWith(golden, table, (word) => {
    const { rows, factors } = resolveGermanWord(table, word);
    return rows.map((row, i) => [row, factors[i]!] as const);
  });
});

describe("text to words", () => {
  it.each([
    ["umlauts", "KÜHLSCHRANK", "kuhlschrank"],
    ["sharp s", "Straße", "strasse"],
    ["a large sharp s", "STRAẞE", "strasse"],
    ["letters that NFKD leaves", "smørrebrød", "smorrebrod"],
    ["ligatures", "œ æ ł đ ﬁlm", "oe ae l d film"],
    ["trade mark", "Bohrer™ gut", "bohrer gut"],
    ["punctuation", "(Garten)/Schlauch!", "garten schlauch"],
  ])("%s", (_, text, plain) => {
    expect(embedWords(table, text)).toEqual(embedWords(table, plain));
  });

  it("gives a text the same vector whatever was embedded before", () => {
    const texts = golden.vectors.map(({ text }) => text);
    const fresh = parseWordTable(file, STATIC_DE);
    const backwards = [...texts].reverse().map((text) => embedWords(fresh, text));
    expect(texts.map((text) => embedWords(table, text))).toEqual(backwards.reverse());
  });
});

/** What is tried of a word that the table lacks; the words of a table in the order of their rows; a word, and what it is: "": unknown. */
const WORDS: readonly (readonly [rule: string, words: string, word: string, expected: string])[] = [
  ["as it stands first", "lampe lampen", "lampen", "lampen"],
  ["-ern off before -n off", "kindern kinder kind kinde", "kinderern", "kinder"],
  ["-ern off", "bild", "bildern", "bild"],
  ["-en off before -n off", "lampe lamp", "lampen", "lamp"],
  ["-n off", "lampe", "lampen", "lampe"],
  ["-es off", "hund", "hundes", "hund"],
  ["with e", "hunde hunden", "hund", "hunde"],
  ["with er", "bilder", "bild", "bilder"],
  ["one in another's place", "lampen", "lampes", "lampen"],
  ["off before on", "tisch tischee", "tische", "tisch"],
  ["digits allowed", "mp3s", "mp3ses", "mp3s"],
  ["fewer than 4 letters would stay", "rad", "rades", ""],
  ["three letters", "rade", "rad", ""],
  ["far longer than all words", "tisch", "tischenenen", ""],
  ["compounds as they are", "haus tur", "haustur", "haus tur"],
  ["a linking s", "arbeit hose", "arbeitshose", "arbeit hose"],
  ["a linking n, and a tail in the plural", "lampe schirm", "lampenschirme", "lampe schirm"],
  ["a linking en", "frau schuh", "frauenschuh", "frau schuh"],
  ["a front that lost its e", "schule buch", "schulbuch", "schule buch"],
  ["a front that lost its en", "garten bank", "gartbank", "garten bank"],
  ["the most frequent words", "stau becken staub ecken", "staubecken", "stau becken"],
  ["but short parts only without longer ones", "sta ubecken staub ecken", "staubecken", "staub ecken"],
  ["three parts", "kinder zimmer lampe", "kinderzimmerlampe", "kinder zimmer lampe"],
  ["three parts, linked", "arbeit zimmer lampe", "arbeitszimmerslampe", "arbeit zimmer lampe"],
  ["the longest known tail", "schrank rank", "xqxqschrank", "schrank"],
  ["a tail in another form", "schrank", "xqxqschranke", "schrank"],
  ["else the longest known beginning", "fahrrad fahrra", "fahrradxqxq", "fahrrad"],
  ["a digit", "haus tur2", "haustur2", ""],
  ["five letters", "hau tu", "hautu", ""],
  ["a tail of four letters with an unknown front", "rank", "xqxqrank", ""],
  ["a beginning of five letters", "lampe", "lampexqxq", ""],
];

describe("words that the table lacks", () => {
  it.each(WORDS)("%s", (_, words, word, expected) => expect(resolved(words, word)).toBe(expected));

  it("add two parts times 0.7071, and those of a compound front once more so", () => {
    const made = parseWordTable(makeTable(["kinder", "zimmer", "lampe"]), STATIC_DE);
    const part = 7071 / 10_000;
    expect(resolveGermanWord(made, "kinderlampe").factors).toEqual([part, part]);
    expect(resolveGermanWord(made, "kinderzimmerlampe").factors).toEqual([part * part, part * part, part]);
    expect(resolveGermanWord(made, "xqxqzimmer").factors).toEqual([part]);
  });

  it("take no longer where they are endless", () => {
    const made = parseWordTable(makeTable(["tee", "kanne"]), STATIC_DE);
    expect(embedWords(made, "tee".repeat(300_000))).toBeNull();
    expect(embedWords(made, `${"x".repeat(900_000)}kanne`)).toEqual(embedWords(made, "kanne"));
  });
});

describe("embedder", () => {
  it("names itself by the bytes of its table", () => {
    const { embed, embedParts, knows, ...rest } = createStaticDeEmbedder();
    const idFor = (bytes: Uint8Array) => `static-de-${createHash("sha256").update(bytes).digest("hex").slice(0, 16)}`;
    expect(rest).toEqual({ id: idFor(file), dimensions: 192, maxBatchSize: 256, wordsOnly: true });
    for (const bytes of [file, makeTable(["haus"])]) expect(createStaticDeEmbedder(bytes).id).toBe(idFor(bytes));
  });

  it("knows its words in any form once it was read, and neither compounds nor misspelt ones", async () => {
    const embedder = createStaticDeEmbedder();
    await embedder.embed(["haus"], record);
    const words = ["kühlschrank", "kuhlschranke", "straße", "gartenstuhl", "kuhlschrnak"];
    expect(words.map((word) => embedder.knows?.(word))).toEqual([true, true, true, false, false]);
  });

  it("embeds the synonyms of a part, and adds no words for those that records lack", async () => {
    const { embedParts, meaningOf } = createStaticDeEmbedder();
    const options = { purpose: "query", outOfVocabulary: ["jacke"], isHeld: () => true } as const;
    expect(meaningOf).toBeUndefined();
    expect(await embedParts!([["jacke"]], options)).toEqual(vectorOf("jacke"));
    expect(await embedParts!([["xqzt", "jacke"], ["rot"]], options)).toEqual(vectorOf("jacke rot"));
  });

  it("gives equal vectors from the file beside the code, the exported file and its bytes", async () => {
    const exported = pathToFileURL(createRequire(import.meta.url).resolve("tandem-search/static-de.bin"));
    const texts = golden.vectors.map(({ text }) => text);
    const expected = texts.map((text) => embedWords(table, text));
    for (const from of [undefined, exported, file])
      expect(await createStaticDeEmbedder(from).embed(texts, record)).toEqual(expected);
  });

  it("refuses damaged bytes and the table of static-en at a URL, and names its own file", async () => {
    for (const length of [0, 7, 400, 2_000_000, file.length - 1])
      expect(thrownBy(() => createStaticDeEmbedder(file.subarray(0, length)))).toMatchObject({
        ...{ code: 400, error: "invalid_embedder", param: "embedder" },
        msg: expect.stringMatching(
          /table of the static-de embedder has .+ the unchanged bytes of static-de-32k-192-int4/,
        ),
      });
    const other = pathToFileURL(createRequire(import.meta.url).resolve("tandem-search/static-en.bin"));
    expect(await rejectionOf(createStaticDeEmbedder(other).embed(["haus"], record))).toMatchObject({
      msg: expect.stringMatching(/has the id static-de-[0-9a-f]{16}; expected static-de-f6d72b5e454134a2/),
    });
  });
});

describe("an index with static-de", () => {
  const RECORDS = [
    { id: 1, title: "Jacke" },
    { id: 2, title: "Bohrmaschine" },
  ];
  const BOTH = ["fullTextSearch", "semanticSearch"];
  const { id } = createStaticDeEmbedder();
  const sourceOf = async (index: SearchIndex, query = "mantel") => (await index.query({ query })).data.recallSource;

  it("finds by meaning, with a floor of .3 that it does not learn, though the engine has another embedder", async () => {
    const embedders = { [id]: createStaticDeEmbedder(file) };
    for (const engine of [new SearchEngine(), new SearchEngine({ embedder: createStaticEnEmbedder(), embedders })]) {
      const index = await engine.createIndex("a", { embedder: "static-de" });
      await index.addRecords(RECORDS);
      const { data } = await index.query({ query: "mantel" });
      expect([data.hits.map((hit) => hit.id), data.recallSource]).toEqual([["1"], BOTH]);
      const { settings, effective } = await index.getSettings();
      expect(settings).toEqual({ embedder: "static-de" });
      expect(effective).toMatchObject({ embedder: id, semanticFloor: 0.3, fusion: { semanticWeight: 0.3 } });
      const other = await engine.createIndex("b");
      expect((await other.getSettings()).effective.embedder).toBe(createStaticEnEmbedder().id);
    }
  });

  it.each([
    ["by name", {}, { embedder: "static-de" }, "static-de"],
    ["as the engine's", { embedder: "static-de" }, {}, "static-de"],
    ["as the engine's, with its table", { embedder: createStaticDeEmbedder(file) }, {}, "static-de"],
    ["as an embedder", {}, { embedder: createStaticDeEmbedder(file) }, id],
  ] as const)("is opened again by an engine of usual options: %s", async (_, options, settings, embedder) => {
    const dataDir = newPath();
    const before = await SearchEngine.open({ dataDir, ...options });
    await (await before.createIndex("a", settings)).addRecords(RECORDS);
    await before.close();
    const warnings: SearchWarning[] = [];
    const engine = await SearchEngine.open({ dataDir, onWarning: (warning) => warnings.push(warning) });
    const index = engine.index("a");
    await index.addRecords([{ id: 3, title: "Lampe" }]);
    expect([await sourceOf(index), (await index.getSettings()).settings]).toEqual([BOTH, { embedder }]);
    expect(warnings).toEqual([]);
    await engine.close();
  });

  it("of another version of the table answers by words until it is embedded anew", async () => {
    const path = newPath("a.snapshot");
    const before = new SearchEngine({ embedder: createStaticDeEmbedder(makeTable(["bohrmaschine"])) });
    await (await before.createIndex("a", { embedder: "static-de" })).addRecords(RECORDS);
    await before.writeSnapshot("a", path);
    const engine = new SearchEngine({ onWarning: () => {} });
    await engine.readSnapshot("a", path);
    const index = engine.index("a");
    expect(await sourceOf(index, "bohrmaschine")).toEqual(["fullTextSearch"]);
    expect(await rejectionOf(index.addRecords(RECORDS))).toMatchObject({
      ...{ code: 409, error: "embedder_missing" },
      msg: expect.stringContaining('updateSettings({ embedder: "static-de" })'),
    });
    await index.updateSettings({ embedder: "static-de" });
    expect([await sourceOf(index), (await index.getSettings()).effective.embedder]).toEqual([BOTH, id]);
  });
});
