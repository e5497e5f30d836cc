// Each family of hostile text as a query of 4,096 bytes and as a field of 100 kB (less in the fast size), through the verbs and by the analysis
// alone: answered within the limits, the same each time, whatever was read before.

import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { plainText } from "../../src/analysis/markup.js";
import {
  type JsonRecord,
  type SearchData,
  SearchEngine,
  type SearchIndex,
  type SearchParams,
} from "../../src/index.js";
import { FAST } from "../support/size.js";
import { cutToBytes, expectSoundAnalysis, loadAnalyzer } from "./text-analysis.js";
import { TEXT_FAMILIES } from "./text-families.js";

const FAMILIES = Object.entries(TEXT_FAMILIES);
/** What a test of its own looks at: in the fast size every third family. */
const SOME = FAMILIES.filter((_, i) => !FAST || i % 3 === 0);
const QUERY_BYTES = FAST ? 1024 : 4096;
const RECORD_BYTES = FAST ? 10_000 : 100_000;
const FIELD_CHARACTERS = FAST ? 6000 : 65_536;
const FIRST = "zebrafinch";
const LAST = "quaggamire";
const warnings = new Set<string>();
const engine = new SearchEngine({
  limits: { fieldCharacters: FIELD_CHARACTERS },
  onWarning: ({ code }) => warnings.add(code),
});
let samples: SearchIndex;
let used: SearchIndex;

beforeAll(async () => {
  samples = await engine.createIndex("samples");
  await samples.addRecords(FAMILIES.map(([name, family]) => ({ id: name, title: name, text: family(60) })));
  used = await engine.createIndex("used");
});

async function ask(
  index: SearchIndex,
  params: SearchParams,
): Promise<Omit<SearchData, "serverTimeMS" | "processingTimeMS">> {
  const { serverTimeMS: _server, processingTimeMS: _processing, ...data } = (await index.query(params)).data;
  return data;
}

/** The family between two words, as long as a record may be. */
function longRecord(family: (length: number) => string): JsonRecord {
  const recordOf = (length: number) => ({ id: "long", text: `${FIRST} ${family(length)} ${LAST}` });
  const sizeOf = (length: number) => Buffer.byteLength(JSON.stringify(recordOf(length)));
  let length = RECORD_BYTES - sizeOf(0);
  while (sizeOf(length) > RECORD_BYTES) length = Math.floor((length * RECORD_BYTES) / sizeOf(length)) - 1;
  return recordOf(length);
}

it("there are 54 families at least, each as long as asked and the same each time", () => {
  expect(FAMILIES.length).toBeGreaterThanOrEqual(54);
  for (const [name, family] of FAMILIES)
    for (const length of [0, 1, 2, 60, QUERY_BYTES]) {
      expect(family(length).length, name).toBe(length);
      expect(family(length)).toBe(family(length));
    }
});

describe("a long query", () => {
  it.each(SOME)("%s: is answered, and the same again", async (_name, family) => {
    const query = cutToBytes(family(QUERY_BYTES), QUERY_BYTES);
    const kinds: readonly Partial<SearchParams>[] = [
      {},
      { advancedSyntax: true },
      { queryType: "prefixAll", matching: "any" },
    ];
    for (const kind of kinds) {
      const params: SearchParams = { query, explain: true, attributesToHighlight: ["*"], ...kind };
      const data = await ask(samples, params);
      expect(data.query).toBe(query);
      for (const { explanation } of data.hits) expect(explanation?.lexical?.terms.length ?? 0).toBeLessThanOrEqual(64);
      expect(await ask(samples, params)).toEqual(data);
    }
  });
});

describe("a field as long as a record may be", () => {
  it.each(SOME)("%s: is searched up to the limit, and answers as in a new index", async (name, family) => {
    const record = longRecord(family);
    const fresh = await engine.createIndex(name.replace(/[^a-z]/gi, "-"));
    for (const index of [fresh, used]) expect(await index.addRecords([record])).toEqual({ added: 1, replaced: 0 });
    expect(await used.getRecords(["long"])).toEqual([record]);
    const words = { matching: "all", typoTolerance: false, semanticWeight: 0 } as const;
    expect(await ask(used, { query: FIRST, ...words })).toMatchObject({ nbHits: 1 });
    const ends = plainText(String(record.text)).length > FIELD_CHARACTERS + LAST.length;
    if (ends) expect(await ask(used, { query: LAST, ...words })).toMatchObject({ nbHits: 0 });
    for (const query of [`${FIRST} ${family(100)}`, family(500)]) {
      const params: SearchParams = { query, explain: true, attributesToSnippet: ["text"] };
      expect({ ...(await ask(used, params)), indexUse: "" }).toEqual({ ...(await ask(fresh, params)), indexUse: "" });
    }
    expect(await used.addRecords([record])).toEqual({ added: 0, replaced: 1 });
    expect(await used.deleteRecords(["long"])).toEqual({ deleted: 1 });
    await engine.deleteIndex(fresh.name);
  });

  it("warns of nothing but what was cut", () => {
    expect([...warnings]).toEqual(["field_truncated"]);
  });
});

describe("the analysis of a long text", () => {
  it.each(SOME)("%s: bounded terms, the same when read again", async (_name, family) => {
    expectSoundAnalysis(cutToBytes(family(QUERY_BYTES), QUERY_BYTES), await loadAnalyzer());
  });

  it("is the same whatever was read before", async () => {
    const digests = async (order: typeof FAMILIES) => {
      vi.resetModules();
      const analyze = await loadAnalyzer();
      const found = order.map(([name, family]) => [name, digestOf(analyze(family(QUERY_BYTES)))] as const);
      return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)));
    };
    const forwards = await digests(FAMILIES);
    expect(await digests(FAMILIES.toReversed())).toEqual(forwards);
    const odd = FAMILIES.filter((_, i) => i % 2 === 1);
    expect(await digests([...odd, ...FAMILIES.filter((_, i) => i % 2 === 0)])).toEqual(forwards);
  });
});

function digestOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}
