// An analyzer of the user's reads the words. What has a digit, identifiers, quantities and highlights stay the engine's.

import { describe, expect, it } from "vitest";
import { type Analyzer, type IndexSettings, type JsonRecord, SearchEngine } from "../src/index.js";

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
  const CABLES = ["Festplatte 1 TB", "Festplatte 2000 GB", "Kabel 6 ft", "Kabel 5 m"];
  const CODES = ["Toner CE285A", "Toner CE 505 X", "Kopfhörer WH-1000XM4", "Toner", "PS 5 Spiel"];

  it.each<[query: string, id: string, titles: readonly string[]]>([
    ["ce285a", "1", CODES],
    ["ce 285a", "1", CODES],
    ["CE505X", "2", CODES],
    ["wh1000xm4 kopfhörer", "3", CODES],
    ["ps5", "5", CODES],
    ["festplatte 1000gb", "1", CABLES],
    ["2 tb", "2", CABLES],
    ["kabel 6ft", "3", CABLES],
    ["kabel 500 cm", "4", CABLES],
    // The analyzer drops numbers.
    ["schuh 43", "2", ["Schuhe 42", "Schuhe 43"]],
    ["ab127", "9", ["Rote Schuhe"]],
    ["schuhe ab-12.7", "9", ["Rote Schuhe"]],
  ])("codes, quantities, numbers and identifiers: %s is record %s", async (query, id, titles) => {
    const { ids } = await shop(titles, [{ id: 9, title: "Blaue Schuhe", sku: "AB-12.7" }]);
    expect(await ids(query, { matching: "all" })).toEqual([id]);
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

  it.each<[query: string, title: string, shown: string, analyze: (text: string) => string[]]>([
    [
      "winter",
      "Winterjacke grün",
      "[Winter]jacke grün",
      (text) => text.toLowerCase().match(/winter|jacken?|\p{L}+/gu) ?? [],
    ],
    ["京都", "東京 大阪京都", "東京 大阪[京都]", (text) => text.match(/\p{Script=Han}{1,2}/gu) ?? []],
    ["go", "They went home", "They [went] home", (text) => text.toLowerCase().replace("went", "go went").split(/\W+/)],
  ])("the part of a word that the analyzer found in it, or the whole word: %s in %s", async (query, title, value, analyze) => {
    const { shown } = await shop([title], [], { id: "own-1", analyze });
    expect(await shown(query)).toMatchObject([{ value }]);
  });

  it("snippets too", async () => {
    const { shown } = await shop(["Viele Worte vor dem Wort, das zählt: Schuhe und mehr"]);
    const more = { attributesToSnippet: ["title:3"], snippetEllipsisText: "…" };
    expect((await shown("schuh", more))[0]?.value).toContain("[Schuhe]");
  });
});
