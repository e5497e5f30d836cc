// Random mixes of the families of hostile text: several of them, of random lengths, in any order, with and without blanks.

import { expect } from "vitest";
import { plainText } from "../../src/analysis/markup.js";
import { type SearchData, SearchEngine } from "../../src/index.js";
import { property, type Random } from "../support/random.js";
import { cutToBytes, expectSoundAnalysis, loadAnalyzer } from "./text-analysis.js";
import { TEXT_FAMILIES } from "./text-families.js";

const RUNS = 500;
const QUERY_BYTES = 4096;
const BETWEEN = [
  "",
  " ",
  "  ",
  "-",
  "\n",
  "\t",
  "'",
  '"',
  ".",
  ",",
  "/",
  "\u00a0",
  "\u3000",
  "\u200b",
  "a",
  "1",
  "\u0301",
];
const FAMILIES = Object.values(TEXT_FAMILIES);

/** A text of 4,096 bytes at most. */
function mix(random: Random): string {
  const chosen = random.list(1, 5, () => random.pick(FAMILIES));
  const longest = random.pick([3, 30, 300, 3000]);
  const texts = random.list(1, 30, () => {
    const length = random.between(0, longest);
    const text = random.pick(chosen)(length + random.between(0, 9));
    // From anywhere within the family, so that pairs of surrogates and patterns are cut too.
    return text.slice(-length) + random.pick(BETWEEN);
  });
  return cutToBytes(texts.join(""), QUERY_BYTES);
}

type Answer = Omit<SearchData, "serverTimeMS" | "processingTimeMS">;

async function answer(engine: SearchEngine, query: string, advancedSyntax: boolean): Promise<Answer> {
  const { data } = await engine.query("mixes", { query, advancedSyntax, explain: true, attributesToHighlight: ["*"] });
  const { serverTimeMS: _server, processingTimeMS: _processing, ...seen } = data;
  return seen;
}

const engine = new SearchEngine();
await engine.createIndex("mixes", { searchableAttributes: ["title", "note"] });

property("a mix of hostile texts is indexed, found by itself, and answered alike each time", RUNS, async (random) => {
  const text = mix(random);
  const analyze = await loadAnalyzer();
  expectSoundAnalysis(text, analyze);
  const records = [
    { id: "mix", title: text, note: "zebrafinch" },
    { id: "plain", title: "red kettle" },
  ];
  await engine.addRecords("mixes", records);
  expect(await engine.getRecords("mixes", ["mix", "plain"])).toEqual(records);
  // A record's text may be HTML, a query's is none.
  const query = plainText(text);
  const params = { query, matching: "all", typoTolerance: false, semanticWeight: 0 } as const;
  const { data } = await engine.query("mixes", params);
  const asks = analyze(query).asked.length > 0;
  expect(data.hits.some(({ id }) => id === "mix")).toBe(asks || isBlank(query));
  const advanced = random.chance(0.3);
  const first = await answer(engine, text, advanced);
  expect(first.query).toBe(text);
  expect(await answer(engine, text, advanced)).toEqual(first);
});

/** Nothing of it can be seen: such a query asks for all records. */
function isBlank(text: string): boolean {
  return /^[\s\p{Cf}\p{Cc}\p{Variation_Selector}]*$/u.test(text);
}
