// A record as a document of the cluster: its id, its JSON as it is stored, and the vector that its texts were embedded to. Deleted records
// leave a document behind, so that other processes learn of it. The settings are one document more.

import type { FieldTotals } from "../inverted/bm25.js";
import type { CheckedSettings } from "../settings/resolved-settings.js";
import type { ForeignRecords } from "../state/durability.js";
import { RecordReader, type WrittenEntry } from "../state/record-table.js";
import type { LiveSegment } from "../state/segment.js";
import type { LocalDoc } from "../util/doc-set.js";
import { SearchError } from "../util/errors.js";
import { at, type JsonRecord, objectIn } from "../util/json.js";
import { GREATEST_LIMITS } from "../util/limits.js";
import { byCodeUnit } from "../util/sorted.js";
import type { Task } from "../util/tasks.js";
import { packVector, type UnitVector, unpackVector } from "../vectors/unit-vector.js";
import { vectorOf } from "../vectors/vector-rows.js";
import { readEntry } from "../write/read-batch.js";
import { documentIdOf, fenceOf, SETTINGS_ID } from "./cluster-names.js";

/** What a document says of a record. */
export interface RecordDocument {
  readonly id: string;
  /** The record, as it is stored; undefined: it was deleted. */
  readonly json: string | undefined;
  /** The components of its embedded vector, 16 bits each, as base64. */
  readonly vector?: string | undefined;
}

/** A document as it is written. */
export interface WrittenDocument extends RecordDocument {
  /** What the cluster finds the record by, if it searches by itself. */
  readonly columns?: JsonRecord | undefined;
}

/** A record as it was read, with its version. */
export type ReadDocument = RecordDocument & { readonly version: DocumentVersion };

/** Which operation wrote a document. */
export interface OperationNumber {
  readonly seqNo: number;
  readonly primaryTerm: number;
}

/** What tells whether a document was written since, and by which calls. */
export interface DocumentVersion extends OperationNumber {
  readonly tags: readonly string[];
}

/** One operation of a bulk request. */
export interface WriteItem {
  readonly documentId: string;
  /** Empty: the document is removed. */
  readonly source: string;
  /** The version that it replaces, null for none; undefined: any. */
  readonly version?: DocumentVersion | null | undefined;
}

/** The document of the settings of an index. */
export interface SettingsDocument extends OperationNumber {
  /** As the engine writes them. */
  readonly text: string;
  /** The number of the last operation whose deletion is not told any more. */
  readonly forgotten: number;
  /** Of an index that the cluster searches: the lengths of fields, as far as they are known. undefined: each process has the records. */
  readonly lengths?: FieldTotals | undefined;
}

/** What settings say, whichever operation wrote them. */
export type NotedSettings = Omit<SettingsDocument, keyof OperationNumber>;

/** The version of how documents are kept. */
const FORM = 2;

/** How the cluster keeps documents: it finds them by id, by when they were written, and by who wrote them; their content it only stores. */
export function mappingsOf(physical: string, others: object = {}): object {
  return {
    dynamic: "strict",
    _meta: { tandem: { form: FORM } },
    properties: {
      content: { type: "object", enabled: false },
      by: { type: "keyword", norms: false, index_options: "docs", doc_values: false },
      deleted: { type: "long" },
      [fenceOf(physical)]: { type: "boolean", index: false, doc_values: false },
      ...others,
    },
  };
}

/** Writes a record. `by`: the process that does. `tags`: the last calls that wrote it. */
export function recordItem(
  physical: string,
  { id, json, vector, columns }: WrittenDocument,
  by: string,
  version?: DocumentVersion | null,
  tags?: readonly string[],
): WriteItem {
  const deleted = json === undefined ? { deleted: Date.now() } : {};
  // The fence comes first: another index refuses it before it reads what it may keep otherwise.
  const source = { [fenceOf(physical)]: true, content: { id, json, vector, tags }, by, ...deleted, ...columns };
  return { documentId: documentIdOf(id), source: JSON.stringify(source), version };
}

/** Writes settings. `version`: null: there are none yet. */
export function settingsItem(physical: string, settings: NotedSettings & Partial<OperationNumber>): WriteItem {
  const { text, forgotten, lengths, seqNo, primaryTerm } = settings;
  const version: DocumentVersion | null =
    seqNo === undefined || primaryTerm === undefined ? null : { seqNo, primaryTerm, tags: [] };
  const searched = lengths && { search: "remote", lengths: Object.fromEntries(lengths) };
  const source = { content: { form: FORM, text, forgotten, ...searched }, by: "", [fenceOf(physical)]: true };
  return { documentId: SETTINGS_ID, source: JSON.stringify(source), version };
}

/** What an answer says of the version of a document; undefined: nothing. */
export function versionIn(document: unknown): DocumentVersion | undefined {
  const [seqNo, primaryTerm] = [at(document, "_seq_no"), at(document, "_primary_term")];
  if (!Number.isSafeInteger(seqNo) || !Number.isSafeInteger(primaryTerm)) return undefined;
  const given = at(document, "_source", "content", "tags");
  const tags = Array.isArray(given) ? given.filter((tag) => typeof tag === "string") : [];
  return { seqNo: seqNo as number, primaryTerm: primaryTerm as number, tags };
}

/** The settings in a document of an answer. Throws 409 for one of another form. */
export function settingsDocumentIn(document: unknown, physical: string): SettingsDocument {
  const of = (name: string): unknown => at(document, "_source", "content", name);
  const [text, forgotten, search, lengths] = [of("text"), of("forgotten"), of("search"), objectIn(of("lengths"))];
  const version = versionIn(document);
  const isWhole = of("form") === FORM && typeof text === "string" && typeof forgotten === "number";
  if (isWhole && version !== undefined && search === undefined) return { text, forgotten, ...version };
  if (isWhole && version !== undefined && search === "remote" && lengths !== undefined)
    return { text, forgotten, ...version, lengths: new Map(Object.entries(lengths)) as FieldTotals };
  const msg =
    "The index in the cluster is of another form than this version keeps; export it with the version that wrote it and import that, or delete it and load it anew.";
  throw new SearchError(409, "storage_version", msg, { cause: new Error(`It is ${physical}.`) });
}

/**
 * The record in a document of an answer; of what was not asked for it is empty. Throws 500 `storage_corrupt` for what no engine wrote.
 */
export function documentIn(document: unknown): ReadDocument {
  const source = at(document, "_source");
  const [id, json, vector] = ["id", "json", "vector"].map((name) => at(source, "content", name));
  const isWhole = typeof id === "string" && documentIdOf(id) === at(document, "_id");
  if (
    !isWhole ||
    (json !== undefined && typeof json !== "string") ||
    (vector !== undefined && typeof vector !== "string")
  )
    throw damaged(new Error(`The document ${String(at(document, "_id"))} has no record.`));
  const said = json ?? (at(source, "deleted") === undefined ? "{}" : undefined);
  return { id, json: said, vector, version: versionIn(document)! };
}

/** About how many bytes documents have. */
export function sizeOf(documents: readonly RecordDocument[]): number {
  return documents.reduce((sum, { json, vector }) => sum + (json?.length ?? 0) + (vector?.length ?? 0), 0);
}

/** Documents made between two pauses. */
const MADE_AT_ONCE = 64;

/** A segment of which documents are made, but for its deleted records. */
export type DocumentSource = Pick<LiveSegment, "segment"> & Partial<Pick<LiveSegment, "deletedDocs">>;

/** The documents of the records of a segment. `vectorAttribute`: that of own vectors, which stand in the records. */
export function* documentsOf(
  { segment, deletedDocs = null }: DocumentSource,
  vectorAttribute: string | null,
): Task<RecordDocument[]> {
  const { records, vectors, size } = segment;
  const reader = new RecordReader(records);
  const documents: RecordDocument[] = [];
  for (let doc = 0 as LocalDoc; doc < size; doc++) {
    if (doc % MADE_AT_ONCE === 0) yield;
    if (deletedDocs?.has(doc)) continue;
    const id = records.ids.textAt(doc);
    const json = (yield* reader.stored(doc)).wholeJson().toString("utf8");
    const vector = vectors === null || vectorAttribute !== null ? null : vectorOf(vectors, doc);
    documents.push({ id, json, vector: vector === null ? undefined : packVector(vector) });
  }
  return documents;
}

/** Documents, each of another record, as an index takes them. They are trusted to have what was checked when they were written. */
export function foreignRecords(documents: readonly RecordDocument[], settings: CheckedSettings): ForeignRecords {
  const { vectorAttribute, dimensions } = settings;
  const context = { settings, limits: GREATEST_LIMITS };
  const sorted = [...documents].sort((a, b) => byCodeUnit(a.id, b.id));
  const entries: WrittenEntry[] = [];
  const vectors = vectorAttribute === null ? new Map<string, UnitVector>() : undefined;
  for (const { id, json, vector } of sorted) {
    if (json === undefined) continue;
    const isPlain = vectorAttribute === null;
    entries.push(isPlain ? { id, json, vector: undefined, position: undefined } : readEntry(JSON.parse(json), context));
    const own = vector === undefined ? undefined : unpackVector(vector, dimensions);
    if (own !== undefined) vectors?.set(id, own);
  }
  return { entries, vectors, deletedIds: sorted.flatMap(({ id, json }) => (json === undefined ? [id] : [])) };
}

/** A document is not as an engine writes it. */
export function damaged(cause: unknown): SearchError {
  const msg =
    "A document of the index in the cluster is damaged (see cause), so the engine shows what it showed before; replace the record, or the index.";
  return new SearchError(500, "storage_corrupt", msg, { cause });
}
