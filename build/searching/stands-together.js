// Which records hold words next to each other, in order. No positions are kept: the few records that hold all the words are
// read again, each once for all phrases of a query, so that only queries with phrases pay for them.
import { has } from "../base/checks.js";
import { phraseTerms } from "../language/phrase-terms.js";
import { readFields } from "../records/read-fields.js";
import { readRecord } from "../records/record-table.js";
import { holdersOf, holdersOfAll } from "../text/find-holders.js";
const PAUSE_EVERY = 16;
/** Takes the records of one segment that do not hold the phrases as they should out of `allowed`. */
export function* keepPhrases({ required, excluded }, live, searchable, allowed, context) {
    const { base, segment } = live;
    for (const terms of excluded)
        if (terms.length === 1) {
            for (const doc of holdersOf(searchable, terms[0]))
                allowed.remove(base + doc);
            yield;
        }
    const holders = yield* holdersOfEach(required, searchable);
    if (holders !== undefined)
        for (let doc = 0; doc < segment.size; doc++)
            if (!holders.has(doc))
                allowed.remove(base + doc);
    const [wanted, unwanted] = [required, excluded].map((phrases) => phrases.filter((terms) => terms.length > 1));
    const suspects = yield* holdersOfAny(unwanted, searchable);
    let seen = 0;
    for (const doc of wanted.length > 0 ? holders : suspects) {
        if (!allowed.has(base + doc))
            continue;
        if (++seen % PAUSE_EVERY === 0)
            yield;
        const texts = textsOf(live, doc, context);
        const holds = (terms) => texts.some((text) => containsRun(text, terms));
        if (!wanted.every(holds) || (suspects.has(doc) && unwanted.some(holds)))
            allowed.remove(base + doc);
    }
}
/** The records that hold all terms of all phrases; undefined: there are no phrases. */
function* holdersOfEach(phrases, searchable) {
    let holders;
    for (const terms of phrases) {
        holders = holdersOfAll(searchable, terms, holders);
        yield;
    }
    return holders;
}
/** The records that hold all terms of one of the phrases. */
function* holdersOfAny(phrases, searchable) {
    const holders = new Set();
    for (const terms of phrases) {
        for (const doc of holdersOfAll(searchable, terms))
            holders.add(doc);
        yield;
    }
    return holders;
}
/** The terms of each text of a record in the fields that are searched, in order. */
function textsOf({ segment }, doc, { rules, words, fields }) {
    const record = readRecord(segment.records, doc);
    const texts = [];
    for (const field of readFields(record, segment.records.ids[doc], rules)) {
        if (fields !== undefined && !fields.has(field.name))
            continue;
        for (const text of [...field.texts, ...field.identifiers])
            texts.push(termsInOrder(text, words));
    }
    return texts;
}
function termsInOrder(text, words) {
    return has(words, "analyze") ? words.analyze(text) : phraseTerms(text, words);
}
function containsRun(text, phrase) {
    for (let from = 0; from + phrase.length <= text.length; from++)
        if (phrase.every((term, i) => text[from + i] === term))
            return true;
    return false;
}
