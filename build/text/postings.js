// The words of one segment: for each term the places where it stands. A place is a field of a record (a *slot*), so that
// BM25F finds frequency, field and length together. Slots are numbered by record, then by field name in code unit order;
// posting lists ascend by record. Immutable; about a byte a posting, a byte or two a slot. Fields of one name and one length
// are of one *shape*: there are far fewer shapes than slots.
import { ascendingBytes } from "./ascending.js";
import { titleBytes } from "./title/title-table.js";
/** In `shapeFields`: the slot is its record's title. */
export const TITLE_BIT = 0x4000_0000;
export const FIELD_MASK = 0x3fff_ffff;
/** Number of a slot's field in `fields`, perhaps with TITLE_BIT. */
export function fieldAt({ slotShape, shapeFields }, slot) {
    return shapeFields[slotShape[slot]];
}
/** Tokens of a slot's field. */
export function lengthAt({ slotShape, shapeLengths }, slot) {
    return shapeLengths[slotShape[slot]];
}
/** The memory that the postings of a segment take. */
export function postingsBytes(postings) {
    const { names, starts, words, marks, docSlots, slotShape, shapeFields, shapeLengths, spelling } = postings;
    const arrays = [
        starts,
        words,
        marks,
        slotShape,
        shapeFields,
        shapeLengths,
        spelling.terms,
        spelling.letters,
        spelling.starts,
    ];
    const fixed = names.byteLength + titleBytes(postings.titles) + ascendingBytes(docSlots);
    return arrays.reduce((total, array) => total + array.byteLength, fixed);
}
