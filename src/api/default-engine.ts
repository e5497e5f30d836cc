// The default engine of the process, and its verbs as functions. All copies of the library in the process have the same one.

import type { CreateOptions } from "../input/call-options.js";
import type { IndexSettings } from "../settings/settings.js";
import { sharedSymbol } from "../util/brand.js";
import { SearchError } from "../util/errors.js";
import type { JsonRecord } from "../util/json.js";
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

/** {@link SearchEngine.createIndex} of the default engine. */
export const createIndex: SearchEngine["createIndex"] = <R extends object = JsonRecord>(
  name: string,
  settings?: IndexSettings<NoInfer<R>>,
  options?: CreateOptions,
) => current().createIndex<R>(name, settings, options);

/** {@link SearchEngine.addRecords} of the default engine. */
export const addRecords: SearchEngine["addRecords"] = (...args) => current().addRecords(...args);

/** {@link SearchEngine.query} of the default engine. */
export const query: SearchEngine["query"] = (...args) => current().query(...args);

/** {@link SearchEngine.deleteRecords} of the default engine. */
export const deleteRecords: SearchEngine["deleteRecords"] = (...args) => current().deleteRecords(...args);

/** {@link SearchEngine.getRecords} of the default engine. */
export const getRecords: SearchEngine["getRecords"] = (...args) => current().getRecords(...args);

/** {@link SearchEngine.browseRecords} of the default engine. */
export const browseRecords: SearchEngine["browseRecords"] = (...args) => current().browseRecords(...args);

/** {@link SearchEngine.clearIndex} of the default engine. */
export const clearIndex: SearchEngine["clearIndex"] = (...args) => current().clearIndex(...args);

/** {@link SearchEngine.deleteIndex} of the default engine. */
export const deleteIndex: SearchEngine["deleteIndex"] = (...args) => current().deleteIndex(...args);

/** {@link SearchEngine.listIndexes} of the default engine. */
export const listIndexes: SearchEngine["listIndexes"] = (...args) => current().listIndexes(...args);

/** {@link SearchEngine.getSettings} of the default engine. */
export const getSettings: SearchEngine["getSettings"] = (...args) => current().getSettings(...args);

/** {@link SearchEngine.updateRecords} of the default engine. */
export const updateRecords: SearchEngine["updateRecords"] = (...args) => current().updateRecords(...args);

/** {@link SearchEngine.replaceAllRecords} of the default engine. */
export const replaceAllRecords: SearchEngine["replaceAllRecords"] = (...args) => current().replaceAllRecords(...args);

/** {@link SearchEngine.deleteBy} of the default engine. */
export const deleteBy: SearchEngine["deleteBy"] = (...args) => current().deleteBy(...args);

/** {@link SearchEngine.updateSettings} of the default engine. */
export const updateSettings: SearchEngine["updateSettings"] = (...args) => current().updateSettings(...args);

/** {@link SearchEngine.searchForFacetValues} of the default engine. */
export const searchForFacetValues: SearchEngine["searchForFacetValues"] = (...args) =>
  current().searchForFacetValues(...args);

/** {@link SearchEngine.whyNot} of the default engine. */
export const whyNot: SearchEngine["whyNot"] = (...args) => current().whyNot(...args);

/** {@link SearchEngine.digest} of the default engine. */
export const digest: SearchEngine["digest"] = (...args) => current().digest(...args);

/** {@link SearchEngine.estimate} of the default engine. */
export const estimate: SearchEngine["estimate"] = (...args) => current().estimate(...args);

/** {@link SearchEngine.copyIndex} of the default engine. */
export const copyIndex: SearchEngine["copyIndex"] = (...args) => current().copyIndex(...args);

/** {@link SearchEngine.moveIndex} of the default engine. */
export const moveIndex: SearchEngine["moveIndex"] = (...args) => current().moveIndex(...args);

/** {@link SearchEngine.exportIndex} of the default engine. */
export const exportIndex: SearchEngine["exportIndex"] = (...args) => current().exportIndex(...args);

/** {@link SearchEngine.importIndex} of the default engine. */
export const importIndex: SearchEngine["importIndex"] = (...args) => current().importIndex(...args);
