// A record as a document of the cluster: its JSON as it is stored, the vector that its texts were embedded to, and what tells one state of
// an index from another.

import { AttributeHistory } from "../docvalues/attribute-catalog.js";
import { type BuildContext, buildSegment, cutIntoSegments } from "../index/build-segment.js";
import type { RestoredIndex } from "../index/index-data.js";
import type { LiveSegment } from "../index/index-snapshot.js";
import { readEntry } from "../index/read-batch.js";
import { RecordReader, type WrittenEntry } from "../index/record-table.js";
import { hashOfId } from "../index/semantic-floor.js";
import type { LocalDoc } from "../util/doc.js";
import { byCodeUnit } from "../util/sorted.js";
import { runTask, type Task } from "../util/tasks.js";
import type { UnitVector } from "../vectors/unit-vector.js";
import { vectorOf } from "../vectors/vector-rows.js";

/** A document. */
export interface RecordDocument {
  readonly id: string;
  /** Which records a sample takes: see `semanticFloor`. */
  readonly hash: number;
  /** Drawn for each write: the sum of all tells whether something was written. */
  readonly stamp: number;
  /** The record, as it is stored. */
  readonly json: string;
  /** The components of its embedded vector, 16 bits each, as base64. */
  readonly vector?: string;
}

/** How the cluster keeps documents. */
export const MAPPINGS: Readonly<Record<string, unknown>> = {
  dynamic: false,
  properties: {
    id: { type: "keyword" },
    hash: { type: "long" },
    stamp: { type: "long" },
    json: { type: "keyword", index: false, doc_values: false },
    vector: { type: "keyword", index: false, doc_values: false },
  },
};

/** Documents made between two pauses. */
const MADE_AT_ONCE = 64;
/** Sums of stamps of a million documents are exact. */
const STAMPS = 2 ** 32;

/** The documents of the live records of a segment. */
export function* documentsOf({ segment, deletedDocs }: Pick<LiveSegment, "segment" | "deletedDocs">): Task<RecordDocument[]> {
  const { records, vectors, size } = segment;
  const reader = new RecordReader(records);
  const documents: RecordDocument[] = [];
  for (let doc = 0 as LocalDoc; doc < size; doc++) {
    if (doc % MADE_AT_ONCE === 0) yield;
    if (deletedDocs?.has(doc)) continue;
    const stored = yield* reader.stored(doc);
    const id = records.ids.textAt(doc);
    const vector = vectors === null ? null : vectorOf(vectors, doc);
    documents.push({
      id,
      hash: hashOfId(id),
      stamp: Math.floor(Math.random() * STAMPS),
      json: stored.wholeJson().toString("utf8"),
      ...(vector !== null && { vector: packed(vector) }),
    });
  }
  return documents;
}

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

/** Documents as what an index holds. */
export async function restored(documents: readonly RecordDocument[], context: RestoreContext): Promise<RestoredIndex> {
  const { settings, limits, signal } = context;
  const { vectorAttribute } = settings.effective;
  const sorted = [...documents].sort((a, b) => byCodeUnit(a.id, b.id));
  const entries = sorted.map(
    ({ id, json }): WrittenEntry =>
      vectorAttribute === null
        ? { id, json, vector: undefined, position: undefined }
        : readEntry(JSON.parse(json), { settings: settings.effective, limits }),
  );
  const embedded =
    vectorAttribute === null
      ? new Map(sorted.flatMap(({ id, vector }) => (vector === undefined ? [] : [[id, unpacked(vector)] as const])))
      : undefined;
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
