// One walk over a record as the caller gave it: every value is read once, checked and written down as JSON text, and in a copy
// that is what the text says. No object of the caller's is kept, and nothing the caller does later can reach the index.

import { type JsonRecord, type JsonValue, utf8Length } from "../base/json.js";
import type { Limits } from "../base/limits.js";
import { show, showKind } from "../base/show.js";
import { jsonOfName, jsonOfText, MOST_OF_UNIT } from "./json-text.js";
import { setOwn } from "./set-own.js";

/** A record as JSON, and the copy of it that this JSON says; or what is wrong with it. */
export type WrittenRecord =
  | { readonly json: string; readonly record: JsonRecord }
  | { readonly error: string; readonly complaint: string; readonly code: 400 | 413; readonly cause?: unknown };

class Refused extends Error {
  readonly error: string;
  readonly code: 400 | 413;

  constructor(error: string, message: string, code: 400 | 413 = 400) {
    super(message);
    this.error = error;
    this.code = code;
  }
}

/** Attributes whose faults have names of their own. */
export interface SpecialAttributes {
  readonly idAttribute?: string;
  /** The one attribute that may be a typed array of floats. */
  readonly vectorAttribute?: string | undefined;
  /** How long the vector must be. */
  readonly dimensions?: number;
}

/** With it, -0 makes the one zero that JSON has. */
const NO_MINUS_ZERO = 0;
/** Without a prototype, where names might be put. */
const NOTHING_SPECIAL: SpecialAttributes = Object.freeze(Object.create(null) as SpecialAttributes);

/** Checks a record and writes it as JSON. */
export function writeRecord(
  record: unknown,
  limits: Limits,
  special: SpecialAttributes = NOTHING_SPECIAL,
): WrittenRecord {
  try {
    if (!isPlainObject(record)) throw new Refused("invalid_record", `is ${describe(record)}, expected a plain object`);
    const walk = new Walk(limits, special);
    const copy = walk.object(record, 1, "");
    return { json: walk.json(), record: copy };
  } catch (error) {
    if (error instanceof Refused) return { error: error.error, complaint: error.message, code: error.code };
    return {
      error: "invalid_record",
      complaint: "could not be read (a getter or proxy threw)",
      code: 400,
      cause: error,
    };
  }
}

class Walk {
  private readonly limits: Limits;
  private readonly special: SpecialAttributes;
  /** The objects that the walk is in, from the record on. */
  private readonly open: object[] = [];
  /** Joined at the end: a text that grows by its parts is kept in many pieces. */
  private readonly parts: string[] = [];
  private attributes = 0;
  /** So many bytes at most: three for each unit of a text, until that may be too much and all are counted. */
  private bytes = 0;
  private isExact = false;

  constructor(limits: Limits, special: SpecialAttributes) {
    this.limits = limits;
    this.special = special;
  }

  json(): string {
    return this.parts.join("");
  }

  object(given: object, depth: number, path: string): JsonRecord {
    this.enter(given, depth, path);
    const copy: Record<string, JsonValue> = {};
    let before = "{";
    for (const name of Object.keys(given)) {
      const value: unknown = (given as Record<string, unknown>)[name];
      if (value === undefined) continue;
      if (++this.attributes > this.limits.recordAttributes)
        throw new Refused("record_too_large", `has more than ${this.limits.recordAttributes} attributes`, 413);
      if (name.length > this.limits.attributeName)
        throw new Refused(
          "invalid_record",
          `has an attribute name of more than ${this.limits.attributeName} characters`,
        );
      const at = depth === 1 ? name : `${path}.${name}`;
      const isVector = depth === 1 && name === this.special.vectorAttribute && ArrayBuffer.isView(value);
      if (before === ",") this.count(1);
      this.parts.push(before);
      this.texts(jsonOfName(name));
      setOwn(copy, name, isVector ? this.floats(value, at) : this.value(value, depth, at));
      before = ",";
    }
    this.open.pop();
    this.parts.push(before === "{" ? "{}" : "}");
    return copy;
  }

  private value(value: unknown, depth: number, path: string): JsonValue {
    if (typeof value === "string") return this.text(value);
    if (typeof value === "number") return this.number(value, path);
    if (typeof value === "boolean" || value === null) {
      this.counted(String(value));
      return value;
    }
    if (Array.isArray(value)) return this.array(value, depth + 1, path);
    if (isPlainObject(value)) return this.object(value, depth + 1, path);
    throw new Refused(this.errorAt(path), `${named(path)} is ${describe(value)}, expected a JSON value`);
  }

  private array(given: readonly unknown[], depth: number, path: string): JsonValue[] {
    this.enter(given, depth, path);
    const length = given.length;
    if (length > this.limits.arrayItems)
      throw new Refused(
        "record_too_large",
        `${named(path)} has ${length} items; at most ${this.limits.arrayItems} are taken`,
        413,
      );
    this.parts.push("[");
    const copy: JsonValue[] = [];
    for (let i = 0; i < length; i++) {
      const item: unknown = given[i];
      // A hole or undefined would shift or vanish; JSON writes null for both.
      if (i > 0) {
        this.count(1);
        this.parts.push(",");
      }
      // Within the vector the place of a bad component is worth saying.
      const at = depth === 2 && path === this.special.vectorAttribute ? `${path}[${i}]` : path;
      copy.push(this.value(item === undefined ? null : item, depth, at));
    }
    this.open.pop();
    this.parts.push("]");
    return copy;
  }

  private floats(given: ArrayBufferView, path: string): number[] {
    const kind = (given as { readonly [Symbol.toStringTag]?: string })[Symbol.toStringTag];
    if (kind !== "Float32Array" && kind !== "Float64Array")
      throw new Refused(
        "invalid_vector",
        `${named(path)} is ${kind ?? "a buffer"}, expected numbers, a Float32Array or a Float64Array`,
      );
    const floats = given as Float64Array;
    const expected = this.special.dimensions ?? this.limits.dimensions;
    if (floats.length > expected)
      throw new Refused("invalid_vector", `${named(path)} has ${floats.length} components, expected ${expected}`);
    const numbers: number[] = [];
    for (let i = 0; i < floats.length; i++) numbers.push(floats[i]! + NO_MINUS_ZERO);
    const bad = numbers.findIndex((number) => !Number.isFinite(number));
    if (bad >= 0)
      throw new Refused(
        "invalid_vector",
        `${named(path)} has ${show(numbers[bad])} at position ${bad}, expected finite numbers`,
      );
    this.counted(`[${numbers.join(",")}]`);
    return numbers;
  }

  private number(value: number, path: string): number {
    if (!Number.isFinite(value))
      throw new Refused(this.errorAt(path), `${named(path)} is ${show(value)}, expected a finite number`);
    const number = value + NO_MINUS_ZERO;
    this.counted(String(number));
    return number;
  }

  /** What is wrong within the vector is wrong with the vector, and so with the id. */
  private errorAt(path: string): string {
    const { idAttribute, vectorAttribute } = this.special;
    if (path === idAttribute) return "invalid_id";
    const [top] = path.split(/[.[]/, 1);
    return vectorAttribute !== undefined && (path === vectorAttribute || top === vectorAttribute)
      ? "invalid_vector"
      : "invalid_field_value";
  }

  private text(value: string): string {
    this.texts(jsonOfText(value));
    return value;
  }

  /** What begins with a quotation mark. */
  private texts(json: string): void {
    this.parts.push(json);
    this.count(this.isExact ? utf8Length(json) : MOST_OF_UNIT * json.length);
  }

  private counted(json: string): void {
    this.count(json.length);
    this.parts.push(json);
  }

  private count(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes > this.limits.recordBytes && !this.isExact) this.countTexts();
    if (this.bytes > this.limits.recordBytes)
      throw new Refused("record_too_large", `has more than ${this.limits.recordBytes} bytes as JSON`, 413);
  }

  private countTexts(): void {
    this.isExact = true;
    for (const part of this.parts) if (part[0] === '"') this.bytes -= MOST_OF_UNIT * part.length - utf8Length(part);
  }

  private enter(given: object, depth: number, path: string): void {
    if (this.open.includes(given)) throw new Refused("record_cyclic", `${named(path)} contains itself`);
    if (depth > this.limits.recordDepth)
      throw new Refused("record_too_large", `is nested deeper than ${this.limits.recordDepth} levels`, 413);
    this.open.push(given);
    this.count(2);
  }
}

/** A plain object of any realm: its prototype is null or the root of its realm. */
function isPlainObject(value: unknown): value is object {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: object | null = Object.getPrototypeOf(value);
  return (
    prototype === null || (Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, "hasOwnProperty"))
  );
}

function describe(value: unknown): string {
  if (Object.prototype.toString.call(value) === "[object Date]") return "a Date (pass a number or an ISO text)";
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return "an object that is not plain (a Map, a class instance, …)";
  return showKind(value);
}

function named(path: string): string {
  return `attribute ${show(path)}`;
}
