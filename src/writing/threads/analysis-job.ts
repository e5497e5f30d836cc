// What goes to another thread and comes back: records to analyse, and what they were found to be. All of it can be copied or
// handed over between threads; a thread's own classes are taken apart and put together again.

import { AttributeCatalog, type Seen } from "../../attributes/attribute-catalog.js";
import type { Limits } from "../../base/limits.js";
import type { SearchWarning } from "../../base/seams.js";
import { runAtOnce } from "../../base/slices.js";
import { ENGLISH_WORDS } from "../../language/english-words.js";
import { PLAIN_WORDS } from "../../language/word-forms.js";
import type { FieldRules } from "../../records/field-rules.js";
import type { WrittenEntry } from "../../records/record-table.js";
import { type NameParts, NameTable } from "../../text/names/name-table.js";
import type { Postings } from "../../text/postings.js";
import { type Analysis, analyseRecords } from "../analyse-records.js";

/** How records are to be analysed. */
export interface AnalysisJob {
  readonly rules: FieldRules;
  readonly analyzer: "english" | "plain";
  readonly limits: Pick<Limits, "fieldCharacters" | "fieldTokens">;
  readonly embeds: boolean;
}

/** A message to a thread: some of the records, sorted by id, or what to do with all that came before. */
export type ToThread =
  | { readonly ids: readonly string[]; readonly jsons: readonly string[] }
  | { readonly job: AnalysisJob };

/** A message of a thread: some of the texts to embed, the rest of its answer, or that it has none. */
export type FromThread =
  | { readonly texts: readonly string[] }
  | { readonly reply: AnalysisReply }
  | { readonly failed: true };

/** What a thread sends back besides texts. */
export interface AnalysisReply {
  readonly bytes: Uint8Array;
  readonly offsets: Float64Array;
  readonly postings: Omit<Postings, "names"> & { readonly names: NameParts };
  readonly seen: ReadonlyMap<string, Seen>;
  readonly warnings: readonly SearchWarning[];
}

/** An answer that was put together again. */
export interface AnalysedElsewhere {
  readonly analysis: Analysis;
  readonly attributes: AttributeCatalog;
  readonly warnings: readonly SearchWarning[];
}

/** Does the job, without a pause. `handed`: what need not be copied. */
export function doJob(
  entries: readonly WrittenEntry[],
  { rules, analyzer, limits, embeds }: AnalysisJob,
): {
  readonly reply: AnalysisReply;
  readonly texts: readonly string[];
  readonly handed: ArrayBuffer[];
} {
  const attributes = new AttributeCatalog();
  const warnings: SearchWarning[] = [];
  const words = analyzer === "english" ? ENGLISH_WORDS : PLAIN_WORDS;
  const warn = (warning: SearchWarning): void => void warnings.push(warning);
  const context = { rules, words, embeds, attributes, limits, warn, onProgress: () => {} };
  const { records, postings, texts } = runAtOnce(analyseRecords(entries, context));
  const { bytes, offsets } = records;
  const { names, ...lists } = postings;
  const { parts } = names;
  const reply = { bytes, offsets, postings: { ...lists, names: parts }, seen: attributes.counts, warnings };
  const values = [bytes, offsets, lists, parts, lists.titles].flatMap((value) =>
    ArrayBuffer.isView(value) ? [value] : Object.values(value),
  );
  return { reply, texts, handed: ownBuffers(values) };
}

/** Puts a reply together. */
export function readReply(
  { bytes, offsets, postings, seen, warnings }: AnalysisReply,
  ids: readonly string[],
  texts: readonly string[],
): AnalysedElsewhere {
  const names = new NameTable(postings.names);
  const analysis = { records: { ids, bytes, offsets }, postings: { ...postings, names }, texts };
  return { analysis, attributes: new AttributeCatalog(seen), warnings };
}

/** The buffers of those among the values that are arrays over the whole of one. */
function ownBuffers(values: readonly unknown[]): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  for (const value of values)
    if (
      ArrayBuffer.isView(value) &&
      value.buffer instanceof ArrayBuffer &&
      value.byteLength === value.buffer.byteLength
    )
      buffers.add(value.buffer);
  return [...buffers];
}
