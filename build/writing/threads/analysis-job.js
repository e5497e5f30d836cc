// What goes to another thread and comes back: records to analyse, and what they were found to be. All of it can be copied or
// handed over between threads; a thread's own classes are taken apart and put together again.
import { AttributeCatalog } from "../../attributes/attribute-values.js";
import { runTaskAtOnce } from "../../base/tasks.js";
import { ENGLISH_WORDS } from "../../language/english-words.js";
import { PLAIN_WORDS } from "../../language/word-forms.js";
import { NameTable } from "../../text/names/name-table.js";
import { embedTexts } from "../../vector/embed-texts.js";
import { createStaticEnEmbedder } from "../../vector/static-en/static-en-embedder.js";
import { analyseRecords } from "../analyse-records.js";
/** Vectors read between two pauses. */
const PAUSE_EVERY = 1024;
/** Reads its table when it is first asked. */
const staticEn = createStaticEnEmbedder();
/** Does the job. `handed`: what need not be copied. */
export async function doJob(entries, { rules, analyzer, limits, wanted }) {
    const attributes = new AttributeCatalog();
    const warnings = [];
    const words = analyzer === "english" ? ENGLISH_WORDS : PLAIN_WORDS;
    const warn = (warning) => void warnings.push(warning);
    const context = { rules, words, embeds: wanted !== undefined, attributes, limits, warn, onProgress: () => { } };
    const { records, postings, texts } = runTaskAtOnce(analyseRecords(entries, context));
    const vectors = wanted === "vectors" ? await embed(texts) : undefined;
    const { ids: _, ...table } = records;
    const { names, ...lists } = postings;
    const { parts } = names;
    const reply = {
        records: table,
        postings: { ...lists, names: parts },
        vectors,
        seen: attributes.counts,
        warnings,
    };
    return { reply, texts: wanted === "texts" ? texts : [], handed: [...new Set(ownBuffers(reply))] };
}
async function embed(texts) {
    const vectors = await embedTexts(staticEn, { texts, purpose: "record" });
    const components = new Int16Array(texts.length * staticEn.dimensions);
    const inverseLengths = new Float64Array(texts.length);
    for (const [i, vector] of vectors.entries()) {
        if (vector === null)
            continue;
        components.set(vector.components, i * staticEn.dimensions);
        inverseLengths[i] = vector.inverseLength;
    }
    return { components, inverseLengths };
}
/** Of each record its vector or null. */
export function* readVectors({ components, inverseLengths }) {
    const dimensions = components.length / inverseLengths.length;
    const vectors = [];
    for (const [i, inverseLength] of inverseLengths.entries()) {
        if (i % PAUSE_EVERY === 0)
            yield;
        const own = components.subarray(i * dimensions, (i + 1) * dimensions);
        vectors.push(inverseLength === 0 ? null : { components: own, inverseLength });
    }
    return vectors;
}
/** Puts a reply together. */
export function readReply({ records, postings, vectors, seen, warnings }, ids, texts) {
    const names = new NameTable(postings.names);
    const analysis = { records: { ids, ...records }, postings: { ...postings, names }, texts };
    return { analysis, vectors, attributes: new AttributeCatalog(seen), warnings };
}
/** The buffers of the arrays in a value that are over the whole of one. */
function* ownBuffers(value) {
    if (ArrayBuffer.isView(value)) {
        if (value.buffer instanceof ArrayBuffer && value.byteLength === value.buffer.byteLength)
            yield value.buffer;
    }
    else if (typeof value === "object" && value !== null)
        for (const part of Object.values(value))
            yield* ownBuffers(part);
}
