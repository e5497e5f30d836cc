// A record's title goes to the segment part by part, besides being indexed as a field: what stands where, and in which words.
import { has } from "../base/checks.js";
import { MOST_TITLE_PARTS, takeTitleParts } from "../language/tokens/title-parts.js";
import { numbersFor } from "./note-numbers.js";
/** Takes the title of the writer's present record; with a user's analyzer each of its terms is a part. */
export function titleIndexer(writer, words, { fieldTokens, fieldCharacters }) {
    const most = Math.min(MOST_TITLE_PARTS, fieldTokens);
    const taker = partTakerFor(writer);
    return (title) => {
        const text = title.slice(0, fieldCharacters);
        if (!has(words, "analyze")) {
            takeTitleParts(text, words, most, taker);
            return;
        }
        for (const term of words.analyze(text).slice(0, most)) {
            taker.begin();
            taker.one(term);
        }
    };
}
/** The writer has met most terms before, so that they have their numbers noted. */
function partTakerFor(writer) {
    let isFirst = false;
    const add = (term) => {
        writer.titles.add(term, isFirst);
        isFirst = false;
    };
    return {
        begin: () => {
            isFirst = true;
        },
        terms: (memo, token, from) => {
            const { cells } = memo;
            const at = numbersFor(memo, token, writer);
            for (let term = from, count = cells.termCount(token); term < count; term++)
                add(cells.numbers[at + term]);
        },
        one: (term) => add(writer.numberOfText(term)),
    };
}
