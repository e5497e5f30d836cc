// A canonical text for settings. It shows whether an index that is opened again has the requested settings, and which work a
// change of settings requires.
import stringify from "fast-json-stable-stringify";
/** The effective settings as text with sorted keys; equal exactly for equal settings. */
export function settingsFingerprint(settings) {
    return stableText(settings);
}
/** The package's types omit its options. Without own options it would read them from Object.prototype. */
const write = stringify;
const OPTIONS = Object.freeze(Object.assign(Object.create(null), { cycles: false }));
function stableText(value) {
    return write(shielded(value), OPTIONS);
}
/** Gives the value its own `toJSON` at every level: the package would call one that stands on Object.prototype. */
function shielded(value) {
    const inner = Array.isArray(value)
        ? value.map(shielded)
        : typeof value === "object" && value !== null
            ? Object.assign(Object.create(null), Object.fromEntries(Object.entries(value).map(([k, v]) => [k, shielded(v)])))
            : value;
    return Object.assign(Object.create(null), { toJSON: () => inner });
}
/** The settings that determine the embedded text. */
const EMBEDDING = [
    "embeddedAttributes",
    "searchableAttributes",
    "identifierAttributes",
    "idAttribute",
    "vectorAttribute",
    "dimensions",
];
/** True when every record has the same vector under both settings. */
export function embedsAlike(a, b) {
    return a.embedder === b.embedder && textOf(a.effective) === textOf(b.effective);
}
/** True when every record is indexed the same under both settings, so that the segments can be kept. */
export function indexesAlike(a, b) {
    // Stored titles that are no longer used do no harm; titles that were not stored have to be read again.
    const hasTitles = a.effective.titleEvidence || !b.effective.titleEvidence;
    return hasTitles && embedsAlike(a, b) && a.analyzer === b.analyzer;
}
function textOf(settings) {
    return stableText(EMBEDDING.map((name) => settings[name]));
}
