// The settings that speak of words: synonyms, stop words, optional words, typing errors, prefixes.
import { copyList, ownEntries } from "../base/checks.js";
const MOST_WORDS = 10_000;
const MOST_SYNONYMS = 10_000;
const MOST_OF_ONE = 1000;
const LONGEST_WORD = 256;
/** Reads the settings about words. */
export function readLanguage(entries, check) {
    const texts = (name) => check.texts(name, entries.get(name), LONGEST_WORD, MOST_WORDS) ?? [];
    const stopWords = entries.get("stopWords");
    return {
        synonyms: readSynonyms(entries.get("synonyms"), check),
        stopWords: stopWords === undefined ? null : stopWords === false ? false : texts("stopWords"),
        optionalWords: texts("optionalWords"),
        typoTolerance: check.boolean("typoTolerance", entries.get("typoTolerance"), true),
        disableTypoToleranceOnWords: texts("disableTypoToleranceOnWords"),
        disableTypoToleranceOnAttributes: texts("disableTypoToleranceOnAttributes"),
        queryType: check.oneOf("queryType", entries.get("queryType"), ["prefixAuto", "prefixLast", "prefixAll", "prefixNone"], "prefixAuto"),
    };
}
function readSynonyms(value, check) {
    if (value === undefined)
        return [];
    const list = copyList(value, MOST_SYNONYMS);
    if (list === undefined || list.length > MOST_SYNONYMS) {
        check.refuse("synonyms", value, `a list of at most ${MOST_SYNONYMS} synonyms`);
        return [];
    }
    const expansions = new Map();
    return list.map((item, i) => {
        const synonym = readSynonym(item, `synonyms[${i}]`, check);
        for (const word of synonym.type === "synonym" ? synonym.synonyms : [synonym.input]) {
            const input = word.trim().toLowerCase();
            const count = (expansions.get(input) ?? 0) + synonym.synonyms.length;
            if (count > MOST_OF_ONE && (expansions.get(input) ?? 0) <= MOST_OF_ONE)
                check.refuse(`synonyms[${i}]`, count, `at most ${MOST_OF_ONE} synonyms of one word`);
            expansions.set(input, count);
        }
        return synonym;
    });
}
function readSynonym(item, label, check) {
    const entries = ownEntries(item ?? null, `settings.${label}`, "invalid_setting");
    const type = check.oneOf(`${label}.type`, entries.get("type") ?? null, ["synonym", "oneWaySynonym"], "synonym");
    const synonyms = check.texts(`${label}.synonyms`, entries.get("synonyms") ?? null, LONGEST_WORD, MOST_WORDS) ?? [];
    if (type === "synonym")
        return { type, synonyms };
    const input = entries.get("input");
    if (typeof input !== "string" || input.length > LONGEST_WORD)
        check.refuse(`${label}.input`, input, `a text of at most ${LONGEST_WORD} characters`);
    return { type, input: typeof input === "string" ? input : "", synonyms };
}
