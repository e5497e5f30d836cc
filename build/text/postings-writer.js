// Builds the postings of one segment: records come in the order of their ids, their fields in the order of their names,
// terms as they are read. Their occurrences are kept, slot after slot, and become lists at the end.
import { GrowableUint32 } from "../base/growable.js";
import { ownText } from "../base/index-terms.js";
import { codePostings } from "./lists/code-postings.js";
import { writeNames } from "./names/name-writer.js";
import { sortNames } from "./names/sort-names.js";
import { TITLE_BIT } from "./postings.js";
import { SlotWriter } from "./slot-writer.js";
import { writeSpelling } from "./spelling-dictionary.js";
import { TitleWriter } from "./title/title-table.js";
import { WrittenNames } from "./written-names.js";
let writers = 0;
/** Collects the postings of a segment; used once. */
export class PostingsWriter {
    /** Tells this writer's numbers from those of all others; never 0. */
    id = ++writers;
    written = new WrittenNames();
    /** The terms, occurrence after occurrence. */
    terms;
    /** Of each slot its first occurrence: those of a slot stand together. */
    slotStarts = new GrowableUint32();
    slots = new SlotWriter();
    /** The present field, perhaps with TITLE_BIT. */
    field = 0;
    /** The titles of the records. */
    titles = new TitleWriter();
    /** `expected`: about how many terms there will be; growing a large array would block for long. */
    constructor(expected = 256) {
        this.terms = new GrowableUint32(expected);
    }
    /** Begins the next record; its fields follow in code unit order of their names. */
    beginRecord() {
        this.slots.beginRecord();
        this.titles.beginRecord();
    }
    /** Begins a field of the present record. */
    beginField(name, isTitle) {
        this.field = this.slots.fieldOf(name) | (isTitle ? TITLE_BIT : 0);
        this.slotStarts.push(this.terms.length);
    }
    /** The number by which this writer knows a term; it gets one when it has none. The text is kept, so it must be its own. */
    numberOf(text) {
        return this.written.numberOf(text, asIs);
    }
    /** The same for a text that may hold a longer one alive. */
    numberOfText(text) {
        return this.written.numberOf(text, ownText);
    }
    /** Adds a term to the present field. */
    add(text) {
        this.addNumber(this.numberOfText(text));
    }
    /** The same of a term given by its number. */
    addNumber(term) {
        this.terms.push(term);
    }
    /** The same of all terms whose numbers stand there. */
    addNumbers(numbers, from, end) {
        this.terms.pushFrom(numbers, from, end);
    }
    /** Ends the present field: it has so many tokens. */
    endField(tokens) {
        this.slots.add(this.slots.shapeOf(this.field, tokens));
    }
    /** The finished postings; the writer is of no use afterwards. */
    *finish() {
        const order = yield* sortNames(this.written.names);
        const names = yield* writeNames(this.written.names, order);
        const slots = yield* this.slots.finish();
        this.slotStarts.push(this.terms.length);
        const lists = yield* codePostings({
            size: this.terms.length,
            terms: this.terms.array,
            docCount: slots.docCount,
            docSlots: this.slots.docSlots.array,
            slotStarts: this.slotStarts.array,
        }, order);
        const numbers = new Uint32Array(order.length);
        for (let number = 0; number < order.length; number++)
            numbers[order[number]] = number;
        const titles = yield* this.titles.finish(order.length, numbers);
        const spelling = yield* writeSpelling({ names, ...lists, ...slots });
        return { names, ...lists, ...slots, titles, spelling };
    }
}
function asIs(text) {
    return text;
}
