// A judged set on disk: records.jsonl(.gz), queries.jsonl and qrels.tsv in one folder. A folder without records is judged
// over the demo catalogue.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readJsonLines } from "../support/corpus.mjs";

const CATALOGUE = fileURLToPath(new URL("../../docs/demo/catalogue/", import.meta.url));
const HALVES = { tune: ["tune", "train"], test: ["test"] };

/**
 * @param {string} folder
 * @param {"tune" | "test"} [half] of the queries: by their `split`, else by the first byte of the SHA-256 of their ids
 */
export async function readJudgedFolder(folder, half) {
  const all = await readAll(join(folder, "queries.jsonl"));
  const queries = half === undefined ? all : all.filter((query) => halfOf(query) === half);
  if (queries.length === 0)
    throw new Error(`${folder} has no queries${half === undefined ? "" : ` of the half ${half}`}.`);
  const qrels = readFileSync(join(folder, "qrels.tsv"), "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => line.split("\t"))
    .map(([queryId, recordId, relevance]) => ({ queryId, recordId, relevance: Number(relevance) }));
  return {
    records: await readJudgedRecords(folder),
    judgements: { queries: queries.map(({ id, query }) => ({ id, query })), qrels },
  };
}

/** The records of a folder, or the demo catalogue. */
export async function readJudgedRecords(folder) {
  for (const name of ["records.jsonl", "records.jsonl.gz"])
    if (existsSync(join(folder, name))) return readAll(join(folder, name));
  const files = readdirSync(CATALOGUE).filter((name) => name.endsWith(".jsonl"));
  return (await Promise.all(files.sort().map((name) => readAll(join(CATALOGUE, name))))).flat();
}

async function readAll(path) {
  const all = [];
  for await (const item of readJsonLines(path)) all.push(item);
  return all;
}

function halfOf({ id, split }) {
  const named = Object.keys(HALVES).find((half) => HALVES[half].includes(split));
  if (named !== undefined) return named;
  return createHash("sha256").update(String(id)).digest()[0] % 2 === 0 ? "tune" : "test";
}
