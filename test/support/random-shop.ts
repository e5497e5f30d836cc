// Small shops full of trouble: few words, so that records resemble each other; stems, stop words, codes written in several
// ways, compounds, decimals, scripts without blanks, accents, nested attributes, identifiers, texts and vectors that repeat.

import type { Embedder, IndexSettings, JsonRecord, SearchParams } from "../../src/index.js";
import type { WordMeaning } from "../../src/util/extension-points.js";
import { awaitedLeaningQuery, leaningQuery } from "./leaning-query.js";
import type { NaiveSettings } from "./naive-record.js";
import { type Random, toFourDecimals } from "./random.js";

export interface Shop {
  readonly settings: IndexSettings;
  readonly naive: NaiveSettings;
  readonly records: readonly JsonRecord[];
  /** A record with the same id but other content, and records that are not of the shop. */
  readonly other: (id: string | number) => JsonRecord;
  readonly strangers: readonly JsonRecord[];
  readonly queries: readonly SearchParams[];
}

const WORDS =
  "drill drills drilling cordless battery batteries charger charging charge general generate generation running runner men's women's L'Oréal café cafe Größe naïve Łódź œuvre Core™ black black black white saw";
const STOP_WORDS = "the with and of for will wills being a";
const COMPOUNDS = "wi-fi wifi Wi‑Fi noise-cancelling noise cancelling t-shirt tshirt black&decker in_ear";
const CODES =
  "WH-1000XM4 WH1000XM4 wh-1000-xm4 1000XM4 18V 18 V 7-in-1 3.5mm 3,5 3.5 1,000 1000 1,2,3 16:9 169 2x4 4K 978-3-16-148410-0 9783161484100 12-345-678 drills-18V 18V-drilling 036000291452 0036000291452 0-306-40615-2 ½ ² n°5 x1-drill";
const UNSPACED = "無線ドリル 電池 充電器 無 ドリル18V สว่าน 드릴 セット";
const NOISE = ["!!!", "—", "“drill”", "drill…saw", "𝟏𝟖V", "‮drill", `${"long".repeat(15)}-18V-${"tail".repeat(9)}`];
const MACHINE = "https://example.org/drill|123e4567-e89b-12d3-a456-426614174000|2024-01-31|data:text/plain,drill".split(
  "|",
);
const VOCABULARY = [WORDS, STOP_WORDS, COMPOUNDS, CODES, UNSPACED].map((words) => words.split(" "));
const KIND_SHARES = [0, 0, 0, 0, 1, 2, 3, 3, 4];
const GLUE = [" ", " ", " ", ", ", " / ", " - ", ". ", "  ", "\n"];
const SKUS = "DR-18/A|DR18A|dr 18 a|SAW-7|5012345678900|036000291452|0306406152|電池-1|A.B.C|AR 16:9|-|x".split("|");
const TITLE_NAMES = ["title", "title", "title", "name", "product_name", "label"];
const PATHS = "title name description tags tags.0 specs specs.color specs.inner price sku id any.dot".split(" ");
const STRING_IDS = ["p-12", "P 12", "p12", "10a", "007", "ünï", "電", "a/b", "-", "zz"];

interface Extras {
  readonly settings?: Omit<IndexSettings, "embedder" | "analyzer">;
  readonly attributes?: () => JsonRecord;
  /** More parameters of a query, over the usual ones; the records are those of the shop. */
  readonly params?: (records: readonly JsonRecord[]) => Partial<SearchParams>;
}

export function randomText(random: Random, low: number, high: number): string {
  let text = "";
  for (let i = random.between(low, high); i > 0; i--) {
    const words = random.chance(0.04) ? NOISE : VOCABULARY[random.pick(KIND_SHARES)]!;
    text += random.pick(words) + (i > 1 ? random.pick(GLUE) : "");
  }
  return text;
}

/** A vector of a few that exist, or a new one near one of them. */
export function randomVector(random: Random, centres: readonly (readonly number[])[], spread: number): number[] {
  const centre = random.pick(centres);
  if (random.chance(0.3)) return [...centre];
  return centre.map((component) => toFourDecimals(component + spread * random.normal()));
}

export function randomCentres(random: Random, count: number, dimensions: number): number[][] {
  return Array.from({ length: count }, () => Array.from({ length: dimensions }, () => random.normal() || 1));
}

export function randomShop(random: Random, extras: Extras = {}): Shop {
  const dimensions = random.between(2, 8);
  const centres = randomCentres(random, random.between(1, 5), dimensions);
  const made = randomSettings(random, dimensions);
  const settings = { ...made.settings, ...extras.settings };
  const naive = { ...made.naive, ...extras.settings };
  const texts = random.list(1, 12, () => randomText(random, 1, 7));
  const hasVectors = naive.vectorAttribute !== undefined || naive.embedder !== undefined;
  const record = (id: string | number): JsonRecord => {
    const made = { ...randomRecord(random, id, texts), ...extras.attributes?.() };
    const own = random.chance(0.85) ? randomVector(random, centres, 0.3) : null;
    return naive.vectorAttribute === undefined || random.chance(0.1) ? made : { ...made, vec: own };
  };
  const ids: (string | number)[] = random.some(STRING_IDS, random.pick([0, 0.3, 1]));
  for (let i = random.pick([0, 1, 3, 10, 30, 90]); i > 0; i--) ids.push(random.chance(0.1) ? -i : i);
  const records = random.shuffle(ids).map(record);
  const query = (): SearchParams => ({
    ...randomQuery(random, texts, hasVectors ? centres : []),
    ...extras.params?.(records),
  });
  return {
    settings,
    naive,
    records,
    other: record,
    strangers: random.list(0, 12, (i) => record(`stranger-${i}`)),
    queries: random.list(10, 16, query),
  };
}

function randomRecord(random: Random, id: string | number, texts: readonly string[]): JsonRecord {
  const text = (): string => (random.chance(0.3) ? random.pick(texts) : randomText(random, 0, 8));
  const attributes: [string, () => JsonRecord[string]][] = [
    [random.pick(TITLE_NAMES), text],
    [random.pick(TITLE_NAMES), text],
    ["description", () => randomText(random, 0, 25)],
    ["tags", () => random.list(0, 3, text)],
    ["price", () => random.pick([18, 3.5, 1000, -1, 0])],
    ["sku", () => (random.chance(0.3) ? random.list(0, 2, () => random.pick(SKUS)) : random.pick(SKUS))],
    ["Model", () => random.pick(SKUS)],
    ["specs", () => randomSpecs(random, text)],
    ["any.dot", text],
    ["any", () => ({ dot: text() })],
    ["url", () => random.pick(MACHINE)],
    ["flag", () => random.pick([true, false, null])],
  ];
  const chosen = random.some(attributes, random.pick([0.2, 0.5, 0.9]));
  return Object.fromEntries<JsonRecord[string]>([["id", id], ...chosen.map(([name, make]) => [name, make()] as const)]);
}

function randomSpecs(random: Random, text: () => string): JsonRecord[string] {
  const inner = { note: text(), EAN: random.pick([5012345678900, 18, "SAW 7"]), sizes: [1, "18V", { deep: text() }] };
  const specs = {
    color: random.pick(["black", "white"]),
    inner,
    sku: random.pick([random.pick(SKUS), { lost: "saw" }]),
  };
  return random.pick([specs, [specs, { color: "black" }], { color: ["black", "white"] }, "black", {}]);
}

function randomSettings(random: Random, dimensions: number): { settings: IndexSettings; naive: NaiveSettings } {
  const weighted = (name: string) =>
    random.chance(0.4) ? { attribute: name, weight: random.pick([0.25, 1, 3, 10]) } : name;
  const paths = random.some(PATHS, random.pick([0.2, 0.6])).map(weighted);
  const vectors = random.pick(["none", "embedded", "embedded", "own", "own and embedded"]);
  const embeds = vectors.includes("embedded");
  const wordsOnly = random.chance(0.5);
  const nears = random.chance(0.7);
  const leans = random.chance(0.6);
  const common: Omit<IndexSettings, "embedder" | "analyzer"> = shortened({
    ...(random.chance(0.5) && (paths.length > 0 || random.chance(0.3)) ? { searchableAttributes: paths } : {}),
    ...(random.chance(0.3) ? { identifierAttributes: random.some(["SKU", "model", "ean", "title"], 0.5) } : {}),
    ...(random.chance(0.3) ? { matching: random.pick(["auto", "all", "any"]) } : {}),
    ...(random.chance(0.3) ? { matchingRatio: random.pick([0, 0.7, 1]) } : {}),
    ...(random.chance(0.3) ? { bm25: { k1: random.pick([0, 0.5, 3]), b: random.pick([0, 0.3, 1]) } } : {}),
    ...(random.chance(0.3) ? { semanticFloor: random.pick([-1, 0.3, 0.9]) } : {}),
    ...(random.chance(0.5) ? { semanticDepth: random.between(1, 12) } : {}),
    ...(random.chance(0.4) ? { rankWindow: random.pick([1, 3, 10]) } : {}),
    ...(random.chance(0.2) ? { relevancyStrictness: random.pick([1, 30, 70, 100]) } : {}),
    ...(random.chance(0.3) ? { fusion: { method: "rrf", rankConstant: random.pick([1, 60]) } } : {}),
    ...(random.chance(0.2) ? { fusion: { method: "convex", semanticWeight: random.pick([0, 0.5, 1]) } } : {}),
    ...(vectors.startsWith("own") ? { vectorAttribute: "vec", dimensions } : {}),
    ...(random.chance(0.2) ? { embeddedAttributes: ["specs", "title", "price"] } : {}),
    ...(random.chance(0.1) ? { titleEvidence: false } : {}),
  });
  const analyzer = random.pick(["english", "english", "plain"] as const);
  const embed = (text: string): number[] | null => hashedVector(text, dimensions);
  const embedder = (): Embedder => ({
    id: "hashed-1",
    dimensions,
    maxBatchSize: random.pick([1, 7, 256]),
    wordsOnly,
    knows: knownWord,
    ...(nears ? { meaningOf } : {}),
    ...(leans ? { embedParts: (parts, asked) => awaitedLeaningQuery(embed, parts, asked) } : {}),
    embed: async (texts) => texts.map(embed),
  });
  return {
    settings: { ...common, analyzer, embedder: embeds ? embedder() : false },
    naive: {
      ...common,
      analyzer,
      wordsOnly,
      knows: knownWord,
      ...(embeds ? { embedder: embed } : {}),
      ...(embeds && nears ? { nearness: nearnessOf } : {}),
      ...(embeds && leans ? { embedParts: (parts, asked) => leaningQuery(embed, parts, asked) } : {}),
    },
  };
}

/** A sum of words' vectors, later words a little heavier; it knows two words in three. */
function hashedVector(text: string, dimensions: number): number[] | null {
  const vector = new Array<number>(dimensions).fill(0);
  let known = 0;
  for (const word of text.toLowerCase().split(/[^\p{L}\p{N}]+/u)) {
    let hash = 17;
    for (const character of word) hash = (Math.imul(hash, 31) + character.codePointAt(0)!) >>> 0;
    if (word === "" || hash % 3 === 0) continue;
    known++;
    for (let i = 0; i < dimensions; i++) {
      hash = Math.imul(hash ^ (hash >>> 13), 0x5bd1e995) >>> 0;
      vector[i]! += ((hash % 1999) - 999.5) * (1 + known / 100);
    }
  }
  return known === 0 ? null : vector;
}

/** What the embedder says it knows: some words, right or wrong. */
function knownWord(word: string): boolean {
  return word.length % 5 === 0;
}

/** How near words are said to be: anything, out of bounds too, and of some pairs nothing that can be told. */
function nearnessOf(word: string, other: string): number {
  let hash = word.length;
  for (const character of word + other) hash = (Math.imul(hash, 31) + character.codePointAt(0)!) >>> 0;
  return word === other ? 1 : (hash % 1000) / 500 - 0.8;
}

function meaningOf(word: string): WordMeaning & { readonly word: string } {
  return { word, nearnessTo: (other) => nearnessOf(word, (other as ReturnType<typeof meaningOf>).word) };
}

/** A query with any of the public parameters; `centres`: empty where the index has no vectors. */
function randomQuery(random: Random, texts: readonly string[], centres: readonly (readonly number[])[]): SearchParams {
  const query = random.pick([
    () => randomText(random, 1, 6),
    () => randomText(random, 1, 2),
    () => random.pick(texts),
    () => random.pick(VOCABULARY[3]!),
    () => random.pick(SKUS.map((sku) => sku.toLowerCase())).replace("-", random.pick([" ", "", "/"])),
    () => random.pick(STRING_IDS).toUpperCase(),
    () => random.pick(["drlil", "batery", "xyzzy", "the of", "", " ", "\u200b", "!!!", "0", "18"]),
  ])();
  return {
    query,
    ...(random.chance(0.3) ? { matching: random.pick(["auto", "all", "any"]) } : {}),
    ...(random.chance(0.4) ? { semanticWeight: random.pick([0, 1, 0.5, random.between(1, 99) / 100]) } : {}),
    ...(random.chance(0.3) ? { semanticFloor: random.pick([-1, 0, 0.5, 0.95, 1, 1]) } : {}),
    ...(random.chance(0.3) ? { semanticDepth: random.between(1, 20) } : {}),
    ...(random.chance(0.2) ? { relevancyStrictness: random.pick([0, 20, 50, 80, 100]) } : {}),
    ...(random.chance(0.1) ? { minScore: random.pick([0, 0.2, 0.5, 1]) } : {}),
    ...(centres.length > 0 && random.chance(0.3) ? { vector: randomVector(random, centres, 0.3) } : {}),
  };
}

/** One of the weights is given in its short form. */
function shortened({ fusion, ...settings }: IndexSettings): Omit<IndexSettings, "embedder" | "analyzer"> {
  if (fusion === undefined) return settings;
  return fusion.method === "convex" && fusion.semanticWeight === 0.5
    ? { ...settings, semanticWeight: 0.5 }
    : { ...settings, fusion };
}
