// The process's own engine, and its verbs as plain functions: search in three lines.
import { SearchError } from "./base/errors.js";
import { show } from "./base/show.js";
import { SearchEngine } from "./search-engine.js";
let engine;
function current() {
    engine ??= new SearchEngine();
    return engine;
}
/** Makes an engine the default one and returns the previous default. */
export function setDefaultEngine(next) {
    if (!isEngine(next))
        throw new SearchError(400, "invalid_engine", `The engine is ${show(next)}; pass a SearchEngine.`, {
            param: "engine",
        });
    const previous = current();
    engine = next;
    return previous;
}
function isEngine(value) {
    try {
        return value instanceof SearchEngine;
    }
    catch {
        return false; // a proxy that throws
    }
}
/** {@link SearchEngine.createIndex} of the default engine. */
export async function createIndex(name, settings, options) {
    return current().createIndex(name, settings, options);
}
/** {@link SearchEngine.addRecords} of the default engine. */
export async function addRecords(name, records, options) {
    return current().addRecords(name, records, options);
}
/** {@link SearchEngine.query} of the default engine. */
export async function query(name, params, options) {
    return current().query(name, params, options);
}
/** {@link SearchEngine.deleteRecords} of the default engine. */
export async function deleteRecords(name, ids, options) {
    return current().deleteRecords(name, ids, options);
}
/** {@link SearchEngine.getRecords} of the default engine. */
export async function getRecords(name, ids) {
    return current().getRecords(name, ids);
}
/** {@link SearchEngine.browseRecords} of the default engine. */
export function browseRecords(name) {
    return current().browseRecords(name);
}
/** {@link SearchEngine.clearIndex} of the default engine. */
export async function clearIndex(name) {
    return current().clearIndex(name);
}
/** {@link SearchEngine.deleteIndex} of the default engine. */
export async function deleteIndex(name) {
    return current().deleteIndex(name);
}
/** {@link SearchEngine.listIndexes} of the default engine. */
export async function listIndexes() {
    return current().listIndexes();
}
/** {@link SearchEngine.getSettings} of the default engine. */
export async function getSettings(name) {
    return current().getSettings(name);
}
/** {@link SearchEngine.updateRecords} of the default engine. */
export async function updateRecords(name, records, options) {
    return current().updateRecords(name, records, options);
}
/** {@link SearchEngine.replaceAllRecords} of the default engine. */
export async function replaceAllRecords(name, records, options) {
    return current().replaceAllRecords(name, records, options);
}
/** {@link SearchEngine.deleteBy} of the default engine. */
export async function deleteBy(name, params, options) {
    return current().deleteBy(name, params, options);
}
/** {@link SearchEngine.updateSettings} of the default engine. */
export async function updateSettings(name, settings, options) {
    return current().updateSettings(name, settings, options);
}
/** {@link SearchEngine.searchForFacetValues} of the default engine. */
export async function searchForFacetValues(name, params, options) {
    return current().searchForFacetValues(name, params, options);
}
/** {@link SearchEngine.whyNot} of the default engine. */
export async function whyNot(name, params, id) {
    return current().whyNot(name, params, id);
}
/** {@link SearchEngine.digest} of the default engine. */
export async function digest(name, options) {
    return current().digest(name, options);
}
/** {@link SearchEngine.estimate} of the default engine. */
export async function estimate(name) {
    return current().estimate(name);
}
/** {@link SearchEngine.copyIndex} of the default engine. */
export async function copyIndex(source, destination) {
    return current().copyIndex(source, destination);
}
/** {@link SearchEngine.moveIndex} of the default engine. */
export async function moveIndex(source, destination) {
    return current().moveIndex(source, destination);
}
