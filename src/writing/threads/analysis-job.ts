// What goes to another thread and comes back: records to analyse, and what they were found to be. All of it can be copied or
// handed over between threads; a thread's own classes are taken apart and put together again.

import { AttributeCatalog, type Seen } from "../../attributes/attribute-values.js";
import type { SearchWarning } from "../../base/extension-points.js";
import type { Limits } from "../../base/limits.js";
import { runTaskAtOnce, type Task } from "../../base/tasks.js";
import { ENGLISH_WORDS } from "../../language/english-words.js";
import { PLAIN_WORDS } from "../../language/word-forms.js";
import type { FieldRules } from "../../records/field-rules.js";
import type { PackedVector } from "../../records/packed-vector.js";
import type { RecordTable, WrittenEntry } from "../../records/record-table.js";
import { type NameParts, NameTable } from "../../text/names/name-table.js";
import type { Postings } from "../../text/postings.js";
import { embedTexts } from "../../vector/embed-texts.js";
import { createStaticEnEmbedder } from "../../vector/static-en/static-en-embedder.js";
import type { UnitVector } from "../../vector/unit-vector.js";
import { type Analysis, analyseRecords } from "../analyse-records.js";

/** Vectors read between two pauses. */
const PAUSE_EVERY = 1024;
/** Reads its table when it is first asked. */
const staticEn = createStaticEnEmbedder();

/** How records are to be analysed. */
export interface AnalysisJob {
  readonly rules: FieldRules;
  readonly analyzer: "english" | "plain";
  readonly limits: Pick<Limits, "fieldCharacters" | "fieldTokens">;
  /** Whether the texts to embed are wanted, or their vectors by the built-in embedder. */
  readonly wanted: "texts" | "vectors" | undefined;
}

/** A message to a thread: some of the records, sorted by id, or what to do with all that came before. */
export type ToThread =
  | {
      readonly ids: readonly string[];
      readonly jsons: readonly string[];
      /** undefined: none of them has its vector apart. */
      readonly vectors: readonly (PackedVector | undefined)[] | undefined;
    }
  | { readonly job: AnalysisJob };

/** A message of a thread: some of the texts to embed, the rest of its answer, or that it has none. */
export type FromThread =
  | { readonly texts: readonly string[] }
  | { readonly reply: AnalysisReply }
  | { readonly failed: true };

/** What a thread sends back besides texts. */
export interface AnalysisReply {
  readonly records: Omit<RecordTable, "ids">;
  readonly postings: Omit<Postings, "names"> & { readonly names: NameParts };
  readonly vectors: VectorParts | undefined;
  readonly seen: ReadonlyMap<string, Seen>;
  readonly warnings: readonly SearchWarning[];
}

/** Vectors of records, one after the other. */
export interface VectorParts {
  readonly components: Int16Array;
  /** 0: the record has none. */
  readonly inverseLengths: Float64Array;
}

/** An answer that was put together again. */
export interface AnalysedElsewhere {
  readonly analysis: Analysis;
  /** Where vectors were wanted. */
  readonly vectors: VectorParts | undefined;
  readonly attributes: AttributeCatalog;
  readonly warnings: readonly SearchWarning[];
}

/** Does the job. `handed`: what need not be copied. */
export async function doJob(
  entries: readonly WrittenEntry[],
  { rules, analyzer, limits, wanted }: AnalysisJob,
): Promise<{ readonly reply: AnalysisReply; readonly texts: readonly string[]; readonly handed: ArrayBuffer[] }> {
  const attributes = new AttributeCatalog();
  const warnings: SearchWarning[] = [];
  const words = analyzer === "english" ? ENGLISH_WORDS : PLAIN_WORDS;
  const warn = (warning: SearchWarning): void => void warnings.push(warning);
  const context = { rules, words, embeds: wanted !== undefined, attributes, limits, warn, onProgress: () => {} };
  const { records, postings, texts } = runTaskAtOnce(analyseRecords(entries, context));
  const vectors = wanted === "vectors" ? await embed(texts) : undefined;
  const { ids: _, ...table } = records;
  const { names, ...lists } = postings;
  const { parts } = names;
  const reply = {
    records: table,
    postings: { ...lists, names: parts },
    vectors,
    seen: attributes.counts,
    warnings,
  };
  return { reply, texts: wanted === "texts" ? texts : [], handed: [...new Set(ownBuffers(reply))] };
}

async function embed(texts: readonly string[]): Promise<VectorParts> {
  const vectors = await embedTexts(staticEn, { texts, purpose: "record" });
  const components = new Int16Array(texts.length * staticEn.dimensions);
  const inverseLengths = new Float64Array(texts.length);
  for (const [i, vector] of vectors.entries()) {
    if (vector === null) continue;
    components.set(vector.components, i * staticEn.dimensions);
    inverseLengths[i] = vector.inverseLength;
  }
  return { components, inverseLengths };
}

/** Of each record its vector or null. */
export function* readVectors({ components, inverseLengths }: VectorParts): Task<(UnitVector | null)[]> {
  const dimensions = components.length / inverseLengths.length;
  const vectors: (UnitVector | null)[] = [];
  for (const [i, inverseLength] of inverseLengths.entries()) {
    if (i % PAUSE_EVERY === 0) yield;
    const own = components.subarray(i * dimensions, (i + 1) * dimensions);
    vectors.push(inverseLength === 0 ? null : { components: own, inverseLength });
  }
  return vectors;
}

/** Puts a reply together. */
export function readReply(
  { records, postings, vectors, seen, warnings }: AnalysisReply,
  ids: readonly string[],
  texts: readonly string[],
): AnalysedElsewhere {
  const names = new NameTable(postings.names);
  const analysis = { records: { ids, ...records }, postings: { ...postings, names }, texts };
  return { analysis, vectors, attributes: new AttributeCatalog(seen), warnings };
}

/** The buffers of the arrays in a value that are over the whole of one. */
function* ownBuffers(value: unknown): Generator<ArrayBuffer> {
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer && value.byteLength === value.buffer.byteLength) yield value.buffer;
  } else if (typeof value === "object" && value !== null)
    for (const part of Object.values(value)) yield* ownBuffers(part);
}
