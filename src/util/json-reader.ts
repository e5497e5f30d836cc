// Parses JSON that may come from a stranger. `JSON.parse` stops the process for as long as a text of many values takes, and three bytes
// may take fifty in memory. So the text is counted before, in steps, and nothing is made of one that holds more than its limits.

import type { Task } from "./tasks.js";

/** What a text of JSON may hold. */
export interface JsonLimits {
  /** Nesting levels of lists and objects. */
  readonly depth: number;
  /** Values at all depths. */
  readonly values: number;
  /** Of these, lists and objects, which take most memory. */
  readonly containers: number;
  /** Names of one object, which are slower to parse the more there are. */
  readonly names: number;
  /** Characters of all texts and names together, after decoding. */
  readonly characters: number;
}

/** Makes the error for a text that is no JSON, or holds too much. */
export type RefuseJson = (why: "invalid" | "large", cause?: unknown) => Error;

/** Parses JSON in UTF-8; the result is that of `JSON.parse`. */
export function* parseJson(bytes: Uint8Array, limits: JsonLimits, refuse: RefuseJson): Task<unknown> {
  yield* count(bytes, limits, refuse);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
  yield;
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw refuse("invalid", cause);
  }
}

const [QUOTE, COMMA, COLON, BACKSLASH, LETTER_U] = [0x22, 0x2c, 0x3a, 0x5c, 0x75];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];
const SPACE = 0x20;
/** Bytes behind the backslash: `\n`, or `\u` and four digits. */
const [ESCAPE, ESCAPED_UNIT] = [1, 5];
/** The first byte of a character of four bytes, which is two units. */
const FOUR_BYTES = 0xf0;
/** Bytes counted between two pauses. */
const COUNTED_AT_ONCE = 1 << 16;

/** Throws if a text holds more than its limits. Whether it is JSON is not judged, but what is JSON is counted rightly. */
function* count(bytes: Uint8Array, limits: JsonLimits, refuse: RefuseJson): Task<void> {
  /** Of each open list or object: its names. */
  const names: number[] = [];
  let [values, containers, characters] = [0, 0, 0];
  let isText = false;
  let isWord = false;
  for (let at = 0, paused = 0; at < bytes.length; at++) {
    if (at - paused >= COUNTED_AT_ONCE) {
      paused = at;
      yield;
    }
    const byte = bytes[at]!;
    if (isText) {
      if (byte === QUOTE) isText = false;
      else {
        if (byte === BACKSLASH) at += bytes[at + 1] === LETTER_U ? ESCAPED_UNIT : ESCAPE;
        if ((byte & 0xc0) !== 0x80) characters += byte >= FOUR_BYTES ? 2 : 1;
      }
      if (characters > limits.characters) throw refuse("large");
      continue;
    }
    const wasWord = isWord;
    isWord = false;
    if (byte <= SPACE || byte === COMMA) continue;
    if (byte === QUOTE) {
      isText = true;
      values++;
    } else if (byte === COLON) {
      // The text before it was a name.
      values--;
      if (++names[names.length - 1]! > limits.names) throw refuse("large");
    } else if (byte === LIST || byte === OBJECT) {
      values++;
      containers++;
      if (names.push(0) > limits.depth) throw refuse("large");
    } else if (byte === LIST_END || byte === OBJECT_END) names.pop();
    else {
      // A number, true, false or null.
      isWord = true;
      if (!wasWord) values++;
    }
    // A name is taken for a value until its colon comes.
    if (values > limits.values + 1 || containers > limits.containers) throw refuse("large");
  }
  if (values > limits.values) throw refuse("large");
}
