// A title as a row of parts: at each place the index terms that stand there, by the scanner and the forms of the index. A
// part is a word, a number, a code, a part of a compound, or a character of a script without blanks.
import { bigrams } from "../bigrams.js";
import { compoundForms } from "../compound-forms.js";
import { takeQuantity } from "../index-terms.js";
import { quantitiesOf } from "../quantities.js";
import { tokenReader } from "../token-terms.js";
/** So many parts of a title are looked at. */
export const MOST_TITLE_PARTS = 80;
/** So many parts stand within so many characters, unless someone wants to keep us busy. */
const MOST_CHARACTERS = 8192;
/** Gives the first `most` parts of a title to the taker. */
export function takeTitleParts(title, words, most, taker) {
    const reader = tokenReader(words);
    const { memo, measures } = reader;
    const text = reader.read(title.length <= MOST_CHARACTERS ? title : cutAtBlank(title));
    const quantities = quantitiesOf(text, measures);
    let parts = 0;
    let next = 0;
    const begin = (end) => {
        if (parts === most)
            return false;
        parts++;
        taker.begin();
        const quantity = quantities[next];
        if (quantity !== undefined && quantity.start < end)
            takeQuantity(quantity, measures, taker);
        return true;
    };
    for (let i = 0; i < text.size && parts < most; i++) {
        const kind = text.kindAt(i);
        const start = text.startOf(i);
        const end = text.endOf(i);
        while (next < quantities.length && quantities[next].end <= start)
            next++;
        if (kind === "compound")
            takeCompound(text.slice(start, end), memo, () => begin(end), taker);
        else if (kind === "unspaced")
            takeUnspaced(text.slice(start, end), () => begin(end), taker);
        else {
            const token = reader.tokenAt(i);
            const count = memo.cells.termCount(token);
            if (count === 0 || !begin(end))
                continue;
            // Of a word, the term of the word as it was written.
            taker.terms(memo, token, kind === "word" ? count - 1 : 0);
        }
    }
}
/** Its parts, one behind the other; where the first one stands, the compound stands as one word too. */
function takeCompound(token, memo, begin, taker) {
    const { joined, parts } = compoundForms(token);
    for (const [i, part] of parts.entries()) {
        if (!begin())
            return;
        takeWord(part, memo, taker);
        if (i === 0 && parts.length > 1)
            takeWord(joined, memo, taker);
    }
}
/** The word as it was written, which stands for its stem too. */
function takeWord(word, memo, taker) {
    const token = memo.find("word", word, 0, word.length);
    taker.terms(memo, token, memo.cells.termCount(token) - 1);
}
/** Each character with the pair that it begins. */
function takeUnspaced(run, begin, taker) {
    const { characters, pairs } = bigrams(run);
    for (const [i, character] of characters.entries()) {
        if (!begin())
            return;
        if (i < pairs.length)
            taker.one(pairs[i]);
        taker.one(character);
    }
}
function cutAtBlank(text) {
    const blank = text.lastIndexOf(" ", MOST_CHARACTERS);
    return text.slice(0, blank > 0 ? blank : MOST_CHARACTERS);
}
