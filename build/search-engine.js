// Named indexes and their verbs.
import { readCreateOptions, } from "./call-options.js";
import { findCapabilities } from "./capabilities.js";
import { readEngineOptions } from "./engine-options.js";
import { IndexRegistry } from "./index-registry.js";
import { LiveIndex } from "./live-index.js";
import { checkIndexName, checkSameSettings, indexExists, notFound } from "./name-rules.js";
import { SearchIndex } from "./search-index.js";
import { checkSettings } from "./settings/check-settings.js";
import { copySettings, knownSettings } from "./settings/copy-settings.js";
/** A set of named indexes in this process. */
export class SearchEngine {
    indexes = new IndexRegistry();
    options;
    constructor(options = {}) {
        this.options = readEngineOptions(options);
    }
    /**
     * Creates an index; no settings are needed.
     *
     * @throws SearchError 400 (name, settings), 409 `index_exists`, 503
     * @example
     * const products = await engine.createIndex<Product>("products", { searchableAttributes: ["title", "brand"] });
     */
    async createIndex(name, settings, options = {}) {
        this.indexes.checkOpen();
        checkIndexName(name, this.options.limits);
        const ifExists = readCreateOptions(options);
        const given = copySettings(settings);
        const resolved = checkSettings(given, this.options);
        const existing = this.indexes.find(name);
        if (existing !== undefined) {
            if (ifExists === "error")
                throw indexExists(name);
            checkSameSettings(existing, given, resolved);
            return new SearchIndex(existing);
        }
        const index = new LiveIndex({ name, settings: resolved, given: knownSettings(given), ...this.options });
        this.indexes.set(name, index);
        return new SearchIndex(index);
    }
    /** The handle of an existing index. Throws 404 `index_not_found`. */
    index(name) {
        return new SearchIndex(this.indexes.get(name));
    }
    /** See {@link SearchIndex.addRecords}. */
    async addRecords(name, records, options) {
        return this.index(name).addRecords(records, options);
    }
    /** See {@link SearchIndex.updateRecords}. */
    async updateRecords(name, records, options) {
        return this.index(name).updateRecords(records, options);
    }
    /** See {@link SearchIndex.replaceAllRecords}. */
    async replaceAllRecords(name, records, options) {
        return this.index(name).replaceAllRecords(records, options);
    }
    /** See {@link SearchIndex.deleteRecords}. */
    async deleteRecords(name, ids, options) {
        return this.index(name).deleteRecords(ids, options);
    }
    /** See {@link SearchIndex.deleteBy}. */
    async deleteBy(name, params, options) {
        return this.index(name).deleteBy(params, options);
    }
    /** See {@link SearchIndex.getRecords}. */
    async getRecords(name, ids) {
        return this.index(name).getRecords(ids);
    }
    /** See {@link SearchIndex.browseRecords}. */
    browseRecords(name) {
        return this.index(name).browseRecords();
    }
    /** See {@link SearchIndex.clearIndex}. */
    async clearIndex(name) {
        return this.index(name).clearIndex();
    }
    /** See {@link SearchIndex.getSettings}. */
    async getSettings(name) {
        return this.index(name).getSettings();
    }
    /** See {@link SearchIndex.updateSettings}. */
    async updateSettings(name, settings, options) {
        return this.index(name).updateSettings(settings, options);
    }
    /** See {@link SearchIndex.query}. */
    async query(name, params, options) {
        return this.index(name).query(params, options);
    }
    /** See {@link SearchIndex.searchForFacetValues}. */
    async searchForFacetValues(name, params, options) {
        return this.index(name).searchForFacetValues(params, options);
    }
    /** See {@link SearchIndex.whyNot}. */
    async whyNot(name, params, id) {
        return this.index(name).whyNot(params, id);
    }
    /** See {@link SearchIndex.digest}. */
    async digest(name, options) {
        return this.index(name).digest(options);
    }
    /** See {@link SearchIndex.estimate}. */
    async estimate(name) {
        return this.index(name).estimate();
    }
    /** Makes an index, new or existing, a copy of another: settings and records. Segments are shared, so it is quick. */
    async copyIndex(source, destination) {
        return this.hand(source, destination);
    }
    /** Moves an index to another name, at once; an index of that name is replaced, and its handles see the new records. */
    async moveIndex(source, destination) {
        await this.hand(source, destination, notFound(source));
        if (source !== destination)
            await this.indexes.drop(source);
    }
    /** Deletes an index with all its records; its handles answer 404 from then on. */
    async deleteIndex(name) {
        await this.indexes.delete(name);
    }
    /** All indexes, by name. */
    async listIndexes() {
        return this.indexes.all().map(({ name, recordCount }) => ({ name, records: recordCount }));
    }
    /** What this process can do. */
    capabilities() {
        return findCapabilities();
    }
    /** Ends the engine: waits for running writes, frees all memory. Later calls get 503 `closed`; closing twice is fine. */
    async close() {
        await this.indexes.close();
        this.options.threads?.end();
    }
    async hand(source, destination, reason) {
        const from = this.indexes.get(source);
        checkIndexName(destination, this.options.limits);
        if (source === destination)
            return;
        const existing = this.indexes.find(destination);
        const to = existing ?? from.sibling(destination);
        // The name is taken from now on, so that nobody creates another index under it meanwhile.
        this.indexes.set(destination, to);
        try {
            await from.swapInto(to, reason);
        }
        catch (error) {
            if (!to.isThere && this.indexes.find(destination) === to)
                await this.indexes.drop(destination);
            throw error;
        }
    }
}
