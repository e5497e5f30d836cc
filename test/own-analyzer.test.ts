// An analyzer of the user's reads the words. What has a digit, identifiers, quantities and highlights stay the engine's.

import { describe, expect, it } from "vitest";
import { type Analyzer, type IndexSettings, type JsonRecord, SearchEngine } from "../src/index.js";
import { scaled } from "./support/size.js";

/** Lower case, letters only, without an e at the end. */
const letters: Analyzer = {
  id: "letters-1",
  analyze: (text) => (text.toLowerCase().match(/[a-zäöüß]+/g) ?? []).map((word) => word.replace(/e$/, "")),
};

async function shop(titles: readonly string[], more: readonly JsonRecord[] = [], analyzer: Analyzer = letters) {
  const settings: IndexSettings = { analyzer, embedder: false };
  const index = await new SearchEngine().createIndex<JsonRecord>("shop", settings);
  await index.addRecords([...titles.map((title, i) => ({ id: i + 1, title })), ...more]);
  return {
    ids: async (query: string, params: object = {}) => {
      const { data } = await index.query({ query, ...params });
      return data.hits.map(({ id }) => id);
    },
    shown: async (query: string, params: object = {}) => {
      const marks = { attributesToHighlight: ["title"], highlightPreTag: "[", highlightPostTag: "]" };
      const { data } = await index.query({ query, ...marks, ...params });
      return data.hits.map((hit) => hit._highlightResult?.title as unknown as Shown);
    },
  };
}
interface Shown {
  readonly value: string;
  readonly matchLevel: string;
  readonly fullyHighlighted: boolean;
  readonly matchedWords: readonly string[];
}

describe("with an analyzer of the user's, a query finds", () => {
  it("a code in any spelling", async () => {
    const { ids } = await shop(["Toner CE285A", "Toner CE 505 X", "Kopfhörer WH-1000XM4", "Toner", "PS 5 Spiel"]);
    expect(await ids("ce285a", { matching: "all" })).toEqual(["1"]);
    expect(await ids("ce 285a", { matching: "all" })).toEqual(["1"]);
    expect(await ids("CE505X", { matching: "all" })).toEqual(["2"]);
    expect(await ids("wh1000xm4 kopfhörer", { matching: "all" })).toEqual(["3"]);
    expect(await ids("ps5", { matching: "all" })).toEqual(["5"]);
  });

  it("a quantity in any unit", async () => {
    const { ids } = await shop(["Festplatte 1 TB", "Festplatte 2000 GB", "Kabel 6 ft", "Kabel 5 m"]);
    expect(await ids("festplatte 1000gb", { matching: "all" })).toEqual(["1"]);
    expect(await ids("2 tb", { matching: "all" })).toEqual(["2"]);
    expect(await ids("kabel 6ft", { matching: "all" })).toEqual(["3"]);
    expect(await ids("kabel 500 cm", { matching: "all" })).toEqual(["4"]);
  });

  it("a number, though the analyzer drops it", async () => {
    const { ids } = await shop(["Schuhe 42", "Schuhe 43"]);
    expect(await ids("schuh 43", { matching: "all" })).toEqual(["2"]);
  });

  it("an identifier, whole and beside words", async () => {
    const { ids } = await shop(["Rote Schuhe"], [{ id: 9, title: "Blaue Schuhe", sku: "AB-12.7" }]);
    expect(await ids("ab127")).toEqual(["9"]);
    expect(await ids("schuhe ab-12.7", { matching: "all" })).toEqual(["9"]);
  });

  it("a phrase with a number in it, and nothing that is excluded", async () => {
    const { ids } = await shop(["Rote Schuhe 42 Damen", "Damen Schuhe 42 rote", "Rote Schuhe Damen"]);
    const advancedSyntax = true;
    expect(await ids('"rote schuhe 42"', { advancedSyntax })).toEqual(["1"]);
    expect(await ids("schuhe -42", { advancedSyntax })).toEqual(["3"]);
  });
});

it("an analyzer gets a text without digits whole, and else what is between numbers, codes and quantities, as it is written", async () => {
  const given: string[] = [];
  const analyze = (text: string): string[] => {
    given.push(text);
    return text.toLowerCase().split(" ");
  };
  await shop(["Größe für den Äther", "Schöne Lampe, 5 Meter Kabel E27 weiß"], [], { id: "noting", analyze });
  expect(new Set(given)).toEqual(new Set(["Größe für den Äther", "Schöne Lampe, ", " Meter", " Kabel ", " weiß"]));
});

describe("with an analyzer of the user's, highlights mark", () => {
  it("the words whose stem matched, and nothing else", async () => {
    const { shown } = await shop(["Rote Schuhe", "Schuh-Regal & Spiegel"]);
    const [first, second] = await shown("schuhe");
    expect(first).toEqual({
      ...{ value: "Rote [Schuhe]", matchLevel: "full", fullyHighlighted: false },
      matchedWords: ["schuh"],
    });
    expect(second?.value).toBe("[Schuh]-Regal &amp; Spiegel");
    expect((await shown("rot schuhe"))[0]).toMatchObject({ value: "[Rote] [Schuhe]", fullyHighlighted: true });
  });

  it("codes, numbers and quantities", async () => {
    const { shown } = await shop(["Toner CE285A für 42 Drucker", "Kabel, 6 ft lang"]);
    expect((await shown("ce285a"))[0]?.value).toBe("Toner [CE285A] für 42 Drucker");
    expect((await shown("42"))[0]?.value).toBe("Toner CE285A für [42] Drucker");
    expect((await shown("6ft"))[0]?.value).toBe("Kabel, [6 ft] lang");
  });

  it("the part of a word that the analyzer found in it, or the whole word", async () => {
    const parts: Analyzer = {
      id: "parts-1",
      analyze: (text) => text.toLowerCase().match(/winter|jacken?|\p{L}+/gu) ?? [],
    };
    expect((await (await shop(["Winterjacke grün"], [], parts)).shown("winter"))[0]?.value).toBe("[Winter]jacke grün");
    const segments: Analyzer = { id: "pairs-1", analyze: (text) => text.match(/\p{Script=Han}{1,2}/gu) ?? [] };
    expect((await (await shop(["東京 大阪京都"], [], segments)).shown("京都"))[0]?.value).toBe("東京 大阪[京都]");
    const roots: Analyzer = {
      id: "roots-1",
      analyze: (text) =>
        text
          .toLowerCase()
          .split(/\W+/)
          .flatMap((word) => (word === "went" ? ["go", "went"] : [word])),
    };
    expect((await (await shop(["They went home"], [], roots)).shown("go"))[0]?.value).toBe("They [went] home");
  });

  it("snippets too", async () => {
    const { shown } = await shop(["Viele Worte vor dem Wort, das zählt: Schuhe und mehr"]);
    const more = { attributesToSnippet: ["title:3"], snippetEllipsisText: "…" };
    expect((await shown("schuh", more))[0]?.value).toContain("[Schuhe]");
  });
});

describe("an analyzer that reads words as the plain one does", () => {
  const WORDS = [
    "drill",
    "lamp",
    "garden",
    "hose",
    "red",
    "blue",
    "18V",
    "1.5 L",
    "1500 ml",
    "WH-1000XM4",
    "42",
    "ps 5",
    "E27",
  ];
  const plain: Analyzer = { id: "plain-like-1", analyze: (text) => text.toLowerCase().match(/[a-z]+/g) ?? [] };

  it(`gives the hits of the plain one (${scaled(300)} queries)`, async () => {
    const titles = Array.from({ length: 150 }, (_, i) =>
      [0, 1, 2, 3].map((at) => WORDS[(i * (at + 3) + at * 5 + (i >> 3)) % WORDS.length]).join(" "),
    );
    const records = titles.map((title, i) => ({ id: i, title }));
    const engine = new SearchEngine();
    const own = await engine.createIndex<JsonRecord>("own", { embedder: false, analyzer: plain });
    const other = await engine.createIndex<JsonRecord>("plain", { embedder: false, analyzer: "plain" });
    for (const index of [own, other]) await index.addRecords(records);
    for (let i = 0; i < scaled(300); i++) {
      const query = [0, 1].map((at) => WORDS[(i * (at + 1) + at * 3) % WORDS.length]).join(" ");
      const params = {
        query,
        matching: "all",
        hitsPerPage: 200,
        typoTolerance: false,
        queryType: "prefixNone",
      } as const;
      const [a, b] = [(await own.query(params)).data, (await other.query(params)).data];
      expect(a.hits.map(({ id }) => id).toSorted(), query).toEqual(b.hits.map(({ id }) => id).toSorted());
    }
  });
});
