// Reads texts as the tokens of one language: a text, memos of what tokens and measures mean, and where there is WebAssembly one
// memory for all, so that the compiled kernel finds and looks up all tokens of a text in one go.
import { createMeasureMemo } from "../quantities.js";
import { ScannedText } from "./scanned-text.js";
import { TokenMemo } from "./token-memo.js";
import { createTokenMemory } from "./token-memory.js";
/** One text at a time. */
export class TokenReader {
    memo;
    /** Plain measures by their spelling. */
    measures;
    text;
    present;
    /** The memo's age when the present text's tokens were looked up. */
    age = 0;
    /** `meaning` finds out what a token means. */
    constructor(meaning) {
        const memory = createTokenMemory();
        this.memo = new TokenMemo(meaning, undefined, memory);
        this.measures = createMeasureMemo(memory?.measures ?? null);
        this.text = new ScannedText(memory);
    }
    /** A text as it is to be indexed; valid until the next is read. A title comes twice, as a field and as a title. */
    read(given) {
        const { text, memo, measures } = this;
        if (given === this.present)
            return text;
        this.present = undefined;
        text.scan(given);
        memo.seekAll(text);
        measures.seekMeasures(text);
        this.age = memo.age;
        this.present = given;
        return text;
    }
    /** False: what was noted of the present text's tokens is forgotten. */
    get isFresh() {
        return this.memo.age === this.age;
    }
    /** Token `i` of the present text, as the memo knows it. */
    tokenAt(i) {
        const token = this.text.cellOf[i];
        return token > 0 && this.isFresh ? token : this.memo.findIn(this.text, i);
    }
}
