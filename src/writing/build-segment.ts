// From checked records to a private segment: analyse their words, embed their texts, write tables. Works in slices, may wait
// for an embedder, may fail; touches nothing that others see.

import type { AttributeCatalog } from "../attributes/attribute-catalog.js";
import type { JsonRecord } from "../base/json.js";
import type { Limits } from "../base/limits.js";
import type { SearchWarning } from "../base/seams.js";
import { runInSlices, type Steps } from "../base/slices.js";
import { isBlank } from "../language/normalize-text.js";
import { embeddedText } from "../records/embedded-text.js";
import type { FieldRules } from "../records/field-rules.js";
import { ownVector } from "../records/own-vector.js";
import { readFields } from "../records/read-fields.js";
import { recordOf, type WrittenEntry } from "../records/record-table.js";
import type { ResolvedSettings } from "../settings/settings.js";
import type { SearchLanguage } from "../state/search-language.js";
import { createSegment, type Segment } from "../state/segment.js";
import { embedTexts } from "../vector/embed-texts.js";
import { requireVector, type UnitVector } from "../vector/unit-vector.js";
import { writeVectorRows } from "../vector/vector-rows.js";
import { analyseRecords } from "./analyse-records.js";

/** What building depends on besides the records. */
export interface BuildContext {
  readonly settings: ResolvedSettings;
  readonly rules: FieldRules;
  readonly language: SearchLanguage;
  /** Gets every attribute that the records hold. */
  readonly attributes: AttributeCatalog;
  readonly limits: Limits;
  readonly signal: AbortSignal | undefined;
  readonly warn: (warning: SearchWarning) => void;
  /** The living record that an id now has, with its vector: unchanged text keeps its vector. */
  readonly previous: (id: string) => { readonly record: JsonRecord; readonly vector: UnitVector | null } | undefined;
  readonly onProgress: (phase: "indexing" | "embedding", done: number) => void;
}

const PAUSE_EVERY = 16;

/** Builds a segment of records that are sorted by id. */
export async function buildSegment(entries: readonly WrittenEntry[], context: BuildContext): Promise<Segment> {
  const { settings, rules, language, attributes, limits, signal, warn, onProgress } = context;
  const { dimensions, vectorAttribute } = settings.effective;
  const steps = analyseRecords(entries, {
    rules,
    words: language.words,
    embeds: embedsTexts(settings),
    attributes,
    limits,
    warn,
    onProgress: (done) => onProgress("indexing", done),
  });
  const { records, postings, texts } = await runInSlices(steps, signal);
  if (dimensions === 0) return createSegment(records, postings, null);
  const vectors =
    vectorAttribute === null
      ? await embedRecords(entries, texts, context)
      : await runInSlices(ownVectors(entries, dimensions, vectorAttribute), signal);
  return createSegment(records, postings, await runInSlices(writeVectorRows(vectors, dimensions), signal));
}

function embedsTexts({ embedder, effective }: ResolvedSettings): boolean {
  return embedder !== undefined && effective.vectorAttribute === null;
}

/** Embeds what is new; a record whose embedded text is as before keeps its vector. */
async function embedRecords(
  entries: readonly WrittenEntry[],
  texts: readonly string[],
  context: BuildContext,
): Promise<(UnitVector | null)[]> {
  const { settings, rules, signal, onProgress } = context;
  const embedder = settings.embedder!;
  const vectors: (UnitVector | null)[] = entries.map(() => null);
  const asked: number[] = [];
  await runInSlices(
    (function* () {
      for (const [doc, { id }] of entries.entries()) {
        if (doc % PAUSE_EVERY === 0) yield;
        if (isBlank(texts[doc]!)) continue;
        const before = context.previous(id);
        if (
          before !== undefined &&
          embeddedText(before.record, readFields(before.record, id, rules), rules) === texts[doc]
        )
          vectors[doc] = before.vector;
        else asked.push(doc);
      }
    })(),
    signal,
  );
  const kept = entries.length - asked.length;
  const answer = await embedTexts(embedder, {
    texts: asked.map((doc) => texts[doc]!),
    purpose: "record",
    signal,
    onBatch: (done) => onProgress("embedding", kept + done),
  });
  for (const [i, doc] of asked.entries()) vectors[doc] = answer[i]!;
  return vectors;
}

/** The vectors that the records bring; they were checked when the records were read. */
function* ownVectors(
  entries: readonly WrittenEntry[],
  dimensions: number,
  attribute: string,
): Steps<(UnitVector | null)[]> {
  const vectors: (UnitVector | null)[] = [];
  for (const entry of entries) {
    const given = entry.vector?.numbers ?? ownVector(recordOf(entry), attribute);
    vectors.push(given === null ? null : requireVector(given, dimensions, attribute));
    yield;
  }
  return vectors;
}
