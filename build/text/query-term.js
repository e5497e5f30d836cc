// A term of a query as the text index understands it: alternatives, of which a record must hold one. A word is one
// alternative of one index term; a code is its whole form, or all its parts; typos, prefixes and synonyms add alternatives.
import { joinKeys } from "../base/json.js";
/** Tells alternatives from all others that are held by other records, or earn another score. */
export function alternativesKey({ alternatives }) {
    return joinKeys(alternatives.map(({ terms, weight, notIn }) => joinKeys([String(weight), joinKeys(terms), joinKeys([...(notIn ?? [])])])));
}
