// Binary search in ascending sequences, half-open ranges throughout.

/**
 * The first index from `from` on at which `isBefore` is false, or `to` if there is none. `isBefore` must be true up to some index
 * and false from there on.
 *
 * @example
 * partitionPoint(0, names.length, (i) => names[i]! < "m"); // the number of names before "m"
 */
export function partitionPoint(from: number, to: number, isBefore: (index: number) => boolean): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first index in `from` to `to - 1` of an ascending array whose value is at least `value`, or `to`. */
export function lowerBound(values: Uint32Array, value: number, from = 0, to: number = values.length): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The index of a value in an ascending array, or -1. */
export function indexOfSorted(values: Uint32Array, value: number): number {
  const at = lowerBound(values, value);
  return values[at] === value ? at : -1;
}
