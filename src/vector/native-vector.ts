// A vector as the native package may get it: it ends the process on what is no number, and loses others' vectors for what is
// not finite or out of range.

import { SearchError } from "../base/errors.js";
import { show } from "../base/show.js";

const MIN_NORM = 1e-24;
const MAX_NORM = 1e24;

/** The vector as an array of our own, every component read once. Throws 400 `invalid_vector`. */
export function copyVector(vector: ArrayLike<number>, dimensions: number): number[] {
  // Without a prototype nothing that was put on Array.prototype can stand in for a component.
  const copy: number[] = Object.setPrototypeOf(new Array<number>(dimensions), null);
  let norm = 0;
  try {
    const length: unknown = vector.length;
    if (length !== dimensions) throw badVector(`has the length ${show(length)}; pass ${dimensions} components.`);
    for (let i = 0; i < dimensions; i++) {
      const component: unknown = vector[i];
      if (typeof component !== "number" || !Number.isFinite(Math.fround(component)))
        throw badVector(`has ${show(component)} at ${i}; pass finite 32-bit numbers.`);
      copy[i] = component;
      norm += Math.fround(component) ** 2;
    }
  } catch (cause) {
    throw cause instanceof SearchError ? cause : badVector("cannot be read; pass an array of numbers.", { cause });
  }
  if (norm >= MIN_NORM && norm <= MAX_NORM) return copy;
  throw badVector(`has the squared length ${norm}; pass one from ${MIN_NORM} to ${MAX_NORM}.`);
}

function badVector(msg: string, more: { readonly cause?: unknown } = {}): SearchError {
  return new SearchError(400, "invalid_vector", `vector ${msg}`, { param: "vector", ...more });
}
