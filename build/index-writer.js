// Holds the data of one index and changes it: the only place where records are added, replaced and deleted. The write
// scheduler calls it, one write at a time.
import { countDeleted, findLiving, prepareBatch } from "./add-records.js";
import { throwIfAborted } from "./base/abort.js";
import { SearchError } from "./base/errors.js";
import { byCodeUnit, sortWithPauses } from "./base/merge-runs.js";
import { runTask } from "./base/tasks.js";
import { embedsAlike, indexesAlike } from "./settings/fingerprint.js";
import { ColumnLease, inheritColumns } from "./state/column-store.js";
import { prepareFloor } from "./state/floor/semantic-floor.js";
import { IndexData } from "./state/index-data.js";
import { chooseMerge, mergeSegments } from "./state/merge-segments.js";
import { SearchLanguage } from "./state/search-language.js";
import { docsToDelete } from "./writing/delete-by.js";
/** The current data of an index, and the operations that change it. */
export class IndexWriter {
    data;
    /** The settings as the caller passed them. */
    given;
    context;
    scheduler;
    constructor(context, scheduler) {
        this.context = context;
        this.scheduler = scheduler;
        this.given = context.given;
        this.data = this.newData(context.settings);
    }
    /** Empty data under these settings. If `like` has the same settings, its language is reused. */
    newData(settings, like) {
        const { warn, memory } = this.context;
        const language = like?.settings === settings ? like.language : new SearchLanguage(settings);
        const fits = (bytes) => memory.fits(bytes);
        return new IndexData({ settings, language, warn, stop: this.scheduler.stop, fits });
    }
    /** Replaces the current data. */
    replace(fresh) {
        this.scheduler.check();
        const old = this.data;
        this.data = fresh;
        old.graph.end();
    }
    /** Copies settings and records from another index; segments are shared. */
    copyFrom(other) {
        const fresh = this.newData(other.data.settings, other.data);
        fresh.shareRecords(other.data);
        this.replace(fresh);
        this.given = other.given;
    }
    /** Throws 409 `settings_changed` when these settings are no longer the current ones: what was read with them is unusable. */
    checkSame(settings) {
        if (settings === this.data.settings)
            return;
        const msg = "The settings changed while the call waited for its turn, and nothing was written; call again.";
        throw new SearchError(409, "settings_changed", msg, { param: "records" });
    }
    /** Adds or replaces records. `entries` are sorted by id. */
    async put(entries, options) {
        if (entries.length === 0)
            return { added: 0, replaced: 0 };
        const { data } = this;
        return this.withClaim(async (claim) => {
            const prepared = await prepareBatch(data.snapshot, entries, this.batch(data, options, claim));
            const after = await runTask(data.snapshot.after(prepared.change), options.signal);
            throwIfAborted(options.signal);
            this.scheduler.check();
            data.publish(after, prepared.change, prepared.attributes);
            return { added: prepared.added, replaced: prepared.replaced };
        });
    }
    /** Applies other settings to the same records; indexes them again only when the settings require it. */
    async applySettings({ settings, given }, entries, options) {
        const old = this.data;
        const fresh = this.newData(settings);
        await this.withClaim(async (claim) => {
            if (indexesAlike(old.settings, settings))
                fresh.shareRecords(old);
            else {
                const vectorsFrom = embedsAlike(old.settings, settings) ? old.snapshot : undefined;
                const batch = { ...this.batch(fresh, options, claim), vectorsFrom };
                const { change } = await prepareBatch(fresh.snapshot, await entries(), batch);
                // The catalog covers all records since the index was created or cleared, under any settings.
                fresh.publish(await runTask(fresh.snapshot.after(change), options.signal), change, old.catalog);
                fresh.inheritDeletedIds(old);
            }
            throwIfAborted(options.signal);
            this.replace(fresh);
            this.given = given;
        });
    }
    /** Indexes these records into new data, which replaces the current data; returns the number of records. */
    async rebuild(entries, options) {
        const fresh = this.newData(this.data.settings, this.data);
        return this.withClaim(async (claim) => {
            const batch = { ...this.batch(fresh, options, claim), vectorsFrom: this.data.snapshot };
            const { change, attributes, added } = await prepareBatch(fresh.snapshot, entries, batch);
            const after = await runTask(fresh.snapshot.after(change), options.signal);
            throwIfAborted(options.signal);
            this.scheduler.check();
            fresh.publish(after, change, attributes);
            this.replace(fresh);
            return added;
        });
    }
    /** Deletes records, given as numbers by segment id. */
    async deleteDocs(deletions, stop) {
        const deleted = countDeleted(deletions);
        this.scheduler.check();
        if (deleted === 0)
            return { deleted };
        const after = await runTask(this.data.snapshot.after({ deletions }), stop);
        throwIfAborted(stop);
        this.scheduler.check();
        this.data.rememberDeletedIds(deletions);
        this.data.publish(after, { deletions });
        return { deleted };
    }
    /** Deletes the records with these ids. */
    async deleteIds(ids, stop) {
        const sorted = await runTask(sortWithPauses([...new Set(ids)], byCodeUnit), stop);
        const living = findLiving(this.data.snapshot, sorted.length, (i) => sorted[i]);
        return this.deleteDocs(await runTask(living, stop), stop);
    }
    /** Deletes the records that pass a filter. */
    async deleteMatching(filter, stop) {
        const lease = new ColumnLease();
        try {
            return await this.deleteDocs(await runTask(docsToDelete(filter, this.data.version(), lease), stop), stop);
        }
        finally {
            lease.release(this.context.memory.columnsToKeep());
        }
    }
    /** Merges small segments and segments with many deleted records; changes no answer. */
    async merge() {
        const { data } = this;
        const { stop } = this.scheduler;
        for (let chosen = chooseMerge(data.snapshot); chosen.length > 0; chosen = chooseMerge(data.snapshot)) {
            const merged = await runTask(mergeSegments(chosen), stop);
            await runTask(inheritColumns(merged), stop);
            await runTask(prepareFloor(merged.segment, data.settings), stop);
            data.publishMerge(merged);
        }
    }
    /** Claims memory for what `build` makes, until it is published or abandoned. */
    async withClaim(build) {
        const { claim, counts, end } = this.context.memory.open();
        try {
            return await build(counts ? claim : undefined);
        }
        finally {
            end();
        }
    }
    batch({ settings, rules, language }, { signal, onProgress }, claim) {
        const { limits, warn, threads } = this.context;
        return { settings, rules, language, limits, threads, warn, signal, onProgress, claim };
    }
}
