// One walk over a record as the caller gave it: every value is read once, checked and written down as JSON text (its own vector
// apart from it, as numbers), and in a copy that is what both say. No object of the caller's is kept, and nothing the caller
// does later can reach the index.
import { show, showKind } from "../base/show.js";
import { JsonParts } from "./json-parts.js";
import { jsonOfName, jsonOfText } from "./json-text.js";
import { setOwn } from "./set-own.js";
class Refused extends Error {
    error;
    code;
    constructor(error, message, code = 400) {
        super(message);
        this.error = error;
        this.code = code;
    }
}
/** With it, -0 makes the one zero that JSON has. */
const NO_MINUS_ZERO = 0;
/** Without a prototype, where names might be put. */
const NOTHING_SPECIAL = Object.freeze(Object.create(null));
/** Checks a record and writes it as JSON. */
export function writeRecord(record, limits, special = NOTHING_SPECIAL) {
    try {
        if (!isPlainObject(record))
            throw new Refused("invalid_record", `is ${describe(record)}, expected a plain object`);
        const walk = new Walk(limits, special);
        const copy = walk.object(record, 1, "");
        return { json: walk.json(), vector: walk.vector(), record: copy };
    }
    catch (error) {
        if (error instanceof Refused)
            return { error: error.error, complaint: error.message, code: error.code };
        return {
            error: "invalid_record",
            complaint: "could not be read (a getter or proxy threw)",
            code: 400,
            cause: error,
        };
    }
}
class Walk {
    limits;
    special;
    /** The objects that the walk is in, from the record on. */
    open = [];
    parts;
    attributes = 0;
    constructor(limits, special) {
        this.limits = limits;
        this.special = special;
        const most = limits.recordBytes;
        this.parts = new JsonParts(most, () => {
            throw new Refused("record_too_large", `has more than ${most} bytes as JSON`, 413);
        });
    }
    json() {
        return this.parts.json();
    }
    vector() {
        const { vectorAttribute } = this.special;
        return vectorAttribute === undefined ? undefined : this.parts.vector(vectorAttribute);
    }
    object(given, depth, path) {
        this.enter(given, depth, path);
        const copy = {};
        let before = "{";
        for (const name of Object.keys(given)) {
            const value = given[name];
            if (value === undefined)
                continue;
            if (++this.attributes > this.limits.recordAttributes)
                throw new Refused("record_too_large", `has more than ${this.limits.recordAttributes} attributes`, 413);
            if (name.length > this.limits.attributeName)
                throw new Refused("invalid_record", `has an attribute name of more than ${this.limits.attributeName} characters`);
            const at = depth === 1 ? name : `${path}.${name}`;
            const isFloats = depth === 1 && name === this.special.vectorAttribute && ArrayBuffer.isView(value);
            if (before === ",")
                this.parts.count(1);
            this.parts.add(before);
            this.parts.addText(jsonOfName(name));
            setOwn(copy, name, isFloats ? this.floats(value, at) : this.value(value, depth, at));
            before = ",";
        }
        this.open.pop();
        this.parts.add(before === "{" ? "{}" : "}");
        return copy;
    }
    value(value, depth, path) {
        if (typeof value === "string")
            return this.text(value);
        if (typeof value === "number")
            return this.number(value, path);
        if (typeof value === "boolean" || value === null) {
            this.parts.addPlain(String(value));
            return value;
        }
        if (Array.isArray(value))
            return this.array(value, depth + 1, path);
        if (isPlainObject(value))
            return this.object(value, depth + 1, path);
        throw new Refused(this.errorAt(path), `${named(path)} is ${describe(value)}, expected a JSON value`);
    }
    array(given, depth, path) {
        this.enter(given, depth, path);
        const length = given.length;
        if (length > this.limits.arrayItems)
            throw new Refused("record_too_large", `${named(path)} has ${length} items; at most ${this.limits.arrayItems} are taken`, 413);
        const isVector = depth === 2 && path === this.special.vectorAttribute;
        // Read once, and looked at before they are written.
        const items = isVector ? Array.from({ length }, (_, i) => given[i]) : given;
        const isApart = isVector && length > 0 && items.every((item) => Number.isFinite(item));
        const copy = isApart ? this.apart(items) : this.list(items, length, isVector, depth, path);
        this.open.pop();
        return copy;
    }
    list(items, length, isVector, depth, path) {
        this.parts.add("[");
        const copy = [];
        for (let i = 0; i < length; i++) {
            const item = items[i];
            // A hole or undefined would shift or vanish; JSON writes null for both.
            if (i > 0) {
                this.parts.count(1);
                this.parts.add(",");
            }
            // Within the vector the place of a bad component is worth saying.
            copy.push(this.value(item === undefined ? null : item, depth, isVector ? `${path}[${i}]` : path));
        }
        this.parts.add("]");
        return copy;
    }
    /** Keeps the numbers of the vector, for which the JSON has a placeholder. */
    apart(given) {
        const numbers = new Float64Array(given.length);
        const copy = [];
        for (let i = 0; i < numbers.length; i++) {
            numbers[i] = given[i] + NO_MINUS_ZERO;
            copy.push(numbers[i]);
        }
        this.parts.addVector(numbers);
        return copy;
    }
    floats(given, path) {
        const kind = given[Symbol.toStringTag];
        if (kind !== "Float32Array" && kind !== "Float64Array")
            throw new Refused("invalid_vector", `${named(path)} is ${kind ?? "a buffer"}, expected numbers, a Float32Array or a Float64Array`);
        const floats = given;
        const expected = this.special.dimensions ?? this.limits.dimensions;
        if (floats.length > expected)
            throw new Refused("invalid_vector", `${named(path)} has ${floats.length} components, expected ${expected}`);
        const numbers = [];
        for (let i = 0; i < floats.length; i++)
            numbers.push(floats[i]);
        const bad = numbers.findIndex((number) => !Number.isFinite(number));
        if (bad >= 0)
            throw new Refused("invalid_vector", `${named(path)} has ${show(numbers[bad])} at position ${bad}, expected finite numbers`);
        this.parts.count(2);
        return this.apart(numbers);
    }
    number(value, path) {
        if (!Number.isFinite(value))
            throw new Refused(this.errorAt(path), `${named(path)} is ${show(value)}, expected a finite number`);
        const number = value + NO_MINUS_ZERO;
        this.parts.addPlain(String(number));
        return number;
    }
    /** What is wrong within the vector is wrong with the vector, and so with the id. */
    errorAt(path) {
        const { idAttribute, vectorAttribute } = this.special;
        if (path === idAttribute)
            return "invalid_id";
        const [top] = path.split(/[.[]/, 1);
        return vectorAttribute !== undefined && (path === vectorAttribute || top === vectorAttribute)
            ? "invalid_vector"
            : "invalid_field_value";
    }
    text(value) {
        this.parts.addText(jsonOfText(value));
        return value;
    }
    enter(given, depth, path) {
        if (this.open.includes(given))
            throw new Refused("record_cyclic", `${named(path)} contains itself`);
        if (depth > this.limits.recordDepth)
            throw new Refused("record_too_large", `is nested deeper than ${this.limits.recordDepth} levels`, 413);
        this.open.push(given);
        this.parts.count(2);
    }
}
/** A plain object of any realm: its prototype is null or the root of its realm. */
function isPlainObject(value) {
    if (typeof value !== "object" || value === null || Array.isArray(value))
        return false;
    const prototype = Object.getPrototypeOf(value);
    return (prototype === null || (Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, "hasOwnProperty")));
}
function describe(value) {
    if (Object.prototype.toString.call(value) === "[object Date]")
        return "a Date (pass a number or an ISO text)";
    if (typeof value === "object" && value !== null && !Array.isArray(value))
        return "an object that is not plain (a Map, a class instance, …)";
    return showKind(value);
}
function named(path) {
    return `attribute ${show(path)}`;
}
