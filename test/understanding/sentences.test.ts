// Reads the sentences of shoppers on whole indexes. A part that is wrong is worse than one that is missing: at most one of a kind.

import { beforeAll, describe, expect, it } from "vitest";
import { type Intent, type IntentKind, type IntentPart, SearchEngine } from "../../src/index.js";
import { KINDS, readCatalogues, readSentences, type Sentence } from "./sentences.js";

const HALF: Sentence["half"] = process.env.UNDERSTANDING === "aside" ? "aside" : "dev";
const engine = new SearchEngine({ embedder: false, onWarning: () => {} });
const read: { readonly sentence: Sentence; readonly intent: Intent }[] = [];

beforeAll(async () => {
  for (const { name, settings, records } of readCatalogues())
    await (await engine.createIndex(name, settings)).addRecords(records);
  for (const sentence of readSentences(HALF))
    read.push({ sentence, intent: await engine.understandQuery(sentence.catalogue, sentence.text) });
});

const isSame = (a: IntentPart, b: IntentPart): boolean =>
  a.from === b.from && a.to === b.to && a.kind === b.kind && a.became === b.became;
const lacking = (parts: readonly IntentPart[], others: readonly IntentPart[], kind: IntentKind) =>
  parts.filter((part) => part.kind === kind && !others.some((other) => isSame(part, other)));

describe(`the sentences of the half "${HALF}"`, () => {
  it.each(KINDS)("have at most one wrong part of the kind %s", (kind) => {
    const wrong = read.flatMap(({ sentence, intent }) =>
      lacking(intent.parts, sentence.parts, kind).map((part) => ({ text: sentence.text, part })),
    );
    expect(wrong.slice(1)).toEqual([]);
  });

  it.each(KINDS)("have nine of ten parts of the kind %s", (kind) => {
    const parts = read.flatMap(({ sentence }) => sentence.parts.filter((part) => part.kind === kind));
    const missing = read.flatMap(({ sentence, intent }) => lacking(sentence.parts, intent.parts, kind));
    expect(parts.length).toBeGreaterThan(15);
    expect(missing.slice(Math.floor(parts.length / 10))).toEqual([]);
  });

  it("are the lists that their parts make", () => {
    const right = read.filter(({ sentence, intent }) =>
      KINDS.every(
        (kind) =>
          [...lacking(intent.parts, sentence.parts, kind), ...lacking(sentence.parts, intent.parts, kind)].length === 0,
      ),
    );
    expect(right.length).toBeGreaterThan(0.9 * read.length);
    for (const { sentence, intent } of right) {
      const { id, half, group, catalogue, text, ...expected } = sentence;
      expect(intent, text).toEqual({ original: text, ...expected });
    }
  });
});
