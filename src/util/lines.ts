// The lines of a text that arrives in pieces, which may be cut anywhere.

import { isUtf8 } from "node:buffer";
import { SearchError } from "./errors.js";

/** A line without its end. */
export interface Line {
  readonly text: string;
  /** Counted from 1. */
  readonly number: number;
}

/** Puts pieces together and cuts them into lines. A piece is text, or bytes in UTF-8. */
export class LineCutter {
  private readonly longest: (line: number) => number;
  private number = 1;
  /** The current line so far: texts, and behind them bytes that are not decoded yet, since a character may be cut. */
  private readonly texts = new Pieces<string>((texts) => texts.join(""));
  private readonly bytes = new Pieces<Buffer>((pieces) => Buffer.concat(pieces));
  private length = 0;

  /** `longest`: the most characters, or bytes, that the line of a number may have. */
  constructor(longest: (line: number) => number) {
    this.longest = longest;
  }

  /** The lines that end in the next piece. Throws 400 for bytes that are not UTF-8, 413 for a line that is too long. */
  *next(piece: string | Uint8Array): Generator<Line, void, undefined> {
    for (let from = 0; ; ) {
      const end = typeof piece === "string" ? piece.indexOf("\n", from) : piece.indexOf(0x0a, from);
      this.add(piece, from, end < 0 ? piece.length : end);
      if (end < 0) return;
      yield this.take();
      from = end + 1;
    }
  }

  /** The last line, if it is not ended. */
  rest(): Line | undefined {
    return this.length === 0 ? undefined : this.take();
  }

  private add(piece: string | Uint8Array, from: number, end: number): void {
    this.length += end - from;
    if (this.length > this.longest(this.number))
      throw lineError(
        this.number,
        new SearchError(413, "record_too_large", "it is too long for a record or settings."),
      );
    if (end === from) return;
    // A copy, because the caller may fill the same buffer again.
    if (typeof piece !== "string") this.bytes.push(Buffer.from(piece.subarray(from, end)));
    else {
      this.decode();
      this.texts.push(piece.slice(from, end));
    }
  }

  private take(): Line {
    this.decode();
    const line = { text: this.texts.take() ?? "", number: this.number++ };
    this.length = 0;
    return line;
  }

  /** Makes the bytes so far text. */
  private decode(): void {
    const all = this.bytes.take();
    if (all === undefined) return;
    if (!isUtf8(all)) throw lineError(this.number, new SearchError(400, "invalid_line", "its bytes are not UTF-8."));
    this.texts.push(all.toString("utf8"));
  }
}

/** So many pieces are joined at once: a piece of a few bytes takes a hundred as an object of its own. */
const JOINED_AT_ONCE = 1 << 10;

/** Texts or bytes, one after the other. */
class Pieces<T> {
  private readonly join: (pieces: readonly T[]) => T;
  /** Pieces that were joined, and those that are not yet. */
  private large: T[] = [];
  private small: T[] = [];

  constructor(join: (pieces: readonly T[]) => T) {
    this.join = join;
  }

  push(piece: T): void {
    if (this.small.push(piece) < JOINED_AT_ONCE) return;
    this.large.push(this.join(this.small));
    this.small = [];
  }

  /** All pieces as one, which are then forgotten; undefined: there are none. */
  take(): T | undefined {
    const all = [...this.large, ...this.small];
    this.large = [];
    this.small = [];
    return all.length > 1 ? this.join(all) : all[0];
  }
}

/** What is wrong with a line, as an error that names the line. */
export function lineError(
  line: number,
  { code, error, msg, param = "source", details, cause }: SearchError,
): SearchError {
  const options = { param, details: { ...details, line } };
  return new SearchError(code, error, `Line ${line}: ${msg}`, cause === undefined ? options : { ...options, cause });
}
