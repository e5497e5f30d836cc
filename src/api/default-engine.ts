// The default engine of the process, and its verbs as functions. All copies of the library in the process have the same one.

import { sharedSymbol } from "../util/brand.js";
import { SearchError } from "../util/errors.js";
import { show } from "../util/show.js";
import { SearchEngine } from "./search-engine.js";

const KEY = sharedSymbol("default-engine");
const shared = globalThis as { readonly [key: symbol]: SearchEngine | undefined };
/** The engine of this copy, where the global object is frozen. */
let own: SearchEngine | undefined;

function current(): SearchEngine {
  return shared[KEY] ?? own ?? share(new SearchEngine());
}

function share(engine: SearchEngine): SearchEngine {
  const descriptor = { value: engine, writable: true, configurable: true, enumerable: false };
  if (!Reflect.defineProperty(globalThis, KEY, Object.setPrototypeOf(descriptor, null))) own = engine;
  return engine;
}

/** Makes an engine the default one and returns the previous default. */
export function setDefaultEngine(next: SearchEngine): SearchEngine {
  if (!(next instanceof SearchEngine))
    throw new SearchError(400, "invalid_engine", `The engine is ${show(next)}; pass a SearchEngine.`, {
      param: "engine",
    });
  const previous = current();
  share(next);
  return previous;
}

/** A verb of the default engine. */
function verb<V extends keyof SearchEngine>(name: V): SearchEngine[V] {
  const call = (...args: unknown[]): unknown => Reflect.apply(current()[name] as () => unknown, current(), args);
  return call as object as SearchEngine[V];
}

/** {@link SearchEngine.createIndex} of the default engine. */
export const createIndex: SearchEngine["createIndex"] = verb("createIndex");
/** {@link SearchIndex.addRecords} of the default engine. */
export const addRecords: SearchEngine["addRecords"] = verb("addRecords");
/** {@link SearchEngine.query} of the default engine. */
export const query: SearchEngine["query"] = verb("query");
/** {@link SearchEngine.multiQuery} of the default engine. */
export const multiQuery: SearchEngine["multiQuery"] = verb("multiQuery");
/** {@link SearchIndex.deleteRecords} of the default engine. */
export const deleteRecords: SearchEngine["deleteRecords"] = verb("deleteRecords");
/** {@link SearchIndex.getRecords} of the default engine. */
export const getRecords: SearchEngine["getRecords"] = verb("getRecords");
/** {@link SearchIndex.browseRecords} of the default engine. */
export const browseRecords: SearchEngine["browseRecords"] = verb("browseRecords");
/** {@link SearchIndex.clearIndex} of the default engine. */
export const clearIndex: SearchEngine["clearIndex"] = verb("clearIndex");
/** {@link SearchEngine.deleteIndex} of the default engine. */
export const deleteIndex: SearchEngine["deleteIndex"] = verb("deleteIndex");
/** {@link SearchEngine.listIndexes} of the default engine. */
export const listIndexes: SearchEngine["listIndexes"] = verb("listIndexes");
/** {@link SearchIndex.getSettings} of the default engine. */
export const getSettings: SearchEngine["getSettings"] = verb("getSettings");
/** {@link SearchIndex.getAttributes} of the default engine. */
export const getAttributes: SearchEngine["getAttributes"] = verb("getAttributes");
/** {@link SearchIndex.updateRecords} of the default engine. */
export const updateRecords: SearchEngine["updateRecords"] = verb("updateRecords");
/** {@link SearchIndex.replaceAllRecords} of the default engine. */
export const replaceAllRecords: SearchEngine["replaceAllRecords"] = verb("replaceAllRecords");
/** {@link SearchIndex.deleteBy} of the default engine. */
export const deleteBy: SearchEngine["deleteBy"] = verb("deleteBy");
/** {@link SearchEngine.updateSettings} of the default engine. */
export const updateSettings: SearchEngine["updateSettings"] = verb("updateSettings");
/** {@link SearchIndex.previewSettings} of the default engine. */
export const previewSettings: SearchEngine["previewSettings"] = verb("previewSettings");
/** {@link SearchIndex.searchForFacetValues} of the default engine. */
export const searchForFacetValues: SearchEngine["searchForFacetValues"] = verb("searchForFacetValues");
/** {@link SearchIndex.suggest} of the default engine. */
export const suggest: SearchEngine["suggest"] = verb("suggest");
/** {@link SearchIndex.similar} of the default engine. */
export const similar: SearchEngine["similar"] = verb("similar");
/** {@link SearchIndex.understandQuery} of the default engine. */
export const understandQuery: SearchEngine["understandQuery"] = verb("understandQuery");
/** {@link SearchEngine.loadUnderstanding} of the default engine. */
export const loadUnderstanding: SearchEngine["loadUnderstanding"] = verb("loadUnderstanding");
/** {@link SearchIndex.whyNot} of the default engine. */
export const whyNot: SearchEngine["whyNot"] = verb("whyNot");
/** {@link SearchIndex.digest} of the default engine. */
export const digest: SearchEngine["digest"] = verb("digest");
/** {@link SearchIndex.estimate} of the default engine. */
export const estimate: SearchEngine["estimate"] = verb("estimate");
/** {@link SearchEngine.copyIndex} of the default engine. */
export const copyIndex: SearchEngine["copyIndex"] = verb("copyIndex");
/** {@link SearchEngine.moveIndex} of the default engine. */
export const moveIndex: SearchEngine["moveIndex"] = verb("moveIndex");
/** {@link SearchEngine.exportIndex} of the default engine. */
export const exportIndex: SearchEngine["exportIndex"] = verb("exportIndex");
/** {@link SearchEngine.importIndex} of the default engine. */
export const importIndex: SearchEngine["importIndex"] = verb("importIndex");
