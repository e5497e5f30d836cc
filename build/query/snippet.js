// The most telling words of a text: the window that holds most terms of the query, then most found words, then has them in
// its middle, then comes first. Words are runs between blanks that hold a letter or digit; none is ever cut.
import { markText, matchLevel, paintText, } from "./mark-text.js";
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
/** Cuts the best part out of a text; a text of few words is shown whole. */
export function snippetText(text, matcher, options) {
    const marking = markText(text, matcher);
    const words = wordsOf(text);
    const most = Math.max(1, options.words);
    addKeys(words, marking.marks);
    const first = words.length <= most ? 0 : bestWindow(words, most);
    const isCutBefore = first > 0;
    const isCutBehind = first + most < words.length;
    const start = isCutBefore ? words[first].start : 0;
    const end = isCutBehind ? words[first + most - 1].end : text.length;
    const value = paintText(text, start, end, marking.marks, options);
    return {
        value: (isCutBefore ? options.ellipsis : "") + value + (isCutBehind ? options.ellipsis : ""),
        matchLevel: matchLevel(marking, matcher),
    };
}
function wordsOf(text) {
    const words = [];
    for (const { 0: run, index } of text.matchAll(/\S+/g))
        if (LETTER_OR_DIGIT.test(run))
            words.push({ start: index, end: index + run.length, keys: [] });
    return words;
}
/** Marks and words ascend, so both are walked once; a mark may lie in several words, a word hold several marks. */
function addKeys(words, marks) {
    let at = 0;
    for (const { start, end, keys } of marks) {
        while (at < words.length && words[at].end <= start)
            at++;
        for (let i = at; i < words.length && words[i].start < end; i++)
            words[i].keys.push(...keys);
    }
}
/** The first word of the best window of `size` words. O(words). */
function bestWindow(words, size) {
    const counts = new Map();
    const behind = nextFound(words);
    let found = 0;
    let last = -1;
    let best = { start: 0, terms: 0, found: 0, lean: 0 };
    for (let end = 0; end < words.length; end++) {
        const entering = words[end].keys;
        for (const key of entering)
            counts.set(key, (counts.get(key) ?? 0) + 1);
        if (entering.length > 0) {
            found++;
            last = end;
        }
        const start = end - size + 1;
        if (start < 0)
            continue;
        const lean = found === 0 ? 0 : Math.abs(behind[start] - start - (end - last));
        const window = { start, terms: counts.size, found, lean };
        if (isBetter(window, best))
            best = window;
        const leaving = words[start].keys;
        if (leaving.length > 0)
            found--;
        for (const key of leaving) {
            const left = counts.get(key) - 1;
            if (left === 0)
                counts.delete(key);
            else
                counts.set(key, left);
        }
    }
    return best.start;
}
function isBetter(a, b) {
    if (a.terms !== b.terms)
        return a.terms > b.terms;
    return a.found !== b.found ? a.found > b.found : a.lean < b.lean;
}
/** For each word, the first found one from it on. */
function nextFound(words) {
    const next = new Int32Array(words.length);
    for (let i = words.length - 1, found = words.length; i >= 0; i--) {
        if (words[i].keys.length > 0)
            found = i;
        next[i] = found;
    }
    return next;
}
