// Reads records from a CSV file. The header row names the attributes, an empty cell means an absent one, and a cell is a text unless it
// is a plain decimal number. Codes keep their leading zeros, and numbers that JavaScript would round stay texts.

import { pipeline, Readable } from "node:stream";
import { parse } from "csv-parse";
import { DemoError } from "./demo-error.mjs";
import { readLines } from "./file-lines.mjs";

const DELIMITERS = [",", ";", "\t"];
const MAX_ROW_CHARACTERS = 1 << 20;
const CHUNK_CHARACTERS = 1 << 16;

/**
 * @param {string} path
 * @param {(bytes: number) => void} [onBytes]
 * @param {string} [idAttribute]
 * @returns {AsyncGenerator<import("./read-records.mjs").FoundRecord>}
 */
export async function* readCsv(path, onBytes, idAttribute) {
  const lines = readLines(path, onBytes);
  const header = await firstLine(lines);
  if (header === undefined) return;
  const parsed = { columns: 0, lines: 0 };
  const before = header.number - 1;
  /** @type {string[] | undefined} */
  let names;
  try {
    for await (const { record: cells, info } of parseRows(header.text, lines, parsed)) {
      const place = `line ${before + info.lines - lineEndsIn(cells)}`;
      if (names === undefined) names = readNames(cells, `${path}, ${place}`);
      else yield { record: readRow(names, cells, idAttribute), place };
    }
  } catch (error) {
    throw explain(error, path, { before, parsed });
  }
}

/** @param {AsyncGenerator<import("./file-lines.mjs").Line>} lines */
async function firstLine(lines) {
  for (let next = await lines.next(); !next.done; next = await lines.next())
    if (next.value.text.trim() !== "") return next.value;
  return undefined;
}

/**
 * @param {string} header
 * @param {AsyncIterable<import("./file-lines.mjs").Line>} lines those after the header
 * @param {{ columns: number, lines: number }} parsed updated; the parser reads ahead of its rows
 * @returns {AsyncIterable<{ record: string[], info: { lines: number } }>}
 */
function parseRows(header, lines, parsed) {
  const parser = parse({
    delimiter: delimiterOf(header),
    info: true,
    on_record: (row) => {
      parsed.columns = row.record.length;
      parsed.lines = row.info.lines;
      return row;
    },
    max_record_size: MAX_ROW_CHARACTERS,
    record_delimiter: "\n",
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
  });
  return pipeline(Readable.from(joinLines(header, lines)), parser, () => {});
}

/** The most frequent delimiter in the header row, outside quotes. */
function delimiterOf(/** @type {string} */ header) {
  const bare = header.replace(/"[^"]*"/g, "");
  const counts = DELIMITERS.map((delimiter) => bare.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))];
}

/**
 * @param {string} header
 * @param {AsyncIterable<import("./file-lines.mjs").Line>} lines
 */
async function* joinLines(header, lines) {
  let chunk = `${header}\n`;
  for await (const { text } of lines) {
    chunk += `${text}\n`;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = "";
  }
  yield chunk;
}

/** A quoted cell may span several lines; the place of a row is its first line. */
function lineEndsIn(/** @type {string[]} */ cells) {
  let count = 0;
  for (const cell of cells) for (let end = cell.indexOf("\n"); end >= 0; end = cell.indexOf("\n", end + 1)) count++;
  return count;
}

/**
 * @param {string[]} cells
 * @param {string} place
 */
function readNames(cells, place) {
  const names = cells.map((cell) => cell.trim());
  const twice = names.find((name, i) => name !== "" && names.indexOf(name) < i);
  if (twice !== undefined) throw new DemoError(`${place}: two columns are named "${twice}"; rename one.`);
  return names;
}

/**
 * @param {string[]} names
 * @param {string[]} cells
 * @param {string} [idAttribute]
 */
function readRow(names, cells, idAttribute) {
  /** @type {Record<string, string | number>} */
  const record = {};
  for (const [i, name] of names.entries()) {
    const cell = cells[i];
    // Spreadsheets and data frames export columns without a name, with row numbers or nothing in them.
    if (name !== "" && cell.trim() !== "") record[name] = readCell(cell, name === idAttribute);
  }
  return record;
}

/**
 * @param {string} cell
 * @param {boolean} isId
 */
function readCell(cell, isId) {
  const text = cell.trim();
  const plain = isId ? /^(0|[1-9]\d{0,14})$/ : /^-?(0|[1-9]\d*)(\.\d+)?$/;
  // Numbers represent at most fifteen digits exactly.
  return plain.test(text) && text.replace(/\D/g, "").length <= 15 ? Number(text) : cell;
}

/**
 * @param {unknown} error
 * @param {string} path
 * @param {{ before: number, parsed: { columns: number, lines: number } }} where
 */
function explain(error, path, { before, parsed }) {
  const { code, lines = 1, record } = /** @type {{ code?: string, lines?: number, record?: string[] }} */ (error);
  if (!code?.startsWith("CSV_")) return error;
  if (code === "CSV_QUOTE_NOT_CLOSED" || code === "CSV_MAX_RECORD_SIZE")
    return new DemoError(
      `${path}, line ${before + parsed.lines + 1}: a quote that opens here or soon after is not closed.`,
    );
  const place = `${path}, line ${before + lines}`;
  if (record !== undefined && code.startsWith("CSV_RECORD_INCONSISTENT"))
    return new DemoError(
      `${place}: ${record.length} of ${parsed.columns} cells; every row needs as many as the header row.`,
    );
  return new DemoError(`${place}: ${/** @type {Error} */ (error).message}.`);
}
