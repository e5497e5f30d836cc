// Partial updates of the naive engine: what a patch makes of a record, by the definition of each operation.

import type { JsonRecord, JsonValue } from "../../src/index.js";
import type { Random } from "./random.js";

/** The record afterwards; undefined: an operation cannot be done. */
export function applyPatch(record: JsonRecord | undefined, patch: JsonRecord): JsonRecord | undefined {
  const after = new Map(Object.entries(record ?? {}));
  for (const [name, value] of Object.entries(patch)) {
    const changed = isOperation(value) ? operate(after.get(name) ?? null, value) : value;
    if (changed === undefined) return undefined;
    after.set(name, changed);
  }
  return Object.fromEntries(after);
}

interface NaiveOperation {
  readonly [name: string]: JsonValue;
  readonly _operation: string;
  readonly value: string | number;
}

function isOperation(value: JsonValue): value is NaiveOperation {
  return typeof value === "object" && value !== null && "_operation" in value;
}

function operate(stored: JsonValue, { _operation, value }: NaiveOperation): JsonValue | undefined {
  if (_operation === "Increment" || _operation === "Decrement") {
    if (typeof value !== "number" || (stored !== null && typeof stored !== "number")) return undefined;
    const sum = (stored ?? 0) + (_operation === "Increment" ? value : -value);
    return Math.abs(sum) === Number.POSITIVE_INFINITY ? undefined : sum;
  }
  if (stored !== null && !Array.isArray(stored)) return undefined;
  const list: JsonValue[] = [];
  let isThere = false;
  for (const item of (stored ?? []) as readonly JsonValue[]) {
    if (item === value) isThere = true;
    if (_operation !== "Remove" || item !== value) list.push(item);
  }
  if (_operation === "Add" || (_operation === "AddUnique" && !isThere)) list.push(value);
  return list;
}

/** An operation for an attribute that may hold such a value; now and then one that cannot be done. */
export function randomOperation(random: Random, value: JsonValue): JsonValue {
  const isNumber = random.chance(0.95) ? typeof value === "number" : random.chance(0.5);
  if (isNumber) return { _operation: random.pick(["Increment", "Decrement"]), value: random.pick([1, 0.1, -18, 1e15]) };
  const items: readonly JsonValue[] = Array.isArray(value) ? value : [];
  const scalars = [...items, "saw", 18].filter((item) => typeof item === "string" || typeof item === "number");
  return { _operation: random.pick(["Add", "AddUnique", "Remove"]), value: random.pick(scalars) };
}
