// A filter text as tokens, read from left to right, each code unit once: no token overlaps another and nothing is read again.
// Quoted text knows the escapes of JSON (\" \\ \/ \b \f \n \r \t \uXXXX) and \'; anything else may stand in quotes as it is.
import { SearchError } from "../base/errors.js";
import { show } from "../base/show.js";
const BLANKS = /\s*/y;
const WORD = /[^\s()"'=<>!:]+/y;
const SIGN = /[():=]|!=|[<>]=?/y;
const UNESCAPED = /[^"'\\]+/y;
const FOUR_DIGITS = /[0-9a-fA-F]{4}/y;
const KEYWORDS = ["AND", "OR", "NOT", "TO", "EXISTS"];
const ESCAPES = new Map([
    ['"', '"'],
    ["'", "'"],
    ["\\", "\\"],
    ["/", "/"],
    ["b", "\b"],
    ["f", "\f"],
    ["n", "\n"],
    ["r", "\r"],
    ["t", "\t"],
]);
/** Reads the tokens of a filter text one by one; at its end, "end" again and again. */
export class FilterTokens {
    text;
    param;
    at = 0;
    constructor(text, param) {
        this.text = text;
        this.param = param;
    }
    next() {
        this.take(BLANKS);
        const start = this.at;
        if (start === this.text.length)
            return { kind: "end", text: "", span: { start, end: start } };
        const mark = this.text[start];
        if (mark === '"' || mark === "'")
            return { kind: "quoted", text: this.quoted(mark), span: this.since(start) };
        const sign = this.take(SIGN);
        if (sign !== "")
            return { kind: "sign", text: sign, span: this.since(start) };
        const text = this.take(WORD);
        const span = this.since(start);
        if (text === "")
            throw this.refusal({ start, end: start + 1 }, `found a "!" alone; write != or NOT.`);
        const keyword = KEYWORDS.find((each) => each === text);
        return keyword === undefined ? { kind: "word", text, span } : { kind: "keyword", text: keyword, span };
    }
    /** The refusal of what stands at `span`; `msg` says what was found, what was expected and what to do. */
    refusal({ start, end }, msg) {
        const details = { start, end };
        return new SearchError(400, "invalid_filter", `${this.param}, position ${start}: ${msg}`, {
            param: this.param,
            details,
        });
    }
    quoted(mark) {
        const start = this.at++;
        let text = "";
        while (this.at < this.text.length) {
            const unit = this.text[this.at];
            if (unit === mark) {
                this.at++;
                return text;
            }
            if (unit === "\\")
                text += this.escaped();
            else if (unit === '"' || unit === "'") {
                text += unit;
                this.at++;
            }
            else
                text += this.take(UNESCAPED);
        }
        throw this.refusal(this.since(start), `found a quote ${mark} that is never closed; close it, or put \\ before it.`);
    }
    escaped() {
        const start = this.at++;
        const unit = this.text[this.at++] ?? "";
        const plain = ESCAPES.get(unit);
        if (plain !== undefined)
            return plain;
        const code = unit === "u" ? this.take(FOUR_DIGITS) : "";
        if (code !== "")
            return String.fromCharCode(Number.parseInt(code, 16));
        this.at = Math.min(this.at, this.text.length);
        const found = show(this.text.slice(start, this.at));
        throw this.refusal(this.since(start), `found the unknown escape ${found}; expected \\\\ \\" \\' \\n \\t or \\u and four hexadecimal digits.`);
    }
    /** What the pattern finds right here, and steps over it. */
    take(pattern) {
        pattern.lastIndex = this.at;
        const found = pattern.exec(this.text)?.[0] ?? "";
        this.at += found.length;
        return found;
    }
    since(start) {
        return { start, end: this.at };
    }
}
