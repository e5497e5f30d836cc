// Gives the terms of fields to the writer of a segment, one field after the other; what passes the limits is stored but not
// searched, with one warning a segment.
import { has } from "../base/checks.js";
import { show } from "../base/show.js";
import { identifierTerms, indexIdentifier, takeText } from "../language/index-terms.js";
import { titleIndexer } from "./index-title.js";
import { numbersFor } from "./note-numbers.js";
/** Text, or records' JSON, indexed between two pauses: 1 ms, or a few while its words are new. */
export const PAUSE_CHARACTERS = 2048;
const MOST_LENGTH = 0xffff;
/** Indexes the fields of a segment: each is begun, its texts are taken, it is ended. */
export class FieldIndexer {
    writer;
    context;
    taker;
    indexTitle;
    warned = false;
    /** Tokens of the present field, and how many more characters it may have. */
    tokens = 0;
    characters = 0;
    constructor(writer, context) {
        this.writer = writer;
        this.context = context;
        this.taker = takerFor(writer);
        this.indexTitle = titleIndexer(writer, context.words, context.limits);
    }
    /** Begins a field of the writer's present record. */
    begin({ name, isTitle }) {
        this.writer.beginField(name, isTitle);
        this.tokens = 0;
        this.characters = this.context.limits.fieldCharacters;
    }
    /** Whether a text of the present field is so short that it can be taken without a pause. */
    takesWhole(text) {
        return text.length <= PAUSE_CHARACTERS && text.length <= this.characters;
    }
    /** Takes such a text. */
    take(text) {
        this.index(text);
        this.characters -= text.length;
    }
    /** Takes any other. */
    *takePieces(text) {
        for (const piece of piecesOf(text.slice(0, Math.max(0, this.characters)), this.context.words)) {
            this.index(piece);
            if (piece.length < text.length)
                yield;
        }
        this.characters -= text.length;
    }
    /** Takes the identifiers of the present field, and ends it. */
    end({ name, isTitle, texts, identifiers }) {
        const { fieldCharacters, fieldTokens } = this.context.limits;
        for (const identifier of identifiers)
            this.takeIdentifier(identifier);
        this.writer.endField(Math.min(this.tokens, fieldTokens, MOST_LENGTH));
        // A title is one text.
        if (isTitle && texts.length > 0 && this.context.rules.titles)
            this.indexTitle(texts[0]);
        if (this.warned || (this.characters >= 0 && this.tokens <= fieldTokens))
            return;
        this.warned = true;
        this.context.warn({
            code: "field_truncated",
            message: `A text in ${show(name)} is longer than ${fieldCharacters} characters or ${fieldTokens} tokens; the rest is stored but not searched.`,
            param: name,
        });
    }
    takeIdentifier(identifier) {
        const { fieldTokens } = this.context.limits;
        const isCut = identifier.length > this.characters || this.tokens >= fieldTokens;
        this.characters -= identifier.length;
        if (isCut) {
            this.tokens = Math.max(this.tokens, fieldTokens + 1);
            return;
        }
        const sink = this.taker.one;
        this.tokens += indexIdentifier(identifier, sink);
        for (const whole of identifierTerms(identifier))
            sink(whole);
    }
    index(text) {
        const { words, limits } = this.context;
        this.tokens += indexOne(text, words, Math.max(0, limits.fieldTokens - this.tokens), this.taker);
    }
}
/** No number so near before and behind a blank: no quantity can stand across it. */
const CLEAR_BEFORE = 24;
const CLEAR_BEHIND = 12;
const NUMBER = /\p{N}/u;
/** A long text in pieces, cut at blanks where no token and no quantity can be cut in two. A user's analyzer gets its text whole. */
function* piecesOf(text, words) {
    let from = 0;
    while (!has(words, "analyze") && text.length - from > PAUSE_CHARACTERS) {
        let blank = text.indexOf(" ", from + PAUSE_CHARACTERS);
        while (blank >= 0 && NUMBER.test(text.slice(blank - CLEAR_BEFORE, blank + CLEAR_BEHIND)))
            blank = text.indexOf(" ", blank + 1);
        if (blank < 0)
            break;
        yield text.slice(from, blank);
        from = blank + 1;
    }
    if (from < text.length)
        yield text.slice(from);
}
function indexOne(text, words, mostTokens, taker) {
    if (!has(words, "analyze"))
        return takeText(text, words, mostTokens, taker);
    const terms = words.analyze(text);
    for (const term of terms.slice(0, mostTokens))
        taker.one(term);
    return terms.length;
}
/** A token costs one look-up, whatever terms it has: the memo notes the numbers that the writer gives them. */
function takerFor(writer) {
    return {
        owner: writer.id,
        terms(memo, token, from) {
            const { cells } = memo;
            const at = numbersFor(memo, token, writer);
            writer.addNumbers(cells.numbers, at + from, at + cells.termCount(token));
        },
        one: (term) => writer.add(term),
        note: (memo, token) => void numbersFor(memo, token, writer),
        numbered: (numbers, count) => writer.addNumbers(numbers, 0, count),
    };
}
