// The judged sets that are shipped: every judgement speaks of a query and a record that are there.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../support/source-tree.js";

const CATALOGUE = join(ROOT, "docs", "demo", "catalogue");
const SETS = join(ROOT, "bench", "relevance", "sets");

const lines = (path: string) => readFileSync(path, "utf8").trimEnd().split("\n");
const records = new Set(
  readdirSync(CATALOGUE)
    .filter((name) => name.endsWith(".jsonl"))
    .flatMap((name) => lines(join(CATALOGUE, name)))
    .map((line): string => String(JSON.parse(line).id)),
);

describe.each(readdirSync(SETS))("%s", (name) => {
  const queries: { id: string; query: string; split: string }[] = lines(join(SETS, name, "queries.jsonl")).map((line) =>
    JSON.parse(line),
  );
  const qrels = lines(join(SETS, name, "qrels.tsv")).map((line) => line.split("\t"));

  it("has queries of its own, each in one half", () => {
    expect(new Set(queries.map(({ id }) => id)).size).toBe(queries.length);
    expect(new Set(queries.map(({ query }) => query.toLowerCase())).size).toBe(queries.length);
    expect(new Set(queries.map(({ split }) => split))).toEqual(new Set(["tune", "test"]));
  });

  it("judges each pair once, by grades of 1 and 2, of records that are there", () => {
    const pairs = qrels.map(([query, record]) => `${query} ${record}`);
    expect(new Set(pairs).size).toBe(pairs.length);
    expect(qrels.filter(([, record]) => !records.has(record!))).toEqual([]);
    expect(new Set(qrels.map(([, , grade]) => grade))).toEqual(new Set(["1", "2"]));
  });

  it("has a relevant record for every query, and no judgement of another", () => {
    expect(new Set(qrels.map(([query]) => query))).toEqual(new Set(queries.map(({ id }) => id)));
  });
});

it("has at least 150 queries in other words", () => {
  expect(lines(join(SETS, "other-words", "queries.jsonl")).length).toBeGreaterThanOrEqual(150);
});
