// Reads a record that a caller passed, in one walk: every value is read once, checked, and written as JSON. The record's own vector
// is kept as numbers, apart from the JSON. No object of the caller's is kept, so nothing that the caller does later can change the
// index.

import { types } from "node:util";
import { isPlain, lengthOf } from "../input/plain-data.js";
import { textOfDate } from "../util/instant.js";
import { copyText, has, utf8Length } from "../util/json.js";
import type { Limits } from "../util/limits.js";
import { show, showKind } from "../util/show.js";
import { OPERATION_KEY, readOperation } from "./built-in-operation.js";
import { type PackedVector, PLACEHOLDER, vectorText } from "./packed-vector.js";

/**
 * A record as JSON, the vector that the JSON leaves out, and what was given as its id; or what is wrong with it. `visited` is
 * about how many bytes were read; each value counts in addition, because the time that it takes hardly depends on its length.
 */
type WrittenRecord =
  | {
      readonly json: string;
      readonly vector: PackedVector | undefined;
      readonly id: unknown;
      readonly visited: number;
    }
  | (RecordComplaint & { readonly visited: number });

/** What is wrong with a record. */
export interface RecordComplaint {
  /** The value of its id attribute, if it was read before. */
  readonly id: unknown;
  readonly error: string;
  readonly complaint: string;
  readonly code: 400 | 413;
  readonly cause?: unknown;
}

/** Thrown within the walk, when the record is refused. */
class WrongRecord extends Error {
  readonly error: string;
  readonly code: 400 | 413;

  constructor(error: string, message: string, code: 400 | 413 = 400) {
    super(message);
    this.error = error;
    this.code = code;
  }
}

/** Attributes with rules of their own. */
export interface SpecialAttributes {
  /** Whether top-level attributes may be operations, because the record is a patch. */
  readonly takesOperations?: boolean;
  readonly idAttribute?: string;
  /** The one attribute that may be a typed array of floats. */
  readonly vectorAttribute?: string | undefined;
  /** The number of components that the vector must have. */
  readonly dimensions?: number;
}

/** Attributes that are undefined do not count as such, but so many names of a record are read for each attribute it may have. */
const NAMES_PER_ATTRIBUTE = 10;
/** The error of a wrong value, except in the id and in the vector. */
const WRONG_VALUE = "invalid_field_value";
/** The bytes that reading a value counts for, besides those of its JSON. */
const BYTES_PER_VALUE = 16;
/** Added to a number, it turns -0 into the 0 that JSON writes. */
const NO_MINUS_ZERO = 0;
/** Without a prototype, because a caller may have put such names on Object.prototype. */
const NOTHING_SPECIAL: SpecialAttributes = Object.freeze(Object.create(null) as SpecialAttributes);

/** Checks a record and writes it as JSON. */
export function writeRecord(
  record: unknown,
  limits: Limits,
  special: SpecialAttributes = NOTHING_SPECIAL,
): WrittenRecord {
  const walk = new Walk(limits, special);
  try {
    if (!isPlainObject(record))
      throw new WrongRecord("invalid_record", `is ${describe(record, "record")}, expected a plain object`);
    walk.object(record, 1, "");
    const [json, vector] = [walk.json(), walk.vector()];
    const visited = BYTES_PER_VALUE * walk.values + json.length + (vector?.numbers.byteLength ?? 0);
    return { json, vector, id: walk.id, visited };
  } catch (error) {
    const visited = BYTES_PER_VALUE * walk.values + walk.bytes;
    const { id } = walk;
    if (error instanceof WrongRecord)
      return { error: error.error, complaint: error.message, code: error.code, id, visited };
    const complaint = "could not be read (a getter or proxy threw)";
    return { error: "invalid_record", complaint, code: 400, id, cause: error, visited };
  }
}

class Walk {
  private readonly limits: Limits;
  private readonly special: SpecialAttributes;
  /** The objects around the current value, the record first. */
  private readonly open: object[] = [];
  private readonly parts: JsonParts;
  private attributes = 0;
  /** The number of names that were read. */
  private names = 0;
  /** The number of values that were read: those of names, also undefined ones, and the items of lists. */
  values = 0;
  /** The value of the id attribute, once it was read. */
  id: unknown;

  constructor(limits: Limits, special: SpecialAttributes) {
    this.limits = limits;
    this.special = special;
    const most = limits.recordBytes;
    this.parts = new JsonParts(most, () => {
      throw new WrongRecord(
        "record_too_large",
        `has more than ${most} bytes as JSON; shorten it or raise limits.recordBytes`,
        413,
      );
    });
  }

  json(): string {
    return this.parts.json();
  }

  /** The bytes that were written, or a little more. */
  get bytes(): number {
    return this.parts.bytes;
  }

  vector(): PackedVector | undefined {
    const { vectorAttribute } = this.special;
    return vectorAttribute === undefined ? undefined : this.parts.vector(vectorAttribute);
  }

  object(given: object, depth: number, path: string): void {
    this.enter(given, depth, path);
    let before = "{";
    const names = Object.keys(given);
    this.readNames(names.length);
    for (const name of names) {
      const value: unknown = (given as Record<string, unknown>)[name];
      if (value === undefined) continue;
      if (++this.attributes > this.limits.recordAttributes) throw this.tooMany();
      if (name.length > this.limits.attributeName)
        throw new WrongRecord(
          "invalid_record",
          `has an attribute name of more than ${this.limits.attributeName} characters (limits.attributeName)`,
        );
      const at = depth === 1 ? name : `${path}.${name}`;
      if (name === OPERATION_KEY)
        throw new WrongRecord(
          "invalid_record",
          `has ${named(at)}, but operations stand in updateRecords only, in place of a top-level attribute's value`,
        );
      if (depth === 1 && name === this.special.idAttribute) this.id = value;
      const isFloats = depth === 1 && name === this.special.vectorAttribute && ArrayBuffer.isView(value);
      if (before === ",") this.parts.count(1);
      this.parts.add(before);
      this.parts.addText(jsonOfName(name));
      if (isFloats) this.floats(value, at);
      else this.value(value, depth, at);
      before = ",";
    }
    this.open.pop();
    this.parts.add(before === "{" ? "{}" : "}");
  }

  private value(value: unknown, depth: number, path: string): void {
    if (typeof value === "string") this.parts.addText(jsonOfText(value));
    else if (typeof value === "number") this.number(value, path);
    else if (typeof value === "boolean" || value === null) this.parts.addPlain(String(value));
    else if (Array.isArray(value)) this.array(value, depth + 1, path);
    else if (isPlainObject(value)) {
      const isOperation = depth === 1 && this.special.takesOperations === true && Object.hasOwn(value, OPERATION_KEY);
      if (isOperation) this.operation(value, path);
      else this.object(value, depth + 1, path);
    } else {
      const date = this.errorAt(path) === WRONG_VALUE ? textOfDate(value) : undefined;
      if (date === undefined)
        throw new WrongRecord(
          this.errorAt(path),
          `${named(path)} is ${describe(value, "value")}, expected a JSON value`,
        );
      this.parts.addText(jsonOfText(date));
    }
  }

  /** Counts as the one attribute that it changes. */
  private operation(given: object, path: string): void {
    const refuse = (complaint: string): never => {
      throw new WrongRecord("invalid_record", `${named(path)} ${complaint}`);
    };
    const { idAttribute, vectorAttribute } = this.special;
    if (path === idAttribute || path === vectorAttribute) refuse("takes no operation");
    const keys = Object.keys(given);
    this.readNames(keys.length);
    let name: unknown;
    let value: unknown;
    for (const key of keys) {
      const found: unknown = (given as Record<string, unknown>)[key];
      if (key === OPERATION_KEY) name = found;
      else if (key === "value") value = found;
      else if (found !== undefined) refuse(`has the key ${show(key)} beside ${show(OPERATION_KEY)} and "value"`);
    }
    const operation = readOperation(name, value);
    if (has(operation, "complaint")) throw refuse(operation.complaint);
    this.parts.addPlain(`{"${OPERATION_KEY}":"${operation._operation}","value":`);
    this.value(operation.value, 2, path);
    this.parts.addPlain("}");
  }

  private readNames(count: number): void {
    this.names += count;
    this.values += count;
    if (this.names > NAMES_PER_ATTRIBUTE * this.limits.recordAttributes) throw this.tooMany();
  }

  private array(given: readonly unknown[], depth: number, path: string): void {
    this.enter(given, depth, path);
    const length = lengthOf(given);
    if (length > this.limits.arrayItems)
      throw new WrongRecord(
        "record_too_large",
        `${named(path)} has ${length} items; at most ${this.limits.arrayItems} are taken (limits.arrayItems)`,
        413,
      );
    const isVector = depth === 2 && path === this.special.vectorAttribute;
    // A copy, because the items are checked before they are written, but must be read only once.
    const items = isVector ? Array.from({ length }, (_, i) => given[i]) : given;
    const isPacked = isVector && length > 0 && items.every((item) => Number.isFinite(item));
    if (isPacked) this.pack(items as readonly number[]);
    else this.list(items, length, isVector, depth, path);
    this.open.pop();
  }

  private list(items: readonly unknown[], length: number, isVector: boolean, depth: number, path: string): void {
    this.parts.add("[");
    for (let i = 0; i < length; i++) {
      this.values++;
      const item: unknown = items[i];
      // JSON writes null for undefined and for a hole.
      if (i > 0) {
        this.parts.count(1);
        this.parts.add(",");
      }
      // An error in the vector names the component.
      this.value(item === undefined ? null : item, depth, isVector ? `${path}[${i}]` : path);
    }
    this.parts.add("]");
  }

  /** Keeps the numbers of the vector, and writes a placeholder into the JSON. */
  private pack(given: readonly number[]): void {
    this.parts.addVector(Float64Array.from(given, (number) => number + NO_MINUS_ZERO));
  }

  private floats(given: ArrayBufferView, path: string): void {
    const kind = (given as { readonly [Symbol.toStringTag]?: string })[Symbol.toStringTag];
    if (kind !== "Float32Array" && kind !== "Float64Array")
      throw new WrongRecord(
        "invalid_vector",
        `${named(path)} is ${kind ?? "a buffer"}, expected numbers, a Float32Array or a Float64Array`,
      );
    const floats = given as Float64Array;
    const expected = this.special.dimensions ?? this.limits.dimensions;
    if (floats.length > expected)
      throw new WrongRecord("invalid_vector", `${named(path)} has ${floats.length} components, expected ${expected}`);
    const numbers: number[] = [];
    for (let i = 0; i < floats.length; i++) numbers.push(floats[i]!);
    const bad = numbers.findIndex((number) => !Number.isFinite(number));
    if (bad >= 0)
      throw new WrongRecord(
        "invalid_vector",
        `${named(path)} has ${show(numbers[bad])} at position ${bad}, expected finite numbers`,
      );
    this.parts.count(2);
    this.pack(numbers);
  }

  private number(value: number, path: string): void {
    if (!Number.isFinite(value))
      throw new WrongRecord(this.errorAt(path), `${named(path)} is ${show(value)}, expected a finite number`);
    this.parts.addPlain(String(value + NO_MINUS_ZERO));
  }

  /** The error code of a wrong value. A wrong component is an error of the vector. */
  private errorAt(path: string): string {
    const { idAttribute, vectorAttribute } = this.special;
    if (path === idAttribute) return "invalid_id";
    const [top] = path.split(/[.[]/, 1);
    return vectorAttribute !== undefined && (path === vectorAttribute || top === vectorAttribute)
      ? "invalid_vector"
      : WRONG_VALUE;
  }

  private tooMany(): WrongRecord {
    return new WrongRecord(
      "record_too_large",
      `has more than ${this.limits.recordAttributes} attributes (limits.recordAttributes)`,
      413,
    );
  }

  private enter(given: object, depth: number, path: string): void {
    if (this.open.includes(given)) throw new WrongRecord("record_cyclic", `${named(path)} contains itself`);
    if (depth > this.limits.recordDepth)
      throw new WrongRecord(
        "record_too_large",
        `is nested deeper than ${this.limits.recordDepth} levels (limits.recordDepth)`,
        413,
      );
    this.open.push(given);
    this.parts.count(2);
  }
}

function isPlainObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value) && isPlain(value);
}

function describe(value: unknown, name: "record" | "value"): string {
  if (types.isDate(value))
    return textOfDate(value) === undefined ? "an invalid Date" : "a Date (pass its toISOString())";
  if (types.isMap(value)) return `a Map (pass Object.fromEntries(${name}))`;
  if (types.isSet(value)) return `a Set (pass [...${name}])`;
  if (types.isTypedArray(value)) return `a typed array (pass Array.from(${name}))`;
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return `an object that is not plain (of a class instance, pass { ...${name} })`;
  return showKind(value);
}

function named(path: string): string {
  return `attribute ${show(path)}`;
}

/** The maximum length of a number in JSON with a comma: "-1.2345678901234567e-100,". */
const MAX_NUMBER_BYTES = 25;
/** The maximum number of UTF-8 bytes per code unit. */
const MAX_UNIT_BYTES = 3;

/** JSON in parts, with a limit of bytes. The bytes are an upper bound until that exceeds the limit, then they are counted. */
class JsonParts {
  /** Joined at the end, because V8 would keep a string that grows part by part as a tree. */
  private readonly parts: string[] = [];
  private readonly mostBytes: number;
  private readonly refuse: () => never;
  /** The bytes so far, exactly or as an upper bound. */
  private counted = 0;
  private isExact = false;
  private numbers: Float64Array | undefined;
  /** The number of parts before the placeholder of the vector. */
  private before = 0;

  /** Calls `refuse` when there are more than `mostBytes`. */
  constructor(mostBytes: number, refuse: () => never) {
    this.mostBytes = mostBytes;
    this.refuse = refuse;
  }

  json(): string {
    return this.parts.join("");
  }

  get bytes(): number {
    return this.counted;
  }

  /** The vector that the JSON leaves out. */
  vector(attribute: string): PackedVector | undefined {
    if (this.numbers === undefined) return undefined;
    let at = 0;
    for (let i = 0; i < this.before; i++) at += this.parts[i]!.length;
    return { attribute, numbers: this.numbers, at };
  }

  /** Adds a part whose bytes are counted already. */
  add(json: string): void {
    this.parts.push(json);
  }

  /** Adds ASCII. */
  addPlain(json: string): void {
    this.count(json.length);
    this.parts.push(json);
  }

  /** Adds a string in quotation marks. */
  addText(json: string): void {
    this.parts.push(json);
    this.count(this.isExact ? utf8Length(json) : MAX_UNIT_BYTES * json.length);
  }

  /** Adds a placeholder for the vector, and counts the bytes that its numbers would take without brackets. */
  addVector(numbers: Float64Array): void {
    this.numbers = numbers;
    this.before = this.parts.length;
    this.parts.push(PLACEHOLDER);
    this.count(this.isExact ? bytesOfItems(numbers) : MAX_NUMBER_BYTES * numbers.length);
  }

  count(bytes: number): void {
    this.counted += bytes;
    if (this.counted > this.mostBytes && !this.isExact) this.countTexts();
    if (this.counted > this.mostBytes) this.refuse();
  }

  private countTexts(): void {
    this.isExact = true;
    for (const part of this.parts) if (part[0] === '"') this.counted -= MAX_UNIT_BYTES * part.length - utf8Length(part);
    const { numbers } = this;
    if (numbers !== undefined) this.counted -= MAX_NUMBER_BYTES * numbers.length - bytesOfItems(numbers);
  }
}

function bytesOfItems(numbers: Float64Array): number {
  return vectorText(numbers).length - 2;
}

/** Characters that JSON escapes, and surrogates, some of which it escapes. */
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

/** A string as JSON. A primitive string never calls toJSON, so a polluted prototype has no effect. */
export function jsonOfText(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/** Names as JSON, with a colon: most records have the same few. */
const names = new Map<string, string>();
const MAX_NAMES = 1024;

/** The name of an attribute as JSON, with a colon. */
export function jsonOfName(name: string): string {
  let json = names.get(name);
  if (json === undefined) {
    if (names.size >= MAX_NAMES) names.clear();
    json = `${jsonOfText(name)}:`;
    names.set(copyText(name), json);
  }
  return json;
}
