// Shapes of structures: what kinds of values stand where, and whether the numbers of an array are within bounds. A structure from a
// stranger may be anything; TypeScript sees that a shape names each part of the type that it stands for.

import type { NarrowArray } from "../util/growable.js";
import type { Task } from "../util/tasks.js";
import { type Bytes, LazyArray } from "./sections.js";

/** Whether a value has a shape. */
export type Shape<T> = (value: unknown) => value is T;

type ArrayClass<B extends Bytes> = abstract new (...args: never) => B;

export const arrayOf =
  <B extends Bytes>(...classes: readonly ArrayClass<B>[]): Shape<B> =>
  (value): value is B =>
    classes.some((one) => value instanceof one);

export const onDemand =
  <B extends Bytes>(shape: Shape<B>): Shape<LazyArray<B>> =>
  (value): value is LazyArray<B> =>
    value instanceof LazyArray && shape(value.array);

export const orNull =
  <T>(shape: Shape<T>): Shape<T | null> =>
  (value): value is T | null =>
    value === null || shape(value);

export const listOf =
  <T>(shape: Shape<T>): Shape<readonly T[]> =>
  (value): value is readonly T[] =>
    Array.isArray(value) && value.every(shape);

/** An object with exactly these parts. */
export const object =
  <T extends object>(parts: { readonly [name in keyof T]: Shape<T[name]> }): Shape<T> =>
  (value): value is T =>
    typeof value === "object" &&
    value !== null &&
    Object.keys(value).length === Object.keys(parts).length &&
    (Object.keys(parts) as (keyof T)[]).every((name) => Object.hasOwn(value, name) && parts[name]((value as T)[name]));

export const text: Shape<string> = (value) => typeof value === "string";
export const flag: Shape<boolean> = (value) => typeof value === "boolean";
export const count: Shape<number> = (value): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
export const u8: Shape<Uint8Array> = arrayOf(Uint8Array);
export const i8: Shape<Int8Array> = arrayOf(Int8Array);
export const u16: Shape<Uint16Array> = arrayOf(Uint16Array);
export const u32: Shape<Uint32Array> = arrayOf(Uint32Array);
export const i32: Shape<Int32Array> = arrayOf(Int32Array);
export const f32: Shape<Float32Array> = arrayOf(Float32Array);
export const f64: Shape<Float64Array> = arrayOf(Float64Array);
export const narrow: Shape<NarrowArray> = arrayOf<NarrowArray>(Uint8Array, Uint16Array, Uint32Array);

/** Elements looked at between two pauses: a fraction of a millisecond. */
export const AT_ONCE: number = 1 << 16;

/** Whether a check holds for all of an array, in steps. */
export function* each<A extends { readonly length: number }>(
  array: A,
  holds: (array: A, from: number, to: number) => boolean,
): Task<boolean> {
  for (let from = 0; from < array.length; from += AT_ONCE) {
    if (!holds(array, from, Math.min(array.length, from + AT_ONCE))) return false;
    yield;
  }
  return true;
}

// The loops stand in plain functions: V8 optimises these better than generators.

/** All are below `end`. */
export function below(end: number): (array: NarrowArray, from: number, to: number) => boolean {
  return (array, from, to) => {
    for (let at = from; at < to; at++) if (array[at]! >= end) return false;
    return true;
  };
}

/** Each is greater than the one before, and all are below `end`. */
export function ascending(end: number): (array: Uint32Array, from: number, to: number) => boolean {
  return (array, from, to) => {
    for (let at = from; at < to; at++) if (array[at]! >= end || (at > 0 && array[at]! <= array[at - 1]!)) return false;
    return true;
  };
}
