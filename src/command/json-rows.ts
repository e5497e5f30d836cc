// The records of JSON, without reading all of it: lines, or the objects of an array.

import { CommandError } from "./errors.js";

/** One row, or one record of a list. */
export interface Row {
  /** Where it begins, counted from 1. */
  readonly line: number;
  readonly values: Readonly<Record<string, unknown>>;
  /** Why it is no row. */
  readonly problem?: string;
}

const MAX_RECORD = 64 << 20;
const [NEWLINE, QUOTE, COMMA, OPEN_LIST, BACKSLASH, CLOSE_LIST, OPEN, CLOSE] = [...'\n",[\\]{}'].map((one) =>
  one.charCodeAt(0),
);

/** The records of JSON Lines, after so many other lines. */
export async function* jsonLineRows(pieces: AsyncIterable<string>, before = 0): AsyncGenerator<Row[], void, undefined> {
  let rest = "";
  let line = 0;
  const read = (lines: readonly string[]) =>
    lines.flatMap((text) => (++line <= before || text.trim() === "" ? [] : [readRecord(text, line)]));
  for await (const piece of pieces) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop()!;
    if (rest.length > MAX_RECORD) throw new CommandError(`line ${line + 1}: too long for a record.`);
    yield read(lines);
  }
  yield read([rest]);
}

/** The objects of an array, or of the one array of objects in an object. */
export async function* jsonRows(pieces: AsyncIterable<string>): AsyncGenerator<Row[], void, undefined> {
  const scanner = new JsonScanner();
  for await (const piece of pieces) yield scanner.next(piece);
  yield scanner.end();
}

class JsonScanner {
  private line = 1;
  private depth = 0;
  /** The depth of the records: 1 in an array, 2 in an object. */
  private at = 1;
  /** The lists of records so far. The last one is open, and nothing of it was read yet. */
  private lists = 0;
  private isOpen = false;
  private isFresh = false;
  private isOver = false;
  private inString = false;
  private isEscaped = false;
  /** The record that is being read, as far as it was in earlier pieces, and its first line. */
  private text: string | undefined;
  private started = 1;

  next(piece: string): Row[] {
    const rows: Row[] = [];
    let from = 0;
    let inString = this.inString;
    let isEscaped = this.isEscaped;
    for (let i = 0; i < piece.length; i++) {
      const code = piece.charCodeAt(i);
      if (inString) {
        if (isEscaped) isEscaped = false;
        else if (code === BACKSLASH) isEscaped = true;
        else if (code === QUOTE) inString = false;
        continue;
      }
      if (code <= 32) {
        if (code === NEWLINE) this.line++;
        continue;
      }
      if (this.isOver) throw new CommandError(`line ${this.line}: something follows the end of the JSON.`);
      if (this.isOpen && this.depth === this.at) {
        if (code === COMMA || code === CLOSE_LIST) {
          if (this.text !== undefined) rows.push(readRecord(this.text + piece.slice(from, i), this.started));
          this.text = undefined;
          this.isOpen = code === COMMA;
        } else if (this.text === undefined && this.begins(code)) from = i;
      }
      if (code === QUOTE) inString = true;
      else if (code === OPEN_LIST || code === OPEN) this.open(code);
      else if (code === CLOSE || code === CLOSE_LIST) this.isOver = --this.depth <= 0;
    }
    this.inString = inString;
    this.isEscaped = isEscaped;
    if (this.text !== undefined) this.text += piece.slice(from);
    if ((this.text?.length ?? 0) > MAX_RECORD) throw new CommandError(`line ${this.started}: too long for a record.`);
    return rows;
  }

  end(): Row[] {
    if (!this.isOver)
      return [
        { line: this.text === undefined ? this.line : this.started, values: {}, problem: "the file ends within it" },
      ];
    if (this.lists === 0) throw new CommandError("the JSON is neither an array of objects nor an object with one.");
    return [];
  }

  private open(code: number): void {
    if (++this.depth === 1 && code === OPEN) this.at = 2;
    if (code !== OPEN_LIST || this.depth !== this.at) return;
    this.isOpen = true;
    this.isFresh = true;
    if (this.at === 1) this.lists = 1;
  }

  /** Begins a record, unless this list is one of something else. */
  private begins(code: number): boolean {
    if (this.isFresh && this.at === 2) {
      this.isOpen = code === OPEN;
      if (this.isOpen && ++this.lists > 1)
        throw new CommandError(`line ${this.line}: the object has a second array of objects; one is the records.`);
    }
    this.isFresh = false;
    if (!this.isOpen) return false;
    this.text = "";
    this.started = this.line;
    return true;
  }
}

/** The object that a text is. */
export function readRecord(text: string, line: number): Row {
  try {
    const values: unknown = JSON.parse(text);
    if (typeof values === "object" && values !== null && !Array.isArray(values))
      return { line, values: values as Row["values"] };
    return { line, values: {}, problem: "no JSON object" };
  } catch (error) {
    return { line, values: {}, problem: `no JSON (${(error as Error).message})` };
  }
}
