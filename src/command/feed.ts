// The rows of a file. What it holds is recognised by its content: gzip, UTF-16, CSV, JSON, JSON Lines, XML. One row is in memory at a time,
// beside a piece of the file.

import { parse } from "csv-parse";
import { CommandError } from "./errors.js";
import { bytesOf, type FeedFile } from "./feed-bytes.js";
import { jsonLineRows, jsonRows, type Row, readRecord } from "./json-rows.js";
import { xmlRows } from "./xml-rows.js";

export type FeedFormat = "CSV" | "JSON" | "JSON Lines" | "XML" | "export";

interface FeedOptions {
  readonly delimiter: string | undefined;
  readonly encoding: string | undefined;
  /** Gets the number of bytes of the file that were read. */
  readonly onBytes: (bytes: number) => void;
}

/** So many characters are looked at to know a format. */
const HEAD = 4 << 20;
const DELIMITERS = [",", ";", "\t", "|"];
const MAX_ROW_BYTES = 4 << 20;
/** What windows-1252 has at 0x80 to 0x9f. Some versions of Node read it as ISO 8859-1. */
const WINDOWS = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/**
 * Opens a file; `head`: the first line of an export, which has the settings. Throws a CommandError, without the name of the file, where it
 * cannot be read.
 */
export async function openFeed(
  file: FeedFile,
  options: FeedOptions,
): Promise<{ format: FeedFormat; head: string; rows: AsyncGenerator<Row[], void, undefined> }> {
  const pieces = textOf(file, options);
  let head = "";
  while (head.length < HEAD) {
    const next = await pieces.next();
    if (next.done) break;
    head += next.value;
  }
  const all = joined(head, pieces);
  const start = head.trimStart();
  if (start.startsWith("<")) return { format: "XML", head: "", rows: xmlRows(all, head.slice(0, HEAD / 4)) };
  if (!/^[[{]/.test(start)) return { format: "CSV", head: "", rows: csvRows(all, head, options.delimiter) };
  const [first = ""] = start.split("\n", 1);
  if (/^\{\s*"tandem-search"\s*:/.test(first) && readRecord(first, 1).problem === undefined)
    return { format: "export", head: first, rows: jsonLineRows(all, 1) };
  return isLines(first, start.slice(first.length))
    ? { format: "JSON Lines", head: "", rows: jsonLineRows(all) }
    : { format: "JSON", head: "", rows: jsonRows(all) };
}

async function* joined(head: string, rest: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  yield head;
  yield* rest;
}

/** Whether the first line is a record, and not an object with a list of them. */
function isLines(first: string, rest: string): boolean {
  const { values, problem } = readRecord(first, 1);
  // A line of JSON Lines may be wrong, but an object of several lines ends in another than its first.
  if (problem !== undefined) return /^\{.*\}\s*$/.test(first) && rest.trimStart().startsWith("{");
  const lists = Object.values(values).filter((one) => Array.isArray(one) && typeof one[0] === "object");
  return rest.trim() !== "" || lists.length !== 1 || "id" in values || "sku" in values;
}

async function* textOf(file: FeedFile, { encoding, onBytes }: FeedOptions): AsyncGenerator<string, void, undefined> {
  let line = 1;
  let decode: ((bytes?: Buffer) => string) | undefined;
  let last: Buffer | undefined;
  try {
    for await (const bytes of bytesOf(file, onBytes)) {
      decode ??= decoderFor(bytes, encoding);
      last = bytes;
      const text = decode(bytes);
      line += text.split("\n").length - 1;
      yield text;
    }
    yield decode?.() ?? "";
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    if (code === "EACCES" || code === "EPERM") throw new CommandError("not allowed to read this file.");
    if (code.startsWith("Z_")) throw new CommandError(`damaged, or not packed by gzip (${message}).`);
    // In browsers, a TypeError without a code.
    if (code !== "ERR_ENCODING_INVALID_ENCODED_DATA" && !(code === "" && error instanceof TypeError)) throw error;
    line += new TextDecoder().decode(last).split("\ufffd", 1)[0]!.split("\n").length - 1;
    const known = `not ${encoding ?? "UTF-8"} text; name what it is, such as --encoding windows-1252.`;
    throw new CommandError(`line ${line}: ${known}`);
  }
}

function decoderOf(encoding: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch {
    throw new CommandError(
      `"${encoding}" is no encoding; known are utf-8, utf-16le, windows-1252, iso-8859-2 and so on.`,
    );
  }
}

/** Decodes the pieces of a text that begins with these bytes. */
function decoderFor(start: Buffer, given: string | undefined): (bytes?: Buffer) => string {
  const mark = start.subarray(0, 3).toString("latin1");
  if (mark === "PK\x03") throw new CommandError("a file of Excel or a zip file; save it as CSV.");
  const declared = /^<\?xml[^>]*\sencoding=["']([\w-]+)/.exec(start.subarray(0, 200).toString("latin1"))?.[1];
  let encoding = given ?? declared ?? "utf-8";
  if (mark === "\xef\xbb\xbf") encoding = "utf-8";
  if (mark.startsWith("\xff\xfe")) encoding = "utf-16le";
  if (mark.startsWith("\xfe\xff")) encoding = "utf-16be";
  const decoder = decoderOf(encoding);
  if (decoder.encoding === "windows-1252")
    return (bytes = Buffer.alloc(0)) =>
      bytes.toString("latin1").replace(/[\x80-\x9f]/g, (one) => WINDOWS[one.charCodeAt(0) - 0x80]!);
  return (bytes) => decoder.decode(bytes, { stream: bytes !== undefined });
}

async function* csvRows(
  pieces: AsyncIterable<string>,
  head: string,
  given: string | undefined,
): AsyncGenerator<Row[], void, undefined> {
  let rows: Row[] = [];
  let names: readonly string[] | undefined;
  /** The line at which the last row ended. */
  let ended = 0;
  const parser = parse({
    delimiter: given ?? delimiterOf(head),
    max_record_size: MAX_ROW_BYTES,
    record_delimiter: "\n",
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    // Rows are taken here, since a stream of objects is slow. Nothing is returned: nothing is passed on.
    on_record: (cells: string[], { lines }) => {
      ended = lines;
      const line = lines - lineEndsIn(cells);
      if (names === undefined) names = readNames(cells);
      else if (cells.length === names.length) rows.push({ line, values: readRow(names, cells) });
      else rows.push({ line, values: {}, problem: `${cells.length} of ${names.length} cells` });
    },
  });
  // Each write tells of errors, too.
  parser.on("error", () => {}).resume();
  const write = (piece: string | undefined) =>
    new Promise<void>((resolve, reject) => {
      const then = (error?: Error | null) => (error ? reject(unclosed(error, ended + 1)) : resolve());
      if (piece === undefined) parser.once("end", then).once("error", then).end();
      else parser.write(piece, then);
    });
  let last = "";
  for await (const piece of pieces) {
    // One kind of line ends, because the parser counts others twice.
    await write((last === "\r" ? piece.replace(/^\n/, "") : piece).replace(/\r\n?/g, "\n"));
    last = piece.at(-1) ?? last;
    yield rows;
    rows = [];
  }
  await write(undefined);
  yield rows;
}

/** The most frequent delimiter in the first line, outside quotes. */
function delimiterOf(head: string): string {
  const [header = ""] = head
    .trimStart()
    .replace(/"[^"]*"/g, "")
    .split(/[\r\n]/, 1);
  const counts = DELIMITERS.map((delimiter) => header.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))]!;
}

/** A quoted cell may span several lines; the place of a row is its first line. */
function lineEndsIn(cells: readonly string[]): number {
  let count = 0;
  for (const cell of cells) for (let end = cell.indexOf("\n"); end >= 0; end = cell.indexOf("\n", end + 1)) count++;
  return count;
}

/** Names of columns, no two of which are the same. */
function readNames(cells: readonly string[]): string[] {
  const times = new Map<string, number>();
  return cells.map((cell) => {
    const name = cell.trim();
    const time = (times.get(name) ?? 0) + 1;
    times.set(name, time);
    return time === 1 ? name : `${name} (${time})`;
  });
}

function readRow(names: readonly string[], cells: readonly string[]): Record<string, unknown> {
  const values: Record<string, unknown> = Object.create(null);
  // Spreadsheets and data frames export columns without a name, with row numbers or nothing in them.
  for (let i = 0; i < names.length; i++) if (names[i] !== "") values[names[i]!] = cells[i]!.trim();
  return values;
}

function unclosed(error: Error, line: number): Error {
  const { code = "", message } = error as NodeJS.ErrnoException;
  if (code === "CSV_QUOTE_NOT_CLOSED" || code === "CSV_MAX_RECORD_SIZE")
    return new CommandError(`line ${line}: a quote that opens here or soon after is not closed.`);
  return code.startsWith("CSV_") ? new CommandError(`line ${line}: ${message}`) : error;
}
