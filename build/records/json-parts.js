// The text of a record as it is written, part by part, and its bytes, counted only as well as its limit needs it.
import { utf8Length } from "../base/json.js";
import { MOST_OF_UNIT } from "./json-text.js";
import { PLACEHOLDER, vectorText } from "./packed-vector.js";
/** "-1.2345678901234567e-100" and a comma. */
const MOST_OF_NUMBER = 25;
/** JSON that grows. */
export class JsonParts {
    /** Joined at the end: a text that grows by its parts is kept in many pieces. */
    parts = [];
    mostBytes;
    refuse;
    /** So many bytes at most: the most for each unit of a text and number of the vector, until that may be too much. */
    bytes = 0;
    isExact = false;
    numbers;
    /** How many parts stand before the vector's. */
    before = 0;
    /** Calls `refuse` when there are too many bytes. */
    constructor(mostBytes, refuse) {
        this.mostBytes = mostBytes;
        this.refuse = refuse;
    }
    json() {
        return this.parts.join("");
    }
    /** What the text leaves out. */
    vector(attribute) {
        if (this.numbers === undefined)
            return undefined;
        let at = 0;
        for (let i = 0; i < this.before; i++)
            at += this.parts[i].length;
        return { attribute, numbers: this.numbers, at };
    }
    /** What was counted already. */
    add(json) {
        this.parts.push(json);
    }
    /** What is ASCII. */
    addPlain(json) {
        this.count(json.length);
        this.parts.push(json);
    }
    /** What begins with a quotation mark. */
    addText(json) {
        this.parts.push(json);
        this.count(this.isExact ? utf8Length(json) : MOST_OF_UNIT * json.length);
    }
    /** The items of the vector, for which the text gets a placeholder; counted as if they stood there, without brackets. */
    addVector(numbers) {
        this.numbers = numbers;
        this.before = this.parts.length;
        this.parts.push(PLACEHOLDER);
        this.count(this.isExact ? bytesOfItems(numbers) : MOST_OF_NUMBER * numbers.length);
    }
    count(bytes) {
        this.bytes += bytes;
        if (this.bytes > this.mostBytes && !this.isExact)
            this.countTexts();
        if (this.bytes > this.mostBytes)
            this.refuse();
    }
    countTexts() {
        this.isExact = true;
        for (const part of this.parts)
            if (part[0] === '"')
                this.bytes -= MOST_OF_UNIT * part.length - utf8Length(part);
        const { numbers } = this;
        if (numbers !== undefined)
            this.bytes -= MOST_OF_NUMBER * numbers.length - bytesOfItems(numbers);
    }
}
function bytesOfItems(numbers) {
    return vectorText(numbers).length - 2;
}
