// Reads a record that a caller passed, in one walk: every value is checked and written as JSON. The record's own vector
// is kept as numbers, apart from the JSON. No object of the caller's is kept, so nothing that the caller does later can change the
// index.

import { PLACES } from "../docvalues/place.js";
import { isPlain } from "../input/plain-data.js";
import { type PackedVector, PLACEHOLDER, vectorText } from "../state/record-table.js";
import { classOf, isFloats } from "../util/brand.js";
import { show, showKind } from "../util/errors.js";
import { textOfDate } from "../util/instant.js";
import { copyText, has, utf8Length } from "../util/json.js";
import type { Limits } from "../util/limits.js";
import { OPERATION_KEY, readOperation } from "./built-in-operation.js";

/**
 * A record as JSON, the vector that the JSON leaves out, and what was given as its id; or what is wrong with it. `isSpecial`: it has places,
 * or the attribute of the vector in its JSON. `visited` is
 * about how many bytes were read; each value counts in addition, because the time that it takes hardly depends on its length.
 */
type WrittenRecord =
  | {
      readonly json: string;
      readonly vector: PackedVector | undefined;
      readonly id: unknown;
      readonly isSpecial: boolean;
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

function tooLarge(complaint: string): WrongRecord {
  return new WrongRecord("record_too_large", complaint, 413);
}

/** Attributes with rules of their own. */
export interface SpecialAttributes {
  /** Whether top-level attributes may be operations, because the record is a patch. */
  readonly takesOperations?: boolean;
  readonly idAttribute?: string;
  /** The one attribute that may be a typed array of floats. */
  readonly vectorAttribute?: string | null | undefined;
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
/** Checks a record and writes it as JSON. */
export function writeRecord(record: unknown, limits: Limits, special: SpecialAttributes = {}): WrittenRecord {
  const walk = new Walk(limits, special);
  try {
    if (!isPlainObject(record))
      throw new WrongRecord("invalid_record", `is ${describe(record, "record")}, expected a plain object`);
    walk.object(record, 1);
    const { json } = walk.written;
    const vector = walk.written.vector(special.vectorAttribute ?? undefined);
    const visited = BYTES_PER_VALUE * walk.values + json.length + (vector?.numbers.byteLength ?? 0);
    const isSpecial = walk.hasPlaces || (vector === undefined && walk.hasVector);
    return { json, vector, id: walk.id, isSpecial, visited };
  } catch (error) {
    const visited = BYTES_PER_VALUE * walk.values + walk.written.json.length;
    const { id } = walk;
    if (error instanceof WrongRecord)
      return { error: error.error, complaint: error.message, code: error.code, id, visited };
    const complaint = "could not be read (see cause)";
    return { error: "invalid_record", complaint, code: 400, id, cause: error, visited };
  }
}

class Walk {
  private readonly limits: Limits;
  private readonly special: SpecialAttributes;
  /** The objects around the current value, the record first. */
  private readonly open: object[] = [];
  /** The names that lead to the current value. */
  private readonly steps: string[] = [];
  readonly written: JsonText;
  private attributes = 0;
  /** The number of names that were read. */
  private names = 0;
  /** The number of values that were read: those of names, also undefined ones, and the items of lists. */
  values = 0;
  /** The value of the id attribute, once it was read. */
  id: unknown;
  hasPlaces = false;
  hasVector = false;

  constructor(limits: Limits, special: SpecialAttributes) {
    this.limits = limits;
    this.special = special;
    const most = limits.recordBytes;
    this.written = new JsonText(most, () => {
      throw tooLarge(`has more than ${most} bytes as JSON; shorten it or raise limits.recordBytes`);
    });
  }

  private get path(): string {
    return this.steps.join(".");
  }

  object(given: object, depth: number): void {
    this.enter(given, depth);
    const { limits, special, steps, written } = this;
    let before = "{";
    const names = Object.keys(given);
    this.readNames(names.length);
    for (const name of names) {
      const value: unknown = (given as Record<string, unknown>)[name];
      if (value === undefined) continue;
      if (++this.attributes > limits.recordAttributes) throw this.tooMany();
      if (name.length > limits.attributeName)
        throw new WrongRecord(
          "invalid_record",
          `has an attribute name of more than ${limits.attributeName} characters (limits.attributeName)`,
        );
      steps.push(name);
      if (name === OPERATION_KEY)
        throw new WrongRecord(
          "invalid_record",
          `has ${this.named()}, but operations stand in updateRecords only, in place of a top-level attribute's value`,
        );
      const isVector = depth === 1 && name === special.vectorAttribute;
      if (depth === 1) {
        if (name === special.idAttribute) this.id = value;
        if (name === PLACES) this.hasPlaces = true;
        if (isVector) this.hasVector = true;
      }
      written.add(before);
      written.add(jsonOfName(name));
      if (isVector && ArrayBuffer.isView(value)) this.floats(value);
      else this.value(value, depth);
      steps.pop();
      before = ",";
    }
    this.open.pop();
    written.add(before === "{" ? "{}" : "}");
  }

  private value(value: unknown, depth: number): void {
    const { written } = this;
    if (typeof value === "string") written.addText(value);
    else if (typeof value === "number") this.number(value);
    else if (typeof value === "boolean" || value === null) written.add(String(value));
    else if (Array.isArray(value)) this.array(value, depth + 1);
    else if (isPlainObject(value)) {
      const isOperation = depth === 1 && this.special.takesOperations === true && Object.hasOwn(value, OPERATION_KEY);
      if (isOperation) this.operation(value);
      else this.object(value, depth + 1);
    } else {
      const error = this.errorCode();
      const date = error === WRONG_VALUE ? textOfDate(value) : undefined;
      if (date === undefined)
        throw new WrongRecord(error, `${this.named()} is ${describe(value, "value")}, expected a JSON value`);
      written.add(jsonOfText(date));
    }
  }

  /** Counts as the one attribute that it changes. */
  private operation(given: object): void {
    const refuse = (complaint: string): never => {
      throw new WrongRecord("invalid_record", `${this.named()} ${complaint}`);
    };
    const { idAttribute, vectorAttribute } = this.special;
    if (this.path === idAttribute || this.path === vectorAttribute) refuse("takes no operation");
    this.readNames(Object.keys(given).length);
    const { [OPERATION_KEY]: name, value, ...others } = given as Readonly<Record<string, unknown>>;
    const other = Object.keys(others).find((key) => others[key] !== undefined);
    if (other !== undefined) refuse(`has the key ${show(other)} beside ${show(OPERATION_KEY)} and "value"`);
    const operation = readOperation(name, value);
    if (has(operation, "complaint")) throw refuse(operation.complaint);
    this.written.add(`{"${OPERATION_KEY}":"${operation._operation}","value":`);
    this.value(operation.value, 2);
    this.written.add("}");
  }

  private readNames(count: number): void {
    this.names += count;
    this.values += count;
    if (this.names > NAMES_PER_ATTRIBUTE * this.limits.recordAttributes) throw this.tooMany();
  }

  private array(given: readonly unknown[], depth: number): void {
    this.enter(given, depth);
    const { length } = given;
    if (length > this.limits.arrayItems)
      throw tooLarge(
        `${this.named()} has ${length} items; at most ${this.limits.arrayItems} are taken (limits.arrayItems)`,
      );
    const isVector = depth === 2 && this.steps[0] === this.special.vectorAttribute;
    // Not `every`, which passes over holes.
    const isPacked = isVector && length > 0 && given.findIndex((item) => !Number.isFinite(item)) < 0;
    if (isPacked) this.written.addVector(given as readonly number[]);
    else this.list(given, isVector, depth);
    this.open.pop();
  }

  private list(items: readonly unknown[], isVector: boolean, depth: number): void {
    const { steps, written } = this;
    const name = steps[0]!;
    written.add("[");
    for (let i = 0; i < items.length; i++) {
      this.values++;
      const item: unknown = items[i];
      if (i > 0) written.add(",");
      // An error in the vector names the component.
      if (isVector) steps[0] = `${name}[${i}]`;
      // JSON writes null for undefined and for a hole.
      this.value(item === undefined ? null : item, depth);
    }
    steps[0] = name;
    written.add("]");
  }

  private floats(given: ArrayBufferView): void {
    if (!isFloats(given))
      throw new WrongRecord(
        "invalid_vector",
        `${this.named()} is ${classOf(given)}, expected numbers, a Float32Array or a Float64Array`,
      );
    const expected = this.special.dimensions ?? this.limits.dimensions;
    if (given.length > expected)
      throw new WrongRecord("invalid_vector", `${this.named()} has ${given.length} components, expected ${expected}`);
    const bad = given.findIndex((number) => !Number.isFinite(number));
    if (bad >= 0)
      throw new WrongRecord(
        "invalid_vector",
        `${this.named()} has ${show(given[bad])} at position ${bad}, expected finite numbers`,
      );
    this.written.addVector(given);
  }

  private number(value: number): void {
    if (!Number.isFinite(value))
      throw new WrongRecord(this.errorCode(), `${this.named()} is ${show(value)}, expected a finite number`);
    this.written.add(String(value + NO_MINUS_ZERO));
  }

  /** The error code of a wrong value. A wrong component is an error of the vector. */
  private errorCode(): string {
    const { idAttribute, vectorAttribute } = this.special;
    const { path } = this;
    if (path === idAttribute) return "invalid_id";
    const [top] = path.split(/[.[]/, 1);
    return path === vectorAttribute || top === vectorAttribute ? "invalid_vector" : WRONG_VALUE;
  }

  private named(): string {
    return `attribute ${show(this.path)}`;
  }

  private tooMany(): WrongRecord {
    return tooLarge(`has more than ${this.limits.recordAttributes} attributes (limits.recordAttributes)`);
  }

  private enter(given: object, depth: number): void {
    if (this.open.includes(given)) throw new WrongRecord("record_cyclic", `${this.named()} contains itself`);
    if (depth > this.limits.recordDepth)
      throw tooLarge(`is nested deeper than ${this.limits.recordDepth} levels (limits.recordDepth)`);
    this.open.push(given);
  }
}

function isPlainObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value) && isPlain(value);
}

function describe(value: unknown, name: "record" | "value"): string {
  const kind = classOf(value);
  if (kind === "Date") return textOfDate(value) === undefined ? "an invalid Date" : "a Date (pass its toISOString())";
  if (kind === "Map") return `a Map (pass Object.fromEntries(${name}))`;
  if (kind === "Set") return `a Set (pass [...${name}])`;
  if (ArrayBuffer.isView(value) && kind !== "DataView") return `a typed array (pass Array.from(${name}))`;
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return `an object that is not plain (of a class instance, pass { ...${name} })`;
  return showKind(value);
}

/** The maximum length of a number in JSON with a comma, "-1.2345678901234567e-100,", and with the brackets of a list. */
const MAX_NUMBER_BYTES = 27;
/** The maximum number of UTF-8 bytes per code unit. */
const MAX_UNIT_BYTES = 3;

/** Growing JSON with a limit of bytes. These are an upper bound until that exceeds the limit, then they are counted. */
class JsonText {
  /** Joined once, because a text that grows by small parts takes more memory for each of them. */
  private readonly parts: string[] = [];
  private numbers: Float64Array | undefined;
  /** The index of the placeholder of the vector. */
  private at = 0;
  private bytes = 0;
  private isExact = false;
  private readonly mostBytes: number;
  private readonly refuse: () => never;

  /** Calls `refuse` when there are more than `mostBytes`. */
  constructor(mostBytes: number, refuse: () => never) {
    this.mostBytes = mostBytes;
    this.refuse = refuse;
  }

  get json(): string {
    return this.parts.join("");
  }

  /** The vector that the JSON leaves out. */
  vector(attribute: string | undefined): PackedVector | undefined {
    if (attribute === undefined || this.numbers === undefined) return undefined;
    return { attribute, numbers: this.numbers, at: this.at };
  }

  /** Adds a part that begins and ends with whole characters. */
  add(part: string): void {
    this.parts.push(part);
    this.count(this.isExact ? utf8Length(part) : MAX_UNIT_BYTES * part.length);
  }

  /** Adds a text as JSON. A longer one than the record may be is not even looked at. */
  addText(text: string): void {
    if (text.length > this.mostBytes) this.refuse();
    this.add(jsonOfText(text));
  }

  /** Adds a placeholder for the vector, and counts the bytes that its numbers would take. */
  addVector(given: ArrayLike<number>): void {
    this.numbers = Float64Array.from(given, (number) => number + NO_MINUS_ZERO);
    this.at = this.json.length;
    this.parts.push(PLACEHOLDER);
    this.count(this.isExact ? vectorText(this.numbers).length : MAX_NUMBER_BYTES * given.length);
  }

  private count(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes <= this.mostBytes) return;
    if (!this.isExact) this.bytes = this.exactBytes();
    this.isExact = true;
    if (this.bytes > this.mostBytes) this.refuse();
  }

  private exactBytes(): number {
    const { json, numbers } = this;
    return utf8Length(json) + (numbers === undefined ? 0 : vectorText(numbers).length - PLACEHOLDER.length);
  }
}

/** Characters that JSON escapes, and surrogates, some of which it escapes. */
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

/** A string as JSON. */
export function jsonOfText(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/** Names as JSON, with a colon: most records have the same few. */
const names = new Map<string, string>();
const MAX_NAMES = 1 << 14;

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
