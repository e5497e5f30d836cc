// Algolia's built-in operations, which change the value of an attribute instead of replacing it. One stands in a patch, and in the
// patch's JSON, where a value would stand, as `{ _operation, value }`. It is applied to what the record holds in the turn of the call.

import { show, showKind } from "../util/errors.js";
import type { JsonValue } from "../util/json.js";

/** Adds to a number, or subtracts from it; where there is none, from 0. */
type NumberOperation = {
  readonly _operation: "Increment" | "Decrement";
  readonly value: number;
};

/** Appends to a list, or only what is not there, or removes all that is equal; where there is no list, of the empty one. */
type ListOperation<V extends string | number = string | number> = {
  readonly _operation: "Add" | "AddUnique" | "Remove";
  readonly value: V;
};

/** What may change a value of this type. */
export type OperationOn<T> = T extends number
  ? NumberOperation
  : T extends readonly (infer Item)[]
    ? ListOperation<Extract<Item, string | number>>
    : never;

/** An operation that was checked. */
export type Operation = NumberOperation | ListOperation;

/** The key that tells an operation from other objects; in a record no object has it. */
export const OPERATION_KEY = "_operation";

const NUMBER_OPERATIONS: readonly unknown[] = ["Increment", "Decrement"];
const LIST_OPERATIONS: readonly unknown[] = ["Add", "AddUnique", "Remove"];
const NAMES = [...NUMBER_OPERATIONS, ...LIST_OPERATIONS].map(show).join(", ");

/** The operation of this name and value, or what is wrong with it. */
export function readOperation(name: unknown, value: unknown): Operation | { readonly complaint: string } {
  const isNumber = Number.isFinite(value);
  if (NUMBER_OPERATIONS.includes(name))
    return isNumber ? ({ _operation: name, value } as NumberOperation) : wrongValue(name, value, "a finite number");
  if (LIST_OPERATIONS.includes(name))
    return isNumber || typeof value === "string"
      ? ({ _operation: name, value } as ListOperation)
      : wrongValue(name, value, "a text or a finite number");
  return { complaint: `has the _operation ${show(name)}, expected one of ${NAMES}` };
}

function wrongValue(name: unknown, value: unknown, expected: string): { readonly complaint: string } {
  return { complaint: `has ${show(name)} with the value ${showKind(value)}, expected ${expected}` };
}

/** Whether what stands in a checked patch is an operation. */
export function isOperation(value: JsonValue | Operation): value is Operation {
  return typeof value === "object" && value !== null && Object.hasOwn(value, OPERATION_KEY);
}

/** What an operation makes of a stored value; undefined: none is stored. */
export function applyOperation(
  { _operation: name, value }: Operation,
  stored: JsonValue | undefined,
): { readonly value: JsonValue } | { readonly complaint: string } {
  if (name === "Increment" || name === "Decrement") {
    const number = stored ?? 0;
    if (typeof number !== "number") return wrongStored(name, number, "a number");
    const sum = name === "Increment" ? number + value : number - value;
    return Number.isFinite(sum) ? { value: sum } : { complaint: `is not finite after ${show(name)}` };
  }
  const list = stored ?? [];
  if (!isList(list)) return wrongStored(name, list, "an array");
  const isThere = list.includes(value);
  if (name === "Remove") return { value: isThere ? list.filter((item) => item !== value) : list };
  return { value: name === "AddUnique" && isThere ? list : [...list, value] };
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** The stored value is not shown. */
function wrongStored(name: string, stored: JsonValue, expected: string): { readonly complaint: string } {
  const kind = typeof stored === "number" || typeof stored === "boolean" ? `a ${typeof stored}` : showKind(stored);
  return { complaint: `holds ${kind}, and ${show(name)} needs ${expected}` };
}
