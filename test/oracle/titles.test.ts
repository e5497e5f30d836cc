// Titles of real products: the engine's answers against the naive twin's, with the built-in table of words; and what a history of
// writes leaves of it.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { resolveEnglishWord } from "../../src/embedding/resolve-english-word.js";
import { parseWordTable } from "../../src/embedding/word-table.js";
import { embedWords, STATIC_EN } from "../../src/embedding/word-table-embedder.js";
import { type JsonRecord, SearchEngine } from "../../src/index.js";
import { CATALOGUE } from "../support/catalogue.js";
import { NaiveEngine } from "../support/naive-engine.js";
import type { NaiveSettings } from "../support/naive-record.js";
import { ROOT } from "../support/source-tree.js";
import { expectPage } from "./same-answer.js";

const bytes = readFileSync(join(ROOT, "src/embedding/static-en-2-65k-192-int4.bin"));
const table = parseWordTable(bytes, STATIC_EN);
const FLOOR = 0.35;

const QUERIES = (
  "leather couch|cordless drill driver|settee for two people|usb c cable 2 m|wi-fi router|" +
  "phone case compatible with|trainers|18v drill|coffee bean crusher|" +
  "flashlight rechargeable waterproof outdoor camping kit"
).split("|");

function componentOf(row: number, i: number): number {
  const pair = table.codes[96 * row + (i >> 1)]!;
  return table.scales[row]! * ((i % 2 === 0 ? pair >> 4 : pair & 15) - 8);
}

function rowsOf(word: string): number[] {
  const { rows, factors } = resolveEnglishWord(table, /^[a-z]+$/.test(word) ? word : "");
  const sumAt = (i: number) => rows.reduce((sum, row, part) => sum + factors[part]! * componentOf(row, i), 0);
  return Array.from({ length: 192 }, (_, i) => sumAt(i));
}

/** The sum of the parts, and for each word that nobody holds of the five nearest that somebody does, at its own length. */
const embedParts: NonNullable<NaiveSettings["embedParts"]> = (parts, { outOfVocabulary, isHeld }) => {
  const words = parts.flat().flatMap((text) => text.toLowerCase().match(/[a-z0-9]+/g) ?? []);
  const added = words.map(rowsOf);
  for (const word of outOfVocabulary) {
    const held = nearWords(word).filter(isHeld).slice(0, 5);
    const share = lengthOf(rowsOf(word)) / held.length;
    for (const row of held.map(rowsOf)) added.push(row.map((component) => (component / lengthOf(row)) * share));
  }
  return Array.from({ length: 192 }, (_, i) => added.reduce((sum, row) => sum + row[i]!, 0));
};

/** The words of the table with a cosine of .4 and more, the nearest first. */
function nearWords(word: string): string[] {
  const own = rowsOf(word);
  const near: { readonly other: string; readonly cosine: number }[] = [];
  for (let row = 0; row < table.words.size; row++) {
    const other = table.words.at(row);
    if (other === word) continue;
    let [dot, squares] = [0, 0];
    for (let i = 0; i < 192; i++) {
      const component = componentOf(row, i);
      dot += own[i]! * component;
      squares += component * component;
    }
    const cosine = dot / (lengthOf(own) * Math.sqrt(squares));
    if (cosine >= 0.4) near.push({ other, cosine });
  }
  return near.sort((a, b) => b.cosine - a.cosine).map(({ other }) => other);
}

function lengthOf(row: readonly number[]): number {
  return Math.sqrt(row.reduce((sum, component) => sum + component ** 2, 0));
}

/** How often each letter occurs, later ones a little heavier: an embedder that knows no single words. */
function letters(text: string): number[] | null {
  const counts = new Array<number>(26).fill(0);
  let seen = 0;
  for (const letter of text.toLowerCase().match(/[a-z]/g) ?? []) counts[letter.charCodeAt(0) - 97]! += 1 + ++seen / 100;
  return seen === 0 ? null : counts;
}

const builtIn = (text: string) => {
  const vector = embedWords(table, text);
  return vector === null ? null : [...vector];
};

const knows = (word: string) => table.words.rowOf(word) !== undefined;

it.each([
  ["static-en", "static-en", { isStaticEn: true, wordsOnly: true, embedder: builtIn, embedParts }],
  [
    "another embedder, with the words of static-en",
    { id: "letters-1", dimensions: 26, embed: async (texts: readonly string[]) => texts.map(letters) },
    { embedder: letters },
  ],
] as const)("asks the titles of a catalogue as the naive engine does, with %s", async (_, embedder, twin) => {
  const engine = new SearchEngine();
  const index = await engine.createIndex("shop", { semanticFloor: FLOOR, embedder });
  const records = CATALOGUE.slice(0, 120);
  for (let at = 0; at < records.length; at += 7) await index.addRecords(records.slice(at, at + 7));
  await index.addRecords(CATALOGUE.slice(120, 160));
  await index.deleteRecords(CATALOGUE.slice(120, 160).map(({ id }) => String(id)));
  await index.whenIdle();
  const naive = new NaiveEngine({ semanticFloor: FLOOR, knows, ...twin }, records);
  for (const query of QUERIES) {
    const expected = naive.query({ query });
    for (let page = 1; page <= 1 + expected.nbHits / 9; page++)
      await expectPage(index, expected, { query, page, hitsPerPage: 9 });
  }
});

/** Words and things that this shop lacks, beside words that it has, codes, and a word that the table does not know. */
const UNHELD = (
  "saxophone|saxophone reed|leather saxophone|cordless toboggan|waterproof violin strings|frg-dd18 parquet|" +
  "cresswold sausage|mattress for two|olive parquet floor oil|percolator"
).split("|");

it("leaves out what is far where no record holds all words, as the naive engine does", {
  timeout: 600_000,
}, async () => {
  const engine = new SearchEngine();
  const index = await engine.createIndex("shop");
  const twice = CATALOGUE.map((record) => ({ ...record, id: `${record.id}-b`, title: `${record.title}, blue` }));
  const thrice = CATALOGUE.map((record) => ({ ...record, id: `${record.id}-c`, title: `Spare ${record.title}` }));
  const isStaticEn = { isStaticEn: true, wordsOnly: true, embedder: builtIn, embedParts };
  const naive = new NaiveEngine({ knows, ...isStaticEn });
  const add = async (records: readonly JsonRecord[]): Promise<void> => {
    await index.addRecords(records);
    for (const record of records) naive.add(record);
  };
  const answerTo = async (query: string) => {
    const { nbHits, hits } = (await index.query({ query, hitsPerPage: 1000 })).data;
    return { query, nbHits, ids: hits.map(({ id }) => id) };
  };
  const compare = async (queries: readonly string[]): Promise<void> => {
    for (const query of queries) {
      const { nbHits, hits } = naive.query({ query });
      expect(await answerTo(query)).toEqual({ query, nbHits, ids: hits.map(({ id }) => id) });
    }
  };
  // The floor is 0.35 here, and above it where there are more than 1,000 records.
  await add(CATALOGUE);
  await compare(UNHELD);
  await add([...twice, ...thrice]);
  // Whole trades go, so that the nearest of many probes go.
  const going = [...CATALOGUE, ...twice, ...thrice].filter((_, i) => i % 391 < 40).map(({ id }) => String(id));
  await index.query({ query: UNHELD[0]! });
  await index.deleteRecords(going);
  for (const id of going) naive.delete(id);
  await compare(UNHELD.slice(3, 7));
  const before = await Promise.all(UNHELD.map(answerTo));
  await index.whenIdle();
  expect(await Promise.all(UNHELD.map(answerTo))).toEqual(before);
  expect(before.some(({ nbHits }) => nbHits === 0)).toBe(true);
});
