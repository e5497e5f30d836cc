// Measures how many of the neighbours that an exact scan finds the neighbour graph finds too. The probes are the vectors of
// sampled records.
import { throwIfAborted } from "../base/abort.js";
import { refusal, throwValidationErrors } from "../base/errors.js";
import { pauseIfLong } from "../base/tasks.js";
import { embeddedText } from "../records/embedded-text.js";
import { ownVector } from "../records/own-vector.js";
import { readFields } from "../records/read-fields.js";
import { embedTexts } from "../vector/embed-texts.js";
import { createStaticEnEmbedder } from "../vector/static-en/static-en-embedder.js";
import { rulesOf, withCopy } from "./evaluated-engine.js";
import { readOptions } from "./evaluation-options.js";
import { seededIntegers } from "./measures.js";
/**
 * Compares the nearest neighbours that an index returns with those of an exact scan. An index that scans exactly (up to
 * 50,000 vectors by default) misses nothing; `vectorIndex: { kind: "hnsw" }` shows what a graph would miss. The index is not
 * changed.
 *
 * @throws SearchError 400 (options, an index without vectors), 404, 499
 * @example
 * const { recall, lost } = await auditRecall("products", { vectorIndex: { kind: "hnsw", efSearch: 100 } });
 */
export async function auditRecall(indexName, options = {}) {
    const checked = readOptions(options, ["sample", "vectorIndex", "embedder"]);
    const { engine, cutoffs, bootstrap, signal, entries, check, onProgress } = checked;
    const sample = check.integer("sample", entries.get("sample"), 1, 100_000, 200);
    throwValidationErrors(check.complaints);
    const { settings, effective } = await engine.getSettings(indexName);
    const embedder = entries.get("embedder");
    const records = await sampleRecords(engine, indexName, sample, bootstrap.seed);
    const vectors = await vectorsOf(records, { settings, effective, embedder, signal });
    const probes = records.flatMap((record, i) => vectors[i] === null ? [] : [{ id: String(record[effective.idAttribute]), vector: vectors[i] }]);
    return withCopy(engine, indexName, async (exact) => {
        await engine.updateSettings(exact, { vectorIndex: { kind: "exact" } });
        return withGraph(engine, indexName, entries.get("vectorIndex"), async (graph) => {
            const found = [];
            for (const probe of probes) {
                throwIfAborted(signal);
                const truth = await nearest(engine, exact, probe.vector, cutoffs.k);
                found.push(compareNeighbours(probe.id, truth, await nearest(engine, graph, probe.vector, cutoffs.k)));
                onProgress({ done: found.length, total: probes.length });
                await pauseIfLong();
            }
            return summarize(found);
        });
    });
}
/** A neighbour at least as near as the k-th true one counts as right, whichever of several equal ones it is. */
function compareNeighbours(id, truth, found) {
    const edge = truth.at(-1)?.score ?? 0;
    const right = found.filter(({ score }) => score >= edge).length;
    // Many records with equal vectors may fill all k places; none of them is lost then.
    const own = truth.find((hit) => hit.id === id)?.score ?? truth[0]?.score ?? 0;
    const isLost = !found.some((hit) => hit.id === id || hit.score >= own);
    return { id, share: truth.length === 0 ? 1 : right / truth.length, isLost };
}
function summarize(found) {
    const lost = found.filter(({ isLost }) => isLost).map(({ id }) => id);
    const asked = found.length;
    const recall = found.reduce((sum, { share }) => sum + share, 0) / Math.max(1, asked);
    return { recall: asked === 0 ? 1 : recall, lostShare: lost.length / Math.max(1, asked), lost, asked };
}
/** The k nearest records by the vector alone. */
async function nearest(engine, indexName, vector, k) {
    const asked = { query: "", vector, semanticFloor: -1, distinct: false, hitsPerPage: k, attributesToRetrieve: [] };
    return (await engine.query(indexName, asked)).data.hits;
}
/** Runs `work` on the index once its graph is complete, or on a copy with the requested graph. */
async function withGraph(engine, indexName, vectorIndex, work) {
    if (vectorIndex === undefined)
        return whenGrown(engine, indexName, work);
    return withCopy(engine, indexName, async (copy) => {
        await engine.updateSettings(copy, { vectorIndex: vectorIndex });
        return whenGrown(engine, copy, work);
    });
}
async function whenGrown(engine, name, work) {
    const handle = await engine.createIndex(name, undefined, { ifExists: "open" });
    await handle.whenIdle();
    return work(name);
}
/** Samples records by a seeded draw in id order, so that the order of insertion does not matter. */
async function sampleRecords(engine, indexName, size, seed) {
    const next = seededIntegers(seed);
    const chosen = [];
    let seen = 0;
    for await (const record of engine.browseRecords(indexName)) {
        seen++;
        if (chosen.length < size)
            chosen.push(record);
        else {
            const place = next(seen);
            if (place < size)
                chosen[place] = record;
        }
        await pauseIfLong();
    }
    return chosen;
}
/** The vector of each record by which the index knows it: its own, or that of its text; null when it has none. */
export async function vectorsOf(records, source) {
    const { effective } = source;
    if (effective.vectorAttribute !== null)
        return records.map((record) => ownVector(record, effective.vectorAttribute));
    const embedder = embedderOf(source);
    const rules = rulesOf(effective);
    const texts = records.map((record) => {
        const fields = readFields(record, String(record[effective.idAttribute]), rules);
        return embeddedText(record, fields, rules);
    });
    const asked = texts.filter((text) => text.trim() !== "");
    const answer = await embedTexts(embedder, { texts: asked, purpose: "record", signal: source.signal });
    let at = 0;
    return texts.map((text) => {
        const vector = text.trim() === "" ? null : answer[at++];
        return vector === null ? null : Array.from(vector.components);
    });
}
/** The embedder of the index, found by its id; `getSettings` shows no more. */
function embedderOf({ settings, effective, embedder }) {
    if (effective.embedder === false)
        throw refusal("no_vectors", "indexName", "The index has no vectors, so there is no recall to audit.");
    const known = [embedder, settings.embedder, createStaticEnEmbedder()];
    for (const each of known)
        if (typeof each === "object" && each !== null && each.id === effective.embedder)
            return each;
    const msg = `The index embeds by "${effective.embedder}"; pass that embedder as options.embedder.`;
    throw refusal("invalid_option", "embedder", msg);
}
