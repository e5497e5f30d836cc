// The memory of the compiled kernel of the analysis, laid out as assembly/token-scan.ts says: one text, the tables of
// characters and units, and the memos of tokens and of measures. Without WebAssembly there is none, and texts and memos lie in
// arrays of their own.
import { loadOnce } from "../../base/wasm/web-assembly.js";
import * as words from "../quantity/unit-words.js";
import { CharacterTables, CODE_UNITS } from "./character-tables.js";
/** Longer texts are read by the plain kernel. */
export const MOST_UNITS = 4096;
const MEASURES = 0;
const GIVEN = 64;
const UNITS = 8256;
/** Room for zeros behind the units. */
const BEHIND = 32;
const TOKENS = 16_512;
const CELL_OF = 82_048;
const MEASURED = 98_496;
const FORMS = 114_944;
const CLASSES = 246_016;
const PLACES = 327_680;
const CELLS = 1_376_256;
/** Room for as many tokens of usual length as a memo keeps; what is never touched costs nothing. */
const CELL_BYTES = 8 << 20;
const NUMBERS_OF_TOKEN = 4;
const LENGTHS = 9_764_864;
const SECONDS = 9_781_248;
const MEASURE_CELLS = 9_797_632;
const NUMBERS = 9_814_016;
const MOST_NUMBERS = 8192;
const PLACES_OF_MEASURES = 9_846_784;
const CELLS_OF_MEASURES = 9_977_856;
const MEASURES_BYTES = 1 << 20;
/** Room behind the last cell: the kernel compares more than it asks for. */
const BEHIND_CELLS = 32;
const load = loadOnce(new URL("./token-scan.wasm", import.meta.url), (functions) => {
    const { normalize, tokenize, seek, seekMeasures, lacking, take } = functions;
    seek(0, 0);
    seekMeasures(0);
    return normalize(0) + tokenize(0) + lacking(0, 0, 0, 0) + take(0, 0, 0) === 0;
});
/** Views of one such memory, and what the kernel does in it. */
export class TokenMemory {
    units;
    tokens;
    cellOf;
    measured;
    tables;
    places;
    cells;
    /** The room of another memo, for measures. */
    measures;
    /** Of what may be measures, the cells there; 0: it has none, or is not plain. */
    measureCells;
    /** Those that {@link take} took, or the cells that {@link lacking} found. */
    numbers;
    given;
    normal;
    found;
    scan;
    constructor({ buffer }, scan) {
        this.scan = scan;
        this.given = Buffer.from(buffer, GIVEN, 2 * MOST_UNITS);
        this.normal = Buffer.from(buffer, UNITS, 2 * MOST_UNITS);
        this.units = new Uint16Array(buffer, UNITS, MOST_UNITS + BEHIND);
        this.tokens = new Int32Array(buffer, TOKENS, NUMBERS_OF_TOKEN * MOST_UNITS);
        this.cellOf = new Int32Array(buffer, CELL_OF, MOST_UNITS);
        this.measured = new Int32Array(buffer, MEASURED, MOST_UNITS);
        this.found = new Int32Array(buffer, MEASURES, 4);
        this.tables = new CharacterTables(new Uint16Array(buffer, FORMS, CODE_UNITS), new Uint8Array(buffer, CLASSES, CODE_UNITS));
        this.places = new Int32Array(buffer, PLACES, (CELLS - PLACES) / 4);
        this.cells = new Int32Array(buffer, CELLS, CELL_BYTES / 4);
        new Uint32Array(buffer, LENGTHS, words.LENGTHS.length).set(words.LENGTHS);
        new Uint32Array(buffer, SECONDS, words.SECOND_LETTERS.length).set(words.SECOND_LETTERS);
        this.measureCells = new Int32Array(buffer, MEASURE_CELLS, MOST_UNITS);
        this.numbers = new Int32Array(buffer, NUMBERS, MOST_NUMBERS);
        this.measures = {
            places: new Int32Array(buffer, PLACES_OF_MEASURES, (CELLS_OF_MEASURES - PLACES_OF_MEASURES) / 4),
            cells: new Int32Array(buffer, CELLS_OF_MEASURES, MEASURES_BYTES / 4),
        };
    }
    /** Normalises a text into `units` and answers the bits of all its units together; -1: a unit has no form of its own. */
    normalize(text) {
        this.given.write(text, "utf16le");
        return this.scan.normalize(text.length);
    }
    /** The text in `units`. */
    textOf(length) {
        return this.normal.toString("utf16le", 0, 2 * length);
    }
    /** Finds the tokens of what stands in `units`; -1: the class of a unit is not known. */
    tokenize(length) {
        return this.scan.tokenize(length);
    }
    /** After `tokenize`: how many tokens may begin measures. */
    get mayMeasure() {
        return this.found[0];
    }
    /** After `tokenize`: whether a quotation mark opens. */
    get mayQuote() {
        return this.found[1] !== 0;
    }
    /** Finds the cells of so many tokens, in a memo of so many places. */
    seek(size, places) {
        this.scan.seek(size, places - 1);
    }
    /** Finds the cells of what may be measures, in their memo of so many places. */
    seekMeasures(places) {
        this.scan.seekMeasures(places - 1);
    }
    /**
     * After `seek`: puts into `numbers` the cells of which `owner` noted no numbers, of the tokens from number `from` on, until one
     * has no cell or they count `most`; answers how many.
     */
    lacking(from, size, owner, most) {
        return this.scan.lacking(from, size, owner, most);
    }
    /**
     * When none is lacking: takes the numbers of the tokens from number `from` on, until one has no cell or they count `most`;
     * answers where it ended.
     */
    take(from, size, most) {
        return this.scan.take(from, size, most);
    }
    /** After `take`: how many numbers there are. */
    get taken() {
        return this.found[2];
    }
    /** After `take`: how many tokens of a field's length were taken. */
    get counted() {
        return this.found[3];
    }
}
/** A memory of its own; null where there is none to be had. */
export function createTokenMemory() {
    const module = load();
    const memory = module?.createMemory(CELLS_OF_MEASURES + MEASURES_BYTES + BEHIND_CELLS);
    return module === null || memory === undefined
        ? null
        : new TokenMemory(memory, module.instantiate(memory));
}
