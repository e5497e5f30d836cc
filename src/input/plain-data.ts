// The door: whatever a caller passes becomes plain data here, once, before anything relies on it. A copy has lists, and objects
// that inherit nothing, all frozen. Behind the door, ordinary access is safe: nothing changes, and `constructor` is a name like any other.

import { isFloats } from "../util/brand.js";
import { SearchError, show } from "../util/errors.js";
import { textOfDate } from "../util/instant.js";
import { GREATEST_LIMITS } from "../util/limits.js";
import { runTaskAtOnce, type Task } from "../util/tasks.js";

/** An object as data: own names and values, none of them undefined. */
export type PlainObject = Readonly<Record<string, unknown>>;

/** How an argument is copied. */
export interface Copying {
  /** The name of the argument in messages. */
  readonly what: string;
  /** The code of refusals. */
  readonly error: string;
  /** These properties are no data: functions, signals, embedders. They are passed on as they are. */
  readonly asTheyAre?: readonly string[];
  /** These properties are vectors. */
  readonly vectors?: readonly string[];
  /** Within objects of these properties, a `Date` stands for its ISO text, as it does in a record. */
  readonly dated?: readonly string[];
  /** Longer lists are cut behind one item more, so that checks still find them too long. Default 1,000. */
  readonly items?: number;
  /** What is nested deeper is left out, so that checks still find it too deep. The argument itself is the first level. Default 6. */
  readonly depth?: number;
  /** All values, and the characters of all texts and names together. Default 1,000,000 each. */
  readonly values?: number;
  readonly characters?: number;
  /** The error for more of them, by the property of the argument that holds them. */
  readonly tooLarge?: ((property: string) => SearchError) | undefined;
  /** The errors for longer lists and deeper nesting, by the path within the argument: then nothing is cut or left out. */
  readonly tooLong?: ((path: string, length: number) => SearchError) | undefined;
  readonly tooDeep?: ((path: string) => SearchError) | undefined;
  /** The error for an inner object of more than 1,000 names, by the path within the argument. */
  readonly tooManyNames?: ((path: string, msg: string) => SearchError) | undefined;
}

/** {@link Copying} with all of its properties. */
export type FullCopying = Required<Copying>;

/** Values taken between two pauses. */
const PAUSE_EVERY = 1 << 12;
/** No documented object has more names. */
const MOST_NAMES = 1000;
const DEFAULTS: Omit<FullCopying, "what" | "error"> = {
  ...{ asTheyAre: [], vectors: [], dated: [] },
  ...{ items: 1000, depth: 6, values: 1_000_000, characters: 1_000_000 },
  ...{ tooLarge: undefined, tooLong: undefined, tooDeep: undefined, tooManyNames: undefined },
};

/** How arguments are copied, with the defaults. Make it once for all calls. */
export function copyingOf(copying: Copying): FullCopying {
  return { ...DEFAULTS, ...copying };
}

/**
 * Copies of plain objects. They inherit nothing, as objects without a prototype do, but the engine that runs JavaScript reads their
 * properties several times as fast.
 */
class Plain {}
Object.setPrototypeOf(Plain.prototype, null);
Reflect.deleteProperty(Plain.prototype, "constructor");
Object.freeze(Plain.prototype);

/** The prototype of copies of what was no plain object, such as a `Map`: as data, it would be empty. */
const NOT_PLAIN: object = Object.freeze(Object.create(null));
/** Stands for what is no data, and for what is nested too deep. */
const NO_DATA: object = Object.freeze(Object.create(NOT_PLAIN) as object);
/** Stands for an object within itself. */
const CIRCLE: object = Object.freeze(Object.create(NOT_PLAIN) as object);

/** Whether a value of plain data is an object, and was a plain one of any realm before it was copied. */
export function isPlainObject(value: unknown): value is PlainObject {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Plain.prototype;
}

/** Whether a value of plain data stands for an object within itself. */
export function isCircle(value: unknown): boolean {
  return value === CIRCLE;
}

/**
 * A frozen copy of an object without undefined values. Throws 400 for anything else, for more than 1,000 names, and for what cannot
 * be read.
 */
export function copyObject(given: unknown, copying: FullCopying): PlainObject {
  return runTaskAtOnce(copyInSteps(given, copying));
}

/** As {@link copyObject}, with pauses. What is small is copied before the first of them. */
export function* copyInSteps(given: unknown, copying: FullCopying): Task<PlainObject> {
  const copier = new PlainCopier(copying);
  const { asTheyAre, vectors } = copying;
  const copy = emptyObject();
  try {
    for (const name of namesOf(given, copying)) {
      const value: unknown = (given as Record<string, unknown>)[name];
      if (value === undefined) continue;
      copier.begin(name);
      if (asTheyAre.includes(name)) copy[name] = value;
      else if (vectors.includes(name)) copy[name] = copyVector(value);
      else copy[name] = isObject(value) ? yield* copier.copyOf(value, 2) : copier.valueOf(value);
    }
  } catch (cause) {
    throw unreadable(cause, copying);
  }
  return Object.freeze(copy);
}

/** As {@link copyObject}, but the values stay as they are, for whoever takes them one by one. */
export function copyProperties(given: unknown, { what, error }: Pick<Copying, "what" | "error">): PlainObject {
  try {
    const copy = emptyObject();
    for (const name of namesOf(given, { what, error })) {
      const value: unknown = (given as Record<string, unknown>)[name];
      if (value !== undefined) copy[name] = value;
    }
    return Object.freeze(copy);
  } catch (cause) {
    throw unreadable(cause, { what, error });
  }
}

/** The names of an object's own properties. Throws 400 where it is none, and where it has too many. */
function namesOf(given: unknown, { what, error }: Pick<Copying, "what" | "error">): readonly string[] {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new SearchError(400, error, `${what} is ${show(given)}; pass an object.`, { param: what });
  const names = Object.keys(given);
  if (names.length > MOST_NAMES) throw new SearchError(400, error, `${what} ${tooMany(names.length)}`, { param: what });
  return names;
}

/** The error for what was thrown while an argument was read. */
function unreadable(cause: unknown, { what, error }: Pick<Copying, "what" | "error">): SearchError {
  if (cause instanceof SearchError) return cause;
  const msg = `${what} could not be read (see cause); pass a plain object.`;
  return new SearchError(400, error, msg, { param: what, cause });
}

/**
 * The items of a list as they are, for whoever reads them one by one; undefined: it is none, cannot be read, or is longer than `most`.
 * `tooLong` is told of a longer one, of which no item is read, and may throw.
 */
export function copyItems(
  given: unknown,
  most: number,
  tooLong?: (length: number) => undefined,
): readonly unknown[] | undefined {
  try {
    if (!Array.isArray(given)) return undefined;
    return given.length > most ? tooLong?.(given.length) : [...(given as readonly unknown[])];
  } catch (error) {
    if (error instanceof SearchError) throw error;
    return undefined;
  }
}

/** No vector has more components. */
const MOST_COMPONENTS = GREATEST_LIMITS.dimensions;

/** A copy of a vector that is a `Float32Array`, a `Float64Array` or a list; anything else is passed on. Of a longer one no item is read. */
export function copyVector(given: unknown): unknown {
  const isList = Array.isArray(given);
  if (!isList && !isFloats(given)) return given;
  if (given.length > MOST_COMPONENTS) return new Float64Array(MOST_COMPONENTS + 1);
  return isList ? [...(given as readonly unknown[])] : new Float64Array(given);
}

/** Copies the properties of one argument within its budget. */
class PlainCopier {
  private readonly copying: FullCopying;
  private values: number;
  private characters: number;
  private taken = 0;
  /** The objects around the current value. */
  private readonly open: object[] = [];
  private isDated = false;
  /** The names and positions that lead to the current value. */
  private readonly path: (string | number)[] = [];

  constructor(copying: FullCopying) {
    this.copying = copying;
    this.values = copying.values;
    this.characters = copying.characters;
  }

  /** Goes on with a property of the argument. */
  begin(name: string): void {
    this.path[0] = name;
    this.isDated = this.copying.dated.includes(name);
    this.spend(1, name.length);
  }

  /** What is no object. */
  valueOf(given: unknown): unknown {
    if (typeof given === "string") this.spend(0, given.length);
    return given;
  }

  *copyOf(given: object, level: number): Task<unknown> {
    const isCircle = this.open.includes(given);
    if (isCircle || level > this.copying.depth) {
      if (this.copying.tooDeep !== undefined) throw this.copying.tooDeep(pathText(this.path));
      return isCircle ? CIRCLE : NO_DATA;
    }
    if (Array.isArray(given)) return yield* this.list(given, level);
    const date = this.isDated && this.isWithinObject() ? textOfDate(given) : undefined;
    return date ?? (yield* this.object(given, level));
  }

  /** Whether the current value stands in an object of the property, at any depth. */
  private isWithinObject(): boolean {
    return this.path.some((step, i) => i > 0 && typeof step === "string");
  }

  private *list(given: readonly unknown[], level: number): Task<readonly unknown[]> {
    const { length } = given;
    if (length > this.copying.items && this.copying.tooLong !== undefined)
      throw this.copying.tooLong(pathText(this.path), length);
    const copy: unknown[] = [];
    const at = this.enter(given);
    for (let i = 0; i < Math.min(length, this.copying.items + 1); i++) {
      this.path[at] = i;
      this.spend(1, 0);
      const value = given[i];
      copy.push(isObject(value) ? yield* this.copyOf(value, level + 1) : this.valueOf(value));
      if (++this.taken % PAUSE_EVERY === 0) yield;
    }
    this.leave();
    return Object.freeze(copy);
  }

  private *object(given: object, level: number): Task<object> {
    if (ArrayBuffer.isView(given)) return NO_DATA;
    const copy = isPlain(given) ? emptyObject() : (Object.create(NOT_PLAIN) as ReturnType<typeof emptyObject>);
    const names = Object.keys(given);
    const at = this.enter(given);
    if (names.length > MOST_NAMES) {
      const { what, error, tooManyNames } = this.copying;
      const path = pathText(this.path.slice(0, at));
      const msg = tooMany(names.length);
      throw tooManyNames?.(path, msg) ?? new SearchError(400, error, `${what}.${path} ${msg}`, { param: what });
    }
    for (const name of names) {
      this.path[at] = name;
      this.spend(1, name.length);
      const value = (given as Record<string, unknown>)[name];
      copy[name] = isObject(value) ? yield* this.copyOf(value, level + 1) : this.valueOf(value);
      if (++this.taken % PAUSE_EVERY === 0) yield;
    }
    // Their values are of no use, but checks refuse objects that have any.
    for (const symbol of Object.getOwnPropertySymbols(given))
      if (Object.prototype.propertyIsEnumerable.call(given, symbol)) copy[symbol] = true;
    this.leave();
    return Object.freeze(copy);
  }

  /** Returns the place in the path of what is within. */
  private enter(given: object): number {
    this.open.push(given);
    return this.path.push("") - 1;
  }

  private leave(): void {
    this.open.pop();
    this.path.pop();
  }

  private spend(values: number, characters: number): void {
    this.values -= values;
    this.characters -= characters;
    if (this.values >= 0 && this.characters >= 0) return;
    const { what, error, tooLarge } = this.copying;
    throw (
      tooLarge?.(String(this.path[0])) ??
      new SearchError(400, error, `${what} holds too many values or too long texts; pass less.`, { param: what })
    );
  }
}

/** A copy of plain data for a caller, who may change it: of ordinary lists and objects. `seen`: for pauses. */
export function* copyForCaller(value: unknown, seen = { values: 0 }): Task<unknown> {
  if (!isObject(value)) return value;
  const copies: unknown[] = [];
  for (const each of Array.isArray(value) ? value : Object.values(value)) {
    copies.push(isObject(each) ? yield* copyForCaller(each, seen) : each);
    if (++seen.values % PAUSE_EVERY === 0) yield;
  }
  return Array.isArray(value) ? copies : Object.fromEntries(Object.keys(value).map((name, i) => [name, copies[i]]));
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** `synonyms[3].input` */
function pathText([first, ...rest]: readonly (string | number)[]): string {
  return `${first}${rest.map((each) => (typeof each === "number" ? `[${each}]` : `.${each}`)).join("")}`;
}

function emptyObject(): Record<string | symbol, unknown> {
  return new Plain() as Record<string | symbol, unknown>;
}

/** Whether an object of a caller's is a plain one, of any realm: its prototype is none, or the root of its realm. */
export function isPlain(given: object): boolean {
  const prototype: object | null = Object.getPrototypeOf(given);
  return (
    prototype === null || (Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, "hasOwnProperty"))
  );
}

function tooMany(names: number): string {
  return `has ${names} keys; pass at most ${MOST_NAMES}.`;
}

/** The names and values of an object of plain data, without undefined values. Throws 400 for anything else. */
export function entriesOf(value: unknown, what: string, error: string): [name: string, value: unknown][] {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new SearchError(400, error, `${what} is ${show(value)}; pass an object.`, { param: what });
  return Object.entries(value).filter(([, each]) => each !== undefined);
}
