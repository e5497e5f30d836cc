// The default engine of the process, and its verbs as functions. All copies of the library in the process have the same one.

import { sharedSymbol } from "../util/brand.js";
import { refusal, show } from "../util/errors.js";
import { Engine } from "./engine.js";
import { SearchEngine } from "./search-engine.js";

const KEY = sharedSymbol("default-engine");
const shared = globalThis as { readonly [key: symbol]: Engine | undefined };
/** The engine of this copy, where the global object is frozen. */
let own: Engine | undefined;

function current(): Engine {
  return shared[KEY] ?? own ?? share(new SearchEngine());
}

function share(engine: Engine): Engine {
  const descriptor = { value: engine, writable: true, configurable: true, enumerable: false };
  if (!Reflect.defineProperty(globalThis, KEY, descriptor)) own = engine;
  return engine;
}

/** Makes an engine the default one and returns the previous default. */
export function setDefaultEngine(next: Engine): Engine {
  if (!(next instanceof Engine)) {
    const msg = `The engine is ${show(next)}; pass a SearchEngine or an OpenSearchEngine.`;
    throw refusal("invalid_engine", "engine", msg);
  }
  const previous = current();
  share(next);
  return previous;
}

/** A verb of the default engine. */
function verb<V extends keyof Engine>(name: V): Engine[V] {
  const call = (...args: unknown[]): unknown => Reflect.apply(current()[name] as () => unknown, current(), args);
  return call as object as Engine[V];
}

/** {@link Engine.createIndex} of the default engine. */
export const createIndex: Engine["createIndex"] = verb("createIndex");
/** {@link SearchIndex.addRecords} of the default engine. */
export const addRecords: Engine["addRecords"] = verb("addRecords");
/** {@link Engine.query} of the default engine. */
export const query: Engine["query"] = verb("query");
/** {@link Engine.multiQuery} of the default engine. */
export const multiQuery: Engine["multiQuery"] = verb("multiQuery");
/** {@link SearchIndex.deleteRecords} of the default engine. */
export const deleteRecords: Engine["deleteRecords"] = verb("deleteRecords");
/** {@link SearchIndex.getRecords} of the default engine. */
export const getRecords: Engine["getRecords"] = verb("getRecords");
/** {@link SearchIndex.browseRecords} of the default engine. */
export const browseRecords: Engine["browseRecords"] = verb("browseRecords");
/** {@link SearchIndex.clearIndex} of the default engine. */
export const clearIndex: Engine["clearIndex"] = verb("clearIndex");
/** {@link Engine.deleteIndex} of the default engine. */
export const deleteIndex: Engine["deleteIndex"] = verb("deleteIndex");
/** {@link Engine.listIndexes} of the default engine. */
export const listIndexes: Engine["listIndexes"] = verb("listIndexes");
/** {@link SearchIndex.getSettings} of the default engine. */
export const getSettings: Engine["getSettings"] = verb("getSettings");
/** {@link SearchIndex.getAttributes} of the default engine. */
export const getAttributes: Engine["getAttributes"] = verb("getAttributes");
/** {@link SearchIndex.updateRecords} of the default engine. */
export const updateRecords: Engine["updateRecords"] = verb("updateRecords");
/** {@link SearchIndex.replaceAllRecords} of the default engine. */
export const replaceAllRecords: Engine["replaceAllRecords"] = verb("replaceAllRecords");
/** {@link SearchIndex.deleteBy} of the default engine. */
export const deleteBy: Engine["deleteBy"] = verb("deleteBy");
/** {@link Engine.updateSettings} of the default engine. */
export const updateSettings: Engine["updateSettings"] = verb("updateSettings");
/** {@link SearchIndex.previewSettings} of the default engine. */
export const previewSettings: Engine["previewSettings"] = verb("previewSettings");
/** {@link SearchIndex.searchForFacetValues} of the default engine. */
export const searchForFacetValues: Engine["searchForFacetValues"] = verb("searchForFacetValues");
/** {@link SearchIndex.suggest} of the default engine. */
export const suggest: Engine["suggest"] = verb("suggest");
/** {@link SearchIndex.similar} of the default engine. */
export const similar: Engine["similar"] = verb("similar");
/** {@link SearchIndex.understandQuery} of the default engine. */
export const understandQuery: Engine["understandQuery"] = verb("understandQuery");
/** {@link Engine.loadUnderstanding} of the default engine. */
export const loadUnderstanding: Engine["loadUnderstanding"] = verb("loadUnderstanding");
/** {@link SearchIndex.whyNot} of the default engine. */
export const whyNot: Engine["whyNot"] = verb("whyNot");
/** {@link SearchIndex.digest} of the default engine. */
export const digest: Engine["digest"] = verb("digest");
/** {@link SearchIndex.estimate} of the default engine. */
export const estimate: Engine["estimate"] = verb("estimate");
/** {@link Engine.copyIndex} of the default engine. */
export const copyIndex: Engine["copyIndex"] = verb("copyIndex");
/** {@link Engine.moveIndex} of the default engine. */
export const moveIndex: Engine["moveIndex"] = verb("moveIndex");
/** {@link Engine.exportIndex} of the default engine. */
export const exportIndex: Engine["exportIndex"] = verb("exportIndex");
/** {@link Engine.importIndex} of the default engine. */
export const importIndex: Engine["importIndex"] = verb("importIndex");
