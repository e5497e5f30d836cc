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
  /** The current line so far: text, and behind it bytes that are not decoded yet, since a character may be cut. */
  private text = "";
  private bytes: Buffer[] = [];
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
    if (typeof piece === "string") this.text = this.whole() + piece.slice(from, end);
    // A copy, because the caller may fill the same buffer again.
    else if (end > from) this.bytes.push(Buffer.from(piece.subarray(from, end)));
  }

  private take(): Line {
    const line = { text: this.whole(), number: this.number++ };
    this.text = "";
    this.length = 0;
    return line;
  }

  /** The text so far, with the bytes decoded. */
  private whole(): string {
    const { bytes } = this;
    if (bytes.length === 0) return this.text;
    const all = bytes.length === 1 ? bytes[0]! : Buffer.concat(bytes);
    if (!isUtf8(all)) throw lineError(this.number, new SearchError(400, "invalid_line", "its bytes are not UTF-8."));
    this.bytes = [];
    return this.text + all.toString("utf8");
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
