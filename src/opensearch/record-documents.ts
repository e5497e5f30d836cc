// A record as a document of the cluster: its JSON as it is stored, the vector that its texts were embedded to, what tells one state of
// an index from another, and what the cluster finds it by.

import { PLAIN_WORDS } from "../analysis/word-forms.js";
import { AttributeHistory } from "../docvalues/attribute-catalog.js";
import { type BuildContext, buildSegment, cutIntoSegments } from "../index/build-segment.js";
import type { RestoredIndex } from "../index/index-data.js";
import type { LiveSegment } from "../index/live-records.js";
import { readEntry } from "../index/read-batch.js";
import { RecordReader, type WrittenEntry } from "../index/record-table.js";
import { fieldWeights } from "../index/search-corpus.js";
import { SearchLanguage } from "../index/search-language.js";
import { hashOfId } from "../index/semantic-floor.js";
import { sortKeysOf } from "../search/order-hits.js";
import type { CheckedSettings, ResolvedSettings } from "../settings/settings.js";
import type { LocalDoc } from "../util/doc.js";
import { has } from "../util/json.js";
import { byCodeUnit } from "../util/sorted.js";
import { runTask, type Task } from "../util/tasks.js";
import type { UnitVector } from "../vectors/unit-vector.js";
import { vectorOf } from "../vectors/vector-rows.js";
import { factsOf, type RecordFacts, type RecordTerms, termsOfRecords } from "./record-terms.js";

/** What is read of a document. */
export interface RecordDocument {
  readonly id: string;
  /** The record, as it is stored. */
  readonly json: string;
  /** The components of its embedded vector, 16 bits each, as base64. */
  readonly vector?: string;
}

/** A document as a hit has it: each value is a list, and bytes are base64. */
export interface DocumentFields {
  readonly id: readonly [string];
  readonly json: readonly [string];
  readonly vector?: readonly [string];
}

/** How a search asks for what is read of documents: columns take a tenth of the time of the source. */
export const READ_FIELDS = {
  _source: false,
  stored_fields: "_none_",
  docvalue_fields: ["id", "json", "vector"],
} as const;

/** What was read of a document. */
export function documentIn({ id: [id], json: [json], vector }: DocumentFields): RecordDocument {
  const text = Buffer.from(json, "base64").toString("utf8");
  return { id, json: text, ...(vector !== undefined && { vector: vector[0] }) };
}

/** What is written of a document. */
export interface WrittenDocument extends RecordDocument, RecordTerms, RecordFacts {
  /** Which records a sample takes: see `semanticFloor`. */
  readonly hash: number;
  /** Drawn for each write: the sum of all tells whether something was written. */
  readonly stamp: number;
  /** The vector, as the cluster compares it. */
  readonly near?: readonly number[];
}

/** Values that are looked up, and counted. */
const KEYS = { type: "keyword", norms: false, index_options: "docs" } as const;
/** What only this code reads. */
const BYTES = { type: "binary", doc_values: true } as const;

/** How the cluster keeps documents. */
export function mappingsFor({ dimensions, vectorIndex }: CheckedSettings): Readonly<Record<string, unknown>> {
  return {
    dynamic: false,
    _source: { enabled: false },
    properties: {
      id: { type: "keyword" },
      hash: { type: "long" },
      stamp: { type: "long" },
      json: BYTES,
      vector: BYTES,
      terms: { ...KEYS, norms: true, index_options: "freqs", use_similarity: true, doc_values: false },
      fieldTerms: { ...KEYS, doc_values: false },
      words: KEYS,
      numbers: { ...KEYS, doc_values: false },
      reversed: { ...KEYS, doc_values: false },
      codes: KEYS,
      lengths: { ...KEYS, index: false },
      facts: KEYS,
      paths: KEYS,
      seen: { ...KEYS, index: false },
      sorts: { ...KEYS, index: false },
      place: { type: "geo_point" },
      ...(dimensions > 0 && { near: { type: "knn_vector", dimension: dimensions, ...graphOf(vectorIndex) } }),
    },
  };
}

/** The neighbour graph, by the library that every distribution has; nothing: vectors are compared one by one. */
function graphOf({ kind, m, efConstruction }: CheckedSettings["vectorIndex"]): object {
  if (kind === "exact") return {};
  const parameters = { m, ef_construction: efConstruction };
  return { method: { name: "hnsw", engine: "lucene", space_type: "cosinesimil", parameters } };
}

/** Documents made between two pauses. */
const MADE_AT_ONCE = 64;
/** Sums of stamps of a million documents are exact. */
const STAMPS = 2 ** 32;

/** The documents of the live records of a segment. */
export function* documentsOf(live: FilledSegment, settings: ResolvedSettings): Task<WrittenDocument[]> {
  const { segment, deletedDocs } = live;
  const { records, vectors, size } = segment;
  const reader = new RecordReader(records);
  const documents: WrittenDocument[] = [];
  const { effective } = settings;
  const { words } = new SearchLanguage(settings);
  const { otherNumbers } = has(words, "analyze") ? PLAIN_WORDS : words;
  const keyOfText = sortKeysOf(effective);
  const found = yield* termsOfRecords(live, { weightOf: fieldWeights(effective), otherNumbers });
  for (let doc = 0 as LocalDoc; doc < size; doc++) {
    if (doc % MADE_AT_ONCE === 0) yield;
    if (deletedDocs?.has(doc)) continue;
    const stored = yield* reader.stored(doc);
    const id = records.ids.textAt(doc);
    const vector = vectors === null ? null : vectorOf(vectors, doc);
    documents.push({
      ...found[doc]!,
      ...factsOf(stored.parse(), keyOfText),
      id,
      hash: hashOfId(id),
      stamp: Math.floor(Math.random() * STAMPS),
      json: stored.wholeJson().toString("base64"),
      ...(vector !== null && {
        ...(effective.vectorAttribute === null && { vector: packed(vector) }),
        near: Array.from(vector.components),
      }),
    });
  }
  return documents;
}

/** A segment, and which of its records are deleted. */
export type FilledSegment = Pick<LiveSegment, "segment" | "deletedDocs">;

function packed({ components }: UnitVector): string {
  return Buffer.from(components.buffer, components.byteOffset, components.byteLength).toString("base64");
}

function unpacked(text: string): UnitVector {
  const bytes = Buffer.from(text, "base64");
  const components = new Int16Array(bytes.length / 2);
  let square = 0;
  for (let i = 0; i < components.length; i++) {
    const component = bytes.readInt16LE(2 * i);
    components[i] = component;
    square += component * component;
  }
  return { components, inverseLength: 1 / Math.sqrt(square) };
}

/** What segments are made with. */
export type RestoreContext = Omit<BuildContext, "vectorsFrom" | "embedded" | "onProgress" | "warn">;

/** Documents as records to be indexed, in the order of their ids. */
export function entriesOf(
  documents: readonly RecordDocument[],
  { settings, limits }: Pick<RestoreContext, "settings" | "limits">,
): WrittenEntry[] {
  const { vectorAttribute } = settings.effective;
  const sorted = [...documents].sort((a, b) => byCodeUnit(a.id, b.id));
  return sorted.map(({ id, json }) =>
    vectorAttribute === null
      ? { id, json, vector: undefined, position: undefined }
      : readEntry(JSON.parse(json), { settings: settings.effective, limits }),
  );
}

/** Documents as what an index holds. */
export async function restored(documents: readonly RecordDocument[], context: RestoreContext): Promise<RestoredIndex> {
  const { settings, signal } = context;
  const embedded =
    settings.effective.vectorAttribute === null
      ? new Map(documents.flatMap(({ id, vector }) => (vector === undefined ? [] : [[id, unpacked(vector)] as const])))
      : undefined;
  const entries = entriesOf(documents, context);
  const segments: RestoredIndex["segments"][number][] = [];
  const written = new AttributeHistory();
  for (const group of await runTask(cutIntoSegments(entries), signal)) {
    const own = { ...context, vectorsFrom: undefined, embedded, onProgress: () => {}, warn: () => {} };
    const segment = await buildSegment(group, own);
    segments.push({ segment, deletedDocs: null });
    await runTask(written.addSegment(segment.attributes), signal);
  }
  return { segments, written, deletedIds: [] };
}
