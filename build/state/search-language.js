// The language of an index by its settings: analyzer, stop words, synonyms, optional words, words without correction.
import { has } from "../base/checks.js";
import { runTaskAtOnce } from "../base/tasks.js";
import { cleanWord } from "../language/compound-forms.js";
import { ENGLISH_WORDS } from "../language/english-words.js";
import { normalizeText } from "../language/normalize-text.js";
import { PLAIN_WORDS } from "../language/word-forms.js";
import { keysOf } from "../rewriting/parse-query.js";
import { SynonymTable } from "../rewriting/synonyms.js";
/** The language of an index, for records and queries. */
export class SearchLanguage {
    words;
    /** Fields in which corrected words do not count. */
    exactFields;
    settings;
    known;
    constructor({ effective, analyzer }) {
        this.words = wordsOf(analyzer, effective.stopWords);
        this.exactFields = new Set(effective.disableTypoToleranceOnAttributes);
        this.settings = effective;
        // Runs a user's analyzer now, so that its errors show when the settings are passed.
        if (has(this.words, "analyze"))
            this.known = runTaskAtOnce(this.read());
    }
    /** The parts that queries need, built by the first query: thousands of synonyms take a while. */
    *forQueries() {
        this.known ??= yield* this.read();
        return this.known;
    }
    *read() {
        const { words } = this;
        const synonyms = new SynonymTable([], words);
        for (const synonym of this.settings.synonyms) {
            synonyms.add(toRule(synonym));
            yield;
        }
        const exactKeys = yield* keysWithPauses(this.settings.disableTypoToleranceOnWords, words);
        return { synonyms, exactKeys, optionalKeys: yield* keysWithPauses(this.settings.optionalWords, words) };
    }
}
function* keysWithPauses(texts, words) {
    const keys = new Set();
    for (const text of texts) {
        for (const key of keysOf([text], words))
            keys.add(key);
        yield;
    }
    return keys;
}
function wordsOf(analyzer, stopWords) {
    const words = analyzer === "english" ? ENGLISH_WORDS : analyzer === "plain" ? PLAIN_WORDS : analyzer;
    if (has(words, "analyze") || stopWords === null)
        return words;
    const own = new Set(stopWords === false ? [] : stopWords.map((word) => cleanWord(normalizeText(word.trim()))));
    return { id: words.id, stem: (word) => words.stem(word), isStopWord: (word) => own.has(word) };
}
function toRule(synonym) {
    return synonym.type === "synonym"
        ? { inputs: synonym.synonyms, outputs: synonym.synonyms }
        : { inputs: [synonym.input], outputs: synonym.synonyms };
}
