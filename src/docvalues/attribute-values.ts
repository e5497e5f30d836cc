// The values of a record at dotted paths. Only own properties are read, and arrays stand for their items. A top-level attribute
// whose whole name is the path wins over walking the path. Deeper in the record, a name with dots counts as several steps.

import { PathTree } from "../util/attribute-path.js";
import type { JsonRecord, JsonValue } from "../util/json.js";
import type { AttributeValue } from "./doc-values.js";

/** Receives one value of the path with this number. */
export type TakeValue = (path: number, value: AttributeValue) => void;

/** Reads the values of many paths in one walk through a record. */
export class PathReader {
  /** The paths by their numbers. */
  private readonly root: PathTree<number>;
  /** For each path, the number of the last record that has an attribute of that whole name. */
  private readonly wholeName: Float64Array;
  private recordNumber = 0;

  /** A path is identified by its index in `paths`. Of equal paths, the first gets the values. */
  constructor(paths: readonly string[]) {
    this.wholeName = new Float64Array(paths.length);
    this.root = new PathTree(paths.map((path, number) => [path, number] as const).reverse());
  }

  /** Passes every value in the record to `take`; repeated values are passed repeatedly. */
  read(record: JsonRecord, take: TakeValue): void {
    this.recordNumber++;
    const names = Object.keys(record);
    for (const name of names) {
      if (!name.includes(".")) continue;
      const path = this.root.at(name)?.option;
      if (path === undefined) continue;
      this.wholeName[path] = this.recordNumber;
      copyItems(record[name]!, (value) => take(path, value));
    }
    this.readNames(names, record, take);
  }

  /** The same of an object within a record, whose names are steps of paths. */
  readItem(item: JsonRecord, take: TakeValue): void {
    this.recordNumber++;
    this.readNames(Object.keys(item), item, take);
  }

  private readNames(names: readonly string[], record: JsonRecord, take: TakeValue): void {
    for (const name of names) {
      const node = this.root.at(name);
      if (node !== undefined) this.walk(record[name]!, node, take);
    }
  }

  private walk(value: JsonValue, node: PathTree<number>, take: TakeValue): void {
    if (Array.isArray(value)) for (const item of value) this.walk(item, node, take);
    else if (isObject(value)) {
      if (node.children.size === 0) return;
      for (const name of Object.keys(value)) {
        const child = node.at(name);
        if (child !== undefined) this.walk(value[name]!, child, take);
      }
    } else if (
      node.option !== undefined &&
      isAttributeValue(value) &&
      this.wholeName[node.option] !== this.recordNumber
    )
      take(node.option, positiveZero(value));
  }
}

/** All values of a record with their paths, with repetitions; each is a value that a {@link PathReader} finds at the path. */
export function pathsOf(record: JsonRecord): Iterable<[path: string, value: AttributeValue]> {
  const names = Object.keys(record);
  const hasDottedName = names.some((name) => name.includes("."));
  const leaves: [string, AttributeValue][] = [];
  const collect = (value: JsonValue, path: string, wholeName: boolean): void => {
    if (Array.isArray(value)) for (const item of value) collect(item, path, wholeName);
    else if (isObject(value)) for (const name of Object.keys(value)) collect(value[name]!, `${path}.${name}`, false);
    else if (isAttributeValue(value) && (wholeName || !hasDottedName || !Object.hasOwn(record, path)))
      leaves.push([path, positiveZero(value)]);
  };
  for (const name of names) collect(record[name]!, name, true);
  return leaves;
}

/** The paths of the values of an object within a record, whose names are steps of paths; with repetitions. */
export function* pathsOfItem(item: JsonRecord): Iterable<string> {
  for (const [path] of pathsOf({ "": item })) yield path.slice(1);
}

/** Passes a value, or the items of an array that are values; objects are skipped. */
function copyItems(value: JsonValue, take: (value: AttributeValue) => void): void {
  if (Array.isArray(value)) for (const item of value) copyItems(item, take);
  else if (isAttributeValue(value)) take(positiveZero(value));
}

function isObject(value: JsonValue): value is JsonRecord {
  return typeof value === "object" && value !== null;
}

export function isAttributeValue(value: JsonValue): value is AttributeValue {
  return (
    typeof value === "string" || typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value))
  );
}

function positiveZero(value: AttributeValue): AttributeValue {
  return value === 0 ? 0 : value;
}
