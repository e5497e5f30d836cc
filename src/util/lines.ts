// The lines of a text that arrives in pieces, which may be cut anywhere.

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
  private readonly decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  private number = 1;
  /** The current line so far, and its characters or bytes; the decoder may have the first bytes of a cut character. */
  private text = "";
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
    if (this.length > this.longest(this.number)) {
      const tooLong = new SearchError(413, "record_too_large", "it is too long for a record or settings.");
      throw lineError(this.number, tooLong);
    }
    if (end === from) return;
    this.text +=
      typeof piece === "string" ? this.decode() + piece.slice(from, end) : this.decode(piece.subarray(from, end));
  }

  private take(): Line {
    const line = { text: this.text + this.decode(), number: this.number++ };
    this.text = "";
    this.length = 0;
    return line;
  }

  /** The text of bytes whose last character may be cut; without bytes, no character may be cut. */
  private decode(bytes?: Uint8Array): string {
    try {
      return this.decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw lineError(this.number, new SearchError(400, "invalid_line", "its bytes are not UTF-8."));
    }
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
