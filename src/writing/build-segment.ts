// From checked records to a private segment: analyse their words, embed their texts, write tables. Works in slices or in other
// threads, may wait for an embedder, may fail; touches nothing that others see.

import type { AttributeCatalog } from "../attributes/attribute-values.js";
import { untilAborted } from "../base/abort.js";
import type { SearchWarning } from "../base/extension-points.js";
import type { JsonRecord } from "../base/json.js";
import type { Limits } from "../base/limits.js";
import { runTask, type Task } from "../base/tasks.js";
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
import { type Analysis, analyseRecords } from "./analyse-records.js";
import { type AnalysedElsewhere, readVectors, type VectorParts } from "./threads/analysis-job.js";
import type { IndexingThreads } from "./threads/indexing-threads.js";

/** What building depends on besides the records. */
export interface BuildContext {
  readonly settings: ResolvedSettings;
  readonly rules: FieldRules;
  readonly language: SearchLanguage;
  /** Gets every attribute that the records hold. */
  readonly attributes: AttributeCatalog;
  readonly limits: Limits;
  /** Other threads that analyse words, where the engine has them. */
  readonly threads: IndexingThreads | undefined;
  readonly signal: AbortSignal | undefined;
  readonly warn: (warning: SearchWarning) => void;
  /** The living record that an id now has, with its vector: unchanged text keeps its vector. */
  readonly previous: (id: string) => { readonly record: JsonRecord; readonly vector: UnitVector | null } | undefined;
  readonly onProgress: (phase: "indexing" | "embedding", done: number) => void;
}

/** What another thread analysed may have its vectors. */
interface Analysed extends Analysis {
  readonly vectors?: VectorParts | undefined;
}

const PAUSE_EVERY = 16;

/** Begins to build a segment of records that are sorted by id; what it answers finishes it. */
export function startSegment(entries: readonly WrittenEntry[], context: BuildContext): () => Promise<Segment> {
  const elsewhere = startElsewhere(entries, context);
  // Nobody may be waiting for it yet when it is given up.
  elsewhere.catch(() => {});
  return async () => {
    const answer = await elsewhere;
    const analysed = answer === undefined ? await analyseHere(entries, context) : hear(answer, entries.length, context);
    return finishSegment(entries, analysed, context);
  };
}

async function finishSegment(
  entries: readonly WrittenEntry[],
  { records, postings, texts, vectors: embedded }: Analysed,
  context: BuildContext,
): Promise<Segment> {
  const { settings, signal } = context;
  const { dimensions, vectorAttribute } = settings.effective;
  const vectors =
    dimensions === 0
      ? null
      : vectorAttribute === null
        ? embedded === undefined
          ? await embedRecords(entries, texts, context)
          : await runTask(readVectors(embedded), signal)
        : await runTask(ownVectors(entries, dimensions, vectorAttribute), signal);
  const rows = vectors === null ? null : await runTask(writeVectorRows(vectors, dimensions), signal);
  return createSegment(records, postings, rows);
}

/** In another thread; undefined: nobody does it there. */
async function startElsewhere(
  entries: readonly WrittenEntry[],
  { settings, rules, limits, threads, signal }: BuildContext,
): Promise<AnalysedElsewhere | undefined> {
  const { analyzer } = settings;
  if (threads === undefined || typeof analyzer !== "string") return undefined;
  const { fieldCharacters, fieldTokens } = limits;
  const wanted = embedsTexts(settings) ? (settings.embedder === threads.embedder ? "vectors" : "texts") : undefined;
  const job = { rules, analyzer, limits: { fieldCharacters, fieldTokens }, wanted } as const;
  return untilAborted(threads.analyse(entries, job), signal);
}

/** Tells of it when its turn has come, whenever it was done: what is told goes forward. */
function hear(
  { analysis, vectors, attributes, warnings }: AnalysedElsewhere,
  done: number,
  context: BuildContext,
): Analysed {
  context.attributes.add(attributes);
  for (const warning of warnings) context.warn(warning);
  context.onProgress("indexing", done);
  if (vectors !== undefined) context.onProgress("embedding", done);
  return { ...analysis, vectors };
}

async function analyseHere(entries: readonly WrittenEntry[], context: BuildContext): Promise<Analysis> {
  const { settings, rules, language, attributes, limits, signal, warn, onProgress } = context;
  const steps = analyseRecords(entries, {
    rules,
    words: language.words,
    embeds: embedsTexts(settings),
    attributes,
    limits,
    warn,
    onProgress: (done) => onProgress("indexing", done),
  });
  return runTask(steps, signal);
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
  await runTask(
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
): Task<(UnitVector | null)[]> {
  const vectors: (UnitVector | null)[] = [];
  for (const entry of entries) {
    const given = entry.vector?.numbers ?? ownVector(recordOf(entry), attribute);
    vectors.push(given === null ? null : requireVector(given, dimensions, attribute));
    yield;
  }
  return vectors;
}
