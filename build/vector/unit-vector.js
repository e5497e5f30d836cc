// Vectors as they are stored and compared: unit length, each component in 1/32,767ths. Products of such components add up in
// 32-bit integers (the sums of a unit vector stay below 2^31), so a dot product is exact in any order and on every kernel.
import { types } from "node:util";
import { has } from "../base/checks.js";
import { SearchError } from "../base/errors.js";
import { show, showKind } from "../base/show.js";
/** Components of a stored vector are whole multiples of 1 / SCALE. */
export const SCALE = 32_767;
/** Squared lengths outside are refused: the components could not be normalised in 32-bit floats. */
const LEAST_SQUARE = 1e-24;
const GREATEST_SQUARE = 1e24;
/** The sum of a query's components. */
export function sumOf({ components }) {
    let sum = 0;
    for (let i = 0; i < components.length; i++)
        sum += components[i];
    return sum;
}
/** Half of one over a query's length: a kernel counts in halves. */
export function scaleOf({ inverseLength }) {
    return inverseLength / 2;
}
/**
 * Reads a vector once, checks it and brings it to unit length. Takes an array of numbers, a Float32Array or a Float64Array.
 */
export function readVector(given, dimensions) {
    try {
        const numbers = copyNumbers(given, dimensions);
        return typeof numbers === "string" ? { complaint: numbers } : normalize(numbers);
    }
    catch {
        return { complaint: "it could not be read (a getter or proxy threw)" };
    }
}
/** As {@link readVector}, throwing 400 `invalid_vector` with `what` named. */
export function requireVector(given, dimensions, what) {
    const read = readVector(given, dimensions);
    if (has(read, "vector"))
        return read.vector;
    throw new SearchError(400, "invalid_vector", `${what} is no vector of this index: ${read.complaint}.`, {
        param: what,
    });
}
function copyNumbers(given, dimensions) {
    // The copy of a typed array is made from its own slots, whatever properties were put on it.
    if (types.isFloat32Array(given) || types.isFloat64Array(given)) {
        // Looked at before, too, so that no giant is copied.
        if (given.length !== dimensions)
            return lengthComplaint(given.length, dimensions);
        const numbers = new Float64Array(given);
        return numbers.length === dimensions ? numbers : lengthComplaint(numbers.length, dimensions);
    }
    if (!Array.isArray(given))
        return `found ${showKind(given)}, expected an array of ${dimensions} numbers`;
    return given.length === dimensions ? copyItems(given, dimensions) : lengthComplaint(given.length, dimensions);
}
function copyItems(given, dimensions) {
    const numbers = new Float64Array(dimensions);
    for (let i = 0; i < dimensions; i++) {
        const value = given[i];
        if (typeof value !== "number")
            return complaintOf(numbers.subarray(0, i)) ?? `component ${i} is ${showKind(value)}, expected a number`;
        numbers[i] = value;
    }
    return numbers;
}
function lengthComplaint(length, dimensions) {
    return `found ${length} components, expected ${dimensions}`;
}
/** The first number that is not finite in 32 bits. */
function complaintOf(numbers) {
    const at = numbers.findIndex((value) => !Number.isFinite(Math.fround(value)));
    return at < 0 ? undefined : `component ${at} is ${show(numbers[at])}, expected a finite 32-bit number`;
}
function normalize(numbers) {
    let square = 0;
    for (let i = 0; i < numbers.length; i++)
        square += numbers[i] * numbers[i];
    if (!(square > LEAST_SQUARE && square < GREATEST_SQUARE))
        // A square within the range has none that is not finite, so only here they are looked for.
        return {
            complaint: complaintOf(numbers) ??
                (square === 0 ? "all components are 0, so it has no direction" : "its length is out of range (1e-12 to 1e12)"),
        };
    const factor = SCALE / Math.sqrt(square);
    const components = new Int16Array(numbers.length);
    let length = 0;
    for (let i = 0; i < numbers.length; i++) {
        const component = Math.round(numbers[i] * factor);
        components[i] = component;
        length += component * component;
    }
    return { vector: { components, inverseLength: 1 / Math.sqrt(length) } };
}
