// From checked records to a private segment: analyse their words, embed their texts, write tables. Works in slices, may wait
// for an embedder, may fail; touches nothing that others see.

import { isBlank } from "../analysis/normalize-text.js";
import type { WordForms } from "../analysis/word-forms.js";
import type { AttributeCatalog } from "../docvalues/attribute-values.js";
import { pathsOf } from "../docvalues/attribute-values.js";
import { embedTexts } from "../embedding/embed-texts.js";
import type { Postings } from "../inverted/postings.js";
import { PostingsWriter } from "../inverted/postings-writer.js";
import type { ResolvedSettings } from "../settings/settings.js";
import type { Analyzer, SearchWarning } from "../util/extension-points.js";
import type { JsonRecord, JsonValue } from "../util/json.js";
import type { Limits } from "../util/limits.js";
import { runTask, type Task } from "../util/tasks.js";
import { requireVector, type UnitVector } from "../vectors/unit-vector.js";
import { writeVectorRows } from "../vectors/vector-rows.js";
import { FieldIndexer, PAUSE_CHARACTERS } from "./field-indexer.js";
import { ownVector } from "./packed-vector.js";
import { embeddedText, type FieldRules, readFields } from "./read-fields.js";
import { type RecordTable, recordOf, type WrittenEntry, writeRecordTable } from "./record-table.js";
import type { SearchLanguage } from "./search-language.js";
import { createSegment, type Segment } from "./segment.js";

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
  const { records, postings, texts } = await runTask(steps, signal);
  if (dimensions === 0) return createSegment(records, postings, null);
  const vectors =
    vectorAttribute === null
      ? await embedRecords(entries, texts, context)
      : await runTask(ownVectors(entries, dimensions, vectorAttribute), signal);
  return createSegment(records, postings, await runTask(writeVectorRows(vectors, dimensions), signal));
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

/** What analysing depends on besides the records. */
interface AnalysisContext {
  readonly rules: FieldRules;
  readonly words: WordForms | Analyzer;
  /** Whether the texts to embed are wanted. */
  readonly embeds: boolean;
  /** Gets every attribute that the records hold. */
  readonly attributes: AttributeCatalog;
  readonly limits: Pick<Limits, "fieldCharacters" | "fieldTokens">;
  readonly warn: (warning: SearchWarning) => void;
  readonly onProgress: (done: number) => void;
}

/** Records, analysed and stored. */
interface Analysis {
  readonly records: RecordTable;
  readonly postings: Postings;
  /** Of each record the text to embed; empty where none are wanted. */
  readonly texts: readonly string[];
}

/** Records' JSON between two reports of progress. */
const REPORT_CHARACTERS = 8192;
/** JSON characters a term, roughly and on the safe side: how much room a segment is given at first. */
const CHARACTERS_A_TERM = 4;

/** Analyses records that are sorted by id. */
function* analyseRecords(entries: readonly WrittenEntry[], context: AnalysisContext): Task<Analysis> {
  const { rules, attributes, embeds, onProgress } = context;
  const characters = entries.reduce((total, { json }) => total + json.length, 0);
  const writer = new PostingsWriter(Math.ceil(characters / CHARACTERS_A_TERM));
  const texts: string[] = [];
  const index = new FieldIndexer(writer, context);
  const see = attributeSeer(attributes, rules.vectorAttribute);
  let read = 0;
  let paused = 0;
  for (let done = 0; done < entries.length; done++) {
    const entry = entries[done]!;
    const { id, json } = entry;
    read += json.length;
    if (read > REPORT_CHARACTERS) {
      onProgress(done);
      read = 0;
    }
    paused += json.length;
    if (paused > PAUSE_CHARACTERS) {
      yield;
      paused = 0;
    }
    const record = recordOf(entry);
    const fields = readFields(record, id, rules);
    see(record);
    writer.beginRecord();
    for (let i = 0; i < fields.length; i++) {
      const field = fields[i]!;
      index.begin(field);
      // A generator is made for long texts alone: to make one takes longer than to read most texts.
      for (const text of field.texts)
        if (index.takesWhole(text)) index.take(text);
        else yield* index.takePieces(text);
      index.end(field);
    }
    if (embeds) texts.push(embeddedText(record, fields, rules));
  }
  onProgress(entries.length);
  return { postings: yield* writer.finish(), records: yield* writeRecordTable(entries), texts };
}

interface PathNode {
  readonly path: string;
  readonly children: Map<string, PathNode>;
}

/** Shows records, but for the attribute of their vector, to a catalogue. */
function attributeSeer(
  attributes: AttributeCatalog,
  vectorAttribute: string | undefined,
): (record: JsonRecord) => void {
  const root: PathNode = { path: "", children: new Map() };
  const see = (value: JsonValue, node: PathNode): void => {
    if (typeof value !== "object") attributes.see(node.path, value);
    else if (Array.isArray(value)) for (const item of value) see(item, node);
    else if (value !== null)
      for (const name of Object.keys(value)) see((value as JsonRecord)[name]!, childOf(node, name, `${node.path}.`));
  };
  return (record) => {
    const names = Object.keys(record);
    // A name with dots may hide a path of the same name.
    if (names.some((name) => name.includes("."))) {
      for (const [path, value] of pathsOf(record)) if (path !== vectorAttribute) attributes.see(path, value);
    } else for (const name of names) if (name !== vectorAttribute) see(record[name]!, childOf(root, name, ""));
  };
}

function childOf(node: PathNode, name: string, before: string): PathNode {
  let child = node.children.get(name);
  if (child === undefined) {
    child = { path: before + name, children: new Map() };
    node.children.set(name, child);
  }
  return child;
}
