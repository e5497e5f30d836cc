// `"quoted phrases"` and `-excluded` words, where a query asks for them (advancedSyntax). A quote without its partner and a
// hyphen within a word are plain text.
const QUOTES = /[“”„]/g;
/** Takes a query apart. One pass, linear. */
export function readAdvancedSyntax(query) {
    const given = query.replace(QUOTES, '"');
    const phrases = [];
    const excluded = [];
    let text = "";
    for (let at = 0; at < given.length;) {
        const minus = given[at] === "-" && isBlankAt(given, at - 1) && !isBlankAt(given, at + 1);
        const start = minus ? at + 1 : at;
        const close = given[start] === '"' ? given.indexOf('"', start + 1) : -1;
        if (close > start) {
            const phrase = given.slice(start + 1, close);
            (minus ? excluded : phrases).push(phrase);
            text += minus ? " " : ` ${phrase} `;
            at = close + 1;
        }
        else if (minus) {
            const end = endOfWord(given, start);
            excluded.push(given.slice(start, end));
            at = end;
        }
        else
            text += given[at++];
    }
    return { text, phrases, excluded };
}
function endOfWord(text, from) {
    let at = from;
    while (at < text.length && !isBlankAt(text, at))
        at++;
    return at;
}
function isBlankAt(text, at) {
    return at < 0 || at >= text.length || text[at].trim() === "";
}
