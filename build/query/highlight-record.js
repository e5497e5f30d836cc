// A record's texts and numbers, highlighted or cut, nested as the record is. What is neither text nor number is left out; in
// an array it leaves an empty object, so that places stay the same.
import { highlightText } from "./highlight.js";
import { snippetText } from "./snippet.js";
/** Words of a snippet where `attributesToSnippet` names no number. */
const DEFAULT_WORDS = 10;
/**
 * Highlights the attributes at `paths`: names, dotted paths, `"*"` for all. A path to an object or array means all in it; an
 * attribute whose own name is the path wins.
 */
export function highlightRecord(record, paths, matcher, tags) {
    const wanted = new Map(paths.map((path) => [path, true]));
    return shapeRecord(record, wanted, (text) => highlightText(text, matcher, tags));
}
/** Cuts snippets of the attributes at `paths`, each perhaps with a number of words (`"title:5"`); without one, of 10. */
export function snippetRecord(record, paths, matcher, options) {
    const wanted = new Map(paths.map(readSnippetPath));
    return shapeRecord(record, wanted, (text, words) => snippetText(text, matcher, { ...options, words }));
}
function readSnippetPath(path) {
    const [, name, words] = /^(.*):([0-9]+)$/s.exec(path) ?? [];
    return name === undefined ? [path, DEFAULT_WORDS] : [name, Number(words)];
}
/** `wanted`: what to do at each path; paths inside an attribute go before the attribute, names before `"*"`. */
function shapeRecord(record, wanted, shapeText) {
    const shape = (value, option, inside) => {
        if (typeof value === "string" || typeof value === "number")
            return option === undefined ? undefined : shapeText(String(value), option);
        if (Array.isArray(value)) {
            const items = value.map((item) => shape(item, option, inside));
            return items.some((item) => item !== undefined) ? items.map((item) => item ?? {}) : undefined;
        }
        return typeof value === "object" && value !== null ? shapeObject(value, option, inside) : undefined;
    };
    const shapeObject = (object, option, inside) => {
        const deeper = groupByName(object, inside);
        const all = inside.get("*") ?? option;
        const entries = [];
        for (const [name, value] of Object.entries(object)) {
            const shaped = shape(value, inside.get(name) ?? all, deeper.get(name) ?? new Map());
            if (shaped !== undefined)
                entries.push([name, shaped]);
        }
        return entries.length > 0 ? Object.fromEntries(entries) : undefined;
    };
    return shapeObject(record, undefined, wanted) ?? {};
}
/** The paths that lead into the object's attributes, by the attribute's name. */
function groupByName(object, wanted) {
    const groups = new Map();
    for (const [path, option] of wanted) {
        const dot = path.indexOf(".");
        if (dot < 0 || Object.hasOwn(object, path))
            continue;
        const name = path.slice(0, dot);
        const group = groups.get(name) ?? new Map();
        groups.set(name, group.set(path.slice(dot + 1), option));
    }
    return groups;
}
