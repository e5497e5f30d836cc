// From checked records to a private segment: analyse their words, embed their texts, write tables. Works in slices or in other
// threads, may wait for an embedder, may fail; touches nothing that others see.
import { untilAborted } from "../base/abort.js";
import { runTask } from "../base/tasks.js";
import { isBlank } from "../language/normalize-text.js";
import { embeddedText } from "../records/embedded-text.js";
import { ownVector } from "../records/own-vector.js";
import { readFields } from "../records/read-fields.js";
import { recordOf } from "../records/record-table.js";
import { createSegment } from "../state/segment.js";
import { embedTexts } from "../vector/embed-texts.js";
import { requireVector } from "../vector/unit-vector.js";
import { writeVectorRows } from "../vector/vector-rows.js";
import { analyseRecords } from "./analyse-records.js";
import { readVectors } from "./threads/analysis-job.js";
const PAUSE_EVERY = 16;
/** Begins to build a segment of records that are sorted by id; what it answers finishes it. */
export function startSegment(entries, context) {
    const elsewhere = startElsewhere(entries, context);
    // Nobody may be waiting for it yet when it is given up.
    elsewhere.catch(() => { });
    return async () => {
        const answer = await elsewhere;
        const analysed = answer === undefined ? await analyseHere(entries, context) : hear(answer, entries.length, context);
        return finishSegment(entries, analysed, context);
    };
}
async function finishSegment(entries, { records, postings, texts, vectors: embedded }, context) {
    const { settings, signal } = context;
    const { dimensions, vectorAttribute } = settings.effective;
    const vectors = dimensions === 0
        ? null
        : vectorAttribute === null
            ? embedded === undefined
                ? await embedRecords(entries, texts, context)
                : await runTask(readVectors(embedded), signal)
            : await runTask(ownVectors(entries, dimensions, vectorAttribute), signal);
    const rows = vectors === null ? null : await runTask(writeVectorRows(vectors, dimensions), signal);
    return createSegment(records, postings, rows);
}
/** In another thread; undefined: nobody does it there. */
async function startElsewhere(entries, { settings, rules, limits, threads, signal }) {
    const { analyzer } = settings;
    if (threads === undefined || typeof analyzer !== "string")
        return undefined;
    const { fieldCharacters, fieldTokens } = limits;
    const wanted = embedsTexts(settings) ? (settings.embedder === threads.embedder ? "vectors" : "texts") : undefined;
    const job = { rules, analyzer, limits: { fieldCharacters, fieldTokens }, wanted };
    return untilAborted(threads.analyse(entries, job), signal);
}
/** Tells of it when its turn has come, whenever it was done: what is told goes forward. */
function hear({ analysis, vectors, attributes, warnings }, done, context) {
    context.attributes.add(attributes);
    for (const warning of warnings)
        context.warn(warning);
    context.onProgress("indexing", done);
    if (vectors !== undefined)
        context.onProgress("embedding", done);
    return { ...analysis, vectors };
}
async function analyseHere(entries, context) {
    const { settings, rules, language, attributes, limits, signal, warn, onProgress } = context;
    const steps = analyseRecords(entries, {
        rules,
        words: language.words,
        embeds: embedsTexts(settings),
        attributes,
        limits,
        warn,
        onProgress: (done) => onProgress("indexing", done),
    });
    return runTask(steps, signal);
}
function embedsTexts({ embedder, effective }) {
    return embedder !== undefined && effective.vectorAttribute === null;
}
/** Embeds what is new; a record whose embedded text is as before keeps its vector. */
async function embedRecords(entries, texts, context) {
    const { settings, rules, signal, onProgress } = context;
    const embedder = settings.embedder;
    const vectors = entries.map(() => null);
    const asked = [];
    await runTask((function* () {
        for (const [doc, { id }] of entries.entries()) {
            if (doc % PAUSE_EVERY === 0)
                yield;
            if (isBlank(texts[doc]))
                continue;
            const before = context.previous(id);
            if (before !== undefined &&
                embeddedText(before.record, readFields(before.record, id, rules), rules) === texts[doc])
                vectors[doc] = before.vector;
            else
                asked.push(doc);
        }
    })(), signal);
    const kept = entries.length - asked.length;
    const answer = await embedTexts(embedder, {
        texts: asked.map((doc) => texts[doc]),
        purpose: "record",
        signal,
        onBatch: (done) => onProgress("embedding", kept + done),
    });
    for (const [i, doc] of asked.entries())
        vectors[doc] = answer[i];
    return vectors;
}
/** The vectors that the records bring; they were checked when the records were read. */
function* ownVectors(entries, dimensions, attribute) {
    const vectors = [];
    for (const entry of entries) {
        const given = entry.vector?.numbers ?? ownVector(recordOf(entry), attribute);
        vectors.push(given === null ? null : requireVector(given, dimensions, attribute));
        yield;
    }
    return vectors;
}
