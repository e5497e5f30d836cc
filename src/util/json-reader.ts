// Parses JSON that may come from a stranger: in steps, because `JSON.parse` stops the process for as long as a text of many values
// takes, and within limits, because three bytes of JSON may take fifty in memory. Nothing beyond a limit is kept.

import type { Task } from "./tasks.js";

/** What a text of JSON may hold. */
export interface JsonLimits {
  /** Nesting levels of lists and objects. */
  readonly depth: number;
  /** Values at all depths. */
  readonly values: number;
  /** Of these, lists and objects, which take most memory. */
  readonly containers: number;
  /** Names of one object. */
  readonly names: number;
  /** Characters of all texts and names together, after decoding. */
  readonly characters: number;
}

/** Makes the error for a text that is no JSON, or holds too much. */
export type RefuseJson = (why: "invalid" | "large") => Error;

/** Parses JSON in UTF-8; the result is that of `JSON.parse`. */
export function parseJson(bytes: Uint8Array, limits: JsonLimits, refuse: RefuseJson): Task<unknown> {
  return new JsonReader(bytes, limits, refuse).read();
}

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];
const LETTER_U = 0x75;
/** `\u` and four digits. */
const ESCAPED_UNIT = 6;
/** The first byte that is no control character. */
const FIRST_PLAIN = 0x20;
/** Values read between two pauses. */
const PAUSE_EVERY = 1 << 11;
/** Longer texts are decoded piece by piece. */
const LONG_TEXT = 1 << 18;
/** No number that is written for a 64-bit float is nearly as long. */
const LONGEST_NUMBER = 1 << 10;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const WORDS: readonly (readonly [string, unknown])[] = [
  ["true", true],
  ["false", false],
  ["null", null],
];

/** A list or an object that is not ended yet. */
interface Open {
  readonly list: unknown[] | null;
  readonly entries: [string, unknown][];
  /** Of an object: the name of the next value. */
  name: string;
}

class JsonReader {
  private readonly bytes: Buffer;
  private readonly limits: JsonLimits;
  private readonly refuse: RefuseJson;
  private at = 0;
  private values = 0;
  private containers = 0;
  private characters = 0;

  constructor({ buffer, byteOffset, length }: Uint8Array, limits: JsonLimits, refuse: RefuseJson) {
    this.bytes = Buffer.from(buffer, byteOffset, length);
    this.limits = limits;
    this.refuse = refuse;
  }

  *read(): Task<unknown> {
    const stack: Open[] = [];
    for (;;) {
      if (++this.values > this.limits.values) throw this.refuse("large");
      if (this.values % PAUSE_EVERY === 0) yield;
      const first = this.next();
      let value: unknown;
      if (first === LIST || first === OBJECT) {
        const open: Open = { list: first === LIST ? [] : null, entries: [], name: "" };
        this.at++;
        if (stack.push(open) > this.limits.depth || ++this.containers > this.limits.containers)
          throw this.refuse("large");
        if (this.next() !== endOf(open)) {
          if (first === OBJECT) yield* this.name(open);
          continue;
        }
        this.at++;
        value = closed(stack.pop()!);
      } else value = first === QUOTE ? (this.shortText() ?? (yield* this.longText())) : this.plain();
      for (;;) {
        const open = stack.at(-1);
        if (open === undefined) {
          if (this.next() !== undefined) throw this.refuse("invalid");
          return value;
        }
        if (open.list === null) open.entries.push([open.name, value]);
        else open.list.push(value);
        const after = this.next();
        this.at++;
        if (after === COMMA) {
          if (open.list === null) yield* this.name(open);
          break;
        }
        if (after !== endOf(open)) throw this.refuse("invalid");
        value = closed(stack.pop()!);
      }
    }
  }

  /** Moves to the next byte that is no space, and returns it; undefined: there is none. */
  private next(): number | undefined {
    const { bytes } = this;
    let byte = bytes[this.at];
    while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) byte = bytes[++this.at];
    return byte;
  }

  /** Reads the name of the next value of an object. */
  private *name(open: Open): Task<void> {
    if (open.entries.length >= this.limits.names) throw this.refuse("large");
    if (this.next() !== QUOTE) throw this.refuse("invalid");
    open.name = this.shortText() ?? (yield* this.longText());
    if (this.next() !== COLON) throw this.refuse("invalid");
    this.at++;
  }

  /** Reads a text that begins here; undefined: it is long. */
  private shortText(): string | undefined {
    const { bytes } = this;
    const from = this.at + 1;
    const most = Math.min(bytes.length, from + LONG_TEXT);
    let isPlain = true;
    for (let at = from; at < most; at++) {
      const byte = bytes[at]!;
      if (byte === QUOTE) {
        this.at = at + 1;
        return this.decoded(from, at, isPlain);
      }
      if (byte < FIRST_PLAIN) throw this.refuse("invalid");
      if (byte !== BACKSLASH) continue;
      isPlain = false;
      at++;
    }
    if (most === bytes.length) throw this.refuse("invalid");
    return undefined;
  }

  private *longText(): Task<string> {
    const { bytes } = this;
    const pieces: string[] = [];
    let from = this.at + 1;
    let isPlain = true;
    for (let at = from; at < bytes.length; ) {
      const byte = bytes[at]!;
      if (byte === QUOTE) {
        this.at = at + 1;
        pieces.push(this.decoded(from, at, isPlain));
        return pieces.join("");
      }
      // Never within a character or within an escape.
      if (at - from >= LONG_TEXT && (byte & 0xc0) !== 0x80) {
        pieces.push(this.decoded(from, at, isPlain));
        from = at;
        isPlain = true;
        yield;
      }
      if (byte < FIRST_PLAIN) throw this.refuse("invalid");
      if (byte === BACKSLASH) {
        isPlain = false;
        at += bytes[at + 1] === LETTER_U ? ESCAPED_UNIT : 2;
      } else at++;
    }
    throw this.refuse("invalid");
  }

  /** The characters from `from` up to `to`; `isPlain`: none is escaped. */
  private decoded(from: number, to: number, isPlain: boolean): string {
    const text = this.bytes.toString("utf8", from, to);
    const decoded = isPlain ? text : this.unescaped(text);
    this.characters += decoded.length;
    if (this.characters > this.limits.characters) throw this.refuse("large");
    return decoded;
  }

  private unescaped(text: string): string {
    try {
      return JSON.parse(`"${text}"`) as string;
    } catch {
      throw this.refuse("invalid");
    }
  }

  /** Reads a number, true, false or null. */
  private plain(): unknown {
    const { bytes, at } = this;
    let end = at;
    while (end < bytes.length && isPlain(bytes[end]!)) end++;
    if (end - at > LONGEST_NUMBER) throw this.refuse("invalid");
    const text = bytes.toString("latin1", at, end);
    this.at = end;
    if (NUMBER.test(text)) return Number(text);
    const word = WORDS.find(([name]) => name === text);
    if (word === undefined) throw this.refuse("invalid");
    return word[1];
  }
}

/** Whether a byte may stand in a number, in true, false or null. */
function isPlain(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x61 && byte <= 0x7a) ||
    byte === 0x2d ||
    byte === 0x2b ||
    byte === 0x2e ||
    byte === 0x45
  );
}

function endOf({ list }: Open): number {
  return list === null ? OBJECT_END : LIST_END;
}

function closed({ list, entries }: Open): unknown {
  return list ?? Object.fromEntries(entries);
}
