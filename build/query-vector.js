// The vector of a query: the caller's, or what an embedder makes of its text, its synonyms and the words that no record holds.
// A failing embedder leaves a query to its words, with a warning.
import { has } from "./base/checks.js";
import { SearchError } from "./base/errors.js";
import { runTask } from "./base/tasks.js";
import { isIndexedWord, outOfVocabularyWords } from "./rewriting/expand-query.js";
import { semanticWeightOf } from "./searching/retrieve.js";
import { Vocabulary } from "./text/vocabulary.js";
import { embedTexts } from "./vector/embed-texts.js";
/** The vector of a query as it is written, before any record is looked at. */
export async function queryVector({ vector, semanticWeight }, { read, blank, settings, language }, context) {
    if (vector !== undefined)
        return { vector, parts: undefined };
    const { embedder, effective } = settings;
    const nothing = { vector: null, parts: undefined };
    if (embedder === undefined || blank || (semanticWeight ?? semanticWeightOf(effective)) === 0)
        return nothing;
    const text = embedder.wordsOnly === true ? read.wordsText : read.hasWords ? read.plainText : "";
    if (text.trim() === "")
        return nothing;
    const synonymous = await readSynonyms(embedder, read, language, context);
    const asked = synonymous === undefined ? undefined : { unheld: [], isHeld: () => false };
    const parts = synonymous ?? [[text]];
    const message = "The embedder failed, so the query was answered in words alone.";
    return { vector: await embed(embedder, parts, { asked, message, ...context }), parts };
}
/** The same vector, or another where the embedder has more to say of words that no record holds. */
export async function leaningVector({ semanticWeight }, { embedded, prepared, version }, context) {
    const { vector, parts } = embedded;
    const { settings, language } = version;
    const { embedder, effective } = settings;
    if (vector === null || parts === undefined || embedder?.embedParts === undefined)
        return vector;
    // Where meaning is all that counts, nothing speaks for the other words, and one that leans on five outweighs them.
    if ((semanticWeight ?? semanticWeightOf(effective)) === 1)
        return vector;
    const vocabulary = new Vocabulary(prepared.corpus.segments);
    const unheld = outOfVocabularyWords(prepared.terms, vocabulary);
    if (unheld.length === 0)
        return vector;
    const asked = { unheld, isHeld: (word) => isIndexedWord(word, language.words, vocabulary) };
    const message = "The embedder failed, so words that no record holds lean on no others.";
    return (await embed(embedder, parts, { asked, message, ...context })) ?? vector;
}
/** Terms of a user's analyzer are no words for an embedder. */
async function readSynonyms({ embedParts }, { tokens }, language, { signal }) {
    if (embedParts === undefined || has(language.words, "analyze"))
        return undefined;
    return (await runTask(language.forQueries(), signal)).synonyms.texts(tokens);
}
/** By `embedParts` where something is asked of it, else by `embed`. */
async function embed(embedder, parts, { asked, message, signal, warn, }) {
    const options = { ...asked, ...(signal === undefined ? {} : { signal }) };
    const one = asked === undefined ? embedder : { ...embedder, embed: async () => [await embedder.embedParts(parts, options)] };
    try {
        const texts = [parts.map(([own]) => own).join(" ")];
        const [embedded] = await embedTexts(one, { texts, purpose: "query", signal });
        return embedded ?? null;
    }
    catch (cause) {
        if (cause instanceof SearchError && cause.code === 499)
            throw cause;
        warn({ code: "embedder_failed", message, param: "embedder", cause });
        return null;
    }
}
