// For browsers, what the library uses of Node's `node:buffer`: bytes that can be read and written as text and numbers.

import { utf8Length } from "../util/json.js";

type Coding = "utf8" | "latin1" | "utf16le" | "hex";

/** Bytes made into text by one call; an engine bounds the arguments of a call. */
const UNITS_AT_ONCE = 4096;
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

/** Without the functions of `Uint8Array`, whose `from` is another. */
interface BytesClass {
  new (length: number): Uint8Array;
  new (bytes: ArrayBufferLike, offset?: number, length?: number): Uint8Array;
}
const Bytes: BytesClass = Uint8Array;

/** The methods of Node's class that the library calls, with the same results. */
export class Buffer extends Bytes {
  static from(text: string, coding?: Coding): Buffer;
  static from(bytes: ArrayBufferLike, offset?: number, length?: number): Buffer;
  /** A copy. */
  static from(bytes: ArrayLike<number>): Buffer;
  static from(
    given: string | ArrayBufferLike | ArrayLike<number>,
    codingOrOffset?: Coding | number,
    length?: number,
  ): Buffer {
    if (typeof given === "string") return encode(given, codingOrOffset as Coding | undefined);
    if (!("length" in given)) return new Buffer(given, codingOrOffset as number | undefined, length);
    const copy = new Buffer(given.length);
    copy.set(given);
    return copy;
  }

  static alloc(length: number): Buffer {
    return new Buffer(length);
  }

  static allocUnsafeSlow(length: number): Buffer {
    return new Buffer(length);
  }

  static byteLength(text: string): number {
    return utf8Length(text);
  }

  static concat(pieces: readonly Uint8Array[]): Buffer {
    const all = new Buffer(pieces.reduce((length, piece) => length + piece.length, 0));
    let at = 0;
    for (const piece of pieces) {
      all.set(piece, at);
      at += piece.length;
    }
    return all;
  }

  /** Below 0 if `a` comes first, byte by byte; 0 if they are equal. */
  static compare(a: Uint8Array, b: Uint8Array): number {
    const shared = Math.min(a.length, b.length);
    for (let i = 0; i < shared; i++) if (a[i] !== b[i]) return a[i]! < b[i]! ? -1 : 1;
    return Math.sign(a.length - b.length);
  }

  equals(other: Uint8Array): boolean {
    return Buffer.compare(this, other) === 0;
  }

  override toString(coding: Coding = "utf8", from = 0, to: number = this.length): string {
    const bytes = this.subarray(from, to);
    switch (coding) {
      case "utf8":
        return decoder.decode(bytes);
      case "latin1":
        return textOf(bytes);
      case "utf16le":
        return textOf(unitsOf(bytes));
      case "hex":
        return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    }
  }

  /** Writes as many whole characters of a text in UTF-8 as there is room for; the number of bytes. */
  write(text: string, at: number): number {
    return encoder.encodeInto(text, this.subarray(at)).written;
  }

  copy(target: Uint8Array, at = 0): void {
    target.set(this, at);
  }

  readUInt32LE(at = 0): number {
    return viewOf(this).getUint32(at, true);
  }

  writeUInt32LE(value: number, at: number): void {
    viewOf(this).setUint32(at, value, true);
  }

  readDoubleLE(at: number): number {
    return viewOf(this).getFloat64(at, true);
  }

  writeDoubleLE(value: number, at: number): void {
    viewOf(this).setFloat64(at, value, true);
  }

  override subarray(from?: number, to?: number): Buffer {
    return super.subarray(from, to) as Buffer;
  }
}

function encode(text: string, coding: Coding = "utf8"): Buffer {
  if (coding === "utf8") {
    const { buffer, byteOffset, length } = encoder.encode(text);
    return new Buffer(buffer, byteOffset, length);
  }
  const width = coding === "latin1" ? 1 : 2;
  const bytes = new Buffer(width * text.length);
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    bytes[width * i] = unit;
    if (width === 2) bytes[2 * i + 1] = unit >>> 8;
  }
  return bytes;
}

/** The text with these code units. */
function textOf(units: Uint8Array | Uint16Array): string {
  let text = "";
  for (let from = 0; from < units.length; from += UNITS_AT_ONCE)
    text += String.fromCharCode(...units.subarray(from, from + UNITS_AT_ONCE));
  return text;
}

/** Read byte by byte, because they may stand at an odd place. */
function unitsOf(bytes: Uint8Array): Uint16Array {
  const units = new Uint16Array(bytes.length >>> 1);
  for (let i = 0; i < units.length; i++) units[i] = bytes[2 * i]! | (bytes[2 * i + 1]! << 8);
  return units;
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
