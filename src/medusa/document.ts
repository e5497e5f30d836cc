// A document as the engine's record, and back. A record has one attribute for the values of each field, by which it is found, and the
// whole document as a text, of which hits show a part.

import { show, showKind } from "../util/errors.js";
import { instantOf } from "../util/instant.js";
import { objectIn } from "../util/json.js";
import { DOCUMENT, type Field, ID, type IndexDefinition, type Leaf } from "./index-definition.js";
import { medusaError } from "./medusa-error.js";

type Value = string | number | boolean | readonly number[] | { readonly lat: number; readonly lng: number };

/** A number as JSON writes it. */
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/** The record of a document; `place`: which one of the call it is. Throws `invalid_data`, naming the document and the field. */
export function recordOf(
  document: unknown,
  place: number,
  definition: IndexDefinition,
): Readonly<Record<string, unknown>> {
  const { primaryKey, fields } = definition;
  const object = document instanceof Date ? undefined : objectIn(document);
  if (object === undefined)
    throw medusaError("invalid_data", `documents[${place}] is ${show(document)}; pass an object.`);
  const key = ownValue(object, primaryKey);
  const id = typeof key === "number" && Number.isFinite(key) ? String(key) : key;
  const at = `documents[${place}]`;
  if (typeof id !== "string" || id === "")
    throw medusaError(
      "invalid_data",
      `${at} has ${show(key)} as its key ${show(primaryKey)}; pass a text or a number.`,
    );
  const reading: Reading = { at: `The document ${show(id)}`, values: new Map() };
  for (const field of fields) {
    // Whatever the type of its field, a key may be a text or a number.
    const given = field.name === primaryKey && isText(field.content as Leaf) ? id : ownValue(object, field.name);
    readField(field, given, reading);
  }
  const attributes: [string, unknown][] = [
    [ID, id],
    [DOCUMENT, textOf(object, reading.at)],
  ];
  for (const [{ attribute, numbers, isList, type }, values] of reading.values) {
    const told = (list: readonly unknown[]): unknown => (isList ? list : list[0]);
    attributes.push([attribute, told(type === "date" ? values.map(isoText) : values)]);
    if (type === "date") attributes.push([numbers, told(values)]);
  }
  // Not by assignment: a field may be called `__proto__`.
  return Object.fromEntries(attributes);
}

const isText = ({ type }: Leaf): boolean => type === "keyword" || type === "text";

/** The canonical text of an instant in milliseconds. */
export function isoText(instant: unknown): string {
  return new Date(instant as number).toISOString();
}

interface Reading {
  readonly at: string;
  readonly values: Map<Leaf, Value[]>;
}

function ownValue(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? (object as Readonly<Record<string, unknown>>)[name] : undefined;
}

function readField(field: Field, given: unknown, reading: Reading): void {
  const { path, isArray, content } = field;
  if (given === null || given === undefined) return;
  const isVector = !Array.isArray(content) && (content as Leaf).type === "vector";
  if (Array.isArray(given) && !isVector) {
    if (!isArray) throw unreadable(path, given, "a value that is no list", reading);
    for (const item of given) readField(field, item, reading);
    return;
  }
  if (isFields(content)) {
    const object = given instanceof Date ? undefined : objectIn(given);
    if (object === undefined) throw unreadable(path, given, "an object", reading);
    for (const inner of content) readField(inner, ownValue(object, inner.name), reading);
    return;
  }
  const value = readValue(content, plain(given));
  if (value === undefined) throw unreadable(path, given, EXPECTED[content.type], reading);
  if (value === "" && content.vector?.isEmbedded === true) return;
  const values = reading.values.get(content);
  if (values === undefined) reading.values.set(content, [value]);
  else values.push(value);
}

function isFields(content: Field["content"]): content is readonly Field[] {
  return Array.isArray(content);
}

const EXPECTED: { readonly [T in Leaf["type"]]: string } = {
  keyword: "a text",
  text: "a text",
  integer: "an integer",
  float: "a number",
  boolean: "true or false",
  date: "a Date, an ISO text such as 2026-01-31 or 2026-01-31T10:00:00Z, or milliseconds",
  geo: "{ lat, lng } in degrees",
  vector: "a list of as many numbers as declared, not all 0, or the text that is embedded",
};

function unreadable(path: string, given: unknown, expected: string, { at }: Reading): Error {
  const found = given instanceof Date ? "a Date" : showKind(given);
  return medusaError("invalid_data", `${at}: ${show(path)} is ${found}; expected ${expected}.`);
}

/** What an object with a form in JSON stands for, such as Medusa's BigNumber. */
function plain(given: unknown): unknown {
  if (given instanceof Date || typeof given !== "object" || given === null) return given;
  const { toJSON } = given as { readonly toJSON?: unknown };
  return typeof toJSON === "function" ? (Reflect.apply(toJSON, given, []) as unknown) : given;
}

/** A value of a document for a field; of a date the milliseconds. undefined: it cannot be read. */
function readValue(leaf: Leaf, given: unknown): Value | undefined {
  switch (leaf.type) {
    case "keyword":
    case "text":
      return typeof given === "string" ? given : undefined;
    case "integer":
    case "float": {
      const number = typeof given === "string" && NUMBER.test(given) ? Number(given) : given;
      const isRead = leaf.type === "integer" ? Number.isSafeInteger(number) : Number.isFinite(number);
      return isRead ? (number as number) : undefined;
    }
    case "boolean":
      return given === "true" || given === "false" ? given === "true" : typeof given === "boolean" ? given : undefined;
    case "date":
      return instantIn(given);
    case "geo": {
      const { lat, lng } = objectIn(given) ?? {};
      return isWithin(lat, 90) && isWithin(lng, 180) ? { lat, lng } : undefined;
    }
    case "vector":
      if (leaf.vector!.isEmbedded) return typeof given === "string" ? given.trim() : undefined;
      return vectorIn(given, leaf.vector!.dimensions);
  }
}

function isWithin(value: unknown, most: number): value is number {
  return typeof value === "number" && Math.abs(value) <= most;
}

/** The instant of a Date, of an ISO text or of milliseconds; undefined: it is none. */
export function instantIn(given: unknown): number | undefined {
  const instant = given instanceof Date ? given.getTime() : typeof given === "string" ? instantOf(given) : given;
  return Number.isInteger(instant) && !Number.isNaN(new Date(instant as number).getTime())
    ? (instant as number)
    : undefined;
}

/** A vector of so many numbers, not all of them 0; undefined: it is none. */
export function vectorIn(given: unknown, dimensions: number): readonly number[] | undefined {
  const list = ArrayBuffer.isView(given) && !(given instanceof DataView) ? [...(given as Float32Array)] : given;
  const isVector =
    Array.isArray(list) && list.length === dimensions && list.every(Number.isFinite) && list.some(Boolean);
  return isVector ? (list as readonly number[]) : undefined;
}

function textOf(document: object, at: string): string {
  try {
    const listed = (_: string, value: unknown): unknown =>
      ArrayBuffer.isView(value) && !(value instanceof DataView) ? [...(value as Float32Array)] : value;
    return JSON.stringify(document, listed);
  } catch (cause) {
    throw medusaError("invalid_data", `${at} has no form in JSON: it has a BigInt, a circle, or is too deep.`, cause);
  }
}

/** What is shown of documents: the names at each level, and what is shown below them; null: all. */
export type Projection = ReadonlyMap<string, Projection | null>;

/** What paths show of documents. */
export function projectionOf(paths: readonly string[], { leaves }: IndexDefinition): Projection {
  const root = new Map<string, Projection | null>();
  for (const path of paths) {
    const steps = leaves.get(path)?.steps ?? path.split(".");
    let here = root;
    for (const [i, step] of steps.entries()) {
      const next = here.get(step);
      if (next === null) break;
      if (i === steps.length - 1) here.set(step, null);
      else {
        const inner = next ?? new Map<string, Projection | null>();
        here.set(step, inner);
        here = inner as Map<string, Projection | null>;
      }
    }
  }
  return root;
}

/** The shown part of a stored document, in its shape. */
export function shownOf(document: unknown, projection: Projection): Record<string, unknown> {
  const object = objectIn(document) ?? {};
  const shown: [string, unknown][] = [];
  for (const [name, inner] of projection) {
    const value = ownValue(object, name);
    if (value === undefined) continue;
    if (inner === null) shown.push([name, value]);
    else if (Array.isArray(value)) shown.push([name, value.map((item) => shownOf(item, inner))]);
    else if (objectIn(value) !== undefined) shown.push([name, shownOf(value, inner)]);
  }
  return Object.fromEntries(shown);
}
