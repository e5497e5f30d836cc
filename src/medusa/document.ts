// A document as the engine's record, and back. A record has one attribute for the values of each field, by which it is found, and the
// whole document as a text, of which hits show a part.

import { classOf } from "../util/brand.js";
import { show, showKind } from "../util/errors.js";
import { instantOf } from "../util/instant.js";
import { objectIn } from "../util/json.js";
import { type Definition, DOCUMENT, ID, type Leaf } from "./definition.js";
import { wrong } from "./medusa-error.js";
import { jsonOf, type Options, plainObject } from "./options.js";

/** A number as JSON writes it. */
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/** The record of a document; `place`: which one of the call it is. Throws `invalid_data`, naming the document and the field. */
export function recordOf(document: unknown, place: number, { primaryKey, leaves }: Definition): Options {
  const object = plainObject(document);
  if (object === undefined) throw wrong(`documents[${place}] is ${show(document)}; pass an object.`);
  const key = ownOf(object, primaryKey);
  const id = typeof key === "number" && Number.isFinite(key) ? String(key) : key;
  if (typeof id !== "string" || id === "")
    throw wrong(`documents[${place}] has ${show(key)} as its key ${show(primaryKey)}; pass a text or a number.`);
  const at = `The document ${show(id)}`;
  const attributes: [string, unknown][] = [
    [ID, id],
    [DOCUMENT, jsonOf(object, at)],
  ];
  for (const leaf of leaves.values()) {
    const { path, type, attribute, numbers, isList } = leaf;
    // Whatever the type of its field, a key may be a text or a number.
    const isKey = path === primaryKey && (type === "keyword" || type === "text");
    const values = isKey ? [id] : valuesIn(object, leaf, 0, at);
    if (values.length === 0) continue;
    const told = (list: readonly unknown[]): unknown => (isList ? list : list[0]);
    attributes.push([attribute, told(type === "date" ? values.map(isoText) : values)]);
    if (type === "date") attributes.push([numbers, told(values)]);
  }
  // Not by assignment: a field may be called `__proto__`.
  return Object.fromEntries(attributes);
}

/** The canonical text of an instant in milliseconds. */
export function isoText(instant: unknown): string {
  return new Date(instant as number).toISOString();
}

/** What an object has of its own under a name: a field may be called `constructor`. */
export function ownOf<T>(object: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
}

/** The values of a leaf in an object that is `level` steps below the document. */
function valuesIn(object: Options, leaf: Leaf, level: number, at: string): readonly unknown[] {
  const { name, isArray } = leaf.steps[level]!;
  const isLast = level === leaf.steps.length - 1;
  const unreadable = (given: unknown, expected: string): Error => {
    const path = leaf.steps.slice(0, level + 1).map((step) => step.name);
    const found = classOf(given) === "Date" ? "a Date" : showKind(given);
    return wrong(`${at}: ${show(path.join("."))} is ${found}; expected ${expected}.`);
  };
  const read = (given: unknown): readonly unknown[] => {
    if (given === null || given === undefined) return [];
    if (Array.isArray(given) && !(isLast && leaf.type === "vector")) {
      if (!isArray) throw unreadable(given, "a value that is no list");
      return given.flatMap(read);
    }
    if (!isLast) {
      const inner = plainObject(given);
      if (inner === undefined) throw unreadable(given, "an object");
      return valuesIn(inner, leaf, level + 1, at);
    }
    const value = readValue(leaf, given);
    if (value === undefined) throw unreadable(given, EXPECTED[leaf.type]);
    return value === "" && leaf.embed ? [] : [value];
  };
  return read(ownOf(object, name));
}

/** What values of each type are, for messages. */
export const EXPECTED: { readonly [T in Leaf["type"]]: string } = {
  keyword: "a text",
  text: "a text",
  integer: "an integer",
  float: "a number",
  boolean: "true or false",
  date: "a Date, an ISO text such as 2026-01-31 or 2026-01-31T10:00:00Z, or milliseconds",
  geo: "{ lat, lng } in degrees",
  vector: "a list of as many numbers as declared, not all 0, or the text that is embedded",
};

/** A value of a document for a field; of a date the milliseconds. undefined: it cannot be read. */
function readValue({ type, embed, dimensions }: Leaf, given: unknown): unknown {
  const value = plain(given);
  switch (type) {
    case "keyword":
    case "text":
      return typeof value === "string" ? value : undefined;
    case "integer":
    case "float": {
      const number = typeof value === "string" && NUMBER.test(value) ? Number(value) : value;
      return (type === "integer" ? Number.isSafeInteger : Number.isFinite)(number) ? number : undefined;
    }
    case "boolean":
      return value === "true" || value === "false" ? value === "true" : typeof value === "boolean" ? value : undefined;
    case "date":
      return instantIn(given);
    case "geo": {
      const { lat, lng } = objectIn(value) ?? {};
      return isWithin(lat, 90) && isWithin(lng, 180) ? { lat, lng } : undefined;
    }
    case "vector":
      return embed ? (typeof value === "string" ? value.trim() : undefined) : vectorIn(given, dimensions!);
  }
}

/** What an object with a form in JSON stands for, such as Medusa's BigNumber. */
function plain(given: unknown): unknown {
  const { toJSON } = plainObject(given) ?? {};
  return typeof toJSON === "function" ? (Reflect.apply(toJSON, given, []) as unknown) : given;
}

function isWithin(value: unknown, most: number): value is number {
  return typeof value === "number" && Math.abs(value) <= most;
}

/** The instant of a Date, of an ISO text or of milliseconds; undefined: it is none. */
export function instantIn(given: unknown): number | undefined {
  const instant = classOf(given) === "Date" ? Number(given) : typeof given === "string" ? instantOf(given) : given;
  return Number.isInteger(instant) && !Number.isNaN(Number(new Date(instant as number)))
    ? (instant as number)
    : undefined;
}

/** A vector of so many numbers, not all of them 0; undefined: it is none. */
export function vectorIn(given: unknown, dimensions: number): readonly number[] | undefined {
  const isVector =
    Array.isArray(given) && given.length === dimensions && given.every(Number.isFinite) && given.some(Boolean);
  return isVector ? given : undefined;
}

/** What is shown of documents: the names at each level, and what is shown below them; null: all. */
export type Projection = ReadonlyMap<string, Projection | null>;

/** What paths show of documents. */
export function projectionOf(paths: readonly string[], { leaves }: Definition): Projection {
  return shownBelow(paths.map((path) => leaves.get(path)?.steps.map(({ name }) => name) ?? path.split(".")));
}

function shownBelow(paths: readonly (readonly string[])[]): Projection {
  const below = new Map<string, string[][]>();
  for (const [name = "", ...rest] of paths) below.set(name, [...(below.get(name) ?? []), rest]);
  const isAll = (rests: readonly (readonly string[])[]): boolean => rests.some(({ length }) => length === 0);
  return new Map([...below].map(([name, rests]) => [name, isAll(rests) ? null : shownBelow(rests)]));
}

/** The shown part of a stored document, in its shape. */
export function shownOf(document: unknown, projection: Projection): Record<string, unknown> {
  const object = objectIn(document) ?? {};
  const shown: [string, unknown][] = [];
  for (const [name, inner] of projection) {
    const value = ownOf(object, name);
    if (value === undefined) continue;
    if (inner === null) shown.push([name, value]);
    else if (Array.isArray(value)) shown.push([name, value.map((item) => shownOf(item, inner))]);
    else if (objectIn(value) !== undefined) shown.push([name, shownOf(value, inner)]);
  }
  return Object.fromEntries(shown);
}
