// An index as text in lines of JSON. The first line has the version of this format and the settings, with functions by id; each other
// line is a record as it is stored, by the order of ids. Plain JSON Lines are imported, too.

import type { EmbeddingJob } from "../embedding/remembered-vectors.js";
import { type ImportProgress, readOptions, type SkippedLine, type SnapshotProgress } from "../input/call-options.js";
import { namedSettings, restoreSettings, type SettingsPair, withFunctions } from "../input/extension-ids.js";
import { checkSettings, copySettings, knownSettings, STORED_SETTINGS } from "../input/read-settings.js";
import { textInSteps } from "../settings/fingerprint.js";
import type { EngineContext } from "../state/engine-activity.js";
import { docsInIdOrder, type IndexSnapshot, SnapshotReader } from "../state/index-snapshot.js";
import type { WrittenEntry } from "../state/record-table.js";
import { isBytes } from "../util/brand.js";
import { refusal, SearchError, show, showKind } from "../util/errors.js";
import { type JsonLimits, parseJson } from "../util/json-reader.js";
import { type Line, LineCutter, lineError } from "../util/lines.js";
import { nextTurn, pauseIfLong, runTask, type Task, throwIfAborted, untilAborted, withinTime } from "../util/tasks.js";
import { readEntry } from "../write/read-batch.js";
import type { LiveIndex } from "./live-index.js";
import { notFound } from "./name-rules.js";

/** Text, bytes in UTF-8, or pieces of either, which may be cut anywhere. */
export type ImportSource = string | Uint8Array | Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/** The version that is written. Newer ones are not read. */
const VERSION = 1;
const HEAD = '{"tandem-search":1,"settings":{…}}';
/** Characters of the pieces in which an export is given. */
const PIECE = 1 << 16;
/** Characters of lines that are indexed together. Much less makes many segments to merge, much more takes memory. */
const BATCH_CHARACTERS = 1 << 22;
/** A record counts as so many characters more than its line, because even a short one takes memory. */
const RECORD_ROOM = 256;
/** JSON escapes may take eight times the room of what they stand for. */
const ROOM_FOR_ESCAPES = 8;
const LONGEST_SETTINGS = 8_000_000;
/** So many of the lines that were left out are told. */
const MOST_SKIPPED = 100;
/** Longer texts are near to what V8 can hold in one string. */
const LONGEST_LINE = 1 << 28;

/** The lines of an export of these settings and records, in pieces. The records come in the order of their ids. */
export async function* exportLines(
  settings: SettingsPair,
  given: IndexSnapshot | Promise<IndexSnapshot>,
  { onProgress }: { readonly onProgress: (progress: SnapshotProgress) => void },
): AsyncGenerator<string, void, undefined> {
  const named = await runTask(namedSettings(settings));
  yield `{"tandem-search":${VERSION},"settings":${await runTask(textInSteps(named))}}\n`;
  const snapshot = await given;
  const { liveCount: total } = snapshot;
  const reader = new SnapshotReader(snapshot);
  let text = "";
  let done = 0;
  for (const doc of await runTask(docsInIdOrder(snapshot))) {
    const stored = await runTask(reader.stored(doc));
    text += `${stored.wholeJson().toString("utf8")}\n`;
    done++;
    if (text.length < PIECE) continue;
    yield text;
    text = "";
    if (done < total) onProgress({ done, total });
    await pauseIfLong();
  }
  if (text !== "") yield text;
  onProgress({ done, total });
}

/** What an import needs besides its source. */
interface ImportContext {
  readonly onProgress: (progress: ImportProgress) => void;
  readonly engine: EngineContext;
  readonly stop: AbortSignal;
  /** All writes are one piece of work: if a later one fails, the vectors of the earlier ones wait. */
  readonly job: EmbeddingJob;
  /** Makes the index with these settings, in memory. */
  readonly begin: (settings: SettingsPair) => LiveIndex;
  /** The settings where all lines are records; undefined: the first line has them. */
  readonly settings: SettingsPair | undefined;
  readonly onInvalid: "skip" | undefined;
}

/** Reads lines into a new index. If it fails, the index is discarded; the source is let go in any case. */
export async function importLines(
  source: unknown,
  context: ImportContext,
): Promise<{
  readonly target: LiveIndex;
  readonly result: { readonly records: number; readonly nbSkipped?: number; readonly skipped?: readonly SkippedLine[] };
}> {
  const { engine, stop, onProgress, settings } = context;
  const cutter = new LineCutter((line) => {
    const bytes = settings === undefined && line === 1 ? LONGEST_SETTINGS : engine.limits.recordBytes;
    return Math.min(LONGEST_LINE, ROOM_FOR_ESCAPES * bytes);
  });
  const reader = new ImportReader(context);
  try {
    if (settings !== undefined) await reader.begin(settings);
    for await (const piece of piecesOf(source, stop)) {
      for (const line of cutter.next(piece)) await reader.take(line);
      await pauseIfLong();
    }
    const rest = cutter.rest();
    if (rest !== undefined) await reader.take(rest);
    const target = await reader.finish();
    const { recordCount: records } = target;
    onProgress({ done: records });
    return { target, result: { records, ...(context.onInvalid === "skip" && reader.leftOut) } };
  } catch (error) {
    await reader.abandon();
    throw error;
  }
}

/** The settings of an import whose lines are all records; undefined: the first line has them. Throws 400 for wrong ones. */
export async function settingsOfImport(
  format: "records" | undefined,
  given: unknown,
  engine: EngineContext,
): Promise<SettingsPair | undefined> {
  if (format === "records") {
    const settings = withFunctions(await runTask(copySettings(given)), engine);
    return { given: knownSettings(settings), settings: await runTask(checkSettings(settings, engine)) };
  }
  if (given === undefined) return undefined;
  const msg =
    'options.settings goes with format: "records"; without it, the first line of the source has the settings.';
  throw refusal("invalid_option", "options.settings", msg);
}

/** Reads lines into an index, some at a time. */
class ImportReader {
  readonly leftOut = { nbSkipped: 0, skipped: [] as SkippedLine[] };
  private readonly context: ImportContext;
  private target: LiveIndex | undefined;
  private batch: WrittenEntry[] = [];
  private characters = 0;

  constructor(context: ImportContext) {
    this.context = context;
  }

  /** Makes the index. */
  async begin(settings: SettingsPair): Promise<void> {
    const { advice } = settings.settings;
    if (advice !== undefined) this.context.engine.warn(advice);
    this.target = this.context.begin(settings);
    // Nobody searches this index. The index that takes over its records makes a graph of its own.
    this.target.data.graph.end();
  }

  async take({ text: given, number }: Line): Promise<void> {
    const { engine, stop, onProgress } = this.context;
    const { target } = this;
    const text = number === 1 ? given.replace(/^\ufeff/, "") : given;
    if (target === undefined) {
      const head = await parseLine({ text, number }, STORED_SETTINGS, "settings");
      const pair = await atLine(number, async () => runTask(readHead(head, engine)));
      if (pair.settings.missing !== undefined) throw pair.settings.missing;
      return this.begin(pair);
    }
    await pauseIfLong();
    throwIfAborted(stop);
    if (text.trim() === "") return;
    const entry = await this.read({ text, number }, target);
    if (entry === undefined) return;
    this.batch.push(entry);
    this.characters += text.length + RECORD_ROOM;
    if (this.characters < BATCH_CHARACTERS) return;
    await this.write(target);
    onProgress({ done: target.recordCount });
  }

  /** The index with all records. */
  async finish(): Promise<LiveIndex> {
    const target = this.target ?? (await atLine(1, () => refuseHead("there is none")));
    await this.write(target);
    return target;
  }

  async abandon(): Promise<void> {
    await this.target?.end(notFound(this.target.name));
  }

  /** The record of a line; undefined: it is wrong, and was left out. */
  private async read(line: Line, target: LiveIndex): Promise<WrittenEntry | undefined> {
    const { limits } = this.context.engine;
    const { recordBytes: most, recordAttributes: names, recordDepth: depth } = limits;
    const settings = target.settings.effective;
    try {
      // As much as a record within its limits may hold: each value takes at least a byte, and so does each character.
      const may = { values: most, containers: most, characters: most, names, depth };
      const record = await parseLine(line, may, "record");
      return await atLine(line.number, () => readEntry(record, { settings, limits }));
    } catch (problem) {
      if (this.context.onInvalid !== "skip" || !(problem instanceof SearchError)) throw problem;
      const { error, msg } = problem;
      if (this.leftOut.nbSkipped++ < MOST_SKIPPED) this.leftOut.skipped.push({ line: line.number, error, msg });
      return undefined;
    }
  }

  private async write({ writer }: LiveIndex): Promise<void> {
    const { batch } = this;
    const { stop: signal, job } = this.context;
    this.batch = [];
    this.characters = 0;
    await writer.addEntries(batch, { ...readOptions("call", {}), signal, job });
  }
}

/** What `read` returns. An error that it throws names the line. */
async function atLine<T>(line: number, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof SearchError ? lineError(line, error) : error;
  }
}

/** Parsing so many characters of JSON takes some ten milliseconds at most; longer lines are parsed in steps. */
const PARSED_AT_ONCE = 1 << 17;

/** The value of a line of JSON. Throws 400 if it is none, and if it holds more than its limits 413, or 400 for settings. */
async function parseLine({ text, number }: Line, limits: JsonLimits, kind: "record" | "settings"): Promise<unknown> {
  const refuse = (why: "invalid" | "large", cause?: unknown): SearchError => {
    if (why === "invalid")
      return lineError(number, new SearchError(400, "invalid_line", "it is not JSON.", { param: "source", cause }));
    const [code, error] = kind === "record" ? [413, "record_too_large"] : [400, "settings_too_large"];
    return lineError(number, new SearchError(code, error, `it holds more than ${kind} may; shorten it.`));
  };
  if (text.length > PARSED_AT_ONCE) {
    // Putting a line of many megabytes together took a while.
    await nextTurn();
    return runTask(parseJson(Buffer.from(text), limits, refuse));
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw refuse("invalid", cause);
  }
}

function readHead(value: unknown, engine: EngineContext): Task<SettingsPair> {
  const head = value as { readonly "tandem-search"?: unknown; readonly settings?: unknown } | null;
  const version = head?.["tandem-search"];
  if (version === undefined) refuseHead("it is another");
  if (!Number.isSafeInteger(version) || (version as number) < 1) refuseHead(`its version is ${show(version)}`);
  if ((version as number) > VERSION) {
    const msg = `the export has the format ${show(version)}, and this version reads up to ${VERSION}; install a newer one.`;
    throw new SearchError(500, "storage_version", msg, { param: "source" });
  }
  return restoreSettings(head?.settings ?? null, engine);
}

function refuseHead(found: string): never {
  const msg = `expected ${HEAD} as the first line, but ${found}.`;
  throw new SearchError(400, "invalid_line", msg, { param: "source" });
}

// The source. It is the caller's, and may do anything.

type Piece = string | Uint8Array;
type Step = { readonly done: true } | { readonly done: false; readonly piece: Piece };
type SourceIterator = Iterator<unknown> | AsyncIterator<unknown>;

/** So long an import waits for a source to close itself, in milliseconds: long enough for a file. */
const MOMENT_MS = 500;

/**
 * The pieces of a source. When reading stops early, the iterator is closed. That is waited for, but only for a moment, and not
 * once `stop` is aborted.
 */
async function* piecesOf(source: unknown, stop: AbortSignal): AsyncGenerator<Piece, void, undefined> {
  if (typeof source === "string" || isBytes(source)) return yield source;
  const iterator = openSource(source);
  let isOver = false;
  const next = async (): Promise<Step> => {
    try {
      const step = (await iterator.next()) as IteratorResult<unknown>;
      if (!step.done) return { done: false, piece: asPiece(await step.value) };
      isOver = true;
      return { done: true };
    } catch (cause) {
      if (cause instanceof SearchError) throw cause;
      isOver = true;
      const msg = "The source threw an error (see cause); nothing was changed.";
      throw new SearchError(502, "source_failed", msg, { param: "source", cause });
    }
  };
  try {
    for (let step = await untilAborted(next(), stop); !step.done; step = await untilAborted(next(), stop))
      yield step.piece;
  } finally {
    if (!isOver) await withinTime(MOMENT_MS, stop, async () => iterator.return?.()).catch(() => {});
  }
}

function openSource(source: unknown): SourceIterator {
  const expected = "text, bytes, or an iterable of either";
  try {
    const { [Symbol.asyncIterator]: asynchronous, [Symbol.iterator]: synchronous } = source as Partial<
      AsyncIterable<unknown> & Iterable<unknown>
    >;
    const open: unknown = asynchronous ?? synchronous;
    const iterator: unknown = typeof open === "function" ? Reflect.apply(open, source, []) : undefined;
    if (typeof iterator === "object" && iterator !== null) return iterator as SourceIterator;
  } catch (cause) {
    const msg = `source could not be read (see cause); pass ${expected}.`;
    throw new SearchError(400, "invalid_source", msg, { param: "source", cause });
  }
  throw new SearchError(400, "invalid_source", `source is ${showKind(source)}; pass ${expected}.`, { param: "source" });
}

function asPiece(value: unknown): Piece {
  if (typeof value === "string") return value;
  if (isBytes(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  const msg = `source gave ${showKind(value)}; expected text or bytes (a Uint8Array).`;
  throw new SearchError(400, "invalid_source", msg, { param: "source" });
}
