// The text that is read at present, as code units, with its tokens and their hashes: what `normalizeText` and `scanTokens`
// give, in two loops over tables, and with nothing new to throw away. What is scanned holds until the next text.
import { classAt } from "../character-class.js";
import { normalizeText } from "../normalize-text.js";
import { END_ZEROS, mayMeasure } from "../quantity/may-measure.js";
import { KINDS, kindNumber } from "../scan-tokens.js";
import { CharacterTables } from "./character-tables.js";
import { findTokens } from "./find-tokens.js";
import { MOST_UNITS } from "./token-memory.js";
const ASCII = 0x80;
/** The room for longer texts is given back when a short one comes. */
const MOST_KEPT = 1 << 16;
/** A token: kind, hash, where it begins and ends. */
const TOKEN = 4;
const HASH = 1;
const START = 2;
const END = 3;
const UNSPACED_KIND = kindNumber("unspaced");
/** Those of all texts that lie in no memory. */
let shared;
/** One text at a time. */
export class ScannedText {
    length = 0;
    /** Tells the present text from those before. */
    number = 0;
    /** How many tokens there are. */
    size = 0;
    /** How many of them may begin measures. */
    measures = 0;
    /** False: no quotation mark opens. */
    mayQuote = false;
    memory;
    tables;
    /** Where short texts lie. */
    near;
    far;
    room;
    given = "";
    isAscii = true;
    known = "";
    /** In a memory the compiled kernel does the work, but for long texts and rare characters. */
    constructor(memory = null) {
        this.memory = memory;
        this.tables = memory?.tables ?? sharedTables();
        this.near = memory ?? roomFor(MOST_UNITS);
        this.room = this.near;
    }
    /** The normalised text: `length` code units, and zeros behind them. */
    get units() {
        return this.room.units;
    }
    /** Of each token the cell of a memo that has it, if somebody looked for it; 0: none. */
    get cellOf() {
        return this.room.cellOf;
    }
    /** Where those of the tokens begin that `mayMeasure` names. */
    get measured() {
        return this.room.measured;
    }
    /** The memory that the text lies in; null: it lies elsewhere. */
    get within() {
        return this.room === this.memory ? this.memory : null;
    }
    /** Normalises and scans a text. */
    scan(text) {
        this.makeRoom(text.length);
        const bits = this.takeForms(text);
        if (bits >= 0) {
            this.given = text;
            this.isAscii = bits < ASCII;
            this.known = undefined;
            this.tokenize(text.length);
        }
        else
            this.scanNormal(normalizeText(text));
    }
    /** Scans a text that is normalised. */
    scanNormal(normal) {
        this.makeRoom(normal.length);
        this.given = normal;
        this.known = normal;
        const { units } = this;
        for (let at = 0; at < normal.length; at++)
            units[at] = normal.charCodeAt(at);
        this.tokenize(normal.length);
    }
    /** The normalised text, which is seldom asked for. */
    get normal() {
        this.known ??= this.read();
        return this.known;
    }
    /** A part of it. */
    slice(start, end) {
        return this.normal.slice(start, end);
    }
    kindAt(token) {
        return KINDS[this.room.tokens[TOKEN * token]];
    }
    isUnspaced(token) {
        return this.room.tokens[TOKEN * token] === UNSPACED_KIND;
    }
    hashAt(token) {
        return this.room.tokens[TOKEN * token + HASH];
    }
    startOf(token) {
        return this.room.tokens[TOKEN * token + START];
    }
    endOf(token) {
        return this.room.tokens[TOKEN * token + END];
    }
    /** Writes a token down; `kind`: its place among the kinds. */
    setToken(token, kind, hash, start, end) {
        const { tokens } = this.room;
        tokens[TOKEN * token] = kind;
        tokens[TOKEN * token + HASH] = hash;
        tokens[TOKEN * token + START] = start;
        tokens[TOKEN * token + END] = end;
    }
    /** Writes down where a measure may begin, if one may. */
    addMeasure(start) {
        if (mayMeasure(this.units, start))
            this.measured[this.measures++] = start;
    }
    /** The class of the character that stands there. */
    classAt(at) {
        return this.tables.classes[this.room.units[at]] || this.rareClass(at);
    }
    read() {
        if (this.isAscii)
            return this.given.toLowerCase();
        const { within } = this;
        return within === null ? normalizeText(this.given) : within.textOf(this.length);
    }
    rareClass(at) {
        return this.tables.learnClass(this.units[at]) || classAt(this.normal, at);
    }
    /** Takes a text over if the form of each unit depends on nothing beside it, and answers all bits of these; else -1. */
    takeForms(text) {
        const bits = this.takeKnown(text);
        return bits < 0 && this.tables.learnForms(text) ? this.takeKnown(text) : bits;
    }
    takeKnown(text) {
        const { within, units } = this;
        if (within !== null)
            return within.normalize(text);
        const { forms } = this.tables;
        let bits = 0;
        for (let at = 0; at < text.length; at++) {
            const unit = text.charCodeAt(at);
            const form = forms[unit];
            if (form === 0)
                return -1;
            bits |= unit;
            units[at] = form;
        }
        return bits;
    }
    tokenize(length) {
        this.length = length;
        this.number++;
        this.size = 0;
        this.measures = 0;
        this.mayQuote = false;
        if (this.takeCompiled(length))
            return;
        this.units.fill(0, length, length + END_ZEROS);
        findTokens(this);
    }
    /** By the compiled kernel; false: it cannot, because the text lies elsewhere or has halves of pairs in it. */
    takeCompiled(length) {
        const { within } = this;
        if (within === null)
            return false;
        let size = within.tokenize(length);
        if (size < 0 && this.tables.learnClasses(this.units, length))
            size = within.tokenize(length);
        if (size < 0)
            return false;
        this.size = size;
        this.mayQuote = within.mayQuote;
        this.measures = within.mayMeasure;
        return true;
    }
    makeRoom(length) {
        if (length > MOST_UNITS) {
            if (this.far === undefined || this.far.cellOf.length < length)
                this.far = roomFor(2 * length);
            this.room = this.far;
        }
        else if (this.room !== this.near) {
            this.room = this.near;
            if (this.far.cellOf.length > MOST_KEPT)
                this.far = undefined;
        }
    }
}
function sharedTables() {
    shared ??= new CharacterTables();
    return shared;
}
function roomFor(units) {
    return {
        units: new Uint16Array(units + END_ZEROS),
        tokens: new Int32Array(TOKEN * units),
        cellOf: new Int32Array(units),
        measured: new Int32Array(units),
    };
}
