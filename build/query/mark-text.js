// Which parts of a text a query has found: read by the same scanner and the same forms as the index, and told in places of
// the text as it was given. Marks never overlap and never cut a character from what joins it.
import { cleanWord } from "../language/compound-forms.js";
import { normalizeWithOffsets } from "../language/normalize-with-offsets.js";
import { quantitiesIn } from "../language/quantities.js";
import { scanTokens } from "../language/scan-tokens.js";
import { tokenTerms } from "../language/token-terms.js";
import { escapeHtml } from "./escape-html.js";
/** Finds what the matcher looks for. */
export function markText(text, matcher) {
    const origin = normalizeWithOffsets(text);
    const { normal } = origin;
    const found = { marks: [], pieces: [] };
    for (const { start, end, term } of quantitiesIn(normal))
        addMark(found.marks, start, end, matcher.matchTerms([term]));
    scanTokens(normal, (kind, start, end) => markToken(kind, normal.slice(start, end), start, matcher, found));
    const marks = mergeMarks(found.marks.map((mark) => ({ ...inOrigin(mark, origin), keys: mark.keys })));
    const pieces = found.pieces.map((piece) => inOrigin(piece, origin));
    return { marks, keys: [...new Set(marks.flatMap(({ keys }) => keys))], isWhole: coversAll(marks, pieces) };
}
/** How much of the query was found. */
export function matchLevel({ keys }, matcher) {
    if (keys.length === 0)
        return "none";
    return keys.length >= matcher.keys ? "full" : "partial";
}
/** A part of a text as HTML, its marks between tags; a mark that reaches beyond is cut. */
export function paintText(text, start, end, marks, tags) {
    let html = "";
    let at = start;
    for (const mark of marks) {
        const from = Math.max(mark.start, start);
        const to = Math.min(mark.end, end);
        if (from >= to)
            continue;
        html += escapeHtml(text.slice(at, from)) + tags.preTag + escapeHtml(text.slice(from, to)) + tags.postTag;
        at = to;
    }
    return html + escapeHtml(text.slice(at, end));
}
function markToken(kind, token, start, matcher, found) {
    if (kind === "compound") {
        markCompound(token, start, matcher, found);
        return;
    }
    const end = start + token.length;
    found.pieces.push({ start, end });
    if (kind === "unspaced")
        markUnspaced(token, start, matcher, found.marks);
    else
        addMark(found.marks, start, end, matcher.matchTerms(tokenTerms(kind, token, matcher.words)));
}
/** The whole where its joined form is looked for, and else its parts. */
function markCompound(token, start, matcher, { marks, pieces }) {
    const [joined, ...parts] = tokenTerms("compound", token, matcher.words);
    if (joined !== undefined && parts.length > 0)
        addMark(marks, start, start + token.length, matcher.matchTerms([joined]));
    let at = start;
    for (const part of token.split(/[-_&]/)) {
        const end = at + part.length;
        const word = cleanWord(part);
        if (word !== "") {
            pieces.push({ start: at, end });
            addMark(marks, at, end, matcher.matchTerms([matcher.words.stem(word)]));
        }
        at = end + 1;
    }
}
/** Characters and pairs of neighbours; those that touch are one mark. */
function markUnspaced(run, start, matcher, marks) {
    let open;
    let before = "";
    let at = start;
    for (const character of run) {
        const end = at + character.length;
        const single = matcher.matchTerms([character]);
        const pair = before === "" ? [] : matcher.matchTerms([before + character]);
        if (single.length + pair.length > 0) {
            const from = pair.length > 0 ? at - before.length : at;
            const goesOn = open !== undefined && open.end >= from;
            if (open !== undefined && !goesOn)
                marks.push(open);
            const keys = goesOn ? [...open.keys] : [];
            for (const key of [...pair, ...single])
                if (!keys.includes(key))
                    keys.push(key);
            open = { start: goesOn ? open.start : from, end, keys };
        }
        before = character;
        at = end;
    }
    if (open !== undefined)
        marks.push(open);
}
function addMark(marks, start, end, keys) {
    if (keys.length > 0)
        marks.push({ start, end, keys });
}
function inOrigin({ start, end }, { starts, ends }) {
    return { start: starts[start], end: ends[end - 1] };
}
/** Overlapping marks become one; marks that only touch stay two. */
function mergeMarks(found) {
    const marks = [];
    for (const mark of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
        const last = marks.at(-1);
        if (last === undefined || mark.start >= last.end)
            marks.push(mark);
        else
            marks[marks.length - 1] = {
                start: last.start,
                end: Math.max(last.end, mark.end),
                keys: [...new Set([...last.keys, ...mark.keys])],
            };
    }
    return marks;
}
/** Whether each piece lies in a mark; both in reading order. */
function coversAll(marks, pieces) {
    let at = 0;
    for (const { start, end } of pieces) {
        while (at < marks.length && marks[at].end < end)
            at++;
        if (at === marks.length || marks[at].start > start)
            return false;
    }
    return pieces.length > 0;
}
