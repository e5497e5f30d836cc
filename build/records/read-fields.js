// A record as fields: which texts are searched under which name, which values are identifiers, what text is embedded.
// Fields come in code unit order of their names, so that sums over fields are the same wherever a record is read.
import { isFreeText } from "./free-text.js";
/** What a record's title may be called; the first that the record has as text is its title. */
const TITLE_NAMES = ["title", "product_title", "product_name", "name", "headline", "label"];
const ALL_DIGITS = /^[0-9]+$/;
/** The searched fields of a record, by name. */
export function readFields(record, id, rules) {
    const { searched, titles } = knownNames(rules);
    const open = [];
    for (const name of Object.keys(record)) {
        if (name === rules.vectorAttribute || name === rules.idAttribute)
            continue;
        const value = record[name];
        collectIdentifiers(open, name, name, value, rules);
        if (rules.searchable === null)
            collectTexts(open, name, name, value, rules, false);
    }
    for (const { path, key } of searched) {
        const value = valueAt(record, path);
        if (value !== undefined)
            collectTexts(open, path, key, value, rules, true);
    }
    if (!ALL_DIGITS.test(id))
        addIdentifier(fieldOf(open, rules.idAttribute), id);
    const title = firstTitle(record, titles);
    for (const field of open)
        field.isTitle = field.name === title;
    return open;
}
/** The name of the record's title attribute, if it has one among those that are searched (null: all). */
export function titleName(record, searchable = null) {
    return firstTitle(record, titleNames(searchable));
}
function titleNames(searchable) {
    return searchable === null ? TITLE_NAMES : TITLE_NAMES.filter((name) => searchable.includes(name));
}
function firstTitle(record, names) {
    for (const name of names) {
        const value = Object.hasOwn(record, name) ? record[name] : undefined;
        if (typeof value === "string" && value.trim() !== "")
            return name;
    }
    return undefined;
}
/** The value at a dotted path, by own properties only; an attribute whose own name is the path wins. */
export function valueAt(record, path) {
    if (Object.hasOwn(record, path))
        return record[path];
    let value = record;
    for (const name of path.split(".")) {
        if (typeof value !== "object" || value === null || Array.isArray(value) || !Object.hasOwn(value, name))
            return undefined;
        value = value[name];
    }
    return value;
}
/** The field of a name, put in its place among those that are in order; a record may have many. */
function fieldOf(open, name) {
    let place = 0;
    for (let end = open.length; place < end;) {
        const middle = (place + end) >>> 1;
        if (open[middle].name < name)
            place = middle + 1;
        else
            end = middle;
    }
    const known = open[place];
    if (known?.name === name)
        return known;
    const field = { name, isTitle: false, texts: NONE, identifiers: NONE };
    if (place === open.length)
        open.push(field);
    else
        open.splice(place, 0, field);
    return field;
}
/** Most fields have one text and no identifier: no list is made before it is needed, nor for more than is needed. */
const NONE = [];
function addText(field, text) {
    if (field.texts.length === 0)
        field.texts = [text];
    else
        field.texts.push(text);
}
function addIdentifier(field, identifier) {
    if (field.identifiers.length === 0)
        field.identifiers = [identifier];
    else
        field.identifiers.push(identifier);
}
const MOST_NAMES = 1024;
/** By the rules that were last asked. */
let lastRules;
let known = { searched: [], titles: TITLE_NAMES, identifiers: new Map() };
function knownNames(rules) {
    if (lastRules !== rules) {
        const { searchable } = rules;
        const searched = (searchable ?? []).map((path) => ({ path, key: lastName(path) }));
        known = { searched, titles: titleNames(searchable), identifiers: new Map() };
        lastRules = rules;
    }
    return known;
}
function isIdentifier(key, rules) {
    const { identifiers } = knownNames(rules);
    let answer = identifiers.get(key);
    if (answer === undefined) {
        if (identifiers.size >= MOST_NAMES)
            identifiers.clear();
        answer = rules.identifiers.has(key.toLowerCase());
        identifiers.set(key, answer);
    }
    return answer;
}
/** The values of identifier attributes, at any depth. */
function collectIdentifiers(open, name, key, value, rules) {
    if (isIdentifier(key, rules))
        addIdentifiers(open, name, value);
    else if (Array.isArray(value))
        for (const item of value)
            collectIdentifiers(open, name, key, item, rules);
    else if (typeof value === "object" && value !== null)
        for (const [inner, item] of Object.entries(value))
            collectIdentifiers(open, name, inner, item, rules);
}
function addIdentifiers(open, name, value) {
    if (typeof value === "string" ? value.trim() !== "" : typeof value === "number")
        addIdentifier(fieldOf(open, name), String(value));
    else if (Array.isArray(value))
        for (const item of value)
            addIdentifiers(open, name, item);
}
/** The texts of everything else; an attribute asked for by name gives its numbers and machine text too. */
function collectTexts(open, name, key, value, rules, asked) {
    if (isIdentifier(key, rules))
        return;
    if (typeof value === "string") {
        if ((asked || isFreeText(value)) && value.trim() !== "")
            addText(fieldOf(open, name), value);
    }
    else if (typeof value === "number") {
        if (asked)
            addText(fieldOf(open, name), String(value));
    }
    else if (Array.isArray(value))
        for (const item of value)
            collectTexts(open, name, key, item, rules, asked);
    else if (typeof value === "object" && value !== null)
        for (const [inner, item] of Object.entries(value))
            collectTexts(open, name, inner, item, rules, asked);
}
function lastName(path) {
    return path.slice(path.lastIndexOf(".") + 1);
}
