// The slots of a segment that is written: which fields its records have, and how long each is. Fields of one name and one length
// are of one shape. Fields and shapes are numbered as they come, so that the same records have the same numbers.
import { GrowableUint32, narrowed } from "../base/growable.js";
import { ascending } from "./ascending.js";
import { FIELD_MASK } from "./postings.js";
const MAX_LENGTH = 0xffff;
/** Collects the slots of records, in their order. */
export class SlotWriter {
    /** Of each record its first slot. */
    docSlots = new GrowableUint32();
    docCount = 0;
    slotShape = new GrowableUint32();
    fieldNumbers = new Map();
    /** Field and length of each shape, in one number. */
    keys = [];
    /** By field, and length: the number of the shape, from 1 on. */
    shapes = new Map();
    /** Of each shape how many slots are of it. */
    counts = [];
    /** Begins the next record. */
    beginRecord() {
        this.docSlots.push(this.slotShape.length);
        this.docCount++;
    }
    /** The number of a field; it gets one when it has none. */
    fieldOf(name) {
        let field = this.fieldNumbers.get(name);
        if (field === undefined) {
            field = this.fieldNumbers.size;
            this.fieldNumbers.set(name, field);
        }
        return field;
    }
    /** The number of the shape of a field, perhaps with TITLE_BIT, that has so many tokens; it gets one when it has none. */
    shapeOf(field, tokens) {
        let ofField = this.shapes.get(field);
        if (ofField === undefined) {
            ofField = [];
            this.shapes.set(field, ofField);
        }
        const shape = ofField[tokens] ?? 0;
        if (shape > 0)
            return shape - 1;
        this.counts.push(0);
        ofField[tokens] = this.keys.push(field * (MAX_LENGTH + 1) + tokens);
        return this.keys.length - 1;
    }
    /** Adds the next slot of the present record. */
    add(shape) {
        this.slotShape.push(shape);
        this.counts[shape]++;
    }
    /** The finished slots; `docSlots` ends with the number of all. The writer is of no use afterwards. */
    *finish() {
        this.docSlots.push(this.slotShape.length);
        const docSlots = yield* ascending(this.docSlots.toArray());
        const { keys } = this;
        const fieldLengths = new Array(this.fieldNumbers.size).fill(0);
        const fieldDocs = fieldLengths.slice();
        for (const [shape, key] of keys.entries()) {
            const field = Math.floor(key / (MAX_LENGTH + 1)) & FIELD_MASK;
            fieldLengths[field] += this.counts[shape] * (key % (MAX_LENGTH + 1));
            fieldDocs[field] += this.counts[shape];
        }
        return {
            docCount: this.docCount,
            docSlots,
            slotShape: narrowed(this.slotShape.array.subarray(0, this.slotShape.length), keys.length),
            shapeFields: Uint32Array.from(keys, (key) => Math.floor(key / (MAX_LENGTH + 1))),
            shapeLengths: Uint16Array.from(keys, (key) => key % (MAX_LENGTH + 1)),
            fields: [...this.fieldNumbers.keys()],
            fieldLengths,
            fieldDocs,
        };
    }
}
