// The vectors by which an index knows its records: what they bring, or what its embedder makes of their text.
import { refusal } from "../base/errors.js";
import { embeddedText } from "../records/embedded-text.js";
import { ownVector } from "../records/own-vector.js";
import { readFields } from "../records/read-fields.js";
import { embedTexts } from "../vector/embed-texts.js";
import { createStaticEnEmbedder } from "../vector/static-en/static-en-embedder.js";
import { rulesOf } from "./searched-attributes.js";
/** One vector a record, null where it has none. */
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
/** The embedder that is in force; the engine shows only its id. */
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
